"""The tools that exist, by name.

Promises: names are unique, order is that of registration, a role sees only
what it may call. Refuses: duplicates, and fallbacks that do not exist or lead
back to themselves.
"""

from __future__ import annotations

from collections.abc import Iterable

from kaoju.errors import UsageError
from kaoju.model.tool import ToolSpec
from kaoju.tools.base import Closing, Tool


def may_call(spec: ToolSpec, role: str | None) -> bool:
    """Return whether `role` may call the tool; no role sees what is open to everybody."""
    return spec.roles is None or (role is not None and role in spec.roles)


class Registry:
    """An immutable set of tools."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        """Take the tools in.

        Raises:
            UsageError: two tools share a name, or a fallback is unknown or circular.
        """
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            name = tool.spec.name
            if name in self._tools:
                raise UsageError(
                    f"two tools are named {name!r}; rename one", f"有两个工具都叫 {name!r}，请改名"
                )
            self._tools[name] = tool
        for name in self._tools:
            self._check_fallbacks(name, (name,))

    def get(self, name: str) -> Tool | None:
        """Return the tool of that name, or None."""
        return self._tools.get(name)

    def specs(self, role: str | None = None) -> tuple[ToolSpec, ...]:
        """Return the contracts that `role` may see, in order of registration."""
        return tuple(tool.spec for tool in self._tools.values() if may_call(tool.spec, role))

    def contracts(self) -> tuple[ToolSpec, ...]:
        """Return every contract, whoever may see it."""
        return tuple(tool.spec for tool in self._tools.values())

    def names(self, role: str | None = None) -> tuple[str, ...]:
        """Return the names that `role` may see."""
        return tuple(spec.name for spec in self.specs(role))

    async def close(self) -> None:
        """Let go of what the tools hold: every tool that has a `close` is closed."""
        for tool in self._tools.values():
            if isinstance(tool, Closing):
                await tool.close()

    def _check_fallbacks(self, name: str, path: tuple[str, ...]) -> None:
        for fallback in (stand_in.tool for stand_in in self._tools[name].spec.fallback):
            if fallback not in self._tools:
                raise UsageError(
                    f"tool {name!r} falls back to {fallback!r}, which does not exist",
                    f"工具 {name!r} 的后备工具 {fallback!r} 不存在",
                )
            if fallback in path:
                raise UsageError(
                    f"fallbacks run in a circle: {' -> '.join((*path, fallback))}",
                    f"后备工具成环：{' -> '.join((*path, fallback))}",
                )
            self._check_fallbacks(fallback, (*path, fallback))
