"""Rewrite the generated parts of the reference pages, so that they cannot go stale.

A generated part stands between `<!-- generated: NAME -->` and `<!-- end -->`.
`python docs/generate.py` rewrites all of them; a test fails when it would
change anything.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import typer.main
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from kaoju import errors
from kaoju.model.document import REASONS
from kaoju.model.failure import FAILURES
from kaoju.runtime.settings import SETTINGS
from kaoju.surfaces.cli.app import app

REFERENCE: Final = Path(__file__).parent / "reference"
_PART: Final = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def render(page: str) -> str:
    """Return the page with every generated part written anew."""
    return _PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]()}\n\n{part[3]}", page)


def commands() -> Iterator[tuple[str, TyperCommand]]:
    """Yield every command that can be run, with the words that run it."""
    yield from _walk("kaoju", typer.main.get_command(app))


def _walk(words: str, command: object) -> Iterator[tuple[str, TyperCommand]]:
    if isinstance(command, TyperGroup):
        for name, child in command.commands.items():
            yield from _walk(f"{words} {name}", child)
    elif isinstance(command, TyperCommand):
        yield words, command


def _commands_part() -> str:
    return "\n\n".join(_command(words, command) for words, command in commands())


def _command(words: str, command: TyperCommand) -> str:
    arguments = [param for param in command.params if isinstance(param, TyperArgument)]
    options = [param for param in command.params if isinstance(param, TyperOption) and not param.hidden]
    usage = " ".join(
        [words, *(_argument(argument) for argument in arguments), *(["[options]"] if options else [])]
    )
    lines = [f"## `{words}`", "", inspect.cleandoc(command.help or ""), "", "```", usage, "```"]
    if arguments or options:
        lines += ["", "| argument or option | meaning |", "|---|---|"]
        lines += [f"| `{_argument(argument)}` | {_cell(argument.help or '')} |" for argument in arguments]
        lines += [f"| `{_flags(option)}` | {_cell(option.help or '')} |" for option in options]
    return "\n".join(lines)


def _argument(argument: TyperArgument) -> str:
    name = (argument.name or "").upper() + ("..." if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _flags(option: TyperOption) -> str:
    value = "" if option.is_flag else f" {(option.name or '').upper()}"
    return ", ".join([*option.opts, *option.secondary_opts]) + value


def _settings_part() -> str:
    rows = ["| setting | environment | type | default | meaning |", "|---|---|---|---|---|"]
    for setting in SETTINGS:
        default = "not set" if setting.default is None else f"`{setting.default}`"
        kind = setting.type.__name__
        rows.append(
            f"| `{setting.name}` | `KAOJU_{setting.name.upper()}` | {kind} | {default} | {_cell(setting.sentence)} |"
        )
    return "\n".join(rows)


def _errors_part() -> str:
    rows = ["| error | exit code | meaning |", "|---|---|---|"]
    for name, found in vars(errors).items():
        if inspect.isclass(found) and issubclass(found, errors.KaojuError) and found is not errors.KaojuError:
            sentence = inspect.cleandoc(found.__doc__ or "").split("\n\n")[0]
            rows.append(f"| `{name}` | {found.exit_code} | {_cell(' '.join(sentence.split()))} |")
    return "\n".join(rows)


def _failures_part() -> str:
    rows = [
        "| code | who can act | repeated | other source | breaker | effect unknown | meaning | 含义 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for code, rule in FAILURES.items():
        marks = " | ".join(
            "yes" if mark else "" for mark in (rule.retryable, rule.fallback, rule.sick, rule.lost)
        )
        rows.append(f"| `{code}` | {rule.fault} | {marks} | {_cell(rule.en)} | {rule.zh} |")
    return "\n".join(rows)


def _reasons_part() -> str:
    return ", ".join(f"`{reason}`" for reason in REASONS)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


PARTS: Final[dict[str, Callable[[], str]]] = {
    "commands": _commands_part,
    "settings": _settings_part,
    "errors": _errors_part,
    "failures": _failures_part,
    "reasons": _reasons_part,
}


def main() -> None:
    """Rewrite every page of the reference in place."""
    for page in sorted(REFERENCE.glob("*.md")):
        page.write_text(render(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
