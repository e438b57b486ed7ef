"""What a planner may know and use: the scope of a run."""

from __future__ import annotations

from dataclasses import dataclass

from kaoju.model.document import TableInfo
from kaoju.model.tool import ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The tools that the asker's role may call, and the tables they may query."""

    tools: tuple[ToolSpec, ...]
    tables: tuple[TableInfo, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tools, in order."""
        return tuple(tool.name for tool in self.tools)

    def tool(self, name: str) -> ToolSpec | None:
        """Return a tool by name; None where the role may not see it or it does not exist."""
        return next((tool for tool in self.tools if tool.name == name), None)
