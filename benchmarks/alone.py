"""Measured in a new process, which nothing has warmed or filled: `python -m benchmarks.alone WHAT PRECISION WORLDS`."""

import time

BEGUN = time.perf_counter()

# ruff: noqa: E402  the clock starts before the imports, which are measured
import json
import sys
from pathlib import Path

import numpy as np

from benchmarks.walking import engine_of, placed


def first_step(precision: str, worlds: int) -> dict[str, float]:
    """Seconds until the program is there, and until one world has moved by a frame."""
    imported = time.perf_counter()
    engine = engine_of(precision, 1)  # pyright: ignore[reportArgumentType]
    engine.move(placed(engine, 1), 1)
    now = time.perf_counter()
    return {"compile_s": engine.mover.seconds_to_make, "first_step_s": now - imported, "imports_s": imported - BEGUN}


def resident(what: str) -> int:
    """Memory of this process now (VmRSS), or at its most since the last time this was asked for (VmHWM) [bytes].

    Asking for what is held now forgets the peak: compiling takes more than many a state. Linux only.
    """
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    if what == "VmRSS":
        Path("/proc/self/clear_refs").write_text("5")
    return 1024 * int(lines[what].split()[0])


def many(precision: str, worlds: int) -> dict[str, float]:
    """Memory of many worlds [bytes], and the time that a step of one takes [ns]."""
    engine = engine_of(precision, None)  # pyright: ignore[reportArgumentType]
    engine.move(placed(engine, 1), 1)
    before = resident("VmRSS")
    state = placed(engine, worlds)
    start = time.perf_counter()
    engine.move(state, 1)
    seconds = time.perf_counter() - start
    held = resident("VmHWM") - before
    clock = state.living.clock
    assert not np.any(clock.status)
    return {
        "bytes_per_world": held / worlds,
        "state_bytes_per_world": state.rows.nbytes / worlds,
        "bytes_over_state": held / state.rows.nbytes,
        "ns_per_step": seconds / float(np.sum(clock.taken + clock.rejected)) * 1e9,
    }


if __name__ == "__main__":
    what, precision, worlds = sys.argv[1:]
    print(json.dumps({"first_step": first_step, "many": many}[what](precision, int(worlds))))
