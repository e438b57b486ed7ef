"""Reading a question before anything is searched: its type, names, sides, hops and parts. Pure rules, Chinese and English."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from kaoju.language.detect import detect
from kaoju.language.names import Name, find_names
from kaoju.language.segment import terms
from kaoju.language.time import TimeRange, find_times
from kaoju.model.plan import PlanType
from kaoju.model.question import Language
from kaoju.planning.catalog import Catalog
from kaoju.planning.hop_patterns import Hop, find_hop
from kaoju.planning.rewrite import search_style
from kaoju.tools.arithmetic import ArithmeticRefusedError, evaluate
from kaoju.tools.phrases import to_expression
from kaoju.tools.sql.patterns import can_answer

SQL_SURE: Final = 0.9
"""From here on SQL alone serves."""
SQL_LIKELY: Final = 0.3
"""From here on SQL is tried beside a search, where a model can write it."""
LONG_ENGLISH_WORDS: Final = 24
LONG_CHINESE_CHARS: Final = 60
"""Longer single questions are taken for more than they seem: the rules are not sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """What rules can say of a question."""

    language: Language
    type: PlanType
    query: str
    """The question in search style."""
    names: tuple[Name, ...] = ()
    times: tuple[TimeRange, ...] = ()
    numeric: bool = False
    """Asks for a figure, a count, an extreme or a ranking."""
    sql: float = 0.0
    """How surely SQL over the tables can serve."""
    sides: tuple[str, ...] = ()
    """The things compared."""
    topic: str = ""
    """What they are compared by."""
    hop: Hop | None = None
    parts: tuple[str, ...] = ()
    """The questions that one question holds, each self-contained."""
    expression: str = ""
    """For arithmetic: what to calculate."""
    reply: str = ""
    unanswerable: str = ""
    sure: bool = True
    """False where a model, if there is one, should plan instead."""

    @property
    def anchors(self) -> tuple[str, ...]:
        """Names and codes that evidence has to mention."""
        return tuple(dict.fromkeys(name.text for name in self.names))


_GREETING: Final = re.compile(r"^\s*(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|hi|hello|hey|good (?:morning|afternoon|evening))[\s!！。.,，~]*$", re.IGNORECASE)
_THANKS: Final = re.compile(r"^\s*(?:谢谢(?:你|您)?|多谢|感谢|thanks?(?: you)?|thank you(?: very much)?)[\s!！。.,，~]*$", re.IGNORECASE)
_OPINION: Final = re.compile(r"你(?:觉得|认为|喜欢|怎么看)|您(?:觉得|认为|怎么看)|what do you think|your opinion|do you (?:like|prefer|believe)|how do you feel", re.IGNORECASE)
_NUMERIC: Final = re.compile(
    r"多少|几[个名项家天次元]|总[共和计额数]|合计|平均|最[多少高低大小长短]|排名|前[一二三四五六七八九十\d]+名?|占比|比例|增长率|同比|环比|统计|数量|金额|how (?:many|much)|total|sum of|average|mean|most|least|highest|lowest|largest|smallest|top \d+|rank|percent|ratio|count of|number of",
    re.IGNORECASE,
)
_FACTUAL_FIGURE: Final = re.compile(r"营收|收入|利润|销量|销售额|股价|排放|亏损|市值|多少|revenue|profit|sales|price|emission|how (?:many|much)|market cap", re.IGNORECASE)
_PLANNED: Final = re.compile(r"计划|目标|预计|预测|预算|规划|安排|指引|拟|将在|何时|什么时候|截止|plan|target|goal|forecast|guidance|expect|budget|schedule|deadline|project(?:ed|ion)|commit", re.IGNORECASE)
_COMPARE_ZH: Final = re.compile(r"比较|对比|相比|区别|差异|差别|不同|异同|哪(?:个|家|款|种|一个|位|项)?(?:更|比较)|谁更|更[高低多少大小长短快慢早晚贵]|比.{1,20}[高低多少大小长短快慢早晚]|还是|都(?:是|有|在)|分别|各[是有]|之间")
_COMPARE_EN: Final = re.compile(
    r"\b(?:compar\w+|differen\w+|differ|versus|vs\.?|both|same|similar\w*|respectively|than)\b|\b(?:which|who|what)\b.*\b(?:first|earlier|later|older|younger|more|less|fewer|larger|smaller|longer|shorter|higher|lower|better|newer|greater|bigger)\b.*\bor\b|\bor\b.*\?|\bbetween\b.*\band\b",
    re.IGNORECASE,
)
_SIDES_ZH: Final = re.compile(r"(?P<a>[^，,。？?的]{2,16}?)(?:和|与|跟|同|及|、|比|还是|对比|相比)(?P<b>[^，,。？?]{2,16}?)(?=的|在|相比|哪|谁|有|之间|都|分别|各|，|,|？|\?|$)")
_YESNO_ZH: Final = re.compile(r"是否|是不是|有没有|能否|可否|属实|对吗|吗[？?]?$|真的吗")
_YESNO_EN: Final = re.compile(r"^(?:is|are|was|were|does|did|do|has|have|had|can|could|should|will|would)\b", re.IGNORECASE)
_VAGUE: Final = frozenset("怎么样 情况 事情 东西 问题 这个 那个 上述 它 this that it one thing stuff".split())
_SPLIT_EN: Final = re.compile(r"\?\s+(?=\S)|[,;]?\s+(?:and|also)\s+(?=(?:who|what|when|where|which|how|why)\b)|\s*;\s*", re.IGNORECASE)
_SPLIT_ZH: Final = re.compile(r"[？?；;]\s*(?=\S)|[，,](?:以及|并且|另外|还有|同时|再)|[，,](?=[^，,？?]{0,14}(?:是多少|是谁|是什么|多少|哪些|哪里|在哪|何时|什么时候|怎么|如何|几))")
_CLAUSE_EN: Final = re.compile(r",?\s+(?:while|whereas)\s+|,\s+(?:but|and)\s+(?=(?:does|did|is|was|the|do|has)\b)", re.IGNORECASE)


