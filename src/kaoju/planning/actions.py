"""Whether a question itself asks for an effect. Pure.

Promises: a tool that changes something is considered only where its user tells
us to do so: an order, or a polite question that is one. Refuses: questions
about such effects, negated orders, and orders that are merely quoted.
"""

from __future__ import annotations

import re
from typing import Final

from kaoju.planning.wording import words_for

_QUOTED: Final = re.compile(r"“[^”]*”|「[^」]*」|\"[^\"]*\"|‘[^’]*’|《[^》]*》|```.*?```", re.DOTALL)
_POLITE_ZH: Final = re.compile(r"(?:请|麻烦|帮我|帮忙|替我|给我|我要|我想|能不能|能否|可以|可否)")
_FOR_ZH: Final = re.compile(r"^(?:给|为|替|帮)[^，,。\s]{1,16}?")
"""An order on behalf of someone: 给张三订…"""
_ASKS_ZH: Final = re.compile(r"谁|什么|为何|哪|几[个次天时]|多少|怎么|如何|是否|有没有|[吗呢么][?？]?\s*$")
_BID_ZH: Final = re.compile(
    r"(?:能不能|能否|可以|可否|能).{0,4}(?:帮我|帮忙|替我|给我).*|.*(?:帮我|替我).*[吗么][?？]?\s*$"
)
_NOT_ZH: Final = re.compile(r"不要|别|勿|不用|不必|无需|没有?(?:让|要求)|禁止|已经?(?:被)?")
_LEAD_EN: Final = re.compile(
    r"^(?:(?:hi|hello|hey|ok|now|then|and)[,\s]+)*(?:please[,\s]+)?"
    r"(?:(?:can|could|would|will) you (?:please )?|i(?:'d| would)? (?:like|want|need) (?:you )?to |help me (?:to )?|go ahead and |let'?s )?"
    r"(?:please )?(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_WANTS_EN: Final = re.compile(
    r"^(?:please[,\s]+)?i(?:'d| would)? (?:like|want|need) (?:a|an|the)\b", re.IGNORECASE
)
_NOT_EN: Final = re.compile(
    r"\b(?:do not|don'?t|never|without|has been|have been|was|were|had)\b", re.IGNORECASE
)
_QUESTION_EN: Final = frozenset(
    "what who whom whose when where why which how is are was were do does did has have had should may might must shall".split()
)


def asks_for_action(text: str, verbs: frozenset[str]) -> bool:
    """Return whether a question orders what these words say.

    Args:
        text: the whole question, as the user wrote it.
        verbs: the words for what the tool does.
    """
    bare = _QUOTED.sub(" ", text).strip()
    if re.search(r"[\u4e00-\u9fff]", bare):
        return _orders_zh(bare, verbs)
    if _NOT_EN.search(bare):
        return False
    if _WANTS_EN.match(bare):
        return bool(words_for(bare) & verbs)
    match = _LEAD_EN.match(bare)
    if match is None or match.group("verb").lower() in _QUESTION_EN:
        return False
    return bool(words_for(f"x {match.group('verb')}") & verbs)


def _orders_zh(text: str, verbs: frozenset[str]) -> bool:
    if _NOT_ZH.search(text):
        return False
    if _ASKS_ZH.search(text) and not _BID_ZH.match(text):
        return False
    plain = text.strip(" ，,。！!？?")
    if not words_for(plain) & verbs and not _single(plain, verbs):
        return False
    return bool(_POLITE_ZH.search(plain) or _FOR_ZH.match(plain)) or _starts_with(plain, verbs)


def _single(text: str, verbs: frozenset[str]) -> bool:
    """Return whether a polite order names the deed by one character of its word (订 for 预订)."""
    ends = {word[-1] for word in verbs if "\u4e00" <= word[0] <= "\u9fff"}
    polite = re.search(r"(?:请|帮我|帮忙|替我|给我|我要|我想)(?:再|先)?(\S)", text)
    if polite is not None and polite.group(1) in ends:
        return True
    return any(re.match(rf"{_FOR_ZH.pattern}(?:再|先)?{end}[一两几\d]", text) for end in ends)


def _starts_with(text: str, verbs: frozenset[str]) -> bool:
    return text[:2] in verbs or text.startswith("把")
