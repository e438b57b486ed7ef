"""Functions as tools: schema from the signature, replies as evidence, exceptions as failures."""

from __future__ import annotations

import dataclasses
import threading
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from kaoju import Evidence, Failed, Locator, Succeeded, ToolCall, ToolSpec, tool
from kaoju.errors import UsageError
from kaoju.model.evidence import JSON
from kaoju.model.tool import NeedsApproval
from kaoju.tools.contract import Contract, Services
from kaoju.tools.python.kind import PythonKind
from kaoju.tools.python.tool import FunctionTool


class NoSecrets:
    def resolve(self, reference: str) -> str:
        raise UsageError(f"{reference} is not set")

    def redact(self, text: str) -> str:
        return text


SERVICES = Services(secrets=NoSecrets())


def call(**arguments: JSON) -> ToolCall:
    return ToolCall(run_id="r", task_id="t1", attempt=1, tool="x", arguments=arguments)


@tool(use_for="Credit scores of companies. 企业信用评分。", not_for="Private persons.", version="2")
def credit_score(
    company: str, year: Annotated[int, Field(ge=1990, le=2100)] = 2024, scale: Literal["A", "B"] = "A"
) -> dict[str, object]:
    """Look up the credit score of a company.

    Args:
        company: Registered name.
        year: Year of the score.
    """
    return {"company": company, "year": year, "score": 87, "scale": scale}


def test_the_contract_is_made_from_the_signature() -> None:
    spec = credit_score.spec
    assert (spec.name, spec.kind, spec.version) == ("credit_score", "python", "2")
    assert spec.description == "Look up the credit score of a company."
    properties = spec.input_schema["properties"]
    assert isinstance(properties, dict)
    assert properties["company"] == {"description": "Registered name.", "title": "Company", "type": "string"}
    year = properties["year"]
    assert isinstance(year, dict)
    assert (year["minimum"], year["maximum"], year["default"]) == (1990, 2100, 2024)
    assert spec.input_schema["required"] == ["company"]
    assert spec.input_schema["additionalProperties"] is False


def test_a_decorated_function_is_still_a_function() -> None:
    assert credit_score("Acme", scale="B")["scale"] == "B"


async def test_a_mapping_is_one_row() -> None:
    outcome = await credit_score.run(call(company="Acme"))
    assert isinstance(outcome, Succeeded)
    (found,) = outcome.evidence
    assert found.kind == "rows"
    assert found.text == "company: Acme; year: 2024; score: 87; scale: A"
    assert found.rows == ({"company": "Acme", "year": 2024, "score": 87, "scale": "A"},)
    assert found.document_id.endswith(":credit_score")
    assert found.tool == "credit_score"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "company"),
        ({"company": "Acme", "year": 3000}, "year"),
        ({"company": "Acme", "scale": "C"}, "scale"),
        ({"company": "Acme", "more": 1}, "more"),
    ],
)
async def test_arguments_that_do_not_fit_name_the_field(arguments: dict[str, JSON], field: str) -> None:
    outcome = await credit_score.run(call(**arguments))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.field, outcome.retryable) == ("TOOL_PARAM_INVALID", field, False)


class Offer(BaseModel):
    name: str
    since: date


@dataclasses.dataclass
class Point:
    x: int
    y: float


OWN = Evidence(
    id="", kind="value", text="v", document_id="d", title="t", locator=Locator(), tool="own", confidence=0.4
)
REPLIES: dict[str, tuple[object, str, int]] = {
    "text": ("some prose", "passage", 1),
    "texts": (["one", "two"], "passage", 2),
    "whole number": (3, "value", 1),
    "decimal": (Decimal("0.10"), "value", 1),
    "flag": (True, "value", 1),
    "mapping": ({"a": 1, "b": [1, 2]}, "rows", 1),
    "mappings": ([{"a": 1}, {"a": 2}], "rows", 1),
    "numbers": ([1, 2, 3], "rows", 1),
    "a model": (Offer(name="x", since=date(2024, 1, 2)), "rows", 1),
    "a dataclass": (Point(1, 2.5), "rows", 1),
    "evidence": (OWN, "value", 1),
    "several pieces of evidence": ([OWN, OWN], "value", 2),
}


@pytest.mark.parametrize("name", REPLIES)
async def test_what_a_function_returns_becomes_evidence(name: str) -> None:
    reply, kind, count = REPLIES[name]

    @tool(use_for="Test.")
    def answer(query: str) -> object:
        """Answer."""
        return reply

    outcome = await answer.run(call(query="q"))
    assert isinstance(outcome, Succeeded)
    assert [item.kind for item in outcome.evidence] == [kind] * count
    assert all(item.text for item in outcome.evidence)


@pytest.mark.parametrize("reply", [None, "", [], {}])
async def test_nothing_is_a_finding(reply: object) -> None:
    @tool()
    def answer(query: str) -> object:
        """Answer."""
        return reply

    outcome = await answer.run(call(query="q"))
    assert isinstance(outcome, Succeeded)
    assert outcome.evidence == ()
    assert outcome.notes


