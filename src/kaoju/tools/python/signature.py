"""A function's signature as a contract: JSON Schema in, validated values out.

Promises: the schema says what the annotations say; arguments are validated and
turned into the annotated types by Pydantic before the function sees them.
Refuses functions whose arguments cannot come by name.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo

from kaoju.errors import UsageError
from kaoju.model.evidence import JSON
from kaoju.model.tool import ToolCall

_BY_NAME: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_ENTRY: Final = re.compile(r"^\s*(\*{0,2}\w+)\s*(?:\([^)]*\))?:\s*(.+)$")


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes."""

    arguments: type[BaseModel]
    schema: Mapping[str, JSON]
    """JSON Schema of its arguments."""
    wants_call: str
    """The parameter that takes the `ToolCall` itself; empty where none does."""
    description: str
    """First line of its docstring."""


def read(function: Callable[..., object]) -> Signature:
    """Return what a function takes.

    Raises:
        UsageError: an argument cannot come by name, or its type has no JSON form.
    """
    name = getattr(function, "__name__", repr(function))
    try:
        hints = get_type_hints(function, include_extras=True)
        parameters = inspect.signature(function).parameters.values()
    except (NameError, TypeError, ValueError) as error:
        raise UsageError(
            f"the signature of {name} cannot be read: {error}", f"无法读取函数 {name} 的签名：{error}"
        ) from error
    described = _described(inspect.getdoc(function) or "")
    fields: dict[str, Any] = {}
    wants_call = ""
    for parameter in parameters:
        if hints.get(parameter.name) is ToolCall:
            wants_call = parameter.name
            continue
        if parameter.kind not in _BY_NAME:
            raise UsageError(
                f"argument {parameter.name} of {name} cannot come by name; use plain named parameters",
                f"函数 {name} 的参数 {parameter.name} 不能按名称传入，请使用普通具名参数",
            )
        if parameter.name not in hints:
            raise UsageError(
                f"argument {parameter.name} of {name} has no type; annotate it",
                f"函数 {name} 的参数 {parameter.name} 没有类型标注，请补上",
            )
        fields[parameter.name] = (hints[parameter.name], _field(parameter, described))
    try:
        model = create_model(f"{name}_arguments", __config__=ConfigDict(extra="forbid"), **fields)
        schema = cast("dict[str, JSON]", model.model_json_schema())
    except (PydanticUserError, TypeError, NameError) as error:
        raise UsageError(
            f"the arguments of {name} have no JSON form: {error}",
            f"函数 {name} 的参数无法表示为 JSON：{error}",
        ) from error
    first = (inspect.getdoc(function) or "").strip().split("\n", maxsplit=1)[0]
    return Signature(model, schema, wants_call, first)


def _field(parameter: inspect.Parameter, described: Mapping[str, str]) -> FieldInfo:
    default: Any = ... if parameter.default is inspect.Parameter.empty else parameter.default
    if isinstance(default, FieldInfo):
        return default
    made = Field(default=default, description=described.get(parameter.name))
    return cast("FieldInfo", made)


def _described(doc: str) -> dict[str, str]:
    """Return the descriptions of a google-style `Args:` section."""
    found: dict[str, str] = {}
    inside = False
    for line in doc.splitlines():
        if re.fullmatch(r"(?:Args|Arguments|Parameters):", line.strip()):
            inside = True
        elif inside and line and not line[0].isspace():
            break
        elif inside and (match := _ENTRY.match(line)):
            found[match.group(1)] = match.group(2).strip()
    return found
