"""Whether an earlier reply answers a new call.

An embedding finds the candidates, the signature decides: numbers, dates and
ranges, names, negation, direction, roles and every other word must agree, and
with them the tool and its version, the caller's rights, the other arguments and
the generation of the knowledge base. Promises: in doubt a miss; a reply says
when it was first given. Refuses: empty replies, those of stand-ins, and those
of tools with effects.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from kaoju.model.tool import Succeeded, ToolCall, ToolSpec
from kaoju.tools.base import say, text_of
from kaoju.tools.cache.signature import Signature, difference, read
from kaoju.tools.cache.store import Key, Reply, ReplyStore

MIN_COSINE: Final = 0.8
"""Farther questions are no candidates. The signature is what tells near ones apart."""
MAX_CHECKED: Final = 16
"""The nearest candidates whose signatures are compared."""
MAX_UNDER_WAY: Final = 4_096
"""Calls whose reply has not come yet and whose generation is remembered: a reply belongs to that of its question."""
_OUTCOME: Final = TypeAdapter(Succeeded)

Embed = Callable[[str], NDArray[np.float32]]
"""A question -> its unit vector."""


class Replies:
    """The reply cache of one knowledge base."""

    def __init__(
        self,
        store: ReplyStore,
        *,
        embed: Embed,
        generation: Callable[[], str],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Keep replies in `store`.

        Args:
            store: where replies lie.
            embed: the embedding model, for tools whose policy is `semantic`.
            generation: what the knowledge base is now; changes with every document.
            clock: seconds since the epoch.
        """
        self._store = store
        self._embed = embed
        self._generation = generation
        self._clock = clock
        self._under_way: dict[tuple[str, str, str], Key] = {}

    def get(self, spec: ToolSpec, call: ToolCall, role: str | None) -> Succeeded | None:
        """Return an earlier reply that answers the call; None is a miss."""
        if not _may_keep(spec):
            return None
        key = self._key(spec, call, role)
        replies = [reply for reply in self._store.find(key) if self._fresh(spec, reply)]
        found = self._matching(spec, call, replies) if replies else None
        if found is not None:
            return _served(found, call)
        if len(self._under_way) >= MAX_UNDER_WAY:
            self._under_way.clear()
        self._under_way[_of(spec, call)] = key
        return None

    def put(self, spec: ToolSpec, call: ToolCall, role: str | None, outcome: Succeeded) -> None:
        """Keep a reply, where the contract allows and there is something to keep."""
        if not _may_keep(spec) or not outcome.evidence or outcome.tool not in {"", spec.name}:
            return
        key = self._under_way.pop(_of(spec, call), None) or self._key(spec, call, role)
        question = text_of(call.arguments)
        semantic = spec.cache.mode == "semantic" and bool(question)
        reply = Reply(
            question=question,
            asked_on=_asked_on(call).isoformat(),
            outcome=_OUTCOME.dump_json(outcome).decode(),
            created=self._clock(),
            vector=self._embed(question) if semantic else None,
        )
        self._store.add(key, reply)

    def _matching(self, spec: ToolSpec, call: ToolCall, replies: list[Reply]) -> Reply | None:
        question, asked_on = text_of(call.arguments), _asked_on(call)
        for reply in replies:
            if reply.question == question and reply.asked_on == asked_on.isoformat():
                return reply
        near = [reply for reply in replies if reply.vector is not None]
        if spec.cache.mode != "semantic" or not near or not question:
            return None
        asked = _signature(question, asked_on)
        cosines = np.stack([reply.vector for reply in near if reply.vector is not None]) @ self._embed(
            question
        )
        for place in np.argsort(-cosines)[:MAX_CHECKED]:
            if cosines[place] < MIN_COSINE:
                return None
            reply = near[int(place)]
            if difference(asked, _signature(reply.question, date.fromisoformat(reply.asked_on))) is None:
                return reply
        return None

    def _fresh(self, spec: ToolSpec, reply: Reply) -> bool:
        return spec.cache.ttl_seconds is None or self._clock() - reply.created < spec.cache.ttl_seconds

    def _key(self, spec: ToolSpec, call: ToolCall, role: str | None) -> Key:
        others = {name: value for name, value in call.arguments.items() if name != "query"}
        return Key(
            tool=spec.name,
            version=spec.version,
            rights=role or "",
            generation=self._generation(),
            arguments=json.dumps(others, sort_keys=True, ensure_ascii=False),
        )


def _of(spec: ToolSpec, call: ToolCall) -> tuple[str, str, str]:
    return call.run_id, call.task_id, spec.name


def _may_keep(spec: ToolSpec) -> bool:
    return spec.cache.mode != "none" and spec.risk == "read"


def _asked_on(call: ToolCall) -> date:
    return call.asked_on or datetime.now(UTC).date()


@lru_cache(maxsize=4096)
def _signature(question: str, asked_on: date) -> Signature:
    return read(question, asked_on)


def _served(reply: Reply, call: ToolCall) -> Succeeded:
    """Return the earlier outcome as one of this call, saying when it was given."""
    outcome = _OUTCOME.validate_json(reply.outcome)
    at = datetime.fromtimestamp(reply.created, UTC).isoformat(timespec="seconds")
    note = say(
        text_of(call.arguments),
        zh=f"沿用 {at} 对相同问题的查询结果",
        en=f"the reply of {at} to the same question serves again",
    )
    evidence = tuple(
        replace(item, task_id=call.task_id, metadata={**item.metadata, "replied_at": at})
        for item in outcome.evidence
    )
    return replace(outcome, evidence=evidence, notes=(*outcome.notes, note))
