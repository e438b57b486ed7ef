"""Time expressions of Chinese and English text as date ranges against a reference date.

Promises: ranges are half-open (`end` is the day after) and never empty; what is
not understood gives no result rather than a wrong one. Refuses clock times,
recurring times (every Monday), lunar dates, and durations without an anchor.
Weeks start on Monday; fiscal years are calendar years.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from typing import Final

from kaoju.language.periods import Range, in_year
from kaoju.language.time_grammar import RULES, UNREAD

MIN: Final = date.min
MAX: Final = date.max


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A time expression: `source[at:until] == text` speaks about the days from `start` to before `end`."""

    text: str
    start: date
    """`date.min` for an open beginning."""
    end: date
    """Exclusive; `date.max` for an open end."""
    at: int
    until: int
    assumed: bool = False
    """True where the text names no year and the reference date's was taken (三月, Q3)."""


@dataclass(frozen=True, slots=True)
class _Found:
    at: int
    until: int
    span: Range
    assumed: bool


def find_times(text: str, now: date) -> tuple[TimeRange, ...]:
    """Return the time expressions of a text in order, the longest reading of each place."""
    return _times(text, now)


@lru_cache(maxsize=20_000)
def _times(text: str, now: date) -> tuple[TimeRange, ...]:
    if not _MAY_HOLD_TIME.search(text):
        return ()
    plain = "".join(map(_plain, text))
    return tuple(
        TimeRange(text[f.at : f.until], f.span[0], f.span[1], f.at, f.until, f.assumed)
        for f in _joined(plain, _longest(_read(plain, now)))
        if f.span[0] < f.span[1]
    )


