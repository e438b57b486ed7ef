"""From the tokens of a question to what it asks, or to a refusal.

Pure. Every token must find its place: a condition, a figure, a dimension, an
order. What stays unplaced, and what could be placed in two ways, makes the
whole question undecided: `interpret` then returns None. Where two readings are
both natural, both are returned, and only a result on which they agree counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaoju.tools.base import chinese
from kaoju.tools.sql.conditions import CALENDAR, Conditions, Undecided, is_dimension, is_measure
from kaoju.tools.sql.lexicon import PERSON_CONCEPTS
from kaoju.tools.sql.reading import Aggregate, Direction, Filter, Measure, Reading
from kaoju.tools.sql.scan import Token
from kaoju.tools.sql.view import Column, View

MAX_IDENTITY: Final = 4
_AGGREGATES: Final[dict[str, Aggregate]] = {"sum": "sum", "avg": "avg", "median": "median"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a question asks of a table."""

    reading: Reading
    others: tuple[Reading, ...] = ()
    """Readings that must name the same things for the answer to count."""


def interpret(tokens: tuple[Token, ...], table: View) -> Meaning | None:
    """Return what the question asks of the table, or None where that is not certain."""
    if any(token.kind in {"left", "percent", "block"} for token in tokens):
        return None
    try:
        return _Interpreter(tokens, table).meaning()
    except Undecided:
        return None


