"""Which of the two languages a text is in."""

from __future__ import annotations

from kaoju.model.question import Language


def detect(text: str) -> Language:
    """Return "zh" where Chinese characters carry at least a fifth of the letters, else "en".

    A Chinese question about English names stays Chinese: each Latin word counts as one letter.
    """
    han = sum("\u3400" <= char <= "\u9fff" for char in text)
    if not han:
        return "en"
    words = sum(
        a.isascii() and a.isalpha() and not (b.isascii() and b.isalpha())
        for a, b in zip(text, text[1:] + " ", strict=True)
    )
    return "zh" if han * 2 >= words else "en"
