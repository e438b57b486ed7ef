"""The only wiring: settings and a knowledge base become tools, a dispatcher and models."""

from __future__ import annotations

from collections.abc import Sequence

from kaoju.knowledge.base import KnowledgeBase
from kaoju.llm.models import Models, ModelSettings
from kaoju.model.document import Passage
from kaoju.runtime.settings import Settings
from kaoju.tools.base import Tool
from kaoju.tools.calculate import calculate
from kaoju.tools.links import FollowLinks, Link
from kaoju.tools.registry import Registry
from kaoju.tools.search import SearchMode, keyword_search, semantic_search
from kaoju.tools.sql.tool import SqlQuery


def build_tools(kb: KnowledgeBase, models: Models, settings: Settings, extra: Sequence[Tool]) -> Registry:
    """Return the registry of a knowledge base: its own tools, then the caller's."""

    def search(query: str, k: int, mode: SearchMode) -> Sequence[Passage]:
        return kb.search(query, k=k, mode="auto" if mode == "semantic" else mode)

    def links(query: str, chunk_ids: Sequence[str]) -> Sequence[Link]:
        return [Link(source=link.source, target=link.target, key=link.key) for link in kb.links(query, chunk_ids)]

    tools: list[Tool] = [
        semantic_search(search),
        keyword_search(search),
        FollowLinks(links, k=settings.k),
        calculate(),
    ]
    if kb.tables():
        tools.append(SqlQuery(kb.tables_file, kb.tables, lambda: models.for_role("actor")))
    return Registry((*tools, *extra))


def build_models(settings: Settings) -> Models:
    """Return the models of each role as the settings name them; nothing is loaded yet."""
    return Models(
        ModelSettings(
            default=settings.model,
            planner=settings.model_planner,
            actor=settings.model_actor,
            judge=settings.model_judge,
            writer=settings.model_writer,
            timeout_seconds=settings.model_timeout,
            api_key=settings.api_key,
            models_dir=settings.models_dir,
        )
    )
