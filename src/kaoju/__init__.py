"""Kaoju: research from evidence. The public names of the engine.

The engine itself is loaded when `Kaoju` is first touched, so that importing a
value or an error stays instant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kaoju.errors import KaojuError
from kaoju.model.answer import Answer, Citation, Claim
from kaoju.model.document import IngestReport, Passage
from kaoju.model.event import Event
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.plan import Plan, PlanType, Task, TaskState
from kaoju.model.question import Budget, Question
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolSpec

if TYPE_CHECKING:
    from kaoju.runtime.service import Kaoju
    from kaoju.tools.python.tool import tool

__all__ = [
    "Answer",
    "Budget",
    "Citation",
    "Claim",
    "Event",
    "Evidence",
    "Failed",
    "IngestReport",
    "Kaoju",
    "KaojuError",
    "Locator",
    "Passage",
    "Plan",
    "PlanType",
    "Question",
    "Succeeded",
    "Task",
    "TaskState",
    "ToolCall",
    "ToolSpec",
    "tool",
]


def __getattr__(name: str) -> object:
    """Load the engine, or the decorator for tools, on first use."""
    if name == "Kaoju":
        from kaoju.runtime.service import Kaoju  # noqa: PLC0415 - the lazy names of the package

        return Kaoju
    if name == "tool":
        from kaoju.tools.python.tool import tool  # noqa: PLC0415 - likewise

        return tool
    raise AttributeError(f"module 'kaoju' has no attribute {name!r}")
