"""Arguments that a model reads out of a question, under the tool's own schema.

Promises: what comes back fits the schema, and every free text in it stands in
the question. Refuses, by giving none: values that the question does not hold,
and replies that do not fit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Final

import jsonschema

from kaoju.errors import ModelError
from kaoju.language.normalise import normalise
from kaoju.language.numbers import find_numbers
from kaoju.llm.chat import ChatModel, Completion, Prompt
from kaoju.model.evidence import JSON
from kaoju.model.plan import Plan
from kaoju.model.question import Question
from kaoju.model.tool import ToolSpec
from kaoju.planning.arguments import fill
from kaoju.planning.catalog import Catalog
from kaoju.planning.fields import QUERY, fields_of

MAX_TOKENS: Final = 200
_GIVEN_KINDS: Final = frozenset({"words", "pattern"})
"""Fields whose values have to stand in the question as they are."""
_NESTED_KINDS: Final = frozenset({"list", "other"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedArguments:
    """What a model gave."""

    arguments: Mapping[str, JSON] | None
    """None where there is nothing usable."""
    completions: tuple[Completion, ...] = ()
    problem: str = ""


async def ask_arguments(
    spec: ToolSpec, question: Question, text: str, model: ChatModel, *, problem: str = ""
) -> AskedArguments:
    """Ask a model for the arguments of one tool.

    Args:
        spec: the tool's contract.
        question: whose reference date counts.
        text: the question, or the part of it that the tool is to serve.
        model: who is asked.
        problem: what was wrong with the last arguments, where there were any.
    """
    try:
        completion = await model.complete(prompt(spec, question, text, problem))
    except ModelError as error:
        return AskedArguments(arguments=None, problem=error.say(question.language))
    data = completion.data
    if not isinstance(data, Mapping):
        return AskedArguments(arguments=None, completions=(completion,), problem="no JSON object")
    given = {name: value for name, value in data.items() if name != QUERY and value is not None}
    wrong = next(iter(_problems(spec, given, text)), "")
    return AskedArguments(arguments=None if wrong else given, completions=(completion,), problem=wrong)


async def complete_arguments(
    plan: Plan, question: Question, catalog: Catalog, model: ChatModel, completions: list[Completion]
) -> Plan:
    """Return a model's plan with the arguments of tools that need some and got none.

    Args:
        plan: as the model proposed it.
        question: what it is for.
        catalog: the tools at hand.
        model: who is asked for what the rules cannot read.
        completions: what was spent is added here.
    """
    tasks = []
    for task in plan.tasks:
        spec = next((spec for spec in catalog.custom if spec.name == task.tool), None)
        if spec is not None and fill(spec, task.query, question.now).missing:
            asked = await ask_arguments(spec, question, task.query, model)
            completions.extend(asked.completions)
            task = replace(task, arguments=asked.arguments or {})  # noqa: PLW2901 - the same task, completed
        tasks.append(task)
    return replace(plan, tasks=tuple(tasks))


def prompt(spec: ToolSpec, question: Question, text: str, problem: str = "") -> Prompt:
    """Return the prompt that asks for arguments under the tool's schema."""
    schema = schema_of(spec)
    system = resources.files("kaoju.planning").joinpath("prompts", "arguments.txt").read_text("utf-8")
    system = system.replace("TOOL", f"{spec.name}: {spec.description} {spec.use_for}").replace(
        "SCHEMA", json.dumps(schema, ensure_ascii=False)
    )
    user = f"Today is {question.now}. Question: {text}"
    if problem:
        user += f"\nThe last arguments were refused: {problem}"
    return Prompt(system=system, user=user, schema=schema, max_tokens=MAX_TOKENS)


def schema_of(spec: ToolSpec) -> dict[str, object]:
    """Return the schema of what a model is to give: the tool's own without the query, which we know."""
    schema = dict(spec.input_schema)
    properties, required = schema.get("properties"), schema.get("required")
    kept = (
        {name: value for name, value in properties.items() if name != QUERY}
        if isinstance(properties, Mapping)
        else {}
    )
    named = [name for name in required if name != QUERY] if isinstance(required, list) else []
    return {"type": "object", "properties": kept, "required": named, "additionalProperties": False}


def _problems(spec: ToolSpec, given: Mapping[str, JSON], text: str) -> Iterator[str]:
    for error in jsonschema.Draft202012Validator(schema_of(spec)).iter_errors(given):
        yield error.message[:200]
    for one in fields_of(spec):
        value = given.get(one.name)
        if one.kind in _NESTED_KINDS and not all(_stands_in(leaf, text) for leaf in _leaves(value)):
            yield f"{one.name}: it holds text that does not stand in the question"
        if one.kind in _GIVEN_KINDS and isinstance(value, str) and not _stands_in(value, text):
            yield f"{one.name}: {value!r} does not stand in the question"
        if one.kind == "number" and isinstance(value, int | float) and not _is_said(value, text):
            yield f"{one.name}: {value!r} does not stand in the question"


def _leaves(value: JSON) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)


def _stands_in(value: str, text: str) -> bool:
    return re.sub(r"\s", "", normalise(value)) in re.sub(r"\s", "", normalise(text))


def _is_said(value: float, text: str) -> bool:
    return str(value) in text or any(float(quantity.value) == float(value) for quantity in find_numbers(text))
