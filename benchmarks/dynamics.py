"""Forward dynamics compared with Pinocchio, and airborne steps with MuJoCo: first the results, then the times."""

import math
from collections.abc import Callable

import numpy as np

from benchmarks.models import STEP, figure_of
from benchmarks.peers import MujocoFigure, PinocchioFigure
from benchmarks.programs import (
    Array,
    airborne_program,
    dependent_operations,
    energy,
    exact_accelerations,
    forward_program,
    half_gravity_forces,
    random_states,
)
from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.dynamics.canonical_frames import canonical_figure
from gambol.lanes import Program

TOLERANCE = {"float64": 1e-9, "float32": 5e-3}
"""Largest relative difference of accelerations: rounding errors, amplified by chains of ever lighter links."""

CHECKED_WORLDS = 32
CHECKED_STEPS = 100

CALLS = 20  # of forward dynamics in one timed run, so that the peer's cache contents do not matter
STEPS = 200  # of gambol in one timed run
PEER_STEPS = 2000

MUJOCO_STEPS, TINY_STEP = 200, 1e-6
"""Steps of MuJoCo in one timed run, and their size [s]: nearly all of their time is forward dynamics."""

MAX_OPERATIONS_PER_LEVEL = 150  # sequential operations when two halves of a chain are joined and separated again

FIRST_ORDER_RATIO = (1.7, 2.3)
"""Bounds of the ratio of differences at full and at half the step, which is 2 for two methods of first order."""


def forward(row: Row, lanes: int | None = None) -> Result:
    """Measure forward dynamics of many states in one call."""
    figure = figure_of(row.model)
    program, peer = forward_program(figure, row.precision, lanes), PinocchioFigure(figure)
    other = MujocoFigure(canonical_figure(figure).figure)
    q, v = random_states(figure, row.worlds)
    tau = half_gravity_forces(figure, q, v)
    check, errors = _check_rates(row, program, (peer, other), (q, v, tau))
    given = [np.ascontiguousarray(x, row.precision) for x in (q, v, tau)]
    out = [np.empty_like(given[1])]
    arguments, theirs = peer.arguments(q, v, tau), np.zeros_like(v, order="F")

    def ours() -> None:
        for _ in range(CALLS):
            program(*given, out=out, threads=row.threads)

    times = time_interleaved(
        ours,
        lambda: peer.evaluate(arguments, theirs),
        lambda: other.simulate(q[:, 0], v[:, 0], MUJOCO_STEPS, TINY_STEP),
    )
    mujoco = ratio(times[0], times[2]) * row.worlds * CALLS / MUJOCO_STEPS
    check = f"{check}; MuJoCo takes {mujoco:.0f} times as long as gambol"
    result = Result(figure.nv, check, peer="Pinocchio aba", compile_s=program.compile_seconds)
    result.more = {"ratio_mujoco": mujoco, "operations": program.operations, **errors}
    return _timed(result, times[:2], row.worlds * CALLS, row.worlds)


def one_by_one(row: Row) -> Result:
    """Measure forward dynamics of many states in one call, with scalar code."""
    return forward(row, lanes=1)


def depth(row: Row) -> Result:
    """Measure the length of the longest chain of dependent operations, of aba and of divide_and_conquer."""
    figure = canonical_figure(figure_of(row.model)).figure
    one_by_one, deep = dependent_operations(figure, "aba")
    halving, shallow = dependent_operations(figure, "divide_and_conquer")
    levels = math.ceil(math.log2(len(figure.links)))
    assert shallow <= MAX_OPERATIONS_PER_LEVEL * (levels + 1), (
        f"{row.name}: {shallow} sequential operations in {levels} levels"
    )
    found = f"{deep} of {one_by_one} operations in a row by aba, {shallow} of {halving} by divide_and_conquer"
    return Result(figure.nv, found, more={"aba": deep, "divide_and_conquer": shallow})


def airborne(row: Row) -> Result:
    """Measure forward dynamics with a semi-implicit step, many steps in one call."""
    figure, h = figure_of(row.model), STEP[row.model]
    program, peer = airborne_program(figure, row.precision), MujocoFigure(figure, h)
    q, v = random_states(figure, row.worlds)
    check, drift = _check_steps(row, program, peer, (q, v))
    given = [np.ascontiguousarray(x, row.precision) for x in (q, v, np.zeros_like(v))]
    counts = [np.array([[x]], row.precision) for x in (STEPS, h)]
    out = [np.empty_like(x) for x in given[:2]]
    times = time_interleaved(
        lambda: program(*given, *counts, out=out, threads=row.threads),
        lambda: peer.simulate(q[:, 0], v[:, 0], PEER_STEPS, h),
    )
    result = Result(figure.nv, check, h, peer="MuJoCo rollout", compile_s=program.compile_seconds, energy_drift=drift)
    result.more = {"operations": program.operations}
    return _timed(result, times, row.worlds * STEPS, PEER_STEPS)


