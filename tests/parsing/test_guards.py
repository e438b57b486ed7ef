from __future__ import annotations

import os
import shutil
import threading
import zipfile
from pathlib import Path

import docx
import pytest

from kaoju.errors import IngestError
from kaoju.knowledge.parsing import Limits, count_units, parse, supported


@pytest.fixture
def office(tmp_path: Path) -> Path:
    d = docx.Document()
    d.add_paragraph("a paragraph")
    path = tmp_path / "a.docx"
    d.save(path)
    return path


def rewritten(path: Path, name: str, changes: dict[str, bytes]) -> Path:
    target = path.with_name(name)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            if member not in changes:
                new.writestr(member, old.read(member))
        for member, data in changes.items():
            new.writestr(member, data)
    return target


def test_content_beats_the_suffix(office: Path, one, texts) -> None:
    for name in ("b.xlsx", "b.txt", "b"):
        shutil.copy(office, office.with_name(name))
        assert texts(one(office.with_name(name))) == ["a paragraph"]
        assert supported(office.with_name(name))


def test_a_plain_zip_is_no_office_file(tmp_path: Path, refused) -> None:
    for name, reason in (("a.docx", "corrupt"), ("a.zip", "unsupported")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("x.txt", "x")
        assert refused(tmp_path / name) == reason


def test_zip_bombs_by_size_ratio_count_and_lie(office: Path, refused) -> None:
    big = rewritten(office, "bomb.docx", {"word/media/a.bin": b"\0" * 60_000_000})
    assert refused(big) == "zip_bomb"
    for limits in (Limits(unzipped_bytes=10_000), Limits(zip_entries=3)):
        with pytest.raises(IngestError) as caught:
            list(parse(office, "x", limits=limits))
        assert caught.value.reason == "zip_bomb"


def test_a_declared_size_that_lies_is_caught_while_reading(office: Path, refused) -> None:
    path = rewritten(office, "lie.docx", {"word/media/a.bin": b"\0" * 3_000_000})
    data = bytearray(path.read_bytes())
    needle = (3_000_000).to_bytes(4, "little")
    while (at := data.find(needle)) >= 0:
        data[at : at + 4] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    assert refused(path) in {"corrupt", "zip_bomb"}


def test_entity_bombs_are_refused(office: Path, refused) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'
    assert refused(rewritten(office, "e.docx", {"word/document.xml": bomb})) == "corrupt"


def test_locked_old_and_cut_office_files(office: Path, tmp_path: Path, refused) -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    (tmp_path / "locked.xlsx").write_bytes(ole + "EncryptedPackage".encode("utf-16-le"))
    (tmp_path / "old.doc").write_bytes(ole)
    data = office.read_bytes()
    (tmp_path / "cut.docx").write_bytes(data[: len(data) // 2])
    assert refused(tmp_path / "locked.xlsx") == "encrypted"
    assert refused(tmp_path / "old.doc") == "unsupported"
    assert refused(tmp_path / "cut.docx") == "truncated"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.txt", b"", "empty"),
        ("a.txt", b" \n\n ", "no_text"),
        ("a.txt", bytes(range(256)) * 20, "unsupported"),
        ("a.exe", b"MZ\x90", "unsupported"),
        ("a.json", b"{}", "unsupported"),
        ("a.md", b"\n\n", "no_text"),
        ("a.html", b"<html></html>", "no_text"),
        ("a.csv", b"\n \n", "no_text"),
        ("a.xlsx", b"not a workbook", "corrupt"),
        ("a.parquet", b"not columns", "corrupt"),
        ("a.db", b"not a database", "corrupt"),
    ],
)
def test_reasons(tmp_path: Path, name: str, content: bytes, reason: str, refused) -> None:
    (tmp_path / name).write_bytes(content)
    assert refused(tmp_path / name) == reason


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16", "utf-16-le", "utf-8-sig", "utf-32"])
def test_text_encodings(tmp_path: Path, encoding: str, one, texts) -> None:
    text = "第一章 总则\n本手册适用于全体员工。Employees, all of them.\n\n第二段，关于假期的规定。"
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode(encoding))
    document = one(path)
    assert texts(document, "heading") == ["第一章 总则"]
    assert document.blocks[-1].text == "第二段，关于假期的规定。"


def test_western_text_is_not_taken_for_chinese(tmp_path: Path, one, texts) -> None:
    path = tmp_path / "a.txt"
    text = "Les employés à l'étranger reçoivent une indemnité spécifique après été."
    path.write_bytes(text.encode("cp1252"))
    assert texts(one(path)) == [text]


def test_a_few_damaged_bytes_are_replaced_and_noted(tmp_path: Path, one) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("很长的一段文字。".encode() * 100 + b"\xff" + "尾巴。".encode())
    document = one(path)
    assert "\ufffd" in document.blocks[0].text
    assert document.notes


def test_size_limit_special_files_and_missing_files(tmp_path: Path, refused) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x" * 100)
    with pytest.raises(IngestError) as caught:
        list(parse(path, "x", limits=Limits(file_bytes=10)))
    assert caught.value.reason == "too_large"
    os.mkfifo(tmp_path / "pipe.txt")
    assert refused(tmp_path / "pipe.txt") == "unsupported"
    assert refused(tmp_path / "gone.txt") == "unreadable"
    assert count_units(tmp_path / "gone.txt") == 0
    assert count_units(path) == 100


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "text": "one"}\n{"id": "b", "text": "two"}\n')
    documents = parse(path, "x")
    assert next(documents).id == "a"
    with path.open("a") as stream:
        stream.write('{"id": "c", "text": "three"}\n')
    with pytest.raises(IngestError) as caught:
        list(documents)
    assert caught.value.reason == "changed_while_read"


def test_files_are_read_from_several_threads_at_once(pdf, one) -> None:
    path = pdf([["the same words on every page"]] * 20)
    expected = one(path)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(one(path))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
