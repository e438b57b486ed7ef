"""Cases F, and the knowledge base that was not consulted: nothing leaves that the evidence does not carry."""

from __future__ import annotations

import asyncio
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kaoju import Answer, ToolCall
from kaoju.errors import ModelError
from kaoju.knowledge.base import KnowledgeBase
from kaoju.llm.chat import Prompt
from kaoju.llm.scripted import Sleep
from kaoju.model.event import Checked
from kaoju.model.tool import Succeeded
from kaoju.surfaces.contract import answer_json

from .fakes import SPECS, FakeModels, FakeTool, found, is_sound, nothing, says
from .test_malformed_plans import DEAD, UNSURE

NOW = date(2025, 1, 15)
WHO = "星河项目的负责人是谁？"
DEAD_WRITERS = [*(reply for name, reply in DEAD.items() if name != "in garbage"), "\ufffd{{{ lorem ipsum ]]]"]
BOTH = "星河项目和远帆项目的负责人分别是谁？"


async def written(open_kaoju: Any, question: str, draft: Any, **more: Any) -> Answer:
    async with open_kaoju(models=FakeModels(writer=says(draft)), **more) as engine:
        answer: Answer = await engine.ask(question, now=NOW)
    is_sound(answer)
    return answer


def only(text: str) -> list[FakeTool]:
    """Tools that find this passage and nothing else."""

    async def behave(call: ToolCall) -> Succeeded:
        return Succeeded(evidence=(found(call, text),), confidence=0.8)

    return [
        FakeTool(SPECS["semantic_search"], behave),
        FakeTool(SPECS["keyword_search"], nothing),
        FakeTool(SPECS["follow_links"], nothing),
    ]


ZH = ("2021年客户满意度是多少？", "2021年客户满意度为87%，比上一年提高4个百分点。")
EN = ("What was supplier satisfaction in 2021?", "In 2021 supplier satisfaction stood at 87%.")
BUDGET = ("远帆项目的批准预算是多少？", "远帆项目的批准预算为1.5亿元。")
STAFF = ("海川公司有多少员工？", "海川公司有员工3,200人。")
SUM = ("海川公司和远帆公司的收入合计是多少？", "海川公司收入120万元，远帆公司收入150万元。")
CHANGED = [
    (ZH, "2021年客户满意度为85%[1]。", "85"),
    (ZH, "2022年客户满意度为87%[1]。", "2022"),
    (ZH, "2021年客户满意度为８５％[1]。", "８５"),
    (ZH, "２０２２年客户满意度为８７％[1]。", "２０２２"),
    (ZH, "2021年客户满意度为八成五[1]。", "八成五"),
    (ZH, "2021年客户满意度为87%，比上一年提高5个百分点[1]。", "5个"),
    (EN, "In 2021 supplier satisfaction stood at 85% [1].", "85"),
    (EN, "In 2022 supplier satisfaction stood at 87% [1].", "2022"),
    (BUDGET, "远帆项目的批准预算为1.6亿元[1]。", "1.6"),
    (BUDGET, "远帆项目的批准预算为15亿元[1]。", "15亿"),
    (BUDGET, "远帆项目的批准预算为1.5万元[1]。", "1.5万"),
    (BUDGET, "远帆项目的批准预算为1500万元[1]。", "1500万"),
    (STAFF, "海川公司有员工3,300人[1]。", "3,300"),
    (STAFF, "海川公司有员工32,000人[1]。", "32,000"),
    (STAFF, "海川公司有员工3200万人[1]。", "3200万"),
    (SUM, "海川公司收入120万元，远帆公司收入150万元，合计280万元[1]。", "280"),
]
SAME = [
    (ZH, "2021年客户满意度为８７％[1]。", "８７％"),
    (BUDGET, "远帆项目的批准预算为15,000万元[1]。", "15,000万元"),
    (BUDGET, "远帆项目的批准预算为1.5亿元[1]。", "1.5亿元"),
    (STAFF, "海川公司有员工3200人[1]。", "3200人"),
    (SUM, "海川公司收入120万元，远帆公司收入150万元，合计270万元[1]。", "270万元"),
]


