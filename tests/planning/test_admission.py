"""Which tool a question gets: built-in ones by rules, the others by their contracts, whoever proposed the plan."""

from __future__ import annotations

import json

import pytest
from tests.planning.contracts import CANCEL, PARCEL, WITH_CONTRACTS, contract
from tests.planning.helpers import LIMITS, NOW, PROSE, TABLES, TOOLS, ask, spec

from kaoju.llm.scripted import ScriptedModel
from kaoju.model.plan import Plan, PlanType
from kaoju.planning.catalog import Catalog
from kaoju.planning.planner import make_plan


async def plan(text: str, catalog: Catalog = WITH_CONTRACTS, model: ScriptedModel | None = None) -> Plan:
    return (await make_plan(ask(text), catalog, model, LIMITS)).plan


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        ("包裹 PK-1024 发货了吗？", "parcel", {"number": "PK-1024"}),
        ("Has pk-2048 been delivered?", "parcel", {"number": "PK-2048"}),
        ("PK-4096", "parcel", {"number": "PK-4096"}),
        ("80欧元换成人民币是多少？", "money", {"amount": 80, "from": "EUR", "to": "CNY"}),
        ("How many dollars is 45 euros?", "money", {"amount": 45, "from": "EUR", "to": "USD"}),
        ("exchange rate of CNY to EUR", "money", {"from": "CNY", "to": "EUR"}),
        ("宁波明天几点涨潮？", "tide", {"place": "宁波", "date": "2026-04-01"}),
        ("When is high water in Dover tomorrow?", "tide", {"place": "Dover", "date": "2026-04-01"}),
        ("请取消包裹 PK-1024", "cancel_parcel", {"number": "PK-1024"}),
        ("Please cancel PK-1024.", "cancel_parcel", {"number": "PK-1024"}),
        ("为张先生取消一件包裹PK-1024", "cancel_parcel", {"number": "PK-1024"}),
        ("When is high water in Dover on April 3, 2026?", "tide", {"place": "Dover", "date": "2026-04-03"}),
        ("How is Dover today?", "tide", {"place": "Dover", "date": "2026-03-31"}),
        ("今晚象山港几点退潮？", "tide", {"place": "象山港", "date": "2026-03-31"}),
    ],
)
async def test_a_question_that_fits_a_contract_gets_its_tool_and_arguments(
    text: str, tool: str, arguments: dict[str, object]
) -> None:
    (task,) = (await plan(text)).tasks
    assert (task.tool, dict(task.arguments)) == (tool, arguments)
    assert task.reason


@pytest.mark.parametrize(
    "text",
    [
        "包裹丢失的投诉流程是什么？",
        "报销时汇率按什么规定换算？",
        "Why are parcels shipped from Oslo?",
        "How do I cancel a parcel such as PK-1024?",
        "潮汐的定义",
        "汇率是多少？",
    ],
)
async def test_rules_and_reasons_are_searched_and_so_is_what_lacks_an_argument(text: str) -> None:
    made = await plan(text)
    assert {task.tool for task in made.tasks} <= {"semantic_search", "keyword_search"}
    assert made.tasks


@pytest.mark.parametrize(
    "text",
    [
        "谁取消了包裹 PK-1024？",
        "包裹 PK-1024 取消了吗？",
        "不要取消包裹 PK-1024",
        "Who cancelled PK-1024?",
        "Do not cancel PK-1024.",
        "The note says “please cancel PK-1024”. What does it mean?",
        "为什么要取消包裹 PK-1024？",
    ],
)
async def test_a_tool_with_an_effect_is_never_chosen_unless_the_question_orders_it(text: str) -> None:
    assert CANCEL.name not in {task.tool for task in (await plan(text)).tasks}


async def test_a_model_is_not_even_offered_an_effect_that_nobody_asked_for() -> None:
    model = ScriptedModel([json.dumps({"type": "single", "tasks": [_task("cancel_parcel", "PK-1024")]})] * 2)
    made = await plan(LONG, model=model)
    assert CANCEL.name not in {task.tool for task in made.tasks}
    assert all(CANCEL.name not in f"{prompt.system} {prompt.schema}" for prompt in model.prompts)


LONG = (
    "Considering everything that the manual and the notes of the last meetings say about this, what would be the "
    "order of signatures that a new branch has to collect before it opens its doors to customers?"
)


def _task(tool: str, query: str) -> dict[str, object]:
    return {"id": "t1", "purpose": "find it", "tool": tool, "query": query, "depends_on": []}


@pytest.mark.parametrize(
    ("proposed", "query", "tool"),
    [
        ("semantic_search", "哪个项目的预算最高", "sql_query"),
        ("semantic_search", "各部门项目的平均预算", "sql_query"),
        ("semantic_search", "合同 HT-2024-018", "keyword_search"),
        ("keyword_search", "how the office is cleaned and by whom", "semantic_search"),
        ("sql_query", "how the office is cleaned and by whom", "semantic_search"),
        ("calculate", "signatures of a new branch", "semantic_search"),
        ("semantic_search", "12 * 7", "calculate"),
    ],
)
async def test_what_a_model_chose_is_checked_against_the_contract_and_corrected_with_the_reason(
    proposed: str, query: str, tool: str
) -> None:
    model = ScriptedModel([json.dumps({"type": "single", "tasks": [_task(proposed, query)]})])
    made = await plan(LONG, TABLES, model)
    (task,) = made.tasks
    assert (made.origin, task.tool) == ("model", tool)
    assert proposed in task.reason


