"""Values read from a text by rules: patterns, names of fields, and what stands behind them.

Promises: every value stands in the text, at the span that is given, with a
confidence that says how it was found and what may be wrong with it. Refuses to
take a value that no pattern, name or unit ties to its field. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from kaoju.language.numbers import Quantity, find_numbers, unit_key
from kaoju.language.time import TimeRange, find_times
from kaoju.model.evidence import JSON
from kaoju.tools.extract.fields import Field
from kaoju.tools.extract.spans import find, plain

MAX_CHARS: Final = 20_000
"""Patterns read no more of a passage."""
_CLAUSE_END: Final = re.compile(r"[。;；!?！？\n]|\.(?=\s|$)")
_SOFT_END: Final = re.compile(r"[。;；!?！？\n,，、|]|\.(?=\s|$)")
_JOINED: Final = re.compile(
    r"\s*(?:[(（][^)）\n]{0,20}[)）])?\s*(?:[:：=|]|为|是|系|达到|达|共计|合计|总计|共|计|约为|约|于|在|人民币|￥|¥|[$]|(?:RMB|CNY|USD|EUR)\b|"
    r"(?:is|was|are|were|of|on|at|to|totals?|totall?ed|totall?ing|amounts? to|amounted to|reached|stood at|about|set at)\b)*\s*",
    re.IGNORECASE,
)
_REACH: Final = 24
"""How far behind its name a value may stand, in characters, where nothing joins them."""
BY_PATTERN, JOINED, NEAR, BEFORE, ALONE = 0.95, 0.95, 0.75, 0.6, 0.5
"""Confidence by the way in which a value was found."""
RIVAL: Final = 0.25
"""Another value whose confidence is no further below the best one casts doubt on it."""
_ANCHORS: Final = (date(2001, 3, 7), date(2019, 11, 23))
"""Two days; a time that reads the same from both needs no reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A value with its place."""

    value: str | int | float
    start: int
    """First character, in the passage."""
    end: int
    confidence: float
    doubts: tuple[tuple[str, str], ...] = ()
    """What may be wrong, Chinese and English."""
    unit: str = ""


def read(field: Field, text: str, others: Sequence[Field], now: date | None = None) -> Found | None:
    """Return the value of a field in a text, or None where nothing ties one to it.

    Args:
        field: What is looked for.
        text: One passage.
        others: The other fields of the row; their names end the reach of this one's.
        now: Reference date of the text, for relative times.
    """
    text = text[:MAX_CHARS]
    if field.pattern:
        return _by_pattern(field, text, now)
    if field.type == "choice":
        return _choice(field, text)
    found = _labelled(field, text, others, now)
    if found:
        best = max(found, key=lambda one: one.confidence)
        return _with_doubt_of_others(best, found)
    return _alone(field, text, now) if field.type != "text" else None


def _with_doubt_of_others(best: Found, found: Sequence[Found]) -> Found:
    different = [
        one for one in found if one.value != best.value and one.confidence >= best.confidence - RIVAL
    ]
    if not different:
        return best
    shown = str(different[0].value)
    doubt = (f"文中另有 {shown}", f"the text also says {shown}")
    return replace(best, confidence=best.confidence * 0.7, doubts=(*best.doubts, doubt))


def _by_pattern(field: Field, text: str, now: date | None) -> Found | None:
    match = re.search(field.pattern, text)
    if not match:
        return None
    group = 1 if match.re.groups and match.group(1) is not None else 0
    start, end = match.span(group)
    if field.type in {"text", "choice"}:
        return Found(value=match.group(group), start=start, end=end, confidence=BY_PATTERN)
    inside = [one for one in _candidates(field, text, now) if start <= one.start and one.end <= end]
    return replace(inside[0], confidence=min(BY_PATTERN, inside[0].confidence)) if inside else None


def _choice(field: Field, text: str) -> Found | None:
    spans = {choice: span for choice in field.choices if (span := find(text, choice))}
    kept = {
        choice: span
        for choice, span in spans.items()
        if not any(
            other != choice and wider[0] <= span[0] and span[1] <= wider[1] and wider != span
            for other, wider in spans.items()
        )
    }
    if len(kept) != 1:
        return None
    ((choice, (start, end)),) = kept.items()
    return Found(value=choice, start=start, end=end, confidence=0.85)


def _labelled(field: Field, text: str, others: Sequence[Field], now: date | None) -> list[Found]:
    flat = plain(text)
    candidates = _candidates(field, text, now)
    stops = [span[0] for other in others for label in other.labels for span in _places(flat.text, label)]
    found: list[Found] = []
    taken: list[tuple[int, int]] = []
    for label in field.labels:
        for start, end in _places(flat.text, label):
            if any(a < end and start < b for a, b in taken):
                continue
            taken.append((start, end))
            limit = min((stop for stop in stops if stop >= end), default=len(flat.text))
            span = flat.original(start, end)
            until = flat.original(limit, limit)[0] if limit < len(flat.text) else len(text)
            value = _behind(field, text, span, until, candidates)
            if value:
                found.append(value)
    return found


def _places(flat: str, label: str) -> list[tuple[int, int]]:
    """Return where a name stands in a text in normal form, Latin words whole."""
    needle = plain(label).text.strip()
    if not needle:
        return []
    before = r"(?<![a-z0-9])" if needle[0].isascii() else ""
    after = r"(?![a-z0-9])" if needle[-1].isascii() else ""
    return [match.span() for match in re.finditer(f"{before}{re.escape(needle)}{after}", flat)]


def _behind(
    field: Field, text: str, label: tuple[int, int], until: int, candidates: Sequence[Found]
) -> Found | None:
    joined = _JOINED.match(text, label[1])
    begin = joined.end() if joined else label[1]
    if field.type == "text":
        return _phrase(text, label[1], begin, until)
    ending = _CLAUSE_END.search(text, begin)
    limit = min(ending.start() if ending else len(text), until)
    behind = [one for one in candidates if label[1] <= one.start and one.end <= limit]
    if behind:
        first = min(behind, key=lambda one: one.start)
        if first.start <= begin:
            return _sure(first, JOINED)
        return _sure(first, NEAR) if first.start - begin <= _REACH else None
    before = [one for one in candidates if 0 <= label[0] - one.end <= 6]
    clean = [one for one in before if not _CLAUSE_END.search(text, one.end, label[0])]
    return _sure(clean[-1], BEFORE) if clean else None


def _sure(found: Found, confidence: float) -> Found:
    return replace(found, confidence=min(confidence, found.confidence))


def _phrase(text: str, label_end: int, begin: int, until: int) -> Found | None:
    """Return what stands behind a name and a colon or verb, to the end of its clause."""
    if begin == label_end or not text[label_end:begin].strip():
        return None
    ending = _SOFT_END.search(text, begin)
    end = min(ending.start() if ending else len(text), until)
    value = text[begin:end].rstrip().rstrip("·-—")
    if not value or len(value) > 200:
        return None
    strong = any(mark in text[label_end:begin] for mark in ":：=|")
    return Found(value=value, start=begin, end=begin + len(value), confidence=0.9 if strong else 0.7)


def _alone(field: Field, text: str, now: date | None) -> Found | None:
    """Return the only value of the field's unit or kind; a bare number is tied to nothing."""
    if field.type != "date" and not field.unit:
        return None
    candidates = _candidates(field, text, now)
    if len({one.value for one in candidates}) != 1:
        return None
    doubt = ("只因文中仅此一个", "only because the text has no other")
    return replace(_sure(candidates[0], ALONE), doubts=(*candidates[0].doubts, doubt))


