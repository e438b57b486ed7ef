"""A question over one table, cut into tokens that are all accounted for.

Every character of the question belongs to a token; what neither the lexicon
nor the table explains becomes a token of kind `left`. The cut with the fewest
unexplained characters wins, then the one with the fewest tokens. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Final

from kaoju.language.normalise import normalise
from kaoju.tools.sql.lexicon import NUMBER_UNITS, PHRASES, TOTAL_WORDS
from kaoju.tools.sql.periods import PERIOD, Period, of_match
from kaoju.tools.sql.view import EXACT, Column, View

MAX_QUESTION: Final = 400
_SCALES: Final = {
    "万亿": 12, "千万": 7, "百万": 6, "十万": 5, "亿": 8, "万": 4, "千": 3, "百": 2,
    "trillion": 12, "billion": 9, "bn": 9, "million": 6, "mn": 6, "m": 6, "thousand": 3, "k": 3,
}  # fmt: skip
_HAN_DIGITS: Final = {
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
}
_WORD_DIGITS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
_COUNT: Final = r"(?P<n>\d{1,3}|[一二两三四五六七八九十]|" + "|".join(_WORD_DIGITS) + r")"
_TOP: Final = re.compile(
    rf"(?:(?P<desc>前|排名前|top\s)\s*{_COUNT}\s*(?:大|名|位|个|家|项|款|条|高)?(?![\d%])|"
    rf"(?P<asc>后|倒数前?|最后|bottom\s)\s*{_COUNT.replace('?P<n>', '?P<m>')}\s*(?:名|位|个|家|项|款|条)?(?![\d%]))"
)
_MOST_N: Final = re.compile(
    rf"最(?P<way>高|大|多|长|贵|低|小|少|短|便宜)的(?:前)?{_COUNT}(?:个|名|位|家|项|款|条)"
    rf"|{_COUNT.replace('?P<n>', '?P<m>')} (?:(?P<eway>highest|largest|biggest|most|lowest|smallest|least|fewest)|most expensive)(?![a-z])"
)
_NUMBER: Final = re.compile(
    r"[¥$€£]?\s?(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"\s?(?P<scale>(?:{'|'.join(sorted(_SCALES, key=len, reverse=True))})(?![a-z]))?(?P<percent>\s?%)?"
    rf"(?P<unit>\s?(?:{'|'.join(sorted(NUMBER_UNITS, key=len, reverse=True))})(?![a-z]))?"
)
_SPELLED: Final = re.compile(
    r"(?P<n>[一二两三四五六七八九十])(?P<scale>百万|千万|十万|万|亿|千|百)?"
    rf"(?P<unit>{'|'.join(sorted(NUMBER_UNITS, key=len, reverse=True))}|(?<=[百千万亿]))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One piece of the question."""

    kind: str
    payload: str
    text: str
    columns: tuple[Column, ...] = ()
    """Columns that it may mean; for values, columns that hold the value."""
    weight: float = 0.0
    number: Decimal | None = None
    scaled: bool = False
    """True when the number was written with 万, million and the like."""
    period: Period | None = None


def scan(question: str, table: View) -> tuple[Token, ...]:
    """Return the tokens of a question, fillers included."""
    text = " ".join(normalise(question).split())[:MAX_QUESTION]
    best: list[tuple[float, tuple[Token, ...]] | None] = [None] * (len(text) + 1)
    best[0] = (0.0, ())
    for at in range(len(text)):
        state = best[at]
        if state is None:
            continue
        cost, tokens = state
        for end, token, price in _steps(text, at, table):
            total = cost + price
            rival = best[end]
            if rival is None or total < rival[0] - 1e-9:
                best[end] = (total, tokens if token is None else (*tokens, token))
    final = best[len(text)]
    return _merge_left(final[1]) if final is not None else ()


_PRICE: Final = {
    "val": 0.80,
    "col": 0.90,
    "entity": 0.97,
    "time": 0.85,
    "num": 0.95,
    "top": 0.85,
    "filler": 1.0,
}


def _steps(text: str, at: int, table: View) -> list[tuple[int, Token | None, float]]:
    if text[at] == " ":
        return [(at + 1, None, 0.0)]
    found: list[tuple[int, Token | None, float]] = []
    for length in range(1, min(len(text) - at, table.longest) + 1):
        if not _bounded(text, at, at + length):
            continue
        piece = text[at : at + length]
        found.extend((at + length, token, _price(token)) for token in _named(piece, table))
    for pattern, make in (
        (PERIOD, _time),
        (_TOP, _top),
        (_MOST_N, _most),
        (_NUMBER, _number),
        (_SPELLED, _spelled),
    ):
        match = pattern.match(text, at)
        if match and match.end() > at and _bounded(text, at, match.end()):
            token = make(match)
            found.append((match.end(), token, _price(token)))
    word = re.compile(r"[a-z0-9]+(?:[-_'][a-z0-9]+)*|.", re.DOTALL).match(text, at)
    end = word.end() if word else at + 1
    found.append((end, Token(kind="left", payload="", text=text[at:end]), 10.0 * (end - at)))
    return found


