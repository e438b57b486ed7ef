"""Contracts of kind `code`: a fixed program over the arguments, or the interpreter for any program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from kaoju.model.evidence import JSON
from kaoju.tools.base import Tool
from kaoju.tools.code.data import usable
from kaoju.tools.code.guard import Refused, check
from kaoju.tools.code.limits import LIMITS, MIB, Limits
from kaoju.tools.code.tool import SCHEMA, Code
from kaoju.tools.contract import Contract, Services

_OPTIONS: Final[Mapping[str, JSON]] = {
    "type": "object",
    "properties": {
        "program": {
            "type": "string",
            "minLength": 1,
            "maxLength": LIMITS.program_chars,
            "description": "Python over the arguments, by name; its last line is the value. Without it, calls bring their own.",
        },
        "seconds": {"type": "number", "exclusiveMinimum": 0, "maximum": 60},
        "memory_mb": {"type": "integer", "minimum": 4, "maximum": 1024},
    },
    "additionalProperties": False,
}


class CodeKind:
    """Makes interpreters of contracts."""

    options_schema: Mapping[str, JSON] = _OPTIONS

    def problems(self, contract: Contract) -> Sequence[str]:
        """Return what is wrong with the program, and with the names that it is given."""
        program = _program(contract)
        if not program:
            return []
        properties = contract.spec.input_schema.get("properties")
        names = [name for name in properties if name != "query"] if isinstance(properties, dict) else []
        found = [
            f"input `{name}` cannot be used in a program; use a plain word"
            for name in names
            if not usable(name)
        ]
        checked = check(program, names)
        if isinstance(checked, Refused):
            where = f" (line {checked.line} of the program)" if checked.line else ""
            found.append(f"code.program: {checked.reason}{where}")
        return found

    def make(self, contract: Contract, services: Services) -> Sequence[Tool]:
        """Return the tool."""
        program = _program(contract)
        spec = contract.spec
        if not program and not spec.input_schema.get("properties"):
            spec = replace(spec, input_schema=SCHEMA)
        return (Code(spec=spec, program=program, model=services.model, limits=_limits(contract)),)


def _program(contract: Contract) -> str:
    program = contract.options.get("program")
    return program if isinstance(program, str) else ""


def _limits(contract: Contract) -> Limits:
    seconds, memory = contract.options.get("seconds"), contract.options.get("memory_mb")
    limits = LIMITS
    if isinstance(seconds, int | float):
        limits = replace(limits, seconds=float(seconds))
    if isinstance(memory, int):
        limits = replace(limits, memory_bytes=memory * MIB)
    return limits
