"""What a Chinese question compares, and what it asks of each side. Pure rules.

Conjunctions stand inside names too (计算机科学与技术): the split is the one that
leaves two things of the same build, and both keep the owner that only the
first one carries (某校的甲专业和乙专业).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kaoju.language.names import find_names
from kaoju.planning.comparison import Side

MAX_SIDES: Final = 3
MAX_SIDE_CHARS: Final = 26
MIN_SIDE_CHARS: Final = 2

_CUE: Final = re.compile(
    r"比较|对比|相比|比起|区别|差异|差别|差距|不同|异同|共同|共通|相同|一样|重合|同一|哪(?:个|家|款|种|一个|位|项|所|座|部)|谁|更|先|还是|都(?:是|有|在|属)|分别|各自?[是有为]|之间|孰|比.{1,16}[高低多少大小长短快慢早晚贵强好]"
)
_STRONG: Final = r"(?:的|在|有[何什哪多没无着]|哪|谁|分别|各自|各[是有为]|都|之间|相比|对比|比起来|比较|相同|不同|一样|是否|是不是|属于|更|这?[两三几][个者家门项款种位座所部类]|对于?|于|中[，,]|，|,|：|:|呢|吗|是|先|同|什么|怎么|如何|多少|何时)"
_JOINT: Final = re.compile(
    r"以及|还是|(?:相)?对比|和|与|跟|同(?!一|样|时|期|比)|及(?!格|时)|、|vs\.?|VS|比(?!较|例|起|重|率|赛|如)"
)
_LEAD: Final = re.compile(
    r"^(?:请|帮我|麻烦)?(?:对比|比较|对照|分析|说明|介绍|列出|看看)?(?:一下|下)?(?:在|关于|对于|相比于|相比|相较于|较之|就)?"
)
_TWO: Final = re.compile(
    r"^(?:这|那)?[两二三几][个者家门项款种位座所部类](?:专业|项目|产品|公司|部门|学科|方案|版本|城市|人)?(?:之?[中间])?[，,]?"
)
_SAME: Final = re.compile(
    r"(?:之间)?(?:(?<!目)的)?(?:主要|具体|最大)?(?:有|存在|是)?(?:着)?(?:什么|哪些|何|怎样的|多大|多少|哪里|啥|怎么)?(?:的)?(?:主要|明显|独特)?"
    r"(?:区别|差异|差别|差距|异同点?|(?:共同|不同|相同|共通|重合)(?:点|之处|的地方)?)(?:和|与|、|以及)?(?:(?:共同|不同|相同|独特)(?:点|之处|特点)?)?(?:分别)?(?:是什么|有哪些|在哪里?|在于什么|如何|是如何|主要是什么|是)?"
)
_DROP: Final = re.compile(
    r"是不是|是否|分别|各自|(?<=[^每])各(?=是|有|为)|之间|相比(?:较|之下|起来|而言|于)?|对比|比较(?!高|低|大|小|多|少)|都(?=是|有|在|属)|比起来|(?:是|都是|属于)?同一[个家所]|一样|相同(?:的|吗)?"
)
_WHEN: Final = re.compile(
    r"(?:(?:哪(?:一?个|家|款|种|位|项)?|谁)|^)(?:最先|先|更早|更晚|最早|最晚|较早|较晚|后)(?=[^进生天])|(?:哪(?:一?个|家|款|位|项)?|谁)(?P<verb>[\u4e00-\u9fff]{2,6}?)(?:得)?(?:更|最|较)?(?:早|晚)"
)
_DEGREE: Final = re.compile(
    r"(?:哪(?:一?个|家|款|种|位|项|所|座|部)?|谁)?的?(?P<what>[\u4e00-\u9fffA-Za-z]{0,10}?)(?:更|最|较|比较)(?:高|低|多|少|大|小|长|短|快|慢|贵|便宜|强|弱|好|久|远|近|重|轻)(?:一些|一点|些)?"
)
_THAN: Final = re.compile(
    r"(?P<end>(?:更|还|要|是否|是不是)?(?:更|还|要)?[高低多少大小长短快慢早晚贵强好]了?(?:吗|多少|几.{1,3}|出?多少.{0,3}|不高)?$)"
)
_WHICH: Final = re.compile(r"^(?:哪(?:一?个|家|款|种|位|项|所|座|部)?(?:专业|项目|产品|公司|部门)?|谁)")


@dataclass(frozen=True, slots=True)
class _Cut:
    """One way to cut "context A and B rest"."""

    items: tuple[str, ...]
    rest: str
    score: float


def find(query: str) -> tuple[Side, ...]:
    """Return the sides that a Chinese question compares, in order; empty where it compares nothing."""
    bare = re.sub(r"\s*(?<=[\u4e00-\u9fff])\s+(?=\S)|(?<=\S)\s+(?=[\u4e00-\u9fff])", "", query.strip()).strip(
        " ？?。."
    )
    if not _CUE.search(bare):
        return ()
    cut = _set_against(bare) or _best_cut(bare)
    if cut is None:
        return ()
    items = _owned(cut.items)
    return tuple(Side(name=_named(item), query=_query(item, cut.rest)) for item in items[:MAX_SIDES])


def _set_against(bare: str) -> _Cut | None:
    """Read "相比于甲，乙 ...": the second side ends like the first one."""
    match = re.match(
        r"^(?:(?:相比|相较)(?:于|起)?|与|和|跟|比起|较之)(?P<a>[^，,]{2,26}?)(?:相比)?[，,]\s*(?P<right>.+)$",
        bare,
    )
    if match is None or not re.match(r"^(?:相|比|较)|.*相比[，,]", bare):
        return None
    one, right = match.group("a"), match.group("right")
    for size in (4, 3, 2):
        at = right.find(one[-size:])
        if len(one) > size and 0 <= at <= MAX_SIDE_CHARS - size:
            end = at + size
            return _Cut((one, right[:end]), f"\0{right[end:]}", 1.0)
    return None


def _best_cut(bare: str) -> _Cut | None:
    cuts: list[_Cut] = []
    for start, clause in _clauses(bare):
        lead = _LEAD.match(clause)
        begin = lead.end() if lead else 0
        body = clause[begin:]
        for joint in _JOINT.finditer(body):
            left, right = body[: joint.start()], bare[start + begin + joint.end() :]
            for end in _ends(right, joint.group()):
                cut = _cut(left, right[:end], bare[:start], right[end:], joint.group())
                if cut is not None:
                    cuts.append(cut)
    best = max(cuts, key=lambda cut: cut.score, default=None)
    return best if best is not None and best.score > 0 else None


def _clauses(bare: str) -> list[tuple[int, str]]:
    return [(match.start(), match.group()) for match in re.finditer(r"[^，,；;]+", bare)]


def _ends(right: str, joint: str) -> list[int]:
    """Return where the second side may end: before each of the first words that cannot belong to it."""
    if joint == "比":
        return [match.start("end") for match in _THAN.finditer(right)]
    found = [match.start() for match in re.finditer(_STRONG, right) if match.start() >= MIN_SIDE_CHARS]
    if (first := re.search(r"[，,；;]", right)) is not None:
        found = [end for end in found if end <= first.start()]
    elif len(right) <= MAX_SIDE_CHARS:
        found.append(len(right))
    return found[:6]


def _cut(left: str, right: str, before: str, after: str, joint: str) -> _Cut | None:
    """Weigh one way to cut; None where it leaves nothing that could be a side."""
    context = ""
    if (
        (choice := re.search(r"(?:是|为|选)(?=[^是为选]{2,}$)", left))
        and joint in {"还是", "比", "和", "与"}
        and re.search(r"哪|谁|更|先", left)
    ):
        context, left = left[: choice.start()], left[choice.end() :]
    shaped = _same_shape(left, right + after)
    if shaped is not None:
        owner, one, two, rest = shaped
        return _Cut((owner + one, owner + two), f"{before}\0{rest}", 8.0 + (joint != "、"))
    first = [piece for piece in re.split(r"、", left) if piece]
    items = (*first, right) if joint != "、" else (*first, *re.split(r"、|和|与|以及|及", right))
    if len(items) < 2 or any(not MIN_SIDE_CHARS <= len(item.strip()) <= MAX_SIDE_CHARS for item in items):
        return None
    one, two = items[-2], items[-1]
    if re.search(r"哪|谁|什么|多少|是否|[两三几]个", one + two) or two[:1] in "的在有":
        return None
    owner, has, what = one.rpartition("的")
    if has and "的" not in two and not _common_suffix(one, two) and _common_suffix(owner, two):
        two = f"{two}的{what}"
        items = (*items[:-1], two)
    suffix = _common_suffix(one, two)
    named = [any(name.end >= len(item) - 1 for name in find_names(item)) for item in (one, two)]
    coded = [bool(re.search(r"[A-Za-z0-9]", item)) for item in (one, two)]
    if (
        suffix == 0
        and not all(named)
        and not all(coded)
        and not re.search(
            r"区别|差异|差别|异同|不同|共[同通]|相比|对比|比较|还是|更|先|分别|都|哪[个家款种项]|谁(?=的|更|最|先|人)",
            after + before + joint,
        )
    ):
        return None
    score = 1.0 + 2.0 * min(suffix, 6) + 1.5 * sum(named) + 0.5 * all(coded) - 0.2 * abs(len(one) - len(two))
    score += 1.0 * (joint in {"还是", "对比", "相比", "vs"}) + 0.5 * (joint == "和") - 0.02 * len(two)
    score -= 3.0 * (
        not after.strip()
        and not before.strip()
        and not context
        and joint != "还是"
        and not _CUE.search(joint)
        and suffix < MIN_SIDE_CHARS
    )
    return _Cut(tuple(item.strip() for item in items), f"{before}{context}\0{after}", score)


def _same_shape(left: str, right: str) -> tuple[str, str, str, str] | None:
    """Read codes and figures of one shape (AG-300 和 AG-500, 2023 年和 2024 年): owner, both, and the rest."""
    last = re.search(r"[A-Za-z]*[-.]?\d+(?:[-.]\d+)*[年月版期代号季度款型级]{0,3}$", left)
    if last is None:
        return None
    shape = re.sub(r"\d+", r"\\d+", re.escape(last.group()).replace("\\-", "-"))
    other = re.match(shape, right)
    return (left[: last.start()], last.group(), other.group(), right[other.end() :]) if other else None


def _common_suffix(one: str, two: str) -> int:
    size = 0
    while size < min(len(one), len(two)) and one[-1 - size] == two[-1 - size]:
        size += 1
    return size if size < min(len(one), len(two)) or one == two else size - 1


def _owned(items: tuple[str, ...]) -> tuple[str, ...]:
    """Give every side the owner that only the first one carries: 某公司的甲和乙."""
    first = items[0]
    at = first.rfind("的") + 1
    if not at or any("的" in item for item in items[1:]):
        return items
    return (first, *(first[:at] + item for item in items[1:]))


def _named(item: str) -> str:
    names = find_names(item)
    return names[0].text if len(names) == 1 and names[0].kind == "code" else item


def _query(item: str, rest: str) -> str:
    before, _, after = rest.partition("\0")
    after = _TWO.sub("", after.lstrip())
    before = re.sub(r"^(?:请|帮我)?(?:对比|比较)(?:一下)?", "", before).strip("，, ")
    asked = _asked(after)
    said = _asked(before) if before else ""
    joint = "" if asked[:1] in ("的", "在", "是", "什", "何", "有") or not asked else " "
    text = f"{item}{joint}{asked}".strip()
    return f"{text} {said}".strip(" ，,")


def _asked(rest: str) -> str:
    """Return what is asked of one side once the words of comparing are gone."""
    text = _SAME.sub("", rest, count=1)
    text = _WHEN.sub(lambda m: f"什么时候{m.groupdict().get('verb') or ''}", text, count=1)
    text = _DEGREE.sub(lambda m: f"{m.group('what')}是多少" if m.group("what") else "", text, count=1)
    text = _DROP.sub("", _WHICH.sub("", text))
    text = re.sub(r"[，,：:]\s*(?:它们|两者|二者|他们)?.{0,2}$|(?<=.)吗$|呢$", "", text)
    text = re.sub(r"是如何$", "", _THAN.sub("", text) if _THAN.match(text) else text)
    text = re.sub(r"[，,：:；;]+", " ", text).strip().removeprefix("的")
    if rest.startswith("的") and text:
        return f"的{text}"
    return text