def _candidates(field: Field, text: str, now: date | None) -> list[Found]:
    if field.type == "date":
        return [_day(one) for one in _times(text, now)]
    if field.type in {"number", "integer"}:
        found = [_number(one) for one in find_numbers(text) if fits(one, field)]
        return [one for one in found if field.type == "number" or isinstance(one.value, int)]
    return []


def fits(quantity: Quantity, field: Field) -> bool:
    """Return whether an amount is of one of the field's units (`个月|months`); any is, where the field has none."""
    if not field.unit:
        return quantity.kind != "ordinal"
    return any(unit_key(quantity) == unit for unit in _units(field.unit))


@lru_cache(maxsize=200)
def _units(stated: str) -> tuple[str, ...]:
    """Return units as amounts carry them."""
    found = [find_numbers(f"1{gap}{unit.strip()}") for unit in stated.split("|") for gap in ("", " ")]
    return tuple({unit_key(one) for amounts in found for one in amounts[:1] if one.unit})


def _times(text: str, now: date | None) -> list[TimeRange]:
    if now is not None:
        return list(find_times(text, now))
    first, second = (find_times(text, anchor) for anchor in _ANCHORS)
    same = {(one.at, one.until, one.start, one.end) for one in second}
    return [one for one in first if (one.at, one.until, one.start, one.end) in same and not one.assumed]


def _day(span: TimeRange) -> Found:
    doubts: tuple[tuple[str, str], ...] = ()
    confidence = 1.0
    if span.end - span.start > timedelta(days=1):
        doubts = (
            (f"原文只到 {span.text}，取其第一天", f"the text says {span.text} only; its first day is given"),
        )
        confidence = 0.6
    if span.assumed:
        doubts += (("年份由参考日期推定", "the year is taken from the reference date"),)
        confidence = min(confidence, 0.7)
    return Found(
        value=span.start.isoformat(), start=span.at, end=span.until, confidence=confidence, doubts=doubts
    )


def _number(quantity: Quantity) -> Found:
    whole = quantity.value == quantity.value.to_integral_value()
    doubts = (("原文为约数", "the text says about"),) if quantity.approximate else ()
    return Found(
        value=int(quantity.value) if whole else float(quantity.value),
        start=quantity.start,
        end=quantity.end,
        confidence=0.8 if quantity.approximate else 1.0,
        doubts=doubts,
        unit=quantity.unit,
    )


def verified(field: Field, value: JSON, text: str, now: date | None = None) -> Found | None:
    """Return a value that somebody else read, with its place; None where it does not stand in the text."""
    text = text[:MAX_CHARS]
    if value is None or isinstance(value, bool | list | dict):
        return None
    if field.type in {"number", "integer"}:
        stated = [one for one in _candidates(field, text, now) if not isinstance(one.value, str)]
        wanted = _amount(value)
        return next((one for one in stated if wanted is not None and one.value == wanted), None)
    if field.type == "date":
        return next((one for one in _candidates(field, text, now) if one.value == str(value)), None)
    if field.type == "choice" and str(value) not in field.choices:
        return None
    span = find(text, str(value))
    if span is None:
        return None
    shown = str(value) if field.type == "choice" else text[span[0] : span[1]]
    return Found(value=shown, start=span[0], end=span[1], confidence=1.0)


def _amount(value: str | float) -> int | float | None:
    if isinstance(value, int | float):
        return value
    found = find_numbers(value)
    if len(found) != 1:
        return None
    return _number(found[0]).value  # type: ignore[return-value]  # of a number it is a number
