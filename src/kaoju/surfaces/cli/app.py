"""The `kaoju` command: one file per command, registered here by name.

Nothing heavy is imported until a command runs, so that `kaoju --help` is
instant. Errors become one sentence on stderr and the exit code of their
branch: 1 for a failed operation, 2 for bad usage.
"""

from __future__ import annotations

import sys

import typer

from kaoju.errors import KaojuError
from kaoju.surfaces.cli.ask import ask
from kaoju.surfaces.cli.batch import batch
from kaoju.surfaces.cli.doctor import doctor
from kaoju.surfaces.cli.ingest import ingest
from kaoju.surfaces.cli.model import model_app
from kaoju.surfaces.cli.plan import plan
from kaoju.surfaces.cli.research import research
from kaoju.surfaces.cli.retrieve import retrieve

app = typer.Typer(
    name="kaoju",
    help="Research from evidence: questions answered from your own documents, checked and cited. 考据：基于证据的问答。",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (ingest, ask, batch, plan, retrieve, research, doctor):
    app.command()(command)
app.add_typer(model_app, name="model")


def main() -> None:
    """Run the command line and exit with 0, 1 (failed operation) or 2 (bad usage)."""
    try:
        app()
    except KaojuError as error:
        sys.stderr.write(error.say(_language()) + "\n")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - the outermost border: a person gets a sentence, not a stack
        sys.stderr.write(
            f"unexpected {type(error).__name__}: {error}; please report it together with `kaoju doctor --json`.\n"
        )
        sys.exit(1)


def _language() -> str:
    """Return the language of messages: as the settings say, where they can be read."""
    from kaoju.runtime.settings import load, message_language

    try:
        return message_language(load())
    except KaojuError:
        return message_language()
