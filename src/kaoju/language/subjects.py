"""Of what a sentence speaks, where it does not say so itself: its heading, its title, the sentence before.

Promises: a sentence under "S2", under "启明二期项目" or about the Porto office is
told from one about S1, 启明项目 or the Lisbon office, in Chinese and English; a
name that is only part of a longer one ("启明" in "启明二期") does not count.
Refuses certainty where nothing is named: that is `open`. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, Literal

from kaoju.language.normalise import normalise
from kaoju.language.segment import words_of

Bearing = Literal["own", "open", "other"]
"""Whether a text speaks of the thing that was asked for, of nothing named, or of another of its kind."""

SECTION: Final = " > "
"""What joins the headings of a section path."""
_CODE: Final = re.compile(r"(?<![a-z0-9])([a-z]{1,8})[- ]?(\d[\da-z]*(?:[-.]\d+)*)(?![a-z0-9])")
_TIERS: Final = "pro|max|plus|mini|ultra|lite|se|ii|iii|iv|air|light"
_LONGER_LATIN: Final = re.compile(rf"^[\s-]*(?:{_TIERS})(?![a-z])")
_LONGER_HAN: Final = re.compile(
    rf"^(?:第?[一二三四五六七八九十\d]+[期号代版]|[ⅡⅢⅣ]|[新旧老]|升级版|加强版|\s*(?:{_TIERS})(?![a-z])|[-\s]?\d)"
)
_KINDS: Final = re.compile(
    r"(?:项目|系统|平台|工程|计划|方案|部门|事业部|部|科|处|中心|公司|集团|分公司|办事处|办公室|工厂|门店|学院|大学|医院|银行|产品|型|版|合同|协议|制度|办法|手册|园区|基地|仓库|课程|班|组)$"
)
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[a-z0-9][a-z0-9.'&-]*")
_NUMBERING: Final = re.compile(r"^\s*(?:第?[一二三四五六七八九十百\d]+[章节条、.)）]\s*|\d+(?:\.\d+)+\s+)")
_GENERIC_HAN: Final = frozenset(
    {"本", "该", "此", "各", "全", "总", "子", "新", "大", "小", "主要", "相关", "所有", "每个", "其他"}
)


def bearing(anchor: str, sentence: str, headings: Sequence[str]) -> Bearing:
    """Return how a sentence stands to a thing that was asked for.

    Args:
        anchor: the name or code that was asked for.
        sentence: as it stands.
        headings: what it stands under, innermost first, the title of its document last.
    """
    name, said = normalise(anchor), normalise(sentence)
    direct = _compare(name, said)
    if direct == "own":
        return "own"
    for heading in headings:
        above = _compare(name, _plain_heading(heading), heading=True)
        if above != "open":
            return above
    return direct


def headings_of(section: str, title: str) -> tuple[str, ...]:
    """Return what a passage stands under, innermost first; the title of its document last, unless a heading contradicts it.

    A document without a title of its own is called after its first heading,
    which says nothing of its other sections.
    """
    path = tuple(part for part in reversed(section.split(SECTION)) if part.strip())
    if not title.strip() or title in path:
        return path
    if path and _compare(normalise(path[-1]), normalise(title), heading=True) == "other":
        return path
    return (*path, title)


def about(section: str, title: str) -> str:
    """Return what a passage is about without saying so: its headings and title, outermost first."""
    return " ".join(reversed(headings_of(section, title)))


@lru_cache(maxsize=8192)
def _compare(name: str, text: str, *, heading: bool = False) -> Bearing:
    if not name or not text:
        return "open"
    codes = _CODE.findall(name)
    if codes:
        return _by_codes(codes, name, text)
    return (
        _by_han(name, text, heading=heading) if _HAN.search(name) else _by_words(name, text, heading=heading)
    )


def _by_codes(codes: Sequence[tuple[str, str]], name: str, text: str) -> Bearing:
    tiered = re.search(rf"(?:{_TIERS})$", name)
    other = False
    for letters, digits in codes:
        own = False
        for found in _CODE.finditer(text):
            if found[1] != letters:
                continue
            longer = not tiered and _LONGER_LATIN.match(text[found.end() :])
            if found[2] == digits and not longer:
                own = True
            else:
                other = True
        if own:
            return "own"
    return "other" if other else "open"


def _by_han(name: str, text: str, *, heading: bool) -> Bearing:
    kind = _KINDS.search(name)
    core = name[: kind.start()] if kind and kind.start() >= 2 else name
    seen = False
    at = text.find(core)
    while at >= 0:
        seen = True
        after = text[at + len(core) :]
        if core != name and after.startswith(name[len(core) :]):
            return "own"
        if not _LONGER_HAN.match(after):
            return "own"
        at = text.find(core, at + 1)
    if seen:
        return "other"
    if kind is None or kind.start() < 2:
        return "open"
    suffix = kind[0]
    rivals = [
        found
        for found in re.findall(rf"([\u3400-\u9fff]{{2,8}}?){suffix}", text)
        if found not in _GENERIC_HAN
    ]
    return "other" if rivals and heading and text.rstrip().endswith(suffix) else "open"


def _by_words(name: str, text: str, *, heading: bool) -> Bearing:
    words = [word for word in _WORD.findall(name) if word not in {"the", "of", "and"}]
    if not words:
        return "open"
    found = re.search(
        r"(?<![a-z0-9])"
        + r"[\s.,'’-]+(?:of |the |and )*".join(map(re.escape, words))
        + r"(?:'s|s)?(?![a-z0-9])",
        text,
    )
    if found:
        return "other" if heading and _LONGER_LATIN.match(text[found.end() :]) else "own"
    last = words[-1]
    if (
        len(words) > 1
        and last not in _common()
        and re.search(rf"(?<![a-z0-9]){re.escape(last)}(?![a-z0-9])", text)
    ):
        return "own"
    return "open"


def _plain_heading(heading: str) -> str:
    return normalise(_NUMBERING.sub("", heading)).strip()


@cache
def _common() -> frozenset[str]:
    return words_of("commonwords.txt")
