"""Tables of documents as SQL tables, in a DuckDB file that is replaced whole.

Promises: every column is typed by its values (numbers with separators and
percent signs become numbers), names are unique and readable, and `_row` keeps
the source row for citations. Readers never see a half-written file: changes go
to a copy that takes the old one's place in one rename.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Final

from kaoju.errors import KnowledgeBaseError
from kaoju.knowledge.state import storage_error
from kaoju.language.normalise import normalise
from kaoju.model.document import Cell, Document, Table, TableInfo

MAX_SAMPLES: Final = 50
MAX_SAMPLE_CHARS: Final = 60
ROW: Final = "_row"
_UNSAFE: Final = re.compile(r"[^\w]+", re.UNICODE)
_NUMBER: Final = re.compile(r"[-+−]?[¥$€£]?\s?\d{1,3}(?:[,，]\d{3})*(?:\.\d+)?|[-+−]?\d+(?:\.\d+)?")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_BLANKS: Final = frozenset({"", "-", "--", "—", "–", "n/a", "na", "nan", "null", "none", "/", "无", "暂无"})


class TableFile:
    """Writes the DuckDB file of a knowledge base."""

    def __init__(self, path: Path) -> None:
        """Prepare to change `path`; nothing is touched before the first change."""
        self._path = path
        self._draft = path.with_suffix(".draft")
        self._db: Any = None

    def write(self, name: str, table: Table) -> tuple[tuple[str, str], ...]:
        """Write one table under `name`, replacing one of that name; return its (column, type) pairs.

        Raises:
            StorageError: the disk refused.
        """
        names = column_names(table.columns)
        kinds = [column_type([row[i] for row in table.rows]) for i in range(len(names))]
        listed = ", ".join(f"{quoted(c)} {kind}" for c, kind in zip(names, kinds, strict=True))
        with self._translated():
            db = self._open()
            db.execute(f"CREATE OR REPLACE TABLE {quoted(name)} ({quoted(ROW)} INTEGER, {listed})")
            if table.rows:
                db.register("incoming", _arrow(table, names, kinds))
                db.execute(f"INSERT INTO {quoted(name)} SELECT * FROM incoming")
                db.unregister("incoming")
        return tuple(zip(names, kinds, strict=True))

    def drop(self, names: Iterable[str]) -> None:
        """Remove tables; unknown names are ignored."""
        with self._translated():
            for name in names:
                self._open().execute(f"DROP TABLE IF EXISTS {quoted(name)}")

    def keep_only(self, names: Collection[str]) -> None:
        """Remove every table that is not among `names`."""
        if self._path.exists():
            with self._translated():
                stored = self._open().execute("SELECT table_name FROM duckdb_tables()").fetchall()
            self.drop(name for (name,) in stored if name not in names)

    def publish(self) -> None:
        """Put the changes in the place of the old file, in one rename; nothing to do without changes."""
        if self._db is None:
            return
        with self._translated():
            self._db.execute("CHECKPOINT")
            self._db.close()
            self._db = None
            self._draft.replace(self._path)

    def discard(self) -> None:
        """Forget the changes since the last publish."""
        if self._db is not None:
            self._db.close()
            self._db = None
        for leftover in (self._draft, self._draft.with_name(self._draft.name + ".wal")):
            leftover.unlink(missing_ok=True)

    def _open(self) -> Any:
        if self._db is None:
            import duckdb  # noqa: PLC0415 - only ingestion of tables needs it

            self.discard()
            if self._path.exists():
                shutil.copyfile(self._path, self._draft)
            self._db = duckdb.connect(str(self._draft))
        return self._db

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn what the disk and DuckDB raise into errors of Kaoju."""
        import duckdb  # noqa: PLC0415 - only ingestion of tables needs it

        try:
            yield
        except OSError as error:
            raise storage_error(self._path, error) from error
        except duckdb.Error as error:
            if any(
                word in str(error) for word in ("No space left", "Permission denied", "Read-only file system")
            ):
                raise storage_error(self._path, error) from error
            raise KnowledgeBaseError(
                f"{self._path} is damaged ({error}); restore it from a backup, or remove the folder and ingest again.",
                f"{self._path} 已损坏（{error}）；请从备份恢复，或删除该文件夹后重新导入。",
            ) from error


def _arrow(table: Table, names: Sequence[str], kinds: Sequence[str]) -> Any:
    """Return a table's rows, each after its source row, in the form that DuckDB reads fastest."""
    import pyarrow as pa  # noqa: PLC0415 - for writers only

    types = {"DOUBLE": pa.float64(), "BIGINT": pa.int64(), "DATE": pa.date32(), "BOOLEAN": pa.bool_()}
    columns = [pa.array(range(table.first_row, table.first_row + len(table.rows)), type=pa.int64())]
    for i, kind in enumerate(kinds):
        columns.append(
            pa.array([typed(row[i], kind) for row in table.rows], type=types.get(kind, pa.string()))
        )
    return pa.table(columns, names=[ROW, *names])


