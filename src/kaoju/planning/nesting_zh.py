"""The innermost description of a Chinese question. Pure rules.

Two shapes: the chain of owners (甲项目负责人的办公地点) and the described person or
thing (负责甲项目的经理在哪办公). Roles in general (部门经理的权限) describe nobody.
"""

from __future__ import annotations

import re
from typing import Final

from kaoju.language.names import find_names
from kaoju.planning.cut import Cut

_ROLE: Final = (
    "负责人|(?:直属|直接)?(?:上级|上司|下属)|导师|师傅|助理|秘书|主编|项目经理|产品经理|客户经理|经理|总监|主管|主任|组长|带头人|领导|作者|导演|主演|编剧|主角|演唱者|歌手|作曲者?|作词者?|创始人|创办人|发明人|设计师|设计者|建筑师|董事长|总裁|总经理|首席执行官|首席技术官|法定代表人|法人|校长|院长|所长|会长|市长|省长"
    "|供应商|服务商|承建方|承建单位|建设方|建设单位|总包方|监理方|承办方|承办单位|承包商|施工方|客户|合作方|合作伙伴|母公司|子公司|控股股东|大股东|股东|实际控制人|出版社|出版方|开发商|开发者|制造商|生产商|发行方|主办方|甲方|乙方"
    "|母亲|父亲|妻子|丈夫|儿子|女儿|哥哥|弟弟|姐姐|妹妹|祖父|祖母|爷爷|奶奶|配偶|老师|继任者|前任"
    "|(?:所在|所属|牵头|责任|主管|归口|归属)(?:的)?(?:部门|单位|公司|团队|城市|国家|地区|省份|学院|学校|事业部|球队)|部门|团队|项目组|球队|母校|毕业院校|出生地|故乡|家乡|首都|省会|总部所在地|总部所在城市|所在地|国家"
)
_PERSON: Final = "人|员工|同事|经理|工程师|专家|负责人|部门|公司|团队|供应商|厂商|单位|机构|导演|作者|演员|歌手|城市|国家|学校|大学|学院|项目|产品|那个人|那家公司"
_ATTRIBUTE: Final = "总部|办公|地址|电话|分机|邮箱|学历|年龄|生日|国籍|职务|职位|注册地"
"""What may be asked of an owner without a particle between."""
_OWNED: Final = re.compile(
    rf"(?P<inner>(?:(?!的人|的员工|，|,).){{2,40}}?(?:的)?(?:{_ROLE}))(?P<after>(?:的|所在的?|所属的?|现在|目前|在|是哪|位于|属于|毕业于|来自|向谁|由谁|住|任职|出生|负责|还|曾|担任|隶属|有|{_ATTRIBUTE}).+)$"
)
_DESCRIBED: Final = re.compile(
    rf"^(?P<lead>(?:请问|在)?)(?P<inner>.{{2,40}}的(?:那个|那家|那位|这个)?(?:{_PERSON}))(?P<after>[，,]?(?:的|所在的?|所属的?|现在|目前|在|是哪|位于|属于|毕业于|来自|住|任职|出生|还|曾|担任|隶属|有|(?:其|他|她|它)的?|[\u4e00-\u9fff]{{2,6}}(?:是|有|在)).+)$"
)
_VERBAL: Final = re.compile(
    r"^(?:负责|主管|领导|管理|承办|开发|导演|执导|创办|创立|成立|牵头|参与|撰写|编写|写|提供|发明|设计|收购|生产|制造|出版|发行|获得|主持|担任|签订|签署|签|采购|供应|研发|拥有|击败|主演|演唱|饰演|培养|运营|维护|审批|批准)"
    r"|^.{2,16}(?:负责|主管|领导|管理|承办|开发|导演|执导|创办|创立|牵头|参与|撰写|编写|写|提供|发明|设计|收购|生产|制造|出版|发行|获得|主持|担任|毕业|就读|出生|居住|所在|位于|隶属|签订|签署|采购|供应|研发|入选|举办|入职|加入|演唱|饰演).{0,16}的"
)
_WHOLE: Final = re.compile(
    r"^的?(?:都|又|到底|究竟)?(?:是|叫|有)?(?:谁|什么|哪位|哪个人|哪家|哪家公司|哪个|哪些|哪些人|多少|几个|几位|什么名字|名字|姓名)(?:人|公司|名字|部门)?(?:吗|呢)?$|^在哪(?:里|儿)?$(?<!.)"
)
_BARE_ROLE: Final = re.compile(rf"^(?:{_ROLE})$")


def innermost(text: str) -> Cut | None:
    """Return the innermost description that something else is asked of; None where there is none."""
    for match in (*_matches(_DESCRIBED, text), *_matches(_OWNED, text)):
        inner = re.sub(r"^(?:请问|在|对于|关于)(?=.{4})", "", match.group("inner"))
        after = match.group("after")
        if _WHOLE.match(after) or not _specific(inner):
            continue
        if match.re is _DESCRIBED and not _VERBAL.match(inner):
            continue
        start = match.end("inner") - len(inner)
        return Cut(inner=inner, before=text[:start], after=_joined(after))
    return None


def _matches(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    found = pattern.match(text)
    return [found] if found else []


def _specific(inner: str) -> bool:
    """Return whether the description holds something to search for, beside the role itself."""
    if re.search(r"什么|哪|谁|多少|是否|怎么|如何|每|各|所有|全部", inner):
        return False
    return (
        "{t" in inner
        or bool(re.search(r"[A-Za-z0-9《“「]", inner))
        or any(not _BARE_ROLE.match(name.text) for name in find_names(inner))
    )


def _joined(after: str) -> str:
    """Return what follows, without the owner's particle, a space before what would run into a name."""
    bare = re.sub(r"^[，,](?:其|他|她|它)?的?|^的", "", after)
    return bare if bare.startswith(("所", "在", "是", "由", "向", "现", "目", "位")) else f" {bare}"
