"""Plans written by a model under a JSON schema.

The prompt's beginning is constant, so that a server may cache it; the question
comes last. What comes back is a plan or a list of what is wrong with it: an
empty or foreign document is never taken for a plan.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

from kaoju.errors import PlanError
from kaoju.language.names import find_names
from kaoju.llm.chat import Prompt
from kaoju.model.plan import Need, Plan, PlanType, Task
from kaoju.model.question import Question
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits

MAX_TOKENS: Final = 400
PLANNABLE: Final = ("single", "decompose", "compare", "verify", "multi_hop", "aggregate")
HIDDEN: Final = frozenset({"follow_links"})
"""Tools that only the engine's own rules call."""
MAX_TABLES_SHOWN: Final = 6


def schema(catalog: Catalog, limits: Limits) -> dict[str, object]:
    """Return the JSON Schema of a plan over these tools."""
    names = [name for name in catalog.names if name not in HIDDEN]
    task = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^t[0-9]{1,2}$"},
            "purpose": {"type": "string", "maxLength": 200},
            "tool": {"type": "string", "enum": names},
            "query": {"type": "string", "minLength": 1, "maxLength": 300},
            "depends_on": {"type": "array", "items": {"type": "string"}, "maxItems": limits.max_tasks},
        },
        "required": ["id", "purpose", "tool", "query", "depends_on"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": list(PLANNABLE)},
            "tasks": {"type": "array", "items": task, "minItems": 1, "maxItems": limits.max_tasks},
        },
        "required": ["type", "tasks"],
        "additionalProperties": False,
    }


def prompt(question: Question, catalog: Catalog, limits: Limits, *, problems: Sequence[str] = ()) -> Prompt:
    """Return the planner's prompt; with `problems`, the one that asks for a repair."""
    text = resources.files("kaoju.planning").joinpath("prompts/planner.txt").read_text("utf-8")
    tools = "\n".join(f"- {t.name}: {t.use_for}" for t in catalog.tools if t.name not in HIDDEN)
    tables = "\n".join(
        f"- {t.title}: {', '.join(name for name, _ in t.columns[:12])}" for t in catalog.tables[:MAX_TABLES_SHOWN]
    )
    system = text.replace("MAX_TASKS", str(limits.max_tasks)).replace("TOOLS", tools)
    if tables:
        system += f"\nTables:\n{tables}"
    user = f"Today is {question.now}. Question: {question.text}"
    if problems:
        user += "\nYour last plan was refused: " + "; ".join(problems) + "\nWrite a corrected plan."
    return Prompt(system=system, user=user, schema=schema(catalog, limits), max_tokens=MAX_TOKENS)


def read(data: object) -> Plan:
    """Turn a model's JSON into a plan; whether it is a good one is the validator's business.

    Raises:
        PlanError: the document is no plan at all.
    """
    if isinstance(data, str):
        try:
            data = json.loads(data)
        except ValueError as error:
            raise PlanError(("the reply is not JSON",)) from error
    if not isinstance(data, Mapping) or not isinstance(data.get("tasks"), list) or not data["tasks"]:
        raise PlanError(('the reply has no list "tasks"',))
    kind = data.get("type")
    rows = [row for row in data["tasks"] if isinstance(row, Mapping)]
    tasks = tuple(_task(i, row) for i, row in enumerate(rows, start=1))
    needs = tuple(_need(task) for task in tasks)
    return Plan(
        type=PlanType(kind) if kind in PLANNABLE else PlanType.DECOMPOSE if len(tasks) > 1 else PlanType.SINGLE,
        tasks=tasks,
        needs=needs,
        origin="model",
    )


def _task(number: int, row: Mapping[str, Any]) -> Task:
    depends = row.get("depends_on")
    return Task(
        id=str(row.get("id") or f"t{number}"),
        purpose=str(row.get("purpose") or ""),
        tool=str(row.get("tool") or ""),
        query=str(row.get("query") or ""),
        depends_on=tuple(str(d) for d in depends) if isinstance(depends, list) else (),
        need=f"n{number}",
    )


def _need(task: Task) -> Need:
    names = tuple(name.text for name in find_names(task.query) if "{" not in name.text)
    return Need(id=task.need, text=task.query, anchors=names)
