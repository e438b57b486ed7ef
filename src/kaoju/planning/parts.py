"""The questions that one question holds, each made self-contained. Pure rules, Chinese and English.

Numbered lists, several question marks, joined questions ("who leads it and when
did it start") and several attributes of one thing ("甲项目的预算和负责人"). Pronouns of
later parts give way to the subject of the first.
"""

from __future__ import annotations

import re
from typing import Final

from kaoju.language.names import find_names
from kaoju.language.segment import terms
from kaoju.model.question import Language

_WH_EN: Final = r"(?:who|whom|whose|what|when|where|which|how|why)"
_AUX_EN: Final = r"(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should|may|must)"
_NUMBERED: Final = re.compile(
    r"(?:^|[\s，,；;：:。?？])(?:[(（]?\d[)）.、．]|[①②③④⑤]|[一二三四五]是|第[一二三四五][，,、]|(?:first|second|third|finally)(?:ly)?,)\s*(?=\S)",
    re.IGNORECASE,
)
_SPLIT_EN: Final = re.compile(
    rf"\?\s+(?=(?-i:[A-Z]|and\b|also\b))(?=(?:and\s+|also,?\s+)?(?:{_WH_EN}|{_AUX_EN}|(?:in|on|at|by|for|from|to|of)\s{_WH_EN})\b)|[,;]?\s+(?:and|also|as well as)\s+(?:also\s+)?(?=(?:(?:in|on|at|by|for|from|to|of|under)\s)?{_WH_EN}\b)|;\s+(?=(?:and\s)?(?:{_WH_EN}|{_AUX_EN})\b)",
    re.IGNORECASE,
)
_SPLIT_ZH: Final = re.compile(r"[？?；;]\s*(?=\S)|[，,](?:以及|并且|另外|还有|同时|此外|再|也)?(?=.)")
_ASKS_ZH: Final = re.compile(
    r"什么|多少|谁|哪|几(?=[个位天年月次名项家元条人岁号点种])|何时|何处|为何|如何|怎么|怎样|吗$|是否|能否|可否|有没有|是不是|多[长久大高远]"
)
_ATTRIBUTES_ZH: Final = re.compile(
    r"^(?P<owner>[^，,？?]{2,30}?)的(?P<list>[^的，,？?哪谁什几]{1,12}(?:(?:、|和|与|及|以及)[^的，,？?哪谁什几是有各分都]{1,12})+)(?P<ask>(?:分别|各自?|都)?(?:是|有|在)?(?:什么|谁|多少|哪些|哪里|怎样的|如何|怎么样)?(?:呢)?)$"
)
_ATTRIBUTES_EN: Final = re.compile(
    r"^(?P<ask>(?:what|who|when|where|which)\s(?:is|are|was|were)\s)(?P<list>(?:the\s)?[a-z-]+(?:\s[a-z-]+){0,2}(?:,\s(?:the\s)?[a-z-]+(?:\s[a-z-]+){0,2})*,?\s(?:and|as well as)\s(?:the\s)?[a-z-]+(?:\s[a-z-]+){0,2}?)\s(?P<owner>(?:of|for)\s.+)$",
    re.IGNORECASE,
)
_PRONOUN_EN: Final = re.compile(
    r"\b(?:it|he|she|they|this|that)\b|\b(?P<own>its|his|her|their)\b", re.IGNORECASE
)
_PRONOUN_ZH: Final = re.compile(r"^(?:它|他|她|其|该(?:项目|公司|产品|部门|制度|人))(?:们)?(?P<own>的)?")


def find_parts(query: str, language: Language) -> tuple[str, ...]:
    """Return the questions that one question holds; empty where it is one."""
    bare = query.strip().rstrip("?？。. ")
    listed = _attributes(bare, language)
    if listed:
        return listed
    pieces = _numbered(bare) or (_chinese(bare) if language == "zh" else _english(bare))
    pieces = [piece for piece in pieces if terms(piece)]
    return _self_contained(pieces, language) if len(pieces) > 1 else ()


def _numbered(bare: str) -> list[str]:
    marks = list(_NUMBERED.finditer(bare))
    if len(marks) < 2:
        return []
    ends = [mark.start() for mark in marks[1:]] + [len(bare)]
    pieces = [bare[mark.end() : end].strip(" ，,；;？?。") for mark, end in zip(marks, ends, strict=True)]
    subject = find_names(bare[: marks[0].start()])
    return [piece if find_names(piece) or not subject else f"{subject[0].text} {piece}" for piece in pieces]


def _english(bare: str) -> list[str]:
    pieces = [piece.strip(" ,;") for piece in _SPLIT_EN.split(bare)]
    return pieces if all(_asks_en(piece) for piece in pieces) else []


def _asks_en(piece: str) -> bool:
    return bool(re.search(rf"\b{_WH_EN}\b|^(?:and\s)?{_AUX_EN}\b", piece, re.IGNORECASE))


def _chinese(bare: str) -> list[str]:
    """Split at commas too, and join what asks nothing of its own to what follows it."""
    whole: list[str] = []
    held = ""
    for piece in (part.strip(" ，,。") for part in _SPLIT_ZH.split(bare)):
        held = f"{held}，{piece}" if held else piece
        if _ASKS_ZH.search(piece):
            whole.append(held)
            held = ""
    if held and whole:
        whole[-1] = f"{whole[-1]}，{held}"
    return whole


def _attributes(bare: str, language: Language) -> tuple[str, ...]:
    """Read several attributes of one thing."""
    match = (_ATTRIBUTES_ZH if language == "zh" else _ATTRIBUTES_EN).match(bare)
    if match is None:
        return ()
    owner = match.group("owner")
    if language == "zh":
        items = [item for item in re.split(r"、|以及|和|与|及", match.group("list")) if item]
        if not _names_something(owner) or any(find_names(item) for item in items):
            return ()
        ask = re.sub(r"^(?:分别|各自?|都)", "", match.group("ask"))
        return tuple(f"{owner}的{item}{ask}" for item in items)
    items = [
        re.sub(r"^the\s", "", item.strip())
        for item in re.split(r",\s(?:and\s)?|\s(?:and|as well as)\s", match.group("list"))
        if item.strip()
    ]
    return (
        tuple(f"{match.group('ask')}the {item} {re.sub(r',? respectively$', '', owner)}" for item in items)
        if _names_something(owner)
        else ()
    )


def _names_something(owner: str) -> bool:
    return bool(find_names(owner)) or bool(re.search(r"\d", owner))


def _self_contained(pieces: list[str], language: Language) -> tuple[str, ...]:
    """Put the first part's subject where later parts only point to it."""
    subject = next((name.text for name in find_names(pieces[0])), "")
    done = [re.sub(r"^and\s", "", pieces[0])]
    for piece in pieces[1:]:
        bare = re.sub(
            r"^(?:and|also|以及|并且|另外|还有|同时|此外|再|也)[\s,，]*", "", piece, flags=re.IGNORECASE
        )
        if not subject:
            done.append(bare)
        elif language == "zh":
            pointed = _PRONOUN_ZH.sub(lambda m: subject + (m.group("own") or ""), bare, count=1)
            done.append(pointed if subject in pointed or find_names(pointed) else f"{subject}{pointed}")
        else:
            done.append(_pointed_en(bare, subject))
    return tuple(done)


def _pointed_en(piece: str, subject: str) -> str:
    if find_names(piece):
        return piece
    pointed = _PRONOUN_EN.sub(lambda m: f"{subject}'s" if m.group("own") else subject, piece, count=1)
    return pointed if subject in pointed else f"{piece} {subject}"
