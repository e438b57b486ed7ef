"""One way to say that a file cannot be read: the stable reason, and what to do in two languages."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kaoju.errors import IngestError

_SENTENCES: Final[dict[str, tuple[str, str]]] = {
    "encrypted": (
        "is protected by a password; save a copy without one and ingest that",
        "有密码保护；请另存一份无密码的副本再导入",
    ),
    "truncated": (
        "ends too early; copy or download it again",
        "不完整（末尾缺失）；请重新复制或下载",
    ),
    "corrupt": (
        "is damaged or is not what its name says; open it in its program and save it again",
        "已损坏或与扩展名不符；请用相应程序打开后重新保存",
    ),
    "empty": ("is empty", "是空文件"),
    "no_text": (
        "has no readable text; if it is a scan, run text recognition first",
        "没有可读文字；若是扫描件，请先做文字识别",
    ),
    "too_large": ("is larger than the limit; split it", "超过大小上限；请拆分后再导入"),
    "unsupported": ("is of a kind that is not read", "的类型不受支持"),
    "unreadable": ("cannot be opened; check its permissions", "无法打开；请检查权限"),
    "changed_while_read": (
        "changed while it was read; ingest it again once it is finished",
        "在读取过程中被修改；请待其写完后再导入",
    ),
    "zip_bomb": (
        "unpacks to far more than an honest document would; it was not opened",
        "解压后体积异常；未予打开",
    ),
    "bad_encoding": (
        "is not text in a known encoding; save it as UTF-8",
        "的文字编码无法识别；请另存为 UTF-8",
    ),
    "duplicate_id": (
        "repeats a document id; give each document its own",
        "中文档 id 重复；请保证每个文档的 id 唯一",
    ),
    "timeout": ("took too long to read; split it", "读取超时；请拆分后再导入"),
}


def fault(reason: str, path: Path, detail: str = "", zh: str = "") -> IngestError:
    """Return the error for `path`, with `detail` in brackets behind the standing sentence."""
    english, chinese = _SENTENCES[reason]
    tail, tail_zh = (f" ({detail})", f"（{zh or detail}）") if detail else ("", "")
    return IngestError(reason, f"{path.name} {english}{tail}", f"{path.name} {chinese}{tail_zh}")
