"""The walking roach: speed of simulation, start-up time, and memory of many worlds."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.creatures import roach, standing_state, world_of
from gambol.lanes import Precision
from gambol.world import Engine, State

SETTLING_TIME, WALKING_TIME = 0.1, 0.3
"""Time to land and stand, and the following time of the walk [s]: three strides of the tripod gait."""

THESIS_SECONDS = 240.0 * 1200.0
"""Computing time of 1 s of motion in the thesis: 4 minutes for each 1/1200 s. [McKenna 1990, chapter 5]"""

UNACCOUNTED = 0.01  # of the work of the motors
JITTER = 1e-3  # rad


def engine_of(precision: Precision, lanes: int | None) -> Engine:
    """Return the roach's engine, for this number of lanes."""
    return Engine(world_of(roach()), precision, lanes=lanes)


def initial_state(engine: Engine, worlds: int) -> State:
    """Return the state of roaches about to land; several get random differences."""
    return standing_state(
        roach(), engine.world, worlds, jitter=JITTER if worlds > 1 else 0.0, precision=engine.precision
    )


def walk(row: Row) -> Result:
    """Measure many walking roaches, compared with a single one."""
    many, one = (engine_of(row.precision, lanes) for lanes in (row.worlds, 1))
    states = [initial_state(many, row.worlds), initial_state(one, 1)]
    control_step = many.world.timing.control_step
    first, last = round(SETTLING_TIME / control_step), round((SETTLING_TIME + WALKING_TIME) / control_step)
    for engine, state in zip((many, one), states, strict=True):
        engine.advance(state, first)
    drift, tried, taken = _energy_error_and_steps(many, states[0], last)
    assert drift < UNACCOUNTED, f"{row.name}: {drift:.2%} of the motors' work is unaccounted for"
    times = time_interleaved(
        lambda: many.advance(states[0].copied(), last),
        lambda: one.advance(states[1].copied(), last),
        repeats=5,
    )
    seconds, spread = median_and_spread(times[0])
    simulated = (last - first) * control_step
    step = simulated / taken
    result = Result(many.world.figure.nv, f"{drift:.1e} of the motors' work unaccounted for", step, "sliding")
    result.ns_per_step, result.spread = seconds / (tried * row.worlds) * 1e9, spread
    result.peer, result.ratio = "McKenna 1990", THESIS_SECONDS * simulated * row.worlds / seconds
    result.peer_ns_per_step = result.ns_per_step * result.ratio
    result.compile_s, result.energy_drift = many.advance_program.compile_seconds, drift
    result.more = {
        "simulated_over_wall": simulated / seconds,
        "all_simulated_over_wall": simulated * row.worlds / seconds,
        "wall_over_one": 1.0 / ratio(*times),
        "operations": many.advance_program.operations,
    }
    return result


def _energy_error_and_steps(engine: Engine, start: State, last: int) -> tuple[float, float, float]:
    """Return the largest unaccounted share of the motors' work, and the mean numbers of tried and accepted steps."""
    state = start.copied()
    lost, work = _energy_and_work(engine, state)
    before = [np.array(x, float) for x in (state.step_state.clock.taken, state.step_state.clock.rejected)]
    engine.advance(state, last)
    clock = state.step_state.clock
    assert not np.any(clock.status), f"worlds stopped: {np.flatnonzero(clock.status)}"
    lost_after, work_after = _energy_and_work(engine, state)
    taken, rejected = (float(np.mean(x - y)) for x, y in zip((clock.taken, clock.rejected), before, strict=True))
    return float(np.max(np.abs(lost_after - lost) / (work_after - work))), taken + rejected, taken


def _energy_and_work(engine: Engine, state: State) -> tuple[Any, Any]:
    """Return the energy less that of the ledger, and the work of the motors so far [J]."""
    seen, ledger = engine.observe(state), state.step_state.ledger
    energy = seen.kinetic + seen.potential + seen.stored
    exchanged = ledger.motors + ledger.outside - ledger.damping - ledger.impact - ledger.sliding
    return np.array(energy - exchanged, float), np.array(ledger.motors, float)


def start_up(row: Row) -> Result:
    """Measure the first step of the roach in a new process, without and with a compilation cache."""
    with tempfile.TemporaryDirectory() as cache:
        runs = [_in_fresh_process("first_step", row, cache) for _ in range(6 if row.benchmark == "from cache" else 1)]
    more = runs[0] if len(runs) == 1 else {k: median_and_spread([run[k] for run in runs[1:]])[0] for k in runs[0]}
    result = Result(38, "the first step was taken", contacts="sliding", compile_s=more.pop("compile_s"))
    result.more = more
    return result


def importing(row: Row) -> Result:
    """Measure `import gambol` in a new process."""
    code = "import time; t = time.perf_counter(); import gambol; print(time.perf_counter() - t)"
    seconds = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5)]
    return Result(0, "it was imported", more={"import_s": median_and_spread(seconds)[0]})


def memory(row: Row) -> Result:
    """Measure the increase of peak memory of a process when many worlds are created and simulated."""
    with tempfile.TemporaryDirectory() as cache:
        _in_fresh_process("first_step", row, cache)
        more = _in_fresh_process("many", row, cache)
    result = Result(38, "no world stopped", contacts="sliding", more=more)
    result.ns_per_step = more.pop("ns_per_step")
    return result


def _in_fresh_process(what: str, row: Row, cache: str) -> dict[str, float]:
    """Return the measures of a new process."""
    command = [sys.executable, "-m", "benchmarks.fresh_process", what, row.precision, str(row.worlds)]
    return json.loads(subprocess.check_output(command, env={**os.environ, "GAMBOL_CACHE": cache}))


WALKING: dict[str, Callable[[Row], Result]] = {
    "walk": walk,
    "memory": memory,
    "import": importing,
    "first compile": start_up,
    "from cache": start_up,
}
