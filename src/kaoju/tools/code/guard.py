"""The first wall around programs: an allow-list over the parsed tree.

Promises: a program that passes holds nothing but arithmetic, comparisons,
loops, functions, containers, and names that are given, assigned or listed
here. Refuses everything else by name, before anything runs: private names and
attributes, imports but of `ALLOWED_MODULES`, string formatting by attribute
paths, exceptions, classes, generators by hand. Pure.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from kaoju.tools.code.limits import LIMITS, Limits

ALLOWED_MODULES: Final = frozenset({"math", "datetime", "decimal"})
BUILTINS: Final = frozenset(
    "abs all any bool dict divmod enumerate filter float int isinstance len list map max min pow print range "
    "reversed round set sorted str sum tuple zip".split()
)
ATTRIBUTES: Final = frozenset(
    "Decimal add append ceil copy count date datetime day days difference endswith exp extend fabs floor "
    "fromisoformat fsum get index insert intersection isdigit isnumeric isoformat items join keys log log10 log2 "
    "lower lstrip month pi pop pow prod quantize remove replace reverse rstrip setdefault sort split sqrt "
    "startswith strip timedelta title total_seconds union update upper values weekday year".split()
)
_NODES: Final[tuple[type[ast.AST], ...]] = (
    ast.Module, ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.While, ast.If, ast.Break,
    ast.Continue, ast.Pass, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Lambda, ast.Import,
    ast.ImportFrom, ast.alias, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.keyword,
    ast.Attribute, ast.Subscript, ast.Slice, ast.Name, ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.JoinedStr,
    ast.FormattedValue, ast.Starred, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
MAX_LITERAL_CHARS: Final = 2_000
MAX_LITERAL_DIGITS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Why a program may not run."""

    reason: str
    zh: str
    line: int = 0
    """1-based; 0 where no line is at fault."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A program that may run."""

    tree: ast.Module
    source: str


class _RefusedError(Exception):
    def __init__(self, node: ast.AST | None, en: str, zh: str) -> None:
        super().__init__(en)
        self.refused = Refused(reason=en, zh=zh, line=getattr(node, "lineno", 0))


def check(program: str, names: Collection[str] = (), limits: Limits = LIMITS) -> Checked | Refused:
    """Return the parsed program, or why it is refused.

    Args:
        program: Python source.
        names: What is given to the program as data.
        limits: Bounds on its size.
    """
    try:
        tree = _parsed(program, limits)
        known = BUILTINS | set(names) | set(_bound(tree))
        for node in ast.walk(tree):
            _check_node(node, known)
    except _RefusedError as error:
        return error.refused
    return Checked(tree, program)


