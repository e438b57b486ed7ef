"""SQL written by a model, where patterns do not serve.

Promises: a prompt with the relevant tables only, one statement back, and one
repair with the reason why the first one did not work. The guard and the runner
judge the SQL; this module only writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kaoju.llm.chat import ChatModel, Prompt
from kaoju.model.document import TableInfo
from kaoju.tools.sql import prompts

MAX_TABLES: Final = 4
MAX_COLUMNS: Final = 40
MAX_SAMPLES: Final = 6
MAX_SAMPLE_CHARS: Final = 30
MAX_TOKENS: Final = 300


def describe(table: TableInfo) -> str:
    """Return a table as a model reads it: name, title, columns with type and sample values."""
    about = f"; {table.comments['']}" if "" in table.comments else ""
    lines = [f'"{table.name}" -- {table.title}, {table.row_count} rows{about}']
    for name, kind in table.columns[:MAX_COLUMNS]:
        samples = [value[:MAX_SAMPLE_CHARS] for value in table.samples.get(name, ())[:MAX_SAMPLES]]
        said = f" ({table.comments[name]})" if name in table.comments else ""
        lines.append(f'  "{name}" {kind}{said}' + (f": {' | '.join(samples)}" if samples else ""))
    return "\n".join(lines)


def first_prompt(question: str, tables: Sequence[TableInfo]) -> Prompt:
    """Return the prompt that asks for SQL over the first few tables."""
    user = prompts.USER.format(tables="\n".join(describe(t) for t in tables[:MAX_TABLES]), question=question)
    return Prompt(system=prompts.SYSTEM, user=user, schema=prompts.SCHEMA, max_tokens=MAX_TOKENS)


def repair_prompt(first: Prompt, sql: str, error: str) -> Prompt:
    """Return the prompt that asks for a correction."""
    user = prompts.REPAIR.format(user=first.user, sql=sql, error=error)
    return Prompt(system=first.system, user=user, schema=first.schema, max_tokens=MAX_TOKENS)


async def write(model: ChatModel, prompt: Prompt) -> str:
    """Return the SQL of the model's reply; empty when it gave none.

    Raises:
        ModelError: the model gave no usable reply at all.
    """
    completion = await model.complete(prompt)
    data = completion.data
    sql = data.get("sql") if isinstance(data, dict) else None
    return sql.strip() if isinstance(sql, str) else ""
