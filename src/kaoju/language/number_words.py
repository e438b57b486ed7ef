"""English number words as exact values with their place: twenty-five, two and a half million, two thirds.

Promises: a run of words gives its one strict reading. Refuses runs without one
(one two three, nineteen eighty-four), vague amounts (several hundred), a lone
`one`, and ordinals under twenty, which are seldom amounts (first, a second).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaoju.language.numerals import ONES, SCALES


@dataclass(frozen=True, slots=True)
class Spelled:
    """A number in words: `source[start:end]` says `value`."""

    value: Decimal
    start: int
    end: int
    ordinal: bool = False


_BIG: Final = {word: SCALES[word] for word in ("thousand", "million", "billion", "trillion")}
_DIGITS: Final = ONES | {"nought": 0, "naught": 0, "oh": 0}
_ORDINALS: Final = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth".split(), start=1
    )
}
_TENTHS: Final = {
    word: 10 * value
    for value, word in enumerate(
        "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth".split(), start=2
    )
}
_BELOW: Final = {"half": 2, "halve": 2, "quarter": 4, "tenth": 10, "hundredth": 100, "thousandth": 10**3, "millionth": 10**6} | {
    word: value for word, value in _ORDINALS.items() if value > 2
}  # fmt: skip
_VOCABULARY: Final = [
    *_DIGITS, *_BIG, "hundred", "dozens", "dozen", *_ORDINALS, *_TENTHS, *_BELOW, *(f"{word}s" for word in _BELOW),
    "minus", "negative", "and", "an", "a", "point",
]  # fmt: skip
_WORD: Final = "|".join(sorted(set(_VOCABULARY), key=len, reverse=True))
_RUN: Final = re.compile(rf"\b(?:{_WORD})\b(?:(?:[ \t]+|\s?-\s?|\n)(?:{_WORD})\b)*", re.IGNORECASE)
_STARTS: Final = frozenset([*_DIGITS, "half", "quarter", "a", "an", *_TENTHS])
_OF: Final = re.compile(r"\s+of\b(?!\s+(?:the\s+)?(?:fiscal|year|(?:19|20)\d\d))", re.IGNORECASE)
_PERIOD_BEFORE: Final = re.compile(
    r"\b(?:last|past|previous|next|coming|first|recent|for|in|over)\s+$", re.IGNORECASE
)
_PERIOD_AFTER: Final = re.compile(r"\s+(?:of\s+)?(?:the\s+)?(?:fiscal|year|(?:19|20)\d\d)", re.IGNORECASE)
_MORE_ORDINAL: Final = re.compile(r"(?:-\w*(?:st|nd|rd|th)|\s\w*illionth)s?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    start: int
    end: int


def find_words(text: str) -> Iterator[Spelled]:
    """Yield the numbers in words of a text, in order, without overlap."""
    for run in _RUN.finditer(text):
        tokens = [
            _Token(match.group().lower(), run.start() + match.start(), run.start() + match.end())
            for match in re.finditer(r"[A-Za-z]+", run.group())
        ]
        yield from _Run(text, tokens).numbers()


class _Run:
    """Number words that stand side by side, read from left to right."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self._text = text
        self._tokens = tokens

    def numbers(self) -> Iterator[Spelled]:
        at = 0
        while at < len(self._tokens):
            sign = -1 if self._word(at) in ("minus", "negative") else 1
            first = at + (sign < 0)
            value, after, ordinal = self._number(first)
            if value is None:
                at = max(after, at + 1)
                continue
            if self._word(after - 1) != "one" or after - at > 1:
                yield Spelled(
                    sign * value, self._tokens[at].start, self._tokens[after - 1].end, ordinal=ordinal
                )
            at = after

    def _word(self, at: int) -> str:
        return self._tokens[at].word if 0 <= at < len(self._tokens) else ""

    def _number(self, at: int) -> tuple[Decimal | None, int, bool]:
        """Return value, next position and whether it is an ordinal; without a value, the position to go on from."""
        word = self._word(at)
        if word == "hundred" or word in _BIG:
            return None, self._past_cardinals(at), False
        if word not in _STARTS:
            return None, at + 1, False
        if word in _TENTHS:
            return Decimal(_TENTHS[word]), at + 1, True
        share = self._share(at)
        if share is not None:
            return (*share, False)
        whole, after = self._cardinal(at)
        if whole is None:
            return None, at + 1, False
        value = Decimal(whole)
        if self._is_cardinal(after):
            return None, self._past_cardinals(after), False
        tail = self._word(after)
        if tail in _ORDINALS and self._word(after - 1) in ONES and whole % 10 == 0 and whole:
            return value + _ORDINALS[tail], after + 1, True
        below = _BELOW.get(tail.removesuffix("s"))
        if below is not None:
            is_fraction = after - at == 1 and (tail.endswith("s") != (whole == 1)) and self._sure(after)
            return (value / below if is_fraction else None), after + 1, False
        if _MORE_ORDINAL.match(self._text, self._tokens[after - 1].end):
            return None, after, False
        return (*self._broken(value, after), False)

    def _share(self, at: int) -> tuple[Decimal, int] | None:
        """Read half a million, quarter million, a third of."""
        word, after = self._word(at), at + 1
        if word in ("a", "an") and self._word(after) in _BELOW:
            word, after = self._word(after), after + 1
            if word not in ("half", "quarter") and _OF.match(self._text, self._tokens[after - 1].end):
                return Decimal(1) / _BELOW[word], after
        if word not in ("half", "quarter"):
            return None
        after += self._word(after) in ("a", "an")
        scale = _BIG.get(self._word(after)) or {"dozen": 12, "hundred": 100}.get(self._word(after))
        return (Decimal(scale) / _BELOW[word], after + 1) if scale else None

    def _sure(self, at: int) -> bool:
        """Return whether quarters are a share rather than months: no word about periods stands before or behind them."""
        token = self._tokens[at]
        if not token.word.startswith("quarter"):
            return True
        before = self._text[max(0, self._tokens[at - 1].start - 12) : self._tokens[at - 1].start]
        return not _PERIOD_BEFORE.search(before) and not _PERIOD_AFTER.match(self._text, token.end)

    def _broken(self, value: Decimal, after: int) -> tuple[Decimal, int]:
        """Read what follows a whole number: point five, and a half, and the scale behind them."""
        end = after
        if self._word(after) == "point" and self._word(after + 1) in _DIGITS:
            digits = ""
            end = after + 1
            while self._word(end) in _DIGITS:
                number = _DIGITS[self._word(end)]
                digits = digits[:-1] + str(number) if digits and number < 10 and self._word(end - 1) in ONES and _DIGITS[self._word(end - 1)] >= 20 else digits + str(number)  # fmt: skip
                end += 1
            value += Decimal("0." + digits)
        elif self._word(after) == "and":
            above, then = (
                (1, after + 2) if self._word(after + 1) in ("a", "an") else self._cardinal(after + 1)
            )
            below = _BELOW.get(self._word(then).removesuffix("s"))
            if above is not None and below is not None:
                return self._with_share(value, Decimal(above) / below, after, then + 1)
        if end > after and self._word(end) in _BIG:
            return value * _BIG[self._word(end)], end + 1
        return value, end

    def _with_share(self, value: Decimal, share: Decimal, after: int, end: int) -> tuple[Decimal, int]:
        """Read two and a half million, a million and a half, a billion and a half million."""
        before, behind = _BIG.get(self._word(after - 1)), _BIG.get(self._word(end))
        if behind is None:
            return value + share * (before or 1), end
        return (value + share) * behind if before is None else value + share * behind, end + 1

    @staticmethod
    def _fits(current: int, last: str, value: int) -> bool:
        """Return whether a number below a hundred may follow: twenty takes five, hundred takes both, five takes none."""
        if value == 0:
            return False
        if last in ONES and not (ONES[last] >= 20 and value < 10):
            return False
        return current % 100 == 0 if value >= 10 else current % 10 == 0

    def _is_cardinal(self, at: int) -> bool:
        return (
            self._word(at) in _DIGITS
            or self._word(at) in _BIG
            or self._word(at) in ("hundred", "dozen", "dozens")
        )

    def _past_cardinals(self, at: int) -> int:
        while self._is_cardinal(at):
            at += 1
        return at

    def _cardinal(self, at: int) -> tuple[int | None, int]:
        """Read a whole number strictly; None where there is none."""
        total, current, ceiling = 0, 0, 10**15
        started = False
        before_and: tuple[int, int] | None = None
        if self._word(at) in ("a", "an"):
            if self._word(at + 1) not in (*_BIG, "hundred", "dozen"):
                return None, at
            current, started, at = 1, True, at + 1
        while True:
            word = self._word(at)
            if word == "and" and started and self._word(at - 1) in (*_BIG, "hundred"):
                if self._word(at + 1) not in ONES:
                    break
                before_and = (total + current, at)
            elif word in _DIGITS:
                value, last = _DIGITS[word], self._word(at - 1)
                if started and not self._fits(current, last, value):
                    break
                current, started = current + value, True
            elif word == "hundred" and 0 < current < 100:
                current *= 100
            elif word in _BIG and current > 0 and _BIG[word] < ceiling:
                total, ceiling, current = total + current * _BIG[word], _BIG[word], 0
            elif word in ("dozen", "dozens") and 0 < current < 100 and not total:
                return current * 12, at + 1
            else:
                break
            at += 1
        if before_and is not None and self._is_cardinal(at):
            return before_and
        return (total + current, at) if started else (None, at)
