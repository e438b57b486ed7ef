"""From the text of a reply to validated JSON.

Promises: what comes back satisfies the schema; chatter, fences and small
syntax faults around one JSON value are forgiven once. Refuses, as
`ModelError("malformed")`: text without JSON, JSON that was cut off, and JSON
that breaks the schema. It never fills in what the model did not say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final, cast

from jsonschema import Draft202012Validator, ValidationError

from kaoju.errors import ModelError
from kaoju.llm.chat import Json

_FENCE: Final = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)```", re.DOTALL)
_THOUGHT: Final = re.compile(r"<think>.*?</think>", re.DOTALL)
_TRAILING_COMMA: Final = re.compile(r",(\s*[}\]])")
_MAX_CANDIDATES: Final = 32


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant)


def parse(text: str, schema: Mapping[str, object]) -> Json:
    """Return the first JSON value in `text` that satisfies `schema`.

    Args:
        text: the reply as the model wrote it.
        schema: JSON Schema, draft 2020-12.

    Raises:
        ModelError: kind `malformed`; the message names the first fault.
    """
    validator = Draft202012Validator(dict(schema))
    fault = ""
    for value in _values(text):
        error = min(validator.iter_errors(value), key=_depth, default=None)
        if error is None:
            return value
        where = "/".join(str(part) for part in error.absolute_path) or "the reply"
        fault = fault or f"{where}: {_short(error.message, 200)}"
    fault = fault or f"no complete JSON in {_short(text, 80)!r}"
    raise ModelError(
        "malformed",
        f"the model's reply does not fit its schema ({fault}).",
        f"模型的回复不符合要求的格式（{fault}）。",
    )


def _values(text: str) -> Iterator[Json]:
    """Yield candidates: the whole text first, then fences, then whatever opens with a bracket."""
    body = _THOUGHT.sub("", text).strip()
    for piece in (body, *(match.group(1).strip() for match in _FENCE.finditer(body))):
        for variant in dict.fromkeys((piece, _TRAILING_COMMA.sub(r"\1", piece))):
            try:
                yield cast("Json", _DECODER.decode(variant))
            except (ValueError, RecursionError):
                continue
    at = 0
    for _ in range(_MAX_CANDIDATES):
        start = min((i for i in (body.find("{", at), body.find("[", at)) if i >= 0), default=-1)
        if start < 0:
            return
        value, at = _value_at(body, start)
        if at > start + 1:
            yield value


def _value_at(body: str, start: int) -> tuple[Json, int]:
    """Return the JSON value that opens at `start` and where it ends, or (None, start + 1)."""
    try:
        value, end = _DECODER.raw_decode(body, start)
    except (ValueError, RecursionError):
        return None, start + 1
    return cast("Json", value), end


def _depth(error: ValidationError) -> tuple[int, str]:
    return len(error.absolute_path), str(error.absolute_path)


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
