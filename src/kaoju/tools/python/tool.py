"""A Python function as a tool.

Promises: arguments are validated before the function runs; a plain function
runs in a thread of its own, a coroutine on the loop; whatever it raises is a
failure, never an exception of the run. Refuses, when the tool is made, a
function whose signature has no schema.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast

from pydantic import ValidationError

from kaoju.errors import KaojuError, UsageError
from kaoju.model.evidence import JSON
from kaoju.model.failure import FAILURES, FailureCode
from kaoju.model.tool import Failed, Risk, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import say, text_of
from kaoju.tools.python.reply import outcome_of
from kaoju.tools.python.signature import Signature, read
from kaoju.tools.threads import in_thread

P = ParamSpec("P")
R = TypeVar("R")
_CODES: Final[tuple[tuple[type[BaseException], FailureCode], ...]] = (
    (TimeoutError, "TIMEOUT"),
    (ConnectionError, "UNREACHABLE"),
    (UsageError, "TOOL_PARAM_INVALID"),
    (KaojuError, "UPSTREAM_5XX"),
    (OSError, "UNREACHABLE"),
)
_ONCE: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    SystemExit,
)
"""What the same call would raise again."""


class FunctionTool(Generic[P, R]):
    """A function with a contract. It can still be called as the function that it is."""

    def __init__(self, function: Callable[P, R], spec: ToolSpec, signature: Signature) -> None:
        """Serve `function` under `spec`."""
        self.spec = spec
        self.function = function
        self._signature = signature
        module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", spec.name)
        self._source = f"python:{module}:{name}"
        self.__doc__ = function.__doc__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function itself."""
        return self.function(*args, **kwargs)

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Validate, call once, and return what came of it."""
        try:
            given = self._signature.arguments.model_validate(dict(call.arguments))
        except ValidationError as error:
            return _invalid(error, call, self.spec)
        arguments: dict[str, Any] = {name: getattr(given, name) for name in type(given).model_fields}
        if self._signature.wants_call:
            arguments[self._signature.wants_call] = call
        function = cast("Callable[..., object]", self.function)
        try:
            if inspect.iscoroutinefunction(function):
                returned: object = await function(**arguments)
            else:
                returned = await in_thread(lambda: function(**arguments))
                if inspect.isawaitable(returned):
                    returned = await cast("Awaitable[object]", returned)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a caller's function raises is a failure of the call
            return _raised(error, call, self.spec)
        return outcome_of(returned, call, self.spec, self._source)


def function_tool(
    function: Callable[P, R], spec: ToolSpec | None = None, **changes: Any
) -> FunctionTool[P, R]:
    """Return a function as a tool.

    Args:
        function: Any function or coroutine function with annotated, named parameters.
        spec: A contract from a file; its schema and description come from the function where it leaves them out.
        changes: Fields of a contract made from the function, such as `name`, `roles` or `risk`.

    Raises:
        UsageError: the signature has no schema, or the contract's input does not fit it.
    """
    signature = read(function)
    if spec is None:
        made = {
            "name": getattr(function, "__name__", "function"),
            "kind": "python",
            "description": signature.description,
            "use_for": signature.description,
            "not_for": "",
            "input_schema": signature.schema,
        }
        return FunctionTool(function, ToolSpec(**{**made, **changes}), signature)
    return FunctionTool(function, _completed(spec, signature), signature)


def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    use_for: str | None = None,
    not_for: str = "",
    roles: frozenset[str] | None = None,
    risk: Risk = "read",
    **contract: Any,
) -> Callable[[Callable[P, R]], FunctionTool[P, R]]:
    """Make a function a tool: `@tool(use_for="...")` above it, then `Kaoju.open(kb, tools=[it])`.

    Args:
        name: Name of the tool; the function's where None.
        description: What it does; the first line of its docstring where None.
        use_for: What it is for, read by planner and router; the description where None.
        not_for: What it is not for.
        roles: Who may call it; everybody where None.
        risk: `read`, `write` or `irreversible`; the latter two wait for a person.
        contract: Any other field of `kaoju.ToolSpec`.

    Raises:
        UsageError: an argument has no type, or cannot come by name.
    """
    stated: dict[str, Any] = {"name": name, "description": description, "use_for": use_for or description}
    changes = {key: value for key, value in stated.items() if value is not None}

    def decorate(function: Callable[P, R]) -> FunctionTool[P, R]:
        return function_tool(function, not_for=not_for, roles=roles, risk=risk, **changes, **contract)

    return decorate


def _completed(spec: ToolSpec, signature: Signature) -> ToolSpec:
    """Return a contract with what the function itself says where the contract says nothing."""
    schema: Mapping[str, JSON] = spec.input_schema
    stated = schema.get("properties")
    if not isinstance(stated, dict) or not stated:
        schema = signature.schema
    else:
        fields = signature.arguments.model_fields
        unknown = sorted(set(stated) - set(fields))
        required = schema.get("required")
        promised = set(required) if isinstance(required, list) else set()
        missing = sorted(
            name for name, field in fields.items() if field.is_required() and name not in promised
        )
        if unknown or missing:
            listed = ", ".join((*unknown, *missing))
            raise UsageError(
                f"tool {spec.name}: its input and its function do not take the same arguments: {listed}",
                f"工具 {spec.name} 的 input 与函数参数不一致：{listed}",
            )
    return replace(spec, input_schema=schema, description=spec.description or signature.description)


def _invalid(error: ValidationError, call: ToolCall, spec: ToolSpec) -> Failed:
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    about = text_of(call.arguments)
    return Failed(
        code="TOOL_PARAM_INVALID",
        message=say(
            about,
            zh=f"工具 {spec.name} 的参数 {field} 不符合约定：{first['msg']}",
            en=f"argument {field} of {spec.name} does not fit: {first['msg']}",
        ),
        retryable=False,
        suggestion=say(about, zh="按约定改正后重新调用", en="correct it and call again"),
        field=field,
        expected=str(first["msg"]),
        tool=spec.name,
    )


def _raised(error: BaseException, call: ToolCall, spec: ToolSpec) -> Failed:
    code: FailureCode = next((code for kind, code in _CODES if isinstance(error, kind)), "INTERNAL")
    about = text_of(call.arguments)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Failed(
        code=code,
        message=say(about, zh=f"工具 {spec.name} 出错：{what}", en=f"{spec.name} failed: {what}"),
        retryable=FAILURES[code].retryable and not isinstance(error, _ONCE),
        suggestion=say(about, zh="换一个工具", en="use another tool"),
        tool=spec.name,
    )
