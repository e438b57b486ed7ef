"""Numbers that a claim computes: re-done from values that the evidence bears.

Promises: a computed number counts only when the claim itself names its inputs,
or says which operation over a listed column gave it, and the arithmetic is
right to the digits shown. Refuses: searching all pairs of all numbers for one
that happens to fit.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from kaoju.answering.facts import Facts, has_number, rounds_to
from kaoju.language.numbers import Quantity
from kaoju.model.evidence import Evidence

MAX_INPUTS: Final = 12
"""Stated inputs of one claim that are combined; no sentence names more."""

_TOTAL: Final = re.compile(
    r"合计|总计|总共|总和|总额|共计|一共|之和|\b(?:total|sum|combined|altogether|in all)\b"
)
_MEAN: Final = re.compile(r"平均|均值|\b(?:average|mean)\b")
_COUNT: Final = re.compile(r"共有?|总数|数量|\b(?:count|number of|there (?:are|were)|in total)\b")


def computed_numbers(claim: Facts, evidence: Facts, pieces: Sequence[Evidence]) -> tuple[Quantity, ...]:
    """Return the claim's numbers that are not stated in the evidence but rightly computed from it."""
    stated = [quantity for quantity in claim.numbers if has_number(quantity, evidence)]
    open_ones = [quantity for quantity in claim.numbers if quantity not in stated]
    if not open_ones:
        return ()
    columns = list(_columns(pieces))
    lengths = {len(piece.rows) for piece in pieces if piece.rows}
    return tuple(
        quantity
        for quantity in open_ones
        if _from_stated(quantity, stated) or _from_columns(quantity, claim.text, columns, lengths)
    )


def _from_stated(quantity: Quantity, stated: Sequence[Quantity]) -> bool:
    percent = quantity.kind == "percent"
    inputs = list(dict.fromkeys(item.value for item in stated if item.kind != "ordinal"))[:MAX_INPUTS]
    results: Iterable[Decimal] = _pair_results(inputs, percent=percent)
    if percent:
        rates = [item.value for item in stated if item.kind == "percent"]
        results = itertools.chain(results, (one - other for one, other in itertools.permutations(rates, 2)))
    if len(inputs) > 2 and not percent:
        total = sum(inputs, Decimal(0))
        results = itertools.chain(results, (total, total / len(inputs)))
    return any(_equals(result, quantity) for result in results)


def _pair_results(inputs: Sequence[Decimal], *, percent: bool) -> Iterator[Decimal]:
    for one, other in itertools.permutations(inputs, 2):
        if percent:
            if other:
                yield from (one / other * 100, (one - other) / abs(other) * 100)
            continue
        yield from (one - other, one + other, (one + other) / 2)
        if other:
            yield one / other


def _equals(result: Decimal, quantity: Quantity) -> bool:
    if quantity.value == result or quantity.value == abs(result):
        return True
    return rounds_to(result, quantity) or rounds_to(abs(result), quantity)


def _columns(pieces: Sequence[Evidence]) -> Iterator[list[Decimal]]:
    for piece in pieces:
        for column in dict.fromkeys(name for row in piece.rows for name in row):
            values = [row.get(column) for row in piece.rows]
            numbers = [
                Decimal(str(value))
                for value in values
                if isinstance(value, int | float) and not isinstance(value, bool)
            ]
            if len(numbers) > 1:
                yield numbers


def _from_columns(
    quantity: Quantity, claim: str, columns: Sequence[Sequence[Decimal]], lengths: set[int]
) -> bool:
    if _TOTAL.search(claim) and any(_equals(sum(column, Decimal(0)), quantity) for column in columns):
        return True
    if _MEAN.search(claim) and any(
        _equals(sum(column, Decimal(0)) / len(column), quantity) for column in columns
    ):
        return True
    return bool(_COUNT.search(claim)) and any(quantity.value == length for length in lengths)
