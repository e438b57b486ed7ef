"""`kaoju batch`: many questions through one operation in one process.

Results come back in the order of the input. A killed batch resumes: lines that
the output already holds, in order and whole, are kept and not asked again. A
line that fails carries `{"error": ...}` as its result and never stops the rest.
"""

from __future__ import annotations

import json as jsonlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from kaoju.errors import StorageError, UsageError
from kaoju.surfaces.cli.options import Kb, MaxRounds, Model, Now, Role, parse_date

OPERATIONS = ("ask", "retrieve", "research", "plan")
Line = dict[str, Any]


def batch(
    file: Annotated[
        Path,
        typer.Argument(
            help="JSONL with {id, question, now?, role?, session?}; a session is only carried along."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="JSONL to write: each line with `result` added.")],
    op: Annotated[str, typer.Option("--op", help="ask, retrieve, research or plan.")] = "ask",
    kb: Kb = None,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="Passages for retrieve and research.")] = 5,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, max=64, help="Questions at once.")] = 2,
    model: Model = None,
    role: Role = None,
    now: Now = None,
    max_rounds: MaxRounds = None,
    mode: Annotated[
        str, typer.Option("--mode", help="For retrieve: auto, semantic, keyword or hybrid.")
    ] = "auto",
    pipeline: Annotated[str, typer.Option("--pipeline", help="For ask: agentic or simple.")] = "agentic",
) -> None:
    """Put every question of a file through one operation."""
    import anyio

    from kaoju.surfaces.cli.progress import counting

    if op not in OPERATIONS:
        raise UsageError(
            f"--op must be one of {', '.join(OPERATIONS)}, not {op!r}.",
            f"--op 应为 {'、'.join(OPERATIONS)} 之一，而不是 {op!r}。",
        )
    lines = list(read_lines(file))
    done = finished(out, lines)
    flags: Line = {
        "op": op, "k": k, "mode": mode, "pipeline": pipeline,
        "now": parse_date(now), "role": role, "max_rounds": max_rounds,
    }  # fmt: skip
    with counting(len(lines), done) as advance:
        anyio.run(_run, lines[done:], out, flags, kb, model, concurrency, advance)
    typer.echo(f"{len(lines)} lines in {out} ({done} kept from an earlier run)", err=True)


async def _run(
    lines: list[Line],
    out: Path,
    flags: Line,
    kb: Path | None,
    model: str | None,
    concurrency: int,
    advance: Any,
) -> None:
    import asyncio

    from kaoju.runtime.service import Kaoju

    async with Kaoju.open(kb, model=model) as engine:
        gate = asyncio.Semaphore(concurrency)

        async def one(line: Line) -> Line:
            async with gate:
                return {**line, "result": await answer_line(engine, line, flags)}

        jobs = [asyncio.ensure_future(one(line)) for line in lines]
        try:
            with out.open("a", encoding="utf-8") as sink:
                for job in jobs:
                    sink.write(jsonlib.dumps(await job, ensure_ascii=False, default=str) + "\n")
                    sink.flush()
                    advance()
        except OSError as error:
            raise StorageError(
                f"cannot write {out}: {error}; free space or choose another --out.",
                f"无法写入 {out}：{error}；请清理空间或更换 --out。",
            ) from error
        finally:
            for job in jobs:
                job.cancel()


async def answer_line(engine: Any, line: Line, flags: Line) -> Any:
    """Return the operation's JSON document for one line, or `{"error", "error_zh"}`."""
    from kaoju.errors import KaojuError
    from kaoju.surfaces import contract

    try:
        now = parse_date(line["now"]) if line.get("now") else flags["now"]
        role = line.get("role") or flags["role"]
        text = line["question"]
        if flags["op"] == "retrieve":
            return contract.passages_json(
                await engine.retrieve(text, k=flags["k"], mode=flags["mode"], now=now)
            )
        if flags["op"] == "plan":
            return contract.plan_json(await engine.plan(text, now=now, role=role))
        if flags["op"] == "research":
            found = await engine.research(
                text, k=flags["k"], now=now, role=role, max_rounds=flags["max_rounds"]
            )
            return contract.research_json(found, flags["k"])
        answer = await engine.ask(
            text,
            now=now,
            role=role,
            max_rounds=flags["max_rounds"],
            session=line.get("session"),
            pipeline=flags["pipeline"],
        )
        return contract.answer_json(answer)
    except KaojuError as error:
        return {"error": error.message, "error_zh": error.zh}
    except Exception as error:  # noqa: BLE001 - the border of one line: its fault must not cost the other lines
        return {
            "error": f"unexpected {type(error).__name__}: {error}",
            "error_zh": f"意外错误 {type(error).__name__}：{error}",
        }


def read_lines(file: Path) -> Iterator[Line]:
    """Yield the objects of a JSONL file, each with `id` and a textual `question`.

    Raises:
        UsageError: the file is missing, or a line is not such an object; names the line.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {file}: {error}", f"无法读取 {file}：{error}") from error
    for number, raw in enumerate(text.split("\n"), start=1):
        if not raw.strip():
            continue
        try:
            line = jsonlib.loads(raw)
        except (ValueError, RecursionError) as error:
            raise UsageError(
                f"{file} line {number} is not JSON: {error}", f"{file} 第 {number} 行不是 JSON：{error}"
            ) from error
        if not isinstance(line, dict) or "id" not in line or not isinstance(line.get("question"), str):
            raise UsageError(
                f"{file} line {number} needs an `id` and a `question` text.",
                f"{file} 第 {number} 行需要 `id` 和文本 `question`。",
            )
        yield line


def finished(out: Path, lines: list[Line]) -> int:
    """Return how many leading lines `out` already answers; drop a torn last line.

    Raises:
        UsageError: `out` holds something else than the beginning of this batch.
        StorageError: `out` cannot be read.
    """
    if not out.exists():
        return 0
    try:
        raw = out.read_bytes()
    except OSError as error:
        raise StorageError(
            f"cannot read {out}: {error}; choose another --out.", f"无法读取 {out}：{error}；请更换 --out。"
        ) from error
    whole = raw[: raw.rfind(b"\n") + 1]
    done = 0
    for number, row in enumerate(whole.splitlines()):
        try:
            found = jsonlib.loads(row)
        except ValueError:
            found = None
        if (
            number >= len(lines)
            or not isinstance(found, dict)
            or found.get("id") != lines[number]["id"]
            or "result" not in found
        ):
            raise UsageError(
                f"{out} exists and does not belong to this batch (line {number + 1}); remove it or choose another --out.",
                f"{out} 已存在且不属于本批次（第 {number + 1} 行）；请删除它或更换 --out。",
            )
        done += 1
    if len(whole) != len(raw):
        out.write_bytes(whole)
    return done
