"""Cutting text into search tokens and content terms, the same way at ingestion and at query time.

Promises: `tokens` loses no word, number or code; a code such as `A-7731` is
kept whole and in parts; unknown Chinese words stay findable by their
characters' pairs. `terms` are the content words alone, for coverage checks.
"""

from __future__ import annotations

import logging
import re
import threading
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final

from kaoju.language.normalise import normalise

_PIECE: Final = re.compile(r"[\u3400-\u9fff]+|[^\W_]+(?:[-./_'+&][^\W_]+)*", re.UNICODE)
_INNER: Final = re.compile(r"[-./_'+&]")
_SEPARATED: Final = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_LATIN_HAN_EDGE: Final = re.compile(
    r"(?<=[\u3400-\u9fff])(?=[^\W\u3400-\u9fff])|(?<=[^\W\u3400-\u9fff])(?=[\u3400-\u9fff])"
)


def tokens(text: str) -> list[str]:
    """Return the search tokens of a text, in order, repeats kept; lower case, English words stemmed."""
    found: list[str] = []
    for piece in _pieces(text):
        if _HAN.match(piece):
            found.extend(_han_tokens(piece))
        else:
            found.extend(_latin_tokens(piece))
    return found


def terms(text: str) -> list[str]:
    """Return the content words of a text, in order, repeats kept: tokens without stop words."""
    stop = stop_words()
    found: list[str] = []
    for piece in _pieces(text):
        if _HAN.match(piece):
            found.extend(word for word in _cut(piece) if word not in stop)
        else:
            plain = piece.removesuffix("'s")
            if plain not in stop:
                found.extend(token for token in _latin_tokens(plain)[:1] if token not in stop)
    return found


@cache
def stop_words() -> frozenset[str]:
    """Return the function words and question words of both languages, normalised."""
    return words_of("stopwords.txt")


def words_of(resource: str) -> frozenset[str]:
    """Return the words of one of this package's lists, normalised; lines that begin with # are remarks."""
    text = resources.files("kaoju.language").joinpath(resource).read_text(encoding="utf-8")
    return frozenset(
        normalise(word) for line in text.splitlines() if not line.startswith("#") for word in line.split()
    )


def cut(text: str) -> list[str]:
    """Return the words of a Chinese text as they stand, in order."""
    return list(_cut(text))


def stem(word: str) -> str:
    """Return the stem of an English word (Snowball); other words unchanged."""
    return _stem(word)


def _pieces(text: str) -> list[str]:
    plain = _SEPARATED.sub("", normalise(text))
    return _PIECE.findall(_LATIN_HAN_EDGE.sub(" ", plain))


def _latin_tokens(piece: str) -> list[str]:
    piece = piece.removesuffix("'s")
    parts = [part for part in _INNER.split(piece) if part]
    if len(parts) == 1:
        return [_stem(parts[0])]
    return [piece, *(_stem(part) for part in parts)]


def _han_tokens(run: str) -> list[str]:
    return list(_searched(run))


@lru_cache(maxsize=50_000)
def _searched(run: str) -> tuple[str, ...]:
    words = [word for word in _jieba().cut_for_search(run) if word.strip()]
    singles = "".join(word if len(word) == 1 else " " for word in _cut(run))
    pairs = [group[i : i + 2] for group in singles.split() for i in range(len(group) - 1)]
    return (*words, *pairs)


@lru_cache(maxsize=50_000)
def _cut(run: str) -> tuple[str, ...]:
    return tuple(word for word in _jieba().cut(run) if word.strip())


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    if not word.isascii() or not word.isalpha() or len(word) < 4:
        return word
    with _STEMMING:
        return str(_stemmer().stemWord(word))


_STEMMING: Final = threading.Lock()
"""A stemmer keeps the word at work in itself: two threads at once would mix their words."""


@cache
def _stemmer() -> Any:
    import snowballstemmer  # noqa: PLC0415 - loaded with the first English text

    return snowballstemmer.stemmer("english")


def load_dictionary() -> None:
    """Load the Chinese dictionary now, quietly; otherwise the first Chinese text does."""
    _jieba()


@cache
def _jieba() -> Any:
    import jieba  # noqa: PLC0415 - its dictionary takes a second; loaded with the first Chinese text

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    return jieba
