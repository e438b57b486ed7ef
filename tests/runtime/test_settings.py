"""Settings: one table, four sources in rising order, and nothing silently ignored."""

from dataclasses import fields

import pytest

from kaoju.errors import UsageError
from kaoju.runtime.settings import SETTINGS, Settings, load, message_language


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_table_and_the_value_agree():
    assert {s.name: s.default for s in SETTINGS} == {f.name: f.default for f in fields(Settings)}


def test_flags_beat_environment_beats_file_beats_default(tmp_path):
    (tmp_path / "kaoju.toml").write_text('k = 3\nmax_rounds = 2\nmodel = "a"\n')
    env = {"KAOJU_MAX_ROUNDS": "1", "KAOJU_MODEL": "b", "HOME": "/"}
    settings = load({"model": "c", "kb": None}, environ=env)
    assert (settings.k, settings.max_rounds, settings.model, settings.max_steps) == (3, 1, "c", 16)


@pytest.mark.parametrize(
    "text", ["kk = 3", "k = true", 'k = "many"', "k = 1.5", "k = -1", "deadline = nan", "k ="]
)
def test_a_bad_file_is_refused_by_name(tmp_path, text):
    (tmp_path / "kaoju.toml").write_text(text)
    with pytest.raises(UsageError, match=r"kaoju\.toml|k\b|deadline"):
        load(environ={})


def test_a_named_file_must_exist():
    with pytest.raises(UsageError, match="KAOJU_CONFIG"):
        load(environ={"KAOJU_CONFIG": "nowhere.toml"})


def test_the_key_is_never_shown():
    assert "sesame" not in repr(load({"api_key": "sesame"}, environ={}))


@pytest.mark.parametrize(
    ("env", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
        ({"LANG": "zh_CN", "KAOJU_LANGUAGE": "en"}, "en"),
    ],
)
def test_messages_follow_the_locale_unless_told(env, language):
    assert message_language(environ=env) == language


def test_the_standard_key_serves_where_ours_is_not_set():
    assert load(environ={"OPENAI_API_KEY": "theirs"}).api_key == "theirs"
    assert load(environ={"OPENAI_API_KEY": "theirs", "KAOJU_API_KEY": "ours"}).api_key == "ours"
