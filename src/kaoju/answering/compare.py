"""The comparison of two answers of one kind, figures or dates, worded with both named. Pure.

Promises: a verdict only where each side has exactly one figure (or date) that
belongs to what was asked, in units that compare; the side that the question
looks for comes first. Refuses: units that differ, and dates against figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeVar

from kaoju.answering.explain import say
from kaoju.answering.facts import same_unit
from kaoju.language.asking import coverage, read
from kaoju.language.normalise import normalise
from kaoju.language.numbers import Quantity, find_numbers
from kaoju.language.time import TimeRange, find_times
from kaoju.model.answer import DraftClaim
from kaoju.model.plan import Need
from kaoju.model.question import Question

V = TypeVar("V", Quantity, TimeRange)

_UNITS_ZH: Final = {"CNY": "元", "USD": "美元", "EUR": "欧元", "GBP": "英镑", "JPY": "日元", "HKD": "港元"}
"""How Chinese readers write currencies."""
_CLAUSE: Final = re.compile(r"[,，](?!\d)|[;；。！？]|(?<!\d)\.(?!\d)|\band\b|\bbut\b|\bwhile\b|但|而(?!且)")


@dataclass(frozen=True, slots=True)
class _Scale:
    """Words for one way of comparing."""

    asks: re.Pattern[str]
    more: tuple[str, str]
    """Chinese and English for the greater side first."""
    less: tuple[str, str]


_SCALES: Final = (
    _Scale(re.compile(r"[更较最][长短]|\b(?:long|short)(?:er|est)\b"), ("长于", "is longer than"), ("短于", "is shorter than")),
    _Scale(re.compile(r"[更较最]贵|便宜|\bexpensive\b|\bcheap(?:er|est)?\b|\bcosts? (?:more|less)\b"), ("贵于", "costs more than"), ("低于", "costs less than")),
    _Scale(re.compile(r"[更较最][大小]|\b(?:larg|bigg|small)(?:er|est)\b"), ("大于", "is larger than"), ("小于", "is smaller than")),
    _Scale(re.compile(r"[更较最][多少]|\b(?:more|most|fewer|fewest|less|least)\b"), ("多于", "is more than"), ("少于", "is less than")),
)  # fmt: skip
_PLAIN: Final = _Scale(re.compile(""), ("高于", "is higher than"), ("低于", "is lower than"))
_ASKS_LESS: Final = re.compile(
    r"[更较最][短小少低轻慢]|便宜|\b(?:short|small|low|light|slow|cheap|few|young)(?:er|est)\b|\b(?:less|least|cheap)\b"
)
_ASKS_LATER: Final = re.compile(
    r"[更较最][晚迟新后]|\b(?:lat|new|young)(?:er|est)\b|\b(?:last|latest|second)\b"
)
_DATES: Final = _Scale(re.compile(""), ("晚于", "is later than"), ("早于", "is earlier than"))


@dataclass(frozen=True, slots=True)
class _Side:
    need: Need
    shown: str
    """As the source writes it."""
    value: Quantity | TimeRange
    claim: DraftClaim


def comparison(question: Question, needs: Sequence[Need], claims: Sequence[DraftClaim]) -> DraftClaim | None:
    """Return the claim that compares the answers of two needs; None where they do not compare."""
    if len(needs) != 2:
        return None
    for find in (_date_side, _figure_side):
        one, other = (find(question, need, claims) for need in needs)
        text = _verdict(question, one, other) if one is not None and other is not None else ""
        if text and one is not None and other is not None:
            ids = tuple(dict.fromkeys((*one.claim.evidence_ids, *other.claim.evidence_ids)))
            return DraftClaim(text=text, evidence_ids=ids, parts=(one.claim, other.claim))
    return None


def _date_side(question: Question, need: Need, claims: Sequence[DraftClaim]) -> _Side | None:
    if read(need.text).kind != "time":
        return None
    found = _values(need, claims, lambda text: _times(text, need, question))
    return _side(need, found) if len({(time.start, time.end) for _, time in found}) == 1 else None


def _figure_side(question: Question, need: Need, claims: Sequence[DraftClaim]) -> _Side | None:
    found = _values(need, claims, lambda text: _figures(text, need, question))
    return _side(need, found) if len({figure.value for _, figure in found}) == 1 else None


def _values(
    need: Need, claims: Sequence[DraftClaim], find: Callable[[str], Sequence[V]]
) -> list[tuple[DraftClaim, V]]:
    """Return the values in the clauses of a need's claims that belong to what was asked."""
    return [
        (claim, value)
        for claim in claims
        if claim.need_id == need.id
        for clause in _clauses(need, claim.text, find)
        for value in find(clause)
    ]


