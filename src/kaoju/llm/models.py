"""From settings to models: which one plays which role.

Promises: a wrong specification is a `UsageError` at once; nothing is loaded,
started or contacted before the first prompt; roles with the same specification
share one model. Refuses to fall back: what to do without a model is the
caller's decision, who gets a `ModelError`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

import platformdirs

from kaoju.errors import UsageError
from kaoju.llm import server, weights
from kaoju.llm.chat import ChatModel, Completion, Prompt
from kaoju.llm.endpoint import Endpoint, EndpointModel

Role = Literal["planner", "actor", "judge", "writer"]
ROLES: Final[tuple[Role, ...]] = ("planner", "actor", "judge", "writer")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """What the user chose.

    A specification is `none`, `local`, `local:NAME`, the path of a `.gguf`
    file, `http(s)://host:port/v1#MODEL`, or `openai:MODEL`.
    """

    default: str = "none"
    """For every role that names none itself."""
    planner: str | None = None
    actor: str | None = None
    judge: str | None = None
    writer: str | None = None
    timeout_seconds: float = 120.0
    api_key: str | None = field(default=None, repr=False)
    """Sent to endpoints; never shown."""
    models_dir: Path | str | None = None
    """Folder of pulled weights; the user's data folder where None."""
    local_url: str | None = None
    """A server that already runs the local model; one of ours is started where None."""


def models_folder(chosen: Path | str | None = None) -> Path:
    """Return the folder of pulled weights: the chosen one, or the user's data folder."""
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir("kaoju")) / "models"


class LocalModel:
    """A weights file, served by a process of ours that starts with the first prompt."""

    def __init__(
        self, name: str, path: Path | None, folder: Path, timeout_seconds: float, servers: server.Servers
    ) -> None:
        self.name = name
        self._path = path
        self._folder = folder
        self._timeout = timeout_seconds
        self._servers = servers
        self._client: tuple[str, EndpointModel] | None = None

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask the model; the time to load it does not count against the prompt's timeout.

        Raises:
            ModelError: as for any endpoint, or the weights are missing.
        """
        path = self._path or weights.locate(self.name, self._folder)
        running = await asyncio.to_thread(self._servers.get, path)
        if self._client is None or self._client[0] != running.url:
            await self.close()
            endpoint = Endpoint(base_url=running.url, model=running.alias, timeout_seconds=self._timeout)
            self._client = (running.url, EndpointModel(endpoint, name=self.name))
        return await self._client[1].complete(prompt)

    async def close(self) -> None:
        """Close connections; the process stays for the next run and ends with us."""
        if self._client is not None:
            await self._client[1].close()
            self._client = None


class Models:
    """The models of one engine, by role."""

    def __init__(
        self,
        settings: ModelSettings,
        *,
        servers: server.Servers = server.SHARED,
    ) -> None:
        """Check every specification.

        Raises:
            UsageError: a specification that means nothing.
        """
        self._settings = settings
        self._servers = servers
        self._folder = models_folder(settings.models_dir)
        self._key = settings.api_key
        self._local_url = settings.local_url
        self._by_spec: dict[str, EndpointModel | LocalModel | None] = {}
        self._by_role: dict[str, EndpointModel | LocalModel | None] = {}
        for role in ROLES:
            chosen: str | None = getattr(settings, role)
            spec = (chosen or settings.default).strip()
            if spec not in self._by_spec:
                self._by_spec[spec] = self._make(spec)
            self._by_role[role] = self._by_spec[spec]

    def for_role(self, role: Role) -> ChatModel | None:
        """Return the model of `role`; None where rules must do (tier `none`)."""
        return self._by_role[role]

    async def close(self) -> None:
        """Close all connections of the running event loop."""
        for model in self._by_spec.values():
            if model is not None:
                await model.close()

    def _make(self, spec: str) -> EndpointModel | LocalModel | None:
        if spec == "none":
            return None
        tier, _, rest = spec.partition(":")
        if tier == "local":
            return self._local(rest or weights.DEFAULT, None)
        if tier in {"http", "https"} and urlsplit(spec).hostname:
            return self._endpoint(spec)
        if tier == "openai" and rest:
            return EndpointModel(self._at(None, rest), name=spec)
        if spec.lower().endswith(".gguf"):
            return self._local(Path(spec).stem, Path(spec).expanduser())
        raise UsageError(
            f"the model {spec!r} is none of: none, local, local:NAME, a path to a .gguf file, "
            "http://HOST:PORT/v1#MODEL, openai:MODEL.",
            f"模型 {spec!r} 无法识别；可用写法：none、local、local:名称、.gguf 文件路径、"
            "http://主机:端口/v1#模型名、openai:模型名。",
        )

    def _local(self, name: str, path: Path | None) -> EndpointModel | LocalModel:
        if path is None and not (self._folder / f"{name}.gguf").is_file():
            weights.known(name)
        if self._local_url and path is None:
            return EndpointModel(self._at(self._local_url, name), name=name)
        return LocalModel(name, path, self._folder, self._settings.timeout_seconds, self._servers)

    def _endpoint(self, spec: str) -> EndpointModel:
        url, _, model = spec.partition("#")
        return EndpointModel(self._at(url, model or "default"))

    def _at(self, url: str | None, model: str) -> Endpoint:
        if url is not None and urlsplit(url).path in {"", "/"}:
            url = url.rstrip("/") + "/v1"
        return Endpoint(
            base_url=url, model=model, api_key=self._key, timeout_seconds=self._settings.timeout_seconds
        )
