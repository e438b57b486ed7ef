"""Questions that no search serves: greetings, plain arithmetic, opinions, and what cannot be known. Pure rules.

Anything else is searched: a question about the indexed material is never
answered from what an engine happens to know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from kaoju.language.segment import terms
from kaoju.language.time import find_times
from kaoju.model.question import Language
from kaoju.planning.routing import is_expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Direct:
    """How a question is settled without a search; exactly one field is filled."""

    reply: str = ""
    """What to say to a greeting."""
    expression: str = ""
    """What to calculate."""
    unanswerable: str = ""
    """Why nothing can answer it, in the question's language."""


MAX_WORDS: Final = 20
MAX_CHARS: Final = 40
"""A longer question asks for more than a figure of the future, and is searched."""
_END: Final = r"[\s!！。.,，~～?？]*$"
_GREETING: Final = re.compile(
    rf"^\s*(?:你好|您好|大家好|嗨|哈喽|哈啰|早上好|上午好|下午好|晚上好|早安|hi|hello|hey|good (?:morning|afternoon|evening|day))(?:[\s,，!！]*(?:啊|呀|there|kaoju|everyone|all|again))?{_END}",
    re.IGNORECASE,
)
_THANKS: Final = re.compile(
    rf"^\s*(?:(?:好的?|行|明白了?|知道了|辛苦(?:你|您)?了|太好了|great|ok(?:ay)?|perfect|cool|good)[\s,，!！.。]*)?(?:非常|十分|太)?(?:谢谢(?:你|您|啦|了)?|多谢(?:你|您|啦|了)?|感谢(?:你|您)?|thanks?(?: you)?(?: very much| so much| a lot| a million| a bunch| a ton)?)(?:的?(?:帮助|帮忙|解答|回答|回复|支持)|(?: for (?:your|the|all(?: the| your)?) (?:help|support|answers?|time)))?{_END}",
    re.IGNORECASE,
)
_FAREWELL: Final = re.compile(
    rf"^\s*(?:再见|拜拜|回头见|(?:明天|下次|下周|待会儿?)见|晚安|bye(?: bye)?|goodbye|good night|take care|see (?:you|ya)(?: (?:later|tomorrow|soon|around|next (?:week|time|month)))?){_END}",
    re.IGNORECASE,
)
_WHO_ARE_YOU: Final = re.compile(
    rf"^\s*(?:你是谁|您是谁|你(?:能|会|可以)(?:做|干)(?:些)?什么|你有什么功能|who are you|what can you do|what do you do|how can you help(?: me)?){_END}",
    re.IGNORECASE,
)
_OPINION: Final = re.compile(
    r"(?:你|您)(?:个人)?(?:觉得|认为|喜欢|怎么看|的看法|的意见|更喜欢|推荐不推荐)|\bwhat do you think\b|\byour (?:opinion|view|thoughts|favou?rite)\b|\bdo you (?:like|prefer|believe|think|agree)\b|\bhow do you feel\b",
    re.IGNORECASE,
)
_VAGUE: Final = frozenset(
    "怎么样 情况 事情 东西 问题 这个 那个 这些 那些 上述 如何 怎样 介绍 看看 it thing stuff one ok okay".split()
)
_NAMES_NOTHING: Final = re.compile(
    r"^(?:这|那)(?:个|些|件|里|边)?(?:是|有)?(?:事|东西|情况)?(?:怎么样|怎样|如何|什么|多少|呢|吗|为什么|怎么办)?$"
)
_FOLLOW_UP: Final = re.compile(
    r"^(?:那么?|那要是|如果是)[^，。？?的]{1,16}呢$|^(?:and\s+)?(?:what|how) about [^,?]{1,40}$|^and (?:in|for|of) [^,?]{1,30}$",
    re.IGNORECASE,
)
"""It says of what, and leaves what is asked to an earlier question."""
_ASKS: Final = re.compile(r"什么|多少|几|谁|哪|怎|为何|是否|吗|如何")
_OUTCOME: Final = re.compile(
    r"营业?收入?|收入|净利|利润|毛利|销量|销售额|出货量|股价|市值|市占率|排放量?|产量|亏损|增长率|实际支出|回报率|汇率|谁(?:会|将)?(?:赢|当选|夺冠)|天气|\b(?:revenue|profit|sales|earnings|net income|stock price|share price|market cap|market share|emissions?|output|loss|growth rate|exchange rate|actual spending|weather)\b|\bwho (?:will|is going to) (?:win|be elected)\b",
    re.IGNORECASE,
)
_PLANNED: Final = re.compile(
    r"计划|目标|预计|预测|预算|规划|安排|指引|拟|将在|何时|什么时候|截止|承诺|预期|展望|假设|\b(?:plan(?:ned|ning|s)?|target(?:ed|s)?|goal|forecast|guidance|expect(?:ed|s|ation)?|budget(?:ed)?|schedul\w*|deadline|project(?:ed|ion)|commit\w*|outlook|estimate[sd]?)\b",
    re.IGNORECASE,
)
_ASKING: Final = re.compile(
    r"^(?:请|帮我)?(?:计算(?:一下|出)?|算(?:一下|一算|算|出)?|calculate|compute|evaluate|how much is|what(?:'s| is)(?: the result of)?)\s*|(?:等于多少|是多少|等于几|得多少|等于|is how much|equals?(?: what)?)$",
    re.IGNORECASE,
)


