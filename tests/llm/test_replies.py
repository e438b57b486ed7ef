"""Chatter around JSON is forgiven; anything that breaks the schema is not (cases A)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.errors import ModelError
from kaoju.llm import replies

PLAN = {
    "type": "object",
    "properties": {"queries": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
    "required": ["queries"],
}


@pytest.mark.parametrize(
    "text",
    [
        '{"queries": ["a"]}',
        '```json\n{"queries": ["a"]}\n```',
        'Here is the plan:\n```\n{"queries": ["a"]}\n```\nLet me know {if} it helps!',
        'Sure. {"queries": ["a"]} Anything else?',
        '<think>maybe {"queries": []}</think>{"queries": ["a"]}',
        '{"queries": ["a",],}',
        'First idea {"steps": 1}, better: {"queries": ["a"]}',
        '\ufeff {"queries": ["a"]}',
    ],
)
def test_chatter_is_forgiven(text: str) -> None:
    assert replies.parse(text, PLAN) == {"queries": ["a"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no complete JSON"),
        ("for q in queries: search(q)", "no complete JSON"),
        ('{"queries": ["a"', "no complete JSON"),
        ('{"reasoning": {"queries": ["a"]}}', "queries"),  # the right plan under the wrong key
        ('{"queries": []}', "queries"),
        ('{"queries": [1]}', "queries/0"),
        ('{"queries": "a"}', "queries"),
    ],
)
def test_everything_else_is_malformed_and_named(text: str, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        replies.parse(text, PLAN)
    assert caught.value.kind == "malformed"
    assert said in caught.value.message


def test_values_that_are_not_json_are_refused() -> None:
    with pytest.raises(ModelError):
        replies.parse('{"x": NaN}', {"type": "object", "required": ["x"]})


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{" * 100_000, "```" * 50_000, '{"a":' * 50_000, ",}" * 50_000]
)
def test_hostile_replies_end_quickly(text: str) -> None:
    with pytest.raises(ModelError):
        replies.parse(text, PLAN)


@given(st.lists(st.text(max_size=40), min_size=1, max_size=4), st.text(alphabet="abc 中文。，", max_size=30))
def test_any_valid_reply_survives_chatter(queries: list[str], chatter: str) -> None:
    value = {"queries": queries}
    text = f"{chatter}{json.dumps(value, ensure_ascii=False)}{chatter}"
    assert replies.parse(text, PLAN) == value
