"""Programs made exact: literals with a point become decimals, and division of whole numbers gives a decimal.

Promises: the meaning of a program stays, only binary rounding goes; the value
is that of its last statement, an expression, `print(...)` or an assignment.
Refuses nothing: the guard comes before it. Pure.
"""

from __future__ import annotations

import ast
from typing import Final

PRELUDE: Final = """\
from decimal import Decimal as _Decimal

def _exact(number):
    if isinstance(number, int) and not isinstance(number, bool):
        return _Decimal(number)
    return number
"""
"""Runs before the program; its names are private, so that no checked program can touch them."""


class _Exact(ast.NodeTransformer):
    def __init__(self, source: str) -> None:
        self._source = source

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, float):
            return node
        written = ast.get_source_segment(self._source, node) or repr(node.value)
        return _call("_Decimal", ast.Constant(written.replace("_", "")))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            node.left = _call("_exact", node.left)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            node.value = _call("_exact", node.value)
        return node


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=[argument], keywords=[])


def to_run(tree: ast.Module, source: str, *, exact: bool) -> str:
    """Return the source to run: its last statement gives the value.

    Args:
        tree: The checked program; it is left as it is.
        source: Its text.
        exact: Whether numbers are decimals; otherwise binary floating point.
    """
    body = list(ast.parse(source).body) if exact else list(tree.body)
    module = ast.Module(body=_with_value(body), type_ignores=[])
    if exact:
        module = _Exact(source).visit(module)
    return ast.unparse(ast.fix_missing_locations(module))


def _with_value(body: list[ast.stmt]) -> list[ast.stmt]:
    last = body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        call = last.value
        if isinstance(call.func, ast.Name) and call.func.id == "print" and len(call.args) == 1:
            return [*body[:-1], ast.Expr(value=call.args[0])]
    target: ast.expr | None = None
    if isinstance(last, ast.Assign) and len(last.targets) == 1:
        target = last.targets[0]
    elif isinstance(last, ast.AugAssign | ast.AnnAssign):
        target = last.target
    if isinstance(target, ast.Name):
        return [*body, ast.Expr(value=ast.Name(id=target.id, ctx=ast.Load()))]
    return body
