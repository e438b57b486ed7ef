"""Documentation that does not match the program fails here."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from typer.core import TyperCommand

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])
REFERENCE = sorted(ROOT.glob("docs/reference/*.md"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
README_SAMPLES = ("projects/静海项目.md", "people/通讯录.md")


def load_generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = load_generator()
COMMANDS: dict[str, TyperCommand] = dict(GENERATOR.commands())


def blocks(page: Path, language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(page.read_text(encoding="utf-8")) if name == language]


def shell_lines() -> list[tuple[str, str]]:
    return [
        (page.name, line.strip())
        for page in PAGES
        for block in blocks(page, "sh")
        for line in block.splitlines()
        if line.strip()
    ]


def command_of(line: str) -> tuple[TyperCommand, list[str]]:
    """Return the command that a line names, and the rest of the line."""
    words = line.split()
    for length in (3, 2):
        if (found := COMMANDS.get(" ".join(words[:length]))) is not None:
            return found, words[length:]
    raise AssertionError(f"no such command: {line}")


@pytest.mark.parametrize("page", REFERENCE, ids=lambda page: page.name)
def test_generated_parts_are_current(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert GENERATOR.render(text) == text, "run `make docs`"


def test_every_command_is_in_the_reference() -> None:
    text = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert COMMANDS
    assert [words for words in COMMANDS if f"## `{words}`" not in text] == []


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_every_top_level_command_is_in_the_readme(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    tops = {" ".join(words.split()[:2]) for words in COMMANDS}
    assert [top for top in sorted(tops) if f"| `{top} " not in text and f"| `{top}`" not in text] == []


def test_every_option_and_command_is_explained() -> None:
    bare = [
        f"{words} {param.name}"
        for words, command in COMMANDS.items()
        for param in command.params
        if not getattr(param, "help", None)
    ]
    assert bare == []
    assert [words for words, command in COMMANDS.items() if not command.help] == []


@pytest.mark.parametrize(("page", "line"), [pair for pair in shell_lines() if pair[1].startswith("kaoju ")])
def test_documented_commands_and_flags_exist(page: str, line: str) -> None:
    command, rest = command_of(line)
    known = {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
    assert [word for word in rest if word.startswith("-") and word not in known] == []


@pytest.mark.parametrize(("page", "line"), [pair for pair in shell_lines() if pair[1].startswith("make")])
def test_documented_make_targets_exist(page: str, line: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    target = line.split()[1]
    assert re.search(rf"^{target}:.*##", makefile, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    targets = [
        link.split("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link
    ]
    assert [link for link in targets if link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_python_in_the_readme_runs(name: str, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for sample in README_SAMPLES:
        shutil.copy(ROOT / "examples" / "beichen" / sample, documents)
    programs = blocks(ROOT / name, "python")
    assert programs
    for program in programs:
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "林书瑶" in done.stdout
