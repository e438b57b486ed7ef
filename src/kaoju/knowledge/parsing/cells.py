"""Types of table cells: a column becomes numbers only when every filled cell of it is one.

Thousands separators, brackets for negatives, one percent sign or one currency
sign throughout are understood; the sign moves into the column's name so that
the unit is not lost. Codes with leading zeros and digit strings too long for a
number stay text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from kaoju.knowledge.parsing.compose import clean
from kaoju.model.document import Cell

_NUMBER: Final = re.compile(
    r"(?P<open>\()?(?P<sign>[-+−])?\s*(?P<money>[$€£¥￥₩])?\s*(?P<sign2>[-−])?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+|\d+)?(?P<fraction>\.\d+)?(?P<exponent>[eE][-+]?\d{1,3})?"
    r"\s*(?P<percent>[%％])?(?P<close>\))?(?P<percent2>[%％])?"
)
_NOTHING: Final = frozenset({"", "-", "–", "—", "--", "——", "/", "n/a", "na", "nil", "null", "none", "nan"})
_MAX_DIGITS: Final = 15
_FOLDS: Final = re.compile(r"\s*\n\s*")


def shown(value: object) -> str:
    """Return a cell as its reader would see it; empty for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return plain(value)
    return clean(str(value)).strip()


def plain(value: float) -> str:
    """Return a float without exponent or needless zeros."""
    text = f"{value:.15g}"
    if "e" not in text:
        return text
    text = f"{value:.10f}".rstrip("0").rstrip(".")
    return text if text not in {"0", "-0"} or value == 0 else f"{value:.15g}"


def typed_columns(
    columns: Sequence[str], rows: Sequence[Sequence[Cell]]
) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """Return the columns and rows with every wholly numeric text column turned into numbers."""
    names: list[str] = []
    typed: list[Sequence[Cell]] = []
    for index, name in enumerate(columns):
        cells = [row[index] for row in rows]
        numbers, unit = _numeric(cells)
        typed.append([_trimmed(cell) for cell in cells] if numbers is None else numbers)
        names.append(f"{name} ({unit})" if numbers is not None and unit and unit not in name else name)
    return unique(names), tuple(zip(*typed, strict=True)) if rows else ()


def unique(names: Sequence[str]) -> tuple[str, ...]:
    """Return non-empty names that differ even when case is ignored, in order."""
    seen: set[str] = set()
    result: list[str] = []
    for index, name in enumerate(names, 1):
        base = " ".join(clean(name).split()) or f"column_{index}"
        candidate, number = base, 2
        while candidate.casefold() in seen:
            candidate, number = f"{base}_{number}", number + 1
        seen.add(candidate.casefold())
        result.append(candidate)
    return tuple(result)


def is_number(value: Cell) -> bool:
    """Tell whether a single cell reads as a number."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return True
    return isinstance(value, str) and _parse(value) is not None


def is_blank(value: Cell) -> bool:
    """Tell whether a cell holds nothing visible."""
    return value is None or (isinstance(value, str) and not value.strip())


def _trimmed(cell: Cell) -> Cell:
    return (_FOLDS.sub(" ", clean(cell)).strip() or None) if isinstance(cell, str) else cell


def _numeric(cells: Sequence[Cell]) -> tuple[list[Cell] | None, str]:
    """Return the cells as numbers with their common unit, or None where one cell is something else."""
    numbers: list[Cell] = []
    units: set[str] = set()
    any_text = False
    for cell in cells:
        if isinstance(cell, bool):
            return None, ""
        if cell is None or isinstance(cell, int | float):
            numbers.append(cell)
            if cell is not None:
                units.add("")
            continue
        text = cell.strip()
        if text.casefold() in _NOTHING:
            numbers.append(None)
            continue
        parsed = _parse(text)
        if parsed is None:
            return None, ""
        any_text = True
        numbers.append(parsed[0])
        units.add(parsed[1])
    if not any_text:
        filled = [cell for cell in cells if not is_blank(cell)]
        return (numbers, "") if filled and all(isinstance(c, int | float) for c in filled) else (None, "")
    money = units - {"", "%"}
    if ("%" in units and (len(units) > 1)) or len(money) > 1:
        return None, ""
    return numbers, next(iter(money or units))


def _parse(text: str) -> tuple[int | float, str] | None:
    """Return the value and its unit sign ("%", a currency sign or nothing)."""
    narrow = unicodedata.normalize("NFKC", text.strip())
    found = _NUMBER.fullmatch(narrow)
    if found is None or bool(found["open"]) != bool(found["close"]):
        return None
    digits, fraction = found["digits"] or "", found["fraction"] or ""
    if not digits and not fraction:
        return None
    whole = digits.replace(",", "")
    if len(whole) + max(0, len(fraction) - 1) > _MAX_DIGITS or (len(whole) > 1 and whole.startswith("0")):
        return None
    if found["sign"] == "+" and not fraction and not found["percent"]:
        return None
    value: int | float = (
        float((whole or "0") + fraction + (found["exponent"] or ""))
        if fraction or found["exponent"]
        else int(whole)
    )
    if value in {float("inf"), float("-inf")}:
        return None
    negative = bool(found["open"]) or any(found[g] in {"-", "−"} for g in ("sign", "sign2"))
    percent = "%" if found["percent"] or found["percent2"] else ""
    return (-value if negative else value), percent or (found["money"] or "")
