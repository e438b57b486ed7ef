"""`kaoju plan`: the validated plan alone."""

from __future__ import annotations

from typing import Annotated

import typer

from kaoju.surfaces.cli.options import Json, Kb, Model, Now, Role, parse_date, print_json


def plan(
    question: Annotated[str, typer.Argument(help="The question, in Chinese or English.")],
    kb: Kb = None,
    model: Model = None,
    role: Role = None,
    now: Now = None,
    json: Json = False,
) -> None:
    """Show how a question would be attacked, without searching."""
    import anyio

    from kaoju.runtime.service import Kaoju
    from kaoju.surfaces.cli.show import plan_lines
    from kaoju.surfaces.contract import plan_json

    async def run() -> None:
        async with Kaoju.open(kb, model=model) as engine:
            made = await engine.plan(question, now=parse_date(now), role=role)
            if json:
                print_json(plan_json(made))
            else:
                typer.echo("\n".join(plan_lines(made, made.tasks)))

    anyio.run(run)
