"""Of dated statements about one office, the latest one that holds at the asked time answers."""

from __future__ import annotations

from datetime import date

import pytest

from kaoju.judging.tenure import holding
from kaoju.language.detect import detect
from kaoju.language.offices import at_time, without_time
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.question import Question

NOW = date(2026, 3, 31)

ENGLISH = {
    "old": "Board news\n\nOn 3 May 2016 Halden Foods appointed Ruth Lane as CEO.",
    "new": "Board news\n\nHalden Foods has a new head. On 9 July 2022 Ivo Brandt became CEO of Halden Foods.",
    "else": "Board news\n\nOn 1 June 2020 Tarn Mills appointed Ann Poe as CEO.",
}
CHINESE = {
    "old": "2016年5月3日，远山食品任命刘岚为董事长。",
    "new": "2022年7月9日，远山食品任命高远为董事长，刘岚离任。",
    "else": "2020年6月1日，青禾纺织任命何山为董事长。",
}


def _pieces(texts: dict[str, str]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(id=key, kind="passage", text=text, document_id=key, title="", locator=Locator(), tool="t")
        for key, text in texts.items()
    )


def _aside(text: str, pieces: tuple[Evidence, ...]) -> set[str]:
    question = Question(text=text, language=detect(text), now=NOW)
    return {piece.id for piece in holding(question, pieces).succeeded}


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("Who is the current CEO of Halden Foods?", {"old"}),
        ("Who is the CEO of Halden Foods?", {"old"}),
        ("Who was the CEO of Halden Foods in 2019?", {"new"}),
        ("Who was the CEO of Halden Foods in 2024?", {"old"}),
        ("Who was the CEO of Halden Foods in 2012?", {"old", "new"}),
        ("When was Ruth Lane appointed CEO of Halden Foods?", set()),
        ("Who was the first CEO of Halden Foods?", set()),
    ],
)
def test_the_statement_of_that_time_holds(text: str, aside: set[str]) -> None:
    assert _aside(text, _pieces(ENGLISH)) == aside


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("远山食品现任董事长是谁？", {"old"}),
        ("目前谁是远山食品的董事长？", {"old"}),
        ("远山食品2019年的董事长是谁？", {"new"}),
        ("远山食品2012年的董事长是谁？", {"old", "new"}),
        ("远山食品的前任董事长是谁？", set()),
        ("刘岚什么时候担任远山食品董事长？", set()),
    ],
)
def test_the_same_in_chinese(text: str, aside: set[str]) -> None:
    assert _aside(text, _pieces(CHINESE)) == aside


def test_a_term_that_had_ended_does_not_hold() -> None:
    pieces = _pieces({"term": "Ruth Lane was CEO of Halden Foods from 2010 to 2015."})
    assert _aside("Who was the CEO of Halden Foods in 2019?", pieces) == {"term"}
    assert _aside("Who was the CEO of Halden Foods in 2012?", pieces) == set()


def test_a_statement_without_a_date_says_nothing_of_a_past_year() -> None:
    pieces = _pieces({"bare": "Ruth Lane is the CEO of Halden Foods."})
    assert _aside("Who was the CEO of Halden Foods in 2019?", pieces) == {"bare"}
    assert _aside("Who is the CEO of Halden Foods?", pieces) == set()


def test_newer_news_of_the_same_house_succeeds_nobody() -> None:
    pieces = _pieces({**ENGLISH, "news": "On 1 March 2025 Halden Foods opened a plant in Leeds."})
    assert _aside("Who is the CEO of Halden Foods?", pieces) == {"old"}


def test_only_a_past_time_rules_the_rest_out() -> None:
    pieces = _pieces(ENGLISH)
    then = Question(text="Who was the CEO of Halden Foods in 2019?", language="en", now=NOW)
    today = Question(text="Who is the CEO of Halden Foods?", language="en", now=NOW)
    assert holding(then, pieces).past
    assert not holding(today, pieces).past


def test_the_time_is_taken_out_of_a_question_whole() -> None:
    assert without_time("Who was the CEO of Halden Foods in 2019?", NOW) == "Who was the CEO of Halden Foods?"
    assert without_time("远山食品2019年的董事长是谁？", NOW) == "远山食品董事长是谁？"


def test_a_figure_of_a_year_is_no_office() -> None:
    assert at_time("What was the revenue of Halden Foods in 2019?", NOW) is None
    assert at_time("远山食品2019年的营收是多少？", NOW) is None
