"""From whatever a model wrote to a plan. Pure.

Promises: fences, chatter, Python-style lists, single quotes, trailing commas,
cut-off JSON and plans under other keys are read; `faults` says what was not as
asked, so that the caller can have it repaired. Refuses, as `PlanError`: text
without any task. An empty plan is never a success.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kaoju.errors import PlanError
from kaoju.model.plan import Need, Plan, PlanType, Task
from kaoju.planning.strategies.base import anchors_of

PLANNABLE: Final = ("single", "decompose", "compare", "verify", "multi_hop", "aggregate")
MAX_DEPTH: Final = 6
"""How deep a plan may be buried under other keys."""

_THOUGHT: Final = re.compile(r"<think>.*?(?:</think>|$)", re.DOTALL)
_FENCE: Final = re.compile(r"```[A-Za-z]*[ \t]*\n?(.*?)(?:```|$)", re.DOTALL)
_TASK_KEYS: Final = (
    "tasks",
    "steps",
    "plan",
    "subtasks",
    "sub_tasks",
    "queries",
    "subqueries",
    "sub_queries",
    "questions",
    "subquestions",
    "sub_questions",
    "actions",
    "searches",
)
_QUERY_KEYS: Final = (
    "query",
    "question",
    "sub_question",
    "subquestion",
    "sub_query",
    "search",
    "search_query",
    "input",
    "q",
)
_TOOL_KEYS: Final = ("tool", "tool_name", "action", "function")
_PURPOSE_KEYS: Final = ("purpose", "description", "goal", "reason", "thought", "why")
_DEPENDS_KEYS: Final = ("depends_on", "dependencies", "depends", "deps", "requires", "after")
_ID_KEYS: Final = ("id", "task_id", "step", "name")
_ID: Final = re.compile(r"^(?:t|task|step|q|query|s)?[\s_#-]*(\d{1,3})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """A plan that was read, and what was not as asked."""

    plan: Plan
    faults: tuple[str, ...] = ()
    """One sentence each; empty where the document was as asked."""


def extract(reply: object, *, default_tool: str) -> Extracted:
    """Read a plan out of a reply.

    Args:
        reply: parsed JSON, or the text that a model wrote.
        default_tool: for tasks that are only queries.

    Raises:
        PlanError: there is no task in it.
    """
    faults: list[str] = []
    documents = _documents(reply, faults) if isinstance(reply, str) else [reply]
    for document in documents:
        rows, where = _rows(document)
        made = [
            task
            for task in (_task(n, row, default_tool, faults) for n, row in enumerate(rows, start=1))
            if task is not None
        ]
        if made:
            if where != "tasks":
                faults.append(
                    f'the tasks belong in the list "tasks" of one JSON object, not in {where or "a bare list"}'
                )
            return Extracted(plan=_plan(document, made), faults=tuple(dict.fromkeys(faults)))
    raise PlanError(
        ('the reply holds no task; it must be one JSON object with a list "tasks" of at least one task',)
    )


def _documents(text: str, faults: list[str]) -> Iterator[Any]:
    """Yield what may be the plan: fenced pieces first, then whatever opens with a bracket, each mended where it is broken."""
    import json_repair  # noqa: PLC0415 - only for replies that are no clean JSON

    body = _THOUGHT.sub("", text).strip()
    fenced = [match.group(1).strip() for match in _FENCE.finditer(body)]
    pieces = [*fenced, *_bracketed(body)]
    if not pieces or pieces[0] != body:
        faults.append("the reply must be JSON and nothing else")
    for piece in pieces:
        if "{" in piece or "[" in piece:
            try:
                value = json_repair.loads(piece, skip_json_loads=False)
            except RecursionError:
                faults.append("the reply is nested too deeply")
                continue
            if isinstance(value, Mapping | list) and value:
                yield value


def _bracketed(body: str) -> Iterator[str]:
    starts = sorted({at for at in (body.find("{"), body.find("[")) if at >= 0})
    for at in starts:
        yield body[at:]


def _rows(document: Any) -> tuple[list[Any], str]:
    """Return the task rows of a document and the key they stood under: "tasks" at the top, a path elsewhere."""
    if (
        isinstance(document, Mapping)
        and isinstance(document.get("tasks"), list)
        and _is_rows(document["tasks"])
    ):
        return document["tasks"], "tasks"
    return _buried(document, "", MAX_DEPTH)


def _buried(value: Any, path: str, depth: int) -> tuple[list[Any], str]:
    if depth == 0:
        return [], ""
    if isinstance(value, list):
        if _is_rows(value):
            return value, path
        children: Sequence[tuple[str, Any]] = [(path, item) for item in value]
    elif isinstance(value, Mapping):
        if path and _first(value, _QUERY_KEYS):
            return [value], path
        keys = sorted(value, key=lambda key: str(key).casefold() not in _TASK_KEYS)
        children = [(f"{path}.{key}".strip("."), value[key]) for key in keys]
        numbered = [
            item for key, item in value.items() if _ID.match(str(key)) and isinstance(item, Mapping | str)
        ]
        if numbered and _is_rows(numbered):
            return numbered, path or "numbered keys"
    else:
        return [], ""
    for name, child in children:
        rows, where = _buried(child, name, depth - 1)
        if rows:
            return rows, where
    return [], ""


def _is_rows(value: Sequence[Any]) -> bool:
    """Return whether a list holds tasks: objects with a query, or phrases of some length."""
    if not value:
        return False
    if all(isinstance(item, Mapping) for item in value):
        return any(_first(item, _QUERY_KEYS) or _first(item, _TOOL_KEYS) for item in value)
    return all(isinstance(item, str) and len(item.strip()) >= 4 for item in value)


def _task(number: int, row: Any, default_tool: str, faults: list[str]) -> Task | None:
    if isinstance(row, str):
        faults.append('each task must be an object with "id", "purpose", "tool", "query" and "depends_on"')
        return Task(
            id=f"t{number}", purpose=row.strip(), tool=default_tool, query=row.strip(), need=f"n{number}"
        )
    if not isinstance(row, Mapping):
        return None
    arguments: Mapping[str, Any] = next(
        (
            row[key]
            for key in ("arguments", "args", "parameters", "params")
            if isinstance(row.get(key), Mapping)
        ),
        {},
    )
    query = _first(row, _QUERY_KEYS) or _first(arguments, _QUERY_KEYS)
    tool = _first(row, _TOOL_KEYS)
    if not query and not tool:
        return None
    depends: Any = next((row[key] for key in _DEPENDS_KEYS if row.get(key)), [])
    listed = depends if isinstance(depends, list) else [depends]
    return Task(
        id=_id(_first(row, _ID_KEYS) or str(row.get("id") or number)),
        purpose=_first(row, _PURPOSE_KEYS) or query,
        tool=tool or default_tool,
        query=query,
        depends_on=tuple(dict.fromkeys(_id(str(item)) for item in listed if isinstance(item, str | int))),
        need=f"n{number}",
    )


def _first(row: Mapping[str, Any], keys: Sequence[str]) -> str:
    return next(
        (
            str(row[key]).strip()
            for key in keys
            if isinstance(row.get(key), str | int) and str(row[key]).strip()
        ),
        "",
    )


def _id(said: str) -> str:
    """Return an id in our form where the number is plain; as it is otherwise, for the validator to name."""
    match = _ID.match(said.strip())
    return f"t{int(match.group(1))}" if match else said.strip()


def _plan(document: Any, tasks: list[Task]) -> Plan:
    kind = document.get("type") if isinstance(document, Mapping) else None
    if kind not in PLANNABLE:
        kind = (
            "multi_hop"
            if any(task.depends_on for task in tasks)
            else "decompose"
            if len(tasks) > 1
            else "single"
        )
    return Plan(type=PlanType(kind), tasks=tuple(tasks), needs=tuple(map(_need, tasks)), origin="model")


def _need(task: Task) -> Need:
    """Return the need that a task serves: what it asks, with the names that evidence has to mention."""
    text = task.query or task.purpose
    return Need(id=task.need, text=text, anchors=anchors_of(text))
