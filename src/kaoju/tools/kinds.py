"""Every kind of tool that a contract may name: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from kaoju.tools.code.kind import CodeKind
from kaoju.tools.contract import Kind
from kaoju.tools.extract.kind import ExtractKind
from kaoju.tools.search_kind import SearchKind
from kaoju.tools.sql.kind import SqlKind

KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "code": CodeKind(),
        "extract": ExtractKind(),
        "search": SearchKind(),
        "sql": SqlKind(),
    }
)
