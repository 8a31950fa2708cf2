"""The roach on its feet: how fast it walks through time, what it takes to begin, and what many of it hold in memory."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.rows import Result, Row
from benchmarks.stopwatch import race, ratio, typical
from gambol.creatures import roach, set_down, world_of
from gambol.lanes import Precision
from gambol.world import Engine, State

DROPPED, WALKED = 0.1, 0.3
"""Time to land and stand, and time that it then walks [s]: three strides of the tripod gait."""

THESIS_SECONDS = 240.0 * 1200.0
"""What the machine of the thesis took for a second of motion: 4 minutes for each 1/1200 s. [McKenna 1990, chapter 5]"""

UNACCOUNTED = 0.01  # of the work of the motors
JITTER = 1e-3  # rad


def engine_of(precision: Precision, lanes: int | None) -> Engine:
    """The roach's engine for this number of worlds at once."""
    return Engine(world_of(roach()), precision, lanes=lanes)


def placed(engine: Engine, worlds: int) -> State:
    """Roaches about to land, each a little different where there are several."""
    return set_down(roach(), engine.world, worlds, jitter=JITTER if worlds > 1 else 0.0, precision=engine.precision)


def walk(row: Row) -> Result:
    """Roaches that walk under their gait controller, beside one that walks alone."""
    many, one = (engine_of(row.precision, lanes) for lanes in (row.worlds, 1))
    states = [placed(many, row.worlds), placed(one, 1)]
    frame = many.world.timing.frame
    first, last = round(DROPPED / frame), round((DROPPED + WALKED) / frame)
    for engine, state in zip((many, one), states, strict=True):
        engine.move(state, first)
    drift, tried, taken = _walked(many, states[0], last)
    assert drift < UNACCOUNTED, f"{row.name}: {drift:.2%} of the motors' work is unaccounted for"
    times = race(
        lambda: many.move(states[0].copied(), last),
        lambda: one.move(states[1].copied(), last),
        repeats=5,
    )
    seconds, spread = typical(times[0])
    simulated = (last - first) * frame
    step = simulated / taken
    result = Result(many.world.figure.nv, f"{drift:.1e} of the motors' work unaccounted for", step, "sliding")
    result.ns_per_step, result.spread = seconds / (tried * row.worlds) * 1e9, spread
    result.peer, result.ratio = "McKenna 1990", THESIS_SECONDS * simulated * row.worlds / seconds
    result.peer_ns_per_step = result.ns_per_step * result.ratio
    result.compile_s, result.energy_drift = many.mover.seconds_to_make, drift
    result.more = {
        "simulated_over_wall": simulated / seconds,
        "all_simulated_over_wall": simulated * row.worlds / seconds,
        "wall_over_one": 1.0 / ratio(*times),
        "operations": many.mover.operations,
    }
    return result


def _walked(engine: Engine, start: State, last: int) -> tuple[float, float, float]:
    """The worst part of the motors' work that is unaccounted for; steps tried and taken by a world, on average."""
    state = start.copied()
    lost, work = _accounts(engine, state)
    before = [np.array(x, float) for x in (state.living.clock.taken, state.living.clock.rejected)]
    engine.move(state, last)
    clock = state.living.clock
    assert not np.any(clock.status), f"worlds stopped: {np.flatnonzero(clock.status)}"
    lost_after, work_after = _accounts(engine, state)
    taken, rejected = (float(np.mean(x - y)) for x, y in zip((clock.taken, clock.rejected), before, strict=True))
    return float(np.max(np.abs(lost_after - lost) / (work_after - work))), taken + rejected, taken


def _accounts(engine: Engine, state: State) -> tuple[Any, Any]:
    """Energy that is there less what the ledger says, and the work of the motors so far [J]."""
    seen, ledger = engine.see(state), state.living.ledger
    there = seen.kinetic + seen.potential + seen.stored
    booked = ledger.motors + ledger.outside - ledger.damping - ledger.impact - ledger.sliding
    return np.array(there - booked, float), np.array(ledger.motors, float)


def start_up(row: Row) -> Result:
    """A process that makes the roach's program and takes the first step, without and with a cache."""
    with tempfile.TemporaryDirectory() as cache:
        runs = [_alone("first_step", row, cache) for _ in range(6 if row.benchmark == "from cache" else 1)]
    more = runs[0] if len(runs) == 1 else {k: typical([run[k] for run in runs[1:]])[0] for k in runs[0]}
    result = Result(38, "the first step was taken", contacts="sliding", compile_s=more.pop("compile_s"))
    result.more = more
    return result


def importing(row: Row) -> Result:
    """`import gambol` in a new process."""
    code = "import time; t = time.perf_counter(); import gambol; print(time.perf_counter() - t)"
    seconds = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5)]
    return Result(0, "it was imported", more={"import_s": typical(seconds)[0]})


def memory(row: Row) -> Result:
    """The largest memory that a process holds while many worlds are set down and moved, less what it held before."""
    with tempfile.TemporaryDirectory() as cache:
        _alone("first_step", row, cache)
        more = _alone("many", row, cache)
    result = Result(38, "no world stopped", contacts="sliding", more=more)
    result.ns_per_step = more.pop("ns_per_step")
    return result


def _alone(what: str, row: Row, cache: str) -> dict[str, float]:
    """Measures of something done in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.alone", what, row.precision, str(row.worlds)]
    return json.loads(subprocess.check_output(command, env={**os.environ, "GAMBOL_CACHE": cache}))


WALKING: dict[str, Callable[[Row], Result]] = {
    "walk": walk,
    "memory": memory,
    "import": importing,
    "first compile": start_up,
    "from cache": start_up,
}
