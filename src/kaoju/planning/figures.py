"""Whether a question asks for a figure: a count, a sum, an extreme, a ranking, a trend. Pure."""

from __future__ import annotations

import re
from typing import Final

_FIGURE: Final = re.compile(
    r"多少|几[个名项家天次元年月台件]|百分之几|多[大高长久]|占比|比例|[增下]?[长降]率|金额|数量|哪一?[年月天日]|\b(?:which|what) (?:year|month|day)\b|\bhow (?:many|much|long|old|far|large)\b|\bpercent\w*\b|\bratio\b|\b(?:amount|number) of\b",
    re.IGNORECASE,
)
_COURSE: Final = re.compile(
    r"趋势|走势|变化情况|逐[年月季]|人数|个数|件数|\b(?:trends?|developed|evolution|over (?:the )?(?:years|quarters|months|weeks))\b|\bfrom (?:year|quarter|month) to (?:year|quarter|month)\b",
    re.IGNORECASE,
)
_LIST: Final = re.compile(
    r"名单|清单|列出|列表|有哪些|哪几[个名位台艘辆栋本门间项家]|\blist (?:of|all|the)\b|^list\b|\b(?:by|per) (?:\w+)$",
    re.IGNORECASE,
)
_AGGREGATE: Final = re.compile(
    r"统计|总[共和计额数量]|合计|一共|共有?(?=多少|几)|累计|加起来|平均|均值|最(?:便宜|[多少高低大小长短贵快慢重轻远近久早晚新老])|排名|排行|前[一二三四五六七八九十\d]+(?:名|个|位|大)?|第[二三四五六七八九十\d]+(?:名|高|大|多)|超过.{0,8}的.{0,8}(?:有|多少|几|哪)|每个?.{1,6}的?(?:总|平均|数量)|各.{1,6}的?(?:总|平均|数量|合计)|占比|有几个|有多少个|同比|环比"
    r"|\b(?:total|sum of|overall|average|mean|median|most|least|fewest|highest|lowest|largest|smallest|biggest|top \d+|bottom \d+|rank\w*|how many|count of|number of|in all|altogether|per (?:department|region|month|quarter|year|product|project))\b",
    re.IGNORECASE,
)


def is_aggregate(query: str) -> bool:
    """Return whether a query asks for a count, a sum, an average, an extreme or a ranking."""
    return bool(_AGGREGATE.search(query))


def asks_for_figure(query: str) -> bool:
    """Return whether a query asks for any figure, computed or stated, or for the course of one."""
    return is_aggregate(query) or bool(_FIGURE.search(query) or _COURSE.search(query))


def asks_for_list(query: str) -> bool:
    """Return whether a query asks for every row of a kind, or for figures broken down."""
    return bool(_LIST.search(query))
