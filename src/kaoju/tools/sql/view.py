"""A table as a question sees it: what its columns may be called, and what they can be used for.

Pure. Everything is derived from headers, types and sample values; nothing is
known about any particular table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final, Literal

from kaoju.language.normalise import normalise
from kaoju.language.segment import tokens
from kaoju.model.document import TableInfo
from kaoju.tools.sql.findings import hidden
from kaoju.tools.sql.lexicon import NAME_SUFFIXES, NOT_ADDITIVE, SYNONYMS, TOTAL_WORDS
from kaoju.tools.sql.periods import Period, parse_period, year_in

Kind = Literal["number", "date", "text", "flag"]

EXACT: Final = 1.0
SYNONYM: Final = 0.85
PART: Final = 0.6
SAMPLE_LIMIT: Final = 50
"""A column with so many samples may have further values."""
_FORMATS: Final = frozenset(
    {"xlsx", "csv", "sheet", "the", "and", "for", "table", "parquet", "json", "sqlite", "jsonl"}
)
_UNIT: Final = re.compile(r"[(\[](?P<unit>[^()\[\]]*)[)\]]\s*$")
_SCALES: Final = (
    ("万亿", 12), ("亿", 8), ("百万", 6), ("千万", 7), ("万", 4), ("千", 3), ("trillion", 12), ("billion", 9),
    ("bn", 9), ("million", 6), ("mn", 6), ("thousand", 3), ("'000", 3), ("000s", 3),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """One column and its roles."""

    name: str
    kind: Kind
    forms: Mapping[str, float]
    """Normalised spelling -> how sure it is that the spelling means this column."""
    concept: str
    """First spelling of its line in `SYNONYMS`, or empty."""
    scale: Decimal
    """What one unit of the column is worth: 10000 for 万元."""
    unit: str
    values: Mapping[str, str]
    """Normalised sample value -> the value."""
    complete: bool
    """True when the samples are all distinct values."""
    unique: bool
    """True when no two rows share a value, as far as the samples show."""
    totals: tuple[str, ...]
    """Values that mark a row as the total or average of others."""
    year: int | None
    """The year that the header itself names."""
    periods: Mapping[str, Period]
    """Sample value -> the period that it names, where every sample names one."""

    @property
    def additive(self) -> bool:
        """Whether its figures may be added up unasked."""
        name = normalise(self.name)
        return self.kind == "number" and not any(part in name for part in NOT_ADDITIVE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """One table and its columns."""

    table: TableInfo
    columns: tuple[Column, ...]
    label: Column | None
    """The column that names its rows."""
    nouns: frozenset[str]
    """Words for one row, or for the table: from its name, its title, and the label's header."""
    row_words: frozenset[str]
    """Those of them that mean nothing else in this table."""
    years: frozenset[int]
    """Years that the table's name or title states."""
    spellings: Mapping[str, tuple[tuple[Column, float], ...]]
    """Spelling -> the columns that it may mean, and how surely; English plurals included."""
    words: frozenset[str]
    """Everything in a question that would point at this table: spellings, row words and values."""
    longest: int
    """Length of the longest spelling or value that is worth looking for."""

    def by_concept(self, concept: str) -> tuple[Column, ...]:
        """Return the columns of one concept."""
        return tuple(column for column in self.columns if column.concept == concept)


