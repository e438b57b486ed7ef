"""JSON that crosses a contract: arguments on their way in, raw replies on their way out.

Pure, and bounded: references never leave the schema, patterns have a limit on
backtracking. A violation is a value that names the field, what was expected
and what is allowed, so that a planner (or a person) can correct it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from jsonschema_rs import Draft202012Validator, ValidationError

from kaoju.model.evidence import JSON
from kaoju.model.tool import Failed, ToolSpec
from kaoju.tools.base import say, text_of

MAX_SHOWN: Final = 300
"""Characters of an expectation that a message repeats."""


class _Schema:
    """A schema hashable by identity, kept alive by the cache so that its id stays its own."""

    def __init__(self, body: Mapping[str, JSON]) -> None:
        self.body = body

    def __hash__(self) -> int:
        return id(self.body)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Schema) and other.body is self.body


@lru_cache(maxsize=512)
def _validator(schema: _Schema) -> Draft202012Validator:
    return Draft202012Validator(dict(schema.body), validate_formats=True, offline=True)


def check_arguments(spec: ToolSpec, arguments: Mapping[str, JSON]) -> Failed | None:
    """Return why the arguments do not fit the contract, or None when they do."""
    about = text_of(arguments)
    try:
        validator = _validator(_Schema(spec.input_schema))
    except ValueError as wrong:
        return _unusable(spec, "input", wrong, about)
    given = arguments if isinstance(arguments, dict) else dict(arguments)
    try:
        if validator.is_valid(given):
            return None
        error = _first(list(validator.iter_errors(given)))
    except ValueError as not_json:
        return _misfit(spec, about, field="", expected=f"JSON ({not_json})", allowed=())
    return _misfit(
        spec,
        about,
        field=_field(error),
        expected=_expected(error),
        allowed=_allowed(spec.input_schema, error),
    )


def check_output(spec: ToolSpec, reply: object) -> Failed | None:
    """Return why a raw reply does not fit the contract's output schema, or None where it does, or where there is none.

    Kinds of tools that get their replies from outside call it before they make evidence of them.
    """
    if spec.output_schema is None:
        return None
    try:
        validator = _validator(_Schema(spec.output_schema))
    except ValueError as wrong:
        return _unusable(spec, "output", wrong, "")
    try:
        if validator.is_valid(reply):
            return None
        error = _first(list(validator.iter_errors(reply)))
    except ValueError as not_json:
        return bad_output(spec, f"JSON ({not_json})")
    return bad_output(spec, _expected(error), _field(error))


def bad_output(spec: ToolSpec, expected: str, field: str = "") -> Failed:
    """Return the failure of a tool whose reply no contract allows."""
    where = f" in {field}" if field else ""
    return Failed(
        code="OUTPUT_INVALID",
        message=f"{spec.name} returned something that its contract does not allow: expected {expected}{where}",
        retryable=True,
        suggestion="use another tool for this need",
        field=field,
        expected=expected,
        tool=spec.name,
    )


def _misfit(spec: ToolSpec, about: str, *, field: str, expected: str, allowed: tuple[str, ...]) -> Failed:
    return Failed(
        code="TOOL_PARAM_INVALID",
        message=say(
            about,
            zh=f"工具 {spec.name} 的参数 {field or '(整体)'} 不符合约定：应为 {expected}",
            en=f"argument {field or '(whole)'} of {spec.name} does not fit: expected {expected}",
        ),
        retryable=False,
        suggestion=say(
            about,
            zh=f"按约定改正参数 {field or ''} 后重新调用",
            en=f"correct {field or 'the arguments'} and call again",
        ),
        field=field,
        expected=expected,
        allowed=allowed,
        tool=spec.name,
    )


def _unusable(spec: ToolSpec, which: str, error: Exception, about: str) -> Failed:
    why = str(error).splitlines()[0]
    kind = "输入" if which == "input" else "输出"
    return Failed(
        code="NOT_CONFIGURED",
        message=say(
            about,
            zh=f"工具 {spec.name} 的{kind}约定本身不可用：{why}",
            en=f"the {which} schema of {spec.name} cannot be used: {why}",
        ),
        retryable=False,
        suggestion=say(about, zh="用 kaoju tools check 检查约定", en="run kaoju tools check"),
        tool=spec.name,
    )


def _first(errors: Sequence[ValidationError]) -> ValidationError:
    """Return the error nearest to the top: what stands deeper often only follows from it."""
    return min(errors, key=lambda error: len(error.instance_path))


def _field(error: ValidationError) -> str:
    path = [str(part) for part in error.instance_path]
    detail = error.kind.as_dict()
    if error.kind.name == "required":
        path.append(str(detail["property"]))
    elif error.kind.name == "additionalProperties":
        path.append(str(detail["unexpected"][0]))
    return ".".join(path)


def _expected(error: ValidationError) -> str:
    name, detail = error.kind.name, error.kind.as_dict()
    if name == "required":
        return "present"
    if name == "additionalProperties":
        return "one of the declared arguments"
    if name == "enum":
        return "one of " + ", ".join(str(option) for option in detail["options"])[:MAX_SHOWN]
    if name == "type":
        return " or ".join(detail["types"])
    value = next((value for key, value in detail.items() if key != "context"), None)
    return f"{name} {value}"[:MAX_SHOWN] if value is not None else name


def _allowed(schema: Mapping[str, JSON], error: ValidationError) -> tuple[str, ...]:
    """Return what may stand in the place of the error, where the schema lists it."""
    if error.kind.name == "enum":
        return tuple(str(option) for option in error.kind.as_dict()["options"])
    if error.kind.name not in {"required", "additionalProperties"}:
        return ()
    node: object = schema
    for part in error.schema_path[:-1]:
        if isinstance(node, Mapping):
            node = node.get(str(part))
        elif isinstance(node, list) and isinstance(part, int):
            node = node[part]
        else:
            return ()
    properties = node.get("properties") if isinstance(node, Mapping) else None
    return tuple(properties) if isinstance(properties, dict) else ()
