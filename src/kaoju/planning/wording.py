"""The words of questions and contracts, comparable across inflection and segmentation. Pure.

Latin words count by their stems. Chinese counts by pairs of characters, so
that it does not matter where a segmenter cuts: 今天天气 and 天气预报 share 天气.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from kaoju.language.normalise import normalise
from kaoju.language.segment import stem, terms

_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_LATIN: Final = re.compile(r"[a-z][a-z'’]*(?:\d+(?:\.\d+)*)?")
_FUNCTION_ZH: Final = re.compile(
    r"请问|请|麻烦|帮忙|帮我|帮|给我|替我|我想知道|我想|我要|查询一下|查询|查一下|查查|查看|查|看看|看一下|看|告诉我|告诉|搜索|一下"
    r"|现在|目前|当前|最近|今天|明天|后天|昨天|多少|几点|何时|哪天|什么时候|什么|谁|怎么样|怎样|怎么|如何|哪个|哪些|哪里|哪儿|哪|是不是|有没有|是否"
    r"|几[天个台件人次袋份张辆班]?|一[份张间个杯辆趟吨斤升]|给|去|吗|呢|吧|的|了|是|为|在|有|还|到|把|将|对|和|与|或|及|等于|能|可以|会|我们|我|你|您|它|这|那|一共|时间"
)
_EITHER_ZH: Final = re.compile(r"([\u4e00-\u9fff])不\1")
"""热不热 asks about 热."""
_REQUEST_ZH: Final = re.compile(
    r"^(?:请|麻烦|帮忙|帮我|帮|给我|替我|查询一下|查询|查一下|查查|查看|查|看看|看一下|告诉我|搜索|一下)+"
)
_FUNCTION_EN: Final = frozenset(
    stem(word)
    for word in (
        "show find get check look tell give let see current currently now today tomorrow yesterday please need want "
        "know like much many still query search latest right us me"
    ).split()
)


@lru_cache(maxsize=20_000)
def words_for(text: str) -> frozenset[str]:
    """Return what a text says: stems of its content words, and its pairs of Chinese characters."""
    plain = normalise(text)
    latin = {stem(word) for word in _LATIN.findall(plain)} & {t for t in terms(plain) if t.isascii()}
    pairs = {run[i : i + 2] for run in _HAN.findall(plain) for i in range(len(run) - 1)}
    return frozenset(latin | pairs)


def request_length(text: str) -> int:
    """Return how many characters at the beginning only ask to look something up."""
    match = _REQUEST_ZH.match(text)
    return match.end() if match else 0


def residue(text: str, spans: tuple[tuple[int, int], ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a question says beside the given spans and function words: stems, and runs of Chinese."""
    plain = normalise(_blanked(text, spans))
    latin = tuple(term for term in terms(" ".join(_LATIN.findall(plain))) if term not in _FUNCTION_EN)
    runs = tuple(_HAN.findall(_FUNCTION_ZH.sub(" ", _EITHER_ZH.sub(r"\1", plain))))
    return latin, runs


def covered(
    text: str, spans: tuple[tuple[int, int], ...], words: frozenset[str], *, singles: bool = True
) -> tuple[float, float]:
    """Return how much of what a question says beside the spans is among the words, and how much there is.

    A stem weighs one, a Chinese character half.

    Args:
        text: the question.
        spans: what is left out of account.
        words: as `words_for` gives them.
        singles: whether a character that stands alone counts where any word holds it.
    """
    latin, runs = residue(text, spans)
    held, whole = float(sum(term in words for term in latin)), float(len(latin))
    lone = {char for word in words if "\u4e00" <= word[0] <= "\u9fff" for char in word}
    known = _known(text, spans, words)
    for run in runs:
        inside = [
            run[max(0, at - 1) : at + 1] in words or run[at : at + 2] in words for at in range(len(run))
        ]
        inside = [found or char in known for found, char in zip(inside, run, strict=True)]
        if len(run) == 1 and not inside[0]:
            inside = [singles and run in lone]
        held += sum(inside) / 2
        whole += len(run) / 2
    return held, whole


def _known(text: str, spans: tuple[tuple[int, int], ...], words: frozenset[str]) -> frozenset[str]:
    """Return the characters that stand in a pair of the words, function words included: 欠 of 还欠."""
    plain = normalise(_blanked(text, spans))
    pairs = (run[at : at + 2] for run in _HAN.findall(plain) for at in range(len(run) - 1))
    return frozenset(char for pair in pairs if pair in words for char in pair)


def _blanked(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    chars = list(text)
    for start, end in spans:
        chars[start:end] = " " * (end - start)
    return "".join(chars)
