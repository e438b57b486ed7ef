"""A model whose replies are written beforehand, for tests, demonstrations and offline replays.

Promises: replies come in order, prompts are recorded, schemas are enforced as
for any other model, timeouts are real. Refuses to invent: an exhausted script
raises, unless it was told to repeat its last reply.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kaoju.errors import ModelError
from kaoju.llm import replies
from kaoju.llm.chat import Completion, Json, Prompt


@dataclass(frozen=True, slots=True)
class Sleep:
    """A reply that comes late, or, with a short timeout, never."""

    seconds: float
    reply: str = ""


Reply = str | ModelError | Sleep | Callable[[Prompt], "str | ModelError | Sleep"]


class ScriptedModel:
    """Give scripted replies in order.

    Args:
        replies: strings are replies, `ModelError`s are raised, `Sleep`s come
            late, callables are asked with the prompt.
        name: shown in completions.
        repeat_last: once the script is through, keep giving its last reply
            instead of raising.
    """

    def __init__(
        self, replies: Iterable[Reply], *, name: str = "scripted", repeat_last: bool = False
    ) -> None:
        self._replies = list(replies)
        self._repeat_last = repeat_last
        self.name = name
        self.prompts: list[Prompt] = []
        """Every prompt that was asked, in order."""

    async def complete(self, prompt: Prompt) -> Completion:
        """Return the next reply.

        Raises:
            ModelError: the script says so, its reply breaks the prompt's
                schema or is empty, it came too late, or the script is through.
        """
        position = len(self.prompts)
        self.prompts.append(prompt)
        began = time.perf_counter()
        text = await self._text(self._at(position), prompt)
        prompt_tokens, completion_tokens = _tokens(prompt.system + prompt.user), _tokens(text)
        try:
            data = _data(text, prompt)
        except ModelError as error:
            raise error.costing(prompt_tokens, completion_tokens) from error.__cause__
        return Completion(
            text=text,
            data=data,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            seconds=time.perf_counter() - began,
            model=self.name,
        )

    def _at(self, position: int) -> Reply:
        if position < len(self._replies):
            return self._replies[position]
        if self._repeat_last and self._replies:
            return self._replies[-1]
        raise ModelError(
            "unreachable",
            f"the script of {self.name!r} holds {len(self._replies)} replies and was asked for one more.",
            f"脚本模型 {self.name!r} 只有 {len(self._replies)} 条回复，却又被请求了一次。",
        )

    async def _text(self, reply: Reply, prompt: Prompt) -> str:
        if callable(reply):
            reply = reply(prompt)
        if isinstance(reply, ModelError):
            raise reply
        if isinstance(reply, Sleep):
            try:
                async with asyncio.timeout(prompt.timeout_seconds):
                    await asyncio.sleep(reply.seconds)
            except TimeoutError as error:
                raise ModelError(
                    "timeout",
                    f"the model gave no reply within {prompt.timeout_seconds:g} s.",
                    f"模型在 {prompt.timeout_seconds:g} 秒内没有回复。",
                ) from error
            return reply.reply
        return reply


def _data(text: str, prompt: Prompt) -> Json:
    if not text.strip():
        raise ModelError("empty", "the scripted reply is empty.", "脚本中的回复为空。")
    return None if prompt.schema is None else replies.parse(text, prompt.schema)


def _tokens(text: str) -> int:
    """Estimate tokens: four bytes each."""
    return len(text.encode()) // 4 + 1
