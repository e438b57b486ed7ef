"""Long descriptions of one unknown thing, cut into the conditions it has to meet. Pure rules.

"Which company, reported by A, was fined for X, and, as B writes, opened Y?" is
rarely answered by one passage: each condition has its own. The unknown's own
words go with every condition.
"""

from __future__ import annotations

import re
from typing import Final

from kaoju.language.segment import terms
from kaoju.model.question import Language
from kaoju.planning.sides_en import split_list

MIN_WORDS: Final = 24
MIN_CHARS: Final = 48
"""Shorter descriptions are found by one search."""
MIN_CONDITION_WORDS: Final = 6

_UNKNOWN_EN: Final = re.compile(
    r"^(?:(?:in|of|for|by|on|at)\s)?(?:which|what|who|whose)\b(?:\s(?:is|was|are|were)\sthe)?(?:\s[a-z-]+){0,3}?(?=[\s,]+(?:that|which|who|whose|is|was|has|had|are|reported|known|mentioned|featured|according|as|,)|,)",
    re.IGNORECASE,
)
_SOURCED_EN: Final = re.compile(
    r"^(?:considering|given|based on|according to|from|using)\s(?:both\s)?(?:the information (?:from|in)\s)?(?P<list>.+\sand\s.+?),\s(?P<asked>(?:which|what|who|whose|where|when|how)\b.+)$",
    re.IGNORECASE,
)
_JOINT_EN: Final = re.compile(
    r",\s+(?:and|but|or)\s+(?=\w)|\s+and\s+(?=(?:is|was|has|had|are|were|who|which|that|whose|also|did|does|could|can|might|will|would|later|now|recently|currently)\b)|[;,]\s+(?=(?:who|which|that|whose|is|was|has|had|known|reported|mentioned|while|with)\b)|\s+while\s+",
    re.IGNORECASE,
)
_JOINT_ZH: Final = re.compile(r"[，,；;](?:并且?|同时|而且|且|又|还|此外|另外)?")


def find_conditions(query: str, language: Language) -> tuple[str, ...]:
    """Return the conditions of a long description, at most two groups of them; empty for anything else."""
    bare = query.strip().rstrip("?？。. ")
    return _chinese(bare) if language == "zh" else _english(bare)


def _english(bare: str) -> tuple[str, ...]:
    sourced = _SOURCED_EN.match(bare)
    if sourced is not None:
        asked = " ".join(word for word in sourced.group("asked").split() if terms(word))
        return tuple(f"{source} {asked}" for source in split_list(sourced.group("list")))
    unknown = _UNKNOWN_EN.match(bare)
    if unknown is None or len(bare.split()) < MIN_WORDS:
        return ()
    halves = _halves(
        bare[unknown.end() :],
        [match.span() for match in _JOINT_EN.finditer(bare[unknown.end() :])],
        by_words=True,
    )
    if not halves or any(len(half.split()) < MIN_CONDITION_WORDS for half in halves):
        return ()
    about = " ".join(word for word in unknown.group().split() if terms(word))
    return tuple(f"{about} {half}".strip() for half in halves)


def _chinese(bare: str) -> tuple[str, ...]:
    if len(bare) < MIN_CHARS or not re.search(r"哪(?:一|个|家|位|款|部|所)|谁|什么", bare):
        return ()
    return _halves(bare, [match.span() for match in _JOINT_ZH.finditer(bare)], by_words=False)


def _halves(text: str, joints: list[tuple[int, int]], *, by_words: bool) -> tuple[str, ...]:
    """Cut a text in two at the joint nearest its middle."""
    least = 4 * MIN_CONDITION_WORDS if by_words else 12
    inside = [joint for joint in joints if joint[0] >= least and joint[1] <= len(text) - least]
    if not inside:
        return ()
    start, end = min(inside, key=lambda joint: abs(joint[0] + joint[1] - len(text)))
    return (text[:start].strip(" ,，;"), text[end:].strip(" ,，;"))
