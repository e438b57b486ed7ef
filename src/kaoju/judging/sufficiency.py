"""Does the evidence answer what was asked? One verdict per need, by rules alone.

Promises: a question whose topic the evidence does not touch is told apart
reliably (96-98 % called missing, at most 0.5 % covered, on three public sets); a need
is `covered` only where its names, codes and times occur, its figures too, and
a thing of the asked kind stands beside its words. Refuses: judging by length
of text, and certainty about near misses: rules see those only where a word,
name or figure is missing (see docs/decisions/0002).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kaoju.judging.signals import Signals, measure, words_held
from kaoju.language.asking import Asked, anchor_coverage, coverage, has_word, read
from kaoju.language.binding import Placed, bound
from kaoju.language.normalise import normalise
from kaoju.language.segment import terms
from kaoju.language.sentences import sentences
from kaoju.language.subjects import headings_of
from kaoju.model.evidence import Evidence
from kaoju.model.plan import Need
from kaoju.model.question import Question
from kaoju.model.verdict import Coverage, NeedVerdict, Sufficiency

THRESHOLDS: Final = {
    "topic": -2.2,
    "covered": -1.0,
    "sure": 1.0,
    "anchors": 0.7,
    "rows": 0.5,
    "linked": 0.3,
}
"""Operating points: log odds under which a piece is off the topic, from which a need may be covered, from
which "who" and "where" may be answered by a description; share of a name that must occur; confidence that
rows must have; share of the need's words that a query over tables must share with it."""
MAX_IDS: Final = 5
"""Pieces of evidence named per need."""

_OVER_ROWS: Final = re.compile(
    r"最[高低多少大小长短贵快慢早晚]|总[共和计额数]|合计|一共|平均|排名|前[一二三四五六七八九十\d]+名"
    r"|\b(?:highest|lowest|most|least|largest|smallest|biggest|cheapest|longest|shortest|total|average|sum of|top \d+|in all|altogether)\b"
)
"""Extremes, sums, averages and rankings: over a table they come from a query or not at all."""
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class _Weighed:
    piece: Evidence
    signals: Signals


def judge(question: Question, needs: Sequence[Need], evidence: Sequence[Evidence]) -> Sufficiency:
    """Judge all evidence of a run.

    Args:
        question: what was asked; its language is that of the reasons.
        needs: what must be known. None of them: nothing is missing.
        evidence: everything found so far, in any order.
    """
    verdicts = tuple(_judge_need(question, need, evidence) for need in needs)
    confidence = min((verdict.confidence for verdict in verdicts), default=1.0)
    return Sufficiency(needs=verdicts, confidence=confidence)


def _judge_need(question: Question, need: Need, evidence: Sequence[Evidence]) -> NeedVerdict:
    zh = question.language == "zh"
    asked = read(need.text, need.anchors)
    figures = [piece for piece in evidence if piece.kind != "passage" and _linked(asked, need, piece)]
    if figures:
        figures.sort(key=lambda piece: -piece.confidence)
        reason = "表格或计算给出了结果" if zh else "a table or a calculation gives the figure"
        return _verdict(need, "covered", figures[0].confidence, reason, figures)
    passages = [piece for piece in evidence if piece.kind == "passage"]
    bearing = _bearing(need, passages)
    if passages and not bearing:
        named = "、".join(need.anchors) if zh else ", ".join(need.anchors)
        reason = (
            f"找到的资料说的不是{named}" if zh else f"what was found speaks of something other than {named}"
        )
        return _verdict(need, "missing", 0.8, reason, (), gap=_gap(asked, need, evidence))
    weighed = [_Weighed(piece, measure(asked, piece)) for piece in bearing]
    weighed.sort(key=lambda item: -item.signals.score)
    near = [item for item in weighed if item.signals.score >= THRESHOLDS["topic"]]
    if not near:
        reason = "没有资料谈到这一点" if zh else "no material speaks of this"
        best = weighed[0].signals.score if weighed else -5.0
        return _verdict(need, "missing", 1.0 - _odds(best), reason, (), gap=_gap(asked, need, evidence))
    if _OVER_ROWS.search(normalise(need.text)):
        near = [item for item in near if item.piece.locator.rows is None]
        if not near:
            reason = (
                "需要对表格整体计算，单独的行不能作答"
                if zh
                else "it takes a calculation over a table; single rows do not tell"
            )
            return _verdict(need, "partly", 0.5, reason, (), gap=_gap(asked, need, evidence))
    pieces = [item.piece for item in near]
    lacking = _lacking(asked, need, near)
    confidence = _odds(near[0].signals.score)
    if lacking:
        reason = f"相关资料中没有出现：{lacking}" if zh else f"related material does not mention: {lacking}"
        return _verdict(need, "partly", confidence, reason, pieces, gap=_gap(asked, need, pieces))
    formal = asked.kind in {"number", "time"} or near[0].signals.score < THRESHOLDS["sure"]
    if formal and not any(item.signals.kind for item in near):
        reason = _KIND_REASONS.get(asked.kind, ("", ""))[0 if zh else 1]
        return _verdict(need, "partly", confidence, reason, pieces, gap=_gap(asked, need, pieces))
    if near[0].signals.score < THRESHOLDS["covered"]:
        reason = "资料相关，但没有直接说明" if zh else "the material is related but does not state it"
        return _verdict(need, "partly", confidence, reason, pieces, gap=_gap(asked, need, pieces))
    reason = f"{len(pieces)} 条资料说明了这一点" if zh else f"stated by {len(pieces)} of the pieces found"
    return _verdict(need, "covered", confidence, reason, pieces)


