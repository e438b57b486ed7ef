"""Every token of a question in its place: conditions, figures, dimensions, groups. Pure.

What has no place, or two, raises `Undecided`: the question is then not answered
from this table.
"""

from __future__ import annotations

from typing import Final

from kaoju.tools.base import chinese
from kaoju.tools.sql.conditions import Conditions, Undecided, is_dimension, is_measure
from kaoju.tools.sql.lexicon import PERSON_CONCEPTS
from kaoju.tools.sql.reading import Aggregate, Direction, Measure
from kaoju.tools.sql.scan import Token, summary_words
from kaoju.tools.sql.view import Column, View

MAX_IDENTITY: Final = 4
_AGGREGATES: Final[dict[str, Aggregate]] = {"sum": "sum", "avg": "avg", "median": "median"}


class Placing:
    """The tokens of one question over one table, and the places that they found."""

    def __init__(self, tokens: tuple[Token, ...], table: View) -> None:
        """Nothing is placed yet."""
        self.table = table
        self.zh = any(chinese(token.text) for token in tokens)
        self.where = Conditions([token for token in tokens if token.kind != "filler"], table)
        self.tokens = self.where.tokens
        self.measures: list[Measure] = []
        self.dimensions: list[Column] = []
        self.target: Column | None = None
        self.group: list[Column] = []
        self.entity = False
        self.entity_is_label = False
        """Whether the word for a row is the header of the column that names rows."""
        self.measure_words: set[str] = set()
        """The words that named figures."""
        self.over: Token | None = None
        """The token that asks for more or less than budgeted."""

    def place(self) -> None:
        """Give every token its place.

        Raises:
            Undecided: one of them has none, or two.
        """
        self.where.read()
        self._grouping()
        self._target()
        self.over = self._difference()
        self._columns()
        self._growth()

    def has(self, *kinds: str) -> bool:
        """Return whether any token is of these kinds."""
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
        self.entity_is_label = any(
            token.kind == "entity"
            and self.table.label in {column for column, _ in self.table.spellings.get(token.text, ())}
            for token in self.tokens
        )
        for at in self._free("entity"):
            self.entity = True
            self.where.used.add(at)
        numeric = self.has("super", "top", "agg", "order", "share", "more")
        for at in self._free("col"):
            token = self.tokens[at]
            if {token.text, token.text.removesuffix("s")} & summary_words():
                raise Undecided  # a header that is itself called total or average
            if self.has("growth") and self._both_years(token):
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

    def concerns_table(self) -> bool:
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

    def aggregate(self) -> Aggregate | None:
        """Return the one aggregate that the question asks for."""
        found = {token.payload for token in self.tokens if token.kind == "agg"}
        if len(found) > 1:
            raise Undecided
        return _AGGREGATES[found.pop()] if found else None

    def identity(self) -> tuple[Column, ...]:
        """Return the columns that say which row is meant."""
        if self.table.label is not None:
            return (self.table.label,)
        return tuple(column for column in self.table.columns if is_dimension(column))[:MAX_IDENTITY]

    def order(self, over: Token | None = None) -> tuple[Direction, int | None]:
        """Return direction and limit that the question asks for."""
        directions: set[Direction] = set()
        limit: int | None = None
        for token in self.tokens:
            if token.kind == "top":
                limit = int(token.number or 0)
                if token.payload == "asc" or not self.has("super"):
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
        if over is None and limit is None and not self.has("order", "direction"):
            raise Undecided
        return (directions.pop() if directions else "desc"), limit

    def dimension(self) -> Column | None:
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
