"""Rows narrowed by a question, and the figures that an operation takes from them.

Promises: rows, periods and columns are taken only where the question or the
data leave one choice; what was left out is said. Refuses, with the reason, to
guess. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from kaoju.language.numbers import find_numbers
from kaoju.language.time import find_times
from kaoju.model.evidence import JSON
from kaoju.tools.code.columns import Number, Period, Rows, columns, named_in, number
from kaoju.tools.code.library import Operation

_KINDS: Final = (
    ("rising", re.compile(r"增长|上升|上涨|增加|提高|走高|ris|grow|increas|climb", re.IGNORECASE)),
    ("falling", re.compile(r"下降|下跌|减少|降低|走低|下滑|fall|declin|decreas|drop", re.IGNORECASE)),
)
_BOUNDS: Final = (
    ("above", re.compile(r"超过|高于|大于|多于|above|over|more than|exceed", re.IGNORECASE)),
    ("below", re.compile(r"低于|小于|少于|不足|不到|below|under|less than", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A ready program with its figures."""

    operation: Operation
    data: Mapping[str, JSON]
    subject: str
    """What the value is about: column, rows, periods."""
    caveats: tuple[tuple[str, str], ...] = ()
    """What may be wrong with it, Chinese and English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unclear:
    """Why no program was chosen."""

    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with the chosen columns, and how the question narrows them."""

    rows: Rows
    periods: Sequence[Period | None]
    columns: tuple[str, ...]
    query: str
    when: str | None

    def series(self, operation: Operation) -> Chosen | Unclear:
        """Return one column, as far as the question narrows it."""
        kept, narrowed = self._asked_rows()
        figures, caveats = self._figures(kept, self.columns[0])
        if not figures:
            return Unclear(en="no row that is asked for has a number", zh="所问的行里没有数字")
        subject = self._subject(self.columns[0], narrowed, len(figures))
        return Chosen(
            operation=operation, data={"values": [v for _, v in figures]}, subject=subject, caveats=caveats
        )

    def two_series(self, operation: Operation) -> Chosen | Unclear:
        """Return two columns, row by row."""
        kept, narrowed = self._asked_rows()
        first, second = self.columns
        pairs = [
            (a, b)
            for i in kept
            if (a := number(self.rows[i].get(first))) is not None
            and (b := number(self.rows[i].get(second))) is not None
        ]
        if len(pairs) < 3 or len({a for a, _ in pairs}) < 2 or len({b for _, b in pairs}) < 2:
            return Unclear(
                en="a correlation needs three rows or more, and figures that differ",
                zh="相关系数至少需要三行，且数值不能全部相同",
            )
        caveats = _missing(len(kept) - len(pairs))
        if len(pairs) < 10:
            caveats += ((f"只有 {len(pairs)} 组数据", f"only {len(pairs)} pairs"),)
        return Chosen(
            operation=operation,
            data={"values": [a for a, _ in pairs], "others": [b for _, b in pairs]},
            subject=self._subject(f"{first}, {second}", narrowed, len(pairs)),
            caveats=caveats,
        )

    def pair(self, operation: Operation) -> Chosen | Unclear:
        """Return two figures: two columns of one row, or one column of two rows."""
        if len(self.columns) == 2:
            kept, narrowed = self._asked_rows()
            if len(kept) != 1:
                return Unclear(en="which row is meant is not clear", zh="不清楚要用哪一行")
            one, two = ((name, number(self.rows[kept[0]].get(name))) for name in self.columns)
            if one[1] is None or two[1] is None:
                return Unclear(en="one of the figures is missing", zh="缺少其中一个数字")
            suffix = f" ({narrowed})" if narrowed else ""
            return pair_of(operation, (one[0] + suffix, one[1]), (two[0] + suffix, two[1]), ())
        if operation.name == "rate_of_change" and self.when:
            return self._between(operation)
        labels = {str(cell): i for i, row in enumerate(self.rows) for cell in row.values() if _label(cell)}
        named = named_in(self.query, tuple(labels))
        figures = [
            (name, value)
            for name in named
            if (value := number(self.rows[labels[name]].get(self.columns[0]))) is not None
        ]
        if len(figures) != 2 or labels[named[0]] == labels[named[1]]:
            return Unclear(en="the question does not name two rows", zh="问题没有指明两行")
        return pair_of(operation, figures[0], figures[1], (), self.columns[0])

    def _between(self, operation: Operation) -> Chosen | Unclear:
        """The change from the earlier to the later of two periods: those that are named, else first and last."""
        ordered = self._ordered(self._labelled_rows())
        spans = [(t.start, t.end) for t in find_times(self.query, date(2000, 1, 1)) if not t.assumed]
        named = [
            item for item in ordered if any(s == item[0].start and e == item[0].end for s, e in spans)
        ] or [item for item in ordered if any(s <= item[0].start and item[0].end <= e for s, e in spans)]
        if spans and len(named) < 2:
            return Unclear(en="the periods that are named are not in the rows", zh="所问的时期不在数据中")
        among = named or ordered
        if len(among) < 2 or len({item[0].start for item in among}) < len(among):
            return Unclear(en="which two periods are meant is not clear", zh="不清楚要比较哪两个时期")
        (one, first), (two, last) = among[0], among[-1]
        return pair_of(operation, (one.text, first), (two.text, last), (), self.columns[0])

    def change(self, operation: Operation) -> Chosen | Unclear:
        """Return the figure of a period and the one that it is compared with."""
        if not self.when:
            return Unclear(en="no column says when", zh="没有表示时间的列")
        ordered = self._ordered(self._labelled_rows())
        spans = [(t.start, t.end) for t in find_times(self.query, date(2000, 1, 1)) if not t.assumed]
        asked = [item for item in ordered if any((item[0].start, item[0].end) == span for span in spans)]
        if len(spans) > 1 or (spans and len(asked) != 1) or not ordered:
            return Unclear(en="which period is meant is not clear", zh="不清楚要算哪个时期")
        if len({item[0].start for item in ordered}) < len(ordered):
            return Unclear(
                en="a period stands in several rows; say which is meant", zh="同一时期有多行，请指明是哪一行"
            )
        current, last = asked[0] if asked else ordered[-1]
        before = _before(current, operation.name, [item[0] for item in ordered])
        match = [item for item in ordered if item[0] == before]
        if not match:
            return Unclear(
                en=f"there is no figure to compare {current.text} with",
                zh=f"没有可与 {current.text} 比较的数字",
            )
        return pair_of(operation, (match[0][0].text, match[0][1]), (current.text, last), (), self.columns[0])

    def steps(self, operation: Operation) -> Chosen | Unclear:
        """Return a column in the order of its periods."""
        caveats: tuple[tuple[str, str], ...] = ()
        column = self.columns[0]
        kept, narrowed = self._asked_rows()
        if self.when:
            figures = [(item[0].text, item[1]) for item in self._ordered(kept)]
            if len({label for label, _ in figures}) < len(figures):
                return Unclear(
                    en="a period stands in several rows; say which is meant",
                    zh="同一时期有多行，请指明是哪一行",
                )
            caveats = _missing(len(kept) - len(figures))
        else:
            figures, caveats = self._figures(kept, column)
            caveats += (("按数据原有顺序", "in the order of the rows"),)
        if len(figures) < 3:
            return Unclear(en="this needs three figures or more", zh="这种计算至少需要三个数字")
        data: dict[str, JSON] = {"values": [v for _, v in figures]}
        if operation.name == "longest_run":
            condition = _condition(self.query)
            if condition is None:
                return Unclear(en="what must hold in a row is not clear", zh="不清楚连续的条件是什么")
            data |= {"labels": [label for label, _ in figures], "kind": condition[0], "bound": condition[1]}
        return Chosen(
            operation=operation,
            data=data,
            subject=self._subject(column, narrowed, len(figures)),
            caveats=caveats,
        )

    def _asked_rows(self) -> tuple[list[int], str]:
        """Return the rows inside what the question names: labels and times that are in the rows."""
        kept = self._labelled_rows()
        words = list(self._labels())
        spans = (
            [] if not self.when else [t for t in find_times(self.query, date(2000, 1, 1)) if not t.assumed]
        )
        if spans:
            kept = [
                i
                for i in kept
                if (one := self.periods[i]) and any(t.start <= one.start and one.end <= t.end for t in spans)
            ]
            words.extend(t.text for t in spans)
        return kept, ", ".join(words)

    def _labels(self) -> tuple[str, ...]:
        labels = {
            str(cell): None
            for row in self.rows
            for name, cell in row.items()
            if name != self.when and _label(cell)
        }
        named = named_in(self.query, tuple(labels))
        return tuple(name for name in named if name not in self.columns)

    def _labelled_rows(self) -> list[int]:
        """Return the rows that carry the named labels: one of each column that has any."""
        named = set(self._labels())
        by_column: dict[str, set[int]] = {}
        for i, row in enumerate(self.rows):
            for name, cell in row.items():
                if _label(cell) and str(cell) in named:
                    by_column.setdefault(name, set()).add(i)
        return [i for i in range(len(self.rows)) if all(i in found for found in by_column.values())]

    def _ordered(self, kept: Sequence[int]) -> list[tuple[Period, Number]]:
        found = [
            (one, value)
            for i in kept
            if (one := self.periods[i]) and (value := number(self.rows[i].get(self.columns[0]))) is not None
        ]
        return sorted(found, key=lambda item: (item[0].start, item[0].end))

    def _figures(
        self, kept: Sequence[int], column: str
    ) -> tuple[list[tuple[str, Number]], tuple[tuple[str, str], ...]]:
        first = next(iter(columns(self.rows)))
        figures = [
            (str(self.rows[i].get(first, i + 1)), value)
            for i in kept
            if (value := number(self.rows[i].get(column))) is not None
        ]
        return figures, _missing(len(kept) - len(figures))

    def _subject(self, column: str, narrowed: str, count: int) -> str:
        return f"{column} ({narrowed}; n={count})" if narrowed else f"{column} (n={count})"


