"""The reflex walker of fourteen compliant muscles: simulated time over computing time, alone and many in lanes."""

from collections.abc import Callable

import numpy as np

from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, time_interleaved
from gambol.creatures.geyer_herr.entry import STEP, walker_world
from gambol.world import Engine, State, start

FIRST, LAST = 2.0, 4.0
"""The measured part of a walk [s]: three steps after the first two."""

SPREAD = 0.01
"""Standard deviation of the lean of the trunk at the start, of many walkers [rad]."""

PEER = "Hyfydy"
PEER_FACTOR = 150.0
"""Simulated over computing time of a reflex walker on one core, as its authors publish it (hyfydy.com)."""


def walkers(engine: Engine, worlds: int) -> State:
    """Return walkers two seconds after their start; several lean differently there."""
    state = start(engine.world, worlds, precision=engine.precision)
    state.q[:, 0] += SPREAD * np.random.default_rng(0).standard_normal(worlds) if worlds > 1 else 0.0
    engine.advance(state, round(FIRST / STEP))
    return state


def walk(row: Row) -> Result:
    """Measure walkers on one thread, after a check that most of them walk on."""
    engine = Engine(walker_world(), row.precision, lanes=1 if row.worlds == 1 else None)
    state, last = walkers(engine, row.worlds), round(LAST / STEP)
    walked = state.copied()
    engine.advance(walked, last)
    speed = (walked.q[:, 1] - state.q[:, 1]) / (LAST - FIRST)
    upright = np.median(speed)
    assert 0.9 < upright < 1.5, f"{row.name}: the median walker moves at {upright:.2f} m/s"
    (times,) = time_interleaved(lambda: engine.advance(state.copied(), last), repeats=5)
    seconds, spread = median_and_spread(times)
    simulated = (LAST - FIRST) * row.worlds
    result = Result(engine.world.figure.nv, f"median speed {upright:.2f} m/s", STEP, "4, stepping")
    result.ns_per_step, result.spread = seconds / (simulated / STEP) * 1e9, spread
    result.peer, result.peer_ns_per_step = PEER, STEP / PEER_FACTOR * 1e9
    result.ratio = result.peer_ns_per_step / result.ns_per_step
    result.compile_s = engine.advance_program.compile_seconds
    result.more = {"simulated_over_wall": simulated / seconds, "operations": engine.advance_program.operations}
    return result


REFLEX_WALKER: dict[str, Callable[[Row], Result]] = {"reflex walker": walk}
