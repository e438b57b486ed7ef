"""The assertions that a question wants checked. Pure rules, Chinese and English.

"Does the article from A suggest P, while the article from B claims Q?" holds two;
"据说甲已经完工，是否属实" holds one, without the words of asking.
"""

from __future__ import annotations

import re
from typing import Final

from kaoju.model.question import Language

_YES_NO_EN: Final = re.compile(
    r"^(?:is|are|was|were|does|did|do|has|have|had|can|could|should|will|would|may|must)\b", re.IGNORECASE
)
_LATE_YES_NO_EN: Final = re.compile(
    r"^(?P<first>(?:after|since|following|given|based on|considering|according to|before|from|with|in light of)\b.+?),\s(?P<asked>(?:is|are|was|were|does|did|do|has|have|had)\s.+)$",
    re.IGNORECASE,
)
_TRUE_EN: Final = re.compile(
    r"^(?:is it (?:really )?(?:true|correct|the case|right) that|is it a fact that|can you (?:confirm|verify) (?:that|whether)|(?:please )?(?:verify|confirm|check|fact-check)(?: that| whether| if)?:?)\s+|,?\s+(?:is (?:that|this|it) (?:true|correct|right)|true or false|right|correct)$",
    re.IGNORECASE,
)
_SPLIT_EN: Final = re.compile(
    r",?\s+(?:while|whereas|in contrast to|in contrast with|as opposed to|unlike)\s+|,\s+(?:but|yet)\s+(?=(?:does|did|is|was|the|do|has|not)\b)|,\s+and\s+(?=(?:does|did|do|is|was|has|the (?:article|report|document|policy))\b)",
    re.IGNORECASE,
)
_YES_NO_ZH: Final = re.compile(
    r"是否|是不是|有没有|能否|可否|能不能|可不可以|会不会|属实|对不对|对吗|真的吗|真假|吗[？?]?$"
)
_TRUE_ZH: Final = re.compile(
    r"^(?:请)?(?:核实|核查|验证|查证|确认|判断|证实)(?:一下|下)?(?:以下说法|这个说法|这句话)?(?:是否(?:属实|正确))?[：:，,]?|^(?:据说|听说|有人说|传言|网传|有消息称|据称|据传)[，,：:]?|[，,。]?(?:这|这个说法|这种说法|该说法|此话|这话|这句话|的说法|此事|消息)?(?:是否属实|属实吗|是真的吗|是真的还是假的|对不对|对吗|正确吗|是否正确|是否准确|准确吗|真的吗|是不是真的|是真是假)$"
)
_SPLIT_ZH: Final = re.compile(r"[，,；;](?:而|但是|但|并且|同时)(?=.{4})")


def find_claims(query: str, language: Language) -> tuple[str, ...]:
    """Return the assertions to check, each as a search phrase; empty where nothing is to be checked."""
    bare = query.strip().rstrip("?？。. ")
    return _chinese(bare) if language == "zh" else _english(bare)


def _english(bare: str) -> tuple[str, ...]:
    claim = _TRUE_EN.sub("", bare).strip()
    late = _LATE_YES_NO_EN.match(claim)
    if late is not None:
        return (late.group("first"), late.group("asked"))
    if claim == bare and not _YES_NO_EN.match(bare):
        return ()
    return tuple(piece.strip(" ,") for piece in _SPLIT_EN.split(claim) if len(piece.split()) > 2)


def _chinese(bare: str) -> tuple[str, ...]:
    claim = _TRUE_ZH.sub("", bare).strip("，, ")
    if claim == bare and not _YES_NO_ZH.search(bare):
        return ()
    pieces = tuple(piece.strip("，, ") for piece in _SPLIT_ZH.split(claim))
    return pieces if all(len(piece) >= 4 for piece in pieces) else (claim,)