def _label(cell: JSON) -> bool:
    return isinstance(cell, str) and bool(cell.strip()) and number(cell) is None


def _missing(count: int) -> tuple[tuple[str, str], ...]:
    return (
        ((f"有 {count} 行没有数字，未计入", f"{count} rows without a number were left out"),) if count else ()
    )


def pair_of(
    operation: Operation,
    one: tuple[str, Number],
    two: tuple[str, Number],
    caveats: tuple[tuple[str, str], ...],
    column: str = "",
) -> Chosen | Unclear:
    """Return a program over two figures, unless its value would have no meaning."""
    change = "last - first" in operation.program
    if change and one[1] <= 0:
        return Unclear(
            en=f"a rate from a base of {one[1]} has no meaning", zh=f"基数为 {one[1]}，变化率没有意义"
        )
    if operation.name == "ratio" and two[1] == 0:
        return Unclear(en="the divisor is zero", zh="除数为零")
    link = " → " if change else " / " if operation.name == "ratio" else " - "
    subject = f"{one[0]}{link}{two[0]}"
    names = ("first", "last") if change else ("first", "second")
    return Chosen(
        operation=operation,
        data={names[0]: one[1], names[1]: two[1]},
        subject=f"{column} ({subject})" if column else subject,
        caveats=caveats,
    )


def _before(current: Period, name: str, known: Sequence[Period]) -> Period | None:
    if name == "period_on_period":
        return next((one for one in known if one.end == current.start), None)
    try:
        start = current.start.replace(year=current.start.year - 1)
        end = current.end.replace(year=current.end.year - 1)
    except ValueError:  # 29 February has no day a year before
        return None
    return next((one for one in known if (one.start, one.end) == (start, end)), None)


def _condition(query: str) -> tuple[str, Number] | None:
    for kind, cue in _BOUNDS:
        match = cue.search(query)
        if match:
            found = [one for one in find_numbers(query) if one.start >= match.end()]
            if found:
                value = found[0].value / 100 if found[0].kind == "percent" else found[0].value
                whole = value == value.to_integral_value()
                return kind, int(value) if whole else float(value)
    return next(((kind, 0) for kind, cue in _KINDS if cue.search(query)), None)
