"""From a file to a contract, or to everything that is wrong with its form."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator
from pydantic import ValidationError

from kaoju.tools.contract import Contract, Kind
from kaoju.tools.contracts.form import ContractForm, fields, to_contract
from kaoju.tools.contracts.problem import Problem
from kaoju.tools.contracts.source import Place, Source, read_source

SUFFIXES: Final = (".yaml", ".yml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One file that has the form of a contract."""

    contract: Contract
    source: Source


def files_of(folder: Path) -> tuple[Path, ...]:
    """Return the contract files of a folder, in order of name; hidden ones are left out."""
    if not folder.is_dir():
        return ()
    return tuple(
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in SUFFIXES
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def read_contract(path: Path, kinds: Mapping[str, Kind]) -> Read | tuple[Problem, ...]:
    """Return a file's contract, or what is wrong with its form."""
    source = read_source(path)
    if isinstance(source, Problem):
        return (source,)
    kind = source.data.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        known = ", ".join(sorted(kinds))
        near = _near(str(kind), kinds)
        return (
            source.problem(
                ("kind",),
                f"`kind` must be one of {known}{f'; did you mean {near}?' if near else '.'}",
                f"`kind` 应为 {known} 之一{f'；是否想写 {near}？' if near else '。'}",
            ),
        )
    unknown = tuple(_unknown(source, name, kind) for name in source.data if name not in {*fields(), kind})
    if unknown:
        return unknown
    stated = {name: value for name, value in source.data.items() if name != kind}
    options = source.data.get(kind)
    try:
        form = ContractForm.model_validate({**stated, "options": {} if options is None else options})
    except ValidationError as error:
        return tuple(_misformed(source, kind, item) for item in error.errors())
    wrong = _options_wrong(source, kind, kinds[kind], form.options)
    if wrong:
        return wrong
    line, _ = source.places.get(("name",), (1, 1))
    return Read(contract=to_contract(form, path, line), source=source)


def _options_wrong(source: Source, kind: str, entry: Kind, options: Mapping[str, Any]) -> tuple[Problem, ...]:
    found = []
    for error in Draft202012Validator(dict(entry.options_schema)).iter_errors(dict(options)):
        place: Place = (kind, *error.absolute_path)
        field = ".".join(str(part) for part in place)
        found.append(
            source.problem(place, f"{field}: {error.message}.", f"{field} 不符合约定：{error.message}。")
        )
    return tuple(found)


def _unknown(source: Source, name: str, kind: str) -> Problem:
    near = _near(name, (*fields(), kind))
    return source.problem(
        (name,),
        f"unknown field {name!r}; {f'did you mean {near!r}?' if near else 'remove it.'}",
        f"未知字段 {name!r}；{f'是否想写 {near!r}？' if near else '请删除。'}",
    )


def _misformed(source: Source, kind: str, error: Any) -> Problem:
    place = tuple(part for part in error["loc"] if not (isinstance(part, str) and part.endswith("Form")))
    if place[:1] == ("options",):
        place = (kind, *place[1:])
    field = ".".join(str(part) for part in place)
    if error["type"] == "missing":
        return source.problem(
            place, f"the field {field!r} is missing; add it.", f"缺少字段 {field!r}，请补上。"
        )
    if error["type"] == "extra_forbidden":
        return source.problem(place, f"unknown field {field!r}; remove it.", f"未知字段 {field!r}，请删除。")
    return source.problem(place, f"{field}: {error['msg']}.", f"{field} 不符合约定：{error['msg']}。")


def _near(name: str, known: Any) -> str:
    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)), "")
