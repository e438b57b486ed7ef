"""What is wrong with contracts that have the right form: each alone, and all together.

Promises: finds, before anything runs, examples that do not fit, schemas that
nothing can fit, missing roles, unknown or circular fallbacks, names taken twice
and secrets in clear. Pure but for what a kind itself looks at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

from kaoju.model.tool import ToolSpec
from kaoju.tools.contract import Kind
from kaoju.tools.contracts.clear_secrets import in_clear
from kaoju.tools.contracts.problem import Problem
from kaoju.tools.contracts.reading import Read
from kaoju.tools.contracts.source import Place

DESCRIBED_ELSEWHERE: Final = frozenset({"openapi", "mcp"})
"""Kinds whose document states the arguments of each of its tools."""


def check(
    read: Sequence[Read], kinds: Mapping[str, Kind], built_in: Sequence[ToolSpec]
) -> tuple[Problem, ...]:
    """Return every problem, file by file.

    Args:
        read: contracts that have the right form.
        kinds: the kinds of tools.
        built_in: contracts of the tools that are there without files.
    """
    found: list[Problem] = []
    names: dict[str, str] = {spec.name: "built in" for spec in built_in}
    specs = {spec.name: spec for spec in (*built_in, *(one.contract.spec for one in read))}
    for one in read:
        spec = one.contract.spec
        if spec.name in names:
            found.append(
                one.source.problem(
                    ("name",),
                    f"the name {spec.name!r} is taken ({names[spec.name]}); choose another.",
                    f"名称 {spec.name!r} 已被占用（{names[spec.name]}），请换一个。",
                )
            )
        names.setdefault(spec.name, str(one.source.path))
        found.extend(_alone(one))
        found.extend(_fallbacks(one, specs))
        found.extend(in_clear(one.source))
        found.extend(
            one.source.problem((spec.kind,), f"{spec.kind}: {text}", f"{spec.kind}：{text}")
            for text in kinds[spec.kind].problems(one.contract)
        )
    return tuple(found)


def _alone(one: Read) -> Iterator[Problem]:
    spec, source = one.contract.spec, one.source
    if spec.risk != "read" and not spec.roles:
        yield source.problem(
            ("risk",),
            f"a tool of risk {spec.risk!r} must name the `roles` that may call it.",
            f"风险为 {spec.risk!r} 的工具必须用 `roles` 写明哪些角色可以调用。",
        )
    for field, schema in (("input", spec.input_schema), ("output", spec.output_schema)):
        if schema is not None:
            yield from _schema(one, field, schema)
    if spec.kind in DESCRIBED_ELSEWHERE:
        return
    if not spec.examples:
        yield source.problem(
            ("name",),
            "give at least one of `examples`: arguments of a typical call.",
            "请至少给出一个 `examples`：一次典型调用的参数。",
        )
    for number, example in enumerate(spec.examples):
        error = _misfit(spec.input_schema, example)
        if error:
            yield source.problem(
                ("examples", number),
                f"the example does not fit `input`: {error}.",
                f"示例不符合 `input`：{error}。",
            )
    if spec.probe is not None:
        error = _misfit(spec.input_schema, spec.probe.arguments)
        if error:
            yield source.problem(
                ("probe", "arguments"),
                f"the probe does not fit `input`: {error}.",
                f"探测参数不符合 `input`：{error}。",
            )


def _misfit(schema: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    try:
        error = best_match(Draft202012Validator(dict(schema)).iter_errors(dict(value)))
    except Exception:  # noqa: BLE001 - a broken schema is reported where it stands
        return ""
    return error.message if error else ""


def _schema(one: Read, field: str, schema: Mapping[str, Any]) -> Iterator[Problem]:
    try:
        Draft202012Validator.check_schema(dict(schema))
    except SchemaError as error:
        yield one.source.problem(
            (field, *error.absolute_path),
            f"{field} is no valid JSON Schema: {error.message}.",
            f"{field} 不是有效的 JSON Schema：{error.message}。",
        )
        return
    if field == "input" and schema.get("type", "object") != "object":
        yield one.source.problem((field,), "`input` must describe an object.", "`input` 应描述一个对象。")
    for place, why in impossible(schema):
        yield one.source.problem(
            (field, *place), f"nothing can fit this schema: {why}.", f"没有值能符合该约定：{why}。"
        )


def impossible(schema: Any, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Yield the parts of a schema that nothing can fit, with the reason."""
    if schema is False:
        yield place, "false"
        return
    if not isinstance(schema, Mapping):
        return
    for low, high in (
        ("minimum", "maximum"),
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
    ):
        least, most = schema.get(low, -math.inf), schema.get(high, math.inf)
        if _number(least) and _number(most) and least > most:
            yield (*place, low), f"{low} {least} is above {high} {most}"
    if schema.get("enum") == []:
        yield (*place, "enum"), "the enumeration is empty"
    types = schema.get("type")
    allowed = {types} if isinstance(types, str) else set(types) if isinstance(types, list) else None
    listed = schema.get("enum")
    if allowed and isinstance(listed, list) and listed and not any(_fits(value, allowed) for value in listed):
        yield (*place, "enum"), f"no value of the enumeration is of type {'/'.join(sorted(allowed))}"
    properties = schema.get("properties")
    if schema.get("additionalProperties") is False and isinstance(schema.get("required"), list):
        missing = [name for name in schema["required"] if name not in (properties or {})]
        if missing and not schema.get("patternProperties"):
            yield (*place, "required"), f"{', '.join(map(str, missing))} is required and not allowed"
    if isinstance(properties, Mapping):
        for name in properties:
            if isinstance(schema.get("required"), list) and name in schema["required"]:
                yield from impossible(properties[name], (*place, "properties", name))
    if "items" in schema and _number(schema.get("minItems")) and schema["minItems"] > 0:
        yield from impossible(schema["items"], (*place, "items"))


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _fits(value: object, types: set[str]) -> bool:
    names = {
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": _number(value),
        "null": value is None,
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }
    return any(names.get(name, True) for name in types)


