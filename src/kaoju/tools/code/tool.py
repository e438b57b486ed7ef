"""`code`: figures computed from evidence by a program, in an interpreter that reaches nothing.

The order is: the program that the contract or the call gives; a ready program,
where the question names one and the figures are clear; a program written by a
model, where there is one, with one repair. What none of them can do is
declined: an estimate is never given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, cast

from kaoju.errors import ModelError
from kaoju.llm.chat import ChatModel
from kaoju.model.evidence import JSON, Evidence
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import say, text_of
from kaoju.tools.code import writer
from kaoju.tools.code.choose import choose
from kaoju.tools.code.findings import Ran, evidence_of
from kaoju.tools.code.interpreter import Interpreter
from kaoju.tools.code.library import OPERATIONS, OperationName
from kaoju.tools.code.limits import LIMITS, Limits
from kaoju.tools.code.session import NoValue, Value, compute
from kaoju.tools.code.table import Chosen, Unclear

SCHEMA: Final[Mapping[str, JSON]] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "maxLength": 2_000, "description": "what is to be computed"},
        "operation": {"type": "string", "enum": list(OPERATIONS)},
        "program": {"type": "string", "minLength": 1, "maxLength": LIMITS.program_chars},
        "data": {"type": "object", "description": "name -> number, list of numbers, or rows"},
        "sources": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "anyOf": [{"required": ["query"]}, {"required": ["program"]}, {"required": ["operation", "data"]}],
    "additionalProperties": False,
}
"""What the tool takes where its contract fixes no program."""

SPEC: Final = ToolSpec(
    name="code",
    kind="code",
    description="Computes from given figures and rows by a small program, exactly. 用小程序对给定的数字和行做精确计算。",
    use_for="Sums, ratios, rates of change, year on year, correlations, trends and runs over rows already found. "
    "对已找到的数据求和、比率、变化率、同比、相关系数、趋势、连续段。",
    not_for="Looking figures up; text. 查找数字；文本处理。",
    returns="One value, or rows, with the program and every number that went in.",
    input_schema=SCHEMA,
    examples=(
        {
            "query": "营收的合计",
            "data": {"rows": [{"季度": "2024Q1", "营收": 120}, {"季度": "2024Q2", "营收": 150}]},
        },
        {"program": "(new - old) / old", "data": {"old": 100, "new": 120}},
    ),
    timeout_seconds=60.0,
    attempts=1,
)


class Code:
    """The interpreter as a tool."""

    def __init__(
        self,
        *,
        spec: ToolSpec = SPEC,
        program: str = "",
        model: Callable[[], ChatModel | None] | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        """Serve `spec`.

        Args:
            spec: The contract.
            program: A program that the contract fixes; arguments are then its data.
            model: Gives the model that writes programs, or None.
            limits: What a program may use.
        """
        self.spec = spec
        self._program = program
        self._model = model
        self._interpreter = Interpreter(limits)

    async def close(self) -> None:
        """End the worker processes."""
        self._interpreter.close()

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Compute once."""
        query = text_of(call.arguments)
        if self._program:
            data = {name: value for name, value in call.arguments.items() if name != "query"}
            return await self._given(self._program, query or self.spec.description, data, call)
        given = call.arguments.get("data")
        named = {str(name): value for name, value in given.items()} if isinstance(given, dict) else {}
        if "program" in call.arguments:
            return await self._given(text_of(call.arguments, "program"), query, named, call)
        operation = text_of(call.arguments, "operation")
        chosen = choose(query, named, cast("OperationName", operation) if operation in OPERATIONS else None)
        if isinstance(chosen, Chosen):
            return await self._chosen(chosen, query, call)
        model = self._model() if self._model else None
        if model is None or not query:
            return _unclear(chosen, query)
        return await self._written(model, query, named, call)

    async def rerun(self, evidence: Evidence) -> bool | None:
        """Return whether a value that this tool computed comes out again; None where its data was too large to keep."""
        program, data = evidence.metadata.get("program"), evidence.metadata.get("data")
        if not program or not data:
            return None
        again = await compute(self._interpreter, program, json.loads(data))
        return isinstance(again, Value) and again.result.shown == evidence.metadata.get("value")

    async def _chosen(self, chosen: Chosen, query: str, call: ToolCall) -> ToolOutcome:
        operation = chosen.operation
        value = await compute(self._interpreter, operation.program, chosen.data)
        if isinstance(value, NoValue):
            return _failed(value, query, operation.program)
        about = query + chosen.subject
        ran = Ran(
            program=operation.program,
            data=chosen.data,
            result=value.result,
            title=f"{say(about, zh=operation.zh, en=operation.en)} [{chosen.subject}]",
            percent=operation.percent,
            caveats=tuple(say(about, zh=zh, en=en) for zh, en in chosen.caveats),
            sources=self._sources(call, chosen.data),
            floating=value.floating,
        )
        return self._found(ran, query or chosen.subject, call)

    async def _given(
        self, program: str, query: str, data: Mapping[str, JSON], call: ToolCall, *, written: bool = False
    ) -> ToolOutcome:
        value = await compute(self._interpreter, program, data)
        if isinstance(value, NoValue):
            return _failed(value, query, program)
        ran = Ran(
            program=program,
            data=data,
            result=value.result,
            title=query or " ".join(program.split())[:200],
            written=written,
            sources=self._sources(call, data),
            floating=value.floating,
        )
        return self._found(ran, query or program, call)

    async def _written(
        self, model: ChatModel, query: str, data: Mapping[str, JSON], call: ToolCall
    ) -> ToolOutcome:
        prompt = writer.first_prompt(query, data)
        outcome: ToolOutcome = _unclear(Unclear(en="the model gave no program", zh="模型没有给出程序"), query)
        for _ in range(2):
            try:
                program = await writer.write(model, prompt)
            except ModelError as error:
                return replace(
                    _unclear(Unclear(en=error.message, zh=error.zh), query),
                    retryable=error.kind in {"rate_limited", "timeout"},
                )
            if not program:
                continue
            outcome = await self._given(program, query, data, call, written=True)
            if not isinstance(outcome, Failed):
                return outcome
            prompt = writer.repair_prompt(writer.first_prompt(query, data), program, outcome.message)
        return outcome

    def _sources(self, call: ToolCall, data: Mapping[str, JSON]) -> Mapping[str, JSON]:
        """Return where the data came from; all of the call's sources where a ready program renamed it."""
        sources = call.arguments.get("sources")
        if not isinstance(sources, dict):
            return {}
        if any(name in data for name in sources):
            return sources
        return dict(zip(data, sources.values(), strict=False))

    def _found(self, ran: Ran, query: str, call: ToolCall) -> Succeeded:
        evidence = evidence_of(ran, query, call, self.spec.name)
        return Succeeded(evidence=(evidence,), confidence=evidence.confidence)


def _failed(no: NoValue, query: str, program: str) -> Failed:
    refused = no.layer in {"guard", "data"}
    return Failed(
        code="CODE_REFUSED" if refused else "CODE_ERROR",
        message=f"[{no.layer}] {say(query, zh=f'程序未得出结果：{no.zh}', en=f'the program gave no value: {no.en}')}",
        retryable=False,
        suggestion=say(
            query,
            zh="只用给定的数据、算术、循环和列出的内置函数，最后一行是结果",
            en="use only the given data, arithmetic, loops and the listed built-ins; the last line is the value",
        ),
        field="data" if no.layer == "data" else "program",
        expected=program[:500],
    )


def _unclear(unclear: Unclear, query: str) -> Failed:
    return Failed(
        code="NO_PATTERN",
        message=say(query, zh=unclear.zh, en=unclear.en),
        retryable=False,
        suggestion=say(
            query,
            zh="写明运算和列名，或给出 program",
            en="name the operation and the column, or give `program`",
        ),
        field="query",
        allowed=tuple(OPERATIONS),
    )
