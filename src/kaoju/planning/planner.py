"""From a question to a valid plan, whatever the model does.

Rules first; a model where the rules are not sure and one is configured; one
repair with every problem named; then the rules' own plan, then a single
search. Planning never fails a run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kaoju.errors import ModelError, PlanError
from kaoju.llm.chat import ChatModel, Completion
from kaoju.model.plan import Need, Plan, PlanType, Task
from kaoju.model.question import Question
from kaoju.planning import model_planner, rules
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.merge import merge
from kaoju.planning.understand import Understanding, understand
from kaoju.planning.validate import problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A valid plan, and the completions that it took."""

    plan: Plan
    """Its `notes` say what happened on the way, in the question's language."""
    completions: tuple[Completion, ...] = ()


async def make_plan(question: Question, catalog: Catalog, model: ChatModel | None, limits: Limits) -> Planned:
    """Return a valid plan for a question. Raises nothing but the cancellation of its caller."""
    understood = understand(question.text, question.now, catalog)
    own = merge(rules.plan(question, understood, catalog, limits))
    wrong = problems(own, catalog, limits)
    if not wrong and (understood.sure or model is None):
        return Planned(plan=own)
    if model is not None and understood.type is not PlanType.DIRECT:
        planned = await _by_model(question, catalog, model, limits)
        if planned.plan.tasks:
            return planned
        if not wrong:
            return replace(planned, plan=replace(own, origin="fallback", notes=planned.plan.notes))
        return replace(planned, plan=_single_search(question, understood, catalog, planned.plan.notes))
    return Planned(plan=_single_search(question, understood, catalog, ()))


async def _by_model(question: Question, catalog: Catalog, model: ChatModel, limits: Limits) -> Planned:
    """Return the model's plan, repaired once if need be; one without tasks where it gave none."""
    completions: list[Completion] = []
    wrong: tuple[str, ...] = ()
    for attempt in ("first", "repair"):
        ask = model_planner.prompt(question, catalog, limits, problems=wrong)
        try:
            completion = await model.complete(ask)
            completions.append(completion)
            plan = merge(model_planner.read(completion.data))
            wrong = problems(plan, catalog, limits)
        except PlanError as error:
            wrong = error.problems
        except ModelError as error:
            if error.kind != "malformed":
                return _gave_none(question, (error.say(question.language),), completions)
            wrong = (error.message,)
        if not wrong:
            repaired = attempt == "repair"
            return Planned(
                plan=replace(plan, origin="repaired" if repaired else "model", notes=_say_repaired(question) if repaired else ()),
                completions=tuple(completions),
            )
    return _gave_none(question, wrong, completions)


def _gave_none(question: Question, why: tuple[str, ...], completions: list[Completion]) -> Planned:
    text = "; ".join(why)
    note = (
        f"模型没有给出可用的计划（{text}），改用规则规划"
        if question.language == "zh"
        else f"the model gave no usable plan ({text}); planned by rules instead"
    )
    return Planned(plan=Plan(type=PlanType.SINGLE, tasks=(), needs=(), notes=(note,)), completions=tuple(completions))


def _say_repaired(question: Question) -> tuple[str, ...]:
    return ("模型的计划修正过一次",) if question.language == "zh" else ("the model's plan was repaired once",)


def _single_search(question: Question, understood: Understanding, catalog: Catalog, notes: tuple[str, ...]) -> Plan:
    tool = rules.choose_tool(understood.query, Catalog(tools=catalog.tools))
    task = Task(id="t1", purpose=question.text, tool=tool, query=understood.query, need="n1")
    need = Need(id="n1", text=understood.query, anchors=understood.anchors)
    return Plan(type=PlanType.SINGLE, tasks=(task,) if tool else (), needs=(need,), origin="fallback", notes=notes)