def column_names(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns with numbers behind those that SQL, which ignores case, would take for another one."""
    used = {ROW}
    found = []
    for column in columns:
        name, number = _storable(column), 2
        while name.casefold() in used:
            name, number = f"{_storable(column)}_{number}", number + 1
        used.add(name.casefold())
        found.append(name)
    return tuple(found)


def table_names(document: Document, taken: Iterable[str]) -> tuple[str, ...]:
    """Return one SQL name for each table of a document, unique among themselves and with `taken`."""
    used = {name.casefold() for name in taken}
    found = []
    for table in document.tables:
        stem = Path(document.id).name.rsplit(".", 1)[0] if "." in document.id else document.id
        own = _identifier(table.name)
        base = own if own and normalise(own) != normalise(_identifier(stem)) else ""
        name = "_".join(part for part in (_identifier(stem), base) if part)[:80] or "table"
        name = f"t_{name}" if name[0].isdigit() else name
        number = 2
        candidate = name
        while candidate.casefold() in used:
            candidate = f"{name}_{number}"
            number += 1
        used.add(candidate.casefold())
        found.append(candidate)
    return tuple(found)


def table_info(
    name: str, document: Document, table: Table, columns: tuple[tuple[str, str], ...]
) -> TableInfo:
    """Return what planners and SQL writers are told of a table."""
    samples = {}
    for i, (column, kind) in enumerate(columns):
        if kind == "VARCHAR":
            values = (str(row[i]).strip() for row in table.rows if row[i] is not None)
            distinct = dict.fromkeys(v for v in values if v and len(v) <= MAX_SAMPLE_CHARS)
            samples[column] = tuple(distinct)[:MAX_SAMPLES]
    title = " · ".join(dict.fromkeys(part for part in (document.title, table.caption or table.name) if part))
    return TableInfo(
        name=name,
        document_id=document.id,
        title=title,
        columns=columns,
        row_count=len(table.rows),
        samples=samples,
        page=table.page,
        section=table.section or ((table.name,) if table.name else ()),
        first_row=table.first_row,
    )


def column_type(values: Sequence[Cell]) -> str:
    """Return the DuckDB type that holds every value without loss of meaning."""
    present = [v for v in values if not blank(v)]
    if not present:
        return "VARCHAR"
    if all(isinstance(v, bool) for v in present):
        return "BOOLEAN"
    if all(isinstance(v, str) and _is_date(v) for v in present):
        return "DATE"
    numbers = [as_number(v) for v in present]
    if any(n is None for n in numbers):
        return "VARCHAR"
    whole = all(float(n).is_integer() and abs(n) < 2**53 for n in numbers if n is not None)
    return "BIGINT" if whole and not any(isinstance(v, float) for v in present) else "DOUBLE"


def typed(value: Cell, kind: str) -> Any:
    """Return a cell as a value of a DuckDB type; blanks become NULL."""
    if value is None or (blank(value) and kind != "VARCHAR"):
        return None
    if kind == "DATE":
        return date.fromisoformat(str(value))
    if kind in ("BIGINT", "DOUBLE"):
        number = as_number(value)
        return None if number is None else (int(number) if kind == "BIGINT" else float(number))
    return value if kind == "BOOLEAN" else _storable(str(value))


def as_number(value: Cell) -> float | None:
    """Return the number that a cell is, None where it is none. Leading zeros mark a code, not a number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value if value == value and abs(value) != float("inf") else None  # noqa: PLR0124 - NaN test
    text = str(value).strip()
    percent = text.endswith(("%", "％"))
    bare = text.rstrip("%％").strip()
    negative = bare.startswith(("(", "（")) and bare.endswith((")", "）"))
    bare = bare.strip("()（）").strip()
    if not _NUMBER.fullmatch(bare) or re.match(r"[-+]?0\d", bare):
        return None
    number = float(re.sub(r"[,，¥$€£\s]", "", bare.replace("−", "-")))
    number = -number if negative else number
    return round(number / 100, 12) if percent else number


def blank(value: Cell) -> bool:
    """Return whether a cell stands for nothing."""
    return value is None or (isinstance(value, str) and value.strip().lower() in _BLANKS)


def quoted(name: str) -> str:
    """Return a name as a SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def _storable(text: str) -> str:
    """Return text that any database takes: no NUL, no half of a character."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def _identifier(text: str) -> str:
    return _UNSAFE.sub("_", text).strip("_")


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
