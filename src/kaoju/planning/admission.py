"""The tool of every task, checked against what the question asks and what the contracts say. Pure.

Promises: whoever proposed a plan, rules or a model, each of its tasks leaves
here with a tool that may serve it, the arguments that the question gives, and
the reason for the choice. Figures go to SQL where a table can serve, sums of
stated numbers to the calculator, codes to exact words, prose to meaning; a
tool of a contract is taken where the question fits it and its required
arguments are there. A tool with an effect is admitted only where the question
itself asks for the deed. Refuses: nothing; a wrong choice is corrected and the
reason says so.
"""

from __future__ import annotations

from dataclasses import replace

from kaoju.language.names import find_names
from kaoju.model.evidence import JSON
from kaoju.model.plan import Need, Plan, PlanType, Task
from kaoju.model.question import Language, Question
from kaoju.planning.actions import asks_for_action
from kaoju.planning.arguments import Filled
from kaoju.planning.catalog import BUILT_IN, Catalog
from kaoju.planning.fitting import Fit, fits, purpose_words
from kaoju.planning.hops import LINK_TOOL, PLACEHOLDER
from kaoju.planning.reasons import reason_for
from kaoju.planning.rewrite import search_style
from kaoju.planning.routing import SEARCHES, SQL_SURE, choose_tool, is_expression, sql_score, sql_serves
from kaoju.planning.strategies.base import say
from kaoju.planning.understand import Understanding

WHOLE: tuple[PlanType, ...] = (PlanType.DIRECT, PlanType.SINGLE, PlanType.VERIFY, PlanType.AGGREGATE)
"""Plans that one tool may replace as a whole; of the others it serves single tasks."""
SQL_RELATED = 0.15
"""A model's SQL is let through from here on; below, no table has to do with the query."""
OVER_SQL = 0.75
"""Share of its words from which a contract is preferred to tables that surely serve."""


def scope(question: Question, catalog: Catalog) -> Catalog:
    """Return what a question may use: tools with an effect only where it asks for what they do."""
    tools = tuple(
        spec
        for spec in catalog.tools
        if spec.risk == "read" or asks_for_action(question.text, purpose_words(spec))
    )
    return replace(catalog, tools=tools)


def find_whole(question: Question, understood: Understanding, catalog: Catalog) -> Fit | None:
    """Return the tool of a contract that a question as a whole is meant for; None where there is none.

    The fit may still miss arguments, which a model can give.
    """
    if not catalog.custom or understood.reply or understood.type not in _replaceable(understood):
        return None
    found = fits(question.text, question.text, question.now, catalog)
    if not found or (understood.expression and not found[0].filled.spans):
        return None
    best = found[0]
    if understood.sql >= SQL_SURE and best.share < OVER_SQL and not best.filled.exact:
        return None
    return best


def _replaceable(understood: Understanding) -> tuple[PlanType, ...]:
    several = len(understood.parts) > 1 or len(understood.claims) > 1
    return tuple(kind for kind in WHOLE if not several or kind is PlanType.DIRECT)


def whole_plan(question: Question, understood: Understanding, fit: Fit) -> Plan:
    """Return the plan that calls one tool of a contract for the whole question."""
    query = understood.query or question.text
    purpose = say(question.language, f"调用 {fit.spec.name}：{query}", f"call {fit.spec.name}: {query}")
    task = Task(
        id="t1",
        purpose=purpose,
        tool=fit.spec.name,
        query=query,
        arguments=fit.filled.arguments,
        need="n1",
        reason=_fits_because(fit, question.language),
    )
    return Plan(type=PlanType.SINGLE, tasks=(task,), needs=(_need(query, fit.filled, question.text),))


def _need(query: str, filled: Filled, text: str) -> Need:
    """Return the need; what went in as an argument binds the reply, which need not repeat it."""
    given = [text[start:end] for start, end in filled.spans]
    anchors = tuple(
        dict.fromkeys(
            name.text
            for name in find_names(query)
            if not any(name.text in value or value in name.text for value in given)
        )
    )
    return Need(id="n1", text=query, anchors=anchors)


def admit(plan: Plan, question: Question, catalog: Catalog) -> Plan:
    """Return the plan with every task's tool checked, corrected where it does not suit, and reasoned."""
    tasks = tuple(_admitted(task, plan, question, catalog) for task in plan.tasks)
    return replace(plan, tasks=tasks)