def _price(token: Token) -> float:
    return _PRICE.get(token.kind, 0.95) + (0.15 if token.kind == "col" and token.weight < EXACT else 0.0)


def _bounded(text: str, start: int, end: int) -> bool:
    """Return whether a piece begins and ends where words do; Chinese has no such bounds."""

    def latin(index: int) -> bool:
        return 0 <= index < len(text) and (text[index].isascii() and text[index].isalnum())

    return not (latin(start) and latin(start - 1)) and not (latin(end - 1) and latin(end))


def _named(piece: str, table: View) -> list[Token]:
    found: list[Token] = []
    holders, original = _holders(piece, table)
    if holders:
        found.append(Token(kind="val", payload=original, text=piece, columns=holders, weight=1.0))
    spelled = table.spellings.get(piece)
    if spelled is not None and not (piece in table.row_words and len(spelled) == 1):
        weight = max(w for _, w in spelled)
        columns = tuple(column for column, w in spelled if w == weight)
        found.append(Token(kind="col", payload="", text=piece, columns=columns, weight=weight))
    if piece in table.row_words:
        found.append(Token(kind="entity", payload="", text=piece, weight=0.7))
    found.extend(Token(kind=kind, payload=payload, text=piece) for kind, payload in _phrases().get(piece, ()))
    return found


def _holders(piece: str, table: View) -> tuple[tuple[Column, ...], str]:
    """Return the columns that hold the value, and the value as they spell it."""
    if len(piece) < 2 or piece in TOTAL_WORDS or (piece.isascii() and piece in _stop_values()):
        return (), ""
    spellings = (piece, piece[:-1]) if piece.endswith("部门") else (piece,)
    for spelling in spellings:
        holders = tuple(c for c in table.columns if c.kind in {"text", "flag"} and spelling in c.values)
        if holders:
            return holders, holders[0].values[spelling]
    return (), ""


@cache
def _stop_values() -> frozenset[str]:
    return frozenset(piece for piece in _phrases() if piece.isascii())


@cache
def summary_words() -> frozenset[str]:
    """Return the words that ask for a sum or an average."""
    return frozenset(piece for piece, kinds in _phrases().items() if any(kind == "agg" for kind, _ in kinds))


@cache
def _phrases() -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, payloads in PHRASES.items():
        for payload, spellings in payloads.items():
            for spelling in spellings.split("|"):
                known = found.setdefault(normalise(spelling), [])
                if not known:  # the first kind that lists a spelling keeps it
                    known.append((kind, payload))
    return {spelling: tuple(kinds) for spelling, kinds in found.items() if spelling}


def _time(match: re.Match[str]) -> Token:
    return Token(kind="time", payload="", text=match[0].strip(), period=of_match(match))


def _small(text: str) -> int:
    return _HAN_DIGITS.get(text) or _WORD_DIGITS.get(text) or int(text)


def _top(match: re.Match[str]) -> Token:
    count = _small(match["n"] or match["m"])
    return Token(kind="top", payload="desc" if match["n"] else "asc", text=match[0], number=Decimal(count))


def _most(match: re.Match[str]) -> Token:
    way = match["way"] or match["eway"] or "most"
    down = way in {"低", "小", "少", "短", "便宜", "lowest", "smallest", "least", "fewest"}
    count = _small(match["n"] or match["m"])
    return Token(kind="top", payload="asc" if down else "desc", text=match[0], number=Decimal(count))


def _number(match: re.Match[str]) -> Token:
    value = Decimal(match["number"].replace(",", ""))
    scale = match["scale"]
    return Token(
        kind="percent" if match["percent"] else "num",
        payload=(match["unit"] or "").strip(),
        text=match[0].strip(),
        number=value.scaleb(_SCALES[scale]) if scale else value,
        scaled=bool(scale),
    )


def _spelled(match: re.Match[str]) -> Token:
    scale = match["scale"]
    value = Decimal(_HAN_DIGITS[match["n"]])
    return Token(
        kind="num",
        payload=match["unit"],
        text=match[0],
        number=value.scaleb(_SCALES[scale]) if scale else value,
        scaled=bool(scale),
    )


def _merge_left(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    merged: list[Token] = []
    for token in tokens:
        if token.kind == "left" and merged and merged[-1].kind == "left":
            joint = "" if not (token.text.isascii() and merged[-1].text.isascii()) else " "
            merged[-1] = Token(kind="left", payload="", text=merged[-1].text + joint + token.text)
        else:
            merged.append(token)
    return tuple(merged)
