"""Written-out numbers as exact values: Chinese numerals and English number words. Pure."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

DIGITS: Final = {
    c: i
    for i, row in enumerate(
        ("零〇○", "一壹", "二贰两貳兩", "三叁叄", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
    )
    for c in row
}
TENS: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
BIG: Final = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
HAN: Final = "".join([*DIGITS, *TENS, *BIG, "廿卅"])

ONES: Final = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split()
    )
} | {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
SCALES: Final = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12,
    "lakh": 10**5, "crore": 10**7,
    "k": 10**3, "m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9, "bln": 10**9, "tn": 10**12, "tln": 10**12,
}  # fmt: skip


def han_value(text: str) -> Decimal | None:
    """Return the value of a Chinese numeral such as 三百二十万 or 一万五千亿, None where it is none.

    A numeral may have a decimal part after 点, may be a row of digits (二〇二四),
    and may leave out its last unit (两千三 is 2,300).
    """
    whole, dot, part = text.partition("点")
    if dot and not part:
        return None
    if dot:
        scale = Decimal(1)
        while part and part[-1] in BIG:
            scale *= BIG[part[-1]]
            part = part[:-1]
        if not part or any(char not in DIGITS for char in part):
            return None
        head = _whole(whole)
        return (
            None if head is None else (head + Decimal("0." + "".join(str(DIGITS[c]) for c in part))) * scale
        )
    return _whole(whole)


def _whole(text: str) -> Decimal | None:
    text = text.replace("廿", "二十").replace("卅", "三十")
    if not text:
        return None
    if all(char in DIGITS for char in text):
        return Decimal("".join(str(DIGITS[char]) for char in text))
    total, section, digit, last = 0, 0, 0, 1
    ceiling = 10**4
    seen_zero = False
    for place, char in enumerate(text):
        if char in DIGITS:
            if digit:
                return None
            digit = DIGITS[char]
            seen_zero = seen_zero or digit == 0
        elif char in TENS:
            unit = TENS[char]
            if unit >= ceiling or (not digit and unit > 10 and place):
                return None
            section += (digit or 1) * unit
            last, ceiling, digit, seen_zero = unit, unit, 0, False
        elif char in BIG:
            section += digit
            unit = BIG[char]
            if section == 0 and total == 0:
                return None
            total = (total + section) * unit if total < unit or not section else total + section * unit
            last, ceiling, section, digit, seen_zero = unit, 10**4, 0, 0, False
        else:
            return None
    if digit and not seen_zero and last >= 100:
        digit *= last // 10
    return Decimal(total + section + digit)
