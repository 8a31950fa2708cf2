"""Rollouts on all cores compared with MuJoCo's rollouts of the same creatures on all cores."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.evolving.mujoco_creatures import MujocoCreatures
from benchmarks.evolving.rollouts import REPEATS, BareSteps, random_genotypes, step_count
from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.contact.generation.contact_set import contact_count
from gambol.evolve.evaluate import evaluate_genotypes
from gambol.evolve.evaluate.batch import initial_state
from gambol.evolve.genotype import topology_arrays
from gambol.evolve.runs import Settings, make_worker_pool
from gambol.lanes import Precision
from gambol.world import Engine, Timing

Array = NDArray[np.float64]

ACCURATE = Settings(
    options={
        "task": {
            "explicit_servos": True,
            "midpoint_springs": True,
            "second_order_landings": True,
            "step": 1.0 / 240.0,
            "tolerance": 3e-2,
        }
    }
)
"""Settings of the rollouts: in steps of 4.2 ms they have a third of the error of the default settings, in 2.8 ms. The
tolerance is the largest that an accuracy tries; errors are the same with the default one."""

COMPARED, TIMED_WORLDS = 256, 16  # creatures whose motions are compared, and creatures in a timed run of MuJoCo
SHORT = 60  # control steps, half a second: later, motions diverge after small differences in landing times
THEIR_STEP = 1.0 / 1200.0  # [s], with the same error as gambol's steps
OUR_FINE, THEIR_FINE = 32, 16  # factors of the number of steps in references
MAX_DISTANCE_SHARE = 0.5
"""Maximum median distance between both engines' final positions, relative to the distance travelled. MuJoCo's ground is
soft and its friction cone a pyramid."""
MAX_ERROR_RATIO = 1.1
"""Factor up to which errors count as equal."""


def beside_mujoco(row: Row) -> Result:
    """Measure the evaluation of a generation by worker processes, compared with MuJoCo's rollouts with given targets.

    Both engines use step sizes of equal accuracy.
    """
    found, more = _compared(row)
    given = random_genotypes(ACCURATE, row.worlds, seed=2)
    bare = BareSteps(ACCURATE, TIMED_WORLDS, seed=2)
    task = bare.batch.task
    theirs = MujocoCreatures(
        topology_arrays(bare.genotypes), task, THEIR_STEP, round(task.seconds / task.frame), row.threads
    )
    with make_worker_pool("processes", row.threads) as pool:
        times = time_interleaved(
            lambda: pool.outcomes(evaluate_genotypes, ACCURATE, given, [0] * row.worlds), theirs.run, repeats=REPEATS
        )
    world, steps = bare.batch.engine.world, step_count(ACCURATE, row.worlds)
    possible = contact_count(world.scene)
    result = Result(
        world.figure.nv,
        found,
        task.step,
        f"{min(possible, world.contact_capacity)} of {possible}",
        peer="MuJoCo rollout",
    )
    seconds, result.spread = median_and_spread(times[0])
    result.ns_per_step = seconds / steps * 1e9
    their_seconds = TIMED_WORLDS * task.seconds  # one trial each
    result.peer_ns_per_step = median_and_spread(times[1])[0] / their_seconds * THEIR_STEP * 1e9
    result.ratio = ratio(*times) * steps * task.step / their_seconds
    result.compile_s = bare.batch.engine.advance_program.compile_seconds
    result.more = {**more, "creature_seconds_per_second": steps * task.step / seconds}
    return result


def _compared(row: Row) -> tuple[str, dict[str, float]]:
    """Compare short motions of the same creatures; return a text and the errors. Raises AssertionError."""
    bare = BareSteps(ACCURATE, COMPARED, seed=1)
    arrays, task = topology_arrays(bare.genotypes), bare.batch.task
    ours, sure = _ours(bare, task.step, "float32"), _ours(bare, task.step / OUR_FINE, "float64")
    theirs, their_sure = (
        MujocoCreatures(arrays, task, THEIR_STEP / n, SHORT, row.threads).ends() for n in (1, THEIR_FINE)
    )
    errors = [_typical(one - other) for one, other in ((ours, sure), (theirs, their_sure))]
    apart, way = float(np.median(np.abs((their_sure - sure)[:, 0]))), float(np.median(np.abs(sure[:, 0])))
    found = (
        f"error at {SHORT * task.frame:g} s {errors[0] * 1e3:.1f} mm, MuJoCo's {errors[1] * 1e3:.1f} mm in "
        f"steps of {THEIR_STEP * 1e3:.2f} ms; their motions of {way * 1e3:.0f} mm differ by {apart * 1e3:.0f} mm"
    )
    assert errors[0] < MAX_ERROR_RATIO * errors[1], f"{row.name}: {found}"
    assert apart < MAX_DISTANCE_SHARE * way, f"{row.name}: {found}"
    return found, {"error": errors[0], "peer_error": errors[1], "peer_step": THEIR_STEP, "apart": apart, "way": way}


def _ours(bare: BareSteps, step: float, precision: Precision) -> Array:
    """Return the positions of creatures without power limits after a short time (W, 3) [m]."""
    arrays, task = topology_arrays(bare.genotypes), bare.batch.task
    world = replace(bare.batch.engine.world, timing=Timing(task.frame, step))
    engine, given = Engine(world, precision), arrays.numbers(world)
    given["actuators"] = {name: {**servo, "power": np.inf} for name, servo in arrays.servos.items()}
    rows, state = engine.numbers(**given), initial_state(world, arrays.q, precision)
    engine.advance(state, SHORT, np.ascontiguousarray(np.broadcast_to(rows, (len(rows), arrays.count))))
    return state.q[:, 4:7].astype(float)


def _typical(apart: Array) -> float:
    return float(np.median(np.linalg.norm(apart, axis=1)))
