"""An optional model's opinion on needs that rules cannot settle.

Promises: it is asked only where the rules are unsure, with a prompt of its own
(never the writer's); its "stated" counts only with words that stand in the
evidence; any failure leaves the rules' verdict and says so. Refuses: deciding
what rules decide well: topics that the evidence does not touch, and figures
from tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final

from kaoju.errors import ModelError
from kaoju.language.asking import coverage, read
from kaoju.language.normalise import normalise
from kaoju.language.sentences import sentences
from kaoju.llm.chat import ChatModel, Completion, Prompt
from kaoju.model.evidence import Evidence
from kaoju.model.plan import Need
from kaoju.model.question import Question
from kaoju.model.verdict import NeedVerdict, Sufficiency

UNSURE: Final = (0.05, 0.97)
"""Confidence of the rules between which a model is asked."""
MAX_CHARS: Final = {"zh": 700, "en": 2_000}
"""Text shown to the judge, about 500 tokens."""
AGREED: Final = 0.9
"""Confidence where the judge confirms with a quote."""
DENIED: Final = 0.7
"""Confidence in the judge's "not stated"."""

SCHEMA: Final = {
    "type": "object",
    "properties": {"quote": {"type": "string"}, "verdict": {"enum": ["stated", "not_stated"]}},
    "required": ["quote", "verdict"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The verdict after the judge was heard, what it cost, and what went wrong."""

    sufficiency: Sufficiency
    completions: tuple[Completion, ...] = ()
    notes: tuple[str, ...] = ()


async def consult(
    question: Question,
    needs: Sequence[Need],
    evidence: Sequence[Evidence],
    sufficiency: Sufficiency,
    model: ChatModel,
) -> Judged:
    """Ask the judge about each need on which the rules are unsure.

    Args:
        question: what was asked.
        needs: the needs, as judged by the rules.
        evidence: everything found.
        sufficiency: the rules' verdict.
        model: the judge.
    """
    texts = {need.id: need for need in needs}
    pieces = {piece.id: piece for piece in evidence}
    completions: list[Completion] = []
    notes: list[str] = []
    verdicts: list[NeedVerdict] = []
    for verdict in sufficiency.needs:
        shown = [pieces[i] for i in verdict.evidence_ids if i in pieces]
        if not _unsure(verdict, shown):
            verdicts.append(verdict)
            continue
        need = texts[verdict.need_id]
        try:
            completion = await model.complete(prompt_for(question, need, shown))
        except ModelError as error:
            why = error.say(question.language)
            notes.append(
                f"裁判模型不可用，改用规则判断：{why}"
                if question.language == "zh"
                else f"the judge model did not serve, rules decided: {why}"
            )
            verdicts.append(verdict)
            continue
        completions.append(completion)
        verdicts.append(settled(question, need, verdict, shown, completion))
    confidence = min((verdict.confidence for verdict in verdicts), default=1.0)
    return Judged(
        sufficiency=Sufficiency(needs=tuple(verdicts), confidence=confidence),
        completions=tuple(completions),
        notes=tuple(dict.fromkeys(notes)),
    )


def _unsure(verdict: NeedVerdict, shown: Sequence[Evidence]) -> bool:
    if not shown or verdict.coverage == "missing" or any(piece.kind != "passage" for piece in shown):
        return False
    return UNSURE[0] < verdict.confidence < UNSURE[1]


def prompt_for(question: Question, need: Need, pieces: Sequence[Evidence]) -> Prompt:
    """Return the judge's prompt for one need."""
    text = excerpt(need, pieces, MAX_CHARS[question.language])
    return Prompt(
        system=_instructions(),
        user=f"<text>\n{text}\n</text>\n\nQuestion: {need.text}",
        schema=SCHEMA,
        max_tokens=160,
    )


@cache
def _instructions() -> str:
    return resources.files("kaoju.judging").joinpath("prompts/judge.txt").read_text(encoding="utf-8").strip()


def excerpt(need: Need, pieces: Sequence[Evidence], limit: int) -> str:
    """Return the sentences nearest to a need, in the order of the sources, at most `limit` characters."""
    asked = read(need.text, need.anchors)
    spans = [(place, span) for place, piece in enumerate(pieces) for span in sentences(piece.text)]
    ranked = sorted(spans, key=lambda item: -coverage(asked, normalise(item[1].text)))
    chosen: list[tuple[int, int]] = []
    left = limit
    for place, span in ranked:
        if len(span.text) <= left:
            chosen.append((place, span.start))
            left -= len(span.text)
    kept = set(chosen)
    text = "\n".join(
        f"{piece.title}: " * bool(piece.title)
        + " ".join(span.text for span in sentences(piece.text) if (place, span.start) in kept)
        for place, piece in enumerate(pieces)
        if any(item[0] == place for item in kept)
    )
    return text.replace("<text>", "").replace("</text>", "")


def settled(
    question: Question, need: Need, verdict: NeedVerdict, shown: Sequence[Evidence], completion: Completion
) -> NeedVerdict:
    """Return a need's verdict once the judge has spoken."""
    zh = question.language == "zh"
    data = completion.data if isinstance(completion.data, dict) else {}
    quote = normalise(str(data.get("quote") or "")).strip(" .")
    stated = data.get("verdict") == "stated"
    found = len(quote) > 1 and any(quote in normalise(piece.text) for piece in shown)
    if stated and found and verdict.coverage == "covered":
        return replace(verdict, confidence=max(verdict.confidence, AGREED))
    if not stated and verdict.coverage == "covered":
        reason = "相关资料没有写明所问的内容" if zh else "related material does not state what was asked"
        gap = need.text.strip().rstrip("?？")
        return replace(verdict, coverage="partly", confidence=DENIED, reason=reason, gap=gap)
    return verdict
