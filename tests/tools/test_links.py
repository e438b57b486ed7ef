"""Links: a passage that names something leads to the passage about it, and never above what the search found."""

from kaoju.model.document import Passage
from kaoju.model.evidence import Locator
from kaoju.model.tool import ToolCall
from kaoju.tools.links import Link, ranked


def passage(name: str, text: str, cosine: float) -> Passage:
    return Passage(
        document_id=name,
        chunk_id=f"{name}#0",
        title=name,
        text=text,
        locator=Locator(),
        score=0.0,
        semantic=cosine,
    )


def call(query: str) -> ToolCall:
    return ToolCall(
        run_id="r", task_id="t", attempt=1, tool="follow_links", arguments={"query": query, "from": ["a#0"]}
    )


def test_the_target_that_carries_what_the_source_lacks_comes_first() -> None:
    film = passage("film", "The film Dawn was directed by Ann Lee.", 0.86)
    links = (
        Link(source=film, target=passage("Ann Lee", "Ann Lee was born in Oslo.", 0.82), key="ann lee"),
        Link(source=film, target=passage("Dawn chorus", "A song of birds.", 0.82), key="dawn"),
    )
    found = ranked(call("Where was the director of the film Dawn born?"), links)
    assert [piece.document_id for piece in found] == ["Ann Lee", "Dawn chorus"]
    assert found[0].metadata["via"] == "ann lee"


def test_high_cosines_all_round_do_not_lift_every_link() -> None:
    near = passage("招生简章", "招生计划见通知。", 0.95)
    links = (Link(source=near, target=passage("通知", "通知的格式。", 0.94), key="通知"),)
    found = ranked(call("2016年招收多少人"), links)
    assert found[0].score < 0.8


def test_a_name_with_many_documents_under_it_leads_less_surely_than_one_with_one() -> None:
    news = passage("新闻", "法学院与经济研究所联合发布报告。", 0.86)
    schools = tuple(
        Link(source=news, target=passage(f"法学院{n}", "法学院简介。", 0.84), key="法学院") for n in range(6)
    )
    one = Link(source=news, target=passage("经济研究所", "研究所简介。", 0.84), key="经济研究所")
    found = ranked(call("联合发布报告的单位在哪里办公"), (*schools, one))
    assert found[0].document_id == "经济研究所"


def test_a_name_that_was_asked_for_leads_nowhere_new() -> None:
    news = passage("新闻", "法学院与经济研究所联合发布报告。", 0.86)
    links = (
        Link(source=news, target=passage("法学院", "法学院简介。", 0.84), key="法学院"),
        Link(source=news, target=passage("经济研究所", "研究所简介。", 0.84), key="经济研究所"),
    )
    found = ranked(call("与法学院联合发布报告的单位是哪个"), links)
    assert [piece.document_id for piece in found] == ["经济研究所", "法学院"]
