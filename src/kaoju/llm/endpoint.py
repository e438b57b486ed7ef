"""Any OpenAI-compatible endpoint as a `ChatModel`.

Promises: one call is one HTTP request (a second one only where the server
does not know JSON schemas, once per endpoint); the timeout is wall time, however
slowly the bytes drip; every failure is a `ModelError` with a stable kind; the
key appears in no message and no `repr`. Refuses to retry, to stream and to
guess: a reply that breaks its schema is `malformed`.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from kaoju.errors import ModelError
from kaoju.llm import faults, replies
from kaoju.llm.chat import Completion, Json, Prompt

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models.openai import OpenAIChatModel

_SCHEMA_WORDS: Final = ("response_format", "json_schema", "schema", "grammar", "structured")
_SCHEMA_REQUEST: Final = "\n\nReply with one JSON value that satisfies this JSON Schema, and nothing else:\n"
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1", "0.0.0.0"})  # noqa: S104 - compared with, not bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a model answers."""

    base_url: str | None
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


class EndpointModel:
    """One model behind one endpoint; usable from any event loop, one after the other or at once."""

    def __init__(self, endpoint: Endpoint, *, name: str | None = None) -> None:
        self._endpoint = endpoint
        self.name = name or f"{endpoint.model}@{endpoint.host}"
        self._clients: dict[int, tuple[asyncio.AbstractEventLoop, AsyncOpenAI, OpenAIChatModel]] = {}
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
        began = time.perf_counter()
        limit = prompt.timeout_seconds or self._endpoint.timeout_seconds
        try:
            async with asyncio.timeout(limit):
                response = await self._ask(prompt)
        except TimeoutError as error:
            raise ModelError(
                "timeout",
                f"{self.name} gave no complete reply within {limit:g} s; allow more time or use a faster model.",
                f"{self.name} 在 {limit:g} 秒内没有给出完整回复；请放宽时限或换用更快的模型。",
            ) from error
        return self._checked(response, prompt, time.perf_counter() - began)

    async def close(self) -> None:
        """Close the connections of the running event loop and forget those of dead ones."""
        loop = asyncio.get_running_loop()
        for _, client, _ in [entry for entry in self._clients.values() if entry[0] is loop]:
            await client.close()
        self._clients.clear()

    async def _ask(self, prompt: Prompt) -> ModelResponse:
        """Send the prompt; where the server refuses the schema format, put the schema into words instead."""
        with_format = prompt.schema is not None and self._send_schema
        try:
            return await self._request(prompt, with_format=with_format)
        except faults.mapped() as error:
            if not (with_format and _is_about_schema(error)):
                raise faults.translate(error, self.name, self._endpoint.api_key) from error
        self._send_schema, self._show_schema = False, True
        try:
            return await self._request(prompt, with_format=False)
        except faults.mapped() as error:
            raise faults.translate(error, self.name, self._endpoint.api_key) from error

    async def _request(self, prompt: Prompt, *, with_format: bool) -> ModelResponse:
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition
        from pydantic_ai.settings import ModelSettings

        system = prompt.system
        if prompt.schema is not None and self._show_schema:
            system += _SCHEMA_REQUEST + json.dumps(prompt.schema, ensure_ascii=False)
        parameters = ModelRequestParameters()
        if with_format and prompt.schema is not None:
            shape = OutputObjectDefinition(json_schema=dict(prompt.schema), name="reply")
            parameters = ModelRequestParameters(output_mode="native", output_object=shape)
        return await model_request(
            self._model(),
            [ModelRequest(parts=[SystemPromptPart(system), UserPromptPart(prompt.user)])],
            model_settings=ModelSettings(max_tokens=prompt.max_tokens, temperature=prompt.temperature),
            model_request_parameters=parameters,
        )

    def _model(self) -> OpenAIChatModel:
        """Return the client of the running loop; connections of one loop are useless in another."""
        loop = asyncio.get_running_loop()
        known = self._clients.get(id(loop))
        if known is not None and known[0] is loop:
            return known[2]
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai import OpenAIProvider

        endpoint = self._endpoint
        local = endpoint.base_url is not None and urlsplit(endpoint.base_url).hostname in _LOOPBACK
        client = AsyncOpenAI(
            base_url=endpoint.base_url,
            api_key=endpoint.api_key or "none",
            max_retries=0,
            timeout=None,
            http_client=DefaultAsyncHttpxClient(trust_env=not local, timeout=None),
        )
        profile = OpenAIModelProfile(
            supports_json_schema_output=True,
            json_schema_transformer=None,
            openai_chat_supports_max_completion_tokens=endpoint.base_url is None,
        )
        model = OpenAIChatModel(
            endpoint.model, provider=OpenAIProvider(openai_client=client), profile=profile
        )
        self._clients = {key: entry for key, entry in self._clients.items() if not entry[0].is_closed()}
        self._clients[id(loop)] = (loop, client, model)
        return model

    def _checked(self, response: ModelResponse, prompt: Prompt, seconds: float) -> Completion:
        from pydantic_ai.messages import TextPart

        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        cut_off = response.finish_reason == "length"
        if response.finish_reason == "content_filter":
            said = str((response.provider_details or {}).get("refusal", "")) or "no reason given"
            raise ModelError(
                "refused",
                f"{self.name} refused to reply ({said}); rephrase, or use another model.",
                f"{self.name} 拒绝回复（{said}）；请换一种问法或换用其他模型。",
            )
        if not text.strip():
            raise ModelError(
                "empty",
                f"{self.name} sent an empty reply; try again, or use another model.",
                f"{self.name} 返回了空回复；请重试或换用其他模型。",
            )
        return Completion(
            text=text,
            data=self._data(text, prompt, cut_off=cut_off),
            prompt_tokens=response.usage.input_tokens,
            completion_tokens=response.usage.output_tokens,
            seconds=seconds,
            model=self.name,
            cut_off=cut_off,
        )

    def _data(self, text: str, prompt: Prompt, *, cut_off: bool) -> Json:
        if prompt.schema is None:
            return None
        try:
            return replies.parse(text, prompt.schema)
        except ModelError as error:
            if cut_off:
                raise ModelError(
                    "malformed",
                    f"{self.name} was cut off after {prompt.max_tokens} tokens, before its JSON was complete.",
                    f"{self.name} 的回复在 {prompt.max_tokens} 个词元处被截断，JSON 不完整。",
                ) from error
            self._show_schema = (
                True  # the server did not hold the model to the schema: say it in words from now on
            )
            raise


def _is_about_schema(error: Exception) -> bool:
    """Tell whether a server refused the request because of its response format."""
    if getattr(error, "status_code", None) not in {400, 404, 415, 422, 501}:
        return False
    return any(word in str(error).lower() for word in _SCHEMA_WORDS)
