"""A person as a source: the call waits, an answer is evidence, nothing is guessed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from kaoju.model.evidence import JSON
from kaoju.model.tool import Failed, NeedsApproval, Succeeded, ToolCall, ToolSpec
from kaoju.tools.contract import Contract
from kaoju.tools.human.kind import HumanKind
from kaoju.tools.human.request import PersonAnswer, Request, filled
from kaoju.tools.human.tool import Human

SPEC = ToolSpec(
    name="ask_legal",
    kind="human",
    description="Asks the legal department.",
    use_for="Questions of law.",
    not_for="Figures.",
    input_schema={"type": "object", "properties": {"query": {"type": "string"}, "case": {"type": "string"}}},
)
CHOICES = ("批准", "拒绝", "需要补充材料")
AT = datetime(2024, 5, 6, 7, 8, tzinfo=UTC)


class Desk:
    """One person who answers once, and remembers what was asked."""

    def __init__(self, text: str, roles: frozenset[str] = frozenset({"legal"})) -> None:
        self.text, self.roles = text, roles
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> PersonAnswer | None:
        self.asked.append(request)
        return PersonAnswer(text=self.text, person="李雷", at=AT, roles=self.roles)


def call(attempt: int = 1, **arguments: JSON) -> ToolCall:
    return ToolCall(run_id="r", task_id="t1", attempt=attempt, tool="ask_legal", arguments=arguments)


async def test_without_an_answer_the_call_waits_with_all_that_a_person_needs() -> None:
    tool = Human(SPEC, question="案件 {case}：{query}", choices=CHOICES, who=["legal"])
    outcome = await tool.run(call(query="是否赔付？", case="C-17"))
    assert outcome == NeedsApproval(
        reason="案件 C-17：是否赔付？",
        tool="ask_legal",
        details={
            "type": "question",
            "key": "r:t1",
            "question": "案件 C-17：是否赔付？",
            "choices": list(CHOICES),
            "who": ["legal"],
        },
    )


@pytest.mark.parametrize("text", ["拒绝", " 拒絕 ", "2"])
async def test_an_answer_is_evidence_of_that_person_with_the_time(text: str) -> None:
    desk = Desk(text)
    tool = Human(SPEC, choices=CHOICES, who=["legal"], answers=desk)
    outcome = await tool.run(call(query="是否赔付？"))
    assert isinstance(outcome, Succeeded)
    (found,) = outcome.evidence
    assert found.text == "是否赔付？ 拒绝"
    assert (found.document_id, found.title, found.date) == ("person:李雷", "李雷", "2024-05-06")
    assert found.metadata["answered_at"] == "2024-05-06T07:08:00+00:00"
    assert "李雷" in found.uncertainty
    assert desk.asked[0].key == "r:t1"


async def test_every_attempt_asks_under_the_same_key() -> None:
    desk = Desk("yes")
    tool = Human(SPEC, answers=desk)
    await tool.run(call(query="q"))
    await tool.run(call(attempt=2, query="q"))
    assert {request.key for request in desk.asked} == {"r:t1"}


@pytest.mark.parametrize("text", ["", "  ", "也许", "4", "0", "-1", "批准 拒绝"])
async def test_what_is_no_choice_is_refused_with_the_choices(text: str) -> None:
    tool = Human(SPEC, choices=CHOICES, answers=Desk(text))
    outcome = await tool.run(call(query="是否赔付？"))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.allowed) == ("TOOL_PARAM_INVALID", CHOICES)


async def test_only_those_who_may_answer_do() -> None:
    tool = Human(SPEC, who=["legal"], answers=Desk("yes", frozenset({"sales"})))
    outcome = await tool.run(call(query="may we?"))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.allowed) == ("PERMISSION_DENIED", ("legal",))


def test_arguments_fill_the_question_as_text_only() -> None:
    assert filled("{a} {b.__class__} {0} {c}", {"a": "{c}", "c": 3}) == "{c} {b.__class__} {0} 3"


def test_a_question_with_a_place_that_nothing_fills_is_a_problem() -> None:
    contract = Contract(spec=SPEC, options={"question": "{case} {what}"}, folder=Path())
    assert list(HumanKind().problems(contract)) == ["human.question: there is no input `what`"]
