"""From what was found to the next query: binding placeholders and making follow-up tasks.

Everything here is pure. A follow-up is always anchored to the original
question, never repeats a query, and starts from evidence in hand: the names
that a passage mentions and the question does not, or the links that lead from
a passage to the passages about what it mentions.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kaoju.language.names import find_names
from kaoju.language.normalise import normalise
from kaoju.language.segment import terms
from kaoju.language.sentences import sentences
from kaoju.model.evidence import JSON, Evidence
from kaoju.model.plan import Need, Plan, PlanType, Task
from kaoju.model.question import Question
from kaoju.model.verdict import NeedVerdict, Sufficiency

PLACEHOLDER = re.compile(r"\{(t\d+)\}")
LINK_TOOL = "follow_links"
SEARCH_TOOL = "semantic_search"
SEARCHES = (SEARCH_TOOL, "keyword_search")
CHAINED = frozenset({PlanType.MULTI_HOP})
"""Plans whose parts name what the whole question only describes: their parts count in full."""
PART_WEIGHT = 0.6
LATER_WEIGHT = 0.4
"""Weights of another plan's part beside the whole question, and of what later rounds look for; chosen on
hotpotqa_dev, musique_dev and multihop_rag together."""
SEEDS = 5
"""Passages whose links a hop follows; more brought nothing on the development sets."""
MAX_BOUND_NAMES = 2
_POINTS_BACK = re.compile(r"\s*(?:(?:he|she|it|they|his|her|its|their)\b|[他她它]们?|该|其)", re.IGNORECASE)
SAME_RANK = 0.9
"""A second name is put in only where it scores at least this share of the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """A name that evidence introduces and that the query did not contain."""

    name: str
    score: float
    """Share of the query's terms in the sentence that names it, times the evidence's score."""


def bridges(query: str, evidence: Sequence[Evidence]) -> tuple[Bridge, ...]:
    """Return the names that `evidence` adds to `query`, the most telling first.

    A name counts by the sentence that it stands in: how many of the query's
    content terms that sentence (or its title) carries, and how good the
    evidence is. A sentence that begins with a pronoun speaks of the sentence
    before it. Names that the query already holds are left out.
    """
    asked = set(terms(query))
    plain = normalise(query)
    best: dict[str, Bridge] = {}
    for piece in evidence:
        if piece.kind == "rows":
            for bridge in _cells(asked, plain, piece):
                best.setdefault(normalise(bridge.name), bridge)
            continue
        title = set(terms(f"{piece.title} {piece.locator.section}"))
        before: set[str] = set()
        for sentence in sentences(piece.text):
            held = set(terms(sentence.text))
            carried = asked & (held | title | (before if _POINTS_BACK.match(sentence.text) else set()))
            before = held
            share = len(carried) / len(asked) if asked else 0.0
            for place, name in enumerate(find_names(sentence.text)):
                key = normalise(name.text)
                if len(key) < 2 or key in plain or plain in key:
                    continue
                score = share * max(piece.score, 0.1) * (0.97**place)
                if key not in best or best[key].score < score:
                    best[key] = Bridge(name=name.text, score=score)
    return tuple(sorted(best.values(), key=lambda bridge: -bridge.score))


def _cells(asked: set[str], plain: str, piece: Evidence) -> Iterator[Bridge]:
    """Yield the texts of a few found rows that the query did not hold, those of asked-for columns first."""
    for row in piece.rows[:MAX_BOUND_NAMES]:
        for column, value in row.items():
            if not isinstance(value, str) or not value.strip() or normalise(value) in plain:
                continue
            wanted = bool(asked & set(terms(column))) or normalise(column) in plain
            yield Bridge(name=value.strip(), score=1.0 if wanted else 0.4)


def bind(task: Task, found: Mapping[str, Sequence[Evidence]], queries: Mapping[str, str]) -> Task | None:
    """Fill every `{tN}` of a task's query with what task tN found.

    Args:
        task: a task whose query may hold placeholders.
        found: evidence of the tasks it depends on.
        queries: the queries that those tasks asked.

    Returns:
        The task with a self-contained query; None where a placeholder's task
        found nothing, so that there is nothing to hop from.
    """
    if task.tool == LINK_TOOL and "from" not in task.arguments:
        start = _best_passages([piece for parent in task.depends_on for piece in found.get(parent, ())])
        if not start:
            return None
        task = replace(task, arguments={**task.arguments, "from": [piece.chunk_id for piece in start]})
    filled = fill(task.query, found, queries)
    if filled is None:
        return None
    arguments = {name: _bound(value, found, queries) for name, value in task.arguments.items()}
    return replace(task, query=filled.text, arguments=arguments)


