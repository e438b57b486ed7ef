"""Words that turn a sentence round: directions, comparisons, negations, scopes.

Pure. A claim contradicts its evidence when both speak of the same thing and
one says "rose" where the other says "fell", or one denies what the other
states. A scope word ("all", "only", "on average", "at least") that the claim
adds or drops changes what is claimed. Word lists are data, read top to bottom.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Turn = Literal["direction", "negation", "scope"]

_RISE: Final = (
    r"增加|增长|上升|上涨|提高|提升|上调|攀升|增至|升至"
    r"|\b(?:increas\w*|ris(?:e|es|en|ing)|rose|grow(?:s|n|ing|th)?|grew|climb\w*|gain(?:s|ed)?|up from)\b"
)
_FALL: Final = (
    r"减少|下降|下跌|降低|下滑|下调|缩减|减至|降至|跌至"
    r"|\b(?:decreas\w*|fall(?:s|en|ing)?|fell|declin\w*|drop(?:s|ped|ping)?|shr[aiu]nk\w*|reduc\w*|down from)\b"
)
_MORE: Final = (
    r"高于|多于|大于|超过|超出|优于|超支"
    r"|\b(?:more|higher|greater|larger|above|over|better) than\b|\bexceed\w*\b"
)
_LESS: Final = r"低于|少于|小于|不足|不到|劣于|结余|\b(?:less|fewer|lower|smaller|below|under|worse) than\b"
_MOST: Final = r"最高|最多|最大|最早|\b(?:highest|most|largest|biggest|earliest|maximum)\b"
_LEAST: Final = r"最低|最少|最小|最晚|\b(?:lowest|least|smallest|latest|minimum)\b"
_MAY: Final = r"(?<!不)允许|(?<!不)可以|可由|\b(?:allowed|permitted|may)\b"
_MAY_NOT: Final = r"禁止|不得|不可以|不允许|\b(?:forbidden|prohibited|may not|must not|not allowed)\b"
_FLOOR: Final = r"至少|不少于|不低于|以上|\b(?:at least|no less than|or more)\b"
_CEILING: Final = r"至多|最多|不超过|以下|\b(?:at most|no more than|up to|or less)\b"

_OPPOSITES: Final[tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]] = tuple(
    (re.compile(one), re.compile(other))
    for one, other in (
        (_RISE, _FALL),
        (_MORE, _LESS),
        (_MOST, _LEAST),
        (r"之前|以前|早于|\b(?:before|earlier than|prior to)\b", r"之后|以后|晚于|\b(?:after|later than)\b"),
        (r"盈利|\bprofit(?:s|able)?\b", r"亏损|\bloss(?:es)?\b"),
        (_MAY, _MAY_NOT),
        (_FLOOR, _CEILING),
    )
)

_NEGATION: Final = re.compile(
    r"没有|未(?!来|必|知|[^,.]{1,4}的)|不(?!过|仅|但|同|断|少|久|足|到|超|低|得不|管|论|如|止|只|光|同|锈|动产|良|等|可或缺)|无(?!论|锡|线|人机|形)|非(?!常|洲|营利|法)|并未|从未|尚未"
    r"|\b(?:not|no|never|none|neither|nor|without|cannot)\b|n't\b"
)

_LIGHT: Final = frozenset(
    {"a", "an", "the", "be", "been", "to", "any", "have", "in", "on", "of", "longer", "yet"}
)
"""Words between a negation and what it denies."""

_SCOPES: Final[tuple[re.Pattern[str], ...]] = tuple(
    re.compile(pattern)
    for pattern in (
        r"所有|全部|全体|每[个名位项家]|一律|\b(?:all|every|each|entire)\b",
        r"仅|只有|唯一|只能|只(?:限|在|对|向)|\b(?:only|solely|exclusively)\b",
        r"平均|人均|\b(?:average|averaged|mean|per capita)\b",
        r"至少|不少于|不低于|\b(?:at least|no less than)\b",
        r"至多|不超过|\b(?:at most|no more than|up to)\b",
        r"累计|\bcumulative(?:ly)?\b",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """What sets a claim against its evidence."""

    kind: Turn
    words: str
    """The claim's words at fault, or the evidence's words that the claim dropped."""


def turned(claim: str, near: str, whole: str) -> Turned | None:
    """Return how a claim turns its evidence round; None when it does not.

    Args:
        claim: normalised claim.
        near: normalised clauses of the evidence that say most of what the claim says.
        whole: normalised sentences that these clauses stand in.
    """
    for one, other in _OPPOSITES:
        for mine, theirs in ((one, other), (other, one)):
            said = mine.search(claim)
            if said and not theirs.search(claim) and theirs.search(near) and not mine.search(whole):
                return Turned(kind="direction", words=said.group())
    denied = _NEGATION.search(claim)
    if denied and not _NEGATION.search(whole):
        return Turned(kind="negation", words=denied.group())
    if not denied:
        dropped = next(
            (found for found in _NEGATION.finditer(near) if _denied_word(near, found) in claim), None
        )
        if dropped is not None:
            return Turned(kind="negation", words=dropped.group())
    return None


def _denied_word(text: str, negation: re.Match[str]) -> str:
    """Return the word that a negation denies: the next content word, or the next two characters in Chinese."""
    after = text[negation.end() :].lstrip()
    latin = next((word for word in re.findall(r"[a-z0-9'-]+", after) if word not in _LIGHT), "")
    return latin if re.match(r"[a-z0-9]", after) and latin else after[:2]


def scope_change(claim: str, evidence: str) -> Turned | None:
    """Return a scope word that the claim adds to what its evidence says; None where it adds none."""
    for scope in _SCOPES:
        said = scope.search(claim)
        if said and not scope.search(evidence):
            return Turned(kind="scope", words=said.group())
    return None