class _Interpreter:
    def __init__(self, tokens: tuple[Token, ...], table: View) -> None:
        self.table = table
        self.zh = any(chinese(token.text) for token in tokens)
        self.where = Conditions([token for token in tokens if token.kind != "filler"], table)
        self.tokens = self.where.tokens
        self.measures: list[Measure] = []
        self.dimensions: list[Column] = []
        self.target: Column | None = None
        self.group: list[Column] = []
        self.entity = False
        self.measure_words: set[str] = set()

    def meaning(self) -> Meaning | None:
        self.where.read()
        self._grouping()
        self._target()
        over = self._difference()
        self._columns()
        self._growth()
        if not self._concerns_table():
            return None
        if self._has("share"):
            return self._share()
        if over is not None:
            return self._over(over)
        if self._ranked():
            return self._ranking()
        if self._counts():
            return self._count()
        return self._summary_or_rows()

    # -- taking the tokens apart -------------------------------------------------

    def _has(self, *kinds: str) -> bool:
        return any(token.kind in kinds for token in self.tokens)

    def _free(self, kind: str) -> list[int]:
        return [
            at for at, token in enumerate(self.tokens) if token.kind == kind and at not in self.where.used
        ]

    def _grouping(self) -> None:
        for at in self._free("each"):
            after = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
            if after is None or at + 1 in self.where.used:
                raise Undecided
            if after.kind == "entity":
                if self.table.label is not None:
                    self.group.append(self.table.label)
                self.entity = True
                self.where.used.add(at + 1)
            elif after.kind == "col":
                column = self.where.resolve(after, dimension=None)
                if is_dimension(column):
                    self.group.append(column)
                    self.where.used.add(at + 1)
            else:
                raise Undecided
            self.where.used.add(at)

    def _target(self) -> None:
        for at in self._free("which"):
            self.where.used.add(at)
            if self.tokens[at].payload == "who":
                self._person()
                continue
            after = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
            if after is None or at + 1 in self.where.used:
                continue
            if after.kind == "entity":
                self.where.used.add(at + 1)
                self._aim(self.table.label)
                self.entity = True
            elif after.kind == "col":
                column = self.where.resolve(after, dimension=None)
                if is_dimension(column):
                    self.where.used.add(at + 1)
                    self._aim(column)

    def _aim(self, column: Column | None) -> None:
        if self.target is not None and column is not None and column is not self.target:
            raise Undecided
        self.target = column or self.target

    def _person(self) -> None:
        people = [column for column in self.table.columns if column.concept in PERSON_CONCEPTS]
        named = [
            column
            for at in self._free("col")
            for column in self.tokens[at].columns
            if column.concept in PERSON_CONCEPTS
        ]
        if named:
            return
        if len(people) != 1:
            raise Undecided
        self._aim(people[0])

    def _difference(self) -> Token | None:
        """Return the token that asks for a difference, with its figure made the first measure."""
        found = self._free("diff")
        if not found:
            return None
        if len(found) > 1:
            raise Undecided
        token = self.tokens[found[0]]
        self.where.used.add(found[0])
        if token.payload == "gap":
            columns = [self.where.resolve(self.tokens[at], dimension=False) for at in self._free("col")]
            columns = [column for column in columns if is_measure(column)]
            if len(columns) != 2:
                raise Undecided
            name = f"{columns[0].name} - {columns[1].name}"
            self.measures.append(Measure(column=columns[0], minus=columns[1], name=name))
        else:
            self.measures.append(self.where.overspend(token))
        self.where.use_columns(self.measures[0])
        return token if token.payload != "gap" else None

    def _columns(self) -> None:
        for at in self._free("entity"):
            self.entity = True
            self.where.used.add(at)
        numeric = self._has("super", "top", "agg", "order", "share", "more")
        for at in self._free("col"):
            token = self.tokens[at]
            if self._has("growth") and self._both_years(token):
                self.where.used.add(at)
                continue
            column = self.where.resolve(
                token, dimension=False if numeric and not self._all_dimensions(token) else None
            )
            self.where.used.add(at)
            if is_dimension(column) or (column.kind == "number" and not is_measure(column)):
                if column is not self.target and column not in self.group:
                    self.dimensions.append(column)
            else:
                self.measure_words.add(token.text)
                if column not in [measure.column for measure in self.measures]:
                    self.measures.append(Measure(column=column))

    def _both_years(self, token: Token) -> bool:
        """Take the two columns of the two years that the question names; False where that is not what it does."""
        columns = [
            column for column in token.columns if column.year in self.where.years and is_measure(column)
        ]
        if len(columns) != 2:
            return False
        self.measures.extend(Measure(column=column) for column in columns)
        return True

    @staticmethod
    def _all_dimensions(token: Token) -> bool:
        return all(is_dimension(column) for column in token.columns)

    def _growth(self) -> None:
        found = self._free("growth")
        if not found:
            return
        columns = sorted(
            (m.column for m in self.measures if m.column.year is not None),
            key=lambda column: column.year or 0,
        )
        if (
            len(found) > 1
            or len(columns) != 2
            or len(self.measures) != 2
            or columns[0].year == columns[1].year
        ):
            raise Undecided
        self.where.used.add(found[0])
        rate = self.tokens[found[0]].payload == "rate"
        name = ("增长率" if rate else "增长额") if self.zh else ("growth rate" if rate else "growth")
        self.measures = [Measure(column=columns[1], minus=columns[0], rate=rate, name=name)]

    def _concerns_table(self) -> bool:
        """Return whether the question names something of this table, and every token has its place."""
        told = {
            "list",
            "whatvalue",
            "howmany",
            "super",
            "top",
            "agg",
            "order",
            "direction",
            "share",
            "and",
            "more",
        }
        if any(at not in self.where.used and token.kind not in told for at, token in enumerate(self.tokens)):
            return False
        return bool(
            self.measures or self.dimensions or self.target or self.group or self.where.filters or self.entity
        )

    # -- readings ----------------------------------------------------------------

    def _ranked(self) -> bool:
        return self._has("super", "top", "order", "more")

    def _counts(self) -> bool:
        return self._has("howmany")

    def _aggregate(self) -> Aggregate | None:
        found = {token.payload for token in self.tokens if token.kind == "agg"}
        if len(found) > 1:
            raise Undecided
        return _AGGREGATES[found.pop()] if found else None

    def _identity(self) -> tuple[Column, ...]:
        """Return the columns that say which row is meant."""
        if self.table.label is not None:
            return (self.table.label,)
        return tuple(column for column in self.table.columns if is_dimension(column))[:MAX_IDENTITY]

    def _share(self) -> Meaning | None:
        part = tuple(
            item for item in self.where.filters if item.op == "in" and item not in self.where.time_filters
        )
        if (
            len(self.measures) != 1
            or not part
            or len(self.where.filters) != len(part) + len(self.where.time_filters)
        ):
            return None
        if (
            self.group
            or self.target
            or self.dimensions
            or self._ranked()
            or not self.measures[0].column.additive
        ):
            return None
        return Meaning(
            reading=Reading(
                measures=tuple(self.measures), share_of=part, filters=tuple(self.where.time_filters)
            )
        )

    def _over(self, token: Token) -> Meaning | None:
        """Over or under budget: ranked, counted, listed, or looked up."""
        measure = self.measures[0]
        if len(self.measures) > 1 or self.group or self._has("agg"):
            return None
        limited = any(item.measure == measure for item in self.where.filters)
        positive = Filter(column=None, measure=measure, op=">", values=(Decimal(0),))
        filters = self.where.filters if limited else (*self.where.filters, positive)
        if self._ranked():
            if self.target not in {None, self.table.label}:
                return None
            order, limit = self._order(token)
            return Meaning(
                reading=Reading(
                    columns=(*self._identity(), *self.dimensions),
                    measures=(measure,),
                    filters=filters,
                    order=order,
                    limit=limit,
                )
            )
        if self._has("howmany"):
            return Meaning(reading=Reading(aggregate="count", filters=filters)) if self.entity else None
        if self.where.names_row():
            filters = self.where.filters
        elif not (self._has("list", "which") or self.target is not None):
            return None
        return Meaning(
            reading=Reading(
                columns=(*self._identity(), *self.dimensions), measures=(measure,), filters=filters
            )
        )

    def _order(self, over: Token | None = None) -> tuple[Direction, int | None]:
        """Return direction and limit that the question asks for."""
        directions: set[Direction] = set()
        limit: int | None = None
        for token in self.tokens:
            if token.kind == "top":
                limit = int(token.number or 0)
                if token.payload == "asc" or not self._has("super"):
                    directions.add("asc" if token.payload == "asc" else "desc")
            elif token.kind == "super":
                directions.add("asc" if token.payload.endswith("asc") else "desc")
                limit = limit or 1
            elif token.kind == "more":
                if not any(item.op == "in" and len(item.values) > 1 for item in self.where.filters):
                    raise Undecided
                directions.add("asc" if token.payload == "asc" else "desc")
                limit = limit or 1
            elif token.kind == "direction":
                directions.add("asc" if token.payload == "asc" else "desc")
        if len(directions) > 1 or sum(token.kind == "super" for token in self.tokens) > 1:
            raise Undecided
        if over is None and limit is None and not self._has("order", "direction"):
            raise Undecided
        return (directions.pop() if directions else "desc"), limit

    def _ranking(self) -> Meaning | None:
        order, limit = self._order()
        aggregate = self._aggregate()
        dated = any(token.kind == "super" and token.payload.startswith("date") for token in self.tokens)
        if dated:
            return self._by_date(order, limit)
        target = self._dimension()
        by_rows = target is None or target is self.table.label or target.unique
        if self._has("howmany") or not self.measures:
            return self._count_ranking(target, order, limit)
        if len(self.measures) > 1:
            return None
        measure = self.measures[0]
        others = [column for column in self.dimensions if column is not target]
        if aggregate is not None:
            if target is None or others:
                return None
            return Meaning(reading=self._grouped(target, measure, aggregate, order, limit))
        if by_rows:
            if limit is None and not self._has("order"):
                return None
            shown = (*((target,) if target is not None else ()), *self._identity(), *others)
            return Meaning(
                reading=Reading(
                    columns=shown, measures=(measure,), filters=self.where.filters, order=order, limit=limit
                )
            )
        return self._both_ways(target, measure, order, limit) if target is not None and not others else None

    def _both_ways(
        self, target: Column, measure: Measure, order: Direction, limit: int | None
    ) -> Meaning | None:
        """Rank a repeated value by its total, if single rows (and counts) lead to the same ones."""
        if not measure.column.additive:
            return None
        others = [
            Reading(
                columns=(target,), measures=(measure,), filters=self.where.filters, order=order, limit=limit
            )
        ]
        if self.measure_words & self.table.nouns:
            others.append(
                Reading(
                    aggregate="count", group=(target,), filters=self.where.filters, order=order, limit=limit
                )
            )
        return Meaning(reading=self._grouped(target, measure, "sum", order, limit), others=tuple(others))

    def _grouped(
        self, target: Column, measure: Measure, aggregate: Aggregate, order: Direction, limit: int | None
    ) -> Reading:
        return Reading(
            measures=(measure,),
            aggregate=aggregate,
            group=(target,),
            filters=self.where.filters,
            order=order,
            limit=limit,
        )

    def _dimension(self) -> Column | None:
        """Return the one dimension that is ranked: which X, each X, or the only X that is named."""
        found = list(
            dict.fromkeys(column.name for column in (self.target, *self.group) if column is not None)
        )
        if len(found) > 1:
            raise Undecided
        if found:
            return self.target or self.group[0]
        if len(self.dimensions) == 1 and is_dimension(self.dimensions[0]) and not self.entity:
            return self.dimensions[0]
        return self.table.label if self.entity or not self.dimensions else None

    def _by_date(self, order: Direction, limit: int | None) -> Meaning | None:
        dates = [column for column in self.dimensions if column.kind == "date"] or [
            column for column in self.table.columns if column.kind == "date"
        ]
        if len(dates) != 1 or self.measures or self.group or self.target not in {None, self.table.label}:
            return None
        others = tuple(column for column in self.dimensions if column is not dates[0])
        return Meaning(
            reading=Reading(
                columns=(*self._identity(), *others),
                measures=(Measure(column=dates[0]),),
                filters=self.where.filters,
                order=order,
                limit=limit,
            )
        )

    def _count_ranking(self, target: Column | None, order: Direction, limit: int | None) -> Meaning | None:
        """Which department has the most projects: needs the thing that is counted to be named."""
        counted = [column for column in self.dimensions if column is not target]
        label = self.table.label
        if len(counted) == 1 and (counted[0] is label or (self.target is None and target is counted[0])):
            counted = []
            self.entity = True
        if self.measures or counted or not self.entity or self._aggregate() not in {None, "sum"}:
            return None
        if target is None or target is label or target.unique:
            if self.target is not None or len(self.dimensions) != 1:
                return None
            target = self.dimensions[0]
        if target is label or target.unique:
            return None
        return Meaning(
            reading=Reading(
                aggregate="count", group=(target,), filters=self.where.filters, order=order, limit=limit
            )
        )

    def _count(self) -> Meaning | None:
        word = next((token for token in self.tokens if token.kind == "howmany"), None)
        if self._aggregate() not in {None, "sum"}:
            return None
        if self.measures:
            return self._amount(word)
        distinct: Column | None = None
        named = [*self.dimensions, *((self.target,) if self.target else ())]
        if len(named) > 1:
            return None
        if named and named[0] is not self.table.label:
            distinct = named[0]
        elif not named and not self.entity and not (word is not None and self._counts_people(word)):
            return None
        if distinct is not None and self.entity:
            return None
        group = tuple(column for column in self.group if column is not distinct)
        if self.table.label in group:
            return None
        return Meaning(
            reading=Reading(aggregate="count", distinct=distinct, group=group, filters=self.where.filters)
        )

    def _amount(self, word: Token | None) -> Meaning | None:
        """How many days, how many units: a figure that is added up, not rows that are counted."""
        if len(self.measures) != 1 or self.dimensions or self.target:
            return None
        if word is not None and self.measure_words & self.table.nouns:
            return Meaning(
                reading=Reading(aggregate="count", group=tuple(self.group), filters=self.where.filters)
            )
        if not self.measures[0].column.additive or self.table.label in self.group:
            return None
        return Meaning(
            reading=Reading(
                aggregate="sum",
                measures=tuple(self.measures),
                group=tuple(self.group),
                filters=self.where.filters,
            )
        )

    def _counts_people(self, word: Token) -> bool:
        label = self.table.label
        person = label is not None and label.concept in PERSON_CONCEPTS
        return person and word.text.endswith(("人", "名", "位"))

    def _summary_or_rows(self) -> Meaning | None:
        aggregate = self._aggregate()
        repeated = [column for column in self.group if not column.unique and column is not self.table.label]
        if aggregate is not None or repeated:
            return self._summary(aggregate, repeated)
        if self.where.names_row() and (self.measures or self.dimensions or self.target):
            return self._rows()
        if self.group and self.measures:
            return self._rows()
        asked = self._has("list", "whatvalue") or self.target is not None
        asked = asked or (self.entity and bool(self.where.filters))
        if asked and self.where.filters and (self.measures or self.dimensions or self.target or self.entity):
            return self._rows()
        if self._has("list") and self.entity:
            shows = self.measures or self.dimensions
            return self._rows() if shows else Meaning(reading=Reading(everything=True))
        return None

    def _summary(self, aggregate: Aggregate | None, repeated: list[Column]) -> Meaning | None:
        if not self.measures or self.dimensions or self.target is not None:
            return None
        if aggregate is None:
            if not all(measure.column.additive for measure in self.measures):
                return None
            aggregate = "sum"
        if aggregate == "avg" and any(column.periods or column.concept in CALENDAR for column in self.group):
            return None  # the average of single rows, or of each period's total: both are usual
        if self.group and not repeated:
            return self._rows() if aggregate == "sum" else None
        return Meaning(
            reading=Reading(
                measures=tuple(self.measures),
                aggregate=aggregate,
                group=tuple(self.group),
                filters=self.where.filters,
            )
        )

    def _rows(self) -> Meaning:
        shown = (*self._identity(), *((self.target,) if self.target else ()), *self.dimensions)
        if self.where.names_row() or self.measures or self.dimensions:
            return Meaning(
                reading=Reading(columns=shown, measures=tuple(self.measures), filters=self.where.filters)
            )
        return Meaning(reading=Reading(columns=shown, filters=self.where.filters))
