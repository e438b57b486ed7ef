"""How much of a file is read before the reader says no: every bound of parsing in one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds that keep one hostile or huge file from taking the machine down."""

    file_bytes: int = 200_000_000
    """Larger files are refused as `too_large`."""
    unzipped_bytes: int = 1_000_000_000
    """Sum of all members of an Office file, declared and real; more is a `zip_bomb`."""
    zip_ratio: int = 200
    """Unzipped over zipped size from which a file over `zip_ratio_floor` is a `zip_bomb`."""
    zip_ratio_floor: int = 50_000_000
    """Unzipped bytes under which the ratio does not matter."""
    zip_entries: int = 20_000
    """Members of an Office file."""
    xml_bytes: int = 300_000_000
    """One XML part of an Office file that has to be held as a tree."""
    table_cells: int = 4_000_000
    """Cells kept of one table; rows beyond are cut off with a note."""
    cell_chars: int = 100_000
    """Characters kept of one cell of a database or Parquet file."""
    text_rows: int = 2_000
    """Rows of one table that are also written as text; SQL has all of them."""
    block_rows: int = 20
    """Rows of one table block."""
    block_chars: int = 2_000
    """Characters after which a table block is closed early."""
    line_bytes: int = 32_000_000
    """One line of a JSONL file."""
    pdf_table_objects: int = 4_000
    """Drawn paths on a PDF page beyond which its tables are not looked for."""
    pdf_table_chars: int = 20_000
    """Characters on a PDF page beyond which its tables are not looked for."""
    pdf_table_seconds: float = 8.0
    """Once one page took longer, tables are not looked for on the rest of the file."""
    pdf_tables_seconds: float = 300.0
    """Time for all tables of one PDF."""
    query_seconds: float = 60.0
    """Time to read one table of a database file."""


LIMITS: Final = Limits()
"""The defaults."""
