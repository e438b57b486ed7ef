"""How a run ends, and what its text says."""

from __future__ import annotations

import pytest
from tests.answering.helpers import covered, draft, passage, plan_for, question

from kaoju.answering.ladder import Rung, next_rung
from kaoju.answering.outcome import decide
from kaoju.answering.verify import verify
from kaoju.model.answer import Answer, Draft, TaskReport, Verified
from kaoju.model.plan import Plan, PlanType, TaskState
from kaoju.model.question import Question
from kaoju.model.verdict import Sufficiency

EVIDENCE = (passage(1, "Atlas started in March 2024."), passage(2, "Borealis is led by Mei Han."))
ASKED = question("When did Atlas start and who leads Borealis?")
PLAN = plan_for("When did Atlas start?", "Who leads Borealis?", kind=PlanType.DECOMPOSE)


def report(
    state: TaskState = TaskState.SUCCEEDED, found: int = 2, query: str = "start of Atlas"
) -> TaskReport:
    return TaskReport(
        id="t1", purpose="find it", tool="semantic_search", query=query, arguments={}, depends_on=(), state=state,
        attempts=1, confidence=0.8, evidence=found,
    )  # fmt: skip


def ended(
    proposed: Draft, sufficiency: Sufficiency, *, plan: Plan = PLAN, asked: Question = ASKED, tasks: tuple[TaskReport, ...] = (report(),),
    notes: tuple[str, ...] = (),
) -> Answer:  # fmt: skip
    checked = verify(proposed, asked, plan, EVIDENCE)
    return decide(
        asked, run_id="r", plan=plan, rounds=1, tasks=tasks, sufficiency=sufficiency, draft=proposed, verified=checked,
        notes=notes,
    )  # fmt: skip


ATLAS = ("Atlas started in March 2024.", "e1", "n1")
BOREALIS = ("Borealis is led by Mei Han.", "e2", "n2")


def test_answered_only_when_every_need_is_answered_by_a_claim_that_held() -> None:
    answer = ended(draft(ATLAS, BOREALIS), covered(n1="e1", n2="e2"))
    assert answer.status == "answered"
    assert answer.missing == ()
    assert answer.confidence > 0.8
    assert answer.intervention_index < 30
    assert answer.answer == "Atlas started in March 2024[1]. Borealis is led by Mei Han[2]."


def test_partial_names_what_is_not_confirmed() -> None:
    answer = ended(draft(ATLAS), covered(n1="e1", n2=""))
    assert answer.status == "partial"
    assert answer.missing == ("Who leads Borealis?",)
    assert "Not confirmed: Who leads Borealis" in answer.answer


def test_a_stopped_claim_makes_the_answer_smaller_and_is_noted() -> None:
    answer = ended(draft(ATLAS, ("Borealis is led by Ola Nordmann.", "e2", "n2")), covered(n1="e1", n2="e2"))
    assert answer.status == "partial"
    assert "Nordmann" not in answer.answer
    assert any("Nordmann" in note for note in answer.notes)


def test_insufficient_says_what_was_searched_and_what_would_help() -> None:
    asked = question("公司提供股票期权计划吗？")
    answer = ended(
        Draft(claims=(), writer="extractive", insufficient=True),
        covered(n1=""),
        plan=plan_for(asked.text),
        asked=asked,
        tasks=(report(query="股票期权计划"),),
    )
    assert answer.status == "insufficient"
    assert (answer.confidence, answer.claims, answer.citations) == (0.0, (), ())
    for words in ("公司提供股票期权计划吗", "已检索：股票期权计划", "what is missing"):
        assert words in answer.answer


def test_an_answer_that_states_nothing_carries_no_claims_and_what_was_found_is_a_note() -> None:
    known = ("Borealis is led by Mei Han.", "e2", "n1")
    answer = ended(
        draft(known),
        covered(n1=""),
        plan=plan_for("What does Borealis cost?"),
        asked=question("What does Borealis cost?"),
    )
    assert answer.status == "insufficient"
    assert (answer.claims, answer.citations) == ((), ())
    assert "Mei Han" not in answer.answer
    assert "[1]" not in answer.answer
    assert any("Mei Han" in note and "d2" in note for note in answer.notes)
    replied = ended(draft(known), covered(), plan=plan_for(kind=PlanType.DIRECT, reply="Hello!"))
    assert (replied.answer, replied.claims, replied.citations) == ("Hello!", (), ())


def test_failed_says_which_and_why() -> None:
    answer = ended(
        Draft(claims=(), writer="extractive", insufficient=True),
        covered(n1="", n2=""),
        tasks=(report(TaskState.FAILED, 0),),
        notes=("semantic_search failed: TIMEOUT: no answer in 30 s",),
    )
    assert answer.status == "failed"
    assert "semantic_search" in answer.answer
    assert "TIMEOUT" in answer.answer


def test_one_failed_task_beside_one_that_worked_is_not_a_failed_run() -> None:
    tasks = (report(TaskState.FAILED, 0), report())
    answer = ended(Draft(claims=(), writer="extractive"), covered(n1="", n2=""), tasks=tasks)
    assert answer.status == "insufficient"


def test_what_waits_for_a_person_is_for_review() -> None:
    answer = ended(
        Draft(claims=(), writer="extractive"),
        covered(n1="", n2=""),
        tasks=(report(TaskState.NEEDS_REVIEW, 0),),
    )
    assert answer.status == "needs_review"


def test_an_unanswerable_question_gets_the_reason_and_a_greeting_its_reply() -> None:
    none = Draft(claims=(), writer="extractive")
    future = ended(
        none, covered(), plan=plan_for(kind=PlanType.DIRECT, unanswerable="Nobody can know this yet.")
    )
    assert (future.status, future.answer) == ("insufficient", "Nobody can know this yet.")
    hello = ended(none, covered(), plan=plan_for(kind=PlanType.DIRECT, reply="Hello!"))
    assert (hello.status, hello.answer) == ("answered", "Hello!")


def verified(claims: int, uncovered: tuple[str, ...]) -> Verified:
    checked = verify(draft(*(ATLAS, BOREALIS)[:claims]), ASKED, PLAN, EVIDENCE)
    assert checked.uncovered == uncovered
    return checked


@pytest.mark.parametrize(
    ("claims", "uncovered", "rounds", "steps", "climbed", "rung"),
    [
        (2, (), 0, 0, 0, Rung.LEAVE),
        (1, ("n2",), 1, 1, 0, Rung.FETCH),
        (1, ("n2",), 1, 1, 1, Rung.WIDER),
        (1, ("n2",), 1, 1, 2, Rung.SMALLER),
        (1, ("n2",), 0, 5, 0, Rung.SMALLER),
        (1, ("n2",), 5, 0, 0, Rung.SMALLER),
        (0, ("n1", "n2"), 0, 0, 0, Rung.INSUFFICIENT),
    ],
)
def test_the_ladder(
    *, claims: int, uncovered: tuple[str, ...], rounds: int, steps: int, climbed: int, rung: Rung
) -> None:
    proposed = draft(*(ATLAS, BOREALIS)[:claims])
    got = next_rung(
        proposed,
        verified(claims, uncovered),
        covered(n1="e1", n2="e2"),
        rounds_left=rounds,
        steps_left=steps,
        climbed=climbed,
    )
    assert got is rung
