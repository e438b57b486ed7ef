"""Contracts of kind `human`: what is asked, what may be answered, and by whom."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kaoju.model.evidence import JSON
from kaoju.tools.base import Tool
from kaoju.tools.contract import Contract, Services
from kaoju.tools.human.tool import Human

_OPTIONS: Mapping[str, JSON] = {
    "type": "object",
    "properties": {
        "question": {
            "type": "string",
            "minLength": 1,
            "maxLength": 2_000,
            "description": "What is asked; {name} stands for an argument. The query alone where it is left out.",
        },
        "choices": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "minItems": 2,
            "maxItems": 20,
            "uniqueItems": True,
        },
        "who": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
    },
    "additionalProperties": False,
}


class HumanKind:
    """Makes questions to people."""

    options_schema: Mapping[str, JSON] = _OPTIONS

    def problems(self, contract: Contract) -> Sequence[str]:
        """Return the places in the question that no argument fills."""
        question = contract.options.get("question")
        if not isinstance(question, str):
            return []
        properties = contract.spec.input_schema.get("properties")
        known = set(properties) if isinstance(properties, dict) else set()
        return [
            f"human.question: there is no input `{name}`"
            for name in re.findall(r"\{(\w+)\}", question)
            if name not in known
        ]

    def make(self, contract: Contract, services: Services) -> Sequence[Tool]:
        """Return the tool."""
        question = contract.options.get("question")
        return (
            Human(
                contract.spec,
                question=question if isinstance(question, str) else "{query}",
                choices=_texts(contract.options.get("choices")),
                who=_texts(contract.options.get("who")),
                answers=services.answers,
            ),
        )


def _texts(value: JSON) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()
