"""Questions for a state that changes hands: who holds an office, what the latest figure or version is. Pure.

Promises: a question with a year asks for the state then, one without for the
state now. Refuses: questions for a change or a beginning (who became, when
was X appointed), which any dated statement may answer.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from kaoju.language.time import TimeRange, find_times

_OFFICE: Final = (
    r"(?:首席(?:执行|技术|财务|运营)官|总裁|董事长|总经理|总监|经理|负责人|主任|主席|部长|校长|院长|市长|省长|总理|总统|秘书长|会长|行长|教练|主编"
    r"|\b(?:ceo|cfo|cto|coo|president|chair(?:man|woman|person)?|chief \w+ officer|managing director|head|director|manager|minister|mayor|governor|chancellor|principal|dean|coach|captain|editor|treasurer|secretary|owner)\b)"
)
_WHO: Final = re.compile(
    rf"{_OFFICE}[^，,。]{{0,8}}(?:是|由)?(?:谁|哪位|哪一?个人)|(?:谁|哪位)(?:是|担任|任).{{0,24}}{_OFFICE}"
    rf"|\bwho(?:'s| is| was| were| are| served as| serves as| led)\b.{{0,80}}{_OFFICE}",
    re.IGNORECASE,
)
_NOW: Final = re.compile(
    r"现任|目前|现在|当前|如今|最新|\b(?:current(?:ly)?|latest|at present|present|now|today|most recent)\b",
    re.IGNORECASE,
)
_NO_STATE: Final = re.compile(
    r"前任|历任|首任|第一任|曾任|曾经|创始|成为|变化|变更|什么时候|何时"
    r"|\b(?:former|previous|first|past|ever|original|became|become|appointed|changed?|when|before|after|since)\b",
    re.IGNORECASE,
)


def at_time(text: str, now: date) -> tuple[date, date, bool] | None:
    """Return the time at which a state is asked for, and whether it was named; None where no state is asked for.

    Args:
        text: the question.
        now: the reference date.

    Returns:
        First day, the day after the last one, and whether the question names a time that has passed.
    """
    if _NO_STATE.search(text):
        return None
    who = bool(_WHO.search(text))
    times = _named(text, now)
    if who and len(times) == 1 and not _NOW.search(text) and times[0].end <= now:
        return times[0].start, times[0].end, True
    if (who and not times) or (_NOW.search(text) and not times):
        return now, now + timedelta(days=1), False
    return None


def without_time(text: str, now: date) -> str:
    """Return the question without the time and the words for "now": what a statement says of the thing itself."""
    for found in reversed(_named(text, now)):
        before = re.sub(r"(?:\b(?:in|on|at|during|as of)\s*|在)$", "", text[: found.at], flags=re.IGNORECASE)
        text = before + re.sub(r"^(?:的时候|时的?|的|那年)", "", text[found.until :])
    text = _NOW.sub("", text)
    return re.sub(r"\s+([?？])", r"\1", re.sub(r"\s{2,}", " ", text)).strip(" ,，")


def _named(text: str, now: date) -> tuple[TimeRange, ...]:
    """Return the times that a question names by a year."""
    return tuple(found for found in find_times(text, now) if re.search(r"\d{4}|年", found.text))
