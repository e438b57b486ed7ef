"""The border of the interpreter: data that goes in, and values that come out.

Promises: numbers with a point go in as decimals, exactly as written; what
comes out is plain JSON within its bounds, with each number as written.
Refuses: names that are no names, data past the limits, and results that are
no numbers, texts, lists or rows.
"""

from __future__ import annotations

import json
import keyword
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaoju.model.evidence import JSON
from kaoju.tools.calculate import plain
from kaoju.tools.code.guard import BUILTINS
from kaoju.tools.code.limits import LIMITS, Limits

MAX_DEPTH: Final = 6


class BorderError(ValueError):
    """Data that may not go in, or a value that may not come out. Carries both languages."""

    def __init__(self, en: str, zh: str) -> None:
        """Keep both sentences."""
        super().__init__(en)
        self.zh = zh


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A result as JSON has it."""

    value: JSON
    """Numbers as int or float."""
    shown: str
    """For a number: all its digits; else its text."""
    exact: bool
    """False where a number came out of binary floating point, or has more digits than are shown."""


def taken_in(data: Mapping[str, JSON], limits: Limits = LIMITS, *, exact: bool = True) -> dict[str, object]:
    """Return data as the interpreter gets it.

    Raises:
        BorderError: a name is no name, or there is too much.
    """
    for name in data:
        if not usable(name):
            raise BorderError(
                f"{name!r} cannot be the name of data; use a plain word",
                f"数据名 {name!r} 不可用，请用普通单词",
            )
    try:
        size = len(json.dumps(data, ensure_ascii=False, default=str))
    except (ValueError, RecursionError) as error:
        raise BorderError("the data is nested too deeply", "数据嵌套过深") from error
    if size > limits.data_bytes:
        raise BorderError(
            f"more data than {limits.data_bytes} bytes; filter it first",
            f"数据超过 {limits.data_bytes} 字节，请先筛选",
        )
    return {name: _in(value, exact, 0) for name, value in data.items()}


def usable(name: str) -> bool:
    """Return whether data may have this name."""
    plain_name = name.isidentifier() and not keyword.iskeyword(name)
    return plain_name and not name.startswith("_") and "__" not in name and name not in BUILTINS


def _in(value: JSON, exact: bool, depth: int) -> object:
    if depth > MAX_DEPTH:
        raise BorderError("the data is nested too deeply", "数据嵌套过深")
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return Decimal(repr(value)) if exact else value
    if isinstance(value, list):
        return [_in(item, exact, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: _in(item, exact, depth + 1) for key, item in value.items()}
    return value


def given_out(value: object, limits: Limits = LIMITS) -> Plain:
    """Return a result as JSON.

    Raises:
        BorderError: it is of another type, not finite, or too large.
    """
    counter = _Counter(limits)
    out = counter.out(value, 0)
    text = value if isinstance(value, str) else json.dumps(out, ensure_ascii=False)
    if len(text) > limits.result_chars:
        raise BorderError("the result is too long", "结果过长")
    shown = _digits(value) if _number(value) else text
    return Plain(value=out, shown=shown, exact=counter.exact)


def _number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


class _Counter:
    """One walk over a result: how much there is, and whether it is exact."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.result_items
        self.exact = True

    def out(self, value: object, depth: int) -> JSON:
        self._left -= 1
        if self._left < 0 or depth > MAX_DEPTH:
            raise BorderError("the result holds too many values", "结果包含的值过多")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            if (
                value.startswith("<") and " at 0x" in value
            ):  # how the interpreter shows what it cannot hand over
                raise BorderError(
                    "the result is no value but a function or type", "结果不是值，而是函数或类型"
                )
            return value
        if isinstance(value, int | float | Decimal):
            return self._numeric(value)
        if isinstance(value, list | tuple):
            return [self.out(item, depth + 1) for item in value]
        if isinstance(value, set | frozenset):
            return [self.out(item, depth + 1) for item in sorted(value, key=str)]
        if isinstance(value, dict):
            return {str(key): self.out(item, depth + 1) for key, item in value.items()}
        if hasattr(value, "isoformat"):
            return str(value.isoformat())
        raise BorderError(
            f"the result is a {type(value).__name__}, not a number, text, list or row",
            f"结果的类型是 {type(value).__name__}，不是数字、文本、列表或行",
        )

    def _numeric(self, value: float | Decimal) -> JSON:
        if isinstance(value, int):
            if abs(value) >= 10**self._limits.digits:
                raise BorderError("the result has too many digits", "结果位数过多")
            return value
        finite = math.isfinite(value) if isinstance(value, float) else value.is_finite()
        if not finite:
            raise BorderError("the result is not a finite number", "结果不是有限的数")
        number = Decimal(repr(value)) if isinstance(value, float) else value
        if number and not -self._limits.digits < number.adjusted() < self._limits.digits:
            raise BorderError("the result has too many digits", "结果位数过多")
        if (
            isinstance(value, float)
            or Decimal(plain(number)) != number
            or len(number.as_tuple().digits) >= 28
        ):
            self.exact = False
        return int(number) if number == number.to_integral_value() else float(number)


def _digits(value: object) -> str:
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)  # type: ignore[arg-type]  # a number
    return plain(number)
