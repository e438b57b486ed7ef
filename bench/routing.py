"""Routing over a mixed collection: the share of labelled questions whose plan uses the right tool.

Builds the collection (prose, codes, tables) in a temporary folder, adds six
HTTP-like tools by contract, plans every question and prints accuracy by class
and language. A question is right where every task that serves a need uses the
expected tool, and the arguments are those expected; `none` means that nothing
is called. `--part held` is the part that no rule was tuned on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from kaoju import Kaoju
from kaoju.model.evidence import JSON
from kaoju.model.plan import Plan
from kaoju.model.tool import Succeeded, ToolCall, ToolOutcome, ToolSpec

DATA: Final = Path(__file__).parent / "data"
NOW: Final = date(2026, 3, 31)


def tool(
    name: str,
    use_for: str,
    not_for: str,
    properties: Mapping[str, JSON],
    required: Sequence[str],
    **more: Any,
) -> ToolSpec:
    """Return a contract as a user would write it."""
    schema: dict[str, JSON] = {
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
        input_schema=schema,
        kind="http",
        **more,
    )


_CURRENCIES: Final[dict[str, JSON]] = {"type": "string", "enum": ["USD", "EUR", "CNY", "JPY", "GBP"]}
SPECS: Final = (
    tool(
        "order_status",
        "Where an order is: shipped, in transit, delivered, expected arrival. 查询订单的物流状态、发货、送达时间、包裹到哪里。",
        "Refund rules; order policy. 退款政策。",
        {"order_id": {"type": "string", "pattern": "^ORD-[0-9]{6}$", "description": "order number 订单号"}},
        ["order_id"],
        examples=({"order_id": "ORD-100001"},),
    ),
    tool(
        "weather",
        "Weather forecast of a city: temperature, rain, wind, cold or hot. 城市天气预报：气温、下雨、刮风、冷热。",
        "Rules on working in bad weather. 恶劣天气的出勤规定。",
        {
            "city": {"type": "string", "minLength": 1, "description": "city 城市"},
            "date": {"type": "string", "format": "date"},
            "units": {"type": "string", "enum": ["celsius", "fahrenheit"]},
        },
        ["city"],
        examples=({"city": "Oslo"},),
    ),
    tool(
        "exchange_rate",
        "Exchange rate between two currencies, or an amount converted into another. 汇率查询，货币兑换、换算。",
        "Rates fixed in expense rules. 报销制度中规定的汇率。",
        {"amount": {"type": "number", "minimum": 0}, "from": _CURRENCIES, "to": _CURRENCIES},
        ["from", "to"],
        examples=({"amount": 10, "from": "USD", "to": "CNY"},),
    ),
    tool(
        "credit_score",
        "Credit score and rating of a company, how creditworthy it is. 企业信用评分、信用评级、信用分。",
        "How credit limits are decided. 信用等级的评定办法。",
        {"company": {"type": "string", "minLength": 2, "description": "company name 企业名称"}},
        ["company"],
        examples=({"company": "Norwick Trading"},),
    ),
    tool(
        "stock_level",
        "Units of an article in stock now, available in a warehouse. 某型号在仓库中的现有库存、还剩多少台。",
        "Specifications of articles; stock taking rules. 产品参数；盘点流程。",
        {
            "sku": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$", "description": "article number 型号"},
            "warehouse": {
                "type": "string",
                "enum": ["beijing", "shanghai", "shenzhen"],
                "x-synonyms": {"beijing": ["北京"], "shanghai": ["上海"], "shenzhen": ["深圳"]},
            },
        },
        ["sku"],
        examples=({"sku": "AX-300"},),
    ),
    tool(
        "leave_balance",
        "Vacation days that an employee has left. 员工剩余的年假、假期天数，还剩几天假。",
        "Rules on leave. 休假制度。",
        {"employee_id": {"type": "integer", "minimum": 10000, "maximum": 99999, "description": "employee number 工号"}},
        ["employee_id"],
        examples=({"employee_id": 10001},),
    ),
    tool(
        "book_room",
        "Book or reserve a meeting room for a day. 预订会议室。",
        "Rules on rooms. 会议室管理规定。",
        {
            "room": {
                "type": "string",
                "oneOf": [
                    {"const": "maple", "title": "Maple / 枫叶"},
                    {"const": "cedar", "title": "Cedar / 雪松"},
                    {"const": "haitang", "title": "Haitang / 海棠"},
                ],
            },
            "date": {"type": "string", "format": "date"},
        },
        ["room", "date"],
        examples=({"room": "maple", "date": "2026-04-01"},),
        risk="write",
    ),
)  # fmt: skip


class Silent:
    """A tool that is planned with and never called here."""

    def __init__(self, spec: ToolSpec) -> None:
        """Stand for one contract."""
        self.spec = spec

    async def run(self, _call: ToolCall) -> ToolOutcome:
        """Return nothing found."""
        return Succeeded(evidence=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One labelled question."""

    id: str
    part: str
    kind: str
    language: str
    question: str
    tool: str
    arguments: Mapping[str, JSON] | None

    def wrong(self, plan: Plan) -> str:
        """Return what is wrong with a plan; empty where it is right."""
        used = sorted({task.tool for task in plan.tasks if task.need}) or ["none"]
        if used != [self.tool]:
            return f"{'+'.join(used)} instead of {self.tool}"
        if self.arguments is not None and dict(plan.tasks[0].arguments) != dict(self.arguments):
            return f"arguments {dict(plan.tasks[0].arguments)} instead of {dict(self.arguments)}"
        return ""


