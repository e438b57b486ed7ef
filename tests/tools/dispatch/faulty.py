"""A source that fails in every way by chance, as a fake and as a real HTTP server on loopback, and what has to follow."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from kaoju.model.tool import Failed, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.schema import check_output

from .helpers import found

FAULTS = {
    "hang": "TIMEOUT",
    "drip": "TIMEOUT",
    "503": "UPSTREAM_5XX",
    "html": "PARSE_FAILED",
    "schema": "OUTPUT_INVALID",
    "reset": "UNREACHABLE",
}
"""What goes wrong -> the code that has to come of it."""
OUTPUT = {"type": "object", "required": ["answer"], "properties": {"answer": {"type": "string"}}}


@dataclass
class Chance:
    """Draws what the next request meets, and remembers it."""

    rng: random.Random
    share: float = 0.2
    """Of requests that go wrong."""
    drawn: list[str] = field(default_factory=list)

    def next(self) -> str:
        fault = self.rng.choice(sorted(FAULTS)) if self.rng.random() < self.share else "fine"
        self.drawn.append(fault)
        return fault


@dataclass
class Fake:
    """The faults without a network."""

    spec: ToolSpec
    chance: Chance

    async def run(self, call: ToolCall) -> ToolOutcome:
        fault = self.chance.next()
        if fault in {"hang", "drip"}:
            for _ in range(1000):
                await asyncio.sleep(0.002 if fault == "drip" else 60)
        if fault == "reset":
            raise ConnectionResetError("reset by peer")
        if fault == "schema":
            return check_output(self.spec, {"answer": 3}) or found()
        if fault == "fine":
            return found()
        return Failed(code=FAULTS[fault], message=fault, retryable=True)  # type: ignore[arg-type]  # a code


@dataclass
class Http:
    """One attempt over HTTP, as a tool of a user might make it."""

    spec: ToolSpec
    port: int
    client: httpx.AsyncClient

    async def run(self, call: ToolCall) -> ToolOutcome:
        try:
            reply = await self.client.get(f"http://127.0.0.1:{self.port}/", timeout=None)
        except httpx.TransportError as error:
            return Failed(code="UNREACHABLE", message=str(error), retryable=True)
        if reply.status_code >= 500:
            return Failed(code="UPSTREAM_5XX", message=str(reply.status_code), retryable=True)
        try:
            body = reply.json()
        except json.JSONDecodeError as error:
            return Failed(code="PARSE_FAILED", message=str(error), retryable=True)
        return check_output(self.spec, body) or found(text=body["answer"])


@asynccontextmanager
async def serving(chance: Chance) -> AsyncIterator[int]:
    """Serve on loopback; yield the port."""
    writers: set[asyncio.StreamWriter] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        try:
            await reader.readuntil(b"\r\n\r\n")
            await reply(chance.next(), writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            writers.discard(writer)

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in tuple(writers):
            writer.transport.abort()


async def reply(fault: str, writer: asyncio.StreamWriter) -> None:
    if fault == "hang":
        await asyncio.sleep(5)
        return
    if fault == "reset":
        raw = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
        return
    status, body = {
        "503": ("503 Service Unavailable", b"busy"),
        "html": ("200 OK", b"<html><body>sign in</body></html>"),
        "schema": ("200 OK", b'{"answer": 3}'),
        "drip": ("200 OK", b'{"answer": "' + b"a" * 500 + b'"}'),
        "fine": ("200 OK", b'{"answer": "42"}'),
    }[fault]
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
    writer.write(head)
    for place in range(0, len(body), 1 if fault == "drip" else len(body)):
        writer.write(body[place : place + (1 if fault == "drip" else len(body))])
        await writer.drain()
        await asyncio.sleep(0.02 if fault == "drip" else 0)


@dataclass(frozen=True)
class Due:
    """What has to come of one call."""

    attempts: int
    phase: str
    failed: str
    """The code with which the source itself failed; empty where it answered."""


def replay(times: list[float], drawn: list[str], *, attempts: int, limit: int, rest: float) -> Iterator[Due]:
    """Say what has to come of calls at these times, given what each request met: the rules, written once more."""
    left = iter(drawn)
    phase, failures, opened = "closed", 0, 0.0
    for now in times:
        trial = phase == "open" and now >= opened + rest
        if phase == "open" and not trial:
            yield Due(0, "open", "CIRCUIT_OPEN")
            continue
        met: list[str] = []
        while len(met) < (1 if trial else attempts) and (not met or met[-1] != "fine"):
            met.append(next(left))
        if met[-1] == "fine":
            phase, failures = "closed", 0
            yield Due(len(met), phase, "")
            continue
        failures += 1
        if trial or failures >= limit:
            phase, opened = "open", now
        yield Due(len(met), phase, FAULTS[met[-1]])
    assert next(left, None) is None, "more requests than attempts"
