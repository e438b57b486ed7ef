"""The hard facts of a claim, and whether given text bears each of them.

A hard fact is anything that is either right or wrong by itself: a number with
its unit, a percentage, an amount, a date, a code, a name. Promises: a fact
counts as borne only when an equal value stands in the text after normalisation
(万 and 亿, full-width digits, separators, spellings of dates), or, for numbers,
when the claim itself names the values that it is computed from and the
computation is right. Refuses: closeness; 85 % is not 87 %.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

from kaoju.language.names import find_names
from kaoju.language.normalise import normalise
from kaoju.language.numbers import Quantity, find_numbers
from kaoju.language.time import TimeRange, find_times

FactKind = Literal["number", "time", "code", "name"]

_DIGIT_RUN: Final = re.compile(r"\d+(?:\.\d+)?")
_SEPARATOR: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CJK: Final = re.compile(r"[\u3400-\u9fff]")
_PREPOSITIONS: Final = "比与和及由在对从向把被将给"
"""Characters that a Chinese name may have caught from the sentence before it."""
_SHORT: Final = 32
"""Days up to which a range without a year means the same in any year."""
_LATIN: Final = re.compile(r"(?<![a-z0-9])[a-z]{2,}(?![a-z0-9])")
_WORD: Final = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything checkable in one text."""

    text: str
    """Normalised, thousands separators removed."""
    prose: str
    """The text without its numbers and times."""
    numbers: tuple[Quantity, ...]
    times: tuple[TimeRange, ...]
    names: tuple[str, ...]
    """Names and titles, normalised."""
    codes: tuple[str, ...]
    """Normalised."""
    digits: frozenset[str]
    """Every run of digits as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """One fact of a claim that the evidence does not bear."""

    kind: FactKind
    text: str
    """As the claim words it."""


@lru_cache(maxsize=2048)
def read_facts(text: str, now: date) -> Facts:
    """Return the facts of a text; relative times are meant against `now`."""
    times = tuple(find_times(text, now))
    quantities = find_numbers(text)
    taken = [(found.at, found.until) for found in times] + [(found.start, found.end) for found in quantities]
    names = [
        found
        for found in find_names(text)
        if not any(at <= found.start and found.end <= until for at, until in taken)
    ]
    plain = plain_of(text)
    return Facts(
        text=plain,
        prose=_without(text, taken),
        numbers=tuple(found for found in quantities if not _inside_time(found, times)),
        times=times,
        names=(*(normalise(found.text) for found in names if found.kind != "code"), *_foreign(plain)),
        codes=tuple(normalise(found.text) for found in names if found.kind == "code"),
        digits=frozenset(_DIGIT_RUN.findall(plain)),
    )


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    kept = list(text)
    for start, end in spans:
        kept[start:end] = " " * (end - start)
    return "".join(kept)


def _foreign(plain: str) -> tuple[str, ...]:
    """Return the Latin words of a Chinese text, which name something there."""
    return tuple(_LATIN.findall(plain)) if _CJK.search(plain) else ()


def plain_of(text: str) -> str:
    """Return normalised text without thousands separators."""
    return _SEPARATOR.sub("", normalise(text))


def _inside_time(quantity: Quantity, times: Sequence[TimeRange]) -> bool:
    return any(found.at <= quantity.start and quantity.end <= found.until for found in times)


def same_value(claimed: Quantity, found: Quantity) -> bool:
    """Return whether two quantities state the same thing: value and, where both state one, unit."""
    if not same_unit(claimed, found):
        return False
    if claimed.value == found.value:
        return True
    return (claimed.approximate or scaled(claimed)) and rounds_to(found.value, claimed)


def same_unit(claimed: Quantity, found: Quantity) -> bool:
    """Return whether units agree; a unit that only one side states does not disagree, a percentage always does."""
    if (claimed.kind == "percent") != (found.kind == "percent"):
        return False
    if not claimed.unit or not found.unit:
        return True
    return unit_of(claimed) == unit_of(found)


def unit_of(quantity: Quantity) -> str:
    """Return the unit in one spelling."""
    unit = normalise(quantity.unit).strip()
    return _SAME_UNITS.get(unit, unit.removesuffix("s") if unit.isascii() and len(unit) > 3 else unit)


_SAME_UNITS: Final = {
    **dict.fromkeys(("人", "名", "位", "people", "person", "persons"), "person"),
    **dict.fromkeys(("天", "日", "day", "days"), "day"),
    **dict.fromkeys(("年", "year", "years"), "year"),
    **dict.fromkeys(("个月", "月", "month", "months"), "month"),
    **dict.fromkeys(("小时", "钟头", "hour", "hours", "h"), "hour"),
    **dict.fromkeys(("分钟", "minute", "minutes", "min"), "minute"),
    **dict.fromkeys(("公里", "千米", "km", "kilometre", "kilometres", "kilometer", "kilometers"), "km"),
    **dict.fromkeys(("个", "项", "件", "条", "种", "份", "次"), "item"),
}


def scaled(quantity: Quantity) -> bool:
    """Return whether the number is written with a scale word, which rounds by custom."""
    return bool(
        re.search(r"[万亿]|million|billion|trillion|thousand|\d\s*(?:bn|mn|[mk])\b", normalise(quantity.text))
    )


def rounds_to(exact: Decimal, claimed: Quantity) -> bool:
    """Return whether `exact`, rounded to the digits that the claim shows, is the claim's value."""
    shown = _DIGIT_RUN.search(_SEPARATOR.sub("", normalise(claimed.text)))
    if shown is None:
        return False
    mantissa = Decimal(shown.group())
    if not mantissa or not claimed.value:
        return exact == claimed.value
    step = abs(claimed.value) / mantissa * Decimal(1).scaleb(_exponent(mantissa))
    return abs(exact - claimed.value) <= step / 2


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def missing_facts(claim: Facts, evidence: Facts, borne: Sequence[Quantity] = ()) -> tuple[Miss, ...]:
    """Return the claim's facts that `evidence` does not bear.

    Args:
        claim: facts of the claim.
        evidence: facts of the text that it cites.
        borne: numbers of the claim that a checked computation accounts for.
    """
    misses: list[Miss] = []
    accounted: set[str] = set(evidence.digits)
    for quantity in claim.numbers:
        if quantity in borne or has_number(quantity, evidence):
            accounted.update(_DIGIT_RUN.findall(plain_of(quantity.text)))
        else:
            misses.append(Miss(kind="number", text=quantity.text))
    for time in claim.times:
        if has_time(time, evidence):
            accounted.update(_DIGIT_RUN.findall(plain_of(time.text)))
        else:
            misses.append(Miss(kind="time", text=time.text))
    misses += [Miss(kind="code", text=code) for code in claim.codes if not has_code(code, evidence)]
    misses += [Miss(kind="name", text=name) for name in claim.names if not has_name(name, evidence.text)]
    named = " ".join(plain_of(miss.text) for miss in misses)
    misses += [
        Miss(kind="number", text=digits)
        for digits in _DIGIT_RUN.findall(claim.text)
        if digits not in accounted and digits not in named
    ]
    return tuple(misses)


