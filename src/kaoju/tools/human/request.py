"""What a person is asked, and what a person answered. Frozen values, pure rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from kaoju.language.normalise import normalise
from kaoju.model.evidence import JSON

MAX_ANSWER_CHARS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A question that waits for a person."""

    key: str
    """The same for every attempt at the task, so that one answer serves all of them."""
    tool: str
    question: str
    choices: tuple[str, ...] = ()
    """What may be answered; empty leaves it open."""
    who: tuple[str, ...] = ()
    """Roles that may answer; empty is anybody."""

    def as_details(self) -> dict[str, JSON]:
        """Return it as the details of a parked call."""
        return {
            "type": "question",
            "key": self.key,
            "question": self.question,
            "choices": list(self.choices),
            "who": list(self.who),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAnswer:
    """What a person said."""

    text: str
    person: str
    """Who answered, as they are known in the organisation."""
    at: datetime
    """When, with time zone."""
    roles: frozenset[str] = frozenset()
    comment: str = ""


class Answers(Protocol):
    """Where answers come from: a terminal, or the reviews of parked runs."""

    def __call__(self, request: Request) -> PersonAnswer | None:
        """Return the answer to a request; None while nobody has answered."""
        ...


def settled(request: Request, answer: PersonAnswer) -> str | None:
    """Return the answer as one of the choices, or as it is where it is open; None where it may not stand.

    An answer may also be the number of a choice, counted from one.
    """
    text = answer.text.strip()
    if not text or len(text) > MAX_ANSWER_CHARS or not may_answer(request, answer):
        return None
    if not request.choices:
        return text
    by_text = {normalise(choice): choice for choice in request.choices}
    if normalise(text) in by_text:
        return by_text[normalise(text)]
    if text.isdecimal() and 1 <= int(text) <= len(request.choices):
        return request.choices[int(text) - 1]
    return None


def may_answer(request: Request, answer: PersonAnswer) -> bool:
    """Return whether this person may answer."""
    return not request.who or bool(set(request.who) & answer.roles)


def filled(template: str, arguments: Mapping[str, JSON]) -> str:
    """Return a question with `{name}` replaced by arguments; what is no argument stays as it is."""

    def fill(match: re.Match[str]) -> str:
        value = arguments.get(match.group(1))
        return match.group() if value is None or isinstance(value, list | dict) else str(value)

    return re.sub(r"\{(\w+)\}", fill, template)
