"""Arithmetic as people write it, turned into an expression.

Thousands separators, 万 and 亿, k and million, percents, full-width signs and
the usual phrases of both languages ("12% of 3,400", "从100增长到120的增长率")
become plain numbers and operators. Pure. What it does not know is left as it
is, and the calculator refuses it: nothing is guessed.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import Final

UNITS: Final = {
    "万亿": 12, "千亿": 11, "百亿": 10, "亿": 8, "千万": 7, "百万": 6, "十万": 5, "万": 4, "千": 3, "百": 2,
    "trillion": 12, "billion": 9, "bn": 9, "million": 6, "mn": 6, "thousand": 3, "k": 3, "m": 6,
}  # fmt: skip
"""Unit -> power of ten."""

_UNIT: Final = "|".join(sorted(UNITS, key=len, reverse=True))
_NUMBER: Final = r"\d+(?:\.\d+)?"
_AMOUNT: Final = re.compile(
    rf"(?<![A-Za-z\d_.])(?P<number>{_NUMBER})(?:\s*(?P<unit>(?:{_UNIT})(?![a-z])))?(?:\s*(?:元|块|人民币|美元|dollars?|yuan|rmb|usd|cny))?",
    re.IGNORECASE,
)
_SIGNS: Final = str.maketrans({
    "×": "*", "✕": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "—": "-", "^": "**",
    "【": "(", "】": ")", "、": ", ", "。": " ", "?": " ", "!": " ", "¥": " ", "$": " ", "€": " ", "£": " ",
})  # fmt: skip
_PREAMBLE: Final = re.compile(
    r"^\s*(?:请|帮我|please|can you|could you|一下)*\s*"
    r"(?:计算(?:一下|出)?|算(?:一下|出)?|求(?:出)?|compute|calculate|evaluate|how much is|"
    r"what(?:'s| is)(?: the)?(?: result of)?)\s*[::]?\s*"
)
_TAIL: Final = re.compile(
    r"\s*(?:(?:的)?(?:结果|值)?(?:是多少|等于多少|是几|等于几|等于|为多少|有多少|多少|等于多少呢|是什么)?|equals?)\s*=?\s*$"
)
_N: Final = r"(\(?-?\d+(?:\.\d+)?(?: ?/ ?100\))?)"

_LIST: Final = rf"({_N}(?:\s*(?:,\s*and|,|和|与|及|and)\s*{_N})+)"
_PHRASES: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), template)
    for pattern, template in (
        ((rf"^(?:从)?{_N}(?:增长|增加|上升|提高|涨|下降|减少|降低|跌|变)(?:到|至|为|成)了?{_N},?(?:的)?"
         r"(?:增长率|增幅|涨幅|增长幅度|变化率|降幅|跌幅|下降率|下降幅度|增长百分比|增长了?百分之几|"
         r"(?:增长|增加|上升|提高|下降|减少|降低)了?(?:百分之几|多少百分比))$"), "({2}-{1})/{1}"),
        ((rf"^(?:从)?{_N}(?:增长|增加|上升|提高|涨|升|下降|减少|减|降低|降|跌|变)(?:到|至|为|成)了?{_N},?(?:一共|总共)?"
          r"(?:增长|增加|上升|提高|涨|升|下降|减少|减|降低|降|跌|变化)(?:了|幅)?(?:百分之几|百分之多少|多少个?百分[比点])$"),
         "({2}-{1})/{1}"),
        ((rf"^(?:原价|原来|原先|之前|以前|本来)(?:是|为)?{_N},?(?:现价|现在|如今|后来|目前)(?:是|为|变成|只要|要)?{_N},?(?:一共|总共)?"
          r"(?:增长|增加|上升|提高|涨|升|下降|减少|减|降低|降|跌|变化)(?:了|幅)?(?:百分之几|百分之多少|多少个?百分[比点])$"),
         "({2}-{1})/{1}"),
        (rf"^{_N}打(\d(?:\.\d)?)折$", "{1}*{2}/10"),
        (rf"^{_N}打(\d\d)折$", "{1}*{2}/100"),
        (rf"^{_N} less (\(\d+(?:\.\d+)?/100\))$", "{1}*(1-{2})"),
        (rf"^{_N}的{_N}倍$", "{1}*{2}"),
        (rf"^{_N}的(?:一半|二分之一)$", "{1}/2"),
        (rf"^{_N}的(?:2|两)倍$", "{1}*2"),
        (rf"^(?:把)?{_N}(?:平均分成|平分成|平均分给){_N}(?:份|个?人|组)(?:,?每(?:份|人|组))?$", "{1}/{2}"),
        (rf"^{_N}(?:是|为){_N}的(?:几倍)$", "{1}/{2}"),
        (rf"^{_N}(?:比|较|相比|同比|比起){_N},?(?:增长|增加|提高|上升|多)了?(?:百分之几|多少百分比|百分之多少|率|幅度)$",
         "({1}-{2})/{2}"),
        (rf"^{_N}(?:比|较){_N},?(?:下降|减少|降低|少)了?(?:百分之几|多少百分比|百分之多少|率|幅度)$",
         "({2}-{1})/{2}"),
        (rf"^{_N}(?:比|较){_N},?(?:增长|增加|提高|上升|多|大|高)了?$", "{1}-{2}"),
        (rf"^{_N}(?:比|较){_N},?(?:下降|减少|降低|少|小|低)了?$", "{2}-{1}"),
        (rf"^{_N}(?:占|是|为){_N}的(?:百分之几|百分之多少|比例|百分比|比重|几分之几)$", "{1}/{2}"),
        (rf"^{_N}(?:和|与|减去?){_N}的?(?:差|差额|差值|相差)$", "{1}-{2}"),
        (rf"^{_N}(?:和|与|对){_N}的?(?:比|比值|比率|商)$", "{1}/{2}"),
        (rf"^{_N}(?:和|与|乘以?){_N}的?(?:积|乘积)$", "{1}*{2}"),
        (rf"^{_LIST}的?(?:平均值|平均数|平均|均值)$", "avg({1})"),
        (rf"^{_LIST}的?(?:总和|合计|之和|和|总计|总数)$", "sum({1})"),
        (rf"^{_LIST}(?:的|中)?的?(?:最大值|最大|最大的|最大数)$", "max({1})"),
        (rf"^{_LIST}(?:的|中)?的?(?:最小值|最小|最小的|最小数)$", "min({1})"),
        (rf"^{_N}的{_N}$", "{1}*{2}"),
        (rf"^{_N} of {_N}$", "{1}*{2}"),
        ((rf"^(?:the )?(?:percentage |percent |% )?(?:growth|change|increase|decrease|growth rate|rate of change|"
         rf"percentage change)(?: rate)? from {_N} to {_N}$"), "({2}-{1})/{1}"),
        ((rf"^by (?:what|how many) percent(?:age)?(?: points)? (?:does|do|did|has|is) {_N} "
          rf"(?:grow|grown|rise|risen|increase|increased|fall|fallen|drop|dropped|decrease|decreased|change|changed) to {_N}$"),
         "({2}-{1})/{1}"),
        ((rf"^(?:what )?(?:percent(?:age)? )?(?:growth|change|increase|decrease|rise|drop)(?: in percent)? (?:is )?"
          rf"(?:from )?{_N} to {_N}$"), "({2}-{1})/{1}"),
        (rf"^(?:add|sum up) {_LIST}$", "sum({1})"),
        (rf"^(?:subtract|deduct) {_N} from {_N}$", "{2}-{1}"),
        (rf"^multiply {_N} (?:by|and|with) {_N}$", "{1}*{2}"),
        (rf"^divide {_N} by {_N}$", "{1}/{2}"),
        (rf"^(?:the )?difference (?:between|of) {_N} and {_N}$", "{1}-{2}"),
        (rf"^(?:the )?ratio of {_N} to {_N}$", "{1}/{2}"),
        (rf"^{_N} as (?:a )?(?:percentage|percent|share|%|fraction) of {_N}$", "{1}/{2}"),
        (rf"^what percent(?:age)? of {_N} is {_N}$", "{2}/{1}"),
        (rf"^(?:the )?product of {_N} and {_N}$", "{1}*{2}"),
        (rf"^(?:the )?(?:sum|total) of {_LIST}$", "sum({1})"),
        (rf"^(?:the )?(?:average|mean) of {_LIST}$", "avg({1})"),
        (rf"^(?:the )?(?:maximum|max|largest|highest) of {_LIST}$", "max({1})"),
        (rf"^(?:the )?(?:minimum|min|smallest|lowest) of {_LIST}$", "min({1})"),
        (rf"^(?:the )?square root of {_N}$", "sqrt({1})"),
        (rf"^{_N}的(?:平方根)$", "sqrt({1})"),
    )
)  # fmt: skip
_WORDS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), sign)
    for pattern, sign in (
        (
            r"(?:[,;]\s*)?(?:再|然后|接着|,?\s*(?:and )?then )(?=\s*(?:乘|除|加|减|plus|minus|times|divided|multiplied))",
            "",
        ),
        (r"\s*(?:乘以|乘上|乘|multiplied by|times)\s*", "*"),
        (r"\s*(?:除以|divided by|over)\s*", "/"),
        (r"\s*(?:加上|加|plus)\s*", "+"),
        (r"\s*(?:减去|减掉|减|minus)\s*", "-"),
        (r"\s*(?:的平方|squared)", "**2"),
        (r"\s*(?:的立方|cubed)", "**3"),
        (r"\s*(?:的|to the power of)(?=\d+次方)", "**"),
        (r"次方", ""),
        (r"\bto the power of\b", "**"),
    )
)
_FRACTIONS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), template)
    for pattern, template in (
        (rf"\b(?:(?:one |a )?half) of (?={_NUMBER})", "0.5*"),
        (rf"\b(?:twice|double) (?={_NUMBER})", "2*"),
        (rf"\b(?:(?:one|a) )?third of ({_NUMBER})", r"(\1/3)"),
        (rf"\btwo thirds of ({_NUMBER})", r"(2*\1/3)"),
        (rf"\b(?:(?:one|a) )?quarter of (?={_NUMBER})", "0.25*"),
        (rf"\bthree quarters of (?={_NUMBER})", "0.75*"),
        (rf"(?<![\w./])(\d+/\d+) of (?={_NUMBER})", r"(\1)*"),
    )
)
_DISCOUNT: Final = re.compile(r"打([一二三四五六七八九])([一二三四五六七八九])?折")
_FUNCTIONS_ZH: Final = {
    "总和": "sum",
    "求和": "sum",
    "平均": "avg",
    "最大": "max",
    "最小": "min",
    "四舍五入": "round",
}


_DIGITS: Final = dict(zip("一二三四五六七八九", "123456789", strict=True))


def to_expression(text: str) -> str:
    """Return the arithmetic expression that `text` states, or what is left of it."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS)
    plain = _PREAMBLE.sub("", " ".join(plain.split()))
    plain = _TAIL.sub("", plain).strip(" ,;:=")
    for word, name in _FUNCTIONS_ZH.items():
        plain = plain.replace(f"{word}(", f"{name}(")
    plain = _amounts(_percents(_thousands(plain)))
    plain = _DISCOUNT.sub(lambda m: f"打{''.join(_DIGITS[d] for d in m.groups() if d)}折", plain)
    for pattern, factor in _FRACTIONS:
        plain = pattern.sub(factor, plain)
    for pattern, template in _PHRASES:
        match = pattern.match(plain)
        if match:
            listed = re.sub(r"\s*(?:,\s*and|,|和|与|及|and)\s*", ", ", match[1])
            return template.format(match[0], listed if "({1})" in template else match[1], *match.groups()[1:])
    for pattern, sign in _WORDS:
        plain = pattern.sub(sign, plain)
    return " ".join(re.sub(r"\)\s*of\s*", ")*", plain).split())


