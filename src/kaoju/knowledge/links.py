"""Which passages are about what another passage mentions.

Promises: every document title and heading becomes a key (`keys_of`), and
`mentioned` finds the keys that a text names, by look-up and never by scanning
the collection. Refuses keys that name nothing: too short, or words in lower
case that merely happen to be somebody's title. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kaoju.language.normalise import normalise

MAX_WORDS: Final = 8
"""Longest Latin key, in words."""
MIN_HAN, MAX_HAN = 3, 16
"""Shortest and longest Chinese key, in characters."""
MAX_TARGETS: Final = 20
"""A key that stands over more passages than this names none of them."""
_BRACKETS = re.compile(r"[\(（\[【][^\)）\]】]*[\)）\]】]")
_LATIN = re.compile(r"[0-9A-Za-zÀ-ɏ]+")
_HAN = re.compile(r"[\u4e00-\u9fff·]+")
_NUMBERING = re.compile(
    r"^\s*(第[一二三四五六七八九十百\d]+[章节条]|[一二三四五六七八九十]+[、.]|\d+(\.\d+)*[、.)]?\s)\s*"
)


def keys_of(title: str, headings: Iterable[str]) -> tuple[str, ...]:
    """Return the keys under which a passage can be reached: its title and its innermost heading."""
    last = list(headings)[-1:]
    found = (key for text in (title, *last) for key in _key(text))
    return tuple(dict.fromkeys(found))


def mentioned(text: str) -> frozenset[str]:
    """Return every string of `text` that could be a key; the caller looks up which of them are."""
    return frozenset(_latin_candidates(text)) | frozenset(_han_candidates(text))


def _key(text: str) -> Iterator[str]:
    bare = _NUMBERING.sub("", _BRACKETS.sub("", text)).strip()
    if _HAN.search(bare):
        for part in _HAN.findall(normalise(bare)):
            if MIN_HAN <= len(part) <= MAX_HAN:
                yield part
        return
    words = [normalise(word) for word in _LATIN.findall(bare)]
    if words and len(words) <= MAX_WORDS and len("".join(words)) > MIN_HAN:
        yield " ".join(words)


def _latin_candidates(text: str) -> Iterator[str]:
    words = _LATIN.findall(text)
    plain = [normalise(word) for word in words]
    for start, word in enumerate(words):
        if not (word[0].isupper() or word[0].isdigit()):
            continue
        for stop in range(start + 1, min(start + MAX_WORDS, len(words)) + 1):
            yield " ".join(plain[start:stop])


def _han_candidates(text: str) -> Iterator[str]:
    for run in _HAN.findall(normalise(text)):
        for start in range(len(run)):
            for stop in range(start + MIN_HAN, min(start + MAX_HAN, len(run)) + 1):
                yield run[start:stop]
