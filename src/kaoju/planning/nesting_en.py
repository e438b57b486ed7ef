"""The innermost description of an English question. Pure rules.

Five shapes: the possessive (X's father), the relation (director of X), the
relative clause (the city where X was born), the same without its pronoun (the
country X is from) or shortened (the company founded by X), and the chain whose
question word stands at its end (X played for a team based in what state).
"""

from __future__ import annotations

import re
from typing import Final

from kaoju.language.names import find_names
from kaoju.planning.cut import Cut
from kaoju.planning.phrases import LONG_NAME, NAME, QUALIFIER, QUOTED

_MODIFIER: Final = r"(?:(?:first|second|third|last|main|current|former|original|late|lead|chief|eldest|older|younger|only|present|founding|paternal|maternal|adoptive|executive|official|head|general|project|product|account|regional|national|local|largest|oldest)\s)*"
_PERSON: Final = (
    "father|mother|parents?|wife|husband|spouse|son|daughter|child|children|brother|sister|sibling|uncle|aunt|cousin|nephew|niece|grandfather|grandmother|grandson|granddaughter|"
    "father-in-law|mother-in-law|stepfather|stepmother|partner|fianc[ée]e?|mentor|teacher|student|successor|predecessor|"
    "director|author|writer|performer|singer|composer|lyricist|songwriter|producer|screenwriter|editor|founder|co-founder|creator|designer|architect|inventor|discoverer|developer|narrator|actor|actress|star|cast member|presenter|host|"
    "leader|lead|line manager|manager|boss|supervisor|superior|adviser|advisor|assistant|deputy|owner|head|ceo|cfo|cto|president|chairman|chairwoman|chair|principal|coach|captain|mayor|governor|king|queen|ruler|minister|secretary|commander|sponsor|winner|builder|painter|sculptor|publisher|translator|person responsible"
)
_THING: Final = (
    "company|firm|employer|manufacturer|maker|supplier|vendor|contractor|client|customer|operator|parent company|parent organi[sz]ation|subsidiary|broadcaster|network|record label|label|band|group|team|club|league|party|political party|department|school|university|alma mater|college|"
    "country of citizenship|country of origin|country|city of birth|place of birth|birth ?place|place of death|hometown|home town|home country|home state|native country|city|state|county|province|district|region|continent|capital city|capital|birth city|birth country|"
    "album|record|song|book|novel|film|movie|play|debut album|native language|religion"
)
_RELATION: Final = rf"{_MODIFIER}(?:{_PERSON}|{_THING})s?"

