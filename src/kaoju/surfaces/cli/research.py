"""`kaoju research`: planning, searching and re-planning without composing."""

from __future__ import annotations

from typing import Annotated

import typer

from kaoju.surfaces.cli.options import Json, Kb, MaxRounds, Model, Now, Role, parse_date, print_json


def research(
    question: Annotated[str, typer.Argument(help="The question, in Chinese or English.")],
    kb: Kb = None,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="Pieces of evidence to return.")] = 5,
    model: Model = None,
    role: Role = None,
    now: Now = None,
    max_rounds: MaxRounds = None,
    json: Json = False,
) -> None:
    """Gather the evidence for a question, most useful first."""
    import anyio

    from kaoju.runtime.service import Kaoju
    from kaoju.surfaces.cli.show import Teller, place
    from kaoju.surfaces.contract import research_json

    async def run() -> None:
        async with Kaoju.open(kb, model=model) as engine:
            teller = Teller()
            found = await engine.research(
                question,
                k=k,
                now=parse_date(now),
                role=role,
                max_rounds=max_rounds,
                on_event=None if json else teller.tell,
            )
            if json:
                print_json(research_json(found, k))
                return
            for piece in found.evidence[:k]:
                typer.echo(f"{piece.score:.3f}  {place(piece.document_id, piece.locator)}")
                typer.echo("       " + " ".join(piece.text.split())[:200])

    anyio.run(run)
