"""`kaoju.json`: what says that a folder is a knowledge base, of which format, made with which embedding model.

Promises: a folder becomes a knowledge base in one step, or not at all, also
when two processes try at once; a folder that holds anything else is refused;
reading the manifest says clearly what is wrong.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kaoju.errors import KnowledgeBaseError, StorageError
from kaoju.knowledge.embedding import Embedder
from kaoju.knowledge.lock import held
from kaoju.knowledge.state import State, storage_error
from kaoju.knowledge.store import Store

FORMAT: Final = 1
NAME: Final = "kaoju.json"
STATE: Final = "state.sqlite"
CHUNKS: Final = "chunks.lance"
TABLES: Final = "tables.duckdb"
_OWN: Final = frozenset({STATE, f"{STATE}-wal", f"{STATE}-shm", CHUNKS, "lock", f"{NAME}.draft"})
"""What an interrupted creation may have left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What `kaoju.json` holds."""

    embedding: str
    dim: int


def create(folder: Path, embedder: Embedder, *, lock_seconds: float) -> None:
    """Make an empty knowledge base where the folder is missing or empty; nothing to do where there is one.

    Raises:
        KnowledgeBaseError: the folder holds other files.
        StorageError: it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_foreign(folder)
        with held(folder, seconds=lock_seconds):
            if (folder / NAME).exists():
                return
            State(folder / STATE, create=True).close()
            Store(folder / CHUNKS, embedder.dim, create=True)
            draft = folder / f"{NAME}.draft"
            found = {"format": FORMAT, "embedding": embedder.name, "dim": embedder.dim}
            draft.write_text(json.dumps(found, indent=2), encoding="utf-8")
            draft.replace(folder / NAME)
    except OSError as error:
        raise storage_error(folder, error) from error


def read(folder: Path, embedder: Embedder) -> Manifest:
    """Return the manifest of a knowledge base that `embedder` can search.

    Raises:
        KnowledgeBaseError: missing, damaged, of another format, or made with another embedding model.
        StorageError: it may not be read.
    """
    path = folder / NAME
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
        manifest = Manifest(embedding=str(found["embedding"]), dim=int(found["dim"]))
        version = int(found["format"])
    except FileNotFoundError as error:
        raise KnowledgeBaseError(
            f"there is no knowledge base in {folder}; run `kaoju ingest PATH --kb {folder}` first, or name another with --kb.",
            f"{folder} 中没有知识库；请先运行 `kaoju ingest 路径 --kb {folder}`，或用 --kb 指定其他位置。",
        ) from error
    except PermissionError as error:
        raise StorageError(
            f"{path} may not be read; check its permissions.", f"没有读取 {path} 的权限。"
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KnowledgeBaseError(
            f"{path} is damaged; restore it from a backup, or remove the folder and ingest again.",
            f"{path} 已损坏；请从备份恢复，或删除该文件夹后重新导入。",
        ) from error
    if version != FORMAT:
        raise KnowledgeBaseError(
            f"this knowledge base has format {version}, this Kaoju reads {FORMAT}; ingest into a new folder.",
            f"该知识库的格式为 {version}，当前版本支持 {FORMAT}；请导入到新的文件夹。",
        )
    if manifest.embedding != embedder.name:
        raise KnowledgeBaseError(
            f"this knowledge base was made with {manifest.embedding}, the setting says {embedder.name}; set `embedding` back, or ingest into a new folder.",
            f"该知识库使用 {manifest.embedding} 构建，而当前设置为 {embedder.name}；请改回 `embedding` 设置，或导入到新的文件夹。",
        )
    return manifest


def _refuse_foreign(folder: Path) -> None:
    if (folder / NAME).exists():
        return
    if any(not entry.name.startswith(".") and entry.name not in _OWN for entry in folder.iterdir()):
        raise KnowledgeBaseError(
            f"{folder} holds other files; name an empty or new folder with --kb.",
            f"{folder} 中已有其他文件；请用 --kb 指定空文件夹或新文件夹。",
        )