@pytest.mark.parametrize(("case", "draft", "changed"), CHANGED, ids=[draft for _, draft, _ in CHANGED])
async def test_a_quietly_changed_figure_never_leaves(
    open_kaoju: Any, case: tuple[str, str], draft: str, changed: str
) -> None:
    question, evidence = case
    answer = await written(open_kaoju, question, draft, tools=only(evidence))
    assert changed not in answer.answer
    assert not any(changed in claim.text for claim in answer.claims)
    assert any("quoted from the sources instead" in note or "直接引用原文" in note for note in answer.notes)


@pytest.mark.parametrize(("case", "draft", "kept"), SAME, ids=[draft for _, draft, _ in SAME])
async def test_the_same_figure_in_another_form_leaves(
    open_kaoju: Any, case: tuple[str, str], draft: str, kept: str
) -> None:
    question, evidence = case
    answer = await written(open_kaoju, question, draft, tools=only(evidence))
    assert answer.status == "answered"
    assert kept in answer.answer


async def test_of_a_draft_with_one_changed_figure_the_rest_leaves_and_the_change_is_told(
    open_kaoju: Any,
) -> None:
    draft = "星河项目的负责人是林岚[1]。星河项目的批准预算为350万元[1]。"
    answer = await written(open_kaoju, WHO, draft)
    assert answer.status == "answered"
    assert "林岚" in answer.answer
    assert "350" not in answer.answer
    assert any("350万元" in note for note in answer.notes), "what was left out is named, with the reason"


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("公司食堂的承包商是谁？", "公司食堂的承包商是绿源餐饮公司[1]。"),
        ("火星基地的氧气储量是多少？", "火星基地的氧气储量是5,000吨[1]。"),
        (WHO, "世界最高峰是珠穆朗玛峰[1]。"),
        (WHO, "星河项目的负责人是王芳[1]。"),
        (
            "Who approves travel above 2,000 euros?",
            "Travel above 2,000 euros is approved by the chief executive Mary Poppins [1].",
        ),
    ],
)
async def test_what_a_model_remembers_does_not_leave(open_kaoju: Any, question: str, memory: str) -> None:
    answer = await written(open_kaoju, question, memory)
    stated = re.sub(r"\[1\]|[。.]", "", memory)
    assert stated not in answer.answer
    assert answer.usage.tool_calls > 0, "the knowledge base was consulted"
    assert all(claim.citations for claim in answer.claims)


async def test_a_question_about_the_set_is_searched_even_where_the_planner_would_answer_it(
    open_kaoju: Any,
) -> None:
    planner = says('{"type": "direct", "tasks": [], "answer": "30 days"}')
    async with open_kaoju(models=FakeModels(planner=planner)) as engine:
        answer = await engine.ask(UNSURE, now=NOW)
    is_sound(answer)
    assert answer.usage.tool_calls > 0
    assert "30 days" not in answer.answer
    assert "25 days" in answer.answer


async def test_without_evidence_no_writer_is_asked(open_kaoju: Any) -> None:
    writer = says("星河项目的负责人是王芳[1]。")
    tools = [FakeTool(spec, nothing) for spec in SPECS.values()]
    async with open_kaoju(models=FakeModels(writer=writer), tools=tools) as engine:
        answer = await engine.ask(WHO, now=NOW)
    is_sound(answer)
    assert writer.prompts == []
    assert answer.status == "insufficient"


@pytest.mark.parametrize("reply", [*DEAD_WRITERS, "As an AI, I cannot help with that.", "[1]", "[1][2] [3]"])
async def test_a_writer_that_fails_in_any_way_is_replaced_by_quotation_and_noted(
    open_kaoju: Any, reply: Any
) -> None:
    answer = await written(open_kaoju, WHO, reply)
    assert answer.status == "answered"
    assert "林岚" in answer.answer
    assert any("未使用模型撰写" in note or "直接引用原文" in note for note in answer.notes)


