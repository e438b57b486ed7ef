"""Contracts of kind `python`: a function of a module, a file beside the contract, or an installed package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kaoju.model.evidence import JSON
from kaoju.tools.base import Tool
from kaoju.tools.contract import Contract, Services
from kaoju.tools.python.loading import FORM, load, load_entry_point
from kaoju.tools.python.tool import function_tool

_OPTIONS: Mapping[str, JSON] = {
    "type": "object",
    "properties": {
        "function": {
            "type": "string",
            "pattern": FORM,
            "description": "`module:function`, or `file.py:function` for a file beside the contract.",
        },
        "entry_point": {
            "type": "string",
            "minLength": 1,
            "description": "A name in the group `kaoju.tools`.",
        },
    },
    "oneOf": [{"required": ["function"]}, {"required": ["entry_point"]}],
    "additionalProperties": False,
}


class PythonKind:
    """Makes tools of functions."""

    options_schema: Mapping[str, JSON] = _OPTIONS

    def problems(self, contract: Contract) -> Sequence[str]:
        """Return whether the file that a contract names is missing; nothing is imported."""
        reference = contract.options.get("function")
        if not isinstance(reference, str):
            return []
        where = reference.partition(":")[0]
        root = contract.folder.resolve()
        if where.endswith(".py") and not (root / where).resolve().is_relative_to(root):
            return [f"python.function: {where} lies outside the contract's folder"]
        if where.endswith(".py") and not (root / where).is_file():
            return [f"python.function: there is no file {where} beside the contract"]
        return []

    def make(self, contract: Contract, services: Services) -> Sequence[Tool]:  # noqa: ARG002 - a function brings its own means
        """Import the function and return it as a tool."""
        reference, entry = contract.options.get("function"), contract.options.get("entry_point")
        function = (
            load(reference, contract.folder) if isinstance(reference, str) else load_entry_point(str(entry))
        )
        return (function_tool(function, contract.spec),)