def _check_rates(
    row: Row, program: Program, peers: tuple[PinocchioFigure, MujocoFigure], states: tuple[Array, Array, Array]
) -> tuple[str, dict[str, float]]:
    """Compare accelerations with those of both peers, and with extended precision; return a text and the errors."""
    q, v, tau = (x[:, :CHECKED_WORLDS] for x in states)
    peer, mujoco = peers
    exact = exact_accelerations(peer.figure, q, v, tau)
    there = np.array([mujoco.forward(q[:, w], v[:, w], tau[:, w]) for w in range(CHECKED_WORLDS)]).T
    here = np.array([mujoco.acceleration(q[:, w], v[:, w], exact[:, w]) for w in range(CHECKED_WORLDS)]).T
    errors = {
        "rounding": _largest_error(np.array(program(q, v, tau)[0], float), exact),
        "pinocchio_rounding": _largest_error(peer.forward(q, v, tau), exact),
        "mujoco_rounding": _largest_error(there, here),
    }
    for name, error in errors.items():
        allowed = TOLERANCE[row.precision if name == "rounding" else "float64"]
        assert error < allowed, f"{row.name}: {name} is {error:.1e}, above {allowed:.0e}"
    found = f"accelerations: off by {errors['rounding']:.0e}, Pinocchio's by {errors['pinocchio_rounding']:.0e}"
    return f"{found}, MuJoCo's by {errors['mujoco_rounding']:.0e}", errors


def _check_steps(row: Row, program: Program, peer: MujocoFigure, start: tuple[Array, Array]) -> tuple[str, float]:
    """Compare the motion of the first world; return a text, and the relative energy error of the timed run."""
    figure, h = peer.figure, STEP[row.model]
    exact = airborne_program(figure, "float64", lanes=1)
    first = (start[0][:, :1], start[1][:, :1])
    distances: list[float] = []
    for parts in (1, 2):
        steps = parts * CHECKED_STEPS
        q, v = (x[:, 0] for x in _simulated(exact, first, steps, h / parts))
        there = peer.simulate(first[0][:, 0], first[1][:, 0], steps, h / parts)[-len(v) :]
        distances.append(_largest_error(peer.velocity(q, v)[:, None], there[:, None]))
    found = f"path {distances[0]:.0e} from MuJoCo's, {distances[1]:.0e} at half the step"
    assert FIRST_ORDER_RATIO[0] < distances[0] / distances[1] < FIRST_ORDER_RATIO[1], f"{row.name}: {found}"
    energy_error = _largest_error(
        _simulated(program, first, CHECKED_STEPS, h)[1], _simulated(exact, first, CHECKED_STEPS, h)[1]
    )
    assert energy_error < TOLERANCE[row.precision], f"{row.name}: {row.precision} strays by {energy_error:.1e}"
    kinetic, potential = energy(figure, *start)
    kinetic_after, potential_after = energy(figure, *_simulated(program, start, STEPS, h))
    drift = np.abs(kinetic_after + potential_after - kinetic - potential)
    share = float((drift / (kinetic + np.abs(potential_after - potential))).max())
    return found, share


def _simulated(program: Program, start: tuple[Array, Array], steps: int, h: float) -> tuple[Array, Array]:
    """Return q and v after some steps without joint forces, in float64."""
    q, v = start
    counts = [np.array([[x]], program.dtype) for x in (steps, h)]
    after = program(q, v, np.zeros_like(v), *counts)
    assert all(np.isfinite(x).all() for x in after), f"a world is not finite after {steps} steps"
    return np.array(after[0], float), np.array(after[1], float)


def _largest_error(found: Array, wanted: Array) -> float:
    """Return the largest difference in any world (columns), relative to that world's largest value."""
    return float((np.abs(found - wanted).max(axis=0) / np.abs(wanted).max(axis=0)).max())


def _timed(result: Result, times: list[list[float]], steps: int, peer_steps: int) -> Result:
    """Return the result with the times of gambol's and the peer's steps added."""
    seconds, result.spread = median_and_spread(times[0])
    result.ns_per_step = seconds / steps * 1e9
    result.ratio = ratio(*times) * steps / peer_steps
    result.peer_ns_per_step = result.ns_per_step * result.ratio
    return result


DYNAMICS: dict[str, Callable[[Row], Result]] = {
    "forward": forward,
    "one by one": one_by_one,
    "depth": depth,
    "airborne": airborne,
}
