"""One claim against the evidence that it cites.

Promises: a verdict with the words that failed, and the exact sentences that
carry the claim. Layers, each able to stop it: hard facts, words that turn a
sentence round, overlap of content. The sentences are chosen first and the
facts are sought there, so that a figure which stands elsewhere in the same
document, about something else, does not count. Refuses: rewording.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import Final

from kaoju.answering.computed import computed_numbers
from kaoju.answering.consistency import scope_change, turned
from kaoju.answering.explain import say
from kaoju.answering.facts import Facts, Miss, missing_facts, plain_of, read_facts
from kaoju.answering.units import Unit, units_of, with_header_units
from kaoju.language.asking import has_word, weight
from kaoju.language.normalise import normalise
from kaoju.language.numbers import Quantity
from kaoju.language.segment import terms
from kaoju.language.subjects import about as above
from kaoju.model.answer import ClaimVerdict
from kaoju.model.evidence import Evidence
from kaoju.model.question import Language

SUPPORT: Final = 0.6
"""Weighted share of a claim's content words that its sentences must carry."""
ABOUT: Final = 0.5
"""Share above which a sentence is about the same thing, so that another figure there contradicts."""
WINDOW: Final = 4
"""Sentences at most that one claim may rest on."""
VERBATIM: Final = 0.85
"""Share of a claim's words from which its sentences are complete."""
GAIN: Final = 0.05
"""Share of a claim's words that a further sentence must add."""
KIN: Final = 0.3
"""Share of a claim's words that a further sentence must carry to be drawn on, unless it stands beside."""
CLOSE: Final = 0.6
"""Share of the best clause's words that a clause must reach to speak of the same thing."""

_PART: Final = re.compile(r"[,;；，、]|\b(?:and|while|but|whereas)\b|而")
_CLAUSE: Final = re.compile(r"[,，;；。！？!?：:]|\bbut\b|\bwhile\b|但")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The verdict on one claim, and where it stands."""

    verdict: ClaimVerdict
    confidence: float
    reason: str = ""
    units: tuple[Unit, ...] = ()
    """Sentences that carry the claim, in order of the evidence."""


def check_claim(text: str, pieces: Sequence[Evidence], *, now: date, language: Language) -> Check:
    """Judge a claim by the pieces of evidence that it cites.

    Args:
        text: the claim, without markers.
        pieces: what it cites; none gives `unsupported`.
        now: reference date for relative times in the claim.
        language: language of the reason.
    """
    units = units_of(pieces)
    if not units:
        return Check(
            verdict="unsupported",
            confidence=0.9,
            reason=say(language, "没有可对照的依据", "nothing to check it against"),
        )
    plain = normalise(text)
    exact = _standing(plain, pieces, units)
    if exact:
        return Check(verdict="supported", confidence=0.99, units=exact)
    claim = read_facts(text, now)
    words = {word: weight(word) for word in terms(claim.prose)}
    window = choose_window(words, claim.digits, units)
    evidence = _facts_of(window, pieces, now)
    borne = computed_numbers(claim, evidence, pieces)
    misses = missing_facts(claim, evidence, borne)
    support = _share(words, window)
    if misses:
        return _missed(misses, claim, evidence, support, window, whole=_whole(pieces, now), language=language)
    stray = _stray(claim, window, borne, pieces, now)
    if stray:
        reason = say(
            language,
            f"依据中的“{stray}”说的是别的事",
            f'"{stray}" stands in the evidence about something else',
        )
        return Check(verdict="contradicted", confidence=0.8, reason=reason, units=window)
    told = " ".join(unit.plain for unit in window)
    turn = None if borne else turned(plain, _near_clauses(words, window), told)
    if turn is not None:
        reason = say(
            language,
            f"“{turn.words}”与依据的说法相反",
            f'"{turn.words}" is the opposite of what the evidence says',
        )
        return Check(verdict="contradicted", confidence=0.8, reason=reason, units=window)
    scope = scope_change(plain, told)
    if scope is not None and not borne:
        reason = say(language, f"依据没有说“{scope.words}”", f'the evidence does not say "{scope.words}"')
        return Check(verdict="unsupported", confidence=0.7, reason=reason, units=window)
    if support < SUPPORT:
        lacking = _lacking(words, window)
        reason = say(language, f"依据中没有：{lacking}", f"the evidence does not mention: {lacking}")
        return Check(verdict="unsupported", confidence=round(1.0 - support, 3), reason=reason, units=window)
    return Check(verdict="supported", confidence=round(0.5 + support / 2, 3), units=window)


def choose_window(words: Mapping[str, float], digits: Set[str], units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Return the few units that a claim rests on: the nearest, then those that add words which it states.

    Words decide, figures only between equals: a sentence that says the same of
    something else must not be chosen for its figure, nor may a neighbour make
    good a figure that differs in the sentence which says all the words.
    """
    ranked = sorted(
        units, key=lambda unit: (-round(_share(words, (unit,)), 6), -_digits_held(digits, (unit,)))
    )
    chosen = [ranked[0]]
    while len(chosen) < WINDOW and _share(words, chosen) < VERBATIM:
        have = _share(words, chosen)
        held = _digits_held(digits, chosen)
        further = [
            (_share(words, (*chosen, unit)) - have, _digits_held(digits, (*chosen, unit)) - held, unit)
            for unit in ranked
            if unit not in chosen and (_share(words, (unit,), context=False) >= KIN or _beside(unit, chosen))
        ]
        if not further:
            break
        gain, _, unit = max(further, key=lambda option: (round(option[0], 6), option[1]))
        if gain < GAIN:
            break
        chosen.append(unit)
    order = {unit: place for place, unit in enumerate(units)}
    return tuple(sorted(chosen, key=order.__getitem__))


