"""Specifications become models; nothing happens before the first prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from kaoju.errors import ModelError, UsageError
from kaoju.llm.chat import Prompt
from kaoju.llm.models import ROLES, Models, ModelSettings, models_folder

from .conftest import BadServer

ASK = Prompt(system="", user="u", timeout_seconds=5)


def models(spec: str, tmp_path: Path, **more: str) -> Models:
    return Models(ModelSettings(default=spec, models_dir=tmp_path, **more))  # type: ignore[arg-type]  # its own fields


def test_none_is_no_model(tmp_path: Path) -> None:
    assert [models("none", tmp_path).for_role(role) for role in ROLES] == [None] * 4


def test_roles_share_and_differ(tmp_path: Path) -> None:
    made = models("local", tmp_path, judge="none", writer="http://127.0.0.1:9/v1#w", actor="local")
    planner, writer = made.for_role("planner"), made.for_role("writer")
    assert planner is made.for_role("actor")
    assert made.for_role("judge") is None
    assert planner is not None
    assert writer is not None
    assert (planner.name, writer.name) == ("qwen2.5-coder-1.5b", "w@127.0.0.1:9")


@pytest.mark.parametrize(
    "spec", ["", "gpt", "local:nonesuch", "http://", "https:///v1#m", "openai:", "ftp://x/y", "x.bin"]
)
def test_meaningless_specifications(tmp_path: Path, spec: str) -> None:
    with pytest.raises(UsageError):
        models(spec, tmp_path)


async def test_missing_weights_name_the_command(tmp_path: Path) -> None:
    asked = models("local:smollm2-135m", tmp_path).for_role("writer")
    assert asked is not None
    with pytest.raises(ModelError, match="kaoju model pull smollm2-135m") as caught:
        await asked.complete(ASK)
    assert caught.value.kind == "unreachable"
    assert "kaoju model pull" in caught.value.zh


async def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    fake = tmp_path / "x.gguf"
    fake.write_text("<html>")
    asked = models(str(fake), tmp_path).for_role("writer")
    assert asked is not None
    with pytest.raises(ModelError, match="not a GGUF file"):
        await asked.complete(ASK)


async def test_endpoint_url_gets_its_path_and_the_key(bad_server: BadServer, tmp_path: Path) -> None:
    bad_server.say("ok")
    root = bad_server.url.removesuffix("/v1")
    made = models(f"{root}#m", tmp_path, api_key="k1")
    asked = made.for_role("writer")
    assert asked is not None
    assert (await asked.complete(ASK)).text == "ok"
    assert bad_server.requests[0]["model"] == "m"
    assert bad_server.keys == ["Bearer k1"]
    await made.close()


async def test_a_running_server_is_used_for_local(bad_server: BadServer, tmp_path: Path) -> None:
    bad_server.say("ok")
    asked = models("local", tmp_path, local_url=bad_server.url).for_role("planner")
    assert asked is not None
    assert (await asked.complete(ASK)).model == "qwen2.5-coder-1.5b"


def test_secrets_are_masked() -> None:
    assert "sk-1" not in repr(ModelSettings(api_key="sk-1"))


def test_password_in_the_url_is_not_shown(tmp_path: Path) -> None:
    asked = models("http://user:hunter2@127.0.0.1:9/v1#m", tmp_path).for_role("writer")
    assert asked is not None
    assert "hunter2" not in asked.name + repr(asked)


def test_models_folder() -> None:
    assert models_folder("/a") == Path("/a")
    assert models_folder().parts[-2:] == ("kaoju", "models")
