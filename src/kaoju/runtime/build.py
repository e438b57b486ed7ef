"""The only wiring: settings and a knowledge base become tools, a dispatcher and models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Protocol

from kaoju.knowledge.base import KnowledgeBase
from kaoju.language.normalise import normalise
from kaoju.llm.chat import ChatModel
from kaoju.llm.models import Models, ModelSettings, Role
from kaoju.model.document import Passage
from kaoju.planning.catalog import Catalog
from kaoju.runtime.metering import of_this_run
from kaoju.runtime.settings import Settings
from kaoju.tools.base import Tool
from kaoju.tools.calculate import calculate
from kaoju.tools.links import FollowLinks, Link
from kaoju.tools.registry import Registry
from kaoju.tools.search import WHOLE, Part, Search, SearchMode, keyword_search, semantic_search
from kaoju.tools.sql.tool import SqlQuery


class ModelSource(Protocol):
    """Where an engine gets its models: `Models`, or anything that a caller makes."""

    def for_role(self, role: Role) -> ChatModel | None:
        """Return the model of `role`; None where rules must do."""
        ...

    async def close(self) -> None:
        """Close what was opened."""
        ...


def search_of(kb: KnowledgeBase) -> Search:
    """Return the search of a knowledge base as tools use it: semantic search minds words too."""

    def search(query: str, k: int, mode: SearchMode, part: Part = WHOLE) -> Sequence[Passage]:
        return kb.search(
            query,
            k=k,
            mode="auto" if mode == "semantic" else mode,
            dates=part.dates,
            documents=kb.documents(part.documents) if part.documents else None,
            exclude=kb.documents(part.exclude),
        )

    return search


def build_tools(
    kb: KnowledgeBase, models: ModelSource, settings: Settings, extra: Sequence[Tool]
) -> tuple[Tool, ...]:
    """Return the tools of a knowledge base: its own, then the caller's, which replace those of the same name."""

    def links(query: str, chunk_ids: Sequence[str]) -> Sequence[Link]:
        return [
            Link(source=link.source, target=link.target, key=link.key) for link in kb.links(query, chunk_ids)
        ]

    tools: list[Tool] = [
        semantic_search(search_of(kb)),
        keyword_search(search_of(kb)),
        FollowLinks(links, k=settings.k),
        calculate(),
        SqlQuery(kb.tables_file, kb.tables, lambda: of_this_run(models.for_role("actor"))),
    ]
    given = {tool.spec.name for tool in extra}
    return (*(tool for tool in tools if tool.spec.name not in given), *extra)


def build_catalog(registry: Registry, kb: KnowledgeBase, role: str | None) -> Catalog:
    """Return what a run of this role may plan with; SQL only where there are tables."""
    tables = kb.tables()
    tools = tuple(spec for spec in registry.specs(role) if tables or spec.name != "sql_query")
    return Catalog(tools=tools, tables=tables, closeness=kb.similarity, holds=partial(_holds, kb))


def _holds(kb: KnowledgeBase, code: str) -> bool:
    """Return whether a passage of the collection holds a code as it is."""
    wanted = normalise(code)
    return any(wanted in normalise(passage.text) for passage in kb.search(code, k=3, mode="keyword"))


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
            local_url=settings.model_url,
        )
    )