def _digits_held(digits: Set[str], units: Sequence[Unit]) -> int:
    text = " ".join(plain_of(unit.text) for unit in units)
    return sum(bool(re.search(rf"(?<!\d){re.escape(run)}(?!\d)", text)) for run in digits)


def _stray(
    claim: Facts, window: Sequence[Unit], borne: Sequence[Quantity], pieces: Sequence[Evidence], now: date
) -> str:
    """Return a figure that one clause of the claim takes from a sentence about another thing; empty where none does.

    A claim that draws on several sentences is right only if each of its clauses
    finds its figures in the sentence that says most of that clause.
    """
    if len(window) < 2:
        return ""
    known = {quantity.value for quantity in borne}
    for clause in _PART.split(claim.text):
        facts = read_facts(clause, now)
        words = {word: weight(word) for word in terms(facts.prose)}
        if len(words) < 2 or not (facts.numbers or facts.times):
            continue
        own = choose_window(words, facts.digits, window)
        misses = missing_facts(
            facts, _facts_of(own, pieces, now), tuple(n for n in facts.numbers if n.value in known)
        )
        figures = [miss.text for miss in misses if miss.kind in {"number", "time"}]
        if figures:
            return figures[0]
    return ""


def _beside(unit: Unit, chosen: Sequence[Unit]) -> bool:
    return any(
        unit.evidence_id == other.evidence_id and abs(unit.position - other.position) == 1 for other in chosen
    )


def _standing(plain: str, pieces: Sequence[Evidence], units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Return the units in which the claim stands word for word; empty where it does not."""
    bare = plain.strip(" 。.")
    if len(bare) < 4:
        return ()
    for unit in units:
        if bare in unit.plain:
            return (unit,)
    for piece in pieces:
        if bare in normalise(piece.text):
            touched = [
                unit for unit in units if unit.evidence_id == piece.id and unit.plain.strip(" 。.") in bare
            ]
            if touched:
                return tuple(touched)
    return ()


def _share(words: Mapping[str, float], units: Sequence[Unit], *, context: bool = True) -> float:
    total = sum(words.values())
    if not total:
        return 0.0
    held = sum(value for word, value in words.items() if _held(word, units, context=context))
    return held / total


def _held(word: str, units: Sequence[Unit], *, context: bool = True) -> bool:
    return any(
        has_word(word, unit.plain, unit.stems)
        or (context and has_word(word, unit.context, unit.context_stems))
        for unit in units
    )


def _facts_of(window: Sequence[Unit], pieces: Sequence[Evidence], now: date) -> Facts:
    """Return the facts of the window, what it is about included, and of the typed rows behind it."""
    shown = {unit.evidence_id for unit in window}
    about = [above(piece.locator.section, piece.title) for piece in pieces if piece.id in shown]
    said = [with_header_units(unit.text) for unit in window]
    return read_facts("\n".join((*said, *about)), now)


def _whole(pieces: Sequence[Evidence], now: date) -> Facts:
    return read_facts("\n".join(with_header_units(piece.text) for piece in pieces), now)


def _near_clauses(words: Mapping[str, float], window: Sequence[Unit]) -> str:
    """Return the clauses of the window that speak most of what the claim speaks of."""
    weighed: list[tuple[float, str]] = []
    for unit in window:
        for clause in _CLAUSE.split(unit.plain):
            stems = set(terms(clause))
            share = sum(value for word, value in words.items() if has_word(word, clause, stems))
            weighed.append((share, clause))
    best = max((share for share, _ in weighed), default=0.0)
    return " ".join(clause for share, clause in weighed if share > 0 and share >= CLOSE * best)


def _lacking(words: Mapping[str, float], window: Sequence[Unit]) -> str:
    lacking = sorted((word for word in words if not _held(word, window)), key=lambda word: -words[word])
    return ", ".join(lacking[:5])


def _missed(
    misses: Sequence[Miss],
    claim: Facts,
    evidence: Facts,
    support: float,
    window: tuple[Unit, ...],
    *,
    whole: Facts,
    language: Language,
) -> Check:
    """Return the verdict on a claim whose facts the window does not bear."""
    failing = ", ".join(dict.fromkeys(miss.text for miss in misses))
    elsewhere = not missing_facts(claim, whole)
    rival = any(
        (miss.kind == "number" and evidence.numbers) or (miss.kind == "time" and evidence.times)
        for miss in misses
    )
    if elsewhere:
        reason = say(
            language,
            f"依据中的“{failing}”说的是别的事",
            f'"{failing}" stands in the evidence about something else',
        )
    else:
        reason = say(language, f"依据中没有“{failing}”", f'"{failing}" does not occur in the evidence')
    against = support >= ABOUT and rival
    return Check(
        verdict="contradicted" if against else "unsupported",
        confidence=0.9,
        reason=reason,
        units=window,
    )
