"""The one module that imports the model SDKs; it takes a second to import, so `endpoint` loads it late.

Promises: one call sends one request, and each exception of the SDKs has
exactly one kind of `ModelError`: `FAULTS` is read top to bottom, special
before general, and a test walks the class trees.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import httpx2
import openai
from pydantic_ai import exceptions as ai
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest, SystemPromptPart, TextPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from kaoju.errors import ModelError
from kaoju.llm.chat import Prompt

FAULTS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (TimeoutError, "timeout"),
    (ai.ModelRequestTimeout, "timeout"),
    (ai.ModelTimeoutError, "timeout"),
    (ai.ModelConnectionError, "unreachable"),
    (ai.ModelRateLimitError, "rate_limited"),
    (ai.ContentFilterError, "refused"),
    (ai.ModelAPIError, "rejected"),
    (ai.UnexpectedModelBehavior, "malformed"),
    (ai.AgentRunError, "rejected"),
    (ai.UserError, "rejected"),
    (openai.APITimeoutError, "timeout"),
    (openai.APIConnectionError, "unreachable"),
    (openai.RateLimitError, "rate_limited"),
    (openai.ContentFilterFinishReasonError, "refused"),
    (openai.LengthFinishReasonError, "malformed"),
    (openai.APIResponseValidationError, "malformed"),
    (openai.OpenAIError, "rejected"),
    (httpx2.TimeoutException, "timeout"),
    (httpx2.DecodingError, "malformed"),
    (httpx2.TooManyRedirects, "rejected"),
    (httpx2.HTTPStatusError, "rejected"),
    (httpx2.HTTPError, "unreachable"),
    (httpx2.InvalidURL, "unreachable"),
    (httpx2.CookieConflict, "rejected"),
    (httpx2.StreamError, "malformed"),
    (ValueError, "malformed"),
    (OSError, "unreachable"),
)
CAUGHT: Final = tuple(family for family, _ in FAULTS)
_ADVICE: Final = {
    "unreachable": ("cannot be reached; start it or correct its address", "无法连接；请启动服务或更正地址"),
    "timeout": (
        "did not reply in time; allow more time or use a faster model",
        "未及时回复；请放宽时限或换用更快的模型",
    ),
    "rate_limited": (
        "limits the rate of requests; wait, or use another model",
        "限制了请求频率；请稍候或换用其他模型",
    ),
    "refused": ("refused to reply; rephrase, or use another model", "拒绝回复；请换一种问法或换用其他模型"),
    "malformed": ("sent no valid chat completion; check its address", "返回的不是有效的对话结果；请检查地址"),
    "rejected": (
        "rejected the request; check the model's name, the key and the length of the prompt",
        "拒绝了请求；请检查模型名、密钥和提示长度",
    ),
}
_SCHEMA_WORDS: Final = ("response_format", "json_schema", "schema", "grammar", "structured")
_SCHEMA_REQUEST: Final = "\n\nReply with one JSON value that satisfies this JSON Schema, and nothing else:\n"
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back, not yet judged."""

    text: str
    refusal: str | None
    cut_off: bool
    prompt_tokens: int
    completion_tokens: int


class Connections:
    """HTTP clients of one endpoint, one per event loop: connections of one loop are useless in another."""

    def __init__(self, base_url: str | None, model: str, api_key: str | None) -> None:
        self._base_url = base_url
        self._model = model
        self._api_key = api_key
        self._open: dict[int, tuple[asyncio.AbstractEventLoop, openai.AsyncOpenAI, OpenAIChatModel]] = {}

    async def ask(self, prompt: Prompt, *, send_schema: bool, show_schema: bool) -> Reply:
        """Send one request.

        Args:
            prompt: what to ask.
            send_schema: pass the schema as the response format.
            show_schema: put the schema into words, for servers that do not enforce it.
        """
        system = prompt.system
        parameters = ModelRequestParameters()
        if prompt.schema is not None and show_schema:
            system += _SCHEMA_REQUEST + json.dumps(prompt.schema, ensure_ascii=False)
        if prompt.schema is not None and send_schema:
            shape = OutputObjectDefinition(json_schema=dict(prompt.schema), name="reply")
            parameters = ModelRequestParameters(output_mode="native", output_object=shape)
        response = await model_request(
            self._chat_model(),
            [ModelRequest(parts=[SystemPromptPart(system), UserPromptPart(prompt.user)])],
            model_settings=ModelSettings(max_tokens=prompt.max_tokens, temperature=prompt.temperature),
            model_request_parameters=parameters,
        )
        refused = response.finish_reason == "content_filter"
        return Reply(
            text="".join(part.content for part in response.parts if isinstance(part, TextPart)),
            refusal=str((response.provider_details or {}).get("refusal", "")) if refused else None,
            cut_off=response.finish_reason == "length",
            prompt_tokens=response.usage.input_tokens,
            completion_tokens=response.usage.output_tokens,
        )

    async def close(self) -> None:
        """Close the connections of the running loop and forget those of dead ones."""
        loop = asyncio.get_running_loop()
        mine = self._open.pop(id(loop), None)
        if mine is not None and mine[0] is loop:
            await mine[1].close()
        self._forget_dead()

    def _chat_model(self) -> OpenAIChatModel:
        loop = asyncio.get_running_loop()
        known = self._open.get(id(loop))
        if known is not None and known[0] is loop:
            return known[2]
        self._forget_dead()
        local = self._base_url is not None and urlsplit(self._base_url).hostname in _LOOPBACK
        client = openai.AsyncOpenAI(
            base_url=self._base_url,
            api_key=self._api_key or "none",
            max_retries=0,
            timeout=None,
            http_client=openai.DefaultAsyncHttpxClient(trust_env=not local, timeout=None),
        )
        profile = OpenAIModelProfile(
            supports_json_schema_output=True,
            json_schema_transformer=None,
            openai_chat_supports_max_completion_tokens=self._base_url is None,
        )
        chat_model = OpenAIChatModel(
            self._model, provider=OpenAIProvider(openai_client=client), profile=profile
        )
        self._open[id(loop)] = (loop, client, chat_model)
        return chat_model

    def _forget_dead(self) -> None:
        self._open = {key: entry for key, entry in self._open.items() if not entry[0].is_closed()}


def is_about_schema(error: Exception) -> bool:
    """Tell whether a server refused the request because of its response format."""
    if not isinstance(error, ai.ModelHTTPError) or error.status_code not in {400, 404, 415, 422, 501}:
        return False
    return any(word in str(error).lower() for word in _SCHEMA_WORDS)


def kind_of(error: Exception) -> str:
    """Return the kind of `error`, which must be one of `CAUGHT`."""
    if type(error) is ai.ModelAPIError:  # neither status nor category: what came back was not JSON
        return "malformed"
    return next(kind for family, kind in FAULTS if isinstance(error, family))


def translate(error: Exception, name: str, secret: str | None) -> ModelError:
    """Return the `ModelError` for one of `CAUGHT`.

    Args:
        error: what the SDK raised.
        name: the model's name for people.
        secret: a key that must not show, should the server have echoed it.
    """
    kind = kind_of(error)
    detail = " ".join(str(error).split()) or type(error).__name__
    if secret:
        detail = detail.replace(secret, "***")
    if len(detail) > 300:
        detail = detail[:299] + "…"
    en, zh = _ADVICE[kind]
    return ModelError(kind, f"{name} {en} ({detail}).", f"{name} {zh}（{detail}）。")
