"""Where a question is cut: the description inside, and what stands around it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """One description inside a question."""

    inner: str
    """Self-contained; it may hold placeholders of earlier cuts."""
    before: str
    after: str

    def around(self, placeholder: str) -> str:
        """Return the question with the placeholder in the description's place."""
        return " ".join(f"{self.before}{placeholder}{self.after}".split())
