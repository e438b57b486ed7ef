"""`batch`: order, resume after a kill, refusal of foreign files. (End-to-end runs are in test_commands.)"""

import json

import pytest

from kaoju.errors import UsageError
from kaoju.surfaces.cli.batch import finished, read_lines

LINES = [{"id": i, "question": f"q{i}"} for i in range(4)]


def written(tmp_path, text):
    out = tmp_path / "out.jsonl"
    out.write_text(text)
    return out


def test_a_torn_last_line_is_dropped_and_whole_ones_are_kept(tmp_path):
    good = "".join(json.dumps({**line, "result": {}}) + "\n" for line in LINES[:2])
    out = written(tmp_path, good + '{"id": 2, "ques')
    assert finished(out, LINES) == 2
    assert out.read_text() == good


@pytest.mark.parametrize("row", ['{"id": 9, "result": {}}', '{"id": 0}', "not json", "[]"])
def test_an_output_of_something_else_is_never_overwritten(tmp_path, row):
    out = written(tmp_path, row + "\n")
    with pytest.raises(UsageError):
        finished(out, LINES)
    assert out.read_text() == row + "\n"


def test_a_missing_output_starts_from_the_beginning(tmp_path):
    assert finished(tmp_path / "none.jsonl", LINES) == 0


@pytest.mark.parametrize(
    "row", ["{", "[1]", '{"id": 1}', '{"question": "x"}', '{"id": 1, "question": 2}', "[" * 9999]
)
def test_a_bad_line_is_named(tmp_path, row):
    file = written(tmp_path, '{"id": 1, "question": "ok"}\n\n' + row)
    with pytest.raises(UsageError, match="line 3"):
        list(read_lines(file))


def test_a_byte_order_mark_and_line_separators_inside_text_are_harmless(tmp_path):
    file = tmp_path / "in.jsonl"
    file.write_bytes(
        b"\xef\xbb\xbf" + json.dumps({"id": 1, "question": "a\u2028b"}, ensure_ascii=False).encode()
    )
    assert list(read_lines(file)) == [{"id": 1, "question": "a\u2028b"}]
