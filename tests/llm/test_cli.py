"""`kaoju model` and `kaoju doctor` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kaoju.errors import ModelError, UsageError
from kaoju.llm import weights
from kaoju.surfaces.cli import doctor as doctoring
from kaoju.surfaces.cli.app import app

from .conftest import BadServer

run = CliRunner()


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KAOJU_MODELS_DIR", str(tmp_path / "models"))
    for name in (
        "KAOJU_MODEL_URL",
        "KAOJU_MODEL",
        "KAOJU_KB",
        "KAOJU_CONFIG",
        "KAOJU_API_KEY",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(
        doctoring, "_embedding", lambda _settings: doctoring._python()
    )  # tried for real below


def pulled(tmp_path: Path, name: str) -> Path:
    row = weights.known(name)
    path = tmp_path / "models" / row.file
    path.parent.mkdir()
    with path.open("wb") as stream:
        stream.truncate(row.size)
    return path


def test_list_as_json(tmp_path: Path) -> None:
    path = pulled(tmp_path, "smollm2-135m")
    got = run.invoke(app, ["model", "list", "--json"])
    assert got.exit_code == 0
    rows = {row["name"]: row for row in json.loads(got.stdout)["models"]}
    assert set(rows) == {row.name for row in weights.KNOWN}
    assert rows["smollm2-135m"]["pulled"] is True
    assert rows["smollm2-135m"]["path"] == str(path)
    assert rows["qwen2.5-coder-1.5b"]["pulled"] is False
    assert rows["qwen2.5-coder-1.5b"]["default"] is True


def test_list_for_people() -> None:
    got = run.invoke(app, ["model", "list"])
    assert "qwen2.5-coder-0.5b" in got.stdout
    assert "未拉取" in got.stdout


def test_pull_what_is_here_already(tmp_path: Path) -> None:
    path = pulled(tmp_path, "smollm2-135m")
    got = run.invoke(app, ["model", "pull", "smollm2-135m", "--json"])
    assert json.loads(got.stdout)["path"] == str(path)
    assert got.stderr == "", "no progress bar where there is no terminal"


def test_pull_and_serve_name_what_is_wrong() -> None:
    assert isinstance(run.invoke(app, ["model", "pull", "nonesuch"]).exception, UsageError)
    missing = run.invoke(app, ["model", "serve"]).exception
    assert isinstance(missing, ModelError)
    assert "kaoju model pull" in missing.message


def checks(*arguments: str) -> tuple[int, dict[str, list[dict[str, str]]]]:
    got = run.invoke(app, ["doctor", "--json", *arguments])
    document = json.loads(got.stdout)
    assert document["ok"] is (got.exit_code == 0)
    found: dict[str, list[dict[str, str]]] = {}
    for entry in document["checks"]:
        found.setdefault(entry["check"], []).append(entry)
    return got.exit_code, found


def test_a_sound_installation() -> None:
    code, found = checks()
    assert code == 0
    assert {entry["status"] for entry in found["package"]} <= {"ok", "warn"}
    assert found["kb"][0]["status"] == "warn"
    assert "kaoju ingest" in found["kb"][0]["message"]
    assert all(entry["message_zh"] for entries in found.values() for entry in entries)


def test_a_wanted_model_that_is_missing_fails() -> None:
    code, found = checks("--model", "local")
    assert code == 1
    status = {entry["message"].split()[0]: entry["status"] for entry in found["model"]}
    assert status["qwen2.5-coder-1.5b"] == "fail"
    assert status["smollm2-135m"] == "warn"


def test_an_own_file_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_text("<html>")
    code, found = checks("--model", str(tmp_path / "x.gguf"))
    assert code == 1
    assert "not a GGUF file" in found["model"][-1]["message"]


def test_endpoints_are_tried(bad_server: BadServer, dead_port: int) -> None:
    code, found = checks("--model", f"http://127.0.0.1:{dead_port}/v1#m")
    assert (code, found["endpoint"][0]["status"]) == (1, "fail")
    code, found = checks("--model", f"{bad_server.url}#m")
    assert (code, found["endpoint"][0]["status"]) == (0, "ok")


def test_a_knowledge_base_that_was_asked_for(tmp_path: Path) -> None:
    code, found = checks("--kb", str(tmp_path / "nowhere"))
    assert (code, found["kb"][0]["status"]) == (1, "fail")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(doctoring.NEEDED, "kaoju-no-such-package", ("nothing", "无"))
    code, found = checks()
    assert code == 1
    assert any("kaoju-no-such-package is missing" in entry["message"] for entry in found["package"])


def test_a_crashing_check_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_settings: object) -> doctoring.Finding:
        raise ImportError("libfoo.so")

    monkeypatch.setattr(doctoring, "_embedding", broken)
    code, found = checks()
    assert code == 1
    assert "libfoo.so" in found["embeddings"][0]["message"]
    assert found["disk"]


def test_the_embedder_is_really_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    from kaoju.runtime import settings

    assert doctoring._embedding(settings.load(environ={})).status == "ok"
