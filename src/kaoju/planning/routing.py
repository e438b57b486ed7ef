"""Which built-in tool serves a query. Pure.

Figures, counts, extremes and rankings go to SQL where a table surely serves;
codes and exact titles to keyword search; everything else to search by meaning.
"""

from __future__ import annotations

import re
from typing import Final

from kaoju.language.names import find_names
from kaoju.language.segment import terms
from kaoju.model.tool import ToolSpec
from kaoju.planning.catalog import BUILT_IN, Catalog
from kaoju.planning.figures import asks_for_figure, asks_for_list, is_aggregate
from kaoju.planning.hops import PLACEHOLDER
from kaoju.tools.arithmetic import ArithmeticRefusedError, evaluate
from kaoju.tools.phrases import to_expression
from kaoju.tools.sql.linking import LinkedTable, link
from kaoju.tools.sql.patterns import can_answer
from kaoju.tools.sql.view import EXACT

SQL_SURE: Final = 0.9
"""From here on SQL alone serves."""
SQL_LIKELY: Final = 0.3
"""From here on SQL serves what asks for a figure: a model may write it, and its contract falls back to a search."""
SQL_WORDS: Final = 0.375
"""From here on, three quarters of its words, SQL serves any question."""
SQL_ROW: Final = 0.2
"""The same where it names a row of a table and asks who, which, when or how much, or computes over a column."""
EXACT_SHARE: Final = 1 / 3
"""Share of a query's characters from which its codes make it a look-up of exact words."""
WORDS_BESIDE: Final = 2
"""Content words that may stand beside each code of a look-up, however long they are."""
TITLE_SHARE: Final = 0.6
"""The same for quoted words and titles, which occur in ordinary questions too."""
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
SEARCHES: Final = ("semantic_search", "keyword_search")


def sql_score(query: str, catalog: Catalog) -> float:
    """Return how surely SQL over the tables can serve a query; 0 without tables or tool."""
    return can_answer(query, catalog.tables) if catalog.tables and "sql_query" in catalog.names else 0.0


def choose_tool(query: str, catalog: Catalog) -> str:
    """Return the tool for a query; empty where the catalog has none that could serve."""
    if "calculate" in catalog.names and is_expression(query):
        return "calculate"
    return "sql_query" if sql_serves(query, catalog) else choose_search(query, catalog)


def sql_serves(query: str, catalog: Catalog) -> bool:
    """Return whether a query is one for the tables: its reading is sure, or it asks for a figure or a list over their words.

    A query that waits for `{t1}` is judged by the rest of it, and only where it asks for a figure.
    """
    bare = PLACEHOLDER.sub(" ", query)
    score = sql_score(bare, catalog)
    if bare != query:
        return asks_for_figure(query) and score >= SQL_LIKELY
    if score >= SQL_SURE:
        return True
    if score >= (SQL_LIKELY if asks_for_figure(query) or asks_for_list(query) else SQL_WORDS):
        return True
    if score < SQL_ROW:
        return False
    best = next(iter(link(query, catalog.tables).tables), None)
    if best is None or len(best.unexplained) > 1:
        return False
    if is_aggregate(query) and _computes(best):
        return True
    if asks_for_list(query) and _filters(best):
        return True
    return bool(_ASKS_CELL.search(query)) and _names_row(best)


_ASKS_CELL: Final = re.compile(
    r"谁|哪|多少|几|^(?:who|which|what|when|where|how (?:many|much|old|large|big|long|high))\b", re.IGNORECASE
)


_OPERATORS: Final = frozenset({"agg", "super", "cmp", "top", "each"})


def _computes(best: LinkedTable) -> bool:
    """Return whether a table has a column of the query by its full name, and the query computes over it."""
    named = any(token.kind == "col" and token.weight >= EXACT for token in best.tokens)
    return named and any(token.kind in _OPERATORS for token in best.tokens)


def _filters(best: LinkedTable) -> bool:
    """Return whether a table has the rows and a column of the query, which a time or a comparison limits."""
    kinds = {token.kind for token in best.tokens}
    return {"col", "entity"} <= kinds and bool(kinds & {"time", "cmp"})


def _names_row(best: LinkedTable) -> bool:
    """Return whether a table has a row of its own that the query names."""
    return any(token.kind == "val" and any(c.unique for c in token.columns) for token in best.tokens)


def choose_search(query: str, catalog: Catalog) -> str:
    """Return the search tool for a query: exact words or meaning; empty where there is neither.

    Without any search of our own, a reading tool that takes a query stands in;
    a tool with an effect never does.
    """
    names = catalog.names
    if "keyword_search" in names and is_exact(query):
        return "keyword_search"
    found = next((name for name in SEARCHES if name in names), "")
    return found or next((spec.name for spec in catalog.tools if _reads_query(spec)), "")


def _reads_query(spec: ToolSpec) -> bool:
    return spec.risk == "read" and (spec.name in BUILT_IN or spec.input_schema.get("required") == ["query"])


def is_exact(query: str) -> bool:
    """Return whether codes or titles make up so much of a query that it looks them up."""
    size = len(re.sub(r"[\s?？。.，,]", "", query))
    found = find_names(query)
    codes = sum(len(name.text) for name in found if name.kind == "code")
    titles = sum(len(name.text) + 2 for name in found if name.kind in {"title", "quoted"})
    if codes and not _HAN.search(query):
        beside = [term for term in terms(query) if not re.search(r"\d", term)]
        if len(beside) <= WORDS_BESIDE * sum(name.kind == "code" for name in found):
            return True
    return bool(size) and (
        (codes > 0 and codes >= EXACT_SHARE * size) or (titles > 0 and codes + titles >= TITLE_SHARE * size)
    )


def is_expression(query: str) -> bool:
    """Return whether a query is arithmetic over stated numbers and nothing else."""
    bare = query.strip(" ?？。.=＝")
    if not re.search(r"\d", bare) or re.fullmatch(r"[\d,.\s-]+%?", bare):
        return False
    try:
        evaluate(to_expression(bare))
    except ArithmeticRefusedError:
        return False
    return True
