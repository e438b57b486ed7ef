"""The comparison of two answers: how it is worded, and that a wrong one does not leave."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.answering.helpers import passage, plan_for, question

from kaoju.answering.compare import comparison
from kaoju.answering.verify import verify
from kaoju.model.answer import Draft, DraftClaim
from kaoju.model.evidence import Locator
from kaoju.model.plan import Need, PlanType


def sides(*said: tuple[str, str, str]) -> tuple[tuple[Need, ...], tuple[DraftClaim, ...]]:
    """Return needs and claims from (name, need, claim)."""
    needs = tuple(Need(id=f"n{at}", text=need, anchors=(name,)) for at, (name, need, _) in enumerate(said, 1))
    claims = tuple(
        DraftClaim(text=claim, evidence_ids=(f"e{at}",), need_id=f"n{at}")
        for at, (_, _, claim) in enumerate(said, 1)
    )
    return needs, claims


@pytest.mark.parametrize(
    ("asked", "said", "verdict"),
    [
        (
            "贵州茅台和五粮液哪个营收更高？",
            (
                ("贵州茅台", "贵州茅台营收多少", "营收为1500亿元"),
                ("五粮液", "五粮液营收多少", "营收为830亿元"),
            ),
            "贵州茅台（1500亿元）高于五粮液（830亿元），相差 67,000,000,000 元",
        ),
        (
            "甲和乙的增长率哪个更高？",
            (("甲", "甲增长率多少", "增长率为12%"), ("乙", "乙增长率多少", "增长率为9%")),
            "甲（12%）高于乙（9%），相差 3 个百分点",
        ),
        (
            "甲和乙哪个2022年的预算更低？",
            (("甲", "甲预算多少", "2022年预算为320万元"), ("乙", "乙预算多少", "2022年预算为150万元")),
            "乙（150万元）低于甲（320万元），相差 1,700,000 元",
        ),
        (
            "Which is shorter, Ridge Tunnel or Lake Tunnel?",
            (
                (
                    "Ridge Tunnel",
                    "how long Ridge Tunnel",
                    "Ridge Tunnel opened in 2004, it is 2,300 metres long",
                ),
                (
                    "Lake Tunnel",
                    "how long Lake Tunnel",
                    "Lake Tunnel opened in 2011, it is 1,900 metres long",
                ),
            ),
            "Lake Tunnel (1,900 metres) is shorter than Ridge Tunnel (2,300 metres) by 400 metres",
        ),
        (
            "Which opened later, Lisbon or Porto?",
            (
                ("Lisbon", "when Lisbon opened", "Lisbon opened in March 2016"),
                ("Porto", "when Porto opened", "Porto opened in June 2019"),
            ),
            "Porto (June 2019) is later than Lisbon (March 2016)",
        ),
    ],
)
def test_the_verdict_is_worded_as_asked(
    asked: str, said: tuple[tuple[str, str, str], ...], verdict: str
) -> None:
    needs, claims = sides(*said)
    made = comparison(question(asked), needs, claims)
    assert made is not None
    assert made.text == verdict
    assert made.parts == claims


def test_a_comparison_that_its_sides_do_not_give_is_stopped() -> None:
    asked = question("Which opened first, Lisbon or Porto?")
    needs, claims = sides(
        ("Lisbon", "when Lisbon opened", "Lisbon opened in March 2016"),
        ("Porto", "when Porto opened", "Porto opened in June 2019"),
    )
    evidence = (passage(1, "Lisbon opened in March 2016."), passage(2, "Porto opened in June 2019."))
    plan = plan_for(*needs, kind=PlanType.COMPARE)
    made = comparison(asked, needs, claims)
    assert made is not None
    right = verify(Draft(claims=(*claims, made), writer="extractive"), asked, plan, evidence)
    assert right.stopped == ()
    turned = replace(made, text=made.text.replace("earlier", "later"))
    wrong = verify(Draft(claims=(*claims, turned), writer="extractive"), asked, plan, evidence)
    assert [claim.text for claim in wrong.stopped] == [turned.text]


def test_a_side_that_speaks_of_another_thing_stops_the_comparison() -> None:
    asked = question("Which opened first, Lisbon or Porto?")
    needs, claims = sides(
        ("Lisbon", "when Lisbon opened", "Opened in March 2016"),
        ("Porto", "when Porto opened", "Opened in March 2016"),
    )
    claims = tuple(replace(claim, evidence_ids=("e1",)) for claim in claims)
    made = comparison(asked, needs, claims)
    assert made is not None
    evidence = tuple(
        passage(number, text, document_id="d", locator=Locator(section=f"Offices > {name} office"))
        for number, name, text in ((1, "Lisbon", "Opened in March 2016."), (2, "Porto", "It has 18 desks."))
    )
    plan = plan_for(*needs, kind=PlanType.COMPARE)
    checked = verify(Draft(claims=(made,), writer="extractive"), asked, plan, evidence)
    assert [claim.text for claim in checked.stopped] == [made.text]
