"""Names of tables and titles of documents, made from what the source offers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kaoju.knowledge.parsing.compose import one_line

_MAX: Final = 80
_MEANINGLESS: Final = re.compile(
    r"(?:microsoft (?:word|powerpoint) - .*|(?:powerpoint )?(?:presentation|演示文稿)\s*\d*|untitled.*|无标题.*"
    r"|document\s*\d*|文档\s*\d*|doc\d*|slide \d+|幻灯片 \d+|doi:.*|[\W\d_]+|.*\.(?:docx?|pptx?|xlsx?|indd|pdf|qxd|wpd))",
    re.IGNORECASE,
)


def table_name(wanted: str, fallback: str, taken: Iterable[str]) -> str:
    """Return a name that no other table of the document has."""
    base = one_line(wanted)[:_MAX] or fallback
    used = {name.casefold() for name in taken}
    name, number = base, 2
    while name.casefold() in used:
        name, number = f"{base} {number}", number + 1
    return name


def title_of(stated: str, heading: str, stem: str) -> str:
    """Return the stated title unless a program made it up, else the first heading, else the file's name."""
    stated = one_line(stated)
    if stated and not _MEANINGLESS.fullmatch(stated):
        return stated
    return one_line(heading) or stem
