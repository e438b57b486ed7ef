"""From a question to the arguments of a tool, by its input schema alone. Pure.

Promises: every value stands in the question or is what its words mean; two
fields never share one piece of text; what cannot be filled is named in
`missing`, and nothing is guessed. Refuses: objects, which only a model fills.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from kaoju.language.numbers import Quantity, find_numbers
from kaoju.language.time import find_times
from kaoju.model.evidence import JSON
from kaoju.model.tool import ToolSpec
from kaoju.planning import free_words
from kaoju.planning.fields import Field, field_of, fields_of
from kaoju.planning.options import options_in
from kaoju.planning.wording import words_for

_ORDER: Final = ("pattern", "time", "list", "number", "options", "flag", "words", "query", "other")
"""The most certain first: what a pattern took is no number any more."""
_ANCHORS: Final = frozenset({"pattern", "options"})
NEAR: Final = 12
"""Characters around a number in which the words of its field may stand."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What a question says for the fields of a tool."""

    arguments: Mapping[str, JSON]
    """Without `query`, which every call gets."""
    spans: tuple[Span, ...]
    """Where the values stand in the question."""
    missing: tuple[str, ...]
    """Required fields that the question says nothing for."""
    exact: bool
    """Whether a pattern with literal letters was met: such a code belongs to this tool."""
    anchored: bool = False
    """Whether a required field found a code or one of its options."""
    code: str = ""
    """What a required pattern took, where it is a code: letters and digits."""


@dataclass(slots=True, kw_only=True)
class _Work:
    """The question while it is read, and what was taken from it."""

    text: str
    now: date
    tool_words: frozenset[str]
    values: dict[str, JSON] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    exact: bool = False
    code: str = ""

    def free(self, start: int, end: int) -> bool:
        return all(end <= a or start >= b for a, b in self.spans)

    def take(self, name: str, value: JSON, *spans: Span) -> None:
        self.values[name] = value
        self.spans.extend(spans)


def fill(spec: ToolSpec, text: str, now: date, *, tool_words: frozenset[str] = frozenset()) -> Filled:
    """Return the arguments that a question gives for a tool.

    Args:
        spec: the tool's contract.
        text: the question, or one part of it.
        now: the reference date of relative times.
        tool_words: stems of the contract's own words, which are no values.
    """
    work = _Work(text=text, now=now, tool_words=tool_words)
    fields = fields_of(spec)
    for kind in _ORDER:
        same = sorted((f for f in fields if f.kind == kind), key=lambda f: (f.role, not f.required))
        if same:
            _READERS[kind](work, same)
    for one in fields:
        if one.name not in work.values and one.required and "const" in one.schema:
            work.values[one.name] = one.schema["const"]
        elif one.name not in work.values and one.required and "default" in one.schema:
            work.values[one.name] = one.schema["default"]
    ordered = {f.name: work.values[f.name] for f in fields if f.name in work.values}
    missing = tuple(f.name for f in fields if f.required and f.name not in ordered and f.name != "query")
    anchored = not missing and any(f.required and f.kind in _ANCHORS and f.name in ordered for f in fields)
    return Filled(
        arguments=ordered,
        spans=tuple(work.spans),
        missing=missing,
        exact=work.exact,
        anchored=anchored,
        code=work.code,
    )


def _patterns(work: _Work, fields: Sequence[Field]) -> None:
    for one in fields:
        found = next(
            (f for f in matches(str(one.schema["pattern"]), work.text) if work.free(f[1], f[2])), None
        )
        if found is not None:
            value, start, end = found
            work.exact = work.exact or has_literal(str(one.schema["pattern"]))
            if one.required and _CODE.search(value):
                work.code = value
            work.take(one.name, value, (start, end))


_CODE: Final = re.compile(r"(?=.*[A-Za-z])(?:.*\d){3}")