def cases(part: str) -> Iterator[Case]:
    """Yield the labelled questions of a part; all of them for `all`."""
    for line in (DATA / "routing.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if part in {row["part"], "all"}:
            yield Case(
                id=row["id"], part=row["part"], kind=row["class"], language=row["language"],
                question=row["question"], tool=row["tool"], arguments=row.get("arguments"),
            )  # fmt: skip


def write_collection(folder: Path) -> None:
    """Write the mixed collection that the questions are about."""
    for name, text in json.loads((DATA / "routing_collection.json").read_text("utf-8")).items():
        (folder / name).write_text(text, "utf-8")


async def measure(part: str, model: str, sample: int) -> list[tuple[Case, str]]:
    """Return every question with what was wrong about its plan."""
    chosen = list(cases(part))
    if sample:
        chosen = random.Random(7).sample(chosen, min(sample, len(chosen)))
    with tempfile.TemporaryDirectory() as place:
        material, kb = Path(place) / "material", Path(place) / "kb"
        material.mkdir()
        write_collection(material)
        async with Kaoju.open(kb, create=True, tools=[Silent(spec) for spec in SPECS], model=model) as engine:
            await engine.ingest([material])
            return [(case, case.wrong(await engine.plan(case.question, now=NOW))) for case in chosen]


def report(results: Sequence[tuple[Case, str]], *, show: bool) -> None:
    """Print accuracy by class and language, and what went wrong."""
    right: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for case, wrong in results:
        for key in ((case.kind, case.language), (case.kind, "both"), ("all", case.language), ("all", "both")):
            right[key].append(not wrong)
        if wrong and show:
            print(f"  {case.id} {case.question}: {wrong}")
    for (kind, language), marks in sorted(right.items()):
        print(f"{kind:8} {language:4} {sum(marks):4}/{len(marks):<4} {100 * sum(marks) / len(marks):5.1f} %")


def main() -> None:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("dev", "held", "all"), default="all")
    parser.add_argument("--model", default="none")
    parser.add_argument("--sample", type=int, default=0, help="so many questions, drawn with a fixed seed")
    parser.add_argument("--quiet", action="store_true", help="figures only")
    options = parser.parse_args()
    report(asyncio.run(measure(options.part, options.model, options.sample)), show=not options.quiet)


if __name__ == "__main__":
    main()
