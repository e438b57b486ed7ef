"""What the code imports and what `pyproject.toml` declares are one list, and the lock holds it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from kaoju.surfaces.cli import doctor

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def named(requirements: list[str]) -> set[str]:
    return {canonical(re.split(r"[\s\[<>=!~;]", line, maxsplit=1)[0]) for line in requirements}


DECLARED = named(
    [
        *PROJECT["project"]["dependencies"],
        *(line for extra in PROJECT["project"]["optional-dependencies"].values() for line in extra),
    ]
)
DEVELOPMENT = named(PROJECT["dependency-groups"]["dev"])


INSTALLS: dict[str, str] = {"pydantic-monty-client": "pydantic-monty"}
"""Distribution that holds a module -> the one to ask for, which brings more than the module (a program)."""


def imported(folder: Path) -> set[str]:
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - {"kaoju"}


def distributions(modules: set[str]) -> dict[str, set[str]]:
    known = packages_distributions()
    return {
        module: {INSTALLS.get(canonical(name), canonical(name)) for name in known.get(module, [])}
        for module in modules
    }


def test_everything_imported_is_declared() -> None:
    missing = {
        module: names
        for module, names in distributions(imported(ROOT / "src")).items()
        if not names & DECLARED
    }
    assert missing == {}


def test_everything_declared_is_imported() -> None:
    used = {name for names in distributions(imported(ROOT / "src")).values() for name in names}
    assert sorted(DECLARED - used) == []


def test_doctor_looks_for_nothing_that_is_not_declared() -> None:
    looked_for = named([*doctor.NEEDED, *doctor.EXTRAS])
    assert sorted(looked_for - DECLARED) == []


def test_tests_and_programs_import_only_what_is_declared() -> None:
    here = {"tests"} | {
        path.stem for folder in ("examples", "tests") for path in (ROOT / folder).rglob("*.py")
    }
    modules = imported(ROOT / "tests") | imported(ROOT / "examples") | imported(ROOT / "bench")
    missing = {
        module: names
        for module, names in distributions(modules - here).items()
        if not names & (DECLARED | DEVELOPMENT)
    }
    assert missing == {}


def test_the_lock_pins_everything_declared_and_no_deep_learning_framework() -> None:
    lock = (ROOT / "requirements" / "lock.txt").read_text(encoding="utf-8")
    pinned = {canonical(name) for name in re.findall(r"^([A-Za-z0-9_.-]+)==", lock, re.MULTILINE)}
    assert sorted((DECLARED | DEVELOPMENT) - pinned) == []
    assert pinned & {"torch", "tensorflow", "jax"} == set()
    assert "://" not in lock
