"""A contract that was read from a file, and how a kind of tool is made from it.

Promises: every kind has one `Kind` entry; what it needs from outside comes in
`Services`, so that no tool reads the environment, opens the knowledge base or
finds a model by itself. Refuses: nothing; reading and checking the files is the
work of `kaoju.tools.contracts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from kaoju.llm.chat import ChatModel
from kaoju.model.evidence import JSON
from kaoju.model.tool import ToolSpec
from kaoju.tools.base import Tool
from kaoju.tools.human.request import Answers
from kaoju.tools.search import Search


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """One contract: what all tools have, and what only its kind knows."""

    spec: ToolSpec
    options: Mapping[str, JSON]
    """The section of the file that is named after its kind."""
    folder: Path
    """Where the file lies; relative paths in options start here."""


class Secrets(Protocol):
    """Values that may be used and never shown."""

    def resolve(self, reference: str) -> str:
        """Return the value behind `env:NAME` or `file:PATH`.

        Raises:
            UsageError: it is not set, or the reference has another form.
        """
        ...

    def redact(self, text: str) -> str:
        """Return the text with every value that was ever resolved replaced by `***`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the runtime lends to tools."""

    secrets: Secrets
    search: Search | None = None
    model: Callable[[], ChatModel | None] = field(default=lambda: None)
    """The actor's model, counted against the run at work; None in tier none."""
    answers: Answers | None = None
    """What people answered to questions of tools; without it they wait."""


class Kind(Protocol):
    """One kind of tool."""

    @property
    def options_schema(self) -> Mapping[str, JSON]:
        """JSON Schema of its section of a contract."""
        ...

    def problems(self, contract: Contract) -> Sequence[str]:
        """Return what is wrong with a contract beyond its schema; nothing is called or opened."""
        ...

    def make(self, contract: Contract, services: Services) -> Sequence[Tool]:
        """Return the tools of a contract: one, or several for a document that describes many.

        Raises:
            UsageError: the contract cannot be served, with what to do.
        """
        ...
