"""One program from source to value: guard, exactness, interpreter, border.

Promises: exact decimals first; binary floating point only where the program
itself mixes the two, and the result says so. Refuses with the layer that
stopped it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kaoju.model.evidence import JSON
from kaoju.tools.code.data import BorderError, Plain, given_out, taken_in
from kaoju.tools.code.exact import to_run
from kaoju.tools.code.guard import Refused, check
from kaoju.tools.code.interpreter import Computed, Interpreter, Layer, Stopped


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What a program is worth."""

    result: Plain
    floating: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NoValue:
    """Why a program gave nothing usable, in both languages."""

    layer: Layer
    en: str
    zh: str


_CAUSES = {
    "time": ("it ran out of time", "超出时间限制"),
    "memory": ("it needs more memory than it may use", "超出内存限制"),
    "depth": ("it calls itself too deeply", "递归过深"),
    "outside": ("it reached for something outside", "试图访问外部资源"),
    "died": ("its process ended", "其进程已终止"),
}


async def compute(interpreter: Interpreter, program: str, data: Mapping[str, JSON]) -> Value | NoValue:
    """Return the value of a program over data, or why there is none."""
    checked = check(program, data, interpreter.limits)
    if isinstance(checked, Refused):
        where = f" (line {checked.line})" if checked.line else ""
        return NoValue(layer="guard", en=checked.reason + where, zh=checked.zh + where)
    for exact in (True, False):
        try:
            given = taken_in(data, interpreter.limits, exact=exact)
        except BorderError as error:
            return NoValue(layer="data", en=str(error), zh=error.zh)
        try:
            source = to_run(checked.tree, checked.source, exact=exact)
        except RecursionError:
            return NoValue(layer="guard", en="the program is too deeply nested", zh="程序嵌套过深")
        ran = await interpreter.run(source, given)
        if isinstance(ran, Stopped) and ran.cause == "types" and exact:
            continue
        return _value(ran, interpreter, floating=not exact)
    raise AssertionError("unreachable: the second reading always returns")


def _value(ran: Computed | Stopped, interpreter: Interpreter, *, floating: bool) -> Value | NoValue:
    if isinstance(ran, Stopped):
        en, zh = _CAUSES.get(ran.cause, (ran.message, ran.message))
        return NoValue(layer=ran.layer, en=en, zh=zh)
    try:
        result = given_out(ran.value, interpreter.limits)
    except BorderError as error:
        return NoValue(layer="result", en=str(error), zh=error.zh)
    if result.value is None:
        return NoValue(layer="result", en="the program gives no value", zh="程序没有给出结果")
    return Value(result=result, floating=floating)
