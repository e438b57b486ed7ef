"""Tools and tables that exist only for these tests."""

from __future__ import annotations

from datetime import date
from typing import cast

from kaoju.language.detect import detect
from kaoju.model.document import TableInfo
from kaoju.model.evidence import JSON
from kaoju.model.question import Question
from kaoju.model.tool import ToolSpec
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits

NOW = date(2026, 3, 31)
LIMITS = Limits()


def spec(name: str, **more: JSON) -> ToolSpec:
    schema = {
        "type": "object",
        "properties": {"query": {"type": "string", "minLength": 1}, **more},
        "required": ["query"],
        "additionalProperties": False,
    }
    return ToolSpec(
        name=name,
        description=f"{name} for tests",
        use_for=f"what {name} is for",
        not_for="anything else",
        input_schema=cast("dict[str, JSON]", schema),
    )


PROJECTS = TableInfo(
    name="projects",
    document_id="projects.xlsx",
    title="项目台账",
    columns=(
        ("项目名称", "VARCHAR"),
        ("部门", "VARCHAR"),
        ("负责人", "VARCHAR"),
        ("预算", "DOUBLE"),
        ("实际支出", "DOUBLE"),
        ("状态", "VARCHAR"),
    ),
    row_count=4,
    samples={
        "项目名称": ("白桦项目", "青石项目", "远帆项目", "云杉项目"),
        "部门": ("研发部", "工程部"),
        "负责人": ("陈立", "王芳", "赵强"),
        "状态": ("已完成", "进行中"),
    },
)
SALES = TableInfo(
    name="quarterly_revenue",
    document_id="revenue.csv",
    title="Quarterly revenue",
    columns=(("product", "VARCHAR"), ("quarter", "VARCHAR"), ("region", "VARCHAR"), ("revenue", "BIGINT")),
    row_count=6,
    samples={
        "product": ("Beacon", "Meadow"),
        "quarter": ("2024Q1", "2024Q2"),
        "region": ("North", "South"),
    },
)
TOOLS = (
    spec("semantic_search", k={"type": "integer", "minimum": 1}),
    spec("keyword_search"),
    spec("follow_links"),
    spec("calculate"),
)
PROSE = Catalog(tools=TOOLS)
TABLES = Catalog(tools=(*TOOLS, spec("sql_query")), tables=(PROJECTS, SALES))


def ask(text: str) -> Question:
    return Question(text=text, now=NOW, language=detect(text))
