"""Forward dynamics beside Pinocchio, and airborne steps beside MuJoCo: the same numbers first, then the time."""

import math
from collections.abc import Callable

import numpy as np

from benchmarks.models import STEP, figure_of
from benchmarks.peers import InMujoco, InPinocchio
from benchmarks.programs import (
    Array,
    airborne_program,
    dependent_operations,
    energy,
    exact_rates,
    forward_program,
    half_held,
    random_states,
)
from benchmarks.rows import Result, Row
from benchmarks.stopwatch import race, ratio, typical
from gambol.dynamics.reframe import reframed
from gambol.lanes import Program

AGREES = {"float64": 1e-9, "float32": 5e-3}
"""Largest relative difference of accelerations: rounding, times what a chain of ever lighter links makes of it."""

CHECKED_WORLDS = 32
CHECKED_STEPS = 100

CALLS = 20  # of forward dynamics in one timed run, so that no run begins in a cache that the peer has filled
STEPS = 200  # of gambol in one timed run
PEER_STEPS = 2000

MUJOCO_STEPS, SHORT = 200, 1e-6
"""Steps of MuJoCo in one timed run, and their length [s]: its forward dynamics, and a little for stepping."""

ROUND = 150  # operations that wait for each other when two halves of a chain are joined, and parted again

HALVES = (1.7, 2.3)
"""Two methods of first order end half as far apart after twice as many steps half as long."""


def forward(row: Row, lanes: int | None = None) -> Result:
    """Forward dynamics of many states in one call."""
    figure = figure_of(row.model)
    program, peer = forward_program(figure, row.precision, lanes), InPinocchio(figure)
    other = InMujoco(reframed(figure).figure)
    q, v = random_states(figure, row.worlds)
    tau = half_held(figure, q, v)
    check, errors = _check_rates(row, program, (peer, other), (q, v, tau))
    given = [np.ascontiguousarray(x, row.precision) for x in (q, v, tau)]
    out = [np.empty_like(given[1])]
    arguments, theirs = peer.arguments(q, v, tau), np.zeros_like(v, order="F")

    def ours() -> None:
        for _ in range(CALLS):
            program(*given, out=out, threads=row.threads)

    times = race(
        ours,
        lambda: peer.evaluate(arguments, theirs),
        lambda: other.roll(q[:, 0], v[:, 0], MUJOCO_STEPS, SHORT),
    )
    mujoco = ratio(times[0], times[2]) * row.worlds * CALLS / MUJOCO_STEPS
    check = f"{check}; MuJoCo takes {mujoco:.0f} times as long as gambol"
    result = Result(figure.nv, check, peer="Pinocchio aba", compile_s=program.seconds_to_make)
    result.more = {"ratio_mujoco": mujoco, "operations": program.operations, **errors}
    return _timed(result, times[:2], row.worlds * CALLS, row.worlds)


def one_by_one(row: Row) -> Result:
    """Forward dynamics of many states in one call, by code that holds one state at a time."""
    return forward(row, lanes=1)


def depth(row: Row) -> Result:
    """How many operations wait for each other: for each link in turn, or for each halving of the links."""
    figure = reframed(figure_of(row.model)).figure
    one_by_one, deep = dependent_operations(figure, "aba")
    halving, shallow = dependent_operations(figure, "divide_and_conquer")
    rounds = math.ceil(math.log2(len(figure.links)))
    assert shallow <= ROUND * (rounds + 1), f"{row.name}: {shallow} operations wait for each other in {rounds} rounds"
    found = f"{deep} of {one_by_one} operations in a row by aba, {shallow} of {halving} by divide_and_conquer"
    return Result(figure.nv, found, more={"aba": deep, "divide_and_conquer": shallow})


def airborne(row: Row) -> Result:
    """Forward dynamics and a semi-implicit step, many steps in one call."""
    figure, h = figure_of(row.model), STEP[row.model]
    program, peer = airborne_program(figure, row.precision), InMujoco(figure, h)
    q, v = random_states(figure, row.worlds)
    check, drift = _check_steps(row, program, peer, (q, v))
    given = [np.ascontiguousarray(x, row.precision) for x in (q, v, np.zeros_like(v))]
    counts = [np.array([[x]], row.precision) for x in (STEPS, h)]
    out = [np.empty_like(x) for x in given[:2]]
    times = race(
        lambda: program(*given, *counts, out=out, threads=row.threads),
        lambda: peer.roll(q[:, 0], v[:, 0], PEER_STEPS, h),
    )
    result = Result(figure.nv, check, h, peer="MuJoCo rollout", compile_s=program.seconds_to_make, energy_drift=drift)
    result.more = {"operations": program.operations}
    return _timed(result, times, row.worlds * STEPS, PEER_STEPS)


