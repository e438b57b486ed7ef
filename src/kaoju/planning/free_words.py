"""What a field of free words takes from a question: names, addresses, what stands behind a preposition. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from kaoju.language.names import find_names
from kaoju.planning.fields import Field
from kaoju.planning.wording import request_length, words_for

Span = tuple[int, int]
_PLACEHOLDER: Final = re.compile(r"\{t\d+\}")
_MAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_LINK: Final = re.compile(r"https?://[^\s，。）)]+")
_TAKES_CODES: Final = re.compile(
    r"\b(?:id|no|number|code|sku|key|serial|model|reference)\b|号|码", re.IGNORECASE
)
_AFTER_ZH: Final = re.compile(
    r"(?:前往|开往|飞往|[去到往]|(?<![现正存内])在)([\u4e00-\u9fff]{2,10}?)(?=的|[有几多坐乘开]|怎么|什么|何时|路上|[，,。？?\s]|$)"
)
_DANGLING: Final = re.compile(r"[\s,]+(?:(?:on|in|at|for|of|to|the|and)[\s,]*)*$")
_AFTER: Final = re.compile(
    r"\b(?:in|for|of|at|to|about|on)\s+((?!the\b)[a-z][\w'-]*(?:\s[a-z][\w'-]*)?)\s*[?.!]?$", re.IGNORECASE
)


def candidates(
    one: Field, text: str, taken: Sequence[Span], tool_words: frozenset[str]
) -> Iterator[tuple[str, int, int]]:
    """Yield what a field of free words may take, and where it stands, the likeliest first.

    Args:
        one: the field; its length limits and its format count.
        text: the question.
        taken: what other fields took already; a name that runs into it ends before it.
        tool_words: stems of the contract's own words, which are no values.
    """
    return (found for found in _candidates(one, text, taken, tool_words) if _long_enough(one, found[0]))


def _candidates(
    one: Field, text: str, taken: Sequence[Span], tool_words: frozenset[str]
) -> Iterator[tuple[str, int, int]]:
    special = {"email": _MAIL, "uri": _LINK}.get(str(one.schema.get("format", "")))
    if special is not None:
        yield from ((m.group(), *m.span()) for m in special.finditer(text))
        return
    for place in _PLACEHOLDER.finditer(text):
        yield place.group(), *place.span()
    for name in find_names(text):
        if name.kind != "code" or _TAKES_CODES.search(one.said):
            start, end = _without(
                tool_words, text, name.start, _until_taken(text, taken, name.start, name.end)
            )
            if end > start:
                yield text[start:end], start, end
    for match in (*_AFTER_ZH.finditer(text), *_AFTER.finditer(text)):
        start, end = _without(tool_words, text, *match.span(1))
        if end > start:
            yield text[start:end], start, end


def _long_enough(one: Field, value: str) -> bool:
    low, high = one.schema.get("minLength", 0), one.schema.get("maxLength", 10_000)
    return isinstance(low, int) and isinstance(high, int) and low <= len(value) <= high


def _until_taken(text: str, taken: Sequence[Span], start: int, end: int) -> int:
    """Return where a name ends that runs into a piece which another field took: "Lisbon on" April 3."""
    cut = min((a for a, _ in taken if start < a < end), default=end)
    if cut == end:
        return end
    return start + len(_DANGLING.sub("", text[start:cut]))


def _without(tool_words: frozenset[str], text: str, start: int, end: int) -> Span:
    """Cut the tool's own words off both ends: in "Madrid weather forecast" only Madrid is a value."""
    start += request_length(text[start:end])
    pieces = list(re.finditer(r"[A-Za-z0-9&.'’-]+|[^A-Za-z0-9\s]+", text[start:end]))
    while pieces and words_for(pieces[-1].group()) and words_for(pieces[-1].group()) <= tool_words:
        pieces.pop()
    while pieces and words_for(pieces[0].group()) and words_for(pieces[0].group()) <= tool_words:
        pieces.pop(0)
    if not pieces:
        return start, start
    return start + pieces[0].start(), start + pieces[-1].end()
