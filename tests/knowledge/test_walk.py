"""Which files are meant, in a stable order, each with a reason where it is left out."""

from pathlib import Path

import pytest

from kaoju.errors import UsageError
from kaoju.knowledge.walk import Found, walk


def found(*paths: Path, avoid: Path) -> list[str]:
    return [item.path for item in walk(paths, avoid=avoid) if isinstance(item, Found)]


@pytest.fixture
def tree(tmp_path) -> Path:
    root = tmp_path / "root"
    for name in ("b/2.md", "b/1.md", "a/x.txt", "a/deep/y.csv", "top.md", "目录/文件 一.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    return root


def test_folders_are_walked_in_a_stable_order(tree, tmp_path) -> None:
    wanted = ["a/deep/y.csv", "a/x.txt", "b/1.md", "b/2.md", "top.md", "目录/文件 一.md"]
    assert found(tree, avoid=tmp_path / "kb") == wanted


def test_a_file_given_directly_is_known_by_its_name(tree, tmp_path) -> None:
    assert found(tree / "a" / "deep" / "y.csv", avoid=tmp_path / "kb") == ["y.csv"]


def test_a_path_given_twice_or_inside_another_is_read_once(tree, tmp_path) -> None:
    assert len(found(tree, tree, avoid=tmp_path / "kb")) == 6
    assert len(found(tree, tree / "a", avoid=tmp_path / "kb")) == 6
    assert len(found(tree / "top.md", tree / "top.md", avoid=tmp_path / "kb")) == 1


def test_links_inside_the_folder_are_followed_once_and_loops_end(tree, tmp_path) -> None:
    (tree / "again").symlink_to(tree / "a")
    (tree / "a" / "deep" / "up").symlink_to(tree)
    (tree / "self").symlink_to(tree / "self")
    assert len(found(tree, avoid=tmp_path / "kb")) == 6
    reasons = {
        item.path: item.reason for item in walk([tree], avoid=tmp_path / "kb") if not isinstance(item, Found)
    }
    assert reasons["a/deep/up"] == reasons["self"] == "link_loop"


def test_the_given_folder_may_itself_be_a_link_or_hidden(tree, tmp_path) -> None:
    (tmp_path / ".link").symlink_to(tree)
    assert len(found(tmp_path / ".link", avoid=tmp_path / "kb")) == 6


def test_a_path_that_is_not_there(tmp_path) -> None:
    with pytest.raises(UsageError) as caught:
        list(walk([tmp_path / "none"], avoid=tmp_path))
    assert "none" in caught.value.zh