def _check_rates(
    row: Row, program: Program, peers: tuple[InPinocchio, InMujoco], states: tuple[Array, Array, Array]
) -> tuple[str, dict[str, float]]:
    """Compare accelerations with both peers' and with those of arithmetic in extended precision."""
    q, v, tau = (x[:, :CHECKED_WORLDS] for x in states)
    peer, mujoco = peers
    exact = exact_rates(peer.figure, q, v, tau)
    there = np.array([mujoco.forward(q[:, w], v[:, w], tau[:, w]) for w in range(CHECKED_WORLDS)]).T
    here = np.array([mujoco.acceleration(q[:, w], v[:, w], exact[:, w]) for w in range(CHECKED_WORLDS)]).T
    errors = {
        "rounding": _furthest(np.array(program(q, v, tau)[0], float), exact),
        "pinocchio_rounding": _furthest(peer.forward(q, v, tau), exact),
        "mujoco_rounding": _furthest(there, here),
    }
    for name, error in errors.items():
        allowed = AGREES[row.precision if name == "rounding" else "float64"]
        assert error < allowed, f"{row.name}: {name} is {error:.1e}, above {allowed:.0e}"
    found = f"accelerations: off by {errors['rounding']:.0e}, Pinocchio's by {errors['pinocchio_rounding']:.0e}"
    return f"{found}, MuJoCo's by {errors['mujoco_rounding']:.0e}", errors


def _check_steps(row: Row, program: Program, peer: InMujoco, start: tuple[Array, Array]) -> tuple[str, float]:
    """Compare the path of the first world; also the part of the energy in play that the timed run makes or loses."""
    figure, h = peer.figure, STEP[row.model]
    exact = airborne_program(figure, "float64", lanes=1)
    first = (start[0][:, :1], start[1][:, :1])
    apart: list[float] = []
    for parts in (1, 2):
        steps = parts * CHECKED_STEPS
        q, v = (x[:, 0] for x in _moved(exact, first, steps, h / parts))
        there = peer.roll(first[0][:, 0], first[1][:, 0], steps, h / parts)[-len(v) :]
        apart.append(_furthest(peer.velocity(q, v)[:, None], there[:, None]))
    found = f"path {apart[0]:.0e} from MuJoCo's, {apart[1]:.0e} at half the step"
    assert HALVES[0] < apart[0] / apart[1] < HALVES[1], f"{row.name}: {found}"
    lost = _furthest(_moved(program, first, CHECKED_STEPS, h)[1], _moved(exact, first, CHECKED_STEPS, h)[1])
    assert lost < AGREES[row.precision], f"{row.name}: {row.precision} strays by {lost:.1e}"
    kinetic, potential = energy(figure, *start)
    kinetic_after, potential_after = energy(figure, *_moved(program, start, STEPS, h))
    drift = np.abs(kinetic_after + potential_after - kinetic - potential)
    share = float((drift / (kinetic + np.abs(potential_after - potential))).max())
    return found, share


def _moved(program: Program, start: tuple[Array, Array], steps: int, h: float) -> tuple[Array, Array]:
    """q and v after some steps without joint forces, in float64."""
    q, v = start
    counts = [np.array([[x]], program.dtype) for x in (steps, h)]
    after = program(q, v, np.zeros_like(v), *counts)
    assert all(np.isfinite(x).all() for x in after), f"a world is not finite after {steps} steps"
    return np.array(after[0], float), np.array(after[1], float)


def _furthest(found: Array, wanted: Array) -> float:
    """The largest difference in any world (columns) over that world's largest number."""
    return float((np.abs(found - wanted).max(axis=0) / np.abs(wanted).max(axis=0)).max())


def _timed(result: Result, times: list[list[float]], steps: int, peer_steps: int) -> Result:
    """The result with the times of some steps of ours and of the peer's."""
    seconds, result.spread = typical(times[0])
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
