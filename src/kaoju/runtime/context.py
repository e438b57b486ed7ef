"""What one run works with: its question, its budget, its tools and models, and where its events go."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from kaoju.errors import ModelError
from kaoju.llm.chat import ChatModel
from kaoju.llm.models import Role
from kaoju.model.event import Event, Noted
from kaoju.model.question import Question
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.runtime.budget import Ledger
from kaoju.runtime.metering import Meter, MeteredModel, Stopwatch
from kaoju.runtime.pool import EvidencePool
from kaoju.tools.dispatch.dispatcher import Dispatcher

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosine similarity of a text with each of several texts."""


@dataclass(slots=True, kw_only=True)
class RunContext:
    """Everything that belongs to one run and to no other."""

    run_id: str
    question: Question
    catalog: Catalog
    """What this run's planner may know and use: the scope of the run."""
    dispatcher: Dispatcher
    limits: Limits
    model_for: Callable[[Role], Awaitable[ChatModel | None]]
    cosines: Similarity
    """The embedding model's own judgement of closeness; it may fail, see `similarity`."""
    emit: Callable[[Event], None]
    meter: Meter
    width: int = 5
    """Passages that one search brings."""
    pool: EvidencePool = field(default_factory=EvidencePool)
    notes: list[str] = field(default_factory=list)
    total: Stopwatch = field(default_factory=Stopwatch)
    planning: Stopwatch = field(default_factory=Stopwatch)
    tools: Stopwatch = field(default_factory=Stopwatch)

    @property
    def ledger(self) -> Ledger:
        """What the run has spent and may still spend."""
        return self.meter.ledger

    def note(self, text: str) -> None:
        """Tell the reader something once."""
        if text and text not in self.notes:
            self.notes.append(text)
            self.emit(Noted(run_id=self.run_id, text=text))

    def say(self, en: str, zh: str) -> str:
        """Return the sentence in the question's language."""
        return zh if self.question.language == "zh" else en

    def similarity(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """Return the closeness in meaning of a text with each of several; 0 to all where the embedding model fails.

        The embedding model works for searches too; its time counts as theirs.
        """
        try:
            with self.tools.running():
                return self.cosines(text, others)
        except ModelError as error:
            why = error.say(self.question.language)
            self.note(self.say(f"chosen by words alone: {why}", f"仅按字词选取内容：{why}"))
            return [0.0] * len(others)

    async def metered(self, role: Role) -> ChatModel | None:
        """Return the model of a role, counted against this run; None in tier none or where it cannot be had."""
        try:
            model = await self.model_for(role)
        except ModelError as error:
            why = error.say(self.question.language)
            self.note(self.say(f"going on without a model: {why}", f"不使用模型继续：{why}"))
            return None
        return None if model is None else MeteredModel(model, self.meter)

    @property
    def tool_names(self) -> tuple[str, ...]:
        """Tools that this run may call."""
        return tuple(spec.name for spec in self.catalog.tools)
