"""The conditions of a question: values, comparisons, ranges and periods. Pure.

Marks the tokens that it has placed; raises `Undecided` where a token could be
placed in two ways or in none.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from kaoju.tools.base import chinese
from kaoju.tools.sql.lexicon import (
    ACTUAL_CONCEPT,
    BUDGET_CONCEPT,
    MONTH_CONCEPT,
    QUARTER_CONCEPT,
    YEAR_CONCEPT,
)
from kaoju.tools.sql.period_filters import dated_columns, in_columns
from kaoju.tools.sql.periods import Period
from kaoju.tools.sql.reading import Filter, Measure
from kaoju.tools.sql.scan import Token
from kaoju.tools.sql.view import Column, View

CALENDAR: Final = frozenset({YEAR_CONCEPT, QUARTER_CONCEPT, MONTH_CONCEPT})
_IDENTIFIERS: Final = frozenset({"编号", "合同"})


class Undecided(Exception):  # noqa: N818 - it is a decision, not a fault
    """The question has no certain reading over this table."""


def is_dimension(column: Column) -> bool:
    """Return whether rows may be grouped and named by the column."""
    return column.kind != "number" or column.concept in CALENDAR


def is_measure(column: Column) -> bool:
    """Return whether the column holds figures to rank, compare and add."""
    return column.kind == "number" and column.concept not in CALENDAR | _IDENTIFIERS


class Conditions:
    """Reads the conditions off a list of tokens."""

    def __init__(self, tokens: list[Token], table: View) -> None:
        """Nothing is read yet; `tokens` holds no fillers."""
        self.tokens = tokens
        self.table = table
        self.used: set[int] = set()
        self.time_filters: tuple[Filter, ...] = ()
        self._filters: list[Filter] = []
        self.years: set[int] = set()
        """Years that choose among columns whose headers name a year."""

    @property
    def filters(self) -> tuple[Filter, ...]:
        """All conditions, those of time last."""
        return (*self._filters, *self.time_filters)

    def read(self) -> None:
        """Place every token that belongs to a condition.

        Raises:
            Undecided: one of them has no certain place.
        """
        self._ranges()
        self._comparisons()
        self._values()
        self._periods()
        self._connectives()

    def names_row(self) -> bool:
        """Return whether a condition picks rows by name."""
        label = self.table.label
        return any(
            item.op == "in" and item.column is not None and (item.column is label or item.column.unique)
            for item in self._filters
        ) or (label is None and any(item.op == "in" for item in self._filters))

    def resolve(self, token: Token, *, dimension: bool | None) -> Column:
        """Return the one column that a token means.

        Args:
            token: a token of kind `col`.
            dimension: True where a dimension is wanted, False where a figure is, None for either.

        Raises:
            Undecided: there is none, or more than one.
        """
        columns = token.columns
        if len(columns) > 1 and self.years:
            columns = tuple(column for column in columns if column.year in self.years) or columns
        if len(columns) > 1 and dimension is not None:
            columns = tuple(column for column in columns if is_dimension(column) == dimension) or columns
        if len(columns) != 1:
            raise Undecided
        return columns[0]

    def overspend(self, token: Token) -> Measure:
        """Return actual minus budget (or the reverse), where the table has exactly one of each."""
        budget = [c for c in self.table.by_concept(BUDGET_CONCEPT) if c.kind == "number"]
        actual = [c for c in self.table.by_concept(ACTUAL_CONCEPT) if c.kind == "number"]
        if len(budget) != 1 or len(actual) != 1 or budget[0].scale != actual[0].scale:
            raise Undecided
        zh = chinese(token.text)
        if token.payload == "over":
            return Measure(column=actual[0], minus=budget[0], name="超支" if zh else "overspend")
        return Measure(column=budget[0], minus=actual[0], name="节余" if zh else "underspend")

    def use_columns(self, measure: Measure) -> None:
        """Mark the words for the two columns of a computed figure as placed."""
        parts = {measure.column.name, measure.minus.name if measure.minus else ""}
        for at, token in enumerate(self.tokens):
            if token.kind == "col" and at not in self.used and {c.name for c in token.columns} & parts:
                self.used.add(at)

    # -- comparisons ---------------------------------------------------------------

    def _ranges(self) -> None:
        for at, token in enumerate(self.tokens):
            if token.kind != "num" or at in self.used or at + 2 >= len(self.tokens):
                continue
            joined = self.tokens[at + 1].kind in {"to", "and"} and self.tokens[at + 2].kind == "num"
            before = at > 0 and self.tokens[at - 1].kind == "between"
            after = at + 3 < len(self.tokens) and self.tokens[at + 3].kind == "after_between"
            if not joined or not (before or after):
                continue
            last = at + 2 + (1 if after else 0)
            first = at - 1 if before else at
            column = self._compared(first, last)
            low, high = (self._amount(self.tokens[index], column) for index in (at, at + 2))
            self._filters.append(Filter(column=column, op="between", values=(low, high)))
            self.used.update(range(first, last + 1))

    def _comparisons(self) -> None:
        for at, token in enumerate(self.tokens):
            if at in self.used:
                continue
            if token.kind == "cmp":
                self._comparison(at, token)
            elif token.kind == "aftercmp":
                number = self.tokens[at - 1] if at else None
                if number is None or number.kind != "num" or at - 1 in self.used:
                    raise Undecided
                column = self._compared(at - 1, at)
                self._filters.append(
                    Filter(column=column, op=token.payload, values=(self._amount(number, column),))
                )
                self.used.update((at - 1, at))
        if any(token.kind == "num" and at not in self.used for at, token in enumerate(self.tokens)):
            raise Undecided

    def _comparison(self, at: int, token: Token) -> None:
        right = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        if right is None or at + 1 in self.used:
            raise Undecided
        if right.kind == "num":
            self.used.update((at, at + 1))
            before = self.tokens[at - 1] if at else None
            if before is not None and before.kind == "diff" and before.payload != "gap":
                measure = self.overspend(before)
                value = self._amount(right, measure.column)
                self._filters.append(Filter(column=None, measure=measure, op=token.payload, values=(value,)))
                return
            column = self._compared(at, at + 1)
            self._filters.append(
                Filter(column=column, op=token.payload, values=(self._amount(right, column),))
            )
            return
        left = self.tokens[at - 1] if at else None
        if right.kind == "col" and left is not None and left.kind == "col" and at - 1 not in self.used:
            one, other = self.resolve(left, dimension=False), self.resolve(right, dimension=False)
            if not is_measure(one) or not is_measure(other) or one.scale != other.scale or one is other:
                raise Undecided
            self._filters.append(Filter(column=one, op=token.payload, other=other))
            self.used.update((at - 1, at, at + 1))
            return
        raise Undecided

    def _compared(self, first: int, last: int) -> Column:
        """Return the figure that is compared: named before, or after, or the only one of the table."""
        for index in (first - 1, last + 1):
            if 0 <= index < len(self.tokens) and index not in self.used and self.tokens[index].kind == "col":
                column = self._figure_or_none(self.tokens[index])
                if column is not None:
                    if not self._wanted_elsewhere(index):
                        self.used.add(index)
                    return column
        figures = [column for column in self.table.columns if is_measure(column)]
        named = any(token.kind == "col" and self._figure_or_none(token) for token in self.tokens)
        if len(figures) == 1 and not named:
            return figures[0]
        raise Undecided

    def _wanted_elsewhere(self, index: int) -> bool:
        """Return whether a superlative or an aggregate stands right beside the figure and claims it too."""
        beside = {"agg"}
        return index > 0 and self.tokens[index - 1].kind in beside

    def _figure_or_none(self, token: Token) -> Column | None:
        try:
            column = self.resolve(token, dimension=False)
        except Undecided:
            return None
        return column if is_measure(column) else None

    @staticmethod
    def _amount(token: Token, column: Column) -> Decimal:
        """Return a number in the column's own unit."""
        number = token.number if token.number is not None else Decimal(0)
        money = token.payload in {
            "元",
            "块",
            "块钱",
            "人民币",
            "元人民币",
            "yuan",
            "rmb",
            "dollars",
            "dollar",
            "usd",
        }
        return number / column.scale if token.scaled or money else number

    # -- values --------------------------------------------------------------------

    def _values(self) -> None:
        chosen: dict[tuple[str, str], tuple[Column, list[str | Decimal]]] = {}
        for at, token in enumerate(self.tokens):
            if token.kind != "val" or at in self.used:
                continue
            column = self._holder(at, token)
            self.used.add(at)
            negated = at > 0 and self.tokens[at - 1].kind == "not"
            if negated:
                self.used.add(at - 1)
            self._use_qualifier(at - 2 if negated else at - 1, column)
            self._use_qualifier(at + 1, column)
            key = (column.name, "not in" if negated else "in")
            spelled = column.values.get(token.text, token.payload)
            chosen.setdefault(key, (column, []))[1].append(spelled)
        names = [name for name, _ in chosen]
        if len(set(names)) != len(names):
            raise Undecided
        for (_, op), (column, values) in chosen.items():
            self._filters.append(Filter(column=column, op=op, values=tuple(dict.fromkeys(values))))

    def _holder(self, at: int, token: Token) -> Column:
        if len(token.columns) == 1:
            return token.columns[0]
        for index in (at - 1, at + 1, at - 2):
            if 0 <= index < len(self.tokens) and self.tokens[index].kind == "col":
                named = [column for column in token.columns if column in self.tokens[index].columns]
                if len(named) == 1:
                    return named[0]
        raise Undecided

    def _use_qualifier(self, index: int, column: Column) -> None:
        """Mark the header beside its value (部门为研发部, department Sales) as placed."""
        if not 0 <= index < len(self.tokens) or index in self.used:
            return
        token = self.tokens[index]
        claimed = index > 0 and self.tokens[index - 1].kind in {"which", "each", "howmany"}
        if token.kind == "col" and column in token.columns and not claimed:
            self.used.add(index)

    # -- periods -------------------------------------------------------------------

    def _periods(self) -> None:
        wanted: list[Period] = []
        for at, token in enumerate(self.tokens):
            if token.kind == "time" and token.period is not None and at not in self.used:
                wanted.append(token.period)
                self.used.add(at)
        if not wanted:
            return
        wide = {column.year for column in self.table.columns if column.year is not None}
        if all(period.months is None and period.year in wide for period in wanted):
            self.years = {period.year for period in wanted if period.year is not None}
            growing = any(token.kind == "growth" for token in self.tokens)
            for at, token in enumerate(self.tokens):
                if growing and token.kind in {"between", "to"} and self._beside_time(at):
                    self.used.add(at)
            return
        stated = [p for p in wanted if p.months is None and p.year in self.table.years]
        rest = [p for p in wanted if p not in stated]
        filters = self._period_filters(wanted)
        if filters is None and not rest:
            filters = ()
        if filters is None:
            raise Undecided
        self.time_filters = filters

    def _beside_time(self, at: int) -> bool:
        return at + 1 < len(self.tokens) and self.tokens[at + 1].kind == "time"

    def _period_filters(self, wanted: list[Period]) -> tuple[Filter, ...] | None:
        found = in_columns(self.table, wanted)
        undated = len(dated_columns(self.table)) != 1
        if found is None and undated and all(period.year is not None for period in wanted):
            return self._by_dates(wanted)
        return found

    def _by_dates(self, wanted: list[Period]) -> tuple[Filter, ...] | None:
        dates = [column for column in self.table.columns if column.kind == "date"]
        named = [
            at
            for at, token in enumerate(self.tokens)
            if token.kind == "col" and set(token.columns) & set(dates)
        ]
        if len(dates) > 1 and len(named) == 1:
            dates = [column for column in dates if column in self.tokens[named[0]].columns]
        span = wanted[0].dates()
        if len(dates) != 1 or len(wanted) != 1 or span is None:
            return None
        self.used.update(at for at in named if dates[0] in self.tokens[at].columns)
        return (Filter(column=dates[0], op="dates", values=(span[0].isoformat(), span[1].isoformat())),)

    # -- connectives -----------------------------------------------------------------

    def _connectives(self) -> None:
        """`or` only between values of one column; `to` and `between` only in ranges; `not` only before values."""
        for at, token in enumerate(self.tokens):
            if at in self.used:
                continue
            if token.kind == "or":
                sides = [self.tokens[i].kind for i in (at - 1, at + 1) if 0 <= i < len(self.tokens)]
                same = (
                    len({item.column.name for item in self._filters if item.op == "in" and item.column}) == 1
                )
                if sides not in (["val", "val"], ["time", "time"]) or (sides[0] == "val" and not same):
                    raise Undecided
                self.used.add(at)
            elif token.kind in {"not", "to", "between", "after_between", "cmp", "aftercmp"}:
                raise Undecided
