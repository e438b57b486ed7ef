"""YAML to plain data, with the place of every value.

Promises: every key and value knows its line and column; files are bounded in
size, depth and aliases. Refuses duplicate keys, aliases (a bomb needs them, a
contract does not), tags, several documents in one file, and what is not UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from kaoju.tools.contracts.problem import Problem

MAX_BYTES: Final = 256_000
MAX_DEPTH: Final = 40
Place = tuple[str | int, ...]
"""Keys and indexes that lead to a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file as data."""

    path: Path
    data: Mapping[str, Any]
    places: Mapping[Place, tuple[int, int]]
    """1-based line and column of each key (for values in mappings) or item."""

    def problem(self, place: Place, en: str, zh: str) -> Problem:
        """Return a problem at a value, or at the nearest thing around it that the file has."""
        for size in range(len(place), -1, -1):
            if place[:size] in self.places:
                line, column = self.places[place[:size]]
                return Problem(file=self.path, line=line, column=column, en=en, zh=zh)
        return Problem(file=self.path, line=1, column=1, en=en, zh=zh)


def read_source(path: Path) -> Source | Problem:
    """Return a file's data, or why it cannot be read."""
    try:
        size = path.stat().st_size
        text = path.read_bytes()[: MAX_BYTES + 1].decode("utf-8-sig")
    except OSError as error:
        why = error.strerror or str(error)
        return _at(path, 1, 1, f"the file cannot be read ({why}).", f"文件无法读取（{why}）。")
    except UnicodeDecodeError:
        return _at(
            path, 1, 1, "the file is not UTF-8; save it as UTF-8.", "文件不是 UTF-8 编码，请另存为 UTF-8。"
        )
    if size > MAX_BYTES:
        return _at(
            path, 1, 1,
            f"the file is larger than {MAX_BYTES // 1000} kB; a contract is a page.",
            f"文件超过 {MAX_BYTES // 1000} kB；一份约定只应有一页。",
        )  # fmt: skip
    try:
        return _read(path, text)
    except _Bad as bad:
        return _at(path, bad.line, bad.column, bad.en, bad.zh)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        why = error.problem or str(error)
        return _at(path, line, column, f"not valid YAML: {why}.", f"不是有效的 YAML：{why}。")
    except (yaml.YAMLError, RecursionError) as error:
        why = str(error).splitlines()[0] if str(error) else "nested too deeply"
        return _at(path, 1, 1, f"not valid YAML: {why}.", f"不是有效的 YAML：{why}。")


class _Bad(Exception):  # noqa: N818 - never leaves this module
    def __init__(self, node: Any, en: str, zh: str) -> None:
        self.line, self.column = node.start_mark.line + 1, node.start_mark.column + 1
        self.en, self.zh = en, zh
        super().__init__(en)


def _read(path: Path, text: str) -> Source:
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise _Bad(
                event,
                "YAML aliases (*name) are not allowed; write the value out.",
                "不允许使用 YAML 别名（*name），请写出完整的值。",
            )
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode):
        at = root if root is not None else yaml.ScalarNode("", "", yaml.Mark("", 0, 0, 0, None, 0))
        raise _Bad(at, "a contract is a mapping of `field: value` lines.", "约定应由“字段: 值”组成。")
    places: dict[Place, tuple[int, int]] = {(): (1, 1)}
    data = _value(root, (), places, yaml.SafeLoader(""))
    return Source(path=path, data=data, places=places)


def _value(node: Any, place: Place, places: dict[Place, tuple[int, int]], loader: yaml.SafeLoader) -> Any:
    if len(place) > MAX_DEPTH:
        raise _Bad(node, f"nested deeper than {MAX_DEPTH} levels.", f"嵌套超过 {MAX_DEPTH} 层。")
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Any] = {}
        for key, value in _pairs(node):
            if key in found:
                raise _Bad(value, f"the key {key!r} stands twice.", f"键 {key!r} 重复出现。")
            places[*place, key] = (value.start_mark.line + 1, value.start_mark.column + 1)
            found[key] = _value(value, (*place, key), places, loader)
        return found
    if isinstance(node, yaml.SequenceNode):
        items = []
        for number, item in enumerate(node.value):
            places[*place, number] = (item.start_mark.line + 1, item.start_mark.column + 1)
            items.append(_value(item, (*place, number), places, loader))
        return items
    return _scalar(node, loader)


def _pairs(node: Any) -> Iterator[tuple[str, Any]]:
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _Bad(key, "keys are plain words.", "键应为普通文字。")
        yield str(key.value), value


def _scalar(node: Any, loader: yaml.SafeLoader) -> Any:
    if node.tag.startswith("tag:yaml.org,2002:timestamp"):
        return node.value  # a date stays the text that was written
    if not node.tag.startswith("tag:yaml.org,2002:") or node.tag.endswith(
        ("binary", "set", "omap", "pairs", "python")
    ):
        raise _Bad(node, f"the tag {node.tag} is not allowed.", f"不允许使用标签 {node.tag}。")
    try:
        return loader.construct_object(node)
    except (ValueError, yaml.YAMLError) as error:
        raise _Bad(node, f"the value cannot be read ({error}).", f"该值无法读取（{error}）。") from error


def _at(path: Path, line: int, column: int, en: str, zh: str) -> Problem:
    return Problem(file=path, line=line, column=column, en=en, zh=zh)