_TITLED: Final = r"(?:,\s(?:\d+(?:st|nd|rd|th)|Duke|Duchess|Earl|Lady|Lord|Count|Countess|King|Queen|Prince|Princess|Baron|Baroness|Marquess|Viscount|Emperor|Empress|Elector|Landgrave|Margrave|Jr|Sr)\b)"
_POSSESSOR: Final = rf"(?:{QUOTED}|(?:{LONG_NAME}(?={_TITLED}),\s)?{LONG_NAME}{QUALIFIER})"
_POSSESSIVE: Final = re.compile(
    rf"(?P<inner>(?P<owner>{_POSSESSOR})(?:['’]s|['’](?=\s))\s(?P<role>{_RELATION}))\b(?!\s+of\s+(?!(?:birth|death|origin)\b))",
    re.UNICODE,
)
_KIND: Final = r"(?:(?:(?:upcoming\s)?(?:film|films|movie|song|songs|album|book|novel|series|show|company|project|product|band|game|play|policy|contract|system|platform|department|team|magazine)|tv|television|the)\s){0,3}"
_OF: Final = re.compile(
    rf"(?<![\w-])(?:the\s+)?(?P<inner>(?P<role>{_RELATION})\s+(?:of|for|behind)\s+(?:the\s+|a\s+)?{_KIND}(?P<owner>(?:{QUOTED}|{LONG_NAME}(?:(?={_TITLED}),\s{LONG_NAME})?){QUALIFIER})(?P<kind>(?:\s(?:project|film|song|series|album|company|team|department|policy|contract|system|platform|program(?:me)?))?))(?![\w-])"
)
_NOUN: Final = r"(?:[a-z][\w-]*\s){0,2}[a-z][\w-]*"
_RELATIVE: Final = re.compile(
    rf"(?<![\w-])(?P<inner>(?:the|a|an)\s+(?P<noun>{_NOUN}|(?:[A-Z][\w-]+\s){{1,2}}{_NOUN}|{_NOUN}\s[A-Z]\w+\s[a-z]+)(?P<comma>\s?,)?\s(?P<pronoun>that|which|who|whose|where|(?:in|on|at|for|to|from|by|of|under|with)\s(?:which|whom|whose))\s(?P<clause>.+))$"
)
_ZERO: Final = re.compile(
    rf"(?<![\w-])(?P<inner>the\s+(?P<noun>{_NOUN})\s+(?P<owner>{NAME}{QUALIFIER})\s+(?:(?:is|was|were|are)\s(?:now\s|then\s|currently\s|originally\s)?(?:from|part of|located in|located|situated in|an? (?:citizen|part|member|resident|native) of|born in|born|based in|set in|fought|held|in)"
    rf"|(?:comes?|came|lives?|lived|belongs?|belonged|works?|worked|plays?|played|studied|grew up)\s(?:from|in|to|for|at|with|up in)|attended|founded|wrote|directed|married))(?![\w-])"
)
_REDUCED: Final = re.compile(
    rf"(?<![\w-])(?P<inner>(?:the|a|an)\s+(?P<noun>{_NOUN})\s+(?P<verb>containing|ruling|leading|managing|running|featuring|starring|including|surrounding|hosting|representing|playing|holding|covering|"
    rf"(?:responsible|known|named|produced|directed|written|published|founded|created|developed|located|based|born|owned|led|built|designed|composed|sung|performed|released|used|established|portrayed|played|headed|run|managed|nicknamed|referred)\s(?:to\s)?(?:for|as|by|after|in|at|from|with))\s(?P<clause>(?:[a-z-]+\s){{0,5}}(?:{QUOTED}|{LONG_NAME}{QUALIFIER})))(?![\w-])"
)
_WH: Final = re.compile(
    r"\b(?:what|which|who|whom|whose|where|when|how (?:many|much|long|old|far|tall))\b", re.IGNORECASE
)
_ASKS_FIRST: Final = re.compile(
    r"^(?:in|on|at|of|for|to|from|by|under|with|during|after|besides|within|as)?\s?(?:the\s)?(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|has|have|had|can|could|name|tell|give|list)\b",
    re.IGNORECASE,
)
_TAIL_MARK: Final = re.compile(
    r",?\s(?:(?P<pronoun>that|which|who|where|whose)\s|(?=(?:(?:was|were|is|are)\s)?(?:originally\s|first\s)?(?:founded|named|created|developed|written|directed|based|headquartered|born|located|owned|published|produced|released|known|started|established|hosted|performed|composed|launched|awarded)\b))",
)
_BARE: Final = re.compile(
    r"^(?:(?:who|what|which(?:\s[\w-]+){0,2}|where|when)\s+(?:is|was|are|were|'s)\s*(?:the\s)?(?:name\sof\s(?:the\s)?|called\s)?|name|give|tell me|find|list|who\swas|identify)?\s*(?:the\s)?$",
    re.IGNORECASE,
)
_PREDICATE: Final = re.compile(
    r"\b(?:as|become|became|becoming|named|called|elected|appointed|remain(?:ed)?)\s+(?:a\s|an\s|the\s)?$",
    re.IGNORECASE,
)
_COPULA: Final = re.compile(r"\s(?:is|was|were|are)\s(?:a\s|an\s|the\s)?(?:[a-z-]+\s){0,2}$", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(
    r"\b(?:is|was|are|were|be|been)\s(?:located|found|situated|born|based|held|formed|published|set|filmed|considered)(?=,?\s(?!in\b|on\b|at\b|by\b|as\b|from\b|during\b|with\b|when\b|near\b|to\b|for\b|and\b|or\b|around\b|between\b|after\b|before\b|under\b|of\b))"
    r"|\b(?:took place|occurred|lived|died|takes place)(?=,?\s(?!in\b|on\b|at\b|by\b|as\b|from\b|during\b|with\b|when\b|near\b|for\b|and\b|or\b|after\b|before\b|of\b))"
    r"|(?=,\s(?:is|was|are|were|do|does|did|has|have|what|who|where|when|which|how|become|became)\b)",
)
_VERB_AFTER_NAME: Final = re.compile(
    rf"{NAME}{QUALIFIER}(?=\s(?:[a-z]{{3,}}(?:ed|en)|born|made|won|attend|write|die|make|play|start|work|live|join|study|graduate|become|receive|win|found)\b)"
)
_VERBAL_END: Final = re.compile(r"\s(?:is|was|are|were|been|be|originally|first|later|then)$")
MIN_SUBJECT: Final = 8
"""Characters that a subject has at least."""
_NEEDS_VERB: Final = re.compile(r"\b(?:did|does|do|was|were|is|are)\s(?:\S+\s){0,6}$", re.IGNORECASE)


def innermost(text: str) -> Cut | None:
    """Return the innermost description that something else is asked of; None where there is none."""
    for reader in (_relation, _relative, _zero, _reduced, _asked_at_end):
        cut = reader(text)
        if cut is not None:
            return cut
    return None


def _relation(text: str) -> Cut | None:
    """Read "X's father" and "the director of X", the last one in the text first."""
    found = [*_POSSESSIVE.finditer(text), *_OF.finditer(text)]
    for match in sorted(found, key=lambda m: -m.start("inner")):
        owner = match.group("owner")
        if (
            re.match(
                r"(?:What|Who|Which|Where|When|How|Is|Are|Was|Were|Did|Does|Do|In|On|At)\b(?!\s[A-Z].*\s)",
                owner,
            )
            and len(owner.split()) == 1
        ):
            continue
        inner, start, end = _without_opener(match.group("inner")), match.start("inner"), match.end("inner")
        start = end - len(inner)
        before, after = _edges(text, start, end)
        if _is_whole(before, after) or _predicates(text, start) or _adjectival(owner, after):
            continue
        return Cut(inner=inner, before=before, after=after)
    return None


def _without_opener(inner: str) -> str:
    """Take a question's first words out of a name that begins the sentence with a capital."""
    return re.sub(
        r"^(?:What|Who|Which|Where|When|How|Why|Is|Are|Was|Were|Did|Does|Do|In|On|At|Of|For|The|Name)\s(?:(?:is|was|are|were|did|does|do|the)\s)*(?=\S+\s|\S+['’]s\s)",
        "",
        inner,
    )


def _edges(text: str, start: int, end: int) -> tuple[str, str]:
    before = re.sub(r"\b(?:the|a|an)\s$", "", text[:start])
    return before, text[end:]


def _predicates(text: str, start: int) -> bool:
    """Return whether the description says what something is, instead of standing for it."""
    before = text[:start]
    return bool(_PREDICATE.search(before)) or (not _ASKS_FIRST.match(text) and bool(_COPULA.search(before)))


def _adjectival(owner: str, after: str) -> bool:
    """Return whether what looks like a name is an adjective of the next noun: "the English cricketer"."""
    return bool(re.search(r"(?:ish|ese|ian|ean|can|ch|lsh|ani|eek|utch)$", owner)) and bool(
        re.match(
            r"\s(?!is\b|was\b|has\b|did\b|die\b|born\b|and\b|in\b|of\b|from\b|at\b|to\b|with\b)[a-z]", after
        )
    )


def _is_whole(before: str, after: str) -> bool:
    """Return whether the description is all that the question asks for."""
    if after.strip(" ?.,") and not re.fullmatch(r"\s*(?:called|named|in|,\s*(?:and|please).*)?\s*", after):
        return False
    return bool(_BARE.fullmatch(before))


def _relative(text: str) -> Cut | None:
    start = 0
    best: Cut | None = None
    while (match := _RELATIVE.search(text, start)) is not None:
        start = match.start("pronoun")
        cut = _clause_cut(text, match)
        if cut is not None:
            best = cut
    return best


def _clause_cut(text: str, match: re.Match[str]) -> Cut | None:
    clause = match.group("clause")
    if not _ASKS_FIRST.match(text) and (_WH.search(clause) or match.group("pronoun") in _asking_words(text)):
        return None
    if match.group("comma") and re.match(r"(?:is|was|are|were|do|does|did|has|have)\b", clause):
        return None
    size = _clause_size(clause, text[: match.start("inner")], match.group("pronoun"))
    begin, end = match.start("inner"), match.start("clause") + size
    inner = text[begin:end].strip(" ,")
    if not _searchable(inner):
        return None
    before, after = text[:begin], text[end:]
    if _BARE.fullmatch(before) and not after.strip(" ,?."):
        return None
    return Cut(inner=inner, before=before, after=after)


def _asking_words(text: str) -> tuple[str, ...]:
    """Return the last question word of a text, which asks where none stands first."""
    found = [match.group() for match in _WH.finditer(text)]
    return (
        (found[-1], *(f"{p} {found[-1]}" for p in ("in", "on", "at", "for", "to", "from", "by", "of")))
        if found
        else ()
    )


def _clause_size(clause: str, before: str, pronoun: str) -> int:
    """Return how far a relative clause reaches: to its own verb's end where the question's verb follows."""
    ends = [match.end() for match in _CLAUSE_END.finditer(clause) if match.start() > 0]
    if pronoun in {"that", "which", "who"} and clause[:1].islower() and _NEEDS_VERB.search(before):
        ends += [match.end() for match in _VERB_AFTER_NAME.finditer(clause)]
    return min((end for end in ends if end < len(clause)), default=len(clause))


def _zero(text: str) -> Cut | None:
    return _plain(text, list(_ZERO.finditer(text)))


def _reduced(text: str) -> Cut | None:
    if not _ASKS_FIRST.match(text):
        return None
    return _plain(text, list(_REDUCED.finditer(text)))


def _plain(text: str, found: list[re.Match[str]]) -> Cut | None:
    for match in reversed(found):
        before, after = text[: match.start("inner")], text[match.end("inner") :]
        if (
            _is_whole(before, after)
            or _predicates(text, match.start("inner"))
            or _adjectival(match.group("inner"), after)
        ):
            continue
        return Cut(inner=match.group("inner"), before=before, after=after)
    return None


def _asked_at_end(text: str) -> Cut | None:
    """Read "X played for a team that was founded when": what stands before the mark is found first."""
    asked = list(_WH.finditer(text))
    if not asked or _ASKS_FIRST.match(text) or "{t" in text or re.search(r"[a-z][.!?]\s+[A-Z]", text):
        return None
    word = asked[-1].start()
    if any(match.group().casefold() in {"what", "when"} for match in asked[:-1]):
        return None
    marks = [
        m
        for m in _TAIL_MARK.finditer(text)
        if m.start() > MIN_SUBJECT
        and m.end() <= word + 1
        and m.start("pronoun") != word
        and not _VERBAL_END.search(text[: m.start()])
    ]
    if not marks:
        return None
    last = marks[-1]
    inner, outer = text[: last.start()].strip(" ,"), text[last.end() :]
    if not _searchable(inner) or len(inner.split()) < 3:
        return None
    return Cut(inner=inner, before="", after=f" {outer}")


def _searchable(text: str) -> bool:
    return "{t" in text or bool(re.search(r"\d|[\"“]", text)) or bool(find_names(text))
