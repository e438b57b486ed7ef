"""What SQL may be made of: data for the guard. What is not listed is refused.

Functions whose result can be far larger than their arguments (repeat, lpad,
rpad, range, string_agg over cross joins, list functions) and everything that
touches files, settings or the system are left out on purpose.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from kaoju.tools.sql.engines.target import Engine

# fmt: off
NODES: Final = frozenset(
    {
        "Select", "Union", "Except", "Intersect", "Subquery", "With", "CTE", "TableAlias", "From",
        "Join", "Where", "Group", "Having", "Order", "Ordered", "Limit", "Offset", "Fetch",
        "Distinct", "Table", "Column", "Identifier", "Alias", "Star", "Literal", "Null", "Boolean",
        "Paren", "Tuple", "Var", "Window", "WindowSpec", "Filter", "Qualify", "WithinGroup", "And",
        "Or", "Not", "Xor", "EQ", "NEQ", "GT", "GTE", "LT", "LTE", "Is", "In", "Between", "Like",
        "ILike", "Exists", "NullSafeEQ", "NullSafeNEQ", "Any", "All", "Escape", "Add", "Sub", "Mul",
        "Div", "IntDiv", "Mod", "Neg", "DPipe", "SafeDivide", "Case", "If", "Cast", "TryCast",
        "DataType", "DataTypeParam", "Interval", "Extract", "IgnoreNulls",
    }
)
"""Names of the parser's node classes that are structure, operators or types."""

FUNCTION_NODES: Final = frozenset(
    {
        "Count", "CountIf", "Sum", "Avg", "Min", "Max", "Median", "Stddev", "StddevPop",
        "StddevSamp", "Variance", "VariancePop", "Corr", "Quantile", "PercentileCont",
        "PercentileDisc", "ArgMax", "ArgMin", "AnyValue", "First", "Last", "Mode", "LogicalAnd",
        "LogicalOr", "ApproxDistinct", "Abs", "Round", "Floor", "Ceil", "Sign", "Sqrt", "Cbrt",
        "Exp", "Ln", "Log", "Pow", "Greatest", "Least", "Coalesce", "Nullif", "Case", "If", "Cast",
        "TryCast", "Lower", "Upper", "Trim", "Length", "Substring", "Left", "Right", "StrPosition",
        "Contains", "StartsWith", "EndsWith", "Concat", "ConcatWs", "SplitPart", "Replace",
        "RegexpLike", "RegexpExtract", "Initcap", "Reverse", "Extract", "Year", "Quarter", "Month",
        "Week", "Day", "DayOfWeek", "DayOfMonth", "DayOfYear", "DateTrunc", "TimestampTrunc",
        "DateDiff", "DateAdd", "DateSub", "TsOrDsToDate", "StrToDate", "StrToTime", "TimeToStr",
        "CurrentDate", "Date", "DateFromParts", "LastDay", "Hour", "Minute", "Second", "RowNumber",
        "Rank", "DenseRank", "PercentRank", "CumeDist", "Ntile", "Lag", "Lead", "FirstValue",
        "LastValue", "NthValue", "And", "Or", "Xor", "Exists", "Any", "All", "Trunc", "IsNan",
        "IsInf", "TimestampDiff", "TimestampAdd", "TsOrDsToTimestamp", "TsOrDsDiff",
    }
)
"""Names of the parser's classes for functions that are known to be harmless."""

FUNCTION_NAMES: Final = frozenset(
    {
        "date_part", "datediff", "date_diff", "datesub", "date_sub", "strptime", "try_strptime",
        "monthname", "dayname", "trunc", "even", "prefix", "suffix", "instr", "mean", "fdiv",
        "fmod", "bool_and", "bool_or", "strlen", "product", "favg", "fsum", "kurtosis", "skewness",
        "entropy",
    }
)
"""The same, for functions that the parser has no class for."""

TYPES: Final = frozenset(
    {
        "BOOLEAN", "TINYINT", "SMALLINT", "INT", "MEDIUMINT", "BIGINT", "INT128", "UTINYINT", "USMALLINT",
        "UINT", "UBIGINT", "FLOAT", "DOUBLE", "DECIMAL", "CHAR", "NCHAR", "VARCHAR", "NVARCHAR", "TEXT",
        "DATE", "TIME", "TIMETZ", "DATETIME", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMPNTZ", "TIMESTAMPLTZ",
        "INTERVAL", "YEAR",
    }
)
"""Names of the parser's types that a value may be cast to."""

ENGINE_FUNCTIONS: Final[Mapping[Engine, frozenset[str]]] = MappingProxyType(
    {
        "sqlite": frozenset({"kaoju_day", "kaoju_number", "kaoju_first_day", "day_of_month", "julianday", "median"}),
        "postgres": frozenset({"date_part"}),
    }
)
"""Functions of one engine that its rendered SQL may call, where the parser has no class for them."""
# fmt: on
