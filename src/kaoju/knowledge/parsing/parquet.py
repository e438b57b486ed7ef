"""Parquet files, read in batches and cut off at the cell limit."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import json
import math
from collections.abc import Iterator
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from kaoju.knowledge.parsing.cells import shown, unique
from kaoju.knowledge.parsing.compose import Composer, clean
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.grid import Tabulated, write_rows
from kaoju.knowledge.parsing.source import Source
from kaoju.model.document import Cell, Document, Table

_BATCH: Final = 1024
_TAIL: Final = b"PAR1"


def read(source: Source) -> Iterator[Document]:
    """Yield one document with one table named after the file."""
    with source.path.open("rb") as stream:
        stream.seek(-min(4, source.path.stat().st_size), 2)
        if stream.read() != _TAIL:
            raise fault("truncated", source.path)
    try:
        with pq.ParquetFile(source.path) as file:
            columns, rows, total = _rows(file, source)
    except (pa.ArrowException, OSError) as error:
        raise fault("corrupt", source.path, str(error)[:200]) from error
    if not columns:
        raise fault("no_text", source.path)
    notes = [f"only {len(rows)} of {total} rows were read / 仅读取 {total} 行中的 {len(rows)} 行"]
    notes = notes if len(rows) < total else []
    table = table_of(source.path.stem, columns, rows)
    composer = Composer()
    notes.extend(write_rows(composer, table, source.limits))
    yield Document(
        id=source.document_id,
        title=source.path.stem,
        blocks=composer.blocks,
        tables=(table.table,),
        notes=tuple(notes),
    )


def table_of(name: str, columns: list[str], rows: list[tuple[Cell, ...]]) -> Tabulated:
    """Return a table whose source has types of its own, rows counted from 1."""
    names = unique(columns)
    return Tabulated(
        table=Table(name=name, columns=names, rows=tuple(rows), first_row=1, section=(name,)),
        columns=names,
        shown=tuple(tuple(" ".join(shown(cell).split()) for cell in row) for row in rows),
        numbers=tuple(range(1, len(rows) + 1)),
    )


def cell_of(value: object, limit: int) -> Cell:
    """Return a database value as a cell; dates as ISO text, nested values as JSON."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            return None
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dt.datetime):
        midnight = value.time() == dt.time() and value.tzinfo is None
        return value.date().isoformat() if midnight else value.isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bytes):
        return _bytes(value, limit)
    if isinstance(value, list | dict | tuple):
        return clean(json.dumps(value, ensure_ascii=False, default=str))[:limit]
    return clean(str(value))[:limit]


def _bytes(value: bytes, limit: int) -> str:
    try:
        return clean(value.decode("utf-8"))[:limit]
    except UnicodeDecodeError:
        return f"({len(value)} bytes) {base64.b64encode(value[:24]).decode('ascii')}"


def _rows(file: pq.ParquetFile, source: Source) -> tuple[list[str], list[tuple[Cell, ...]], int]:
    columns = [str(name) for name in file.schema_arrow.names]
    most = source.limits.table_cells // max(1, len(columns))
    rows: list[tuple[Cell, ...]] = []
    for batch in file.iter_batches(batch_size=_BATCH):
        arrays = [column.to_pylist() for column in batch.columns]
        rows.extend(
            tuple(cell_of(value, source.limits.cell_chars) for value in values)
            for values in zip(*arrays, strict=True)
        )
        if len(rows) >= most:
            break
    return columns, rows[:most], file.metadata.num_rows
