"""CSV and TSV files: encoding and delimiter detected, one table, its rows also as text."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from kaoju.knowledge.parsing.compose import Composer
from kaoju.knowledge.parsing.encoding import decode
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.grid import Grid, tabulate, write_rows
from kaoju.knowledge.parsing.source import Source
from kaoju.model.document import Document

_DELIMITERS: Final = ",\t;|"
_FIELD: Final = 10_000_000
_SNIFF_ROWS: Final = 200


def read(source: Source) -> Iterator[Document]:
    """Yield one document with one table named after the file."""
    decoded = decode(source.path.read_bytes(), source.path)
    text = decoded.text.replace("\0", "")
    delimiter = _delimiter(text, source.path.suffix.lower())
    rows: list[list[str]] = []
    numbers: list[int] = []
    notes = list(decoded.notes)
    cells = 0
    try:
        for number, row in enumerate(_records(text, delimiter), 1):
            if not any(cell.strip() for cell in row):
                continue
            cells += len(row)
            if cells > source.limits.table_cells:
                notes.append(f"rows from {number} on were cut off / 自第 {number} 行起已截断")
                break
            rows.append(row)
            numbers.append(number)
    except csv.Error as error:
        raise fault("corrupt", source.path, str(error)) from error
    table = tabulate(Grid(rows=rows, numbers=numbers), name=source.path.stem)
    if table is None:
        raise fault("no_text", source.path)
    composer = Composer()
    notes.extend(write_rows(composer, table, source.limits, lead=True))
    yield Document(
        id=source.document_id,
        title=source.path.stem,
        blocks=composer.blocks,
        tables=(table.table,),
        notes=tuple(notes),
    )


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(_FIELD)
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)


def _delimiter(text: str, suffix: str) -> str:
    """Return the delimiter that splits the first rows into the same number of columns most often."""
    best, best_score = "\t" if suffix in {".tsv", ".tab"} else ",", 0.0
    for delimiter in _DELIMITERS:
        try:
            widths = [len(row) for row in islice(_records(text, delimiter), _SNIFF_ROWS) if row]
        except csv.Error:
            continue
        width, count = Counter(widths).most_common(1)[0] if widths else (1, 0)
        score = (count / len(widths)) * min(width, 4) if width > 1 else 0.0
        if score > best_score:
            best, best_score = delimiter, score
    return best
