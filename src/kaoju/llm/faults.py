"""Everything that can go wrong between us and an endpoint, as kinds of `ModelError`.

Promises: each exception of the SDKs below has exactly one kind; a test walks
their class trees. The table is read top to bottom, special before general.
"""

from __future__ import annotations

from functools import cache

from kaoju.errors import ModelError

_ADVICE = {
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
    "malformed": (
        "sent something that is no chat completion; check its address",
        "返回的不是有效的对话结果；请检查地址",
    ),
    "rejected": (
        "rejected the request; check the model's name, the key and the length of the prompt",
        "拒绝了请求；请检查模型名、密钥和提示长度",
    ),
}


@cache
def table() -> tuple[tuple[type[Exception], str], ...]:
    """Return exception types with their kinds, special before general."""
    import httpx2
    import openai
    from pydantic_ai import exceptions as ai

    return (
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
        (httpx2.StreamError, "malformed"),
        (UnicodeError, "malformed"),
        (ValueError, "malformed"),
        (OSError, "unreachable"),
    )


def mapped() -> tuple[type[Exception], ...]:
    """Return every exception type that `translate` knows, for an `except` clause."""
    return tuple(family for family, _ in table())


def translate(error: Exception, name: str, secret: str | None = None) -> ModelError:
    """Return the `ModelError` for `error`.

    Args:
        error: anything that `mapped()` catches.
        name: the model's name for people.
        secret: a key that must not show, should the server have echoed it.
    """
    kind = kind_of(error)
    detail = str(error).split("\n", 1)[0] or type(error).__name__
    if secret:
        detail = detail.replace(secret, "***")
    if len(detail) > 300:
        detail = detail[:299] + "…"
    en, zh = _ADVICE[kind]
    return ModelError(kind, f"{name} {en} ({detail}).", f"{name} {zh}（{detail}）。")


def kind_of(error: Exception) -> str:
    """Return the kind of `error`; what no row covers is `rejected`."""
    return next((kind for family, kind in table() if isinstance(error, family)), "rejected")
