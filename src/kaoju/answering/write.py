"""A model words the answer; everything it says is checked afterwards.

Promises: the prompt holds only the sentences and rows that carry the needs, as
data, never its instructions, and stays short; the reply is read tolerantly ([1], 【1】, [1,2], [^1]);
markers that name no source are dropped, and a sentence without one gets no
evidence here, so that verification looks for it. Refuses: repairing what the
model said. A reply that is empty, evasive or malformed raises `ModelError`,
and the caller falls back to `extract`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final

from kaoju.answering.citations import markers, without_markers
from kaoju.answering.selection import Similarity, rank
from kaoju.answering.units import Unit, speaking_of, units_of
from kaoju.errors import ModelError
from kaoju.language.asking import anchor_coverage, coverage, read
from kaoju.language.instructions import instructs
from kaoju.language.normalise import normalise
from kaoju.language.sentences import sentences
from kaoju.language.subjects import headings_of
from kaoju.llm.chat import ChatModel, Completion, Prompt
from kaoju.model.answer import Draft, DraftClaim
from kaoju.model.evidence import Evidence
from kaoju.model.plan import Need, Plan
from kaoju.model.question import Question
from kaoju.model.verdict import Sufficiency

INSUFFICIENT: Final = "INSUFFICIENT"
MAX_SOURCES: Final = 5
"""Pieces of evidence shown to the model."""
BUDGET: Final = {"zh": 900, "en": 2_600}
"""Characters of evidence shown, about 650 tokens, so that a small model on two cores starts soon."""
MAX_TOKENS: Final = 200

_REFUSAL: Final = re.compile(
    r"\b(?:as an ai|i cannot help|i can't help|i'm unable to|i am unable to)\b|作为(?:一个)?(?:人工智能|ai)|我无法(?:提供|协助)",
    re.IGNORECASE,
)
_SAYS_NOT: Final = re.compile(
    r"insufficient|资料不足|无法(?:确定|回答|得知)|没有(?:提供|提到|说明)(?:相关)?(?:信息|内容)?"
    r"|\b(?:not (?:stated|mentioned|provided|specified)|no information|do(?:es)? not (?:state|mention|provide|specify))\b",
    re.IGNORECASE,
)
_DELIMITER: Final = re.compile(r"<\s*/?\s*sources\s*/?\s*>", re.IGNORECASE)
_MARK_ONLY: Final = re.compile(r"^[\s\[\]【】\d,，、^]+$")


@dataclass(frozen=True, slots=True)
class Source:
    """One numbered excerpt as the model sees it."""

    n: int
    evidence_id: str
    text: str


async def compose(
    question: Question,
    plan: Plan,
    evidence: Sequence[Evidence],
    sufficiency: Sufficiency,
    *,
    model: ChatModel,
    similarity: Similarity | None = None,
) -> Draft:
    """Have a model write the answer from the evidence.

    Args:
        question: what was asked.
        plan: its needs.
        evidence: everything found, most useful first.
        sufficiency: which evidence serves which need.
        model: the writer.
        similarity: closeness in meaning, for choosing the excerpts.

    Raises:
        ModelError: no usable reply came; the caller falls back to `extract`.
    """
    sources = excerpts(question, plan, evidence, sufficiency, similarity)
    if not sources:
        return Draft(claims=(), writer="model", insufficient=True)
    completion = await model.complete(prompt_for(question, sources))
    return parse(completion, plan, sources)


def prompt_for(question: Question, sources: Sequence[Source]) -> Prompt:
    """Return the prompt: constant instructions first, then sources as data, then the question."""
    shown = "\n".join(f"[{source.n}] {source.text}" for source in sources)
    return Prompt(
        system=_instructions(),
        user=f"<sources>\n{shown}\n</sources>\n\n{_question(question)}",
        max_tokens=MAX_TOKENS,
    )


def _question(question: Question) -> str:
    if question.language == "zh":
        return f"问题：{question.text}\n请用中文回答，每句后标注来源编号；资料没有写明答案时只回复 {INSUFFICIENT}。"
    return f"Question: {question.text}"


@cache
def _instructions() -> str:
    return (
        resources.files("kaoju.answering").joinpath("prompts/writer.txt").read_text(encoding="utf-8").strip()
    )


def excerpts(
    question: Question,
    plan: Plan,
    evidence: Sequence[Evidence],
    sufficiency: Sufficiency,
    similarity: Similarity | None = None,
) -> tuple[Source, ...]:
    """Return the numbered excerpts that carry the needs, within the budget of characters.

    Of each piece its best sentences for each need are kept, with their
    neighbours, in the order of the source; rows are kept whole while they fit.
    """
    wanted = {need.need_id: need.evidence_ids for need in sufficiency.needs}
    needs = plan.needs or (Need(id="", text=question.text),)
    budget = BUDGET[question.language] // len(needs)
    chosen: dict[str, set[Unit]] = {}
    units = {piece.id: units_of((piece,)) for piece in evidence}
    for need in needs:
        mine = [piece for piece in evidence if piece.id in wanted.get(need.id, ())] or list(evidence)
        mine = mine[: max(1, MAX_SOURCES // len(needs) + 1)]
        asked = read(need.text, need.anchors)
        left = budget
        telling = [unit for unit in speaking_of(need, mine) if not instructs(unit.text)]
        for item in rank(asked, telling, similarity):
            around = [item.unit, *_beside(item.unit, units[item.unit.evidence_id])]
            for unit in around:
                kept = chosen.setdefault(unit.evidence_id, set())
                if unit not in kept and len(unit.text) <= left and not instructs(unit.text):
                    kept.add(unit)
                    left -= len(unit.text)
            if left < budget // 10:
                break
    order = [piece for piece in evidence if chosen.get(piece.id)]
    return tuple(
        Source(n, piece.id, _told(piece, sorted(chosen[piece.id], key=lambda unit: unit.position)))
        for n, piece in enumerate(order, start=1)
    )


def _beside(unit: Unit, units: Sequence[Unit]) -> list[Unit]:
    return [units[place] for place in (unit.position - 1, unit.position + 1) if 0 <= place < len(units)]


def _told(piece: Evidence, units: Sequence[Unit]) -> str:
    parts: list[str] = []
    for place, unit in enumerate(units):
        gap = place and unit.position - units[place - 1].position > 1
        parts.append(f"… {unit.text}" if gap else unit.text)
    above = headings_of(piece.locator.section, piece.title)
    title = f"({above[0]}) " if above else ""
    return _DELIMITER.sub("", title + " ".join(parts))


def parse(completion: Completion, plan: Plan, sources: Sequence[Source]) -> Draft:
    """Read a reply into claims.

    Raises:
        ModelError: it is empty, a refusal, or nothing but markers.
    """
    text = _plain(completion.text)
    if not text or _MARK_ONLY.match(text):
        raise ModelError("empty", "the writer gave no text.", "撰写模型没有给出内容。")
    if text.strip(" .。") == INSUFFICIENT or (INSUFFICIENT in text and len(text) < 4 * len(INSUFFICIENT)):
        return Draft(claims=(), writer="model", insufficient=True)
    if _REFUSAL.search(text):
        raise ModelError("refused", "the writer refused to answer.", "撰写模型拒绝回答。")
    claims = _claims(text, plan, sources)
    if not claims:
        return Draft(claims=(), writer="model", insufficient=True)
    return Draft(claims=claims, writer="model")


def _plain(text: str) -> str:
    """Return the reply without fences, headings and list marks."""
    text = re.sub(r"```\w*", "", text)
    text = re.sub(r"(?m)^\s*(?:[-*•#]+|\d+[.)、](?!\d))\s*", "", text)
    text = re.sub(r"(?i)^\s*(?:answer|答案|回答)\s*[:：]\s*", "", text.strip())
    return text.replace("**", "").strip()


def _claims(text: str, plan: Plan, sources: Sequence[Source]) -> tuple[DraftClaim, ...]:
    by_number = {source.n: source.evidence_id for source in sources}
    claims: list[DraftClaim] = []
    for sentence in sentences(text):
        body = without_markers(sentence.text)
        ids = tuple(dict.fromkeys(by_number[n] for n in markers(sentence.text) if n in by_number))
        if not re.search(r"\w", body):
            if claims and ids:
                claims[-1] = replace(
                    claims[-1], evidence_ids=tuple(dict.fromkeys((*claims[-1].evidence_ids, *ids)))
                )
            continue
        if _SAYS_NOT.search(body) and not re.search(r"\d", body):
            continue
        claims.append(DraftClaim(text=body, evidence_ids=ids, need_id=_need_of(body, plan.needs)))
    return tuple(claims)


def _need_of(claim: str, needs: Sequence[Need]) -> str:
    """Return the need that a sentence answers: the one whose names it mentions and whose words it shares most."""
    if len(needs) <= 1:
        return needs[0].id if needs else ""
    plain = normalise(claim)
    scored = [
        (
            coverage(read(need.text, need.anchors), plain)
            + (anchor_coverage(read(need.text, need.anchors), plain) if need.anchors else 0.0),
            need.id,
        )
        for need in needs
    ]
    best = max(scored, key=lambda pair: pair[0])
    return best[1] if best[0] > 0 else ""