@lru_cache(maxsize=5_000)
def date_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return where dates and calendar periods stand, whose digits are no amounts; every reading, overlapping ones too."""
    if not _MAY_HOLD_TIME.search(text):
        return ()
    plain = "".join(map(_plain, text))
    return tuple((f.at, f.until) for f in _read(plain, _ANY_DAY, absolute=True) if isinstance(f, _Found))


_ANY_DAY: Final = date(2000, 6, 15)
_MAY_HOLD_TIME: Final = re.compile(r"[\d０-９年月日号號周週季天期早晚夜]|[A-Za-z]{3}")


@cache
def _plain(char: str) -> str:
    """Return a character in its plain form, always one character."""
    if "０" <= char <= "９":
        return chr(ord(char) - 0xFEE0)
    char = _VARIANTS.get(char, char)
    return char.lower() if len(char.lower()) == 1 else char


_VARIANTS: Final = dict(zip("號後週個－–—～今來間", "号后周个---~今来间", strict=True))


def _read(plain: str, now: date, *, absolute: bool = False) -> Iterator[_Found | tuple[int, int]]:
    """Yield every reading; bare spans are times that are seen but not understood."""
    for rule in RULES:
        if (absolute and not rule.absolute) or not any(hint in plain for hint in rule.hints):
            continue
        for match in rule.pattern.finditer(plain):
            try:
                span = rule.read(match, now)
            except (ValueError, OverflowError):  # no such date: 30 February
                yield match.span()
                continue
            if span is not None and span[0] < span[1]:
                assumed = "y" in rule.pattern.groupindex and match.group("y") is None
                yield _Found(match.start(), match.end(), span, assumed)
    for unread in UNREAD.finditer(plain):
        yield unread.span()


def _longest(readings: Iterator[_Found | tuple[int, int]]) -> list[_Found]:
    """Return the readings that no longer one overlaps, in order."""
    kept: list[_Found] = []
    spans = [((r.at, r.until) if isinstance(r, _Found) else r, r) for r in readings]
    taken = bytearray(max((until for (_, until), _ in spans), default=0))
    for (at, until), reading in sorted(spans, key=lambda item: (item[0][0] - item[0][1], item[0][0])):
        if any(taken[at:until]):
            continue
        taken[at:until] = b"\1" * (until - at)
        if isinstance(reading, _Found):
            kept.append(reading)
    return sorted(kept, key=lambda f: f.at)


_TO: Final = re.compile(r"\s*起?(?:至|到|-|~|to|through|until|till|--)\s*(?:the\s+)?")
_AND: Final = re.compile(r"\s*(?:and|和|与|至|到)\s*(?:the\s+)?")
_FROM: Final = re.compile(r"(?:从|自|from|between|\bin)\s*(?:the\s+)?$")
_BETWEEN: Final = re.compile(r"\bbetween\s+(?:the\s+)?$")
_BETWEEN_AFTER: Final = re.compile(r"之?间")
_LOOK_BACK: Final = 16


def _joined(text: str, found: list[_Found]) -> Iterator[_Found]:
    """Join neighbours into ranges (A to B), and open those that a word opens (since A, before B)."""
    i = 0
    while i < len(found):
        joined = _range(text, found[i], found[i + 1]) if i + 1 < len(found) else None
        if joined is not None:
            yield joined
            i += 2
            continue
        opened = _opened(text, found[i])
        if opened is not None:
            yield opened
        i += 1


def _range(text: str, first: _Found, second: _Found) -> _Found | None:
    between = text[first.until : second.at]
    before = text[max(0, first.at - _LOOK_BACK) : first.at]
    after = _BETWEEN_AFTER.match(text, second.until)
    if not _TO.fullmatch(between) and not (_AND.fullmatch(between) and (_BETWEEN.search(before) or after)):
        return None
    start, end = _same_year(first, second)
    if start[0] >= end[1]:
        return None
    lead = _FROM.search(before)
    return _Found(
        at=first.at - len(lead.group()) if lead and lead.group().strip() != "in" else first.at,
        until=after.end() if after and _AND.fullmatch(between) else second.until,
        span=(start[0], end[1]),
        assumed=first.assumed and second.assumed,
    )


def _same_year(first: _Found, second: _Found) -> tuple[Range, Range]:
    """Give the end of a range that names no year the year of the other one."""
    one, two = first.span, second.span
    if second.assumed:
        two = in_year(two, one[0].year)
        return one, two if two[1] > one[0] else in_year(two, one[0].year + 1)
    if first.assumed:
        one = in_year(one, two[0].year)
        return one if one[0] < two[1] else in_year(one, two[0].year - 1), two
    return one, two


def _opened(text: str, found: _Found) -> _Found | None:
    """Return the expression with the word that opens it; None where its distance to the time is not understood."""
    before = text[max(0, found.at - _LOOK_BACK) : found.at]
    if _DISTANCE.search(before):
        return None
    for pattern, open_ in _OPENED_BEFORE:
        if match := pattern.search(before):
            return replace(found, at=found.at - len(match.group()), span=open_(found.span))
    for pattern, open_ in _OPENED_AFTER:
        if match := pattern.match(text, found.until):
            return replace(found, until=match.end(), span=open_(found.span))
    if text[found.until - 1] in "底末" and (match := re.compile("之?前").match(text, found.until)):
        return replace(found, until=match.end(), span=_until(found.span))
    return found


_DISTANCE: Final = re.compile(
    r"\b(?:days?|weeks?|months?|quarters?|years?)\s+(?:before|after|from|since|prior to)\s+(?:the\s+)?$"
)


def _since(span: Range) -> Range:
    return span[0], MAX


def _after(span: Range) -> Range:
    return span[1], MAX


def _before(span: Range) -> Range:
    return MIN, span[0]


def _until(span: Range) -> Range:
    return MIN, span[1]


_Opener = tuple[re.Pattern[str], Callable[[Range], Range]]
_OPENED_BEFORE: Final[tuple[_Opener, ...]] = (
    (re.compile(r"(?:截至|截止到?|截止至)\s*$"), _until),
    (re.compile(r"\bsince\s+(?:the\s+)?$"), _since),
    (re.compile(r"\bafter\s+(?:the\s+)?$"), _after),
    (re.compile(r"\bbefore\s+(?:the\s+)?$"), _before),
    (re.compile(r"\b(?:until|till|by|as of)\s+(?:the\s+)?$"), _until),
)
_OPENED_AFTER: Final[tuple[_Opener, ...]] = (
    (re.compile(r"以来|至今|起(?![来诉草源点初])"), _since),
    (re.compile(r"之后|以后|后(?![来续半期勤台])"), _after),
    (re.compile(r"(?<![底末])(?:之前|以前|前(?![\d一二两三四五六七八九十几半期后端台]))"), _before),
)
