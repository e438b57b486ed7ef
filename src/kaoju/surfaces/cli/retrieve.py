"""`kaoju retrieve`: retrieval alone."""

from __future__ import annotations

from typing import Annotated

import typer

from kaoju.surfaces.cli.options import Json, Kb, Now, parse_date, print_json


def retrieve(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    kb: Kb = None,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="Passages to return.")] = 5,
    mode: Annotated[str, typer.Option("--mode", help="auto, semantic, keyword or hybrid.")] = "auto",
    now: Now = None,
    json: Json = False,
) -> None:
    """Find the passages nearest to a query."""
    import anyio

    from kaoju.runtime.service import Kaoju
    from kaoju.surfaces.cli.show import place
    from kaoju.surfaces.contract import passages_json

    async def run() -> None:
        async with Kaoju.open(kb) as engine:
            passages = await engine.retrieve(query, k=k, mode=mode, now=parse_date(now))
            if json:
                print_json(passages_json(passages))
                return
            for passage in passages:
                typer.echo(f"{passage.score:.3f}  {place(passage.document_id, passage.locator)}")
                typer.echo("       " + " ".join(passage.text.split())[:200])

    anyio.run(run)
