"""From the tokens of a question to what it asks, or to a refusal.

Pure. Every token must find its place: a condition, a figure, a dimension, an
order. What stays unplaced, and what could be placed in two ways, makes the
whole question undecided: `interpret` then returns None. Where two readings are
both natural, both are returned, and only a result on which they agree counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from kaoju.tools.sql.conditions import CALENDAR, Undecided
from kaoju.tools.sql.lexicon import PERSON_CONCEPTS, QUANTITIES
from kaoju.tools.sql.placing import Placing
from kaoju.tools.sql.reading import Aggregate, Direction, Filter, Measure, Reading
from kaoju.tools.sql.scan import Token
from kaoju.tools.sql.view import Column, View

_SEPARATORS: Final = frozenset(",;/\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a question asks of a table."""

    reading: Reading
    others: tuple[Reading, ...] = ()
    """Readings that must name the same things for the answer to count."""
    whole: bool = False
    """True where they have to return the same rows, not only the same first column."""


def interpret(tokens: tuple[Token, ...], table: View) -> Meaning | None:
    """Return what the question asks of the table, or None where that is not certain."""
    if any(token.kind in {"left", "percent", "block"} for token in tokens):
        return None
    try:
        meaning = _Interpreter(tokens, table).meaning()
    except Undecided:
        return None
    return meaning and _without_totals(meaning, table)


def _without_totals(meaning: Meaning, table: View) -> Meaning:
    """Keep rows that are themselves totals out of whatever adds up, counts or ranks."""
    readings = [_excluding(reading, table) for reading in (meaning.reading, *meaning.others)]
    return replace(meaning, reading=readings[0], others=tuple(readings[1:]))


def _excluding(reading: Reading, table: View) -> Reading:
    named = [item.column for item in reading.filters if item.op == "in"]
    extra = tuple(
        Filter(column=column, op="except", values=column.totals)
        for column in table.columns
        if column.totals and column not in named
    )
    works = reading.aggregate is not None or reading.order is not None or reading.share_of
    return replace(reading, filters=(*reading.filters, *extra)) if works else reading


