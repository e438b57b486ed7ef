"""Plain RAG, the thing to be better than."""

from __future__ import annotations

from tests.answering.helpers import passage, plan_for, question

from kaoju.answering import baseline
from kaoju.llm.scripted import ScriptedModel

EVIDENCE = (passage(1, "Atlas started in March 2024."), passage(2, "Borealis is led by Mei Han."))
ASKED = question("Who leads Borealis?")
PLAN = plan_for(ASKED.text)


async def test_without_a_model_it_gives_the_single_best_sentence_cited() -> None:
    draft = await baseline.compose(ASKED, PLAN, EVIDENCE)
    given = baseline.unchecked(draft, ASKED, PLAN, EVIDENCE)
    assert given.text == "Borealis is led by Mei Han[1]."
    assert given.citations[0].evidence_id == "e2"


async def test_it_lets_pass_what_verification_would_stop() -> None:
    draft = await baseline.compose(
        ASKED, PLAN, EVIDENCE, model=ScriptedModel(["Borealis is led by Ola [2]."])
    )
    given = baseline.unchecked(draft, ASKED, PLAN, EVIDENCE)
    assert given.text == "Borealis is led by Ola[1]."
    assert given.stopped == ()
