"""Contracts of tools that exist only for these tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from tests.planning.helpers import PROJECTS, TOOLS, spec

from kaoju.model.evidence import JSON
from kaoju.model.tool import Risk, ToolSpec
from kaoju.planning.catalog import Catalog


def contract(
    name: str,
    use_for: str,
    properties: Mapping[str, object],
    required: Sequence[str],
    *,
    not_for: str = "",
    risk: Risk = "read",
) -> ToolSpec:
    schema = {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
    return ToolSpec(
        name=name,
        description=use_for,
        use_for=use_for,
        not_for=not_for,
        input_schema=cast("dict[str, JSON]", schema),
        kind="http",
        risk=risk,
    )


PARCEL = contract(
    "parcel",
    "Where a parcel is: shipped, delivered. 包裹的物流状态、发货情况。",
    {"number": {"type": "string", "pattern": "^PK-[0-9]{4}$", "description": "parcel number 包裹单号"}},
    ["number"],
    not_for="Complaint procedures. 投诉流程。",
)
CURRENCY = {"type": "string", "enum": ["USD", "EUR", "CNY"]}
MONEY = contract(
    "money",
    "Converts an amount between currencies, exchange rates. 货币换算、汇率。",
    {"amount": {"type": "number"}, "from": CURRENCY, "to": CURRENCY},
    ["from", "to"],
)
TIDE = contract(
    "tide",
    "Tide of a harbour: high and low water. 港口潮汐、涨潮、退潮时间。",
    {"place": {"type": "string", "minLength": 1}, "date": {"type": "string", "format": "date"}},
    ["place"],
)
CANCEL = contract(
    "cancel_parcel",
    "Cancels a parcel. 取消包裹。",
    {"number": {"type": "string", "pattern": "^PK-[0-9]{4}$"}},
    ["number"],
    risk="irreversible",
)
WITH_CONTRACTS = Catalog(tools=(*TOOLS, spec("sql_query"), PARCEL, MONEY, TIDE, CANCEL), tables=(PROJECTS,))
