"""Measured in a new process, which nothing has warmed or filled: `python -m benchmarks.alone WHAT PRECISION WORLDS`."""

import time

BEGUN = time.perf_counter()

# ruff: noqa: E402  the clock starts before the imports, which are measured
import json
import resource
import sys

import numpy as np

from benchmarks.walking import engine_of, placed

PEAK_UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss [bytes]


def first_step(precision: str, worlds: int) -> dict[str, float]:
    """Seconds until the program is there, and until one world has moved by a frame."""
    imported = time.perf_counter()
    engine = engine_of(precision, 1)  # pyright: ignore[reportArgumentType]
    engine.move(placed(engine, 1), 1)
    now = time.perf_counter()
    return {"compile_s": engine.mover.seconds_to_make, "first_step_s": now - imported, "imports_s": imported - BEGUN}


def many(precision: str, worlds: int) -> dict[str, float]:
    """Memory of many worlds [bytes], and the time that a step of one takes [ns]."""
    engine = engine_of(precision, None)  # pyright: ignore[reportArgumentType]
    engine.move(placed(engine, 1), 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    state = placed(engine, worlds)
    start = time.perf_counter()
    engine.move(state, 1)
    seconds = time.perf_counter() - start
    held = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * PEAK_UNIT
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
