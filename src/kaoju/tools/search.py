"""Passages by meaning and by exact words.

Both tools wrap one plain callable (the knowledge base's search, given at
wiring) and run it off the event loop. They add nothing to what it found: a
passage's confidence is its score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, Protocol

from kaoju.errors import ModelError, OperationError
from kaoju.model.document import Passage
from kaoju.model.evidence import JSON, Evidence
from kaoju.model.failure import FailureCode
from kaoju.model.tool import Failed, Fallback, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import say, text_of
from kaoju.tools.threads import in_thread

SearchMode = Literal["semantic", "keyword"]
DEFAULT_K: Final = 5
MAX_K: Final = 50
MAX_QUERY_CHARS: Final = 2_000

SCHEMA: Final[Mapping[str, JSON]] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1, "maxLength": MAX_QUERY_CHARS, "pattern": r"\S"},
        "k": {"type": "integer", "minimum": 1, "maximum": MAX_K},
    },
    "required": ["query"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The part of the knowledge base that a tool sees."""

    documents: tuple[str, ...] = ()
    """Ids, or patterns such as `policies/*`; all where empty."""
    exclude: tuple[str, ...] = ()
    """Ids or patterns of documents that it does not see."""
    dates: tuple[date, date] | None = None
    """Only documents that state a date from the first to before the second."""


WHOLE: Final = Part()


class Search(Protocol):
    """What the knowledge base does for these tools."""

    def __call__(self, query: str, k: int, mode: SearchMode, part: Part = WHOLE) -> Sequence[Passage]:
        """Return the `k` best passages of a part of the knowledge base, best first."""
        ...


class SearchTool:
    """One mode of search as a tool."""

    def __init__(
        self, spec: ToolSpec, mode: SearchMode, search: Search, *, part: Part = WHOLE, k: int = DEFAULT_K
    ) -> None:
        """Serve `spec` with `search` in `mode`: `k` passages of `part`, where a call does not say how many."""
        self.spec = spec
        self._mode = mode
        self._search = search
        self._part = part
        self._k = k

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Search once; no passage is a finding, not a failure."""
        query = text_of(call.arguments)
        k = call.arguments.get("k")
        count = k if isinstance(k, int) else self._k
        try:
            found = await in_thread(lambda: tuple(self._search(query, count, self._mode, self._part)))
        except ModelError as error:
            code: FailureCode = "RATE_LIMITED" if error.kind == "rate_limited" else "UPSTREAM_5XX"
            return Failed(code=code, message=error.say(say(query, zh="zh", en="en")), retryable=True)
        except OperationError as error:
            return Failed(
                code="UPSTREAM_5XX",
                message=error.say(say(query, zh="zh", en="en")),
                retryable=True,
            )
        evidence = tuple(as_evidence(passage, query, call, self.spec.name) for passage in found)
        notes = (
            ()
            if evidence
            else (say(query, zh=f"没有找到与“{query}”有关的段落", en=f"no passage for {query!r}"),)
        )
        return Succeeded(
            evidence=evidence,
            confidence=max((item.confidence for item in evidence), default=0.0),
            notes=notes,
        )


def as_evidence(passage: Passage, query: str, call: ToolCall, tool: str) -> Evidence:
    """Return a found passage as evidence."""
    score = min(1.0, max(0.0, passage.score))
    return Evidence(
        id="",
        kind="passage",
        text=passage.text,
        document_id=passage.document_id,
        title=passage.title,
        locator=passage.locator,
        tool=tool,
        chunk_id=passage.chunk_id,
        task_id=call.task_id,
        query=query,
        score=score,
        semantic=passage.semantic,
        confidence=score,
        date=passage.date,
    )


def semantic_search(search: Search) -> SearchTool:
    """Return the tool that finds passages by meaning; keyword search stands in for it."""
    spec = ToolSpec(
        name="semantic_search",
        description="Finds passages whose meaning is near the query. 按语义查找段落。",
        use_for="Facts, rules, explanations and descriptions written in prose. 制度、事实、说明等正文内容。",
        not_for="Sums, counts, extremes and rankings over tables. 表格的合计、计数、最值、排名。",
        input_schema=SCHEMA,
        examples=({"query": "年假可以结转到下一年吗"}, {"query": "who approves travel expenses", "k": 5}),
        fallback=(Fallback(tool="keyword_search"),),
    )
    return SearchTool(spec, "semantic", search)


def keyword_search(search: Search) -> SearchTool:
    """Return the tool that finds passages by exact words."""
    spec = ToolSpec(
        name="keyword_search",
        description="Finds passages that contain the query's words. 按关键词查找段落。",
        use_for="Codes, identifiers, proper nouns and exact phrases. 编号、代码、专有名词、原文措辞。",
        not_for="Paraphrased questions; sums, counts and rankings over tables. 换了说法的问题；表格的统计。",
        input_schema=SCHEMA,
        examples=({"query": "A-7731"}, {"query": "《差旅管理办法》 第十二条"}),
    )
    return SearchTool(spec, "keyword", search)
