"""The order of everything that the dispatcher does, in one list."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Final

from kaoju.model.tool import ToolOutcome
from kaoju.tools.dispatch.approval import approval
from kaoju.tools.dispatch.arguments import arguments
from kaoju.tools.dispatch.attempts import attempts
from kaoju.tools.dispatch.breaking import breaking
from kaoju.tools.dispatch.caching import caching
from kaoju.tools.dispatch.confidence import confidence
from kaoju.tools.dispatch.deadline import deadline
from kaoju.tools.dispatch.limits import limits
from kaoju.tools.dispatch.output import output
from kaoju.tools.dispatch.redaction import redaction
from kaoju.tools.dispatch.reporting import reporting
from kaoju.tools.dispatch.role import role
from kaoju.tools.dispatch.scope import scope
from kaoju.tools.dispatch.step import Behaviour, Next, Step

ORDER: Final[tuple[Behaviour, ...]] = (
    reporting,
    redaction,
    scope,
    role,
    arguments,
    approval,
    caching,
    breaking,
    limits,
    deadline,
    attempts,
    confidence,
    output,
)
"""Outermost first. A call goes down the list to the tool, and its reply comes back up.

Down: scope, role, input schema, approval, cache, breaker, concurrency and rate,
deadline, attempts. Up: output schema, confidence, redaction, event.
"""


def compose(order: Sequence[Behaviour], last: Next) -> Next:
    """Return the whole chain as one function, with `last` innermost."""
    for behaviour in reversed(order):
        last = _before(behaviour, last)
    return last


def _before(behaviour: Behaviour, go_on: Next) -> Next:
    def through(step: Step) -> Awaitable[ToolOutcome]:
        return behaviour(step, go_on)

    return through
