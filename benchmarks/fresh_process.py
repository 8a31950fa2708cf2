"""Measurements in a new process: `python -m benchmarks.fresh_process WHAT PRECISION WORLDS`."""

import time

STARTED = time.perf_counter()

# ruff: noqa: E402  the clock starts before the imports, which are measured
import json
import sys
from pathlib import Path

import numpy as np

from benchmarks.walking import engine_of, initial_state


def first_step(precision: str, worlds: int) -> dict[str, float]:
    """Return the times to compile the program, and to simulate one world for one control step [s]."""
    imported = time.perf_counter()
    engine = engine_of(precision, 1)  # pyright: ignore[reportArgumentType]
    engine.advance(initial_state(engine, 1), 1)
    now = time.perf_counter()
    return {
        "compile_s": engine.advance_program.compile_seconds,
        "first_step_s": now - imported,
        "imports_s": imported - STARTED,
    }


def resident(what: str) -> int:
    """Return the memory of this process [bytes]: current (VmRSS), or its peak since the last VmRSS request (VmHWM).

    A VmRSS request resets the peak, since compilation may use more memory than the states. Linux only.
    """
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    if what == "VmRSS":
        Path("/proc/self/clear_refs").write_text("5")
    return 1024 * int(lines[what].split()[0])


def many_worlds(precision: str, worlds: int) -> dict[str, float]:
    """Return the memory of many worlds [bytes], and the time of a step of one world [ns]."""
    engine = engine_of(precision, None)  # pyright: ignore[reportArgumentType]
    engine.advance(initial_state(engine, 1), 1)
    before = resident("VmRSS")
    state = initial_state(engine, worlds)
    start = time.perf_counter()
    engine.advance(state, 1)
    seconds = time.perf_counter() - start
    held = resident("VmHWM") - before
    clock = state.step_state.clock
    assert not np.any(clock.status)
    return {
        "bytes_per_world": held / worlds,
        "state_bytes_per_world": state.rows.nbytes / worlds,
        "bytes_over_state": held / state.rows.nbytes,
        "ns_per_step": seconds / float(np.sum(clock.taken + clock.rejected)) * 1e9,
    }


if __name__ == "__main__":
    what, precision, worlds = sys.argv[1:]
    print(json.dumps({"first_step": first_step, "many": many_worlds}[what](precision, int(worlds))))
