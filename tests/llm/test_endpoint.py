"""Every way in which an endpoint can fail, over real sockets."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

from kaoju.errors import ModelError
from kaoju.llm.chat import ChatModel, Prompt
from kaoju.llm.endpoint import Endpoint, EndpointModel

from .conftest import BadServer, completion, cut, drip, hang

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "minLength": 2}, "n": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}
ASK = Prompt(system="Be brief.", user="Which city?", timeout_seconds=5)
ASK_JSON = Prompt(system="Be brief.", user="Which city?", schema=SCHEMA, timeout_seconds=5)


def model(server: BadServer, **more: object) -> EndpointModel:
    return EndpointModel(Endpoint(base_url=server.url, model="m", **more))  # type: ignore[arg-type]  # its own fields


async def failure(server: BadServer, prompt: Prompt = ASK, **more: object) -> ModelError:
    asked = model(server, **more)
    with pytest.raises(ModelError) as caught:
        await asked.complete(prompt)
    await asked.close()
    assert caught.value.zh != caught.value.message
    return caught.value


async def test_text_comes_back_with_its_cost(bad_server: BadServer) -> None:
    bad_server.say("Paris")
    asked = model(bad_server)
    assert isinstance(asked, ChatModel)
    got = await asked.complete(ASK)
    assert (got.text, got.data, got.prompt_tokens, got.completion_tokens) == ("Paris", None, 11, 7)
    assert got.model == asked.name
    assert got.seconds > 0
    sent = bad_server.requests[0]
    assert [m["content"] for m in sent["messages"]] == ["Be brief.", "Which city?"]
    assert (sent["max_tokens"], sent["temperature"]) == (512, 0.0)
    assert "response_format" not in sent


async def test_schema_is_sent_as_written_and_enforced(bad_server: BadServer) -> None:
    bad_server.say('{"city": "北京"}')
    got = await model(bad_server).complete(ASK_JSON)
    assert got.data == {"city": "北京"}
    sent = bad_server.requests[0]["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["schema"] == SCHEMA


async def test_dead_port_is_unreachable(dead_port: int) -> None:
    asked = EndpointModel(Endpoint(base_url=f"http://127.0.0.1:{dead_port}/v1", model="m"))
    with pytest.raises(ModelError) as caught:
        await asked.complete(ASK)
    assert caught.value.kind == "unreachable"
    assert f"127.0.0.1:{dead_port}" in caught.value.message


@pytest.mark.parametrize("behaviour", [hang, drip])
async def test_timeout_is_wall_time(bad_server: BadServer, behaviour: object) -> None:
    bad_server.answers = [behaviour]  # type: ignore[list-item]  # what the parameters list
    asked = model(bad_server)
    await_first = Prompt(system="", user="x", timeout_seconds=0.5)
    began = time.perf_counter()
    with pytest.raises(ModelError) as caught:
        await asked.complete(await_first)
    spent = time.perf_counter() - began
    assert caught.value.kind == "timeout"
    assert 0.45 < spent < 2.5  # the first call may import the SDKs


async def test_cancelling_leaves_the_model_usable(bad_server: BadServer) -> None:
    bad_server.answers = [hang, (200, json.dumps(completion("ok")).encode())]
    asked = model(bad_server)
    first = asyncio.create_task(asked.complete(ASK))
    await asyncio.to_thread(bad_server.asked.wait, 10)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert (await asked.complete(ASK)).text == "ok"


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (429, "slow down", "rate_limited"),
        (500, "boom", "rejected"),
        (503, "loading", "rejected"),
        (401, "bad key", "rejected"),
        (404, "no such model", "rejected"),
        (400, "prompt is longer than the context", "rejected"),
    ],
)
async def test_error_statuses(bad_server: BadServer, status: int, message: str, kind: str) -> None:
    bad_server.fail(status, message)
    error = await failure(bad_server)
    assert error.kind == kind
    assert message in error.message
    assert len(bad_server.requests) == 1, "the SDK must not retry behind our back"


@pytest.mark.parametrize(
    "body",
    [
        b"<html>gateway</html>",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b"\xff\xfe\x00",
        b"null",
        b'{"choices": [{}]}',
        b"",
    ],
)
async def test_garbage_is_malformed(bad_server: BadServer, body: bytes) -> None:
    bad_server.answers = [(200, body), lambda handler: handler.send(200, body, "text/plain")]
    error = await failure(bad_server)
    assert error.kind == "malformed", repr(error.__cause__)
    error = await failure(bad_server)
    assert error.kind == "malformed", repr(error.__cause__)


async def test_body_that_breaks_off_is_unreachable(bad_server: BadServer) -> None:
    bad_server.answers = [cut]
    assert (await failure(bad_server)).kind == "unreachable"


@pytest.mark.parametrize("content", ["", "  \n", None])
async def test_empty(bad_server: BadServer, content: str | None) -> None:
    bad_server.say(content)
    assert (await failure(bad_server)).kind == "empty"


async def test_refusal_carries_the_reason(bad_server: BadServer) -> None:
    bad_server.say(None, refusal="I will not.")
    error = await failure(bad_server)
    assert error.kind == "refused"
    assert "I will not." in error.message


async def test_content_filter_is_a_refusal(bad_server: BadServer) -> None:
    bad_server.say("", finish="content_filter")
    assert (await failure(bad_server)).kind == "refused"


async def test_truncated_json_says_so(bad_server: BadServer) -> None:
    bad_server.say('{"city": "Par', finish="length")
    error = await failure(bad_server, ASK_JSON)
    assert error.kind == "malformed"
    assert "512 tokens" in error.message


async def test_cut_off_text_is_marked(bad_server: BadServer) -> None:
    bad_server.say("Paris is", finish="length")
    assert (await model(bad_server).complete(ASK)).cut_off


async def test_wrong_shape_is_malformed_and_then_spelled_out(bad_server: BadServer) -> None:
    bad_server.say('{"town": "Paris"}', '{"city": "Paris"}')
    asked = model(bad_server)
    with pytest.raises(ModelError) as caught:
        await asked.complete(ASK_JSON)
    assert caught.value.kind == "malformed"
    assert len(bad_server.requests) == 1
    assert (await asked.complete(ASK_JSON)).data == {"city": "Paris"}
    assert '"minLength"' in bad_server.requests[1]["messages"][0]["content"]


async def test_server_without_schemas_is_asked_in_words_once(bad_server: BadServer) -> None:
    bad_server.answers = [
        (400, b'{"error": {"message": "response_format is not supported"}}'),
        (200, json.dumps(completion('Sure!\n```json\n{"city": "Paris"}\n```')).encode()),
    ]
    asked = model(bad_server)
    assert (await asked.complete(ASK_JSON)).data == {"city": "Paris"}
    assert (await asked.complete(ASK_JSON)).data == {"city": "Paris"}
    assert ["response_format" in sent for sent in bad_server.requests] == [True, False, False]


async def test_other_rejections_are_not_asked_again(bad_server: BadServer) -> None:
    bad_server.fail(500, "schema compiler crashed")
    assert (await failure(bad_server, ASK_JSON)).kind == "rejected"
    assert len(bad_server.requests) == 1


async def test_key_is_sent_and_never_shown(bad_server: BadServer) -> None:
    bad_server.fail(401, "Incorrect API key provided: sk-very-secret")
    endpoint = Endpoint(base_url=bad_server.url, model="m", api_key="sk-very-secret")
    error = await failure(bad_server, api_key="sk-very-secret")
    assert bad_server.keys == ["Bearer sk-very-secret"]
    for shown in (str(error), error.zh, repr(endpoint), repr(EndpointModel(endpoint))):
        assert "very-secret" not in shown


def test_one_model_serves_several_event_loops(bad_server: BadServer) -> None:
    bad_server.say("ok")
    asked = model(bad_server)
    for _ in range(3):
        assert asyncio.run(asked.complete(ASK)).text == "ok"


async def test_loopback_goes_past_the_proxy(
    bad_server: BadServer, dead_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{dead_port}")
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{dead_port}")
    bad_server.say("ok")
    assert (await model(bad_server).complete(ASK)).text == "ok"
