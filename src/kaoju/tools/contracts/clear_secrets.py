"""Secrets that stand in a file in clear, where a reference belongs.

Promises: keys, tokens and passwords are found by the name of the field that
holds them, by the shape of well-known keys, and as credentials in an address.
Refuses: to show what it found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from kaoju.tools.contracts.problem import Problem
from kaoju.tools.contracts.source import Place, Source

REFERENCE: Final = re.compile(r"^(?:env|file):\S+$")
_FIELD: Final = re.compile(
    r"(?:^|[_\-.])(?:password|passwd|pwd|secret|token|bearer|api[_-]?key|apikey|access[_-]?key|private[_-]?key|credential|authorization|cookie)s?$|^x-api-key$",
    re.IGNORECASE,
)
_SHAPE: Final = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}|-----BEGIN [A-Z ]*PRIVATE KEY-----)|\bBearer\s+[A-Za-z0-9._~+/-]{12,}|\bBasic\s+[A-Za-z0-9+/=]{12,}"
)
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s:@]*:[^/\s@]+@", re.IGNORECASE)
_QUERY_KEY: Final = re.compile(
    r"[?&](?:api[_-]?key|token|access[_-]?token|key|secret|password)=[^&{}\s]{6,}", re.IGNORECASE
)
_SCHEMAS: Final = frozenset({"input", "output"})


def in_clear(source: Source) -> Iterator[Problem]:
    """Yield every value of a file that looks like a secret in clear."""
    for place, value in _texts(source.data, ()):
        if place[0] in _SCHEMAS or REFERENCE.match(value):
            continue
        field = str(place[-1])
        named = bool(_FIELD.search(field)) and bool(value.strip()) and "{" not in value
        if named or _SHAPE.search(value) or _ADDRESS.search(value) or _QUERY_KEY.search(value):
            where = ".".join(str(part) for part in place)
            yield source.problem(
                place,
                f"{where} holds a secret in clear; write `env:NAME` or `file:PATH` and keep the secret there.",
                f"{where} 中以明文写有密钥；请改为 `env:变量名` 或 `file:路径`，并把密钥放在那里。",
            )


def _texts(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, (*place, str(key)))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _texts(item, (*place, number))