def find_direct(text: str, query: str, language: Language, now: date) -> Direct | None:
    """Return how a question is settled without a search; None where it has to be searched.

    Args:
        text: as the user wrote it.
        query: the same in search style.
        language: of the question, and of what is said.
        now: the reference date.
    """
    zh = language == "zh"
    for pattern, said_zh, said_en in _REPLIES:
        if pattern.match(text):
            return Direct(reply=said_zh if zh else said_en)
    expression = _expression(query)
    if expression:
        return Direct(expression=expression)
    if _OPINION.search(text):
        return Direct(
            unanswerable="问的是个人看法，而这里只陈述资料中写明的内容；可以改问资料里是怎么说的"
            if zh
            else "it asks for an opinion, and only what documents state can be told; ask what they say about it instead"
        )
    if _names_nothing(query):
        return Direct(
            unanswerable="问题太笼统，看不出指的是什么；请写明对象，例如某个项目、制度或时间段"
            if zh
            else "the question is too vague to know what is meant; name the thing, for example a project, a policy or a period"
        )
    if _leaves_open(query):
        return Direct(
            unanswerable="这句话只说了对象，没有说要问它的什么；请把问题写完整"
            if zh
            else "it names a thing but not what is asked of it; please write the whole question"
        )
    return _not_yet(query, now, zh=zh)


_REPLIES: Final = (
    (
        _GREETING,
        "您好！请告诉我您想查什么，我会从资料中查找并注明出处。",
        "Hello! Ask me anything about your documents: I answer from them and cite the place.",
    ),
    (_THANKS, "不客气，有问题随时问我。", "You are welcome. Ask whenever you like."),
    (_FAREWELL, "再见，有问题随时回来。", "Goodbye. Come back whenever you have a question."),
    (
        _WHO_ARE_YOU,
        "我根据已收录的资料回答问题：查找、核对并注明每一处出处；资料里没有的，我会直说。",
        "I answer questions from the documents that were ingested: I search, check and cite each place, and I say so where they hold no answer.",
    ),
)


def _expression(query: str) -> str:
    """Return the arithmetic of a question that is nothing else; empty where it is more."""
    bare = query.strip(" ?？。.=＝")
    bare = _ASKING.sub("", _ASKING.sub("", bare)).strip(" ?？。.=＝")
    return bare if is_expression(bare) else ""


def _names_nothing(query: str) -> bool:
    bare = query.strip(" ?？。.!！")
    return bool(_NAMES_NOTHING.match(bare)) or not [term for term in terms(bare) if term not in _VAGUE]


def _leaves_open(query: str) -> bool:
    bare = query.strip(" ?？。.!！")
    return bool(_FOLLOW_UP.match(bare)) and not _ASKS.search(bare)


def _not_yet(query: str, now: date, *, zh: bool) -> Direct | None:
    """Return why a figure of a time that has not come cannot be known; plans and targets can."""
    times = find_times(query, now)
    if not times or any(found.assumed or found.start <= now for found in times):
        return None
    long = len(query) > MAX_CHARS if zh else len(query.split()) > MAX_WORDS
    if long or not _OUTCOME.search(query) or _PLANNED.search(query):
        return None
    when = ("、" if zh else ", ").join(found.text for found in times)
    return Direct(
        unanswerable=f"问的是尚未发生的时间（{when}，今天是 {now}），不会有实际结果；可以改问计划、目标或预测"
        if zh
        else f"it asks for the outcome of a time that has not come yet ({when}; today is {now}); ask for a plan, a target or a forecast instead"
    )
