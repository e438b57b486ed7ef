"""Relatives at one remove: an aunt is a parent's sister. Pure.

Texts state the near relation; the remote one has to be looked up in two steps.
"""

from __future__ import annotations

import re
from typing import Final

from kaoju.model.question import Language

_NEAR: Final = {
    "paternal grandfather": ("father", "father"), "paternal grandmother": ("father", "mother"),
    "maternal grandfather": ("mother", "father"), "maternal grandmother": ("mother", "mother"),
    "grandfather": ("parents", "father"), "grandmother": ("parents", "mother"),
    "father-in-law": ("spouse", "father"), "mother-in-law": ("spouse", "mother"),
    "brother-in-law": ("spouse", "brother"), "sister-in-law": ("spouse", "sister"),
    "uncle": ("parents", "brother"), "aunt": ("parents", "sister"), "cousin": ("parents", "siblings' children"),
    "stepmother": ("father", "wife"), "stepfather": ("mother", "husband"),
    "grandson": ("children", "son"), "granddaughter": ("children", "daughter"), "grandchild": ("children", "children"),
    "son-in-law": ("daughter", "husband"), "daughter-in-law": ("son", "wife"), "child-in-law": ("children", "spouse"),
    "nephew": ("siblings", "son"), "niece": ("siblings", "daughter"),
}  # fmt: skip
_NEAR_ZH: Final = {
    "祖父": ("父亲", "父亲"), "爷爷": ("父亲", "父亲"), "祖母": ("父亲", "母亲"), "奶奶": ("父亲", "母亲"),
    "外祖父": ("母亲", "父亲"), "外公": ("母亲", "父亲"), "外祖母": ("母亲", "母亲"), "外婆": ("母亲", "母亲"),
    "岳父": ("妻子", "父亲"), "岳母": ("妻子", "母亲"), "公公": ("丈夫", "父亲"), "婆婆": ("丈夫", "母亲"),
    "叔叔": ("父亲", "弟弟"), "伯父": ("父亲", "哥哥"), "姑姑": ("父亲", "姐妹"), "舅舅": ("母亲", "兄弟"), "姨妈": ("母亲", "姐妹"),
    "女婿": ("女儿", "丈夫"), "儿媳": ("儿子", "妻子"), "孙子": ("儿子", "儿子"), "孙女": ("儿子", "女儿"),
}  # fmt: skip
_WORDS: Final = "|".join(sorted(_NEAR, key=len, reverse=True))
_EN: Final = re.compile(
    rf"^who\s(?:is|was|are|were)\s(?:the\s(?P<role>{_WORDS})\sof\s(?P<owner>.+)|(?P<owner2>.+?)['’]s?\s(?P<role2>{_WORDS}))$",
    re.IGNORECASE,
)
_ZH: Final = re.compile(
    rf"^(?P<owner>.{{2,24}}?)的?(?P<role>{'|'.join(sorted(_NEAR_ZH, key=len, reverse=True))})(?:是谁|叫什么(?:名字)?|是哪位)$"
)


def near_steps(question: str, language: Language) -> tuple[str, ...]:
    """Return the two steps to a remote relative; empty where the question asks for none."""
    if language == "zh":
        match = _ZH.match(question)
        if match is None:
            return ()
        first, second = _NEAR_ZH[match.group("role")]
        return (f"{match.group('owner')}的{first}", f"{{t1}}的{second}是谁")
    match = _EN.match(question)
    if match is None:
        return ()
    owner = match.group("owner") or match.group("owner2")
    first, second = _NEAR[(match.group("role") or match.group("role2")).casefold()]
    return (f"{first} of {owner}", f"who is the {second} of {{t1}}")