def _thousands(text: str) -> str:
    """Take thousands separators out; between arguments only where the style is unmistakable."""
    grouped = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?!\d|,\d)")
    out: list[str] = []
    at = 0
    for match in grouped.finditer(text):
        before = text[: match.start()]
        inside = before.count("(") > before.count(")") and re.search(r"[a-z]+\([^()]*$", before) is not None
        call_end = text.find(")", match.end())
        spaced = (
            ", " in text[before.rfind("(") + 1 : call_end if call_end >= 0 else len(text)] if inside else True
        )
        out.append(text[at : match.start()])
        out.append(match[0].replace(",", "") if spaced else match[0])
        at = match.end()
    return "".join(out) + text[at:]


def _percents(text: str) -> str:
    text = re.sub(rf"百分之({_NUMBER})", r"\1%", text)
    text = re.sub(rf"({_NUMBER})\s*(?:percent|per cent|pct)\b", r"\1%", text)
    text = re.sub(rf"({_NUMBER})\s*‰", r"(\1/1000)", text)
    text = re.sub(rf"({_NUMBER})\s*% off(?: of)? (?={_NUMBER})", r"(1-\1/100)*", text)
    return re.sub(rf"({_NUMBER})\s*%(?!\s*[\d(a-z](?!f\b))", r"(\1/100)", text)


def _amounts(text: str) -> str:
    def expand(match: re.Match[str]) -> str:
        unit = (match["unit"] or "").lower()
        value = Decimal(match["number"]).scaleb(UNITS[unit]) if unit else Decimal(match["number"])
        return f"{value:f}" if unit else match["number"]

    return _AMOUNT.sub(expand, text)
