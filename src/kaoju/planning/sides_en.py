"""What an English question compares, and what it asks of each side. Pure rules.

A conjunction alone makes no comparison: there has to be a word that compares,
joins or chooses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaoju.language.segment import stop_words
from kaoju.planning.comparison import Side
from kaoju.planning.phrases import name_end

MAX_SIDES: Final = 3
MAX_NAME_WORDS: Final = 14
MAX_CLAUSE_WORDS: Final = 40
MAX_WORDS: Final = 32
"""Longer questions compare only where they say so at once: "Between A and B, ..."."""

_WH: Final = r"(?:which|who|whom|what|where|when|whose|how)"
_AUX: Final = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)"
_MORE: Final = re.compile(
    r"\b(?:first|last|earli(?:er|est)|lat(?:er|est)|sooner|before|after|more|most|less|least|fewer|fewest|better|best|worse|worst|same|"
    r"(?!ever\b|never\b|over\b|under\b|other\b|whether\b|number\b|member\b|after\b|her\b|per\b)(?:old|young|larg|bigg|small|long|short|high|low|great|tall|heavi|light|wid|deep|fast|slow|new|near|clos|rich|cheap|strong|wealthi|broad|thick|warm|cold)(?:er|est))\b",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    r"\b(?:first|last|earli(?:er|est)|lat(?:er|est)|sooner|older|oldest|younger|youngest|newer|newest)\b",
    re.IGNORECASE,
)
_AGE: Final = re.compile(r"\b(?:older|oldest|younger|youngest)\b", re.IGNORECASE)
_JOINED: Final = re.compile(
    r"\b(?:both|same|respectively|differ\w*|compar\w*|similar\w*|alike|share[sd]?|in common|versus|vs|each other|together)\b",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"\s(?:both|all|from|located|situated|based|have|has|had|share[sd]?|the same|of the same|members? of|in the same|in terms|respectively|differ\w*|"
    r"are|is|was|were|do|does|did|start\w*|use[sd]?|work\w*|live[sd]?|die[sd]?|born|make|play\w*|belong\w*|similar|alike|compar\w*|when|with respect|with regard|regarding|for|in|on|by|as to)\b",
)
_CLAUSES: Final = re.compile(
    rf"^(?:between|comparing|of)\s+(?P<list>.+?),\s+(?P<asked>(?:{_WH}|{_AUX}|in (?:which|what|whose))\b.+)$",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    r"^(?P<before>.*?)\b(?:(?:the\s+)?(?:main\s+|key\s+)?(?:differences?|similarit(?:y|ies)|distinctions?|comparisons?|relations?|relationship|contrast)\s+)?between\s+(?P<list>.+?\sand\s.+)$",
    re.IGNORECASE,
)
_OUT_OF: Final = re.compile(
    rf"^(?P<head>{_WH}\b.+?),?\s(?:out of|of the two,?|among|between|of)\s(?P<list>(?-i:[A-Z\"“'‘]).+?\sand\s.+)$",
    re.IGNORECASE,
)
_BOTH: Final = re.compile(
    r"^(?:both\s(?P<list>.+?\sand\s.+)|(?P<list2>.+?\sand\s.+?),?\s(?:are|were|have|share)\s(?:both\s|the same\s).+)$",
    re.IGNORECASE,
)
_COMPARE: Final = re.compile(
    r"^(?:please\s+)?(?:compare|contrast|compare and contrast)\s+(?P<rest>.+)$", re.IGNORECASE
)
_AGAINST: Final = re.compile(r"\s+(?:and|with|to|against|versus|vs\.?)\s+")
_DIFFER: Final = re.compile(
    r"^how\s+(?:do|does|did)\s+(?P<a>.+?)\s+(?:differ\s+from|compare\s+(?:with|to)|compared\s+(?:with|to))\s+(?P<b>.+?)(?P<after>\s+(?:in|on|with|regarding|when)\b.*)?$",
    re.IGNORECASE,
)
_VERSUS: Final = re.compile(
    r"^(?P<a>.+?)\s+(?:versus|vs\.?)\s+(?P<b>.+?)(?P<after>(?:\s*[,:]|\s+(?:in|on|for|when)\b).*)?$",
    re.IGNORECASE,
)
_THAN: Final = re.compile(
    rf"^{_AUX}\s+(?P<a>.+?)\s+(?P<topic>(?:have|has|had|get|make|take|cost|last|run|pay|start\w*|be|a|the|much|\w+ly)?\b.*?\S*)\s+(?:than|as)\s+(?P<b>.+)$",
    re.IGNORECASE,
)
_YES_NO: Final = re.compile(rf"^(?P<aux>{_AUX})\s+(?P<rest>.+?\sand\s.+)$", re.IGNORECASE)
_CLASS: Final = re.compile(
    r"^(?:both\s+)?(?:of\s+)?(?:the\s+)?(?:(?P<class>[a-z-]+(?:\s[a-z-]+)?)\s*[,:]\s*|(?:both\s+)?(?:the\s+)?(?P<of>(?:[a-z-]+\s)+of\s)?(?:both\s+)?(?:the\s+)?(?P<plural>[a-z-]+s)\s(?=[\"'“‘¿¡A-Z0-9]))",
    re.ASCII,
)
_FILLERS: Final = frozenset(
    "first last earlier earliest later latest sooner same both also respectively more most less least fewer fewest better best share shared shares common differ differs different "
    "difference differences compare compared compares comparing between than or and either than "
    "older oldest younger youngest larger largest bigger biggest smaller smallest longer longest shorter shortest higher highest lower lowest greater greatest taller tallest newer newest out".split()
)
_SPELLED: Final = {"came": "released", "come": "released"}


def find(query: str) -> tuple[Side, ...]:
    """Return the sides that an English question compares, in order; empty where it compares nothing."""
    bare = " ".join(query.split()).strip(" ?.")
    if len(bare.split()) > MAX_WORDS:
        return _of_clauses(bare)
    for reader in (_of_clauses, _chosen, _either, _between, _compared, _differing, _than, _joined, _listed):
        found = reader(bare)
        if len(found) > 1:
            return found[:MAX_SIDES]
    return ()


def _of_clauses(bare: str) -> tuple[Side, ...]:
    """Read "Between A and B, which ...": the two may be whole descriptions."""
    match = _CLAUSES.match(bare)
    if match is None:
        return ()
    sides = split_list(match.group("list"))
    return tuple(_about(side, match.group("asked")) for side in sides)


def _chosen(bare: str) -> tuple[Side, ...]:
    """Read "Which ..., A or B?": the choice stands at the end."""
    at = bare.rfind(" or ")
    right = bare[at + 4 :].strip() if at > 0 else ""
    if (
        not right
        or len(right.split()) > MAX_NAME_WORDS
        or re.match(rf"{_WH}\b|not\b|more\b|less\b", right, re.IGNORECASE)
    ):
        return ()
    start = _choice_start(bare, at)
    if start is None:
        return ()
    head, left = bare[:start].strip(" ,:"), bare[start:at].strip(" ,:")
    if len(left.split()) > MAX_NAME_WORDS or not left:
        return ()
    items = [*_commas(left, right), right]
    return tuple(_asked_of(item, head) for item in items)


def _choice_start(bare: str, at: int) -> int | None:
    """Return where the list of a choice begins: after the comma that ends the question proper."""
    commas = [
        m.end()
        for m in re.finditer(r"[,:]\s+|\s[–—-]\s", bare[:at])
        if re.search(rf"\b{_WH}\b", bare[: m.start()], re.IGNORECASE)
    ]
    after = [c for c in commas if _MORE.search(bare[:c])]
    if after:
        return after[0]
    if commas:
        return commas[-1]
    compared = [
        m.end() for m in _MORE.finditer(bare[:at]) if re.search(rf"^(?:in |of )?{_WH}\b", bare, re.IGNORECASE)
    ]
    if compared and bare[compared[-1] : at].strip() and name_end(bare[compared[-1] :].lstrip()):
        return compared[-1]
    return None


def _commas(left: str, right: str) -> list[str]:
    pieces = [piece.strip() for piece in re.split(r",\s+(?![^()]*\))", left) if piece.strip()]
    alike = len(pieces) > 1 and "," not in right and all(name_end(p) or len(p.split()) <= 3 for p in pieces)
    return pieces if alike and len(pieces) < MAX_SIDES else [left]


def _either(bare: str) -> tuple[Side, ...]:
    """Read "Was A or B born first?" and "Who was born first out of A and B?"."""
    late = _OUT_OF.match(bare)
    if late is not None and _MORE.search(late.group("head")):
        sides = split_list(late.group("list"))
        return tuple(_asked_of(side, late.group("head")) for side in sides)
    match = re.match(rf"^{_AUX}\s+(?P<list>.+(?-i: or ).+)$", bare, re.IGNORECASE)
    if match is None or not _MORE.search(bare):
        return ()
    left, right = match.group("list").rsplit(" or ", 1)
    end = _side_end(right, left)
    if not end or len(left.split()) > MAX_NAME_WORDS or not _MORE.search(right[end:]):
        return ()
    return tuple(_asked_of(side, right[end:]) for side in (left, right[:end].strip()))


def _between(bare: str) -> tuple[Side, ...]:
    match = _BETWEEN.match(bare)
    if match is None or not re.search(
        r"differ|similar|distinct|compar|contrast|relation", bare[: match.start("list")], re.IGNORECASE
    ):
        return ()
    a, b, after = _pair(match.group("list"))
    return tuple(_about(side, f"{match.group('before')} {after}") for side in (a, b) if side)


def _compared(bare: str) -> tuple[Side, ...]:
    match = _COMPARE.match(bare)
    if match is None:
        return ()
    rest = match.group("rest")
    joint = list(_AGAINST.finditer(rest))
    if not joint:
        return ()
    middle = min(joint, key=lambda m: abs(m.start() - len(rest) / 2))
    left, right = rest[: middle.start()], rest[middle.end() :]
    shared = re.match(r"^(?P<topic>.+\s(?:of|in|for|between|at|from|on|by))\s+(?P<a>.+)$", left)
    if shared is None:
        b, _, asked = re.sub(
            r"\s+(?:in terms of|by|on|regarding|for|with respect to)\s+", "\0", right, count=1
        ).partition("\0")
        return (_about(left, asked), _about(b, asked))
    preposition = shared.group("topic").split()[-1]
    whole = re.match(rf"^(?:(?P<topic>.+\s)?{preposition}\s+)(?P<b>.+)$", right)
    b = whole.group("b") if whole else right
    other = (
        f"{whole.group('topic')}{preposition} {b}"
        if whole and whole.group("topic")
        else f"{shared.group('topic')} {b}"
    )
    return (Side(name=shared.group("a"), query=left), Side(name=b, query=other))


def _differing(bare: str) -> tuple[Side, ...]:
    match = _DIFFER.match(bare) or _VERSUS.match(bare)
    if match is None:
        return ()
    sides = [
        re.sub(rf"^(?:{_WH}|{_AUX})\s+(?:is|are)?\s*", "", match.group(g).strip(), flags=re.IGNORECASE)
        for g in ("a", "b")
    ]
    return tuple(_about(side, match.group("after") or "") for side in sides if side)


def _than(bare: str) -> tuple[Side, ...]:
    """Read "Is A older than B?" and "Does A have the same nationality as B?"."""
    match = _THAN.match(bare)
    if match is None or not (_MORE.search(match.group("topic")) or _MORE.search(match.group("a"))):
        return ()
    whole = f"{match.group('a')} {match.group('topic')}"
    end = name_end(whole) or len(match.group("a"))
    b = match.group("b")
    if (same := re.match(rf"\s{re.escape(b.split()[-1])}\b", whole[end:])) is not None:
        end += same.end()
    a, topic = whole[:end], whole[end:]
    if _MORE.search(a):
        return ()
    return tuple(_asked_of(side, topic) for side in (a, b))


def _joined(bare: str) -> tuple[Side, ...]:
    """Read "Are A and B both ...?" and its kin."""
    stated = _BOTH.match(bare)
    if (
        stated is not None
        and re.search(rf"\b{_WH}\b", bare, re.IGNORECASE)
        and not re.match(rf"(?:\w+\s)?{_WH}\b", bare, re.IGNORECASE)
    ):
        a, b, after = _pair(stated.group("list") or bare)
        return tuple(_about(side, after) for side in (a, b)) if a and b else ()
    match = _YES_NO.match(bare)
    if match is None or not (_JOINED.search(bare) or re.search(r"\bmembers\b|\bspecies\b", bare)):
        return ()
    rest = match.group("rest")
    kind = _CLASS.match(rest)
    before = (
        " ".join(filter(None, (kind.group("of"), kind.group("class") or kind.group("plural"))))
        if kind
        else ""
    )
    listed = rest[kind.end() :] if kind else re.sub(r"^both\s+", "", rest)
    a, b, after = _pair(listed)
    if not a or not b:
        return ()
    return tuple(_about(side, f"{before} {after}") for side in (a, b))


def _listed(bare: str) -> tuple[Side, ...]:
    """Read "What are the periods of A and B (respectively)?": the question itself serves for each."""
    if not re.match(rf"(?:{_WH}|in (?:which|what))\b", bare, re.IGNORECASE) or not re.search(
        r"\brespectively\b|\b(?:do|did|does|are|were|have|is)\s.*\b(?:both|same|share|in common)\b|\beach\b",
        bare,
        re.IGNORECASE,
    ):
        return ()
    cut = re.sub(r",?\s*\brespectively\b", "", bare)
    for joint in re.finditer(r"\sand\s", cut):
        start = max(
            (
                m.end()
                for m in re.finditer(
                    r"\b(?:of|in|for|by|at|from|on|do|did|does|are|were|is|both)\s", cut[: joint.start()]
                )
            ),
            default=0,
        )
        left, right = cut[start : joint.start()].strip(), cut[joint.end() :]
        end = _side_end(right, left)
        if start and left and end and (name_end(left) or name_end(right)):
            before, after = cut[:start], right[end:]
            sides = (left, right[:end])
            if re.search(r"\b(?:both|same|share|common)\b", after):
                return tuple(_about(side, f"{before} {after}") for side in sides)
            return tuple(Side(name=side, query=f"{before}{side}{after}") for side in sides)
    return ()


def split_list(listed: str) -> tuple[str, ...]:
    """Split a list of whole descriptions at the conjunction that leaves them most alike."""
    joints = list(re.finditer(r",?\s(?:and|or)\s", listed))
    if not joints:
        return ()
    best = max(joints, key=lambda m: _alike(listed[: m.start()], listed[m.end() :]))
    sides = (listed[: best.start()].strip(" ,"), listed[best.end() :].strip(" ,"))
    return sides if all(side and len(side.split()) <= MAX_CLAUSE_WORDS for side in sides) else ()


def _pair(listed: str) -> tuple[str, str, str]:
    """Return both sides of "A and B ..." and what follows; empty strings where there are none."""
    options: list[tuple[float, str, str, str]] = []
    for joint in re.finditer(r",?\sand\s(?:also\s)?", listed):
        left, right = listed[: joint.start()].strip(" ,"), listed[joint.end() :]
        end = _side_end(right, left)
        if left and end and len(left.split()) <= MAX_NAME_WORDS:
            options.append((_alike(left, right[:end]), left, right[:end].strip(" ,"), right[end:]))
    return max(options)[1:] if options else ("", "", "")


def _side_end(right: str, left: str) -> int:
    """Return where the second side ends: at the word the first one ends with, at the end of its name, or at a verb."""
    last = left.rsplit(maxsplit=1)[-1] if left else ""
    if last.islower() and (same := re.match(rf"(?:\S+\s){{0,6}}?\S*\b{re.escape(last)}\b", right)):
        return same.end()
    end = name_end(right)
    if end:
        if (
            "," in left
            and (more := re.match(r",\s", right[end:]))
            and (next_end := name_end(right[end + more.end() :]))
        ):
            return end + more.end() + next_end
        return end
    stop = _END.search(right)
    return stop.start() if stop else len(right)


def _alike(left: str, right: str) -> float:
    one, two = left.split(), right.split()
    if not one or not two:
        return -99.0
    score = -0.15 * abs(len(one) - len(two))
    score += 3.0 * (one[0].casefold() == two[0].casefold()) + 1.0 * (one[1:2] == two[1:2] and len(one) > 1)
    score += 1.0 * bool(name_end(right)) + 0.5 * (one[-1].casefold() == two[-1].casefold())
    return score


def _asked_of(side: str, head: str) -> Side:
    """Return a side of a choice; what decides it is a time or a length where the comparison says so."""
    asked = f"{head} born" if _AGE.search(head) and "born" not in head else head
    about = _about(side, asked)
    wanted = "when" if _TIME.search(head) else "how long" if re.search(r"\blong(?:er|est)\b", head) else ""
    return Side(name=side, query=f"{wanted} {about.query}".strip())


def _about(side: str, asked: str) -> Side:
    """Return a side with what is asked of it, words that it carries itself left out."""
    own = {word.casefold() for word in side.split()}
    words = [word for word in dict.fromkeys(_topic_words(asked)) if word.casefold() not in own]
    return Side(name=side, query=" ".join([side, *words]))


def _topic_words(text: str) -> Iterator[str]:
    stop = stop_words()
    for word in re.findall(r"[^\s,?;:()\"“”]+", text):
        plain = word.casefold().strip("'‘’.")
        if plain and plain not in stop and plain not in _FILLERS:
            yield _SPELLED.get(plain, word)
