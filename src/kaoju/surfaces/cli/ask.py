"""`kaoju ask`: the main job."""

from __future__ import annotations

from typing import Annotated

import typer

from kaoju.surfaces.cli.options import Json, Kb, MaxRounds, Model, Now, Role, Session, parse_date, print_json

PipelineFlag = Annotated[
    str, typer.Option("--pipeline", help="agentic, or simple: one search, one composition.")
]


def ask(
    question: Annotated[str, typer.Argument(help="The question, in Chinese or English.")],
    kb: Kb = None,
    model: Model = None,
    role: Role = None,
    now: Now = None,
    max_rounds: MaxRounds = None,
    session: Session = None,
    pipeline: PipelineFlag = "agentic",
    json: Json = False,
) -> None:
    """Answer a question from the knowledge base, checked and cited."""
    import anyio

    from kaoju.model.event import Answered
    from kaoju.runtime.service import Kaoju
    from kaoju.surfaces.cli.show import Teller
    from kaoju.surfaces.contract import answer_json

    async def run() -> str:
        async with Kaoju.open(kb, model=model) as engine:
            teller = Teller()
            stream = engine.stream(
                question,
                now=parse_date(now),
                role=role,
                max_rounds=max_rounds,
                session=session,
                pipeline=pipeline,
            )
            async for event in stream:
                if not json:
                    teller.tell(event)
                if isinstance(event, Answered):
                    if json:
                        print_json(answer_json(event.answer))
                    return event.answer.status
        return "failed"

    if anyio.run(run) == "failed":
        raise typer.Exit(1)
