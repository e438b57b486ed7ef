"""`human`: a person as a source.

Promises: without an answer the call waits (`NeedsApproval` with the question,
the choices and who may answer) and nothing is guessed; with one, it is
evidence whose source is that person, with the time. Refuses answers that are
none of the choices, or of somebody who may not answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from kaoju.model.evidence import Evidence, Locator
from kaoju.model.tool import Failed, NeedsApproval, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import say, text_of
from kaoju.tools.human.request import Answers, PersonAnswer, Request, filled, may_answer, settled
from kaoju.tools.threads import in_thread


class Human:
    """One kind of question to one kind of person."""

    def __init__(
        self,
        spec: ToolSpec,
        *,
        question: str = "{query}",
        choices: Sequence[str] = (),
        who: Sequence[str] = (),
        answers: Answers | None = None,
    ) -> None:
        """Serve `spec`.

        Args:
            spec: The contract.
            question: What is asked; `{name}` stands for an argument.
            choices: What may be answered; empty leaves it open.
            who: Roles that may answer; empty is anybody.
            answers: Where an answer comes from; without it every call waits.
        """
        self.spec = spec
        self._question = question
        self._choices = tuple(choices)
        self._who = tuple(who)
        self._answers = answers

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Return the answer where there is one, else what waits."""
        request = Request(
            key=call.key,
            tool=self.spec.name,
            question=filled(self._question, call.arguments).strip() or self.spec.description,
            choices=self._choices,
            who=self._who,
        )
        answers = self._answers
        answer = await in_thread(lambda: answers(request)) if answers else None
        if answer is None:
            return NeedsApproval(reason=request.question, tool=self.spec.name, details=request.as_details())
        return answered(request, answer, call)


def answered(request: Request, answer: PersonAnswer, call: ToolCall) -> Succeeded | Failed:
    """Return an answer as evidence, or why it may not stand."""
    text = settled(request, answer)
    about = request.question
    if text is None:
        if not may_answer(request, answer):
            listed = ", ".join(request.who)
            return Failed(
                code="PERMISSION_DENIED",
                message=say(
                    about,
                    zh=f"{answer.person} 无权回答，需要角色：{listed}",
                    en=f"{answer.person} may not answer; needs the role {listed}",
                ),
                retryable=False,
                allowed=request.who,
                tool=request.tool,
            )
        return Failed(
            code="TOOL_PARAM_INVALID",
            message=say(
                about, zh="回答不在可选范围内，或为空", en="the answer is empty, or none of the choices"
            ),
            retryable=False,
            field="answer",
            expected=say(about, zh="选项之一", en="one of the choices") if request.choices else "text",
            allowed=request.choices,
            tool=request.tool,
        )
    return Succeeded(evidence=(_evidence(request, answer, text, call),))


def _evidence(request: Request, answer: PersonAnswer, text: str, call: ToolCall) -> Evidence:
    moment = answer.at.astimezone(UTC)
    whole = f"{request.question} {text}"
    metadata = {"answer": text, "person": answer.person, "answered_at": moment.isoformat()}
    if answer.comment:
        metadata["comment"] = answer.comment
    return Evidence(
        id="",
        kind="passage",
        text=whole,
        document_id=f"person:{answer.person}",
        title=answer.person,
        locator=Locator(start=0, end=len(whole)),
        tool=request.tool,
        task_id=call.task_id,
        query=text_of(call.arguments) or request.question,
        score=1.0,
        uncertainty=say(
            request.question,
            zh=f"{answer.person} 的答复，无书面来源",
            en=f"said by {answer.person}, no document",
        ),
        date=moment.date().isoformat(),
        metadata=metadata,
    )
