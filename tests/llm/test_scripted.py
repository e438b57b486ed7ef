"""The scripted model does what its script says, and nothing else."""

from __future__ import annotations

import pytest

from kaoju.errors import ModelError
from kaoju.llm.chat import ChatModel, Prompt
from kaoju.llm.scripted import ScriptedModel, Sleep

ASK = Prompt(system="s", user="u")


async def test_replies_come_in_order_and_prompts_are_kept() -> None:
    model = ScriptedModel(["a", lambda prompt: prompt.user.upper()])
    assert isinstance(model, ChatModel)
    assert (await model.complete(ASK)).text == "a"
    got = await model.complete(ASK)
    assert got.text == "U"
    assert got.prompt_tokens > 0
    assert model.prompts == [ASK, ASK]


async def test_errors_are_raised() -> None:
    with pytest.raises(ModelError) as caught:
        await ScriptedModel([ModelError("rate_limited", "wait")]).complete(ASK)
    assert caught.value.kind == "rate_limited"


async def test_an_exhausted_script_says_so() -> None:
    model = ScriptedModel(["a"])
    await model.complete(ASK)
    with pytest.raises(ModelError, match="asked for one more"):
        await model.complete(ASK)


async def test_the_last_reply_repeats_when_told_to() -> None:
    model = ScriptedModel(["a", "b"], repeat_last=True)
    assert [(await model.complete(ASK)).text for _ in range(4)] == ["a", "b", "b", "b"]


async def test_a_hang_ends_at_the_timeout() -> None:
    with pytest.raises(ModelError) as caught:
        await ScriptedModel([Sleep(30)]).complete(Prompt(system="", user="", timeout_seconds=0.05))
    assert caught.value.kind == "timeout"


async def test_late_replies_arrive() -> None:
    got = await ScriptedModel([Sleep(0.01, "late")]).complete(ASK)
    assert (got.text, got.seconds >= 0.01) == ("late", True)


async def test_schemas_are_enforced() -> None:
    prompt = Prompt(system="", user="", schema={"type": "object", "required": ["a"]})
    assert (await ScriptedModel(['{"a": 1}']).complete(prompt)).data == {"a": 1}
    with pytest.raises(ModelError) as caught:
        await ScriptedModel(["{}"]).complete(prompt)
    assert caught.value.kind == "malformed"


async def test_empty_replies_are_empty() -> None:
    with pytest.raises(ModelError) as caught:
        await ScriptedModel([" "]).complete(ASK)
    assert caught.value.kind == "empty"
