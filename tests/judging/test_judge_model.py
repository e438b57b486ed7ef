"""The optional judge: asked only where rules are unsure, believed only with a quote."""

from __future__ import annotations

import json
from datetime import date

import pytest

from kaoju.errors import ModelError
from kaoju.judging.judge_model import Judged, consult
from kaoju.llm.scripted import ScriptedModel
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.plan import Need
from kaoju.model.question import Question
from kaoju.model.verdict import Coverage, NeedVerdict, Sufficiency

TEXT = "The Oslo office opened in 2019. It is led by Kari Berg."
QUESTION = Question(text="Who leads the Oslo office?", now=date(2026, 1, 1), language="en")
NEEDS = (Need(id="n1", text=QUESTION.text),)
EVIDENCE = (
    Evidence(
        id="e1",
        kind="passage",
        text=TEXT,
        document_id="d",
        title="",
        locator=Locator(),
        tool="semantic_search",
    ),
)


def rules(coverage: Coverage = "covered", confidence: float = 0.7) -> Sufficiency:
    verdict = NeedVerdict(
        need_id="n1", coverage=coverage, confidence=confidence, reason="", evidence_ids=("e1",)
    )
    return Sufficiency(needs=(verdict,), confidence=confidence)


async def heard(reply: str | ModelError, verdict: Sufficiency) -> tuple[Judged, ScriptedModel]:
    model = ScriptedModel([reply])
    return await consult(QUESTION, NEEDS, EVIDENCE, verdict, model), model


def said(quote: str, verdict: str) -> str:
    return json.dumps({"quote": quote, "verdict": verdict})


async def test_a_confirmed_quote_raises_confidence() -> None:
    judged, model = await heard(said("It is led by Kari Berg", "stated"), rules())
    assert judged.sufficiency.sufficient
    assert judged.sufficiency.confidence > 0.7
    assert len(model.prompts) == len(judged.completions) == 1


async def test_not_stated_takes_the_cover_away() -> None:
    judged, _ = await heard(said("", "not_stated"), rules())
    assert judged.sufficiency.needs[0].coverage == "partly"
    assert judged.sufficiency.needs[0].gap


async def test_an_invented_quote_confirms_nothing() -> None:
    judged, _ = await heard(said("It is led by Ola Nordmann", "stated"), rules())
    assert judged.sufficiency == rules()


@pytest.mark.parametrize("reply", [ModelError("timeout", "too slow"), "no JSON at all", ""])
async def test_a_failing_judge_leaves_the_rules_verdict_and_a_note(reply: str | ModelError) -> None:
    judged, _ = await heard(reply, rules())
    assert judged.sufficiency == rules()
    assert judged.notes


@pytest.mark.parametrize("verdict", [rules("missing", 0.2), rules("covered", 0.99)])
async def test_it_is_not_asked_where_rules_are_sure(verdict: Sufficiency) -> None:
    judged, model = await heard(said("", "not_stated"), verdict)
    assert judged.sufficiency == verdict
    assert model.prompts == []
