"""Planning never fails a run: rules, the model, one repair, fallback; the plan says which and why."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest
from tests.planning.helpers import LIMITS, PROSE, TABLES, ask

from kaoju.errors import ModelError
from kaoju.llm.chat import Completion, Prompt
from kaoju.llm.scripted import Reply, ScriptedModel
from kaoju.model.plan import PlanType
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.planner import Planned, make_plan
from kaoju.planning.validate import problems

UNSURE = (
    "Explain in which order the purchasing department, the legal department and the finance department have to sign "
    "off a contract before the first payment may leave the house"
)
UNSURE_ZH = "采购合同从立项开始一直到首笔款项付出之前需要经过采购部门法务部门财务部门以及分管领导按照怎样的先后顺序逐级签字确认并完成归档手续才算符合公司规定的流程"


def task(number: int, query: str, tool: str = "semantic_search", *depends_on: str) -> dict[str, object]:
    return {
        "id": f"t{number}",
        "purpose": query,
        "tool": tool,
        "query": query,
        "depends_on": list(depends_on),
    }


def written(*tasks: dict[str, object], kind: str = "decompose") -> str:
    return json.dumps({"type": kind, "tasks": list(tasks)})


GOOD = written(task(1, "order of signatures on contracts"), task(2, "first payment of a contract"))


async def plan(replies: Sequence[Reply], text: str = UNSURE) -> tuple[Planned, ScriptedModel]:
    model = ScriptedModel(replies)
    made = await make_plan(ask(text), PROSE, model, LIMITS)
    assert problems(made.plan, PROSE, LIMITS) == ()
    assert made.plan.tasks
    return made, model


async def test_a_sure_question_asks_no_model() -> None:
    made, model = await plan([], "年假最多可以结转几天？")
    assert (made.plan.origin, model.prompts) == ("rules", [])


async def test_an_unsure_question_is_planned_by_the_model() -> None:
    made, model = await plan([GOOD])
    assert made.plan.origin == "model"
    assert [t.query for t in made.plan.tasks] == [
        "order of signatures on contracts",
        "first payment of a contract",
    ]
    assert len(made.completions) == len(model.prompts) == 1
    assert {need.id for need in made.plan.needs} == {t.need for t in made.plan.tasks}
    prompt = model.prompts[0]
    assert prompt.user.endswith(UNSURE)
    assert prompt.schema is not None


async def test_without_a_model_the_rules_serve() -> None:
    made = await make_plan(ask(UNSURE), PROSE, None, LIMITS)
    assert (made.plan.type, made.plan.origin, len(made.plan.tasks)) == (PlanType.SINGLE, "rules", 1)


@pytest.mark.parametrize(
    "reply",
    [
        f"Sure, here you go:\n```json\n{GOOD}\n```\nAnything else?",
        GOOD.replace("}]}", "},]}"),
        f"<think>two needs</think>\n{GOOD}",
    ],
)
async def test_chatter_around_a_plan_is_no_reason_to_ask_again(reply: str) -> None:
    made, model = await plan([reply])
    assert len(made.plan.tasks) == 2
    assert len(model.prompts) == 1


WRONG_SHAPES = {
    "wrong key": json.dumps(
        {"reasoning": {"queries": ["order of signatures", "first payment of a contract"]}}
    ),
    "empty": written(),
    "cut off": GOOD[:60],
    "prose": "First I would look for the order of signatures.",
    "program": "for q in ['order of signatures']:\n    print(q)",
}


@pytest.mark.parametrize("name", WRONG_SHAPES)
async def test_a_reply_that_breaks_the_schema_is_repaired_once(name: str) -> None:
    made, model = await plan([WRONG_SHAPES[name], GOOD])
    assert made.plan.origin == "repaired"
    assert len(made.plan.tasks) == 2
    assert len(model.prompts) == 2
    assert made.notes == ("the model's plan was repaired once",)


@pytest.mark.parametrize("name", WRONG_SHAPES)
async def test_broken_twice_the_rules_plan_and_the_notes_say_why(name: str) -> None:
    made, model = await plan([WRONG_SHAPES["empty"], WRONG_SHAPES[name]])
    assert len(model.prompts) == 2
    if name in {"wrong key", "cut off", "program"}:
        assert made.plan.origin in {"repaired", "fallback"}
    else:
        assert made.plan.origin == "fallback"
        assert made.plan.type is PlanType.SINGLE
        assert "planned by rules instead" in made.notes[0]


async def test_the_repair_is_read_leniently() -> None:
    made, _ = await plan(["no plan", WRONG_SHAPES["wrong key"]])
    assert made.plan.origin == "repaired"
    assert [t.query for t in made.plan.tasks] == ["order of signatures", "first payment of a contract"]


async def test_an_invented_tool_is_fed_back_once_and_hidden_ones_are_not_named() -> None:
    """The schema lists the tools, so only a model without schema support can invent one."""

    class Unschooled(ScriptedModel):
        async def complete(self, prompt: Prompt) -> Completion:
            free = Prompt(system=prompt.system, user=prompt.user)
            return await super().complete(free)

    model = Unschooled([written(task(1, "order of signatures", "web_browser")), GOOD])
    made = await make_plan(ask(UNSURE), PROSE, model, LIMITS)
    assert made.plan.origin == "repaired"
    fed_back = model.prompts[1].user
    assert "unknown tool 'web_browser'; available: semantic_search, keyword_search, calculate" in fed_back
    assert all("follow_links" not in prompt.system + prompt.user for prompt in model.prompts)


CIRCLES = {
    "t1 depends on itself": written(task(1, "order of signatures", "semantic_search", "t1")),
    "in a circle: t1, t2": written(
        task(1, "order of signatures", "semantic_search", "t2"),
        task(2, "first payment", "semantic_search", "t1"),
    ),
    "unknown task 't9'": written(task(1, "order of signatures", "semantic_search", "t9")),
}


@pytest.mark.parametrize("named", CIRCLES)
async def test_bad_graphs_are_refused_with_all_offenders_named(named: str) -> None:
    made, model = await plan([CIRCLES[named], GOOD])
    assert named in model.prompts[1].user
    assert made.plan.origin == "repaired"
    again, _ = await plan([CIRCLES[named], CIRCLES[named]])
    assert again.plan.origin == "fallback"
    assert named in again.notes[0]


@pytest.mark.parametrize("kind", ["unreachable", "timeout", "rate_limited", "refused", "empty", "rejected"])
async def test_a_model_that_fails_is_not_asked_again(kind: str) -> None:
    made, model = await plan([ModelError(kind, f"the model is {kind}.", "模型出错。")])
    assert made.plan.origin == "fallback"
    assert len(model.prompts) == 1
    assert f"the model is {kind}." in made.notes[0]


async def test_notes_are_in_the_questions_language() -> None:
    made, _ = await plan([ModelError("timeout", "too late.", "模型超时。")], UNSURE_ZH)
    assert made.notes == ("模型没有给出可用的计划（模型超时。），改用规则规划",)


async def test_near_duplicates_of_a_model_are_joined_and_told() -> None:
    twice = written(
        task(1, "order of signatures on contracts"), task(2, "the order of signatures on contracts?")
    )
    made, _ = await plan([twice])
    assert len(made.plan.tasks) == 1
    assert made.notes == ("1 near-duplicate task(s) merged",)


@pytest.mark.parametrize("most", [1, 2, 3])
async def test_limits_hold_whoever_plans(most: int) -> None:
    limits = Limits(max_tasks=most)
    for text in (UNSURE, "白桦项目和青石项目哪个先开工？", "白桦项目负责人所在部门的主管是谁？"):
        made = await make_plan(ask(text), PROSE, ScriptedModel([GOOD], repeat_last=True), limits)
        assert len(made.plan.tasks) <= most
        assert problems(made.plan, PROSE, limits) == ()


async def test_a_role_without_tools_gets_an_empty_plan_and_a_reason() -> None:
    made = await make_plan(ask("年假有几天？"), Catalog(tools=()), None, LIMITS)
    assert made.plan.tasks == ()
    assert made.notes


async def test_cancelling_the_caller_cancels_planning() -> None:
    from kaoju.llm.scripted import Sleep

    running = asyncio.create_task(make_plan(ask(UNSURE), PROSE, ScriptedModel([Sleep(30, GOOD)]), LIMITS))
    await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_the_prompts_beginning_is_the_same_for_every_question() -> None:
    model = ScriptedModel([GOOD, GOOD])
    for text in (UNSURE, UNSURE + " abroad"):
        await make_plan(ask(text), TABLES, model, LIMITS)
    assert model.prompts[0].system == model.prompts[1].system
    assert "项目台账" in model.prompts[0].system
