"""The process that holds one local model: llama.cpp's own HTTP server on a loopback port.

Runs as a program, by path, and imports nothing of Kaoju. Promises: one JSON
line on stdout, `{"url"}` once it listens or `{"error"}`; it ends the moment its
stdin closes, so it never outlives its parent. A process of its own because a
crash in native code, or a generation that nobody waits for any more, must not
take the caller with it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any


def main() -> None:
    """Load the model, say where it listens, wait for the parent to go."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--alias", required=True)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--context", type=int, default=8192)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--batch-threads", type=int, required=True)
    options = parser.parse_args()
    try:
        server = _serve(options)
    except (ImportError, RuntimeError, OSError) as error:
        _say({"error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    _say({"url": f"{server.listening_address}/v1"})
    sys.stdin.buffer.read()
    os._exit(0)  # at once: the library's own ending waits for generations that are under way


def _serve(options: argparse.Namespace) -> Any:
    import xllamacpp  # noqa: PLC0415 - its absence must reach the parent as a sentence

    params = xllamacpp.CommonParams()
    params.model.path = options.model
    params.model_alias = {options.alias}
    params.hostnames = [options.host]
    params.port = options.port
    params.n_ctx = options.context
    params.n_parallel = 1
    params.cpuparams.n_threads = options.threads
    params.cpuparams_batch.n_threads = options.batch_threads
    params.cpuparams.poll = 0
    params.cpuparams_batch.poll = 0
    params.cache_prompt = True
    params.cache_ram_mib = 512
    params.ui = False
    params.endpoint_slots = False
    params.warmup = False
    params.verbosity = -1
    return xllamacpp.Server(params)


def _say(line: dict[str, str]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
