"""Routing over a mixed collection: the share of labelled questions whose plan uses the right tool.

For each set of questions: builds its collection (prose, codes, tables) in a
temporary folder, adds its tools by contract, plans every question and prints
accuracy by class and language. A question is right where every task that
serves a need uses the expected tool, and the arguments are those expected;
`none` means that nothing is called. `routing` is the set that the rules were
written beside; `routing_heldout`, of another domain, was written before it was
first measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from kaoju import Kaoju
from kaoju.model.evidence import JSON
from kaoju.model.plan import Plan
from kaoju.model.tool import Succeeded, ToolCall, ToolOutcome, ToolSpec

DATA: Final = Path(__file__).parent / "data"
NOW: Final = date(2026, 3, 31)
SETS: Final = ("routing", "routing_heldout", "routing_campus", "routing_harbour")


def contract(row: Mapping[str, Any]) -> ToolSpec:
    """Return a contract as a user would write it."""
    schema: dict[str, JSON] = {
        "type": "object",
        "properties": row["properties"],
        "required": row["required"],
        "additionalProperties": False,
    }
    return ToolSpec(
        name=row["name"],
        description=row["use_for"],
        use_for=row["use_for"],
        not_for=row["not_for"],
        input_schema=schema,
        kind="http",
        examples=tuple(row["examples"]),
        risk=row.get("risk", "read"),
    )


class Silent:
    """A tool that is planned with and never called here."""

    def __init__(self, spec: ToolSpec) -> None:
        """Stand for one contract."""
        self.spec = spec

    async def run(self, _call: ToolCall) -> ToolOutcome:
        """Return nothing found."""
        return Succeeded(evidence=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One labelled question."""

    id: str
    kind: str
    language: str
    question: str
    tool: str
    arguments: Mapping[str, JSON] | None

    def wrong(self, plan: Plan) -> str:
        """Return what is wrong with a plan; empty where it is right."""
        used = sorted({task.tool for task in plan.tasks if task.need}) or ["none"]
        if used != [self.tool]:
            return f"{'+'.join(used)} instead of {self.tool}"
        if self.arguments is not None and dict(plan.tasks[0].arguments) != dict(self.arguments):
            return f"arguments {dict(plan.tasks[0].arguments)} instead of {dict(self.arguments)}"
        return ""


def cases(name: str) -> Iterator[Case]:
    """Yield the labelled questions of a set."""
    for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Case(
            id=row["id"], kind=row["class"], language=row["language"],
            question=row["question"], tool=row["tool"], arguments=row.get("arguments"),
        )  # fmt: skip


async def measure(name: str, model: str, sample: int) -> list[tuple[Case, str]]:
    """Return every question of a set with what was wrong about its plan."""
    chosen = list(cases(name))
    if sample:
        chosen = random.Random(7).sample(chosen, min(sample, len(chosen)))
    collection = json.loads((DATA / f"{name}_collection.json").read_text("utf-8"))
    tools = [Silent(contract(row)) for row in collection["tools"]]
    with tempfile.TemporaryDirectory() as place:
        material, kb = Path(place) / "material", Path(place) / "kb"
        material.mkdir()
        for file, text in collection["files"].items():
            (material / file).write_text(text, "utf-8")
        async with Kaoju.open(kb, create=True, tools=tools, model=model) as engine:
            await engine.ingest([material])
            return [(case, case.wrong(await engine.plan(case.question, now=NOW))) for case in chosen]


def report(results: Sequence[tuple[Case, str]], *, show: bool) -> None:
    """Print accuracy by class and language, and what went wrong."""
    right: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for case, wrong in results:
        for key in ((case.kind, case.language), (case.kind, "both"), ("all", case.language), ("all", "both")):
            right[key].append(not wrong)
        if wrong and show:
            print(f"  {case.id} {case.question}: {wrong}")
    for (kind, language), marks in sorted(right.items()):
        print(f"{kind:8} {language:4} {sum(marks):4}/{len(marks):<4} {100 * sum(marks) / len(marks):5.1f} %")


def main() -> None:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", choices=SETS, action="append", help="all where none is named")
    parser.add_argument("--model", default="none")
    parser.add_argument("--sample", type=int, default=0, help="so many questions, drawn with a fixed seed")
    parser.add_argument("--quiet", action="store_true", help="figures only")
    options = parser.parse_args()
    for name in options.set or SETS:
        print(f"{name}, model {options.model}")
        report(asyncio.run(measure(name, options.model, options.sample)), show=not options.quiet)


if __name__ == "__main__":
    main()
