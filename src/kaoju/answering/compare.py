"""The comparison of two answers that are figures of one kind, computed and worded with both figures named. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from kaoju.answering.explain import say
from kaoju.answering.facts import same_unit
from kaoju.language.asking import read
from kaoju.language.normalise import normalise
from kaoju.language.numbers import Quantity, find_numbers
from kaoju.language.time import find_times
from kaoju.model.answer import DraftClaim
from kaoju.model.plan import Need
from kaoju.model.question import Question

_UNITS_ZH: Final = {"CNY": "元", "USD": "美元", "EUR": "欧元", "GBP": "英镑", "JPY": "日元", "HKD": "港元"}
"""How Chinese readers write currencies."""


def comparison(question: Question, needs: Sequence[Need], claims: Sequence[DraftClaim]) -> DraftClaim | None:
    """Return the claim that compares two needs' figures; None where there are not exactly two comparable ones.

    The figure of a need is the only number in its claims that is neither asked
    nor part of a date.
    """
    if len(needs) != 2:
        return None
    sides = []
    for need in needs:
        mine = [claim for claim in claims if claim.need_id == need.id]
        figures = [(figure, claim) for claim in mine for figure in _figures(claim.text, need, question)]
        if len({figure.value for figure, _ in figures}) != 1:
            return None
        sides.append((need, *figures[0]))
    (one_need, one, one_claim), (other_need, other, other_claim) = sides
    if not same_unit(one, other) or one.kind != other.kind:
        return None
    text = _worded(question, (_label(one_need), one), (_label(other_need), other))
    return DraftClaim(
        text=text, evidence_ids=tuple(dict.fromkeys((*one_claim.evidence_ids, *other_claim.evidence_ids)))
    )


def _figures(text: str, need: Need, question: Question) -> list[Quantity]:
    asked = normalise(need.text)
    times = find_times(text, question.now)
    return [
        found
        for found in find_numbers(text)
        if found.kind != "ordinal"
        and normalise(found.text) not in asked
        and not any(time.at <= found.start and found.end <= time.until for time in times)
    ]


def _label(need: Need) -> str:
    return " ".join(need.anchors) or " ".join(read(need.text).weights)


def _worded(question: Question, one: tuple[str, Quantity], other: tuple[str, Quantity]) -> str:
    high, low = (one, other) if one[1].value >= other[1].value else (other, one)
    gap = high[1].value - low[1].value
    if not gap:
        return say(
            question.language,
            f"两者相同：{one[0]} {one[1].text}，{other[0]} {other[1].text}",
            f"Both are equal: {one[0]} {one[1].text}, {other[0]} {other[1].text}",
        )
    return say(
        question.language,
        f"{high[0]}（{high[1].text}）高于{low[0]}（{low[1].text}），相差 {_shown(gap, high[1], question)}",
        f"{high[0]} ({high[1].text}) is higher than {low[0]} ({low[1].text}) by {_shown(gap, high[1], question)}",
    )


def _shown(gap: Decimal, like: Quantity, question: Question) -> str:
    text = f"{gap:,f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    if like.kind == "percent":
        return say(question.language, f"{text} 个百分点", f"{text} percentage points")
    unit = say(question.language, _UNITS_ZH.get(like.unit, like.unit), like.unit)
    return f"{text} {unit}".strip()