def understand(text: str, now: date, catalog: Catalog) -> Understanding:
    """Return what rules can say of a question on a reference date, given the tools and tables at hand."""
    language = detect(text)
    query = search_style(text, now)
    direct = _direct(text, query, language, now)
    if direct is not None:
        return direct
    names, times = find_names(query), find_times(query, now)
    sql = can_answer(query, catalog.tables) if catalog.tables and "sql_query" in catalog.names else 0.0
    numeric = bool(_NUMERIC.search(query))

    def found(kind: PlanType, **more: object) -> Understanding:
        return Understanding(
            language=language, type=kind, query=query, names=names, times=times, numeric=numeric, sql=sql, **more  # type: ignore[arg-type]
        )

    if sql >= SQL_SURE:
        return found(PlanType.AGGREGATE)
    parts = _parts(query, language)
    if len(parts) > 1:
        return found(PlanType.DECOMPOSE, parts=parts, sure=len(parts) <= 3)  # noqa: PLR2004 - plans hold three
    sides, topic = _sides(query, names, language)
    if len(sides) > 1:
        return found(PlanType.COMPARE, sides=sides, topic=topic)
    hop = find_hop(query, language)
    if hop is not None:
        return found(PlanType.MULTI_HOP, hop=hop)
    if numeric and sql >= SQL_LIKELY:
        return found(PlanType.AGGREGATE, sure=False)
    yesno = (_YESNO_ZH if language == "zh" else _YESNO_EN).search(query)
    long = len(query.split()) > LONG_ENGLISH_WORDS if language == "en" else len(query) > LONG_CHINESE_CHARS
    return found(PlanType.VERIFY if yesno else PlanType.SINGLE, sure=not long)


def _direct(text: str, query: str, language: Language, now: date) -> Understanding | None:
    zh = language == "zh"

    def direct(**more: str) -> Understanding:
        return Understanding(language=language, type=PlanType.DIRECT, query=query, **more)  # type: ignore[arg-type]

    if _GREETING.match(text):
        return direct(reply="您好！请告诉我您想查什么，我会从资料中查找并注明出处。" if zh else "Hello! Ask me anything about your documents; I answer from them and cite the place.")
    if _THANKS.match(text):
        return direct(reply="不客气，有问题随时问我。" if zh else "You are welcome; ask whenever you like.")
    expression = _expression(query)
    if expression:
        return direct(expression=expression)
    if _OPINION.search(text):
        return direct(unanswerable="这个问题在问看法，而我只陈述资料中的内容；可以改问资料里怎么说。" if zh else "this asks for an opinion, and only what documents say can be stated; ask what they say about it instead.")
    if not [term for term in terms(query) if term not in _VAGUE]:
        return direct(unanswerable="问题太笼统，看不出指的是什么；请写明对象，例如某个项目、制度或时间段。" if zh else "the question is too vague to know what is meant; name the thing, for example a project, a policy or a period.")
    times = find_times(query, now)
    if times and all(t.start > now for t in times) and _FACTUAL_FIGURE.search(query) and not _PLANNED.search(query):
        when = "、".join(t.text for t in times) if zh else ", ".join(t.text for t in times)
        return direct(unanswerable=f"问的是尚未发生的时间（{when}，今天是 {now}），不会有实际数字；可以改问计划或预测。" if zh else f"it asks for a figure of a time that has not come yet ({when}; today is {now}); ask for a plan or a forecast instead.")
    return None


