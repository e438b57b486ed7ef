"""Five questions over the example collection: what `make demo` and `make demo-model` run.

The program uses the public API only, as any program would: open a knowledge
base, take files in, stream the events of each run. At the end it compares every
answer with what `questions.jsonl` says a right one must contain and cite.
"""

from __future__ import annotations

import argparse
import asyncio
from datetime import date
from pathlib import Path

from expectations import Expected, load, problems
from kaoju import Kaoju
from kaoju.model.answer import Answer
from kaoju.model.event import Answered
from kaoju.surfaces.cli.progress import ingesting
from kaoju.surfaces.cli.show import Teller, ingest_lines

HERE = Path(__file__).parent
WHAT_IT_SHOWS = {
    "simple": "a simple fact: one search / 简单事实：一次检索",
    "compare": "a comparison: two tasks in parallel / 比较：两个任务并行",
    "multi_hop": "two hops: the second search uses what the first one found / 两跳：第二次检索用到第一次的发现",
    "aggregate": "a figure over a table: SQL, not prose / 表格计算：用 SQL，而不是从文字里找",
    "unanswerable": "not in the collection: it says so / 资料中没有：如实说明",
}


async def main(kb: Path, model: str, questions: tuple[Expected, ...]) -> None:
    """Take the collection in, ask every question, and sum up which answers were as expected."""
    async with Kaoju.open(kb, create=True, model=model) as engine:
        with ingesting(enabled=True) as on_progress:
            report = await engine.ingest([HERE / "beichen"], prune=True, on_progress=on_progress)
        print("\n".join(ingest_lines(report)))
        verdicts: list[tuple[str, tuple[str, ...]]] = []
        for number, expected in enumerate(questions, start=1):
            print(f"\n── {number}/{len(questions)} · {WHAT_IT_SHOWS[expected.kind]}\n")
            answer = await _ask(engine, expected.question, expected.now)
            verdicts.append((expected.question, problems(answer, expected)))
    print("\n── summary / 小结\n")
    for question, found in verdicts:
        print(f"{'✗' if found else '✓'} {question}" + "".join(f"\n    {problem}" for problem in found))
    right = sum(not found for _, found in verdicts)
    print(f"\n{right} of {len(verdicts)} as expected / 符合预期")


async def _ask(engine: Kaoju, question: str, now: date) -> Answer:
    """Print a run as it unfolds and return its answer."""
    teller = Teller()
    answer: Answer | None = None
    async for event in engine.stream(question, now=now):
        teller.tell(event)
        if isinstance(event, Answered):
            answer = event.answer
    if answer is None:
        raise RuntimeError("the run ended without an answer")
    return answer


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kb", type=Path, default=Path(".kaoju/demo"), help="folder of the knowledge base")
    parser.add_argument(
        "--model", default="none", help="none, local, or any model that kaoju ask --model takes"
    )
    parser.add_argument(
        "--questions", type=Path, default=HERE / "questions.jsonl", help="questions with expectations"
    )
    given = parser.parse_args()
    asyncio.run(main(given.kb, given.model, load(given.questions)))
