"""Ways of saying the same thing: a question's words become classes, so that paraphrases read alike.

Promises: what no class knows stays as it stands and so tells questions apart;
a synonym can only be lost (a miss), never invented. Refuses: times, numbers and
names; `signature` takes those out first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from kaoju.language.normalise import normalise
from kaoju.language.segment import stem

DROPPED: Final = "-"
DROPPED_CHARS: Final = "-chars"
RELATING: Final = ">"
MEASURED: Final = "#"
_ASKED_OF_MEASURES: Final = frozenset({"‹ask-what›", "‹ask-amount›", "‹ask-length›"})
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_PIECE: Final = re.compile(r"‹[^›]+›|[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:[-./'&][^\W_\u3400-\u9fff]+)*")


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a question: classes as `‹name›`, the rest as it stands."""

    words: tuple[str, ...]
    """In order; a Chinese character outside every class stands alone."""
    relates: bool
    """True where a word relates two parties, so that order says who is which."""


@dataclass(frozen=True, slots=True)
class _Classes:
    phrases: dict[str, str]
    pattern: re.Pattern[str]
    stems: dict[str, str]
    chars: frozenset[str]
    relating: frozenset[str]
    measured: frozenset[str]


def wording(text: str) -> Wording:
    """Read a text whose times, numbers and names were taken out."""
    known = _classes()
    marked = known.pattern.sub(lambda found: f" ‹{known.phrases[found[0]]}› ", normalise(text))
    words: list[str] = []
    for piece in _PIECE.findall(marked):
        if piece.startswith("‹"):
            word = piece
        elif _HAN.match(piece):
            word = "" if piece in known.chars else piece
        else:
            stemmed = stem(piece.removesuffix("'s"))
            word = f"‹{known.stems[stemmed]}›" if stemmed in known.stems else stemmed
        if word and word != f"‹{DROPPED}›":
            words.append(word)
    if words and words[0] == "‹who-is›":
        words = [*words[1:], "‹ask-who›"]
    silent = _ASKED_OF_MEASURES if not known.measured.isdisjoint(words) else {"‹ask-what›"}
    words = [word for word in words if word not in silent]
    return Wording(words=tuple(words), relates=any(word in known.relating for word in words))


@cache
def _classes() -> _Classes:
    text = resources.files("kaoju.tools.cache").joinpath("wording.txt").read_text(encoding="utf-8")
    phrases: dict[str, str] = {}
    stems: dict[str, str] = {}
    chars: frozenset[str] = frozenset()
    marked: dict[str, set[str]] = {RELATING: set(), MEASURED: set()}
    for line in text.splitlines():
        if not line or line.startswith("# "):
            continue
        name, _, listed = line.partition(": ")
        if name == DROPPED_CHARS:
            chars = frozenset(listed.strip())
            continue
        plain = name.lstrip(RELATING + MEASURED)
        if name[0] in marked:
            marked[name[0]].add(f"‹{plain}›")
        for phrase in map(normalise, map(str.strip, listed.split("|"))):
            if " " not in phrase and not _HAN.search(phrase):
                stems.setdefault(stem(phrase), plain)
            else:
                phrases.setdefault(phrase, plain)
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    pattern = "|".join(
        re.escape(phrase) if _HAN.search(phrase) else rf"(?<!\w){re.escape(phrase)}(?!\w)"
        for phrase in longest_first
    )
    return _Classes(
        phrases=phrases,
        pattern=re.compile(pattern),
        stems=stems,
        chars=chars,
        relating=frozenset(marked[RELATING]),
        measured=frozenset(marked[MEASURED]),
    )
