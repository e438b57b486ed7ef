"""Where a contract finds its function: `module:function`, `file.py:function`, or an entry point.

Promises: the function, or one sentence about why there is none. A file is
taken from the contract's own folder and never from outside it. Refuses names
that are not of these forms before anything is imported.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from kaoju.errors import UsageError

GROUP: Final = "kaoju.tools"
"""Entry points of installed packages that offer tools."""
FORM: Final = r"^(?:[A-Za-z_][\w.]*|[\w./-]+\.py):[A-Za-z_][\w.]*$"


def load(reference: str, folder: Path) -> Callable[..., object]:
    """Return the function behind `module:function` or `file.py:function`.

    Raises:
        UsageError: there is no such module or function, or importing it failed.
    """
    where, _, name = reference.partition(":")
    if not re.match(FORM, reference):
        raise UsageError(
            f"{reference!r} names no function; write module:function",
            f"{reference!r} 不是函数名，请写 module:function",
        )
    module = _file(where, folder) if where.endswith(".py") else _module(where)
    found: object = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return _callable(found, reference)


def load_entry_point(name: str) -> Callable[..., object]:
    """Return the function that an installed package offers under `kaoju.tools`.

    Raises:
        UsageError: no package offers it, or importing it failed.
    """
    matches = tuple(entry_points(group=GROUP, name=name))
    if not matches:
        known = ", ".join(sorted(point.name for point in entry_points(group=GROUP))) or "-"
        raise UsageError(
            f"no installed package offers the tool {name}; there are: {known}",
            f"没有已安装的包提供工具 {name}，现有：{known}",
        )
    try:
        found: object = matches[0].load()
    except Exception as error:
        raise _broken(name, error) from error
    return _callable(found, name)


def _callable(found: object, reference: str) -> Callable[..., object]:
    if not callable(found):
        raise UsageError(f"there is no function {reference}", f"没有函数 {reference}")
    inner = getattr(
        found, "function", found
    )  # a decorated one: the contract of the file takes the place of its own
    return cast("Callable[..., object]", inner if callable(inner) else found)


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise _broken(name, error) from error


def _file(name: str, folder: Path) -> ModuleType:
    root = folder.resolve()
    path = (root / name).resolve()
    if not path.is_relative_to(root):
        raise UsageError(f"{name} lies outside the contract's folder", f"{name} 不在约定文件所在的文件夹内")
    if not path.is_file():
        raise UsageError(f"there is no file {name} beside the contract", f"约定文件旁没有 {name}")
    unique = f"kaoju_tool_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    made = importlib.util.spec_from_file_location(unique, path)
    if made is None or made.loader is None:
        raise UsageError(f"{name} is not a Python file", f"{name} 不是 Python 文件")
    module = importlib.util.module_from_spec(made)
    sys.modules[unique] = module  # annotations and pickling look a module up by name
    try:
        made.loader.exec_module(module)
    except Exception as error:
        del sys.modules[unique]
        raise _broken(name, error) from error
    return module


def _broken(name: str, error: Exception) -> UsageError:
    what = f"{type(error).__name__}: {error}"
    return UsageError(f"{name} cannot be imported: {what}", f"无法导入 {name}：{what}")
