"""Flags that several commands share, so that they are spelled and explained once."""

from __future__ import annotations

import json
import sys
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from kaoju.errors import UsageError

Kb = Annotated[
    Path | None, typer.Option("--kb", help="Folder of the knowledge base.", show_default=".kaoju/kb")
]
Model = Annotated[
    str | None,
    typer.Option("--model", help="none, local, local:NAME, a GGUF path, or URL#NAME.", show_default="none"),
]
Role = Annotated[str | None, typer.Option("--role", help="Role of the asker.")]
Now = Annotated[str | None, typer.Option("--now", help="Reference date, YYYY-MM-DD.", show_default="today")]
MaxRounds = Annotated[
    int | None, typer.Option("--max-rounds", min=0, help="Retrieval rounds at most.", show_default="3")
]
Session = Annotated[
    str | None,
    typer.Option(
        "--session",
        help="Name of the conversation; only carried along today: each question must still stand on its own.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout and nothing else.")]


def parse_date(text: str | None) -> date | None:
    """Return the date that `--now` names, None where it is not given; of a date with a time, the date.

    Raises:
        UsageError: not an ISO date.
    """
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text).date()
    except (ValueError, TypeError):
        raise UsageError(
            f"--now must look like 2026-03-31, not {text!r}.", f"--now 应形如 2026-03-31，而不是 {text!r}。"
        ) from None


def print_json(document: Any) -> None:
    """Print one JSON document on stdout."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=str) + "\n")
