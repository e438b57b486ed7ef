"""`Kaoju`: the engine as a Python object, the same thing that the command line offers.

    async with Kaoju.open("kb") as k:
        answer = await k.ask("哪个项目预算超支最多？")

Scripts without an event loop use `ask_sync`. Nothing is loaded before it is
needed: the knowledge base at the first use, models at the first call.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Final, Self, cast, get_args

from kaoju.errors import KaojuError, UsageError
from kaoju.knowledge.base import KnowledgeBase, Mode
from kaoju.knowledge.embedding import Embedder, make_embedder
from kaoju.knowledge.parsing import LIMITS
from kaoju.knowledge.progress import Progress
from kaoju.language.names import load_dictionaries
from kaoju.llm.chat import ChatModel
from kaoju.llm.models import Role
from kaoju.model.answer import Answer
from kaoju.model.document import IngestReport, Passage
from kaoju.model.event import Event
from kaoju.model.plan import Plan
from kaoju.model.question import Budget
from kaoju.planning.limits import Limits
from kaoju.planning.planner import make_plan
from kaoju.planning.rewrite import explicit_times
from kaoju.runtime import loop
from kaoju.runtime.budget import Ledger
from kaoju.runtime.build import ModelSource, build_catalog, build_models
from kaoju.runtime.context import RunContext
from kaoju.runtime.intake import Asking, take_asking, take_question
from kaoju.runtime.metering import Meter
from kaoju.runtime.research import Research
from kaoju.runtime.settings import Settings, environment, load
from kaoju.runtime.toolbox import Equipped, Toolbox
from kaoju.tools.base import Tool

RESEARCH_WIDTH: Final = 2
"""Research without composing looks at this many times the asked number of pieces before it orders them."""
MAX_WIDTH: Final = 50
MODES: Final = get_args(Mode)


class Kaoju:
    """An open engine over one knowledge base. Safe for many questions at once in one event loop."""

    def __init__(
        self,
        settings: Settings,
        *,
        create: bool = False,
        tools: Sequence[Tool] = (),
        models: ModelSource | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        """Prepare; see `open`, which most callers want."""
        self._settings = settings
        self._create = create
        self._extra = tuple(tools)
        self._models = models or build_models(settings)
        self._embedder = embedder or make_embedder(settings.embedding, key=settings.api_key)
        self._kb: KnowledgeBase | None = None
        self._toolbox: Toolbox | None = None
        self._lock = asyncio.Lock()

    @classmethod
    def open(
        cls,
        kb: str | Path | None = None,
        *,
        model: str | None = None,
        create: bool = False,
        tools: Sequence[Tool] = (),
        models: ModelSource | None = None,
        embedder: Embedder | None = None,
        **settings: object,
    ) -> Self:
        """Open an engine.

        Args:
            kb: folder of the knowledge base; the setting `kb` where None.
            model: model of every role: `none`, `local`, a GGUF path or an endpoint URL.
            create: make the knowledge base where it does not exist (to ingest into it).
            tools: further tools beside Kaoju's own; one with the name of a built-in takes its place.
            models: models made by the caller, for example scripted ones.
            embedder: an embedding model made by the caller; the setting `embedding` where None.
            settings: any other setting of `kaoju.runtime.settings.SETTINGS` by name.

        Raises:
            UsageError: an unknown or ill-typed setting.
        """
        flags = {**settings, "kb": str(kb) if kb is not None else None, "model": model}
        return cls(load(flags), create=create, tools=tools, models=models, embedder=embedder)

    async def __aenter__(self) -> Self:
        """Open the knowledge base.

        Raises:
            KnowledgeBaseError: missing, corrupt, or made with another embedding model.
        """
        await self._base()
        await asyncio.to_thread(load_dictionaries)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close everything that was opened."""
        await self.close()

    async def close(self) -> None:
        """Release the knowledge base, the tools' workers and the models."""
        if self._toolbox is not None:
            await self._toolbox.close()
        if self._kb is not None:
            await asyncio.to_thread(self._kb.close)
        await self._models.close()
        self._kb = self._toolbox = None

    async def ingest(
        self,
        paths: Sequence[str | Path],
        *,
        prune: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """Take files and folders in; unchanged ones cost nothing.

        Args:
            paths: files and folders, recursively.
            prune: remove documents whose files are gone from the given folders.
            on_progress: called from a worker thread as the work goes on.

        Returns:
            The report; every file is accounted for.
        """
        base = await self._base()
        return await asyncio.to_thread(
            base.ingest, [Path(path) for path in paths], prune=prune, on_progress=on_progress
        )

    async def ask(self, question: str, **asking: object) -> Answer:
        """Answer a question; see `Asking` for what may be given by keyword.

        Returns:
            The answer: cited, verified, with a status that says what it is worth.

        Raises:
            UsageError: the question is empty or too long, or a keyword is wrong.
            KnowledgeBaseError: the knowledge base cannot be used.
        """
        given = take_asking(asking)
        ctx = await self._context(question, given, lambda _: None)
        return await loop.run(ctx, pipeline=given.pipeline)

    def ask_sync(self, question: str, **asking: object) -> Answer:
        """Answer a question from code that has no event loop; opens and closes the engine.

        Raises:
            UsageError: an event loop is running here, or as for `ask`.
        """
        with suppress(RuntimeError):
            asyncio.get_running_loop()
            raise UsageError(
                "ask_sync is for code without an event loop; write `await engine.ask(...)` here.",
                "ask_sync 用于没有事件循环的代码；这里请写 `await engine.ask(...)`。",
            )

        async def once() -> Answer:
            async with self:
                return await self.ask(question, **asking)

        return asyncio.run(once())

    async def stream(self, question: str, **asking: object) -> AsyncIterator[Event]:
        """Yield the run's events as they happen; the last one is `Answered`.

        Closing the iterator early cancels the run.
        """
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        given = take_asking(asking)
        ctx = await self._context(question, given, queue.put_nowait)
        job = asyncio.ensure_future(loop.run(ctx, pipeline=given.pipeline))
        job.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (event := await queue.get()) is not None:
                yield event
            job.result()
        finally:
            job.cancel()
            with suppress(asyncio.CancelledError, KaojuError):
                await job

    async def plan(self, question: str, **asking: object) -> Plan:
        """Return the validated plan for a question, without searching."""
        ctx = await self._context(question, take_asking(asking), lambda _: None)
        planned = await make_plan(ctx.question, ctx.catalog, await ctx.metered("planner"), ctx.limits)
        return planned.plan

    async def research(
        self, question: str, *, on_event: Callable[[Event], None] | None = None, **asking: object
    ) -> Research:
        """Gather evidence without composing; at least `k` pieces where there are as many."""
        given = take_asking(asking)
        ctx = await self._context(question, given, on_event or (lambda _: None))
        ctx.width = min(MAX_WIDTH, max(ctx.width, RESEARCH_WIDTH * (given.k or self._settings.k)))
        return await loop.run_research(ctx)

    async def retrieve(
        self, query: str, *, k: int = 5, mode: str = "auto", now: date | None = None
    ) -> tuple[Passage, ...]:
        """Return the `k` passages nearest to a query, best first.

        Raises:
            UsageError: the query is empty or too long, or the mode unknown.
        """
        if mode not in MODES:
            raise UsageError(
                f"the mode must be one of {', '.join(MODES)}, not {mode!r}.",
                f"检索方式应为 {'、'.join(MODES)} 之一，而不是 {mode!r}。",
            )
        question = take_question(query, now=now, role=None, session=None, budget=Budget())
        base = await self._base()
        query = explicit_times(question.text, question.now)
        return await asyncio.to_thread(base.search, query, k=k, mode=cast("Mode", mode))

    async def _base(self) -> KnowledgeBase:
        async with self._lock:
            if self._kb is None:
                path = Path(self._settings.kb)
                self._kb = await asyncio.to_thread(
                    KnowledgeBase.open,
                    path,
                    create=self._create,
                    embedder=self._embedder,
                    lock_seconds=self._settings.lock_timeout,
                    limits=replace(LIMITS, file_bytes=self._settings.max_file_mb * 1_000_000),
                )
            return self._kb

    async def tools(self) -> Equipped:
        """Return the tools as they are now: the registry, the dispatcher, and what is wrong with contract files.

        Raises:
            KnowledgeBaseError: the knowledge base cannot be used.
        """
        base = await self._base()
        async with self._lock:
            if self._toolbox is None:
                self._toolbox = await asyncio.to_thread(
                    Toolbox, base, self._models, self._settings, extra=self._extra, environ=environment()
                )
        return await asyncio.to_thread(self._toolbox.current)

    async def _context(self, text: str, asking: Asking, emit: Callable[[Event], None]) -> RunContext:
        settings = self._settings
        budget = Budget(
            rounds=settings.max_rounds if asking.max_rounds is None else asking.max_rounds,
            steps=settings.max_steps,
            tokens=settings.max_tokens,
            seconds=settings.deadline,
        )
        role = asking.role or settings.role
        question = take_question(text, now=asking.now, role=role, session=asking.session, budget=budget)
        equipped = await self.tools()
        base = await self._base()
        ctx = RunContext(
            run_id=secrets.token_hex(8),
            question=question,
            catalog=await asyncio.to_thread(build_catalog, equipped.registry, base, role),
            dispatcher=equipped.dispatcher,
            limits=Limits(max_tasks=settings.max_tasks),
            model_for=self._model_for,
            cosines=base.similarity,
            emit=emit,
            meter=Meter(ledger=Ledger(budget), call_seconds=settings.model_timeout),
            width=min(MAX_WIDTH, asking.k or settings.k),
        )
        for problem in equipped.said(question.language):
            ctx.note(problem)
        return ctx

    async def _model_for(self, role: Role) -> ChatModel | None:
        if role == "judge" and self._settings.model_judge is None:
            return None
        return await asyncio.to_thread(self._models.for_role, role)
