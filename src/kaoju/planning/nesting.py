"""Questions whose answer hangs on another answer, taken apart into steps. Pure rules.

"The birthplace of the director of film X" becomes "director of film X" and
"birthplace of {t1}". The innermost description is replaced first, again and
again, so a chain of three becomes three steps. Only descriptions that hold
something to search for (a name, a code, a figure) count; a question that asks
for nothing but the description ("who is the director of X") is of one piece.
"""

from __future__ import annotations

from typing import Final

from kaoju.model.question import Language
from kaoju.planning import nesting_en, nesting_zh
from kaoju.planning.kinship import near_steps

MAX_STEPS: Final = 3


def steps(query: str, language: Language) -> tuple[str, ...]:
    """Return the steps of a nested question, the first one self-contained; empty where it is of one piece.

    Step n may hold `{t1}` to `{tn-1}`; the last step asks what the question asks.
    """
    innermost = nesting_zh.innermost if language == "zh" else nesting_en.innermost
    rest = query.strip().rstrip("?？。. ")
    found: list[str] = []
    while len(found) < MAX_STEPS - 1:
        cut = innermost(rest)
        if cut is None:
            break
        found.append(cut.inner)
        rest = cut.around("{t" + str(len(found)) + "}")
    return (*found, rest) if found else near_steps(rest, language)
