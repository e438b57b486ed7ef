"""What a language model is to Kaoju: one prompt in, one completion out.

Promises: a `ChatModel` either returns a `Completion` whose `data` satisfies
the prompt's schema (where it has one), or raises `ModelError` with a stable
kind. Refuses: streaming, tools, hidden retries and conversation state; the
caller decides what happens after a failure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

Json = str | int | float | bool | list["Json"] | dict[str, "Json"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One request to a model."""

    system: str
    """Instructions; keep them constant between calls, servers cache a common prefix."""
    user: str
    schema: Mapping[str, object] | None = None
    """JSON Schema that the reply must satisfy; None asks for free text."""
    max_tokens: int = 512
    temperature: float = 0.0
    timeout_seconds: float | None = None
    """Wall time for this call; None takes the model's own default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One usable reply and what it cost."""

    text: str
    data: Json = None
    """The parsed reply when the prompt had a schema, which it satisfies; else None."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    model: str = ""
    cut_off: bool = False
    """True when the text ended at `max_tokens` and not by itself."""


@runtime_checkable
class ChatModel(Protocol):
    """Anything that completes prompts."""

    @property
    def name(self) -> str:
        """Name for people and logs, without secrets."""
        ...

    async def complete(self, prompt: Prompt) -> Completion:
        """Return one usable reply.

        Raises:
            ModelError: the model gave none; `kind` says how.
        """
        ...
