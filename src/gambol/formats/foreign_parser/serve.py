"""The worker process of a foreign parser: a script that does not import gambol. Its argument is a parser's script.

Each line of JSON on stdin requests one file; the answer on stdout is an .npz file, preceded by its length in 8 bytes.
The first answer is empty: the worker is ready. The worker exits when stdin closes, or when a file takes too long.
"""

import io
import json
import os
import runpy
import signal
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

MAX_MEMORY = 4_000_000_000  # bytes of address space, libraries included: MuJoCo's largest public models take a tenth

Answer = Callable[[Any, dict[str, Any]], dict[str, Any]]


def _serve(library: Any, answer: Answer, out: Any) -> None:
    """Answer requests until stdin closes."""
    _send(out, b"")
    for line in sys.stdin:
        request = json.loads(line)
        _alarm(request["seconds"])
        file = io.BytesIO()
        np.savez(file, allow_pickle=False, **answer(library, request))
        _alarm(0)
        _send(out, file.getvalue())


def _alarm(seconds: int) -> None:
    """Kill the process after this time [s], even if its parent has ended; 0 cancels the alarm."""
    alarm: Callable[[int], int] | None = getattr(signal, "alarm", None)
    if alarm:
        alarm(seconds)


def _send(out: Any, data: bytes) -> None:
    out.write(len(data).to_bytes(8, "little") + data)
    out.flush()


def _limit_memory() -> None:
    """Limit the address space of the process, where the system supports it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of the library must not mix with the answers
    parser = runpy.run_path(sys.argv[1])
    loaded = parser["load"]()
    _limit_memory()
    _serve(loaded, parser["answer"], answers)