def _bound(value: JSON, found: Mapping[str, Sequence[Evidence]], queries: Mapping[str, str]) -> JSON:
    """Fill the placeholder that an argument is; it gets the one likeliest name."""
    match = PLACEHOLDER.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value
    filled = fill(match.group(), found, queries)
    return value if filled is None else filled.names[0] if filled.names else filled.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A text whose placeholders are filled."""

    text: str
    names: tuple[str, ...]
    """What was put in."""


def fill(text: str, found: Mapping[str, Sequence[Evidence]], queries: Mapping[str, str]) -> Filled | None:
    """Put what earlier tasks found in the place of `{tN}`; None where one of them found nothing."""
    put: list[str] = []
    for parent in dict.fromkeys(PLACEHOLDER.findall(text)):
        pieces = found.get(parent, ())
        if not pieces:
            return None
        named = bridges(queries.get(parent, ""), pieces)
        names = [b.name for b in named[:MAX_BOUND_NAMES] if b.score >= named[0].score * SAME_RANK]
        said = " ".join(names) if names else " ".join(terms(pieces[0].text)[:8])
        text = text.replace("{" + parent + "}", said)
        put.extend(names[:1])
    return Filled(text=text, names=tuple(put))


def bind_needs(plan: Plan, found: Mapping[str, Sequence[Evidence]], queries: Mapping[str, str]) -> Plan:
    """Return the plan with its needs spelled out by what was found, so that they can be judged."""
    needs = []
    for need in plan.needs:
        filled = fill(need.text, found, queries) if PLACEHOLDER.search(need.text) else None
        if filled is None:
            needs.append(need)
        else:
            needs.append(
                replace(need, text=filled.text, anchors=tuple(dict.fromkeys((*need.anchors, *filled.names))))
            )
    return replace(plan, needs=tuple(needs))


def follow_ups(
    question: Question,
    plan: Plan,
    evidence: Sequence[Evidence],
    sufficiency: Sufficiency,
    *,
    tools: Sequence[str],
    was_asked: Callable[[str, str], bool],
    limit: int,
) -> tuple[Task, ...]:
    """Make the next round's tasks for the needs that are not covered.

    For each gap, in order: follow the links of the best passages; ask for the
    gap together with the most telling bridge name; ask for the gap in plain
    keywords. Queries that were asked before are not repeated.

    Returns:
        At most `limit` tasks with fresh ids; empty where nothing new can be asked.
    """
    needs = {need.id: need for need in plan.needs}
    numbers = _fresh_ids(plan)
    made: list[Task] = []
    offered: set[tuple[str, str]] = set()
    options = [list(_options(question, needs.get(g.need_id), g, evidence, tools)) for g in sufficiency.gaps]
    for turn in range(max(map(len, options), default=0)):
        for row in options:
            if turn >= len(row) or len(made) >= limit:
                continue
            task = row[turn]
            key = (task.tool, normalise(task.query))
            if key in offered or was_asked(*key):
                continue
            offered.add(key)
            made.append(replace(task, id=f"t{next(numbers)}"))
    return tuple(made)


def _options(
    question: Question,
    need: Need | None,
    gap: NeedVerdict,
    evidence: Sequence[Evidence],
    tools: Sequence[str],
) -> list[Task]:
    wanted = gap.gap or (need.text if need else question.text)
    passages = _best_passages(evidence)
    options = []
    if passages and LINK_TOOL in tools:
        start: list[JSON] = [piece.chunk_id for piece in passages]
        options.append(replace(_task(LINK_TOOL, wanted, wanted, gap), arguments={"from": start}))
    named = bridges(question.text, passages)
    if named and "semantic_search" in tools:
        options.append(_task("semantic_search", f"{named[0].name} {wanted}", wanted, gap))
    if normalise(wanted) != normalise(question.text) and "semantic_search" in tools:
        options.append(_task("semantic_search", wanted, wanted, gap))
    if "keyword_search" in tools:
        options.append(_task("keyword_search", " ".join(dict.fromkeys(terms(wanted))) or wanted, wanted, gap))
    options.extend(
        _task("semantic_search", f"{b.name} {wanted}", wanted, gap)
        for b in named[1:3]
        if "semantic_search" in tools
    )
    return options


def anchored(question: Question, plan: Plan, tools: Sequence[str]) -> Plan:
    """Return the plan with a search for the whole question, beside which its parts count less.

    Scores of short queries are generous; without the anchor, a part's best
    passages would stand above what the whole question finds.
    """
    if SEARCH_TOOL not in tools or not any(task.tool in SEARCHES for task in plan.tasks):
        return plan
    whole = normalise(question.text)
    if any(task.tool == SEARCH_TOOL and normalise(task.query) == whole for task in plan.tasks):
        return plan
    weight = 1.0 if plan.type in CHAINED else PART_WEIGHT
    parts = tuple(replace(task, weight=weight) if task.tool in SEARCHES else task for task in plan.tasks)
    purpose = "按整个问题检索" if question.language == "zh" else "search for the question as a whole"
    anchor = Task(id=f"t{next(_fresh_ids(plan))}", purpose=purpose, tool=SEARCH_TOOL, query=question.text)
    return replace(plan, tasks=(*parts, anchor))


def link_task(question: Question, plan: Plan, tools: Sequence[str]) -> Task | None:
    """Make a task that follows the links of all passages of the plan; None where it has one or no tool can."""
    searches = tuple(task.id for task in plan.tasks if task.tool in SEARCHES)
    if LINK_TOOL not in tools or not searches or any(task.tool == LINK_TOOL for task in plan.tasks):
        return None
    purpose = (
        "顺着已找到段落中的名称继续查找"
        if question.language == "zh"
        else "follow the names in the passages found"
    )
    return Task(
        id=f"t{next(_fresh_ids(plan))}",
        purpose=purpose,
        tool=LINK_TOOL,
        query=question.text,
        depends_on=searches,
    )


def _best_passages(evidence: Sequence[Evidence]) -> list[Evidence]:
    passages = (piece for piece in evidence if piece.kind == "passage" and piece.chunk_id)
    return sorted(passages, key=lambda piece: -piece.score)[:SEEDS]


def _task(tool: str, query: str, purpose: str, gap: NeedVerdict) -> Task:
    return Task(id="", purpose=purpose, tool=tool, query=query, need=gap.need_id, weight=LATER_WEIGHT)


def _fresh_ids(plan: Plan) -> Iterator[int]:
    used = [int(t.id[1:]) for t in plan.tasks if re.fullmatch(r"t\d+", t.id)]
    return itertools.count(max(used, default=0) + 1)
