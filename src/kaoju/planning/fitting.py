"""How well a question fits the contract of a tool. Pure, but for the closeness that a caller may lend.

A contract says in words what it is for and not for; a question fits where most
of what it says, beside the values of the arguments, is among those words, and
where every required argument can be filled. A question about the rules behind
a thing (why, how, policy of) does not ask for the thing itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from kaoju.model.evidence import JSON
from kaoju.model.tool import ToolSpec
from kaoju.planning.actions import asks_for_action
from kaoju.planning.arguments import Filled, fill
from kaoju.planning.catalog import Catalog
from kaoju.planning.fields import fields_of, spaced
from kaoju.planning.wording import covered, words_for

FITS: Final = 0.5
"""Share of a question's words that a contract has to know."""
ANCHORED: Final = 0.3
"""The same where the question names a code or an option that the tool requires."""
SEVERAL: Final = 2
"""So many required arguments make up a question by themselves: 500 euros in yuan."""
HARDLY: Final = 1
"""A question that says so little beside its arguments is made of them."""
HINTS: Final = 0.2
"""From this share on the nearest meaning may decide, where the runtime lends one."""
CLOSER: Final = 0.02
"""By how much a contract has to be nearer in meaning than any other tool."""

_EXPLAINS: Final = re.compile(
    r"为什么|为何|原因|制度|规定|政策|流程|办法|规则|条件|要求|含义|定义|口径|原理|预案|标准|方案|手册|如何(?!$)|怎么(?!样)|应该|应当|为准|谁(?:负责|批准|审批|承担|可以|能)|由(?:谁|哪)|介绍|说明|解释|什么情况"
    r"|\bwhy\b|\bhow (?:do|does|did|should|can|could|to)\b|\bhow (?:is|are|was|were)\b.*\b(?:\w+ed|fixed|paid|made|set|kept|taken|done)\b"
    r"|\b(?:polic(?:y|ies)|rules?|procedures?|process|regulations?|explain|describe|purpose|definition|means?|meaning|guidelines?|handbook|manual|reasons?|requirements?|circumstances|should|must)\b"
    r"|\bwho (?:approves?|may|can|decides?|is allowed)\b|\b(?:which|what) .{1,40}\b(?:applies|apply)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A tool beside a question."""

    spec: ToolSpec
    share: float
    """Share of the question's words that the contract knows."""
    filled: Filled
    by_meaning: bool = False
    """Chosen because its meaning is the nearest, not by words."""


def fits(text: str, asked: str, now: date, catalog: Catalog) -> tuple[Fit, ...]:
    """Return the tools of contracts that a question may be meant for, the best first.

    Args:
        text: the query of one task.
        asked: the whole question, which alone can ask for an effect.
        now: the reference date.
        catalog: the tools at hand.

    Returns:
        Tools with arguments still missing are among them, behind those that are ready.
    """
    found = [fit for spec in catalog.custom for fit in _fit(spec, text, asked, now)]
    clear = [fit for fit in found if fit.share >= FITS or (fit.filled.exact and fit.share > 0)]
    anchored = [fit for fit in found if fit.share >= ANCHORED and fit.filled.anchored]
    lone = [fit for fit in found if fit.filled.exact and not fit.share and _is_bare(fit, text)]
    chosen = clear or anchored or lone or _owners(found, catalog) or _of_the_moment(found, text, catalog)
    chosen = chosen or _nearest(found, text, catalog)
    return tuple(
        sorted(
            chosen,
            key=lambda fit: (
                bool(fit.filled.missing),
                not fit.filled.exact,
                -fit.share,
                -len(fit.filled.spans),
            ),
        )
    )


def _fit(spec: ToolSpec, text: str, asked: str, now: date) -> Iterator[Fit]:
    if spec.risk != "read" and not asks_for_action(asked, purpose_words(spec)):
        return
    filled = fill(spec, text, now, tool_words=purpose_words(spec) | field_words(spec))
    if spec.risk == "read" and explains(text) and not explains(f"{spec.use_for} {spec.description}"):
        return
    share = _share(spec, text, filled)
    refused = refused_words(spec) - purpose_words(spec)
    against, whole = covered(text, filled.spans, refused, singles=False)
    if against > 0 and against >= share * whole:
        return
    yield Fit(spec=spec, share=share, filled=filled)


def _share(spec: ToolSpec, text: str, filled: Filled) -> float:
    """Return how much of a question is in the words of what a tool is for; names of its fields count neither way."""
    held, whole = covered(text, filled.spans, purpose_words(spec))
    known = purpose_words(spec) | field_words(spec) | example_words(spec)
    beside, _ = covered(text, filled.spans, known)
    if held:
        return held / (whole - (beside - held))
    required = spec.input_schema.get("required")
    several = isinstance(required, list) and len(set(required) & set(filled.arguments)) >= SEVERAL
    return FITS if several and whole <= HARDLY and not filled.missing else 0.0


def explains(text: str) -> bool:
    """Return whether a text asks for, or is about, rules and reasons rather than a thing itself."""
    return bool(_EXPLAINS.search(text))


def purpose_words(spec: ToolSpec) -> frozenset[str]:
    """Return the words for what a tool does."""
    return _words(" ; ".join((spaced(spec.name), spec.description, spec.use_for, spec.returns)))


def refused_words(spec: ToolSpec) -> frozenset[str]:
    """Return the words for what a tool is not for, beside rules and reasons, which no such tool is for."""
    clauses = re.split(r"[.;,。；，、]", spec.not_for)
    return _words(" ; ".join(clause for clause in clauses if not explains(clause)))


def field_words(spec: ToolSpec) -> frozenset[str]:
    """Return the words for what a tool takes: its fields and their options."""
    fields = fields_of(spec)
    options = (word for field in fields for option in field.options for word in option.words)
    return _words(" ; ".join((*(field.said for field in fields), *options)))


def example_words(spec: ToolSpec) -> frozenset[str]:
    """Return the words of the values in a tool's examples, which a question may give too."""
    return _words(" ; ".join(value for example in spec.examples for value in _texts(example)))


@lru_cache(maxsize=1_024)
def _words(text: str) -> frozenset[str]:
    return words_for(text)


def _texts(value: JSON | Mapping[str, JSON]) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _is_bare(fit: Fit, text: str) -> bool:
    """Return whether a question is hardly more than a code of the tool."""
    _, rest = covered(text, fit.filled.spans, frozenset())
    return rest <= HARDLY


def _owners(found: Sequence[Fit], catalog: Catalog) -> list[Fit]:
    """Return the tool of a code that no document holds, where the words leave one."""
    if catalog.holds is None:
        return []
    coded = [fit for fit in found if fit.filled.code and not fit.filled.missing]
    most = max((fit.share for fit in coded), default=0.0)
    best = [fit for fit in coded if fit.share == most]
    return best if len(best) == 1 and not catalog.holds(best[0].filled.code) else []


def _of_the_moment(found: Sequence[Fit], text: str, catalog: Catalog) -> list[Fit]:
    """Return the tool of a question about this moment that says hardly more than a thing: no document holds that."""
    if not _NOW.search(text):
        return []
    ready = [fit for fit in found if fit.filled.spans and not fit.filled.missing and _is_bare(fit, text)]
    best = [fit for fit in ready if fit.filled.anchored] or ready
    if len(best) < SEVERAL or catalog.closeness is None:
        return best if len(best) == 1 else []
    values = catalog.closeness(text, [f"{fit.spec.use_for} {fit.spec.description}" for fit in best])
    return [max(zip(values, best, strict=True), key=lambda pair: pair[0])[1]]


_NOW: Final = re.compile(
    r"现在|目前|当前|此刻|今天|今日|今晚|\b(?:right now|now|currently|at the moment|today|tonight)\b",
    re.IGNORECASE,
)


def _nearest(found: Sequence[Fit], text: str, catalog: Catalog) -> list[Fit]:
    """Return the tool whose meaning is clearly the nearest, of those that the words hint at."""
    ready = [fit for fit in found if not fit.filled.missing and fit.filled.spans and fit.share >= HINTS]
    if catalog.closeness is None or not ready:
        return []
    specs = [spec for spec in catalog.tools if spec.name != "follow_links"]
    values = catalog.closeness(text, [f"{spec.use_for} {spec.description}" for spec in specs])
    by_name = {spec.name: value for spec, value in zip(specs, values, strict=True)}
    best = max(ready, key=lambda fit: by_name[fit.spec.name])
    others = [value for name, value in by_name.items() if name != best.spec.name]
    if others and by_name[best.spec.name] < max(others) + CLOSER:
        return []
    return [Fit(spec=best.spec, share=best.share, filled=best.filled, by_meaning=True)]
