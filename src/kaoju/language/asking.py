"""What a question asks for, and how far a piece of text carries it.

Promises: pure and without state; the same reading for a question, a need and a
query, in Chinese and English. Refuses: deciding anything; thresholds belong to
those who judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final, Literal

from kaoju.language.dimensions import asked_dimensions, measures
from kaoju.language.names import find_names
from kaoju.language.normalise import normalise
from kaoju.language.numbers import find_numbers
from kaoju.language.segment import terms
from kaoju.language.time import find_times

AnswerKind = Literal["time", "number", "person", "place", "reason", "yes_no", "open"]

_ANY_DAY: Final = date(2000, 1, 1)
"""Reference for finding time expressions where only their presence matters."""

_KINDS: Final[tuple[tuple[AnswerKind, re.Pattern[str]], ...]] = (
    ("reason", re.compile(r"为什么|为何|什么原因|原因是|\bwhy\b|\bwhat (?:is|was) the reason\b")),
    (
        "time",
        re.compile(
            r"什么时候|何时|什么时间|哪一?[年天月日]|几[月号年点]|什么日期|哪个(?:年份|月份|季度|日期)"
            r"|\bwhen\b|\b(?:what|which|in what|on what) (?:year|month|date|day|decade|century|quarter|time)\b"
        ),
    ),
    (
        "number",
        re.compile(
            r"多少|什么价格|多大|多高|多长|多久|多远|多重|几(?!乎|何|率|经|度)|百分之几|占比|"
            r"\bhow (?:many|much|long|old|far|tall|high|large|big|often|fast|deep|wide|heavy)\b"
            r"|\bwhat (?:percentage|percent|number|amount|proportion|fraction|share)\b"
        ),
    ),
    ("person", re.compile(r"谁|哪位|哪一?个人|何人|哪些人|\bwho(?:m|se)?\b")),
    (
        "place",
        re.compile(
            r"哪里|哪儿|何处|什么地方|在哪(?=[?？。]|$)|哪一?个?(?:城市|国家|地区|省份?|市|县|州|洲)(?![\u3400-\u9fff]?级)"
            r"|\bwhere\b|\b(?:what|which) (?:city|country|state|place|location|region|continent|county)\b"
        ),
    ),
    (
        "yes_no",
        re.compile(
            r"吗[?？。]*$|是否|能否|可否|有没有|是不是|能不能|可不可以|会不会"
            r"|^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may|must)\b"
        ),
    ),
)

_CJK: Final = re.compile(r"[\u3400-\u9fff]")
_ASKING_WORDS: Final = re.compile(
    r"什么时候|什么时间|什么地方|什么原因|为什么|什么|多少|哪里|哪儿|哪个|哪些|哪家|哪位|哪一|怎么样|怎样|如何|是否|有没有|分别"
)
_DIGITS: Final = re.compile(r"\d")
_NUMERAL: Final = re.compile(r"\d+")
_LATIN: Final = re.compile(r"[a-z0-9]+")
SURNAME: Final = 0.75
"""How far the last word of a name stands for all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, read once: its words with their weight, what it names, and what kind of thing answers it."""

    text: str
    """Normalised."""
    kind: AnswerKind
    weights: Mapping[str, float]
    """Content term -> weight; rarer kinds of words weigh more."""
    anchors: tuple[str, ...]
    """Normalised names, codes and times that evidence has to mention."""


@lru_cache(maxsize=512)
def read(text: str, anchors: tuple[str, ...] = ()) -> Asked:
    """Read a question, need or query."""
    plain = normalise(text)
    content = terms(_ASKING_WORDS.sub(" ", plain))
    anchored = {word for anchor in anchors for word in terms(anchor)}
    weights = {word: weight(word) * (1.5 if word in anchored else 1.0) for word in content}
    return Asked(
        text=plain,
        kind=kind_of(plain),
        weights=weights,
        anchors=tuple(dict.fromkeys(normalise(anchor) for anchor in anchors if anchor.strip())),
    )


def kind_of(plain: str) -> AnswerKind:
    """Return what kind of thing answers a normalised question, by its first question word; `open` where any may."""
    found = [(match.start(), kind) for kind, pattern in _KINDS if (match := pattern.search(plain))]
    return min(found, key=lambda item: item[0])[1] if found else "open"


def weight(word: str) -> float:
    """Return how telling a content word is, from its form alone: codes and long words more than short ones."""
    if _DIGITS.search(word):
        return 1.6
    if _CJK.search(word):
        return (0.4, 1.0, 1.4)[min(len(word), 3) - 1]
    return 0.7 if len(word) <= 3 else 1.0 if len(word) <= 6 else 1.2


def coverage(asked: Asked, text: str, held: Iterable[str] | None = None) -> float:
    """Return the weighted share of the question's content words that `text` carries, in [0, 1].

    Args:
        asked: the question.
        text: normalised text.
        held: its content terms, where the caller has them already.
    """
    total = sum(asked.weights.values())
    if not total:
        return 0.0
    stems = set(terms(text) if held is None else held)
    return sum(value for word, value in asked.weights.items() if has_word(word, text, stems)) / total


def has_word(word: str, text: str, stems: Set[str]) -> bool:
    """Return whether normalised `text`, whose content terms are `stems`, holds a term in any of its forms."""
    if word in stems:
        return True
    if _CJK.search(word):
        return word in text
    return len(word) >= 5 and any(
        len(stem) >= 5 and (stem.startswith(word[:-1]) or word.startswith(stem[:-1])) for stem in stems
    )


def anchor_coverage(asked: Asked, text: str) -> float:
    """Return the share of the anchors that normalised `text` mentions; 1 where there are none.

    A name of several words counts by its words, its last one more; its digits must all be there.
    """
    if not asked.anchors:
        return 1.0
    return sum(_mentions(anchor, text) for anchor in asked.anchors) / len(asked.anchors)


def _mentions(anchor: str, text: str) -> float:
    if anchor in text:
        return 1.0
    if any(digits not in text for digits in _NUMERAL.findall(anchor)):
        return 0.0
    if _CJK.search(anchor):
        words = terms(anchor)
        return sum(word in text for word in words) / len(words) if words else 0.0
    latin = [word for word in _LATIN.findall(anchor) if len(word) > 1]
    held = [
        bool(re.search(rf"\b{re.escape(word[:-1] if len(word) > 3 and word[-1] == 's' else word)}", text))
        for word in latin
    ]
    if not held:
        return 0.0
    return max(sum(held) / len(held), SURNAME if held[-1] and len(latin[-1]) > 3 else 0.0)


def carries(asked: Asked, text: str) -> bool:
    """Return whether `text` holds a new thing of the asked kind: one that the question does not state itself.

    Kinds without a recognisable form (open, reason, yes or no) are carried by any text, and so are people
    and places in Chinese, whose names have no reliable form.
    """
    if asked.kind == "number":
        figures = [found for found in find_numbers(text) if normalise(found.text) not in asked.text]
        wanted = asked_dimensions(asked.text)
        return any(not wanted or wanted & measures(found) for found in figures)
    if asked.kind == "time":
        return any(normalise(found.text) not in asked.text for found in find_times(text, _ANY_DAY))
    if asked.kind in {"person", "place"} and not _CJK.search(text):
        return any(
            found.kind != "code" and normalise(found.text) not in asked.text for found in find_names(text)
        )
    return True