def _parsed(program: str, limits: Limits) -> ast.Module:
    if not program.strip():
        raise _RefusedError(None, "the program is empty", "程序为空")
    if len(program) > limits.program_chars:
        raise _RefusedError(
            None,
            f"the program is longer than {limits.program_chars} characters",
            f"程序超过 {limits.program_chars} 个字符",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(program)
    except SyntaxError as error:
        refusal = _RefusedError(None, f"not a program: {error.msg}", f"不是有效的程序：{error.msg}")
        refusal.refused = Refused(
            reason=refusal.refused.reason, zh=refusal.refused.zh, line=error.lineno or 0
        )
        raise refusal from error
    except (ValueError, MemoryError, RecursionError) as error:
        raise _RefusedError(None, "the program cannot be parsed", "程序无法解析") from error
    _check_size(tree, limits)
    return tree


def _check_size(tree: ast.Module, limits: Limits) -> None:
    nodes = 0
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        nodes += 1
        if nodes > limits.program_nodes or depth > limits.program_depth:
            raise _RefusedError(node, "the program is too large or too deeply nested", "程序过大或嵌套过深")
        waiting.extend((child, depth + 1) for child in ast.iter_child_nodes(node))


def _bound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield node.asname or node.name


def _check_node(node: ast.AST, known: Collection[str]) -> None:
    if not isinstance(node, _NODES):
        word = type(node).__name__
        raise _RefusedError(node, f"{word} is not allowed", f"不允许使用 {word}")
    if isinstance(node, ast.Name):
        _check_name(node, node.id)
        if node.id not in known:
            raise _RefusedError(node, f"there is no {node.id}", f"没有 {node.id}")
        if node.id in BUILTINS and not isinstance(node.ctx, ast.Load):
            raise _RefusedError(node, f"{node.id} may not be assigned", f"不允许给 {node.id} 赋值")
    elif isinstance(node, ast.arg):
        _check_name(node, node.arg)
    elif isinstance(node, ast.FunctionDef):
        _check_name(node, node.name)
        if node.decorator_list:
            raise _RefusedError(node, "decorators are not allowed", "不允许使用装饰器")
    elif isinstance(node, ast.keyword) and node.arg is None:
        return
    elif isinstance(node, ast.keyword):
        _check_name(node, node.arg or "")
    elif isinstance(node, ast.Attribute) and node.attr not in ATTRIBUTES:
        raise _RefusedError(node, f"the attribute {node.attr} is not allowed", f"不允许使用属性 {node.attr}")
    elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        raise _RefusedError(node, "attributes may not be assigned", "不允许给属性赋值")
    elif isinstance(node, ast.Import):
        _check_modules(node, [alias.name for alias in node.names])
        _check_aliases(node, node.names)
    elif isinstance(node, ast.ImportFrom):
        _check_modules(node, [node.module or "."])
        _check_aliases(node, node.names)
    elif isinstance(node, ast.Constant):
        _check_constant(node)
    elif isinstance(node, ast.FormattedValue) and node.format_spec is not None:
        _check_format(node, node.format_spec)


def _check_name(node: ast.AST, name: str) -> None:
    if name.startswith("_") or "__" in name:
        raise _RefusedError(node, f"the private name {name} is not allowed", f"不允许使用私有名称 {name}")


def _check_modules(node: ast.AST, modules: list[str]) -> None:
    for module in modules:
        if module not in ALLOWED_MODULES:
            listed = ", ".join(sorted(ALLOWED_MODULES))
            raise _RefusedError(
                node,
                f"importing {module} is not allowed; there are {listed}",
                f"不允许导入 {module}，只有 {listed}",
            )


def _check_aliases(node: ast.AST, aliases: list[ast.alias]) -> None:
    for alias in aliases:
        if alias.name not in ATTRIBUTES | ALLOWED_MODULES:
            raise _RefusedError(node, f"importing {alias.name} is not allowed", f"不允许导入 {alias.name}")
        _check_name(node, alias.asname or alias.name)
        if (alias.asname or alias.name) in BUILTINS:
            raise _RefusedError(
                node, f"{alias.asname or alias.name} may not be replaced", f"不允许替换 {alias.asname}"
            )


def _check_constant(node: ast.Constant) -> None:
    value = node.value
    if isinstance(value, bytes | complex) or value is Ellipsis:
        raise _RefusedError(node, "only text and real numbers are allowed", "只允许文本和实数")
    if isinstance(value, str) and len(value) > MAX_LITERAL_CHARS:
        raise _RefusedError(node, "a text in the program is too long", "程序中的文本过长")
    if (
        isinstance(value, int)
        and not isinstance(value, bool)
        and value.bit_length() > MAX_LITERAL_DIGITS * 10 // 3
    ):
        raise _RefusedError(node, "a number in the program is too long", "程序中的数字过长")


def _check_format(node: ast.AST, spec: ast.expr) -> None:
    parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
    for part in parts:
        if not isinstance(part, ast.Constant) or len(str(part.value)) > 6:
            raise _RefusedError(
                node, "this number format is not allowed, such as .2f", "不允许这种数字格式，可用如 .2f"
            )
