"""Which tool serves a query. Pure.

Figures, counts, extremes and rankings go to SQL where a table surely serves;
codes and exact titles to keyword search; everything else to search by meaning.
"""

from __future__ import annotations

import re
from typing import Final

from kaoju.language.names import find_names
from kaoju.planning.catalog import Catalog
from kaoju.tools.sql.patterns import can_answer

SQL_SURE: Final = 0.9
"""From here on SQL alone serves."""
SQL_LIKELY: Final = 0.3
"""From here on SQL is tried beside a search: a model may write it."""
EXACT_SHARE: Final = 1 / 3
"""Share of a query's characters from which its codes make it a look-up of exact words."""
TITLE_SHARE: Final = 0.6
"""The same for quoted words and titles, which occur in ordinary questions too."""
SEARCHES: Final = ("semantic_search", "keyword_search")


def sql_score(query: str, catalog: Catalog) -> float:
    """Return how surely SQL over the tables can serve a query; 0 without tables or tool."""
    return can_answer(query, catalog.tables) if catalog.tables and "sql_query" in catalog.names else 0.0


def choose_tool(query: str, catalog: Catalog) -> str:
    """Return the tool for a query; empty where the catalog has none that could serve."""
    if "{t" not in query and sql_score(query, catalog) >= SQL_SURE:
        return "sql_query"
    return choose_search(query, catalog)


def choose_search(query: str, catalog: Catalog) -> str:
    """Return the search tool for a query: exact words or meaning; empty where there is neither."""
    names = catalog.names
    if "keyword_search" in names and is_exact(query):
        return "keyword_search"
    return next((name for name in SEARCHES if name in names), names[0] if names else "")


def is_exact(query: str) -> bool:
    """Return whether codes or titles make up so much of a query that it looks them up."""
    size = len(re.sub(r"[\s?？。.，,]", "", query))
    found = find_names(query)
    codes = sum(len(name.text) for name in found if name.kind == "code")
    titles = sum(len(name.text) + 2 for name in found if name.kind in {"title", "quoted"})
    return bool(size) and (
        (codes > 0 and codes >= EXACT_SHARE * size) or (titles > 0 and codes + titles >= TITLE_SHARE * size)
    )
