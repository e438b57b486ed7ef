"""The merged ranking: bounded, monotone, comparable between queries; codes lean on words."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kaoju.knowledge.fusion import CODE_LEXICAL, LEXICAL, Candidate, coverage, fuse, lexical_weight
from kaoju.knowledge.ranking import PER_DOCUMENT, distinct
from kaoju.model.document import Passage
from kaoju.model.evidence import Locator

CANDIDATES = st.dictionaries(
    st.text(max_size=4),
    st.builds(
        Candidate,
        cosine=st.floats(-1, 1),
        bm25=st.floats(0, 200),
        tokens=st.frozensets(st.sampled_from(["harbor", "budget", "项目", "x"])),
    ),
    max_size=8,
)


@settings(deadline=None)
@given(CANDIDATES, st.sampled_from([0.0, LEXICAL, CODE_LEXICAL, 1.0]))
def test_every_candidate_comes_back_once_in_falling_order(found, weight) -> None:
    ranked = fuse("harbor 项目", found, lexical_weight=weight)
    assert {hit.chunk_id for hit in ranked} == set(found)
    scores = [hit.score for hit in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= hit.score <= 1 and 0 <= hit.lexical <= 1 for hit in ranked)


@settings(deadline=None)
@given(CANDIDATES, st.floats(-1, 1))
def test_a_greater_cosine_never_lowers_a_score(found, cosine) -> None:
    words = frozenset({"harbor"})
    lower, upper = Candidate(min(cosine, 0.9), 3.0, words), Candidate(max(cosine, 0.9), 3.0, words)
    scores = {
        hit.chunk_id: hit.score
        for hit in fuse("harbor", {**found, "lo!": lower, "up!": upper}, lexical_weight=LEXICAL)
    }
    assert scores["lo!"] <= scores["up!"]


def test_the_score_of_a_good_hit_does_not_depend_on_how_bad_the_others_are() -> None:
    good = Candidate(0.88, 15.0, frozenset({"harbor", "budget"}))
    bad = Candidate(0.76, 1.0, frozenset({"budget"}))
    alone = fuse("harbor budget", {"g": good}, lexical_weight=LEXICAL)[0].score
    among = fuse("harbor budget", {"g": good, "b": bad}, lexical_weight=LEXICAL)[0].score
    assert abs(alone - among) < 0.01
    only_bad = fuse("harbor budget", {"b": bad}, lexical_weight=LEXICAL)[0].score
    assert only_bad < among - 0.3


def test_rare_words_weigh_more_in_coverage() -> None:
    found = {"rare": {"ag-500"}, **{f"c{i}": {"gateway"} for i in range(9)}}
    shares = coverage("AG-500 gateway", found)
    assert shares["rare"] > shares["c0"] > 0


def test_coverage_of_a_query_of_stop_words_is_not_lost() -> None:
    assert coverage("who is it", {"a": {"who", "is", "it"}, "b": {"x"}}) == {"a": 1.0, "b": 0.0}


def test_codes_and_quotes_lean_on_words_and_questions_do_not() -> None:
    for query in ("A-7731", "AG-500 E102", "“极光网关”"):
        assert lexical_weight(query, "auto") == CODE_LEXICAL
        assert lexical_weight(query, "hybrid") == LEXICAL
    for query in ("年假可以结转到下一年吗", "who approves travel expenses of the A-7731 team in the north"):
        assert lexical_weight(query, "auto") == LEXICAL


def passage(document: str, text: str, score: float) -> Passage:
    return Passage(
        document_id=document,
        chunk_id=f"{document}#{text}",
        title="",
        text=text,
        locator=Locator(),
        score=score,
    )


def test_each_text_once_and_few_of_one_document_while_others_are_left() -> None:
    crowd = [passage("a", f"part {i}", 0.9 - i / 100) for i in range(5)]
    ranked = [*crowd, passage("b", "Ｐart 0 ", 0.7), passage("b", "three", 0.6), passage("c", "four", 0.5)]
    few = crowd[:PER_DOCUMENT]
    assert distinct(ranked, PER_DOCUMENT + 2) == (*few, *ranked[-2:])
    assert distinct(ranked, PER_DOCUMENT + 3) == (*crowd[: PER_DOCUMENT + 1], *ranked[-2:])
    assert [p.text for p in distinct(ranked, 99)] == [*(p.text for p in crowd), "three", "four"]
