"""What is wrong with a contract, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One finding; a contract that has any is not served."""

    file: Path
    line: int
    """1-based."""
    column: int
    """1-based."""
    en: str
    zh: str

    def say(self, language: str) -> str:
        """Return `file:line:column: sentence`."""
        return f"{self.file}:{self.line}:{self.column}: {self.zh if language == 'zh' else self.en}"