async def test_a_good_choice_of_a_model_stays() -> None:
    model = ScriptedModel(
        [json.dumps({"type": "single", "tasks": [_task("semantic_search", "branch opening")]})]
    )
    (task,) = (await plan(LONG, TABLES, model)).tasks
    assert task.tool == "semantic_search"
    assert "model" not in task.reason


BY_LABEL = contract(
    "parcel",
    PARCEL.use_for,
    {
        "label": {
            "type": "object",
            "properties": {"number": {"type": "string"}},
            "required": ["number"],
            "additionalProperties": False,
        }
    },
    ["label"],
)
"""What no rule fills: an object."""


async def test_a_model_gives_the_arguments_that_rules_cannot_read() -> None:
    model = ScriptedModel(['{"label": {"number": "PK-77"}}'])
    made = await plan("Was the parcel PK-77 delivered?", Catalog(tools=(*TOOLS, BY_LABEL)), model)
    assert [(task.tool, dict(task.arguments)) for task in made.tasks] == [
        ("parcel", {"label": {"number": "PK-77"}})
    ]
    assert model.prompts[0].schema is not None
    assert "label" in str(model.prompts[0].schema)


@pytest.mark.parametrize(
    "reply", ['{"label": {"number": "PK-9999"}}', '{"label": "PK-77"}', '{"note": "PK-77"}', "no idea"]
)
async def test_arguments_that_do_not_fit_or_that_the_question_does_not_hold_are_refused(reply: str) -> None:
    made = await plan(
        "Was the parcel PK-77 delivered?", Catalog(tools=(*TOOLS, BY_LABEL)), ScriptedModel([reply])
    )
    assert PARCEL.name not in {task.tool for task in made.tasks}
    assert made.tasks


async def test_without_any_search_a_tool_with_an_effect_does_not_stand_in() -> None:
    made = await plan("年假有几天？", Catalog(tools=(CANCEL, spec("notes"))))
    assert CANCEL.name not in {task.tool for task in made.tasks}


@pytest.mark.parametrize("catalog", [PROSE, TABLES, WITH_CONTRACTS])
async def test_every_task_says_why_it_has_its_tool(catalog: Catalog) -> None:
    for text in (
        "年假有几天？",
        "E-1042",
        "Which project has the highest budget?",
        "12*7",
        "白桦项目和青石项目的负责人分别是谁？",
    ):
        for task in (await plan(text, catalog)).tasks:
            assert task.reason, text


@pytest.mark.parametrize(
    "text",
    [
        "写一首诗",
        "现在几点了？",
        "Tell me a joke",
        "Translate “good night” into Spanish.",
        "帮我叫一辆出租车",
        "Are you a human?",
        "你会不会做梦？",
        "Do you ever get tired?",
        "推荐一部电影",
        "Suggest me a good restaurant",
        "现在是几点了",
        "提醒我明天开会",
    ],
)
async def test_what_no_material_could_answer_is_not_searched(text: str) -> None:
    made = await plan(text)
    assert (made.type, made.tasks) == (PlanType.DIRECT, ())
    assert made.unanswerable


@pytest.mark.parametrize("text", ["辛苦了，谢谢", "Good night", "See you tomorrow!", "Thanks for your help"])
async def test_small_talk_gets_a_reply(text: str) -> None:
    made = await plan(text)
    assert (made.tasks, bool(made.reply)) == ((), True)


SHELF = contract(
    "shelf",
    "Whether a volume is on the shelf. 图书是否在架。",
    {"mark": {"type": "string", "pattern": "^[A-Z]{2}[0-9]{3}$", "description": "shelf mark 架位号"}},
    ["mark"],
    not_for="Lending rules, bindings. 借阅规定，装订。",
)


@pytest.mark.parametrize(("held", "tool"), [(False, "shelf"), (True, "keyword_search")])
async def test_a_code_that_no_document_holds_belongs_to_the_only_tool_that_takes_it(
    held: bool, tool: str
) -> None:
    catalog = Catalog(tools=(*TOOLS, SHELF), holds=lambda code: held and code == "QA204")
    (task,) = (await plan("Can QA204 be borrowed?", catalog)).tasks
    assert task.tool == tool


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("QA204还在架上吗？", "shelf"),
        ("Is QA204 still on the shelf?", "shelf"),
        ("QA204的装订", "keyword_search"),
    ],
)
async def test_what_a_contract_is_for_and_not_for_decides_about_its_codes(text: str, tool: str) -> None:
    catalog = Catalog(tools=(*TOOLS, SHELF), holds=lambda _code: True)
    (task,) = (await plan(text, catalog)).tasks
    assert task.tool == tool


async def test_a_model_that_words_the_figure_away_is_corrected_by_the_question() -> None:
    question = "研发部项目一共花掉多少实际支出？"
    model = ScriptedModel(
        [json.dumps({"type": "single", "tasks": [_task("semantic_search", "研发部的项目")]})]
    )
    (task,) = (await plan(question, TABLES, model)).tasks
    assert task.tool == "sql_query"
    assert "实际支出" in task.query


async def test_the_date_is_known() -> None:
    made = await plan("今天星期几？")
    assert made.tasks == ()
    assert NOW.isoformat() in made.reply