@pytest.mark.parametrize("reply", [object(), lambda: 1, float("nan"), float("inf")])
async def test_what_is_no_evidence_is_refused(reply: object) -> None:
    @tool()
    def answer(query: str) -> object:
        """Answer."""
        return reply

    outcome = await answer.run(call(query="q"))
    assert isinstance(outcome, Failed)
    assert outcome.code == "OUTPUT_INVALID"


@pytest.mark.parametrize(
    ("error", "code", "retryable"),
    [
        (ValueError("bad"), "INTERNAL", False),
        (RuntimeError("flaky"), "INTERNAL", True),
        (TimeoutError(), "TIMEOUT", True),
        (ConnectionResetError("gone"), "UNREACHABLE", True),
        (UsageError("no such year", "没有这一年"), "TOOL_PARAM_INVALID", False),
        (StopIteration(1), "INTERNAL", True),
        (SystemExit(3), "INTERNAL", False),
    ],
)
async def test_an_exception_is_a_failure(error: BaseException, code: str, retryable: bool) -> None:
    @tool()
    def answer(query: str) -> str:
        """Answer."""
        raise error

    outcome = await answer.run(call(query="q"))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retryable) == (code, retryable)


async def test_outcomes_pass_as_they_are() -> None:
    waits = NeedsApproval(reason="ask")

    @tool()
    async def answer(query: str) -> NeedsApproval:
        """Answer."""
        return waits

    assert await answer.run(call(query="q")) is waits


async def test_plain_functions_run_in_a_thread_and_coroutines_on_the_loop() -> None:
    @tool()
    def plain(query: str) -> str:
        """Answer."""
        return threading.current_thread().name

    @tool()
    async def on_loop(query: str, call: ToolCall) -> str:
        """Answer."""
        return f"{threading.current_thread().name} {call.task_id}"

    first, second = await plain.run(call(query="q")), await on_loop.run(call(query="q"))
    assert isinstance(first, Succeeded)
    assert isinstance(second, Succeeded)
    assert first.evidence[0].text == "kaoju-tool"
    assert second.evidence[0].text == "MainThread t1"
    properties = on_loop.spec.input_schema["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == ["query"]


def test_a_function_without_types_is_refused_when_it_is_made() -> None:
    with pytest.raises(UsageError, match="has no type"):

        @tool()
        def answer(query) -> str:  # type: ignore[no-untyped-def]
            """Answer."""
            return ""

    with pytest.raises(UsageError, match="cannot come by name"):

        @tool()
        def other(*queries: str) -> str:
            """Answer."""
            return ""


def contract(folder: Path, input_schema: dict[str, JSON] | None = None, **options: JSON) -> Contract:
    spec = ToolSpec(
        name="days",
        kind="python",
        description="",
        use_for="u",
        not_for="n",
        input_schema=input_schema or {"type": "object", "properties": {}},
        output_schema={"type": "integer", "minimum": 0},
    )
    return Contract(spec=spec, options=options, folder=folder)


CODE = '''
from datetime import date

def days(start: date, end: date) -> int:
    """Days between two dates."""
    return (end - start).days

broken = 3
'''


async def test_a_contract_finds_a_function_in_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "dates.py").write_text(CODE, encoding="utf-8")
    made = contract(tmp_path, function="dates.py:days")
    assert list(PythonKind().problems(made)) == []
    (one,) = PythonKind().make(made, SERVICES)
    assert one.spec.description == "Days between two dates."
    outcome = await one.run(call(start="2024-01-01", end="2024-03-01"))
    assert isinstance(outcome, Succeeded)
    assert outcome.evidence[0].rows == ({"value": 60},)
    wrong = await one.run(call(start="2024-03-01", end="2024-01-01"))
    assert isinstance(wrong, Failed)
    assert wrong.code == "OUTPUT_INVALID"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("dates.py:nothing", "there is no function"),
        ("dates.py:broken", "there is no function"),
        ("missing.py:days", "there is no file"),
        ("../outside.py:days", "outside"),
        ("no_such_module_here:days", "cannot be imported"),
        ("fails.py:days", "cannot be imported"),
        ("import os; os:getcwd", "names no function"),
    ],
)
def test_a_function_that_is_not_there_is_said(tmp_path: Path, function: str, words: str) -> None:
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "dates.py").write_text(CODE, encoding="utf-8")
    (folder / "fails.py").write_text("raise RuntimeError('at import')", encoding="utf-8")
    (tmp_path / "outside.py").write_text(CODE, encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        PythonKind().make(contract(folder, function=function), SERVICES)


def test_an_input_that_the_function_does_not_take_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dates.py").write_text(CODE, encoding="utf-8")
    schema: dict[str, JSON] = {"type": "object", "properties": {"start": {"type": "string"}, "to": {}}}
    with pytest.raises(UsageError, match="to, end, start"):
        PythonKind().make(contract(tmp_path, schema, function="dates.py:days"), SERVICES)


def test_an_entry_point_that_nobody_offers_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no installed package offers"):
        PythonKind().make(contract(tmp_path, entry_point="days_between"), SERVICES)


def test_an_installed_module_serves_and_a_decorated_function_takes_the_contract(tmp_path: Path) -> None:
    (one,) = PythonKind().make(contract(tmp_path, function=f"{__name__}:credit_score"), SERVICES)
    assert isinstance(one, FunctionTool)
    assert one.spec.name == "days"
    assert one.function is credit_score.function