def _fallbacks(one: Read, specs: Mapping[str, ToolSpec]) -> Iterator[Problem]:
    spec = one.contract.spec
    for number, stand_in in enumerate(spec.fallback):
        place: Place = ("fallback", number)
        other = specs.get(stand_in.tool)
        if other is None:
            yield one.source.problem(
                place, f"the fallback {stand_in.tool!r} does not exist; there are {', '.join(sorted(specs))}.",
                f"后备工具 {stand_in.tool!r} 不存在；现有：{'、'.join(sorted(specs))}。",
            )  # fmt: skip
            continue
        circle = _circle(spec.name, stand_in.tool, specs)
        if circle:
            yield one.source.problem(
                place,
                f"fallbacks run in a circle: {' -> '.join(circle)}.",
                f"后备工具成环：{' -> '.join(circle)}。",
            )
        for to, of in (stand_in.arguments or {"query": "query"}).items():
            if to not in _properties(other):
                yield one.source.problem(
                    place, f"{other.name} has no argument {to!r}.", f"{other.name} 没有参数 {to!r}。"
                )
            if of not in _properties(spec):
                yield one.source.problem(
                    place, f"{spec.name} has no argument {of!r} to pass on; state `arguments` of the fallback.",
                    f"{spec.name} 没有可传递的参数 {of!r}；请写明后备工具的 `arguments`。",
                )  # fmt: skip


def _circle(start: str, at: str, specs: Mapping[str, ToolSpec]) -> tuple[str, ...]:
    stack: list[tuple[str, tuple[str, ...]]] = [(at, (start, at))]
    seen: set[str] = set()
    while stack:
        name, path = stack.pop()
        if name == start:
            return path
        if name in seen or name not in specs:
            continue
        seen.add(name)
        stack.extend((after.tool, (*path, after.tool)) for after in specs[name].fallback)
    return ()


def _properties(spec: ToolSpec) -> Mapping[str, Any]:
    found = spec.input_schema.get("properties")
    return found if isinstance(found, dict) else {}
