"""Lives on all cores beside MuJoCo's rollouts of the same creatures on all cores."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.evolving.lives import REPEATS, WALK, Bare, creatures, steps_lived
from benchmarks.evolving.twin import Theirs
from benchmarks.rows import Result, Row
from benchmarks.stopwatch import race, ratio, typical
from gambol.evolve.genotype import litter_of
from gambol.evolve.life import lives
from gambol.evolve.life.herd import begun
from gambol.evolve.run import crew_named
from gambol.lanes import Precision
from gambol.world import Engine, Timing
from gambol.world.encounters.touchable import contacts_of

Array = NDArray[np.float64]

COMPARED, RACED = 64, 16  # creatures whose ways are compared, and of MuJoCo in a timed run
SHORT = 60  # frames, half a second: later a foot that lands a little earlier makes all the difference
THEIR_STEP = 1.0 / 480.0  # [s], whose error is that of our steps
FINE = 16  # times as many steps, in references
ALIKE = 0.5
"""Of the way that creatures go in that time: how far ways in both engines may differ, as medians. MuJoCo's ground is
soft and its friction a pyramid."""
NEARLY = 1.1
"""By how much an error may be larger and still count as equal."""


def beside_mujoco(row: Row) -> Result:
    """The whole of a generation's lives by a crew of processes, beside bare rollouts, whose targets are given.

    Each engine takes steps in which it is as exact as the other.
    """
    found, more = _compared(row)
    given = creatures(WALK, row.worlds, seed=2)
    bare = Bare(WALK, RACED, seed=2)
    task = bare.herd.task
    theirs = Theirs(litter_of(bare.genotypes), task, THEIR_STEP, round(task.seconds / task.frame), row.threads)
    with crew_named("processes", row.threads) as crew:
        times = race(lambda: crew.outcomes(lives, WALK, given, [0] * row.worlds), theirs.run, repeats=REPEATS)
    world, steps = bare.herd.engine.world, steps_lived(WALK, row.worlds)
    may = contacts_of(world)
    result = Result(
        world.figure.nv, found, task.step, f"{min(may, world.most_contacts)} of {may}", peer="MuJoCo rollout"
    )
    seconds, result.spread = typical(times[0])
    result.ns_per_step = seconds / steps * 1e9
    their_seconds = RACED * task.seconds  # they live once
    result.peer_ns_per_step = typical(times[1])[0] / their_seconds * THEIR_STEP * 1e9
    result.ratio = ratio(*times) * steps * task.step / their_seconds
    result.compile_s = bare.herd.engine.mover.seconds_to_make
    result.more = {**more, "creature_seconds_per_second": steps * task.step / seconds}
    return result


def _compared(row: Row) -> tuple[str, dict[str, float]]:
    """What was found when both moved the same creatures for a short time; fails where they differ too much."""
    bare = Bare(WALK, COMPARED, seed=1)
    litter, task = litter_of(bare.genotypes), bare.herd.task
    ours, sure = (_ours(bare, task.step / n, p) for n, p in ((1, "float32"), (FINE, "float64")))
    theirs, their_sure = (Theirs(litter, task, THEIR_STEP / n, SHORT, row.threads).ends() for n in (1, FINE))
    errors = [_typical(one - other) for one, other in ((ours, sure), (theirs, their_sure))]
    apart, way = float(np.median(np.abs((their_sure - sure)[:, 0]))), float(np.median(np.abs(sure[:, 0])))
    found = (
        f"error at {SHORT * task.frame:g} s {errors[0] * 1e3:.1f} mm, MuJoCo's {errors[1] * 1e3:.1f} mm in "
        f"steps of {THEIR_STEP * 1e3:.2f} ms; their ways, {way * 1e3:.0f} mm, differ by {apart * 1e3:.0f} mm"
    )
    assert errors[0] < NEARLY * errors[1], f"{row.name}: {found}"
    assert apart < ALIKE * way, f"{row.name}: {found}"
    return found, {"error": errors[0], "peer_error": errors[1], "peer_step": THEIR_STEP, "apart": apart, "way": way}


def _ours(bare: Bare, step: float, precision: Precision) -> Array:
    """Where creatures without limits of power are a short time later (W, 3) [m]."""
    litter, task = litter_of(bare.genotypes), bare.herd.task
    world = replace(bare.herd.engine.world, timing=Timing(task.frame, step))
    engine, given = Engine(world, precision), litter.numbers(world)
    given["actuators"] = {name: {**servo, "power": np.inf} for name, servo in litter.servos.items()}
    rows, state = engine.numbers(**given), begun(world, litter.q, precision)
    engine.move(state, SHORT, np.ascontiguousarray(np.broadcast_to(rows, (len(rows), litter.count))))
    return state.q[:, 4:7].astype(float)


def _typical(apart: Array) -> float:
    return float(np.median(np.linalg.norm(apart, axis=1)))
