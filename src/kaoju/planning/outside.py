"""Questions that no material of a collection could answer. Pure rules, precision before recall.

Whatever may be about the documents is searched: only what asks for the moment
itself, for a deed, or for a piece of writing out of nothing stays outside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from kaoju.model.question import Language

MAX_CHARS: Final = 60
MAX_WORDS: Final = 14
_END: Final = r"[\s呢啊呀吗？?。.!！]*$"
_TODAY: Final = re.compile(
    rf"^(?:请问)?(?:今天|今日|现在)(?:是)?(?:几月几[日号]|几[日号]|星期几|周几|礼拜几|什么日子|哪一天|的?日期(?:是(?:什么|多少))?){_END}"
    rf"|^(?:what|which) (?:day|date)(?: of the week)? is (?:it )?(?:today|now){_END}|^what(?:'s| is) (?:the date(?: today)?|today'?s date|the current date){_END}",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(
    rf"^(?:请问)?(?:现在|当前|此刻)?(?:是)?(?:几点(?:钟|了|钟了)?|什么时间了?|什么时候了){_END}|^what time is it(?: now| right now)?{_END}|^what(?:'s| is) the (?:current )?time(?: now)?{_END}",
    re.IGNORECASE,
)
_ABOUT_YOU: Final = re.compile(
    r"^你(?:几岁|多大|是(?:哪家|哪个|什么|人|机器|真人|男|女)|叫什么|的名字|住在|有(?:女|男)朋友|会不会累|有没有感情|结婚)"
    r"|^你(?!们).{0,8}?(?:做梦|睡觉|吃饭|谈恋爱|孤独|寂寞|害怕|难过|开心|生气|感情|情绪|意识|灵魂|朋友|家人|爸妈|父母|爱好|生日|性别)"
    r"|^(?:do|can|are|have|did|will) you (?:ever |also |really |actually )*(?:have (?:any |a |an )?(?:feelings?|emotions?|friends?|family|consciousness|soul|body|hobb(?:y|ies)|birthday)|feel|dream|sleep|eat|get (?:tired|bored|lonely)|lonely|happy|sad|tired|bored|conscious|sentient|single|married|in love|fall in love)\b"
    rf"|^how old are you{_END}|^are you (?:a |an )?(?:human|robot|bot|machine|real|ai|person|alive)\b|^(?:who|which company) (?:made|built|created|developed) you\b|^what(?:'s| is) your name{_END}|^where (?:are|do) you (?:from|live){_END}",
    re.IGNORECASE,
)
_WRITING: Final = re.compile(
    r"^(?:请|帮我|给我|麻烦|替我)*(?:写|作|编|创作|来|讲|说)(?:一)?(?:首|篇|封|段|个|则|副)?.{0,14}?(?:诗|歌词|作文|小说|情书|辞职信|求职信|故事|笑话|段子|对联|谜语|代码|程序|脚本)"
    r"|^(?:please )?(?:can you |could you )?(?:write|compose|make up|create|generate|draft)\s+(?:me\s+)?(?:a |an |some |python |javascript |java )?(?:\w+ ){0,3}?(?:poem|song|story|joke|letter|novel|essay|haiku|code|script|program|function|limerick)\b"
    r"|^(?:please )?tell (?:me|us) (?:a|another|some) (?:\w+ ){0,2}(?:joke|story|riddle)s?\b",
    re.IGNORECASE,
)
_TRANSLATE: Final = re.compile(
    r"^(?:请|帮我|麻烦)*(?:把|将)?.{0,40}(?:翻译|译)(?:成|为|一下|到)|^(?:please )?translate\b", re.IGNORECASE
)
_RECOMMEND: Final = re.compile(
    r"^(?:请|帮我|能不能|可以|能)?(?:给我|帮我|给大家)?推荐(?:一下|几|一)?(?:部|首|本|家|款|个|些)?.{0,6}?(?:电影|电视剧|综艺|动漫|歌曲?|音乐|小说|餐厅|饭店|游戏|旅游景点|景点)(?:吧|吗|呗)?[\s。！？?!]*$"
    r"|^(?:please |can you |could you )*(?:recommend|suggest)(?: me| us)? (?:a|an|some|any) (?:\w+ ){0,2}?(?:movie|film|song|series|tv show|restaurant|game|novel|podcast|playlist)s?\b",
    re.IGNORECASE,
)
_DEED: Final = re.compile(
    r"^(?:请|帮我|给我|麻烦|替我)*(?:放|播放|唱|来)(?:一)?首|^(?:请|帮我|给我|麻烦|替我)+(?:再)?(?:画|唱|放|播|拍|画出)(?:一)?[张幅首段个]|^(?:请|帮我|给我|麻烦|替我)*(?:给|帮).{1,6}(?:打个?电话|发个?(?:短信|微信|消息|邮件))|^(?:请|帮我)*(?:导航|带我)[到去]|^(?:请|记得)?(?:过.{1,6})?(?:提醒|叫醒)我|^(?:请|帮我|给我|麻烦|替我)+(?:叫|打)(?:一)?(?:辆|个)?(?:出租车|网约车|车|外卖)|^(?:请|帮我|给我|麻烦|替我)+(?:订|买|点)(?:一)?(?:张|份|个|杯)?.{0,8}(?:机票|车票|火车票|酒店|外卖|披萨|咖啡)|^(?:请|帮我|给我)*(?:定|设)(?:一)?个?.{0,8}闹钟|^(?:请|帮我|给我)*(?:打开|关掉|关上)(?:空调|灯|音乐|电视|窗)"
    r"|^(?:please )?(?:can you |could you )?(?:play|sing)\s+(?:me\s+)?(?:a|an|some|the|my|another)\b"
    r"|^(?:please )?(?:can you |could you )?(?:order|call|buy|get|book|hail)\s+(?:me\s+)?(?:a|an|some)\s+(?:\w+ ){0,2}(?:taxi|cab|uber|pizza|coffee|flight|ticket|hotel|table|meal|burger)s?\b"
    r"|^(?:please )?(?:set|start) (?:a|an|my) (?:\w+ )?(?:alarm|timer|reminder)\b|^(?:please )?(?:remind|wake) me\b|^(?:please )?(?:call|text|phone|dial|message) (?:my|mom|mum|dad)\b|^(?:please )?(?:navigate|drive|take me) to\b|^(?:please )?draw (?:me )?(?:a|an|some)\b|^(?:please )?turn (?:on|off) (?:the|my)\b",
    re.IGNORECASE,
)
_WINNER: Final = re.compile(
    r"(?:明年|今年|下届|下一届|下次|这次).{0,12}谁(?:会|能|将)?(?:赢|夺冠|当选|获胜|胜出)|^who (?:will|is going to) (?:win|be elected)\b.{0,60}$|\bwill\b.{0,30}\b(?:stock|share) price\b|(?:明天|下周|下月|明年).{0,6}(?:股价|彩票)",
    re.IGNORECASE,
)
_DAYS_ZH: Final = "一二三四五六日"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """Why a question is none for a collection; exactly one field is filled."""

    reply: str = ""
    """What to say."""
    unanswerable: str = ""
    """Why nothing here can answer it."""


def find_outside(text: str, language: Language, now: date) -> Outside | None:
    """Return why a question is none for a collection of documents; None where it has to be searched."""
    plain = text.strip()
    if len(plain) > MAX_CHARS and (language == "zh" or len(plain.split()) > MAX_WORDS):
        return None
    zh = language == "zh"
    if _TODAY.match(plain):
        said = f"今天是 {now.isoformat()}，星期{_DAYS_ZH[now.weekday()]}。"
        return Outside(reply=said if zh else f"Today is {now:%A}, {now.isoformat()}.")
    for pattern, why_zh, why_en in _REASONS:
        if pattern.search(plain):
            return Outside(unanswerable=why_zh if zh else why_en)
    return None


_REASONS: Final = (
    (_CLOCK, "问的是此刻的时间，资料中没有", "it asks for the time of day, which no document holds"),
    (
        _ABOUT_YOU,
        "问的是助手自身，而不是资料中的内容",
        "it asks about the assistant itself and not about the documents",
    ),
    (
        _WRITING,
        "要求的是创作，而这里只根据资料回答问题",
        "it asks for a piece of writing, and only questions about the documents are answered here",
    ),
    (
        _TRANSLATE,
        "要求的是翻译，而这里只根据资料回答问题",
        "it asks for a translation, and only questions about the documents are answered here",
    ),
    (
        _RECOMMEND,
        "要求的是推荐，而这里只根据资料回答问题",
        "it asks for a recommendation, and only questions about the documents are answered here",
    ),
    (_DEED, "要求执行的操作没有可用的工具", "it asks for something to be done, and no tool here does it"),
    (
        _WINNER,
        "问的是尚未发生的结果，任何资料都无法回答",
        "it asks for the outcome of something that has not happened yet",
    ),
)
