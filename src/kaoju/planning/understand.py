"""Reading a question before anything is searched. Pure rules, Chinese and English.

What a question is decides how it is attacked. Each reading has its own module;
here they are asked in order, the most certain first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from kaoju.language.detect import detect
from kaoju.language.names import Name, find_names
from kaoju.language.offices import at_time, without_time
from kaoju.language.time import TimeRange, find_times
from kaoju.model.plan import PlanType
from kaoju.model.question import Language
from kaoju.planning import sides_en, sides_zh
from kaoju.planning.catalog import Catalog
from kaoju.planning.claims import find_claims
from kaoju.planning.comparison import Side
from kaoju.planning.conditions import find_conditions
from kaoju.planning.directly import find_direct
from kaoju.planning.figures import asks_for_figure, is_aggregate
from kaoju.planning.nesting import steps
from kaoju.planning.parts import find_parts
from kaoju.planning.rewrite import search_style
from kaoju.planning.routing import SQL_LIKELY, SQL_SURE, sql_score

LONG_ENGLISH_WORDS: Final = 24
LONG_CHINESE_CHARS: Final = 60
"""Longer single questions may be more than they seem: the rules are not sure."""
MAX_PARTS: Final = 3

_OF_BOTH: Final = re.compile(r"[，,；;？?]\s*.{0,8}(?:它们|二者|两者)")
"""A part that asks about the sides of the first one together is no question of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """What rules can say of a question."""

    language: Language
    type: PlanType
    query: str
    """The question in search style."""
    names: tuple[Name, ...] = ()
    times: tuple[TimeRange, ...] = ()
    numeric: bool = False
    """Asks for a figure, a count, an extreme or a ranking."""
    sql: float = 0.0
    """How surely SQL over the tables can serve."""
    state: str = ""
    """For the state of a thing at a past time (who was X in 2021): what is asked, without the time, which its
    evidence need not repeat."""
    sides: tuple[Side, ...] = ()
    """The things compared."""
    steps: tuple[str, ...] = ()
    """The steps of a nested question; later ones hold `{t1}`, `{t2}`."""
    parts: tuple[str, ...] = ()
    """The questions that one question holds, each self-contained."""
    conditions: tuple[str, ...] = ()
    """The conditions that one unknown thing has to meet, in a long description."""
    claims: tuple[str, ...] = ()
    """The assertions to check."""
    expression: str = ""
    """For arithmetic: what to calculate."""
    reply: str = ""
    """For small talk: what to say."""
    unanswerable: str = ""
    """Why nothing can answer it, in the question's language."""
    sure: bool = True
    """False where a model, if there is one, should plan instead."""

    @property
    def codes(self) -> tuple[Name, ...]:
        """Exact identifiers."""
        return tuple(name for name in self.names if name.kind == "code")

    @property
    def anchors(self) -> tuple[str, ...]:
        """Names and codes that evidence has to mention."""
        return tuple(dict.fromkeys(name.text for name in self.names))


def understand(text: str, now: date, catalog: Catalog) -> Understanding:
    """Return what rules can say of a question on a reference date, given the tools and tables at hand."""
    language = detect(text)
    query = search_style(text, now)
    direct = find_direct(text, query, language, now)
    if direct is not None:
        return Understanding(
            language=language,
            type=PlanType.DIRECT,
            query=query,
            expression=direct.expression,
            reply=direct.reply,
            unanswerable=direct.unanswerable,
        )
    aggregate = is_aggregate(query)
    sql = sql_score(query, catalog)
    then = at_time(query, now)
    state = without_time(query, now) if then is not None and then[2] else ""

    def found(
        kind: PlanType,
        *,
        sides: tuple[Side, ...] = (),
        steps: tuple[str, ...] = (),
        parts: tuple[str, ...] = (),
        conditions: tuple[str, ...] = (),
        claims: tuple[str, ...] = (),
        sure: bool = True,
    ) -> Understanding:
        return Understanding(
            language=language,
            type=kind,
            query=query,
            names=find_names(query),
            times=find_times(query, now),
            numeric=asks_for_figure(query),
            sql=sql,
            state=state,
            sides=sides,
            steps=steps,
            parts=parts,
            conditions=conditions,
            claims=claims,
            sure=sure,
        )

    claims = find_claims(query, language)
    sides = sides_zh.find(query) if language == "zh" else sides_en.find(query)
    if sql >= SQL_SURE:
        if not aggregate and sides and all(sql_score(side.query, catalog) >= SQL_SURE for side in sides):
            return found(PlanType.COMPARE, sides=sides)
        return found(PlanType.AGGREGATE if aggregate else PlanType.VERIFY if claims else PlanType.SINGLE)
    if len(claims) > 1:
        return found(PlanType.VERIFY, claims=claims)
    if aggregate and sql >= SQL_LIKELY and not sides:
        return found(PlanType.AGGREGATE, sure=False)
    parts = find_parts(query, language)
    if len(sides) > len(parts) or (sides and _OF_BOTH.search(query)):
        return found(PlanType.COMPARE, sides=sides)
    if parts:
        return found(PlanType.DECOMPOSE, parts=parts, sure=len(parts) <= MAX_PARTS)
    conditions = find_conditions(query, language)
    if conditions:
        return found(PlanType.DECOMPOSE, conditions=conditions, sure=False)
    long = len(query.split()) > LONG_ENGLISH_WORDS if language == "en" else len(query) > LONG_CHINESE_CHARS
    nested = () if long and claims else steps(query, language)
    if nested:
        return found(PlanType.MULTI_HOP, steps=nested)
    return found(PlanType.VERIFY if claims else PlanType.SINGLE, claims=claims, sure=not long)