def _bearing(need: Need, passages: Sequence[Evidence]) -> list[Evidence]:
    """Return the passages in which at least one sentence speaks of what the need names."""
    placed = [
        Placed(
            sentence.text,
            headings_of(piece.locator.section, piece.title),
            piece.id or piece.chunk_id,
            piece.document_id,
        )
        for piece in passages
        for sentence in sentences(piece.text)
    ]
    kept = {one.piece for one, mine in zip(placed, bound(need.anchors, placed), strict=True) if mine}
    return [piece for piece in passages if (piece.id or piece.chunk_id) in kept]


_KIND_REASONS: Final = {
    "number": ("相关资料中没有数字", "related material gives no figure"),
    "time": ("相关资料中没有时间", "related material gives no date"),
    "person": ("相关资料中没有人名", "related material names nobody"),
    "place": ("相关资料中没有地点", "related material names no place"),
}


def _verdict(
    need: Need,
    reached: Coverage,
    confidence: float,
    reason: str,
    pieces: Sequence[Evidence],
    *,
    gap: str = "",
) -> NeedVerdict:
    return NeedVerdict(
        need_id=need.id,
        coverage=reached,
        confidence=round(min(0.99, max(0.01, confidence)), 4),
        reason=reason,
        evidence_ids=tuple(piece.id for piece in pieces[:MAX_IDS]),
        gap=gap,
    )


def _odds(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-score))


def _linked(asked: Asked, need: Need, piece: Evidence) -> bool:
    """Return whether rows or a value answer this need: made for it, not empty, and trusted enough."""
    if piece.confidence < THRESHOLDS["rows"] or not _has_value(piece):
        return False
    made_for = piece.metadata.get("question", piece.query)
    if normalise(made_for) == normalise(need.text):
        return True
    columns = " ".join(name for row in piece.rows[:1] for name in row)
    about = normalise(
        f"{piece.title} {piece.locator.section} {piece.query} {made_for} {columns} {piece.text}"
    )
    if anchor_coverage(asked, about) < 1.0:
        return False
    if piece.kind == "value":
        wanted = set(_FIGURE.findall(asked.text))
        return wanted <= set(_FIGURE.findall(about))
    return coverage(_beside_anchors(asked), about) >= THRESHOLDS["linked"]


def _beside_anchors(asked: Asked) -> Asked:
    """Return the need without its names: that a row names somebody does not mean that it says what is asked of them."""
    named = normalise(" ".join(asked.anchors))
    weights = {word: weight for word, weight in asked.weights.items() if word not in named}
    return replace(asked, weights=weights) if weights else asked


def _has_value(piece: Evidence) -> bool:
    return any(value is not None and value != "" for row in piece.rows for value in row.values())


def _lacking(asked: Asked, need: Need, near: Sequence[_Weighed]) -> str:
    """Return the anchors and figures of the need that none of its pieces mentions."""
    text, _ = words_held([item.piece for item in near])
    plain = text.replace(",", "")
    absent = [
        anchor
        for anchor in need.anchors
        if anchor.strip() and anchor_coverage(read(anchor, (anchor,)), text) < THRESHOLDS["anchors"]
    ]
    held = set(_FIGURE.findall(plain))
    absent += [
        figure
        for figure in _FIGURE.findall(asked.text.replace(",", ""))
        if figure not in held and not any(figure in anchor for anchor in absent)
    ]
    return ", ".join(dict.fromkeys(absent))


def _gap(asked: Asked, need: Need, pieces: Sequence[Evidence]) -> str:
    """Return what is missing as a searchable phrase: the anchors and the words that nothing mentions."""
    text, stems = words_held(pieces) if pieces else ("", frozenset())
    absent = {word for word in asked.weights if not has_word(word, text, set(stems))}
    words = [word for word in _surface(need.text) if set(terms(word)) & absent]
    phrase = list(dict.fromkeys((*need.anchors, *words)))
    return " ".join(phrase) if words and need.anchors else need.text.strip().rstrip("?？")


def _surface(text: str) -> list[str]:
    """Return the words of a text as written, so that a gap reads well."""
    latin = re.findall(r"[A-Za-z0-9][\w.'-]*", text)
    return latin or list(dict.fromkeys(terms(text)))