def _admitted(task: Task, plan: Plan, question: Question, catalog: Catalog) -> Task:
    if task.tool == LINK_TOOL or task.reason or catalog.tool(task.tool) is None:
        return task  # a tool that nobody knows is the validator's to name
    language = question.language
    waits = bool(PLACEHOLDER.search(task.query))
    sure_of_table = not waits and sql_score(task.query, catalog) >= SQL_SURE
    if catalog.custom and not (plan.type is PlanType.DIRECT and task.tool == "calculate"):
        chosen = next(
            (fit for fit in fits(task.query, question.text, question.now, catalog) if not fit.filled.missing),
            None,
        )
        if chosen is not None and (not sure_of_table or chosen.share >= OVER_SQL or chosen.filled.exact):
            return replace(
                task,
                tool=chosen.spec.name,
                arguments={**chosen.filled.arguments, **_kept(task, chosen.spec.name)},
                reason=_fits_because(chosen, language),
            )
    if plan.origin not in {"model", "repaired"}:
        return replace(task, reason=reason_for(task.query, task.tool, catalog, language))
    wrong = _unfit(task, plan, question, catalog)
    if not wrong:
        return replace(task, reason=reason_for(task.query, task.tool, catalog, language))
    if task.tool in SEARCHES and _asks_tables(plan, question, catalog):
        task = replace(task, query=search_style(question.text, question.now))
    tool = choose_tool(task.query, catalog)
    if not tool or tool == task.tool:
        return replace(task, reason=reason_for(task.query, task.tool, catalog, language))
    why = reason_for(task.query, tool, catalog, language)
    corrected = say(
        language,
        f"{why}（模型选了 {task.tool}：{wrong}）",
        f"{why} (the model chose {task.tool}: {wrong})",
    )
    return replace(task, tool=tool, arguments={}, reason=corrected)


def _kept(task: Task, tool: str) -> dict[str, JSON]:
    """Return the arguments that a model gave for the same tool."""
    return dict(task.arguments) if task.tool == tool else {}


def _asks_tables(plan: Plan, question: Question, catalog: Catalog) -> bool:
    """Return whether a plan of one task searches for what the question itself asks of the tables.

    A model's wording may have lost the figure that is asked for.
    """
    return len(plan.tasks) == 1 and sql_serves(search_style(question.text, question.now), catalog)


def _unfit(task: Task, plan: Plan, question: Question, catalog: Catalog) -> str:
    """Return why a proposed tool does not suit its task; empty where it does."""
    language, query = question.language, task.query
    spec = catalog.tool(task.tool)
    if spec is None:
        return ""
    waits = bool(PLACEHOLDER.search(query))
    if task.tool in SEARCHES:
        if sql_serves(query, catalog) or _asks_tables(plan, question, catalog):
            return say(language, f"不适用于：{spec.not_for}", f"it is not for: {spec.not_for}")
        if is_expression(query) and "calculate" in catalog.names:
            return say(language, "这是算式，不必查找", "this is arithmetic, nothing to look up")
        if choose_tool(query, catalog) != task.tool:
            return say(language, f"它用于：{spec.use_for}", f"it is for: {spec.use_for}")
        return ""
    if task.tool == "sql_query" and not waits and sql_score(query, catalog) < SQL_RELATED:
        return say(language, "没有表格含有所问的内容", "no table holds what is asked")
    if task.tool == "calculate" and not waits and not is_expression(query):
        return say(language, f"不适用于：{spec.not_for}", f"it is not for: {spec.not_for}")
    if task.tool not in BUILT_IN and not has_required(task, catalog):
        return say(
            language,
            "问题不符合它的约定，或缺少必填参数",
            "the question does not fit its contract, or a required argument is missing",
        )
    return ""


def has_required(task: Task, catalog: Catalog) -> bool:
    """Return whether a contract's tool that a model chose has its required arguments."""
    spec = catalog.tool(task.tool)
    required = spec.input_schema.get("required") if spec else None
    named = [name for name in required if name != "query"] if isinstance(required, list) else []
    return all(name in task.arguments for name in named)


def _fits_because(fit: Fit, language: Language) -> str:
    given = ", ".join(f"{name}={value}" for name, value in fit.filled.arguments.items() if name != "query")
    how_zh = "含义最接近" if fit.by_meaning else "问题符合其用途"
    how_en = "nearest in meaning" if fit.by_meaning else "the question fits what it is for"
    zh = f"{how_zh}：{fit.spec.use_for}" + (f"；参数取自问题：{given}" if given else "")
    en = f"{how_en}: {fit.spec.use_for}" + (f"; arguments from the question: {given}" if given else "")
    return say(language, zh, en)
