"""A small, safe calculator over decimals.

Python's own parser reads the expression, an allow-list of nodes evaluates it:
nothing is ever executed. Size, depth, exponents and magnitudes are bounded, so
no expression takes more than a moment. Pure.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, DecimalException, Inexact
from types import MappingProxyType
from typing import Final

MAX_EXPRESSION_CHARS: Final = 2_000
MAX_NODES: Final = 500
MAX_EXPONENT: Final = 1_000
MAX_DIGITS: Final = 400
PRECISION: Final = 60
"""Significant digits; a result that needs more is rounded and says so."""


class ArithmeticRefusedError(Exception):
    """The text is not arithmetic, or its value cannot be computed. Carries both languages."""

    def __init__(self, message: str, zh: str) -> None:
        """Keep both sentences."""
        super().__init__(message)
        self.zh = zh


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What an expression is worth."""

    expression: str
    value: Decimal
    exact: bool
    """False when digits had to be rounded away."""
    inputs: tuple[str, ...]
    """The numbers of the expression, as written there, in order."""
    ratio: bool
    """True when the outermost operation divides: the value may be read as a percentage."""


def _not_arithmetic() -> ArithmeticRefusedError:
    return ArithmeticRefusedError("this is not an arithmetic expression", "这不是一个算式")


def _too_large() -> ArithmeticRefusedError:
    return ArithmeticRefusedError("the expression is too large to compute", "算式过大，无法计算")


def evaluate(expression: str) -> Result:
    """Compute an expression of numbers, + - * / // % **, parentheses and the functions of `FUNCTIONS`.

    Raises:
        ArithmeticRefusedError: not arithmetic, division by zero, or too large.
    """
    text = " ".join(expression.split())
    if not text:
        raise _not_arithmetic()
    if len(text) > MAX_EXPRESSION_CHARS or _depth(text) > 50:
        raise _too_large()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise _not_arithmetic() from error
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        raise _too_large()
    work = _Work(text)
    try:
        value = work.value(tree)
    except ZeroDivisionError as error:
        raise ArithmeticRefusedError("division by zero has no value", "除数为零，没有结果") from error
    except (DecimalException, OverflowError) as error:
        raise _too_large() from error
    if not value.is_finite() or value.adjusted() > MAX_DIGITS or (value and value.adjusted() < -MAX_DIGITS):
        raise _too_large()
    return Result(
        expression=text,
        value=value,
        exact=not work.context.flags[Inexact],
        inputs=tuple(work.inputs),
        ratio=isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div),
    )


def _depth(text: str) -> int:
    depth = deepest = 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        deepest = max(deepest, depth)
    return deepest


class _Work:
    """One evaluation: the decimal context, and the numbers seen on the way."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.context = Context(prec=PRECISION, rounding=ROUND_HALF_UP, Emax=2_000, Emin=-2_000)
        self.inputs: list[str] = []

    def value(self, node: ast.expr) -> Decimal:
        if isinstance(node, ast.Constant):
            return self._literal(node)
        if isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.USub):
                return -self.value(node.operand)
            if isinstance(node.op, ast.UAdd):
                return self.value(node.operand)
            raise _not_arithmetic()
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        raise _not_arithmetic()

    def _literal(self, node: ast.Constant) -> Decimal:
        source = ast.get_source_segment(self.text, node) or ""
        if not re.fullmatch(r"\d[\d_]*(\.\d+)?([eE][+-]?\d{1,4})?|\.\d+", source):
            raise _not_arithmetic()
        self.inputs.append(source)
        return Decimal(source.replace("_", ""))

    def _binary(self, node: ast.BinOp) -> Decimal:
        left, right = self.value(node.left), self.value(node.right)
        c = self.context
        if right == 0 and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            raise ZeroDivisionError
        if isinstance(node.op, ast.Add):
            return c.add(left, right)
        if isinstance(node.op, ast.Sub):
            return c.subtract(left, right)
        if isinstance(node.op, ast.Mult):
            return c.multiply(left, right)
        if isinstance(node.op, ast.Div):
            return c.divide(left, right)
        if isinstance(node.op, ast.FloorDiv):
            return c.divide_int(left, right)
        if isinstance(node.op, ast.Mod):
            return c.remainder(left, right)
        if isinstance(node.op, ast.Pow):
            return self._power(left, right)
        raise _not_arithmetic()

    def _power(self, base: Decimal, exponent: Decimal) -> Decimal:
        if abs(exponent) > MAX_EXPONENT:
            raise _too_large()
        if base < 0 and exponent != exponent.to_integral_value():
            raise ArithmeticRefusedError("this root has no real value", "该方根没有实数结果")
        return self.context.power(base, exponent)

    def _call(self, node: ast.Call) -> Decimal:
        if not isinstance(node.func, ast.Name) or node.keywords or node.func.id not in FUNCTIONS:
            raise _not_arithmetic()
        items: list[ast.expr] = []
        for argument in node.args:
            items.extend(argument.elts if isinstance(argument, ast.List | ast.Tuple) else [argument])
        if not items:
            raise _not_arithmetic()
        return FUNCTIONS[node.func.id](self.context, [self.value(item) for item in items])


def _total(context: Context, values: list[Decimal]) -> Decimal:
    total = Decimal(0)
    for value in values:
        total = context.add(total, value)
    return total


def _mean(context: Context, values: list[Decimal]) -> Decimal:
    return context.divide(_total(context, values), Decimal(len(values)))


def _round(context: Context, values: list[Decimal]) -> Decimal:
    places = values[1] if len(values) > 1 else Decimal(0)
    if len(values) > 2 or places != places.to_integral_value() or abs(places) > 30:
        raise _not_arithmetic()
    step = Decimal(1).scaleb(-int(places))
    flagged = context.flags[Inexact]
    rounded = context.quantize(values[0], step)
    context.flags[Inexact] = flagged  # rounding was asked for: the result is what it should be
    return rounded


def _one(function: Callable[[Context, Decimal], Decimal]) -> Callable[[Context, list[Decimal]], Decimal]:
    def apply(context: Context, values: list[Decimal]) -> Decimal:
        if len(values) != 1:
            raise _not_arithmetic()
        return function(context, values[0])

    return apply


def _root(context: Context, value: Decimal) -> Decimal:
    if value < 0:
        raise ArithmeticRefusedError("this root has no real value", "该方根没有实数结果")
    return context.sqrt(value)


FUNCTIONS: Final[Mapping[str, Callable[[Context, list[Decimal]], Decimal]]] = MappingProxyType(
    {
        "sum": _total,
        "avg": _mean,
        "mean": _mean,
        "average": _mean,
        "min": lambda _context, values: min(values),
        "max": lambda _context, values: max(values),
        "round": _round,
        "abs": _one(lambda _context, value: abs(value)),
        "sqrt": _one(_root),
    }
)
"""What may be called, by name."""
