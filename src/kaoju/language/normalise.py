"""One spelling for comparison: what differs only in width, script, case, accent or punctuation becomes equal.

Promises: `normalise` is idempotent. Refuses to change what is shown: originals
are displayed, normal forms are only compared.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

_PUNCTUATION: Final = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹣", "-"),
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″「」『』", '"'),
        **dict.fromkeys("\u00a0\u3000\u2000\u2001\u2002\u2003\u2009\u202f", " "),
        **dict.fromkeys("。", "."),
        **dict.fromkeys("、", ","),
        **dict.fromkeys("\u200b\u200c\u200d\ufeff\u00ad", ""),
    }
)


def normalise(text: str) -> str:
    """Return `text` in NFKC, simplified, case-folded, without accents, dashes and quotes unified."""
    return "".join(map(_char, _composed(text)))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


@cache
def _char(char: str) -> str:
    simple = _simplified().get(char, char).translate(_PUNCTUATION).casefold()
    if simple.isascii():
        return simple
    bare = "".join(c for c in unicodedata.normalize("NFKD", simple) if not unicodedata.combining(c))
    return unicodedata.normalize("NFKC", bare).translate(_PUNCTUATION).casefold()


@cache
def _simplified() -> dict[str, str]:
    """Return the map of traditional to simplified characters, from OpenCC's dictionary."""
    from opencc import OpenCC  # noqa: PLC0415 - the dictionary is loaded when the first text comes

    convert = OpenCC("t2s").convert
    table: dict[str, str] = {}
    for code in range(0x4E00, 0xA000):
        char = chr(code)
        simple = convert(char)
        if simple != char and len(simple) == 1:
            table[char] = simple
    return table
