"""Earlier replies, as the dispatcher sees them.

Promises: a cache is two functions; whether an earlier reply serves is its own
decision, whether a call may reach it at all is the dispatcher's (scope, role,
arguments and approval come first). Refuses: nothing; no cache is a legal one.
"""

from __future__ import annotations

from typing import Protocol

from kaoju.model.tool import Succeeded, ToolCall, ToolSpec


class ReplyCache(Protocol):
    """Where replies are kept. Both functions may block: the dispatcher calls them in a thread."""

    def get(self, spec: ToolSpec, call: ToolCall, role: str | None) -> Succeeded | None:
        """Return an earlier reply that answers the call of an asker of this role; None is a miss."""
        ...

    def put(self, spec: ToolSpec, call: ToolCall, role: str | None, outcome: Succeeded) -> None:
        """Keep what a call came back with; it is checked, redacted and complete."""
        ...