def _side(need: Need, found: Sequence[tuple[DraftClaim, Quantity | TimeRange]]) -> _Side:
    claim, value = found[0]
    return _Side(need, value.text, value, claim)


def _clauses(need: Need, text: str, find: Callable[[str], Sequence[object]]) -> list[str]:
    """Return the clauses of a claim that hold a value and say most of what was asked; all of it where it is one clause."""
    asked = read(need.text, need.anchors)
    parts = [part for part in _CLAUSE.split(text) if part.strip() and find(part)]
    if len(parts) < 2:
        return parts or [text]
    shares = [coverage(asked, normalise(part)) for part in parts]
    return [part for part, share in zip(parts, shares, strict=True) if share == max(shares)]


def _times(text: str, need: Need, question: Question) -> list[TimeRange]:
    asked = normalise(need.text)
    return [time for time in find_times(text, question.now) if normalise(time.text) not in asked]


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


def _verdict(question: Question, one: _Side, other: _Side) -> str:
    first, second = one.value, other.value
    if isinstance(first, TimeRange) and isinstance(second, TimeRange):
        if (first.start, first.end) == (second.start, second.end):
            return _equal(question, one, other)
        if first.start == second.start or (first.start < second.start) != (first.end <= second.end):
            return ""
        later, earlier = (one, other) if first.start > second.start else (other, one)
        wants_later = bool(_ASKS_LATER.search(normalise(question.text)))
        return _said(question, _DATES, later, earlier, less=not wants_later, gap="")
    if not isinstance(first, Quantity) or not isinstance(second, Quantity):
        return ""
    if not same_unit(first, second) or first.kind != second.kind:
        return ""
    gap = abs(first.value - second.value)
    if not gap:
        return _equal(question, one, other)
    high, low = (one, other) if first.value > second.value else (other, one)
    plain = normalise(question.text)
    scale = next((scale for scale in _SCALES if scale.asks.search(plain)), _PLAIN)
    shown = _shown(gap, first, question)
    return _said(question, scale, high, low, less=bool(_ASKS_LESS.search(plain)), gap=shown)


def _said(question: Question, scale: _Scale, high: _Side, low: _Side, *, less: bool, gap: str) -> str:
    front, back = (low, high) if less else (high, low)
    verb_zh, verb_en = scale.less if less else scale.more
    return say(
        question.language,
        f"{_label(front.need)}（{front.shown}）{verb_zh}{_label(back.need)}（{back.shown}）{f'，相差 {gap}' if gap else ''}",
        f"{_label(front.need)} ({front.shown}) {verb_en} {_label(back.need)} ({back.shown}){f' by {gap}' if gap else ''}",
    )


def _equal(question: Question, one: _Side, other: _Side) -> str:
    return say(
        question.language,
        f"两者相同：{_label(one.need)} {one.shown}，{_label(other.need)} {other.shown}",
        f"Both are equal: {_label(one.need)} {one.shown}, {_label(other.need)} {other.shown}",
    )


def _label(need: Need) -> str:
    return " ".join(need.anchors) or " ".join(read(need.text).weights)


def _shown(gap: Decimal, like: Quantity, question: Question) -> str:
    text = f"{gap:,f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    if like.kind == "percent":
        return say(question.language, f"{text} 个百分点", f"{text} percentage points")
    unit = say(question.language, _UNITS_ZH.get(like.unit, like.unit), like.unit)
    return f"{text} {unit}".strip()
