"""Questions whose answer hangs on another answer: where to cut them. Pure rules.

"The office of the leader of project Q" is cut into "leader of project Q" and
"office of {that}". Only cuts with a clear inner description count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kaoju.language.names import find_names
from kaoju.model.question import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """A question cut in two."""

    inner: str
    """What has to be found first, self-contained."""
    outer: str
    """What is asked of it; `{t1}` stands where the inner answer goes."""


_ROLE_ZH: Final = (
    "负责人|项目经理|产品经理|经理|总监|主管|主任|组长|领导|作者|导演|主演|编剧|演唱者|歌手|创始人|创办人|董事长|总裁|总经理|法人|法定代表人"
    "|供应商|承办方|承包商|客户|合作方|母公司|子公司|控股股东|股东|母亲|父亲|妻子|丈夫|儿子|女儿|老师|出版社|开发商|制造商|所在部门|所属部门|牵头部门|责任部门|主管部门|部门|团队|所在城市|所在地|总部|首都|校长|院长"
)
_CHAIN_ZH: Final = re.compile(rf"^(?P<inner>.{{2,40}}?(?:的)?(?:{_ROLE_ZH}))(?:的|所在的?|所属的?)(?P<attr>.{{2,40}})$")
_AGENT_ZH: Final = re.compile(rf"^(?P<inner>(?:负责|主管|领导|管理|承办|开发|导演|创办|牵头|参与|撰写|提供).{{2,24}}?的(?:人|员工|同事|经理|部门|公司|团队|供应商|导演|作者|{_ROLE_ZH}))(?P<attr>的?.{{2,40}})$")
_VERB_ZH: Final = re.compile(rf"^(?P<inner>.{{2,40}}?(?:的)?(?:{_ROLE_ZH}))(?P<attr>(?:在|是哪|位于|属于|毕业于|来自|向谁|由谁|住|任职|出生|负责|还).{{1,40}})$")

_ROLE_EN: Final = (
    r"(?:\w+\s)?(?:leader|lead|manager|director|head|author|writer|performer|singer|composer|founder|co-founder|ceo|cfo|president|chairman|chair|owner|spouse|wife|husband"
    r"|father|mother|son|daughter|child|brother|sister|producer|supplier|vendor|contractor|client|customer|company|firm|team|department|unit|country|city|state|county|province|capital"
    r"|publisher|developer|creator|designer|architect|editor|star|cast member|band|group|artist|label|network|school|university|college|employer|manufacturer|inventor|operator|party|team|league|sponsor|winner|parent company|place of birth|birthplace|hometown|headquarters)"
)
_OF_EN: Final = re.compile(
    rf"^(?P<head>.*?)\b(?:the\s+)?(?P<inner>(?P<role>{_ROLE_EN})\s+(?:of|for|behind)\s+(?P<ent>.+?))(?P<tail>(?:\s+(?:work|live|sit|located|based|born|die|died|graduate|graduated|study|studied|report|join|joined|come|from)\b.*|'s\s+.*)?)\??$",
    re.IGNORECASE,
)
_POSSESSIVE_EN: Final = re.compile(
    rf"^(?P<head>.*?)\b(?P<inner>(?:the\s+)?[\w][\w .'&-]*?'s\s+(?P<role>{_ROLE_EN}))(?P<tail>(?:'s)?\s+.*|'s\b.*)?\??$", re.IGNORECASE
)
_RELATIVE_EN: Final = re.compile(
    rf"^(?P<head>.*?)\b(?P<inner>(?:the|a|an)\s+(?P<role>(?:[\w-]+\s){{0,3}}[\w-]+)\s+(?:that|which|who|whose|where|in which|for which)\s+(?P<clause>.+?))(?P<tail>)\??$",
    re.IGNORECASE,
)
_PARTICIPLE_EN: Final = re.compile(
    rf"^(?P<head>.*?)\b(?P<inner>(?:the\s+)(?P<role>{_ROLE_EN})\s+(?:responsible for|in charge of|known for|born in|located in|based in|founded by|directed by|written by|produced by|published by|starring|featuring|leading|managing|running)\s+(?P<clause>.+?))(?P<tail>)\??$",
    re.IGNORECASE,
)
_NESTED_EN: Final = re.compile(rf"^(?:the\s+)?(?P<inner>{_ROLE_EN}\s+(?:of|for|behind)\s+.+)$", re.IGNORECASE)
_BARE_HEAD: Final = re.compile(r"^(?:who|what|which(?: \w+)?)\s+(?:is|was|are|were|'s)\s*(?:the\s*)?$", re.IGNORECASE)


def find_hop(query: str, language: Language) -> Hop | None:
    """Return where a question can be cut in two, None where it is of one piece."""
    return _chinese(query) if language == "zh" else _english(query)


def _chinese(query: str) -> Hop | None:
    bare = query.strip(" ？?。.")
    for pattern in (_AGENT_ZH, _CHAIN_ZH, _VERB_ZH):
        match = pattern.match(bare)
        if match is None:
            continue
        inner, attr = match.group("inner"), match.group("attr").removeprefix("的")
        if re.fullmatch(r"是?(?:谁|什么|哪位|哪个人|哪里|哪家|哪个|多少)+(?:人|公司)?", attr) or len(inner) < 4:  # noqa: PLR2004 - nothing to hop from
            continue
        return Hop(inner=inner, outer="{t1}" + ("" if attr.startswith(("在", "是", "由", "向")) else " ") + attr)
    return None


def _english(query: str) -> Hop | None:
    bare = query.strip(" ?.")
    for pattern in (_OF_EN, _PARTICIPLE_EN, _POSSESSIVE_EN, _RELATIVE_EN):
        match = pattern.match(bare)
        if match is None:
            continue
        head, inner, tail = match.group("head").strip(), match.group("inner").strip(), (match.group("tail") or "").strip()
        if (_BARE_HEAD.match(head + " ") or _BARE_HEAD.match(head) or not head) and not tail:
            nested = _NESTED_EN.match(match.groupdict().get("ent") or "")
            if nested is None:
                continue
            return Hop(inner=nested.group("inner"), outer=f"{head} {match.group('role')} of {{t1}}".strip())
        if pattern is not _RELATIVE_EN and not find_names(inner) and not re.search(r"\b(?:of|that|who|for|'s)\b", inner):
            continue
        outer = " ".join(part for part in (head, "{t1}", tail) if part).replace("{t1} 's", "{t1}'s")
        return Hop(inner=inner, outer=outer)
    return None
