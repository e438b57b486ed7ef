"""Calls that must never reach a tool, each with the layer that stops it, alone and as the only one missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from kaoju.model.tool import (
    BreakerRule,
    CachePolicy,
    Failed,
    Fallback,
    NeedsApproval,
    Probe,
    Succeeded,
    ToolCall,
    ToolOutcome,
)
from kaoju.tools.dispatch.dispatcher import Dispatcher
from kaoju.tools.dispatch.order import ORDER
from kaoju.tools.registry import Registry

from .helpers import Fake, busy, fine, found

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1, "maxLength": 200},
        "account": {"type": "string", "pattern": "^[A-Z]{2}[0-9]{4}$"},
        "amount": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000},
        "options": {
            "type": "object",
            "properties": {"dry": {"type": "boolean"}},
            "additionalProperties": False,
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
ALL = ("search", "ledger", "pay", "mail", "wipe", "frail")
LAYER = {
    "TOOL_UNKNOWN": "registry",
    "OUT_OF_SCOPE": "scope",
    "PERMISSION_DENIED": "role",
    "TOOL_PARAM_INVALID": "arguments",
    "NEEDS_APPROVAL": "approval",
}


def yes(call: ToolCall) -> bool:
    return True


def only(tool: str, **arguments: Any) -> Callable[[ToolCall], bool]:
    """Return the approval of exactly one call."""
    return lambda call: (call.tool, dict(call.arguments)) == (tool, {"query": "q", **arguments})


@dataclass(frozen=True)
class Violation:
    name: str
    layer: str
    tool: str
    arguments: dict[str, Any] = field(default_factory=lambda: {"query": "q"})
    scope: Any = ALL
    role: str | None = "clerk"
    approved: Any = yes


def tools() -> dict[str, Fake]:
    made = (
        Fake("search", fine, input_schema=SCHEMA),
        Fake(
            "ledger", fine, input_schema=SCHEMA, roles=frozenset({"auditor"}), cache=CachePolicy(mode="exact")
        ),
        Fake("pay", fine, input_schema=SCHEMA, roles=frozenset({"cashier"}), risk="write"),
        Fake("mail", fine, input_schema=SCHEMA, risk="write"),
        Fake("wipe", fine, input_schema=SCHEMA, roles=frozenset({"admin"}), risk="irreversible"),
        Fake("frail", fine, input_schema=SCHEMA, risk="irreversible"),
    )
    return {tool.spec.name: tool for tool in made}


def asking(**more: Any) -> dict[str, Any]:
    return {"query": "q", **more}


UNKNOWN = [
    Violation(f"a name like it: {name!r}", "registry", name, scope=(*ALL, name))
    for name in (
        "Search",
        "search ",
        "ｓｅａｒｃｈ",
        "search\0",
        "se\u200barch",
        "../search",
        "search;wipe",
        "",
    )
]
SCOPE = [
    Violation("nothing in scope", "scope", "search", scope=()),
    Violation("another tool in scope", "scope", "search", scope=("ledger",)),
    Violation("a prefix in scope", "scope", "search", scope=("sea", "research")),
    Violation("another case in scope", "scope", "search", scope=("SEARCH",)),
    Violation("one text that holds the name", "scope", "search", scope="search and more"),
    Violation("a pattern in scope", "scope", "search", scope=("*", ".*", "sea*")),
    Violation("approved but out of scope", "scope", "mail", scope=("search",)),
    Violation("the right role but out of scope", "scope", "pay", scope=("search",), role="cashier"),
    Violation("irreversible and out of scope", "scope", "frail", scope=("search", "mail")),
]
ROLE = [
    Violation(f"role {role!r} for what auditors may read", "role", "ledger", role=role)
    for role in (None, "", "clerk", "Auditor", "auditor ", "auditor,admin", "ａｕｄｉｔｏｒ", "*", "audit")
] + [
    Violation("a clerk pays", "role", "pay"),
    Violation("an auditor pays", "role", "pay", role="auditor"),
    Violation("a cashier wipes", "role", "wipe", role="cashier"),
    Violation("nobody wipes", "role", "wipe", role=None),
]
ARGUMENTS = [
    Violation("an argument that is none", "arguments", "search", asking(role="admin")),
    Violation("approval smuggled in", "arguments", "mail", asking(approved=True)),
    Violation("a prototype", "arguments", "search", asking(__proto__={"a": 1})),
    Violation("nothing", "arguments", "search", {}),
    Violation("an empty query", "arguments", "search", {"query": ""}),
    Violation("a query that is a list", "arguments", "search", {"query": ["q"]}),
    Violation("a query too long", "arguments", "search", {"query": "q" * 201}),
    Violation("a true amount", "arguments", "search", asking(amount=True)),
    Violation("no amount", "arguments", "search", asking(amount=0)),
    Violation("an amount as text", "arguments", "search", asking(amount="5")),
    Violation("more than may be paid", "arguments", "pay", asking(amount=1000.01), role="cashier"),
    Violation("an endless amount", "arguments", "search", asking(amount=float("inf"))),
    Violation("no number at all", "arguments", "search", asking(amount=float("nan"))),
    Violation("an account and more", "arguments", "search", asking(account="AB1234 OR 1=1")),
    Violation("an account on two lines", "arguments", "search", asking(account="AB1234\nCD5678")),
    Violation("deeper inside", "arguments", "search", asking(options={"dry": False, "force": True})),
    Violation("what is not JSON", "arguments", "search", asking(options={1: object()})),
]
APPROVAL = [
    Violation("nobody was asked", "approval", "mail", approved=None),
    Violation("refused", "approval", "mail", approved=lambda _: False),
    Violation("a word that looks like yes", "approval", "mail", approved=lambda _: "no"),
    Violation("approved for another tool", "approval", "mail", approved=only("frail")),
    Violation(
        "approved with other arguments",
        "approval",
        "mail",
        asking(amount=900),
        approved=only("mail", amount=9),
    ),
    Violation("irreversible, nobody was asked", "approval", "frail", approved=None),
    Violation("a cashier alone", "approval", "pay", role="cashier", approved=None),
    Violation("an admin alone", "approval", "wipe", role="admin", approved=None),
]
VIOLATIONS = [*UNKNOWN, *SCOPE, *ROLE, *ARGUMENTS, *APPROVAL]


def layer_of(outcome: ToolOutcome) -> str:
    if isinstance(outcome, NeedsApproval):
        return "approval"
    return LAYER.get(outcome.code, "") if isinstance(outcome, Failed) else ""


async def attempt(made: dict[str, Fake], violation: Violation, order: Any) -> ToolOutcome:
    dispatcher = Dispatcher(Registry(made.values()), order=order)
    call = ToolCall(run_id="r", task_id="t1", attempt=1, tool=violation.tool, arguments=violation.arguments)
    result = await dispatcher.call(
        call, scope=violation.scope, role=violation.role, approved=violation.approved
    )
    return result.outcome


def test_there_are_enough_of_them() -> None:
    assert len({violation.name for violation in VIOLATIONS}) == len(VIOLATIONS) >= 40


@pytest.mark.parametrize("violation", VIOLATIONS, ids=lambda v: v.name)
async def test_nothing_reaches_a_tool_and_the_refusal_names_its_layer(violation: Violation) -> None:
    made = tools()
    outcome = await attempt(made, violation, ORDER)
    assert layer_of(outcome) == violation.layer
    assert [name for name, tool in made.items() if tool.calls] == []


@pytest.mark.parametrize("violation", VIOLATIONS, ids=lambda v: v.name)
async def test_each_layer_stops_it_alone_and_is_what_stops_it(violation: Violation) -> None:
    layers = {"scope", "role", "arguments", "approval"}
    rest = tuple(one for one in ORDER if one.__name__ not in layers)
    alone = tuple(one for one in ORDER if one in rest or one.__name__ == violation.layer)
    made = tools()
    assert layer_of(await attempt(made, violation, alone)) == violation.layer
    assert not any(tool.calls for tool in made.values())
    if violation.layer != "registry":
        assert isinstance(await attempt(made, violation, rest), Succeeded)
        assert made[violation.tool].calls


async def test_a_refusal_never_lists_what_the_role_may_not_see() -> None:
    made = tools()
    for violation in VIOLATIONS:
        outcome = await attempt(made, violation, ORDER)
        if isinstance(outcome, Failed) and violation.role in {None, "clerk"}:
            hidden = {"ledger", "pay", "wipe"} - {violation.tool}
            assert hidden.isdisjoint(outcome.allowed)


async def test_a_stand_in_passes_role_and_approval_too() -> None:
    for fallback, role, layer in (("ledger", "clerk", ""), ("mail", "clerk", "approval")):
        made = tools()
        made["search"] = Fake(
            "search", busy, input_schema=SCHEMA, attempts=1, fallback=(Fallback(tool=fallback),)
        )
        outcome = await attempt(made, Violation("", "", "search", role=role, approved=None), ORDER)
        assert made[fallback].calls == []
        assert layer_of(outcome) == layer
        if not layer:
            assert isinstance(outcome, Failed)
            assert outcome.code == "UPSTREAM_5XX"


class Keeping:
    """A cache that keeps everything, whoever asked."""

    def __init__(self) -> None:
        self.asked = 0

    def get(self, spec: object, call: object, role: object) -> Succeeded:
        self.asked += 1
        return found(text="the auditors' figures")

    def put(self, *_: object) -> None:
        raise AssertionError("nothing new came")


async def test_the_cache_is_behind_the_gates() -> None:
    cache = Keeping()
    dispatcher = Dispatcher(Registry(tools().values()), cache=cache)
    call = ToolCall(run_id="r", task_id="t1", attempt=1, tool="ledger", arguments={"query": "q"})
    denied = await dispatcher.call(call, scope=ALL, role="clerk")
    assert (layer_of(denied.outcome), cache.asked) == ("role", 0)
    given = await dispatcher.call(call, scope=ALL, role="auditor")
    assert isinstance(given.outcome, Succeeded)
    assert (given.attempts, cache.asked) == (0, 1)


async def test_who_may_not_call_does_not_cause_a_probe() -> None:
    tool = Fake(
        "ledger",
        fine,
        roles=frozenset({"auditor"}),
        breaker=BreakerRule(failures=1),
        probe=Probe(arguments={"query": "ping"}, interval_seconds=0.0),
    )
    dispatcher = Dispatcher(Registry((tool,)))
    source = dispatcher.sources.of(tool.spec)
    source.breaker = type(source.breaker)(phase="open", failures=1, opened_at=0.0, epoch=1)
    call = ToolCall(run_id="r", task_id="t1", attempt=1, tool="ledger", arguments={"query": "q"})
    await dispatcher.call(call, scope=("ledger",), role="clerk")
    assert tool.calls == []


async def test_what_waits_for_a_person_shows_exactly_what_would_be_done() -> None:
    made = tools()
    outcome = await attempt(made, Violation("", "", "mail", asking(amount=5), approved=None), ORDER)
    assert isinstance(outcome, NeedsApproval)
    assert outcome.details == {"arguments": {"query": "q", "amount": 5}, "risk": "write", "key": "r:t1"}
    assert isinstance(await attempt(made, Violation("", "", "mail", asking(amount=5)), ORDER), Succeeded)
    assert made["mail"].calls[0].arguments == {"query": "q", "amount": 5}
