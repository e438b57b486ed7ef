"""Codes, quoted names and proper nouns of a text, as exact slices.

Promises precision before recall: a sentence's first capital is a name only
where the word is no ordinary one; question words are never names. Chinese
names come from quotation, from the suffixes that organisations, projects and
places carry, and from the segmenter's proper-noun tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, Literal

from kaoju.language.normalise import normalise
from kaoju.language.segment import cut, load_dictionary, stop_words, words_of

NameKind = Literal["code", "name", "title", "quoted"]

_CODE: Final = re.compile(
    r"(?<![\w-])(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z])[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)*(?![\w-])", re.ASCII
)
_TIER: Final = re.compile(r"\s(?:Pro|Max|Plus|Mini|Ultra|Lite|SE|Air)(?:\s(?:Max|Plus))?\b")
"""What makes another product of a code: S2 Pro is no S2."""
_NOT_CODE: Final = re.compile(
    r"\d+(?:st|nd|rd|th|s|k|m|bn|kg|km|cm|mm|g|h|mb|gb|tb|am|pm|x|d|pp)|[HQ][1-4]|FY\d{2,4}|(?:19|20)\d\d[A-Za-z]?|\d{4}-\d{2}-\d{2}T.*",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(r"《([^《》\n]{1,60})》|〈([^〈〉\n]{1,60})〉|«([^«»\n]{1,60})»")
_QUOTED: Final = re.compile(
    r"“([^“”\n]{1,60})”|「([^「」\n]{1,60})」|『([^『』\n]{1,60})』|\"([^\"\n]{2,60})\"|(?<!\w)'([^'\n]{2,60})'(?!\w)|‘([^‘’\n]{2,60})’"
)
_WORD: Final = r"(?:(?:[A-Z]\.)+[A-Z]?|(?:St|Mr|Mrs|Ms|Dr|Jr|Sr|Mt)\.|[a-z]?[A-Z](?:[\w&]|['’-](?=\w))*)"
_CAPITALS: Final = re.compile(
    rf"(?<![\w]){_WORD}(?:(?:(?:\s+(?:of|the|and|de|la|le|du|van|von|der|den|di|da|del|for|in|on|at|to|&)){{1,2}}\s+{_WORD})|\s+(?:{_WORD}|\d{{1,3}}(?![\w,.%]|\s*(?:%|percent))))*"
)
_HAN_ORG: Final = re.compile(
    r"[\u4e00-\u9fff（）()]{2,20}?(?:有限责任公司|股份有限公司|有限公司|集团公司|集团|公司|大学|学院|医院|银行|事务所|研究院|研究所|委员会)(?:股份有限公司|有限责任公司|有限公司)?"
)
_HAN_NAMED: Final = re.compile(r"[\u4e00-\u9fff]{2,6}(?:项目|计划|工程|平台|系统|产品线)")
_TAGS: Final = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz"})
_EDGE: Final = "的和与及或在是为有把将从对由等这那该各某本请问在了给让被向跟"


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it stands in a text: `source[start:end] == text`."""

    text: str
    kind: NameKind
    start: int
    end: int


def load_dictionaries() -> None:
    """Load the dictionaries of segmentation and names now; otherwise the first Chinese text does."""
    find_names("北辰项目")
    normalise("辭典")


def find_names(text: str) -> tuple[Name, ...]:
    """Return the names of a text in order; longer ones win over those inside them."""
    return _found(text)


@lru_cache(maxsize=20_000)
def _found(text: str) -> tuple[Name, ...]:
    candidates = [*_delimited(text), *_codes(text), *_capitalised(text), *_han(text)]
    kept: list[Name] = []
    for name in sorted(candidates, key=lambda n: (_RANK[n.kind], -(n.end - n.start), n.start)):
        if all(name.end <= other.start or name.start >= other.end for other in kept):
            kept.append(name)
    return tuple(sorted(kept, key=lambda n: n.start))


_RANK: Final = {"title": 0, "quoted": 0, "code": 1, "name": 2}


def _delimited(text: str) -> Iterator[Name]:
    kinds: tuple[tuple[re.Pattern[str], NameKind], ...] = ((_TITLE, "title"), (_QUOTED, "quoted"))
    for pattern, kind in kinds:
        for match in pattern.finditer(text):
            group = next(i for i, value in enumerate(match.groups(), start=1) if value is not None)
            inner = match.group(group)
            if inner.strip() and len(inner.split()) <= 12:
                yield Name(inner, kind, match.start(group), match.end(group))


def _codes(text: str) -> Iterator[Name]:
    for match in _CODE.finditer(text):
        if not _NOT_CODE.fullmatch(match.group()):
            tier = _TIER.match(text, match.end())
            end = tier.end() if tier else match.end()
            yield Name(text[match.start() : end], "code", match.start(), end)


def _capitalised(text: str) -> Iterator[Name]:
    stop = stop_words()
    for match in _CAPITALS.finditer(text):
        start, end = match.span()
        words = list(re.finditer(r"\S+", match.group()))
        if (
            text[end - 1] == "."
            and end < len(text)
            and len(words) == 1
            and not _INITIALS.fullmatch(match.group())
        ):
            continue
        opens = not text[:start].strip() or text[:start].rstrip()[-1] in _OPENS
        while words and _is_lead(words, stop, opens=opens):
            words.pop(0)
        if words:
            for begin, until in _apart(text, start + words[0].start(), end):
                yield from _name(text, begin, until)


