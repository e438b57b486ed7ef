"""Prompts of the SQL writer. The system text is constant, so that servers can cache it."""

from __future__ import annotations

from typing import Final

SYSTEM: Final = """You write one DuckDB SELECT statement that answers a question over the given tables.
Rules:
- Use only the listed tables and columns, spelled exactly; put every identifier in double quotes.
- Compare text with a value from the samples where one is listed.
- Select the columns that the answer needs, and the name column of each row.
- No writes, no comments, no explanation. Reply with JSON: {"sql": "..."}"""

USER: Final = """Tables:
{tables}

Question: {question}"""

REPAIR: Final = """{user}

Your SQL was:
{sql}
It failed: {error}
Write it again, corrected."""

SCHEMA: Final = {
    "type": "object",
    "properties": {"sql": {"type": "string"}},
    "required": ["sql"],
    "additionalProperties": False,
}
"""What the model's reply must be."""
