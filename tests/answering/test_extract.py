"""Answers in the words of the sources."""

from __future__ import annotations

from collections.abc import Sequence

from tests.answering.helpers import covered, passage, plan_for, question, rows

from kaoju.answering import extract
from kaoju.answering.verify import verify
from kaoju.model.plan import Need, PlanType

HANDBOOK = passage(
    1, "员工手册。正式员工每年享有 15 天年假。未休完的年假可以结转到下一年，最多 5 天。加班费按国家规定发放。"
)


def test_the_sentence_that_answers_is_taken_as_it_stands() -> None:
    asked = question("未休完的年假最多可以结转几天？")
    draft = extract.compose(asked, plan_for(asked.text), (HANDBOOK,), covered(n1="e1"))
    assert [claim.text for claim in draft.claims] == ["未休完的年假可以结转到下一年，最多 5 天。"]
    assert all(claim.text in HANDBOOK.text for claim in draft.claims)
    assert draft.writer == "extractive"


def test_a_pronoun_sentence_is_found_by_what_its_passage_is_about() -> None:
    lead = "Kari Berg is a Norwegian engineer. She likes chess. She was born in Bergen in 1961."
    asked = question("When was Kari Berg born?")
    draft = extract.compose(asked, plan_for(asked.text), (passage(1, lead),), covered(n1="e1"))
    assert draft.claims[0].text == "She was born in Bergen in 1961."


def test_a_need_that_is_not_covered_gets_no_claim() -> None:
    asked = question("Who pays for lunch?")
    draft = extract.compose(asked, plan_for(asked.text), (HANDBOOK,), covered(n1=""))
    assert draft.claims == ()
    assert draft.insufficient


def test_rows_become_sentences_of_typed_cells_that_verify() -> None:
    asked = question("哪个项目预算超支最多？")
    table = rows(1, {"项目": "启明项目", "实际支出": 620000, "预算": 500000, "超支": 120000})
    plan = plan_for(asked.text, kind=PlanType.AGGREGATE)
    draft = extract.compose(asked, plan, (table,), covered(n1="e1"))
    assert [claim.text for claim in draft.claims] == [
        "「启明项目」超支 120000（实际支出 620000 - 预算 500000）"
    ]
    checked = verify(draft, asked, plan, (table,))
    assert checked.uncovered == ()
    assert checked.citations[0].locator.rows == (2, 2)
    assert checked.citations[0].quote == table.text


def test_many_rows_are_cut_and_counted() -> None:
    asked = question("List all projects")
    table = rows(1, *({"project": f"P-{n}", "cost": n} for n in range(1, 9)))
    draft = extract.compose(asked, plan_for(asked.text), (table,), covered(n1="e1"))
    assert len(draft.claims) == 5
    assert "3 more rows" in draft.notes[0]


def test_a_comparison_gives_both_sides_and_the_computed_difference() -> None:
    asked = question("Which has the higher budget, Atlas or Borealis?")
    evidence = (
        passage(1, "Atlas has a budget of 500,000 USD."),
        passage(2, "Borealis has a budget of 320,000 USD."),
    )
    needs = (
        Need(id="n1", text="budget of Atlas", anchors=("Atlas",)),
        Need(id="n2", text="budget of Borealis", anchors=("Borealis",)),
    )
    plan = plan_for(*needs, kind=PlanType.COMPARE)
    draft = extract.compose(asked, plan, evidence, covered(n1="e1", n2="e2"))
    checked = verify(draft, asked, plan, evidence)
    assert checked.stopped == ()
    assert (
        checked.claims[-1].text == "Atlas (500,000 USD) is higher than Borealis (320,000 USD) by 180,000 USD"
    )
    assert len(checked.claims[-1].citations) == 2


def test_unlike_figures_are_not_compared() -> None:
    asked = question("启明和晨光哪个更大？")
    evidence = (passage(1, "启明有 500 人。"), passage(2, "晨光预算 320 万元。"))
    needs = (
        Need(id="n1", text="启明规模", anchors=("启明",)),
        Need(id="n2", text="晨光规模", anchors=("晨光",)),
    )
    draft = extract.compose(
        asked, plan_for(*needs, kind=PlanType.COMPARE), evidence, covered(n1="e1", n2="e2")
    )
    assert len(draft.claims) == 2


def test_both_hops_are_told() -> None:
    asked = question("In which city was the director of Polar Light born?")
    evidence = (
        passage(1, "Polar Light was directed by Kari Berg."),
        passage(2, "Kari Berg was born in Bergen."),
    )
    plan = plan_for("Who directed Polar Light?", "Where was Kari Berg born?", kind=PlanType.MULTI_HOP)
    draft = extract.compose(asked, plan, evidence, covered(n1="e1", n2="e2"))
    assert [claim.text for claim in draft.claims] == [evidence[0].text, evidence[1].text]


def test_a_computed_value_needs_no_need() -> None:
    asked = question("What is 12% of 3,400?")
    value = passage(1, "12% * 3400 = 408", kind="value", rows=({"value": 408},), inputs=("12%", "3400"))
    draft = extract.compose(asked, plan_for(kind=PlanType.DIRECT), (value,), covered())
    assert [claim.text for claim in draft.claims] == ["12% * 3400 = 408"]


def test_meaning_decides_where_words_do_not() -> None:
    asked = question("How is staff paid for additional hours?")
    text = "Rest rooms are on each floor. Overtime earns 150 percent of the wage."

    def similarity(query: str, texts: Sequence[str]) -> Sequence[float]:
        return [0.9 if "Overtime" in text else 0.76 for text in texts]

    draft = extract.compose(asked, plan_for(asked.text), (passage(1, text),), covered(n1="e1"), similarity)
    assert draft.claims[0].text.startswith("Overtime")


def test_the_same_evidence_gives_the_same_answer() -> None:
    asked = question("未休完的年假最多可以结转几天？")
    drafts = {extract.compose(asked, plan_for(asked.text), (HANDBOOK,), covered(n1="e1")) for _ in range(3)}
    assert len(drafts) == 1
