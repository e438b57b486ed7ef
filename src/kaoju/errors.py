"""Every error that leaves Kaoju, drawn as one tree.

KaojuError
├── UsageError               the caller asked for something impossible (exit 2)
└── OperationError           the request was fine, the world was not (exit 1)
    ├── KnowledgeBaseError   missing, corrupt, locked, or of another embedding model
    ├── StorageError         read-only folder, full disk
    ├── IngestError          one file could not be read; `reason` is a stable word
    ├── ModelError           a language model failed; `kind` says how
    └── PlanError            a plan was refused; `problems` lists every offender

Each error carries one English and one Chinese sentence that say what to do.
Failures of tools are values (`kaoju.model.tool.Failed`), never exceptions.
"""

from __future__ import annotations

from typing import ClassVar, Self


class KaojuError(Exception):
    """Anything that Kaoju raises on purpose. `str()` is the English sentence."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, zh: str = "") -> None:
        """Keep both sentences; `zh` falls back to the English one."""
        super().__init__(message)
        self.message = message
        self.zh = zh or message

    def say(self, language: str) -> str:
        """Return the sentence in `language` ("zh" or "en")."""
        return self.zh if language == "zh" else self.message


class UsageError(KaojuError):
    """The input cannot be served as given: empty, too long, or contradictory."""

    exit_code: ClassVar[int] = 2


class OperationError(KaojuError):
    """A well-formed request that could not be carried out."""


class KnowledgeBaseError(OperationError):
    """The knowledge base is missing, corrupt, locked, or was made with another embedding model."""


class StorageError(OperationError):
    """The disk refused: read-only folder, no space, no permission."""


class IngestError(OperationError):
    """One file cannot be taken in. `reason` is one of `kaoju.model.document.REASONS`."""

    def __init__(self, reason: str, message: str, zh: str = "") -> None:
        """Keep the stable reason word beside the sentences."""
        super().__init__(message, zh)
        self.reason = reason

    def __reduce__(self) -> tuple[type[IngestError], tuple[str, str, str]]:
        """Travel whole between processes."""
        return (type(self), (self.reason, self.message, self.zh))


class ModelError(OperationError):
    """A language model did not give a usable reply.

    `kind` is one of `unreachable`, `timeout`, `rate_limited`, `refused`,
    `empty`, `malformed`, `rejected` (the endpoint answered with an error).
    """

    prompt_tokens: int = 0
    """Tokens that the failed call cost all the same; 0 where no reply came."""
    completion_tokens: int = 0

    def __init__(self, kind: str, message: str, zh: str = "") -> None:
        """Keep the stable kind beside the sentences."""
        super().__init__(message, zh)
        self.kind = kind

    def costing(self, prompt_tokens: int, completion_tokens: int) -> Self:
        """Note what the useless reply cost, and return the error."""
        self.prompt_tokens, self.completion_tokens = prompt_tokens, completion_tokens
        return self


class PlanError(OperationError):
    """A plan was refused. `problems` names every offender, one sentence each."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        """Join all problems into one message."""
        super().__init__("plan refused: " + "; ".join(problems))
        self.problems = problems
