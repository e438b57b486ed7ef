"""Any OpenAI-compatible endpoint as a `ChatModel`.

Promises: one call is one HTTP request (a second one only where the server
does not know JSON schemas, once per endpoint); the timeout is wall time, however
slowly the bytes drip; every failure is a `ModelError` with a stable kind; the
key appears in no message and no `repr`. Refuses to retry, to stream and to
guess: a reply that breaks its schema is `malformed`.
"""

from __future__ import annotations

import asyncio
import importlib
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from kaoju.errors import ModelError
from kaoju.llm import replies
from kaoju.llm.chat import Completion, Json, Prompt

if TYPE_CHECKING:
    from kaoju.llm.wire import Connections, Reply

_WIRE: Final = "kaoju.llm.wire"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a model answers."""

    base_url: str | None = field(repr=False)
    """For example `http://127.0.0.1:8080/v1`; None is the OpenAI SDK's own."""
    model: str
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 120.0
    """For prompts that set none themselves."""

    @property
    def host(self) -> str:
        """Host and port for people, without credentials."""
        if self.base_url is None:
            return "openai"
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @property
    def secret(self) -> str | None:
        """What must not show in messages: the key, or the password in the URL."""
        return self.api_key or (urlsplit(self.base_url).password if self.base_url else None)


class EndpointModel:
    """One model behind one endpoint; usable from any event loop, one after the other or at once."""

    def __init__(self, endpoint: Endpoint, *, name: str | None = None) -> None:
        self._endpoint = endpoint
        self.name = name or f"{endpoint.model}@{endpoint.host}"
        self._connections: Connections | None = None
        self._send_schema = True
        self._show_schema = False

    def __repr__(self) -> str:
        return f"EndpointModel({self.name})"

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask once and return the checked reply.

        Raises:
            ModelError: unreachable, timeout, rate_limited, refused, empty,
                malformed or rejected.
        """
        await asyncio.to_thread(importlib.import_module, _WIRE)  # a second, once; counts against no timeout
        began = time.perf_counter()
        limit = prompt.timeout_seconds or self._endpoint.timeout_seconds
        try:
            async with asyncio.timeout(limit):
                reply = await self._ask(prompt)
        except TimeoutError as error:
            raise ModelError(
                "timeout",
                f"{self.name} gave no complete reply within {limit:g} s; allow more time or use a faster model.",
                f"{self.name} 在 {limit:g} 秒内没有给出完整回复；请放宽时限或换用更快的模型。",
            ) from error
        try:
            data = self._checked(reply, prompt)
        except ModelError as error:
            raise error.costing(reply.prompt_tokens, reply.completion_tokens) from error.__cause__
        return Completion(
            text=reply.text,
            data=data,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            seconds=time.perf_counter() - began,
            model=self.name,
            cut_off=reply.cut_off,
        )

    async def close(self) -> None:
        """Close the connections of the running event loop."""
        if self._connections is not None:
            await self._connections.close()

    async def _ask(self, prompt: Prompt) -> Reply:
        """Send the prompt; where the server refuses the schema format, put the schema into words instead."""
        from kaoju.llm import wire  # noqa: PLC0415 - imported late, see there

        endpoint = self._endpoint
        if self._connections is None:
            self._connections = wire.Connections(endpoint.base_url, endpoint.model, endpoint.api_key)
        try:
            return await self._connections.ask(
                prompt, send_schema=self._send_schema, show_schema=self._show_schema
            )
        except wire.CAUGHT as error:
            if prompt.schema is None or not self._send_schema or not wire.is_about_schema(error):
                raise wire.translate(error, self.name, endpoint.secret) from error
        self._send_schema, self._show_schema = False, True
        try:
            return await self._connections.ask(prompt, send_schema=False, show_schema=True)
        except wire.CAUGHT as error:
            raise wire.translate(error, self.name, endpoint.secret) from error

    def _checked(self, reply: Reply, prompt: Prompt) -> Json:
        """Return the data of a usable reply."""
        if reply.refusal is not None:
            raise ModelError(
                "refused",
                f"{self.name} refused to reply ({reply.refusal[:200]}); rephrase, or use another model.",
                f"{self.name} 拒绝回复（{reply.refusal[:200]}）；请换一种问法或换用其他模型。",
            )
        if not reply.text.strip():
            raise ModelError(
                "empty",
                f"{self.name} sent an empty reply; try again, or use another model.",
                f"{self.name} 返回了空回复；请重试或换用其他模型。",
            )
        if prompt.schema is None:
            return None
        try:
            return replies.parse(reply.text, prompt.schema)
        except ModelError as error:
            if not reply.cut_off:
                self._show_schema = (
                    True  # the server does not enforce the schema: say it in words from now on
                )
                raise
            raise ModelError(
                "malformed",
                f"{self.name} was cut off after {prompt.max_tokens} tokens, before its JSON was complete.",
                f"{self.name} 的回复在 {prompt.max_tokens} 个词元处被截断，JSON 不完整。",
            ) from error