def has_number(quantity: Quantity, evidence: Facts) -> bool:
    """Return whether the evidence states an equal quantity."""
    return any(same_value(quantity, found) for found in evidence.numbers)


def has_time(time: TimeRange, evidence: Facts) -> bool:
    """Return whether the evidence states this time, or a time inside it."""
    words = plain_of(time.text)
    if words in evidence.text and not _DIGIT_RUN.search(words):
        return True
    if any((found.start, found.end) == (time.start, time.end) for found in evidence.times):
        return True
    years = set(re.findall(r"\d{4}", words))
    inside = [found for found in evidence.times if time.start <= found.start and found.end <= time.end]
    if years and any(years <= set(re.findall(r"\d{4}", plain_of(found.text))) for found in inside):
        return True
    if not years and any(_same_day(time, found) for found in evidence.times):
        return True
    return bool(re.search(rf"(?<!\d){re.escape(words)}(?!\d)", evidence.text))


def _same_day(one: TimeRange, other: TimeRange) -> bool:
    """Return whether two short ranges are the same days of whatever year."""
    length = (one.end - one.start).days
    same_start = (one.start.month, one.start.day) == (other.start.month, other.start.day)
    return length < _SHORT and length == (other.end - other.start).days and same_start


def has_code(code: str, evidence: Facts) -> bool:
    """Return whether the evidence holds exactly this code."""
    return bool(re.search(rf"(?<![a-z0-9]){re.escape(code)}(?![a-z0-9])", evidence.text))


def has_name(name: str, text: str) -> bool:
    """Return whether normalised `text` names the same; every word of a name has to be there."""
    name = name.strip("《》「」“”\"'<> ")
    if _CJK.search(name):
        return name in text or (len(name) > 2 and name[0] in _PREPOSITIONS and name[1:] in text)
    if re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text):
        return True
    words = [word for word in _WORD.findall(name) if len(word) > 1 or word.isdigit()]
    return bool(words) and all(re.search(rf"\b{re.escape(word)}\b", text) for word in words)