async def test_a_writer_that_never_replies_costs_its_timeout(open_kaoju: Any) -> None:
    answer = await written(open_kaoju, WHO, Sleep(3600), model_timeout=0.2)
    assert answer.status == "answered"
    assert any("0.2" in note for note in answer.notes)


async def test_a_writer_that_sees_no_answer_is_believed(open_kaoju: Any) -> None:
    answer = await written(open_kaoju, WHO, "INSUFFICIENT")
    assert answer.status in {"insufficient", "partial"}
    assert answer.claims == ()


def opens_its_place(base: KnowledgeBase, answer: Answer) -> None:
    """Every citation opens its exact place."""
    for citation in answer.citations:
        text = base.document_text(citation.document_id, citation.locator.page)
        assert text[citation.locator.start : citation.locator.end] == citation.quote


@pytest.mark.parametrize(
    "marks", [("[1]", "[1]"), ("[1]", "[2]"), ("[2]", "[1]"), ("", ""), ("[9]", "[7]"), ("[1,2]", "【2】")]
)
async def test_each_marker_opens_its_own_chunk_whatever_the_model_marked(
    open_kaoju: Any, kb: Path, marks: tuple[str, str]
) -> None:
    draft = f"星河项目的负责人是林岚{marks[0]}。远帆项目的负责人是赵启明{marks[1]}。"
    answer = await written(open_kaoju, BOTH, draft)
    assert answer.status == "answered"
    by_number = {citation.n: citation for citation in answer.citations}
    for claim, document in zip(answer.claims, ("星河项目.md", "远帆项目.md"), strict=True):
        assert {by_number[n].document_id for n in claim.citations} == {document}
    document = KnowledgeBase.open(kb)
    opens_its_place(document, answer)
    document.close()
    told = answer_json(answer)
    assert [c["document_id"] for c in told["citations"]] == ["星河项目.md", "远帆项目.md"]
    assert re.findall(r"\[(\d+)\]", told["answer"]) == ["1", "2"]


async def test_an_unknown_marker_saves_no_claim_that_nothing_carries(open_kaoju: Any) -> None:
    answer = await written(open_kaoju, WHO, "星河项目的负责人是林岚[9]。星河项目的监理是王芳[9]。")
    assert "王芳" not in answer.answer
    assert "[9]" not in answer.answer
    assert [citation.n for citation in answer.citations] == [1]
    assert any("王芳" in note for note in answer.notes)


async def test_the_writer_sees_numbered_sources_and_its_numbers_are_not_the_readers(open_kaoju: Any) -> None:
    def marks_the_right_one(prompt: Prompt) -> str:
        number = re.search(r"\[(\d+)\][^\[]*赵启明", prompt.user)
        assert number, "the excerpt that answers is among the sources"
        return f"远帆项目的负责人是赵启明[{number.group(1)}]。"

    answer = await written(open_kaoju, "远帆项目的负责人是谁？", marks_the_right_one)
    assert [(c.n, c.document_id) for c in answer.citations] == [(1, "远帆项目.md")]


@pytest.mark.parametrize(
    "question",
    [WHO, BOTH, "远帆项目的承建方总部在哪里？", "哪个项目实际支出最高？", "公司食堂的承包商是谁？"],
)
async def test_streamed_and_plain_answers_are_the_same(open_kaoju: Any, question: str) -> None:
    async with open_kaoju() as engine:
        plain = await engine.ask(question, now=NOW)
        *events, last = [event async for event in engine.stream(question, now=NOW)]
    streamed = last.answer
    assert (streamed.status, streamed.answer) == (plain.status, plain.answer)
    assert streamed.citations == plain.citations
    checked = [event for event in events if isinstance(event, Checked)]
    assert checked[-1].supported == streamed.claims