_OPENS: Final = frozenset('.!?\n:。！？"“')
_INITIALS: Final = re.compile(r"(?:[A-Z]\.){2,}")


def _is_lead(words: list[re.Match[str]], stop: frozenset[str], *, opens: bool) -> bool:
    """Return whether the first word of a run only leads to the name: a function word, or an ordinary one that opens a sentence."""
    plain = normalise(re.sub(r"('s|’s)?[^\w]*$", "", words[0].group()))
    if plain in stop:
        return opens or plain not in _OF_NAMES
    lower_next = len(words) > 1 and words[1].group()[0].islower()
    return opens and (plain in _OPENERS or (lower_next and plain in _common_words()))


_OF_NAMES: Final = frozenset({"old", "long", "far", "other"})
"""Function words of questions that open names in mid-sentence: Old Bridge, Long Island."""


def _name(text: str, begin: int, until: int) -> Iterator[Name]:
    found = text[begin:until]
    if not _INITIALS.fullmatch(found):
        found = re.sub(r"(?:'s|’s|[.'’-])+$", "", found)
    if " " not in found:
        opens = not text[:begin].strip() or text[:begin].rstrip()[-1] in _OPENS
        if (
            len(found) < 2
            or found.lower() in _CALENDAR
            or (opens and not found.isupper() and _dictionary_word(found))
        ):
            return
    if not _PERIOD.fullmatch(found):
        yield Name(found, "name", begin, begin + len(found))


_PERIOD: Final = re.compile(r"(?:[HQ][1-4]|FY)(?:\s?\d+)?")
_CALENDAR: Final = frozenset(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)


_OPENERS: Final = frozenset(
    "although however therefore while because since despite according besides moreover furthermore meanwhile "
    "yes no one two three many several some most all each every first second third last next today yesterday "
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday compare list name explain describe summarize "
    "are is was were do does did can could will would should has have had in on at by for from with among between".split()
)


def _dictionary_word(word: str) -> bool:
    """Return whether a lone sentence-initial word is more likely an ordinary one: a common word, or one with such an ending."""
    plain = word.lower()
    return word.isalpha() and (plain in _OPENERS or plain in _common_words() or plain.endswith(_ENDINGS))


_ENDINGS: Final = (
    "ing",
    "ed",
    "ly",
    "tion",
    "ment",
    "ness",
    "ies",
    "ers",
    "ive",
    "ous",
    "al",
    "es",
    "ts",
    "ms",
)


@cache
def _common_words() -> frozenset[str]:
    return words_of("commonwords.txt")


_AND: Final = re.compile(r"\s+and\s+")
_PAIR: Final = re.compile(r"\b(?:both|between)\s+(?:the\s+)?$", re.IGNORECASE)


def _apart(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a run of capitals that `and` joins: two full names, or what "both" and "between" announce."""
    joint = _AND.search(text, start, end)
    if joint is None:
        yield start, end
        return
    left, right = text[start : joint.start()].split(), text[joint.end() : end].split()
    full = len(left) > 1 and len(right) > 1 and all(word[0].isupper() for word in (*left, *right))
    if full or (_PAIR.search(text[:start]) and left != right):
        yield start, joint.start()
        yield from _apart(text, joint.end(), end)
    else:
        yield start, end


def _han(text: str) -> Iterator[Name]:
    if not re.search(r"[\u4e00-\u9fff]", text):
        return
    for pattern in (_HAN_ORG, _HAN_NAMED):
        for match in pattern.finditer(text):
            yield from _trimmed(match.group(), match.start())
    offset = 0
    for word, flag in _tagged(text):
        at = text.find(word, offset)
        if at < 0:
            continue
        offset = at + len(word)
        if (
            flag in _TAGS
            and len(word) >= 2
            and "\u4e00" <= word[0] <= "\u9fff"
            and not re.search(r"[^\w·]", word)
        ):
            yield Name(word, "name", at, offset)


_LEADING: Final = re.compile(r"^(?:对比|比较|查询|介绍|查找|统计|负责|关于|参与|属于)+")


def _trimmed(found: str, start: int) -> Iterator[Name]:
    """Cut what leads up to an organisation or project off its name: particles, verbs and function words."""
    body = _LEADING.sub(lambda match: "的" * len(match.group()), found.replace("有限", "\0\0"))
    at = max((body.rfind(char) for char in _EDGE), default=-1) + 1
    words = cut(found[at:])
    while len(words) > 1 and normalise(words[0]) in stop_words():
        at += len(words.pop(0))
    tail = found[at:]
    if len(tail) > 2 and tail not in _GENERIC:
        yield Name(tail, "name", start + at, start + at + len(tail))


_GENERIC: Final = frozenset(
    "有限公司 本公司 该公司 子公司 分公司 母公司 各项目 本项目 所有项目 哪个项目 个项目 公司".split()
)


def _tagged(text: str) -> list[tuple[str, str]]:
    return [(pair.word, pair.flag) for pair in _tagger().cut(text)]


@lru_cache(maxsize=1)
def _tagger() -> Any:
    from jieba import posseg  # noqa: PLC0415 - loaded with the first Chinese text

    load_dictionary()
    return posseg
