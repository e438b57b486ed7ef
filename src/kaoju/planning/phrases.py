"""Noun phrases of an English question by their form alone: where a name begins and ends. Pure.

A name is a run of words with a capital, a digit or a quotation mark; small
connecting words count only between two such words.
"""

from __future__ import annotations

import re
from typing import Final

_OPEN: Final = r"[\"'“‘¿¡]*"
_HEAD: Final = rf"{_OPEN}(?:[^\W\d_a-zß-öø-ÿ][^\s,?;:]*|\d[^\s,?;:]*|\{{t\d+\}}(?:'s)?)"
_CONNECT: Final = r"(?:of|the|de|la|le|du|van|von|der|den|di|da|del|in|on|at|for|to|a|an|with|from|by|&|-|–)"
_AND: Final = r"(?:and|or|" + _CONNECT[3:]
NAME: Final = rf"{_HEAD}(?::?\s(?:{_CONNECT}\s){{0,2}}{_HEAD})*"
"""A name without `and` in it."""
LONG_NAME: Final = rf"{_HEAD}(?:[:;]?\s(?:{_AND}\s){{0,2}}{_HEAD})*"
"""A name as titles are: `and`, colons and semicolons may stand between capitals."""
QUOTED: Final = r"(?:\"[^\"]+\"|“[^”]+”|(?<!\w)'[^']+'(?!\w)|‘[^’]+’)"
QUALIFIER: Final = r"(?:\s*\([^)]*\))?"
DESCRIBED: Final = r"(?:(?:[a-z-]+\s){0,4}?of\s(?:the\s|a\s)?(?:[a-z-]+\s){0,2}?|(?:the|a|an)\s(?:[a-z-]+\s){0,2}?|(?:film|films|song|movie|book|album|company|series)\s)?"
"""Small words before a name that say what it is: `director of film`, `the village`."""

_QUALIFIED: Final = re.compile(r"\s*\([^)]*\)\s*$")
_ARTICLE: Final = re.compile(r"^(?:both|the|a|an)\s+", re.IGNORECASE)
_QUOTES: Final = "\"'“”‘’「」《》 ,:"


def name_end(text: str) -> int:
    """Return where the phrase that `text` begins with ends: a described name with its qualifier; 0 where there is none."""
    match = re.match(rf"{DESCRIBED}(?:{QUOTED}|{NAME}){QUALIFIER}", text)
    return match.end() if match else 0


def bare_name(phrase: str) -> str:
    """Return a side's name without article, quotation marks and parenthesis."""
    bare = _QUALIFIED.sub("", _ARTICLE.sub("", phrase.strip())).strip(_QUOTES)
    return bare or phrase.strip()