async def test_references_belong_to_their_turn(open_kaoju: Any) -> None:
    """Turn 2 fails, turn 3 cites other places: the numbers of turn 1 stay what they were."""
    state = {"up": True}
    texts = {"星河": "星河项目的负责人是林岚。", "远帆": "远帆项目的负责人是赵启明。"}

    async def behave(call: ToolCall) -> Any:
        if not state["up"]:
            raise ConnectionError("away")
        name = next(name for name in texts if name in str(call.arguments["query"]))
        return Succeeded(evidence=(found(call, texts[name], f"{name}.md"),), confidence=0.8)

    tools = [
        FakeTool(SPECS["semantic_search"], behave),
        FakeTool(SPECS["keyword_search"], behave),
        FakeTool(SPECS["follow_links"], nothing),
    ]
    async with open_kaoju(tools=tools) as engine:
        first = await engine.ask(WHO, now=NOW, session="s")
        live = answer_json(first)
        state["up"] = False
        second = await engine.ask("远帆项目的负责人是谁？", now=NOW, session="s")
        state["up"] = True
        third = await engine.ask("远帆项目的负责人是谁？", now=NOW, session="s")
    assert (second.status, second.citations) == ("failed", ())
    assert [(c.n, c.document_id) for c in third.citations] == [(1, "远帆.md")]
    assert answer_json(first) == live
    assert [c.document_id for c in first.citations] == ["星河.md"]
    assert len({first.run_id, second.run_id, third.run_id}) == 3


async def test_an_embedding_model_that_dies_while_composing_fails_no_run(
    open_kaoju: Any, embedder: Any
) -> None:
    class Dying:
        name, dim, asked = embedder.name, embedder.dim, 0

        def queries(self, texts: Any) -> Any:
            return embedder.queries(texts)

        def passages(self, texts: Any) -> Any:
            self.asked += 1
            raise ModelError("unreachable", "the embedding endpoint is gone", "向量接口没有响应")

    dying = Dying()
    async with open_kaoju(embedder=dying) as engine:
        answer = await engine.ask("When does leave expire?", now=NOW)
    is_sound(answer)
    assert dying.asked
    assert any("endpoint is gone" in note for note in answer.notes)


async def test_an_embedding_model_that_dies_while_searching_is_a_failed_tool(
    open_kaoju: Any, embedder: Any
) -> None:
    class Dead:
        name, dim = embedder.name, embedder.dim

        def queries(self, texts: Any) -> Any:
            raise ModelError("unreachable", "the embedding endpoint is gone", "向量接口没有响应")

        passages = queries

    async with open_kaoju(embedder=Dead()) as engine:
        answer = await engine.ask(WHO, now=NOW)
    is_sound(answer)
    assert answer.status == "failed"
    assert "向量接口没有响应" in answer.answer


@pytest.mark.parametrize("slow", ["星河", "远帆"])
async def test_which_of_two_tasks_finishes_first_leaves_no_trace(open_kaoju: Any, slow: str) -> None:
    async def behave(call: ToolCall) -> Succeeded:
        if slow in str(call.arguments["query"]):
            await asyncio.sleep(0.1)
        both = ("星河项目的负责人是林岚。", "远帆项目的负责人是赵启明。")
        return Succeeded(evidence=tuple(found(call, text, f"{text[:2]}.md") for text in both), confidence=0.8)

    tools = [FakeTool(SPECS["semantic_search"], behave), FakeTool(SPECS["follow_links"], nothing)]
    async with open_kaoju(tools=tools) as engine:
        answer = await engine.ask(BOTH, now=NOW)
    is_sound(answer)
    assert [(c.document_id, c.task_id, c.evidence_id) for c in answer.citations] == [
        ("星河.md", "t1", "e1"),
        ("远帆.md", "t1", "e2"),
    ]
