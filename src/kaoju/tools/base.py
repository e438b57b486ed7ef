"""What a tool is, and the few words that all tools share.

Promises: a tool is a contract (`spec`) and one coroutine (`run`) that returns
an outcome. Refuses: exceptions as a way to report; the dispatcher turns any
that escape into a failure, but a good tool has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from kaoju.model.evidence import JSON
from kaoju.model.tool import ToolCall, ToolOutcome, ToolSpec


@runtime_checkable
class Tool(Protocol):
    """Something that a plan may call."""

    @property
    def spec(self) -> ToolSpec:
        """The contract."""
        ...

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Make one attempt and return what came of it."""
        ...


@runtime_checkable
class Closing(Protocol):
    """A tool that holds something: a process, a connection."""

    async def close(self) -> None:
        """Let go of it; the tool is not called any more."""
        ...


def text_of(arguments: Mapping[str, JSON], name: str = "query") -> str:
    """Return a string argument, stripped; empty when it is absent or not a string."""
    value = arguments.get(name)
    return value.strip() if isinstance(value, str) else ""


def chinese(text: str) -> bool:
    """Return whether `text` has any Chinese character: messages about it are then Chinese."""
    return any("\u4e00" <= char <= "\u9fff" for char in text)


def say(about: str, *, zh: str, en: str) -> str:
    """Return the sentence in the language of the text that it is about."""
    return zh if chinese(about) else en
