"""Reads files into documents: PDF, Office, HTML, Markdown, text, tables, databases, JSONL."""

from kaoju.knowledge.parsing.compose import full_text
from kaoju.knowledge.parsing.limits import LIMITS, Limits
from kaoju.knowledge.parsing.reader import count_units, parse
from kaoju.knowledge.parsing.sniff import supported
from kaoju.knowledge.parsing.source import BadLine

__all__ = ["LIMITS", "BadLine", "Limits", "count_units", "full_text", "parse", "supported"]