class _Key:
    """A table by what its view depends on, so that equal tables share one view."""

    def __init__(self, table: TableInfo) -> None:
        self.table = table
        samples = tuple(table.samples.items())
        words = tuple(table.synonyms.items())
        self.parts = (
            table.document_id, table.name, table.title, table.columns, table.row_count, samples, words,
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash(self.parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.parts == self.parts


@lru_cache(maxsize=8192)
def _cached(key: _Key) -> View:
    return _view(key.table)


def view(table: TableInfo) -> View:
    """Return the view of a table."""
    return _cached(_Key(table))


def _view(table: TableInfo) -> View:
    columns = tuple(_column(table, name, kind) for name, kind in table.columns if not hidden(name))
    label = _label(columns)
    titles = normalise(" ".join((table.name, table.title, *table.synonyms.get("", ()))))
    spellings = _spellings(columns)
    nouns = _title_words(titles)
    names = {
        form for form, found in spellings.items() if label is not None and {c for c, _ in found} == {label}
    }
    return View(
        table=table,
        columns=columns,
        label=label,
        nouns=frozenset(nouns | names),
        row_words=frozenset({word for word in nouns if word not in spellings} | names),
        years=frozenset(int(year) for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", titles)),
        spellings=spellings,
        words=frozenset(spellings) | names | nouns | {value for column in columns for value in column.values},
        longest=min(80, max((40, *(len(value) + 1 for column in columns for value in column.values)))),
    )


def _spellings(columns: tuple[Column, ...]) -> dict[str, tuple[tuple[Column, float], ...]]:
    built: dict[str, dict[int, float]] = {}

    def add(form: str, number: int, weight: float) -> None:
        known = built.setdefault(form, {})
        known[number] = max(weight, known.get(number, 0.0))

    for number, column in enumerate(columns):
        for form, weight in column.forms.items():
            add(form, number, weight)
            if form.isascii() and form[-1:].isalpha() and not form.endswith("s"):
                add(form[:-1] + "ies" if form.endswith("y") else form + "s", number, weight)
    return {
        form: tuple((columns[at], weight) for at, weight in found.items()) for form, found in built.items()
    }


def _column(table: TableInfo, name: str, type_name: str) -> Column:
    samples = table.samples.get(name, ())
    forms = column_forms(name) | {_words(normalise(word)): EXACT for word in table.synonyms.get(name, ())}
    concept = next((group[0] for group in synonyms() if any(forms.get(item) == EXACT for item in group)), "")
    if not concept:
        tails = [form for form, weight in forms.items() if weight == PART and _is_tail(name, form)]
        concept = next((group[0] for group in synonyms() if any(item in tails for item in group)), "")
    spellings = dict(forms)
    for group in synonyms():
        if group[0] == concept:
            for item in group:
                spellings.setdefault(item, SYNONYM)
    unit = _UNIT.search(normalise(name))
    unit_text = unit["unit"] if unit else ""
    periods = {value: parse_period(value) for value in samples}
    return Column(
        name=name,
        kind=_kind(type_name, samples),
        forms=spellings,
        concept=concept,
        scale=_scale(unit_text),
        unit=unit_text,
        values={normalise(value).strip(): value for value in samples if value.strip()},
        complete=bool(samples) and len(samples) < SAMPLE_LIMIT,
        unique=bool(samples) and len(samples) == min(table.row_count, SAMPLE_LIMIT),
        totals=tuple(value for value in samples if normalise(value).strip(" :") in TOTAL_WORDS),
        year=year_in(name),
        periods={value: period for value, period in periods.items() if period is not None}
        if samples and all(periods.values())
        else {},
    )


def column_forms(name: str) -> dict[str, float]:
    """Return the spellings of a header: itself, without its unit, and its beginnings and ends."""
    full = _words(normalise(name))
    bare = re.sub(r" \d{1,2}$", "", _words(_UNIT.sub("", normalise(name))))  # `Votes 2` is a second `Votes`
    forms = {form: EXACT for form in (full, bare) if form}
    if bare.isascii():
        parts = bare.split()
        for size in range(1, len(parts)):
            for piece in (" ".join(parts[-size:]), " ".join(parts[:size])):
                if len(piece) > 2 and not piece.isdigit():
                    forms.setdefault(piece, PART)
        if len(parts) > 1 and parts[-1] in NAME_SUFFIXES:
            forms[" ".join(parts[:-1])] = SYNONYM
    else:
        for size in range(2, len(bare) - 1):
            for piece in (bare[-size:], bare[:size]):
                forms.setdefault(piece.strip(), PART)
        for suffix in NAME_SUFFIXES:
            if bare.endswith(suffix) and len(bare) - len(suffix) >= 2:
                forms[bare.removesuffix(suffix)] = SYNONYM
    return {form: weight for form, weight in forms.items() if form}


def _words(text: str) -> str:
    return " ".join(re.sub(r"[_/\\.]+", " ", text).split())


def _is_tail(name: str, form: str) -> bool:
    return _words(_UNIT.sub("", normalise(name))).endswith(form)


@cache
def synonyms() -> tuple[tuple[str, ...], ...]:
    """Return the concepts as normalised spellings."""
    return tuple(tuple(normalise(item) for item in line.split("|")) for line in SYNONYMS)


def _kind(type_name: str, samples: tuple[str, ...]) -> Kind:
    upper = type_name.upper()
    if upper.startswith(("DATE", "TIMESTAMP")):
        return "date"
    if upper.startswith("BOOL"):
        return "flag"
    if upper.startswith(("DECIMAL", "NUMERIC", "DOUBLE", "FLOAT", "REAL")) or "INT" in upper:
        return "number"
    if samples and all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", value) for value in samples):
        return "date"
    return "text"


def _scale(unit: str) -> Decimal:
    for word, power in _SCALES:
        if word in unit:
            return Decimal(10) ** power
    return Decimal(1)


def _label(columns: tuple[Column, ...]) -> Column | None:
    texts = [column for column in columns if column.kind == "text" and not column.periods]
    named = [c for c in texts if normalise(c.name).endswith(NAME_SUFFIXES)]
    for group in ([c for c in named if c.unique], [c for c in texts if c.unique]):
        if group:
            return group[0]
    return None


def _title_words(title: str) -> set[str]:
    """Return the words of a title that a question may use for the table, English ones in both numbers."""
    found: set[str] = set()
    for word in tokens(re.sub(r"[_/\\.]+", " ", title)):
        if word.isascii():
            if len(word) > 2 and word.isalpha() and word not in _FORMATS:
                found.update((word, word.removesuffix("s"), word.removesuffix("s") + "s"))
        elif len(word) > 1:
            found.add(word)
    return found
