"""Secrets by reference: `env:NAME` or `file:PATH`.

Promises: a value that was resolved once is taken out of every text that passes
`redact`, also in its usual encodings. Refuses other forms of reference, values
too short to be told from ordinary text, and files that are no small text.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote, quote_plus

from kaoju.errors import UsageError

MASK: Final = "***"
MIN_CHARS: Final = 4
"""A shorter secret cannot be taken out of texts without harm to them."""
MAX_BYTES: Final = 65_536


class EnvSecrets:
    """Secrets from an environment and from files."""

    def __init__(self, environ: Mapping[str, str], folder: Path) -> None:
        """Look names up in `environ`, and paths below `folder` where they are relative."""
        self._environ = environ
        self._folder = folder
        self._lock = threading.Lock()
        self._shown: tuple[str, ...] = ()

    def resolve(self, reference: str) -> str:
        """Return the value behind a reference.

        Raises:
            UsageError: not set, not readable, too short, or no reference.
        """
        scheme, _, name = reference.partition(":")
        if scheme == "env" and name:
            value = self._environ.get(name, "")
            where = (f"the environment variable {name}", f"环境变量 {name}")
        elif scheme == "file" and name:
            value = self._from_file(name)
            where = (f"the file {name}", f"文件 {name}")
        else:
            raise UsageError(
                "a secret is given as `env:NAME` or `file:PATH`.", "密钥应写成 `env:变量名` 或 `file:路径`。"
            )
        if len(value) < MIN_CHARS:
            raise UsageError(
                f"{where[0]} holds no secret of at least {MIN_CHARS} characters; set it.",
                f"{where[1]} 中没有至少 {MIN_CHARS} 个字符的密钥，请设置。",
            )
        self._remember(value)
        return value

    def redact(self, text: str) -> str:
        """Return the text without any value that was ever resolved."""
        for value in self._shown:
            if value in text:
                text = text.replace(value, MASK)
        return text

    def _from_file(self, name: str) -> str:
        path = self._folder / name
        try:
            if path.stat().st_size > MAX_BYTES:
                raise UsageError(f"the secret file {name} is too large.", f"密钥文件 {name} 过大。")
            return path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"the secret file {name} cannot be read.", f"密钥文件 {name} 无法读取。"
            ) from error

    def _remember(self, value: str) -> None:
        raw = value.encode()
        forms = {
            value, quote(value, safe=""), quote_plus(value), json.dumps(value)[1:-1],
            base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode(), raw.hex(),
        }  # fmt: skip
        with self._lock:
            known = {*self._shown, *forms}
            self._shown = tuple(sorted(known, key=lambda form: (-len(form), form)))