class _Interpreter(Placing):
    """Readings over placed tokens."""

    def meaning(self) -> Meaning | None:
        self.place()
        if not self.concerns_table():
            return None
        if self.has("share"):
            return self._share()
        if self.over is not None:
            return self._over(self.over)
        if self._ranked():
            return self._ranking()
        if self._counts():
            return self._count()
        return self._summary_or_rows()

    def _ranked(self) -> bool:
        return self.has("super", "top", "order", "more")

    def _counts(self) -> bool:
        return self.has("howmany")

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
        if len(self.measures) > 1 or self.group or self.has("agg"):
            return None
        limited = any(item.measure == measure for item in self.where.filters)
        positive = Filter(column=None, measure=measure, op=">", values=(Decimal(0),))
        filters = self.where.filters if limited else (*self.where.filters, positive)
        if self._ranked():
            if self.target not in {None, self.table.label}:
                return None
            order, limit = self.order(token)
            return Meaning(
                reading=Reading(
                    columns=(*self.identity(), *self.dimensions),
                    measures=(measure,),
                    filters=filters,
                    order=order,
                    limit=limit,
                )
            )
        if self.has("howmany"):
            return Meaning(reading=Reading(aggregate="count", filters=filters)) if self.entity else None
        if self.where.names_row():
            filters = self.where.filters
        elif not (self.has("list", "which") or self.target is not None):
            return None
        return Meaning(
            reading=Reading(
                columns=(*self.identity(), *self.dimensions), measures=(measure,), filters=filters
            )
        )

    def _ranking(self) -> Meaning | None:
        order, limit = self.order()
        aggregate = self.aggregate()
        dated = any(token.kind == "super" and token.payload.startswith("date") for token in self.tokens)
        if dated:
            return self._by_date(order, limit)
        target = self.dimension()
        by_rows = target is None or target is self.table.label or target.unique
        if self.has("howmany") or not self.measures:
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
            if limit is None and not self.has("order"):
                return None
            shown = (*((target,) if target is not None else ()), *self.identity(), *others)
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

    def _by_date(self, order: Direction, limit: int | None) -> Meaning | None:
        dates = [column for column in self.dimensions if column.kind == "date"] or [
            column for column in self.table.columns if column.kind == "date"
        ]
        if len(dates) != 1 or self.measures or self.group or self.target not in {None, self.table.label}:
            return None
        others = tuple(column for column in self.dimensions if column is not dates[0])
        return Meaning(
            reading=Reading(
                columns=(*self.identity(), *others),
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
        if self.measures or counted or not self.entity or self.aggregate() not in {None, "sum"}:
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
        if self.aggregate() not in {None, "sum"}:
            return None
        if self.measures:
            return self._amount()
        named = [*self.dimensions, *((self.target,) if self.target else ())]
        if len(named) > 1 or (named and self.entity and named[0] is not self.table.label):
            return None
        if not named and not self.entity and not (word is not None and self._counts_people(word)):
            return None
        counted = named[0] if named else self.table.label if self.entity_is_label else None
        if self.table.label in self.group or any(
            item.column is counted for item in self.where.filters if counted
        ):
            return None
        group = tuple(column for column in self.group if column is not counted)
        rows = Reading(aggregate="count", group=group, filters=self.where.filters)
        if counted is None:
            return Meaning(reading=rows)
        labels = counted is self.table.label
        if labels and self._proven(counted):
            return Meaning(reading=rows)
        if not labels and self._holds_lists(counted):
            return None
        different = replace(rows, distinct=counted)
        if self._names_rows(counted):  # things or rows: both are usual, so they have to be equally many
            return Meaning(reading=different, others=(rows,), whole=True)
        return Meaning(reading=different)

    def _holds_lists(self, column: Column) -> bool:
        """Return whether a cell may name several things: one row is asked about, or cells hold separators."""
        return self.where.names_row() or any(_SEPARATORS & set(value) for value in column.values)

    def _proven(self, column: Column) -> bool:
        """Return whether the samples prove that no two rows share a value."""
        return column.complete and len(column.values) == self.table.table.row_count

    def _names_rows(self, column: Column) -> bool:
        """Return whether most values stand in one row only, as far as the samples show."""
        return not column.complete or len(column.values) * 4 > self.table.table.row_count * 3

    def _amount(self) -> Meaning | None:
        """How many days, how many units: a figure that is added up, not rows that are counted."""
        asked = [at for at, token in enumerate(self.tokens) if token.kind == "howmany"]
        follows = self.tokens[asked[0] + 1] if asked and asked[0] + 1 < len(self.tokens) else None
        if len(self.measures) != 1 or self.dimensions or self.target:
            return None
        column = self.measures[0].column
        if follows is None or follows.kind != "col" or column not in follows.columns:
            return None
        if self.measure_words & self.table.nouns:
            return Meaning(
                reading=Reading(aggregate="count", group=tuple(self.group), filters=self.where.filters)
            )
        if column.concept not in QUANTITIES:
            return self._rows() if self.where.names_row() and not self.group else None
        if self.table.label in self.group:
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
        aggregate = self.aggregate()
        repeated = [column for column in self.group if not column.unique and column is not self.table.label]
        if aggregate is not None or repeated:
            return self._summary(aggregate, repeated)
        if self.where.names_row() and (self.measures or self.dimensions or self.target):
            return self._rows()
        if self.group and self.measures:
            return self._rows()
        asked = self.has("list", "whatvalue") or self.target is not None
        asked = asked or (self.entity and bool(self.where.filters))
        if asked and self.where.filters and (self.measures or self.dimensions or self.target or self.entity):
            return self._rows()
        if self.has("list") and self.entity:
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
        shown = (*self.identity(), *((self.target,) if self.target else ()), *self.dimensions)
        if self.where.names_row() or self.measures or self.dimensions:
            return Meaning(
                reading=Reading(columns=shown, measures=tuple(self.measures), filters=self.where.filters)
            )
        return Meaning(reading=Reading(columns=shown, filters=self.where.filters))
