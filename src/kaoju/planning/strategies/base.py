"""What every strategy is, and the pieces that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kaoju.language.names import find_names
from kaoju.model.plan import Need, Plan, Task
from kaoju.model.question import Language
from kaoju.planning.catalog import Catalog
from kaoju.planning.hops import PLACEHOLDER
from kaoju.planning.limits import Limits
from kaoju.planning.routing import choose_tool
from kaoju.planning.understand import Understanding

Strategy = Callable[[Understanding, Catalog, Limits], Plan]
"""Makes the plan for one type of question. It may break limits that only a model could mend."""


def need(number: int, text: str, anchors: Sequence[str] | None = None) -> Need:
    """Return a need; its anchors are the names of its text unless given."""
    named = anchors_of(text) if anchors is None else tuple(anchors)
    return Need(id=f"n{number}", text=text, anchors=named)


def anchors_of(text: str) -> tuple[str, ...]:
    """Return the names and codes of a text, each once."""
    return tuple(dict.fromkeys(name.text for name in find_names(PLACEHOLDER.sub(" ", text))))


def lookup(
    number: int, query: str, catalog: Catalog, *, purpose: str = "", serves: int | None = None
) -> Task:
    """Return a task without dependencies that looks one thing up with the tool that suits it."""
    return Task(
        id=f"t{number}",
        purpose=purpose or query,
        tool=choose_tool(query, catalog),
        query=query,
        need=f"n{serves or number}",
    )


def say(language: Language, zh: str, en: str) -> str:
    """Return the sentence in the question's language."""
    return zh if language == "zh" else en
