"""`follow_links`: from passages in hand to the passages about what they name.

A hop is a look-up: at ingestion every document's title and every heading
became a key, and a passage that mentions a key is linked to what stands under
it. Linked passages are ranked by the passage they come from, by closeness to
the query, and by how much of the query they carry that the first one did not.
A name leads the less surely the more documents stand under it, and nowhere new
where the query holds it already: there the search itself has looked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kaoju.knowledge.fusion import dense_score
from kaoju.language.normalise import normalise
from kaoju.language.segment import terms
from kaoju.model.document import Passage
from kaoju.model.evidence import Evidence
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import text_of
from kaoju.tools.search import as_evidence
from kaoju.tools.threads import in_thread

FROM_WEIGHT: Final = 0.5
QUERY_WEIGHT: Final = 0.3
REST_WEIGHT: Final = 0.3
"""Shares of the starting passage's score, of closeness to the query, and of the query's
remaining terms; chosen on hotpotqa_dev and musique_dev, where recall is flat around them."""
NEAR_COSINE: Final = 0.88
"""Where the nearest passage in hand is nearer than this (Chinese cosines run higher), all are counted from it:
otherwise every link of a near passage would stand above what the search itself found."""
NAME: Final = "follow_links"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A way from one passage to another."""

    source: Passage
    """The passage in hand, scored against the query."""
    target: Passage
    """The linked passage, scored against the query."""
    key: str
    """The name that the source mentions and the target is about."""


LinkedSearch = Callable[[str, Sequence[str]], Sequence[Link]]
"""(query, chunk ids) -> links out of those chunks."""


class FollowLinks:
    """Finds passages that the given passages name."""

    spec = ToolSpec(
        name=NAME,
        description="Passages about the things that given passages mention, without a new search.",
        use_for="The second hop: the film's director, the project's leader, once the first passage is found.",
        not_for="A first search; anything that no passage in hand mentions.",
        input_schema={
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1},
                "from": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 50},
                "k": {"type": "integer", "minimum": 1, "maximum": 200},
            },
            "required": ["query", "from"],
            "additionalProperties": False,
        },
        examples=({"query": "office of the project leader", "from": ["projects/qiming.md#0"]},),
        attempts=2,
    )

    def __init__(self, links: LinkedSearch, *, k: int = 5) -> None:
        """Use `links` to look links up; return `k` passages unless the call says otherwise."""
        self._links = links
        self._k = k

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Return the linked passages, best first; none where nothing is linked."""
        query = text_of(call.arguments)
        start = call.arguments.get("from")
        if not isinstance(start, list):
            return Failed(
                code="TOOL_PARAM_INVALID", message="`from` must list chunk ids", retryable=False, field="from"
            )
        wanted = call.arguments.get("k")
        k = wanted if isinstance(wanted, int) else self._k
        links = await in_thread(lambda: self._links(query, [str(chunk) for chunk in start]))
        found = ranked(call, links)[:k]
        return Succeeded(evidence=found, confidence=found[0].score if found else 0.0, tool=NAME)


def ranked(call: ToolCall, links: Sequence[Link]) -> tuple[Evidence, ...]:
    """Return the targets of links as evidence, best first, each once."""
    query = text_of(call.arguments)
    asked = set(terms(query))
    shift = max((link.source.semantic for link in links), default=0.0) - NEAR_COSINE
    certain = _certainty(query, links)
    best: dict[str, Evidence] = {}
    for link in links:
        rest = asked - set(terms(_searched(link.source)))
        carried = len(rest & set(terms(_searched(link.target)))) / len(rest) if rest else 0.0
        start, end = (
            dense_score(passage.semantic - max(0.0, shift)) for passage in (link.source, link.target)
        )
        score = min(1.0, FROM_WEIGHT * certain[link.key] * start + QUERY_WEIGHT * end + REST_WEIGHT * carried)
        known = best.get(link.target.chunk_id)
        if known is None or known.score < score:
            evidence = as_evidence(link.target, query, call, NAME)
            best[link.target.chunk_id] = replace(
                evidence, score=score, metadata={**evidence.metadata, "via": link.key}
            )
    return tuple(sorted(best.values(), key=lambda piece: -piece.score))


def _certainty(query: str, links: Sequence[Link]) -> dict[str, float]:
    """Return for each key how surely it leads to something new: 1 over the root of its documents, 0 where it was asked for."""
    plain = normalise(query)
    under: defaultdict[str, set[str]] = defaultdict(set)
    for link in links:
        under[link.key].add(link.target.document_id)
    return {key: 0.0 if key in plain else len(documents) ** -0.5 for key, documents in under.items()}


def _searched(passage: Passage) -> str:
    return f"{passage.title} {passage.locator.section} {passage.text}"
