"""A real HTTP server that misbehaves on demand."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


def completion(content: str | None, *, finish: str = "stop", refusal: str | None = None) -> dict[str, Any]:
    """Build a chat completion as endpoints send it."""
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": content, "refusal": refusal},
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


Answer = tuple[int, bytes] | Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Answer each request with the next scripted answer; the last one repeats."""

    server: BadServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        self.server.asked.set()
        self.server.keys.append(self.headers.get("Authorization", ""))
        answers = self.server.answers
        answer = answers[min(len(self.server.requests), len(answers)) - 1]
        if callable(answer):
            answer(self)
            return
        self.send(*answer)

    def do_GET(self) -> None:
        self.send(200, b'{"data": []}')

    def send(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


class BadServer(ThreadingHTTPServer):
    """Listens on a free loopback port."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[Answer] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.asked = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def say(self, *contents: str | None, **how: Any) -> None:
        self.answers = [(200, json.dumps(completion(content, **how)).encode()) for content in contents]

    def fail(self, status: int, message: str) -> None:
        self.answers = [(status, json.dumps({"error": {"message": message, "type": "x"}}).encode())]


def hang(handler: Handler) -> None:
    time.sleep(3)


def drip(handler: Handler) -> None:
    """Send a valid reply, a few bytes at a time, for longer than anyone should wait."""
    body = json.dumps(completion("slow")).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    for at in range(0, len(body), 4):
        try:
            handler.wfile.write(body[at : at + 4])
            handler.wfile.flush()
        except OSError:
            return
        time.sleep(0.05)


def cut(handler: Handler) -> None:
    """Promise more bytes than are sent, then close."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"id": "c1", ')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def bad_server() -> Iterator[BadServer]:
    server = BadServer()
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.02), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def dead_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