def _expression(query: str) -> str:
    bare = re.sub(r"^(?:计算(?:一下)?|算一下|算算|calculate|compute|what(?:'s| is))\s*", "", query, flags=re.IGNORECASE).strip(" ?？。.=＝")
    bare = re.sub(r"(?:等于多少|是多少|等于几|等于)$", "", bare).strip()
    if not re.search(r"\d", bare) or re.fullmatch(r"[\d,.]+", bare):
        return ""
    try:
        evaluate(to_expression(bare))
    except ArithmeticRefusedError:
        return ""
    return bare


def _parts(query: str, language: Language) -> tuple[str, ...]:
    pieces = [p.strip(" ，,。") for p in (_SPLIT_ZH if language == "zh" else _SPLIT_EN).split(query)]
    if language == "en" and len(pieces) == 1 and _YESNO_EN.search(query):
        pieces = [p.strip() for p in _CLAUSE_EN.split(query)]
    if language == "zh":
        pieces = _whole_questions(pieces)
    pieces = [p for p in pieces if len(set(terms(p))) >= (2 if language == "zh" else 1)]
    if len(pieces) < 2:  # noqa: PLR2004 - one part is the question
        return ()
    subject = next(iter(find_names(pieces[0])), None)
    filled = [pieces[0]]
    for piece in pieces[1:]:
        lacks = subject is not None and not find_names(piece)
        gap = "" if language == "zh" else " "
        filled.append(f"{subject.text}{gap}{piece}" if lacks and subject else piece)
    return tuple(filled)


_ASKS_ZH: Final = re.compile(r"什么|多少|谁|哪|几|何|怎么|怎样|吗|是否|能否|多[长久大高远]")


def _whole_questions(pieces: list[str]) -> list[str]:
    """Join pieces that ask nothing of their own to the one that follows."""
    whole: list[str] = []
    held = ""
    for piece in pieces:
        held = f"{held}，{piece}" if held else piece
        if _ASKS_ZH.search(piece):
            whole.append(held)
            held = ""
    return whole if not held else [*whole[:-1], f"{whole[-1]}，{held}"] if whole else [held]


def _sides(query: str, names: tuple[Name, ...], language: Language) -> tuple[tuple[str, ...], str]:
    if not (_COMPARE_ZH if language == "zh" else _COMPARE_EN).search(query):
        return (), ""
    sides = _joined_names(query, names)
    if len(sides) < 2 and language == "zh":  # noqa: PLR2004 - two sides make a comparison
        match = _SIDES_ZH.search(query)
        if match:
            sides = tuple(re.sub(r"^(?:比较|对比|请|将)", "", side) for side in (match.group("a"), match.group("b")))
    if len(sides) < 2:  # noqa: PLR2004
        return (), ""
    topic = query
    for side in sides:
        topic = topic.replace(side, " ")
    topic = re.sub(r"(?:和|与|跟|以及|还是|相比|对比|比较|之间|的区别|的差异|分别|哪个|哪家)|\b(?:and|or|between|compare|compared|versus|vs)\b", " ", topic)
    return sides, " ".join(re.sub(r"[，,？?。.]", " ", topic).split())


def _joined_names(query: str, names: tuple[Name, ...]) -> tuple[str, ...]:
    """Return the names that a conjunction or a comma joins: the sides of a comparison."""
    groups: list[list[Name]] = []
    for name in names:
        if groups:
            between = query[groups[-1][-1].end : name.start]
            if re.fullmatch(r"[\s'\"”“’‘」》)]*(?:,|、|，)?\s*(?:and|or|vs\.?|versus|和|与|跟|同|及|比|还是|对比)?\s*(?:the|a|an|film|song|movie|company|director|of)*[\s'\"”“’‘「《(]*", between, re.IGNORECASE) and between.strip():
                groups[-1].append(name)
                continue
        groups.append([name])
    best = max(groups, key=len, default=[])
    halves = [part for name in names for part in name.text.split(" and ")]
    if len(best) == 1 and len(halves) > len(names):
        return tuple(dict.fromkeys(halves))[:3]
    if len(best) > 1:
        return tuple(dict.fromkeys(name.text for name in best))[:3]
    return ()
