"""`kaoju ingest`: files and folders into a knowledge base."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kaoju.errors import UsageError
from kaoju.surfaces.cli.options import Json, Kb, print_json


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.")],
    kb: Kb = None,
    prune: Annotated[bool, typer.Option("--prune", help="Remove documents whose files are gone.")] = False,
    json: Json = False,
) -> None:
    """Take files and folders into a knowledge base; only what changed is read again."""
    import anyio

    from kaoju.runtime.service import Kaoju
    from kaoju.surfaces.cli.progress import ingesting
    from kaoju.surfaces.cli.show import ingest_lines
    from kaoju.surfaces.contract import report_json

    for path in paths:
        if not path.exists():
            raise UsageError(f"{path} does not exist; check the path.", f"{path} 不存在；请检查路径。")

    async def run() -> bool:
        async with Kaoju.open(kb, create=True) as engine:
            with ingesting(enabled=not json) as on_progress:
                report = await engine.ingest(paths, prune=prune, on_progress=on_progress)
            if json:
                print_json(report_json(report))
            else:
                typer.echo("\n".join(ingest_lines(report)))
            return report.documents > 0 or not report.files or any(f.status != "failed" for f in report.files)

    if not anyio.run(run):
        raise typer.Exit(1)
