"""Texts read in normal form, with the way back to where each character stands. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from kaoju.language.normalise import normalise


@dataclass(frozen=True, slots=True)
class Plain:
    """A text in normal form: `places[i]` is where character i of it stands in the original."""

    text: str
    places: tuple[int, ...]
    length: int
    """Of the original."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the original of a span here."""
        if start >= end:
            at = self.places[start] if start < len(self.places) else self.length
            return at, at
        return self.places[start], self.places[end - 1] + 1


def plain(text: str) -> Plain:
    """Return a text in normal form, white space as single blanks."""
    chars: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        folded = " " if char.isspace() else normalise(char)
        if folded == " " and chars and chars[-1] == " ":
            continue
        for one in folded:
            chars.append(one)
            places.append(at)
    return Plain("".join(chars), tuple(places), len(text))


def find(text: str, wanted: str) -> tuple[int, int] | None:
    """Return where a wording stands in a text, spelled in any form; None where it does not."""
    needle = plain(wanted).text.strip()
    if not needle:
        return None
    hay = plain(text)
    at = hay.text.find(needle)
    while at >= 0 and not _whole(hay.text, at, at + len(needle)):
        at = hay.text.find(needle, at + 1)
    return hay.original(at, at + len(needle)) if at >= 0 else None


def _whole(text: str, start: int, end: int) -> bool:
    """Return whether a span cuts no Latin word or number in two."""
    before, after = text[start - 1 : start], text[end : end + 1]
    left = before.isascii() and before.isalnum() and text[start].isascii() and text[start].isalnum()
    right = after.isascii() and after.isalnum() and text[end - 1].isascii() and text[end - 1].isalnum()
    return not left and not right
