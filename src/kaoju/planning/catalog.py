"""What a planner may know and use: the scope of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kaoju.model.document import TableInfo
from kaoju.model.tool import ToolSpec

BUILT_IN: Final = frozenset({"semantic_search", "keyword_search", "follow_links", "calculate", "sql_query"})
"""Tools whose choice is by rules of their own; all others are chosen by their contracts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The tools that the asker's role may call, and the tables they may query."""

    tools: tuple[ToolSpec, ...]
    tables: tuple[TableInfo, ...] = ()
    closeness: Callable[[str, Sequence[str]], Sequence[float]] | None = None
    """Cosines of one text with several; None where only words are compared."""

    holds: Callable[[str], bool] | None = None
    """Whether the collection holds a code; None where nobody can tell."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tools, in order."""
        return tuple(tool.name for tool in self.tools)

    @property
    def custom(self) -> tuple[ToolSpec, ...]:
        """Tools that came with contracts of their own, in order."""
        return tuple(tool for tool in self.tools if tool.name not in BUILT_IN)

    def tool(self, name: str) -> ToolSpec | None:
        """Return a tool by name; None where the role may not see it or it does not exist."""
        return next((tool for tool in self.tools if tool.name == name), None)
