"""What makes two questions the same question: everything but its wording.

Promises: two signatures agree only where numbers with their units, dates and
ranges, names and codes, negation, direction, roles and every word that no
paraphrase explains agree. Refuses to guess: in doubt they differ, and a
difference has a name. Pure.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from kaoju.language.names import find_names
from kaoju.language.normalise import normalise
from kaoju.language.numbers import Quantity, equal, find_numbers
from kaoju.language.time import find_times
from kaoju.tools.cache.wording import wording

Difference = Literal["numbers", "times", "names", "words", "order"]
_ONE: Final = frozenset({"一个", "一名", "一位", "一项", "一家", "一份", "一笔"})
"""An article, not a count."""
_ASKS_WHO: Final = frozenset({"‹ask-who›"})
_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Signature:
    """A question without its wording."""

    numbers: tuple[Quantity, ...]
    """By value."""
    times: tuple[tuple[date, date], ...]
    names: tuple[str, ...]
    """Codes, titles and quoted words, normalised, in order."""
    words: tuple[str, ...]
    """Classes of words, and what no class knows, in order."""
    ordered: bool
    """True where the order of words and names carries meaning."""


def read(text: str, now: date) -> Signature:
    """Return the signature of a question; relative dates count from `now`."""
    text = unicodedata.normalize("NFKC", text)
    times = find_times(text, now)
    taken = [(found.at, found.until) for found in times]
    numbers = [n for n in find_numbers(text) if not _within(n.start, taken)]
    taken += [(n.start, n.end) for n in numbers]
    names = [n for n in find_names(text) if n.kind != "name" and not _within(n.start, taken)]
    taken += [(n.start, n.end) for n in names]
    rest = wording(_without(text, taken))
    parties = len(names) + sum(n.kind == "name" for n in find_names(text))
    chinese = any("\u3400" <= char <= "\u9fff" for char in text)
    return Signature(
        numbers=tuple(sorted((n for n in numbers if n.text not in _ONE), key=lambda n: (n.value, n.unit))),
        times=tuple(sorted((found.start, found.end) for found in times)),
        names=tuple(normalise(n.text) for n in names),
        words=rest.words,
        ordered=chinese or rest.relates or parties >= _TWO or not _ASKS_WHO.isdisjoint(rest.words),
    )


def difference(one: Signature, other: Signature) -> Difference | None:
    """Return the first facet in which two questions differ; None where they ask the same."""
    if len(one.numbers) != len(other.numbers) or not all(map(_same, one.numbers, other.numbers)):
        return "numbers"
    if one.times != other.times:
        return "times"
    if Counter(one.names) != Counter(other.names):
        return "names"
    if Counter(one.words) != Counter(other.words):
        return "words"
    ordered = one.ordered or other.ordered
    return "order" if ordered and (one.words, one.names) != (other.words, other.names) else None


def _same(one: Quantity, other: Quantity) -> bool:
    return equal(one, other) and bool(one.unit) == bool(other.unit)


def _within(at: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    """Return the text with the spans blanked, so that the words beside them do not run together."""
    chars = list(text)
    for start, end in spans:
        chars[start:end] = " " * (end - start)
    return "".join(chars)
