"""From a question to a valid plan, whatever the model does.

Rules first; a model where the rules are not sure and one is configured; one
repair with every problem named; then the rules' own plan, then a single
search. Planning never fails a run, and the plan's notes say what happened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kaoju.errors import ModelError, PlanError
from kaoju.llm.chat import ChatModel, Completion, Prompt
from kaoju.model.plan import Plan, PlanType
from kaoju.model.question import Question
from kaoju.planning import model_planner, rules
from kaoju.planning.admission import admit, find_whole, scope, whole_plan
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.merge import merge
from kaoju.planning.model_arguments import ask_arguments, complete_arguments
from kaoju.planning.outside import find_outside
from kaoju.planning.routing import choose_search
from kaoju.planning.strategies.base import lookup, need, say
from kaoju.planning.understand import Understanding, understand
from kaoju.planning.validate import problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A valid plan, and the completions that it took."""

    plan: Plan
    """Its `notes` say what happened on the way, in the question's language."""
    completions: tuple[Completion, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What happened on the way, in the question's language."""
        return self.plan.notes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proposal:
    """What a model's planning came to."""

    plan: Plan | None
    """Valid; None where the model gave none."""
    completions: tuple[Completion, ...]
    why: tuple[str, ...] = ()
    """Why there is none."""


async def make_plan(question: Question, catalog: Catalog, model: ChatModel | None, limits: Limits) -> Planned:
    """Return a valid plan for a question. Raises nothing but the cancellation of its caller."""
    catalog = scope(question, catalog)
    understood = understand(question.text, question.now, catalog)
    by_contract = await _by_contract(question, understood, catalog, model, limits)
    if by_contract is not None:
        return by_contract
    if understood.type is not PlanType.DIRECT and (
        outside := find_outside(question.text, understood.language, question.now)
    ):
        return Planned(
            plan=Plan(
                type=PlanType.DIRECT,
                tasks=(),
                needs=(),
                reply=outside.reply,
                unanswerable=outside.unanswerable,
            )
        )
    own = admit(merge(rules.plan(understood, catalog, limits)), question, catalog)
    wrong = problems(own, catalog, limits)
    if understood.type is PlanType.DIRECT or (not wrong and (understood.sure or model is None)):
        return Planned(plan=own if not wrong else _search(understood, catalog, wrong))
    if model is None:
        return Planned(plan=_search(understood, catalog, wrong))
    proposal = await _propose(question, catalog, model, limits)
    if proposal.plan is not None:
        return Planned(plan=proposal.plan, completions=proposal.completions)
    note = _gave_none(question, proposal.why)
    if wrong:
        plan = _search(understood, catalog, wrong)
        return Planned(plan=replace(plan, notes=(note, *plan.notes)), completions=proposal.completions)
    return Planned(plan=replace(own, origin="fallback", notes=(note,)), completions=proposal.completions)


async def _by_contract(
    question: Question, understood: Understanding, catalog: Catalog, model: ChatModel | None, limits: Limits
) -> Planned | None:
    """Return the plan that one tool of a contract makes for the whole question; None where none is meant."""
    fit = find_whole(question, understood, catalog)
    if fit is None:
        return None
    completions: tuple[Completion, ...] = ()
    if fit.filled.missing:
        if model is None:
            return None
        asked = await ask_arguments(fit.spec, question, question.text, model)
        completions = asked.completions
        if asked.arguments is None:
            return None
        fit = replace(fit, filled=replace(fit.filled, arguments=asked.arguments, missing=()))
    plan = whole_plan(question, understood, fit)
    return None if problems(plan, catalog, limits) else Planned(plan=plan, completions=completions)


async def _propose(question: Question, catalog: Catalog, model: ChatModel, limits: Limits) -> _Proposal:
    """Ask a model for a plan, and once more where it is not as asked.

    A reply that holds a valid plan in a wrong shape is repaired too; that plan
    serves where the repair brings nothing better.
    """
    completions: list[Completion] = []
    kept: Plan | None = None
    prompt = model_planner.prompt(question, catalog, limits)
    wrong: tuple[str, ...] = ()
    for repairing in (False, True):
        try:
            plan, wrong, shape = await _ask(
                model, prompt, question=question, catalog=catalog, limits=limits, completions=completions
            )
        except ModelError as error:
            wrong = (error.say(question.language),)
            if error.kind != "malformed" or repairing:
                break
            prompt = model_planner.repair_prompt(question, catalog, limits, wrong, free=True)
            continue
        if plan is not None and (not shape or repairing):
            origin_notes = (_say_repaired(question),) if repairing else ()
            return _Proposal(
                plan=replace(
                    plan, origin="repaired" if repairing else "model", notes=(*plan.notes, *origin_notes)
                ),
                completions=tuple(completions),
            )
        kept = kept or plan
        wrong = (*shape, *wrong)
        prompt = model_planner.repair_prompt(
            question, catalog, limits, wrong, free=plan is None and bool(shape)
        )
    if kept is not None:
        notes = (*kept.notes, _say_recovered(question))
        return _Proposal(plan=replace(kept, origin="repaired", notes=notes), completions=tuple(completions))
    return _Proposal(plan=None, completions=tuple(completions), why=wrong)


async def _ask(
    model: ChatModel,
    prompt: Prompt,
    *,
    question: Question,
    catalog: Catalog,
    limits: Limits,
    completions: list[Completion],
) -> tuple[Plan | None, tuple[str, ...], tuple[str, ...]]:
    """Return a valid plan or None, what is wrong with what was proposed, and what was wrong with its shape."""
    completion = await model.complete(prompt)
    completions.append(completion)
    try:
        extracted = model_planner.read(completion, catalog)
    except PlanError as error:
        return None, (), error.problems
    proposed = await complete_arguments(merge(extracted.plan), question, catalog, model, completions)
    plan = admit(proposed, question, catalog)
    wrong = problems(plan, catalog, limits, hidden=model_planner.HIDDEN)
    if wrong:
        return None, wrong, extracted.faults
    if len(plan.tasks) < len(extracted.plan.tasks):
        merged = len(extracted.plan.tasks) - len(plan.tasks)
        note = say(
            question.language, f"合并了 {merged} 个重复的任务", f"{merged} near-duplicate task(s) merged"
        )
        plan = replace(plan, notes=(note,))
    return plan, (), extracted.faults


def _gave_none(question: Question, why: tuple[str, ...]) -> str:
    text = "; ".join(why)
    return say(
        question.language,
        f"模型没有给出可用的计划（{text}），改用规则规划",
        f"the model gave no usable plan ({text}); planned by rules instead",
    )


def _say_repaired(question: Question) -> str:
    return say(question.language, "模型的计划修正过一次", "the model's plan was repaired once")


def _say_recovered(question: Question) -> str:
    return say(
        question.language,
        "模型的计划是从格式不对的回复中读出来的",
        "the model's plan was read out of a reply of the wrong form",
    )


def _search(understood: Understanding, catalog: Catalog, wrong: tuple[str, ...]) -> Plan:
    """Return the plan that always works: one search for the question as it is."""
    query = understood.query.strip() or "?"
    task = replace(lookup(1, query, catalog), tool=choose_search(query, catalog))
    note = say(
        understood.language,
        f"规则的计划不可用（{'; '.join(wrong)}），改为直接检索",
        f"the rules' plan was not usable ({'; '.join(wrong)}); searched directly instead",
    )
    return Plan(
        type=PlanType.SINGLE,
        tasks=(task,) if task.tool else (),
        needs=(need(1, query, understood.anchors),),
        origin="fallback",
        notes=(note,),
    )
