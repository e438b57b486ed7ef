"""The tools of an engine as they are now: built in, given by the caller, and from the folder of contracts.

Promises: a changed, added or removed contract file is in the next run, without
a restart; runs under way keep the tools that they began with; what the
dispatcher learnt about sources outlives a reload. A broken file is a problem to
tell, never a reason to stop.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kaoju.errors import UsageError
from kaoju.knowledge.base import KnowledgeBase
from kaoju.runtime.build import ModelSource, build_tools, search_of
from kaoju.runtime.metering import of_this_run
from kaoju.runtime.settings import Settings
from kaoju.tools.base import Tool
from kaoju.tools.cache.replies import Replies
from kaoju.tools.cache.store import ReplyStore
from kaoju.tools.contract import Contract, Services
from kaoju.tools.contracts.folder import ContractFolder
from kaoju.tools.contracts.problem import Problem
from kaoju.tools.dispatch.dispatcher import Dispatcher
from kaoju.tools.dispatch.sources import Sources
from kaoju.tools.kinds import KINDS
from kaoju.tools.registry import Registry
from kaoju.tools.secrets import EnvSecrets

REPLIES: Final = "replies.sqlite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipped:
    """What one run works with."""

    registry: Registry
    dispatcher: Dispatcher
    problems: tuple[Problem, ...]
    """Contract files that are not served as they stand."""
    refused: tuple[UsageError, ...]
    """Contracts that have the right form and cannot be served here."""

    def said(self, language: str) -> tuple[str, ...]:
        """Return what is wrong with contract files, one sentence each."""
        return (
            *(problem.say(language) for problem in self.problems),
            *(error.say(language) for error in self.refused),
        )


class Toolbox:
    """Makes registries and dispatchers, and closes what they held."""

    def __init__(
        self,
        kb: KnowledgeBase,
        models: ModelSource,
        settings: Settings,
        *,
        extra: Sequence[Tool] = (),
        environ: Mapping[str, str],
    ) -> None:
        """Serve a knowledge base.

        Args:
            kb: the knowledge base.
            models: models for tools that ask one.
            settings: names the folder of contracts.
            extra: tools of the caller; they take the place of built-in ones of the same name.
            environ: where `env:` references are looked up.
        """
        self._own = build_tools(kb, models, settings, extra)
        folder = Path(settings.tools)
        self._folder = ContractFolder(folder, KINDS)
        self._secrets = EnvSecrets(environ, folder)
        self._store = ReplyStore(kb.folder / REPLIES if kb.writable else None)
        self._replies = Replies(self._store, embed=kb.vector, generation=lambda: str(kb.generation))
        self._sources = Sources()
        self._lock = threading.Lock()
        self._made: dict[str, tuple[Tool, ...]] = {}
        self._stamp: str | None = None
        self._now: Equipped | None = None
        self._services = Services(
            secrets=self._secrets, search=search_of(kb), model=lambda: of_this_run(models.for_role("actor"))
        )

    def current(self) -> Equipped:
        """Return the tools as they are now; the same value while nothing changed."""
        with self._lock:
            loaded = self._folder.current([tool.spec for tool in self._own])
            if self._now is None or loaded.stamp != self._stamp:
                self._now = self._equip(loaded.contracts, loaded.problems)
                self._stamp = loaded.stamp
            elif loaded.problems != self._now.problems:
                self._now = Equipped(
                    registry=self._now.registry,
                    dispatcher=self._now.dispatcher,
                    problems=loaded.problems,
                    refused=self._now.refused,
                )
            return self._now

    def _equip(self, contracts: Sequence[Contract], problems: tuple[Problem, ...]) -> Equipped:
        refused: list[UsageError] = []
        tools: list[Tool] = list(self._own)
        for contract in contracts:
            key = repr(contract)
            try:
                if key not in self._made:
                    self._made[key] = tuple(KINDS[contract.spec.kind].make(contract, self._services))
                tools.extend(self._made[key])
            except UsageError as error:
                refused.append(error)
        registry = Registry(tools)
        dispatcher = Dispatcher(
            registry, cache=self._replies, redact=self._secrets.redact, sources=self._sources
        )
        return Equipped(registry=registry, dispatcher=dispatcher, problems=problems, refused=tuple(refused))

    async def close(self) -> None:
        """Close every tool that was ever made, and the cache."""
        await Registry(self._own).close()
        for tools in self._made.values():
            await Registry(tools).close()
        self._store.close()
