"""Why a built-in tool was chosen, in the question's language. Pure."""

from __future__ import annotations

from kaoju.language.names import find_names
from kaoju.model.question import Language
from kaoju.planning.catalog import Catalog
from kaoju.planning.hops import PLACEHOLDER
from kaoju.planning.routing import SQL_SURE, is_exact, sql_score
from kaoju.planning.strategies.base import say


def reason_for(query: str, tool: str, catalog: Catalog, language: Language) -> str:
    """Return why a tool serves a query, in one phrase; its purpose as the contract states it for any other."""
    if tool == "sql_query":
        return _of_tables(query, catalog, language)
    if tool == "calculate":
        return say(language, "只含已知数字的算式", "arithmetic over stated numbers")
    if tool == "keyword_search" and is_exact(query):
        exact = ", ".join(name.text for name in find_names(query) if name.kind != "name")
        return say(language, f"按原文查找：{exact}", f"looked up word for word: {exact}")
    if tool == "semantic_search":
        return say(language, "正文中的内容，按含义查找", "written in prose, searched by meaning")
    spec = catalog.tool(tool)
    return say(language, f"用于：{spec.use_for}", f"it is for: {spec.use_for}") if spec else ""


def _of_tables(query: str, catalog: Catalog, language: Language) -> str:
    if not PLACEHOLDER.search(query) and sql_score(query, catalog) >= SQL_SURE:
        return say(
            language, "问的是表格中的数据，查询含义明确", "a table holds it, and the question has one reading"
        )
    return say(language, "问的是表格中的数字", "it asks for a figure over the tables")