def matches(pattern: str, text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the pieces of a text that a field's pattern takes, in the case that it asks for."""
    core = pattern.removeprefix("^").removesuffix("$")
    try:
        whole = re.compile(pattern)
        inside = re.compile(rf"(?<![A-Za-z0-9_])(?:{core})(?![A-Za-z0-9_])", re.IGNORECASE)
    except re.error:
        return
    for match in inside.finditer(text):
        for value in (match.group(), match.group().upper(), match.group().lower()):
            if value and whole.search(value):
                yield value, *match.span()
                break


def has_literal(pattern: str) -> bool:
    """Return whether a pattern spells out letters, so that a code which fits it is of this kind and no other."""
    plain = re.sub(r"\\.|\[[^\]]*\]|\(\?[^)]*\)|\{[^}]*\}", " ", pattern)
    return bool(re.search(r"[A-Za-z]{2,}", plain))


def _times(work: _Work, fields: Sequence[Field]) -> None:
    found = [t for t in find_times(work.text, work.now) if work.free(t.at, t.until)]
    ends = [f for f in fields if f.role == 2]
    for one in fields:
        if one.role == 2 and ends and len(found) == 1 and any(f.role == 0 for f in fields):
            work.values[one.name] = _moment(one, found[0].end - timedelta(days=1))
        elif found:
            at = found[0]
            last = one.role == 2 and len(fields) > 1
            work.take(
                one.name, _moment(one, at.end - timedelta(days=1) if last else at.start), (at.at, at.until)
            )
            if not (one.role == 0 and ends and len(found) == 1):
                found.pop(0)


def _moment(one: Field, day: date) -> str:
    return f"{day.isoformat()}T00:00:00" if one.schema.get("format") == "date-time" else day.isoformat()


def _numbers(work: _Work, fields: Sequence[Field]) -> None:
    found = [q for q in find_numbers(work.text) if work.free(q.start, q.start + 1)]
    open_fields = list(fields)
    for one in fields:
        near = [q for q in found if _fits(one, q) and _is_near(work.text, one, q)]
        if near:
            _take_number(work, one, near[0])
            found.remove(near[0])
            open_fields.remove(one)
    for one in open_fields:
        fitting = [q for q in found if _fits(one, q)]
        if fitting and (one.required or len(open_fields) == 1) and len(fitting) <= len(open_fields):
            _take_number(work, one, fitting[0])
            found.remove(fitting[0])


def _take_number(work: _Work, one: Field, quantity: Quantity) -> None:
    value = quantity.value
    whole = value == value.to_integral_value()
    work.take(one.name, int(value) if whole else float(value), _figures(work.text, quantity))


def _figures(text: str, quantity: Quantity) -> Span:
    """Return where the digits of an amount stand, without the currency that another field may take."""
    inner = re.search(
        r"[\d.,，]*\d(?:\s?(?:万亿|[十百千万亿]+))?|[〇零一二两三四五六七八九十百千万亿]+",
        text[quantity.start : quantity.end],
    )
    if inner is None:
        return quantity.start, quantity.end
    return quantity.start + inner.start(), quantity.start + inner.end()


def _fits(one: Field, quantity: Quantity) -> bool:
    value = quantity.value
    if one.schema.get("type") == "integer" and value != value.to_integral_value():
        return False
    low, high = one.schema.get("minimum"), one.schema.get("maximum")
    if isinstance(low, int | float) and value < Decimal(str(low)):
        return False
    return not (isinstance(high, int | float) and value > Decimal(str(high)))


def _is_near(text: str, one: Field, quantity: Quantity) -> bool:
    before = text[max(0, quantity.start - NEAR) : quantity.start]
    around = f"{before} {text[quantity.start : quantity.end + NEAR // 2]}"
    return bool(words_for(one.said) & words_for(around))


def _chosen(work: _Work, fields: Sequence[Field]) -> None:
    """Give each field its option; fields with the same options take them in the order of the text.

    An option that belongs to an amount comes before those that stand alone:
    in "how many dollars is 80 euros" the euros are what there is.
    """
    amounts = [(q.start, q.end) for q in find_numbers(work.text)]
    taken: list[Span] = []
    for one in fields:
        found = [
            hit
            for hit in options_in(one.options, work.text)
            if all(hit.end <= a or hit.start >= b for a, b in taken)
        ]
        paired = one.role != 1 and sum(other.options == one.options for other in fields) > 1
        if paired:
            found.sort(key=lambda hit: not any(a <= hit.start < b for a, b in amounts))
        if found:
            hit = found[0]
            taken.append((hit.start, hit.end))
            work.take(one.name, hit.value, (hit.start, hit.end))


def _flags(work: _Work, fields: Sequence[Field]) -> None:
    plain = words_for(work.text)
    for one in fields:
        named = words_for(one.said) - work.tool_words
        if named and named & plain:
            work.values[one.name] = not _NEGATED.search(work.text)


_NEGATED: Final = re.compile(
    r"不含|不包括|不要|除去|无需|\bwithout\b|\bnot\b|\bno\b|\bexclud\w+", re.IGNORECASE
)


def _free_words(work: _Work, fields: Sequence[Field]) -> None:
    for one in fields:
        said = free_words.candidates(one, work.text, work.spans, work.tool_words)
        found = next((c for c in said if work.free(c[1], c[2])), None)
        if found is not None:
            work.take(one.name, found[0], (found[1], found[2]))


def _lists(work: _Work, fields: Sequence[Field]) -> None:
    for one in fields:
        items = one.schema["items"]
        if not isinstance(items, Mapping):
            continue
        values: list[JSON] = []
        member = field_of(one.name, items, required=True)
        for _ in range(_most(one)):
            inner = _Work(text=work.text, now=work.now, tool_words=work.tool_words, spans=list(work.spans))
            _READERS[member.kind](inner, [member])
            if one.name not in inner.values or inner.spans == work.spans:
                break
            values.append(inner.values[one.name])
            work.spans = inner.spans
        low = one.schema.get("minItems", 1)
        if values and isinstance(low, int) and len(values) >= low:
            work.values[one.name] = values


def _most(one: Field) -> int:
    most = one.schema.get("maxItems", 20)
    return min(most, 20) if isinstance(most, int) else 20


def _asked(work: _Work, fields: Sequence[Field]) -> None:
    for one in fields:
        if one.name != "query":
            work.values[one.name] = work.text


def _nothing(_work: _Work, _fields: Sequence[Field]) -> None:
    """Objects and the like are a model's to fill."""


_READERS: Final[Mapping[str, Callable[[_Work, Sequence[Field]], None]]] = {
    "pattern": _patterns,
    "time": _times,
    "list": _lists,
    "number": _numbers,
    "options": _chosen,
    "flag": _flags,
    "words": _free_words,
    "query": _asked,
    "other": _nothing,
}
