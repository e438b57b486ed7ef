"""Which of a field's options a text names, and where. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kaoju.language.measures import currency_code
from kaoju.language.normalise import normalise
from kaoju.model.evidence import JSON
from kaoju.planning.fields import Option

_CURRENCY = re.compile(
    r"(?:US|HK|NT|[ACS])?\$|[€£¥₩₹]|美元|美金|欧元|英镑|人民币元|人民币|日元|韩元|港元|港币|新台币|块钱|(?<=[\d万亿])元"
    r"|\b(?:US dollars?|dollars?|euros?|pounds?|yuan|yen|renminbi|rmb)\b",
    re.IGNORECASE,
)
_MORE = {"yen": "JPY", "renminbi": "CNY"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One option where a text names it."""

    value: JSON
    start: int
    end: int


def options_in(options: Sequence[Option], text: str) -> tuple[Hit, ...]:
    """Return the options that a text names, in order; longer words win over those inside them."""
    hits = [*_named(options, text), *_currencies(options, text)]
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda h: (h.start - h.end, h.start)):
        if all(hit.end <= other.start or hit.start >= other.end for other in kept):
            kept.append(hit)
    return tuple(sorted(kept, key=lambda h: h.start))


def _named(options: Sequence[Option], text: str) -> Iterator[Hit]:
    for option in options:
        for word in option.words:
            pattern = _pattern(word)
            if pattern is not None:
                yield from (
                    Hit(value=option.value, start=m.start(), end=m.end()) for m in pattern.finditer(text)
                )


@lru_cache(maxsize=4_096)
def _pattern(word: str) -> re.Pattern[str] | None:
    spaced = re.sub(r"[_\s-]+", " ", word.strip())
    if not spaced:
        return None
    body = r"[\s_-]?".join(re.escape(part) for part in spaced.split(" "))
    if re.search(r"[A-Za-z0-9]", spaced):
        return re.compile(rf"(?<![A-Za-z0-9]){body}(?:e?s)?(?![A-Za-z0-9])", re.IGNORECASE)
    return re.compile(body)


def _currencies(options: Sequence[Option], text: str) -> Iterator[Hit]:
    """Yield currencies that are named by sign or word where the options are currency codes."""
    codes = {str(option.value).upper(): option.value for option in options}
    for match in _CURRENCY.finditer(text):
        said = normalise(match.group())
        code = _MORE.get(said) or currency_code(said) or currency_code(said.removesuffix("s"))
        if code in codes:
            yield Hit(value=codes[code], start=match.start(), end=match.end())
