"""Every bound of the interpreter, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one program may use. No field can be switched off by a contract, only made smaller or larger."""

    seconds: float = 2.0
    """Running time; the worker is killed one second later if the interpreter has not stopped by then."""
    memory_bytes: int = 64 * MIB
    """Heap of the interpreter."""
    depth: int = 100
    """Function calls inside each other."""
    printed_bytes: int = 16 * 1024
    program_chars: int = 8_000
    program_nodes: int = 2_000
    program_depth: int = 40
    """Expressions and blocks inside each other."""
    data_bytes: int = 2 * MIB
    """Data that goes in, as JSON."""
    result_items: int = 500
    """Values in what comes out, all levels together."""
    result_chars: int = 20_000
    """Length of what comes out, as JSON."""
    digits: int = 400
    """Digits before or after the point of a number that comes out."""


LIMITS: Final = Limits()
GRACE_SECONDS: Final = 1.0
"""Between the interpreter's own clock and the kill."""
ADDRESS_SPACE: Final = 448 * MIB
"""Virtual memory of a worker beyond the heap that it may use; it maps about 180 MiB before anything runs."""
