"""The table of faults covers the SDKs' whole class trees."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import openai
import pytest
from pydantic_ai import exceptions as ai

from kaoju.llm import wire

KINDS = {"unreachable", "timeout", "rate_limited", "refused", "empty", "malformed", "rejected"}
ROOTS = (
    ai.AgentRunError,
    ai.UserError,
    openai.OpenAIError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.StreamError,
)


def tree(root: type[Exception]) -> Iterator[type[Exception]]:
    yield root
    for child in root.__subclasses__():
        yield from tree(child)


def made(family: type[Exception]) -> Exception:
    base = OSError if issubclass(family, OSError) else Exception
    return base.__new__(family)


@pytest.mark.parametrize("family", sorted({c for root in ROOTS for c in tree(root)}, key=str))
def test_every_sdk_exception_has_a_kind(family: type[Exception]) -> None:
    assert issubclass(family, wire.CAUGHT)
    assert wire.kind_of(made(family)) in KINDS


@pytest.mark.parametrize("module", [openai, httpx2])
def test_every_public_exception_of_the_sdks_is_caught_or_no_concern(module: object) -> None:
    public = {
        value
        for name in dir(module)
        if isinstance(value := getattr(module, name), type) and issubclass(value, Exception)
    }
    missing = {family for family in public if not issubclass(family, wire.CAUGHT)}
    assert not missing, f"put these into wire.FAULTS: {missing}"


def test_no_row_hides_behind_an_earlier_one() -> None:
    families = wire.CAUGHT
    hidden = [
        (later, earlier)
        for at, later in enumerate(families)
        for earlier in families[:at]
        if issubclass(later, earlier)
    ]
    assert not hidden


@pytest.mark.parametrize(
    ("family", "kind"),
    [
        (ai.ModelRequestTimeout, "timeout"),
        (ai.ModelTimeoutError, "timeout"),
        (ai.ModelConnectionError, "unreachable"),
        (ai.ModelRateLimitError, "rate_limited"),
        (ai.ModelServerError, "rejected"),
        (ai.ModelAuthenticationError, "rejected"),
        (ai.ContentFilterError, "refused"),
        (ai.UnexpectedModelBehavior, "malformed"),
        (httpx2.ConnectTimeout, "timeout"),
        (httpx2.ConnectError, "unreachable"),
        (TimeoutError, "timeout"),
        (ConnectionResetError, "unreachable"),
        (UnicodeDecodeError, "malformed"),
    ],
)
def test_kinds(family: type[Exception], kind: str) -> None:
    assert wire.kind_of(made(family)) == kind
