"""Plans written by a model under a JSON schema.

The prompt's beginning is constant, so that a server may cache it; the question
comes last. Whether a plan is a good one is the validator's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Final

from kaoju.llm.chat import Completion, Prompt
from kaoju.model.question import Question
from kaoju.planning.catalog import Catalog
from kaoju.planning.hops import LINK_TOOL
from kaoju.planning.limits import Limits
from kaoju.planning.parse import PLANNABLE, Extracted, extract
from kaoju.planning.routing import choose_search

MAX_TOKENS: Final = 400
HIDDEN: Final = frozenset({LINK_TOOL})
"""Tools that only the engine's own rules call."""
MAX_TABLES_SHOWN: Final = 6
MAX_COLUMNS_SHOWN: Final = 12


def schema(catalog: Catalog, limits: Limits) -> dict[str, object]:
    """Return the JSON Schema of a plan over these tools."""
    task = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^t[0-9]{1,2}$"},
            "purpose": {"type": "string", "maxLength": 200},
            "tool": {"type": "string", "enum": [name for name in catalog.names if name not in HIDDEN]},
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


def prompt(question: Question, catalog: Catalog, limits: Limits) -> Prompt:
    """Return the prompt that asks for a plan."""
    text = _read("planner.txt")
    tools = "\n".join(f"- {tool.name}: {tool.use_for}" for tool in catalog.tools if tool.name not in HIDDEN)
    system = text.replace("MAX_TASKS", str(limits.max_tasks)).replace("TOOLS", tools)
    tables = "\n".join(
        f"- {table.title}: {', '.join(name for name, _ in table.columns[:MAX_COLUMNS_SHOWN])}"
        for table in catalog.tables[:MAX_TABLES_SHOWN]
    )
    if tables:
        system += f"\nTables:\n{tables}"
    user = f"Today is {question.now}. Question: {question.text}"
    return Prompt(system=system, user=user, schema=schema(catalog, limits), max_tokens=MAX_TOKENS)


def repair_prompt(
    question: Question, catalog: Catalog, limits: Limits, problems: Sequence[str], *, free: bool
) -> Prompt:
    """Return the prompt that asks for a corrected plan, every problem named.

    Args:
        question: what the plan is for.
        catalog: the tools and tables at hand.
        limits: how large a plan may be.
        problems: what was wrong with the last one.
        free: ask without a schema, where the last reply broke it: whatever comes is then read for what it holds.
    """
    first = prompt(question, catalog, limits)
    listed = "\n".join(f"- {problem}" for problem in problems)
    user = f"{first.user}\n{_read('repair.txt').strip().replace('PROBLEMS', listed)}"
    return Prompt(
        system=first.system, user=user, schema=None if free else first.schema, max_tokens=first.max_tokens
    )


def read(completion: Completion, catalog: Catalog) -> Extracted:
    """Turn a completion into a plan.

    Raises:
        PlanError: there is no task in it.
    """
    reply = completion.text if completion.data is None else completion.data
    return extract(reply, default_tool=choose_search("", catalog))


def _read(name: str) -> str:
    return resources.files("kaoju.planning").joinpath("prompts", name).read_text("utf-8")
