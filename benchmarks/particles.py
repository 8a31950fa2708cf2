"""A million free particles over level ground: gambol's step beside the same formulas as NumPy expressions."""

import resource
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import taichi_peers
from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.matter.particles import Emitter, ParticleState, ParticleStepper, ParticleSystem, Spread
from gambol.matter.particles.state import ROWS

Array = NDArray[Any]

H = 1.0 / 120.0
G = np.array([[0.0], [0.0], [-9.81]])
DRAG, RESTITUTION, FRICTION, REST = (0.1, 0.05), 0.5, 0.3, 0.01
RAIN = Emitter(cone=1.2, speed=Spread(3.0, 3.0), lifetime=Spread(1e6), radius=Spread(0.002), drag=DRAG)
AGREEMENT_TOLERANCE = 1e-9
"""Relative difference of positions and velocities after a step: rounding, and the order of operations."""

REPEATS = 7
TAICHI = "Taichi 1.7.4 took 18 ms beside 46 ms in float64 by processor time, AMD EPYC; not run now"


def numpy_step(x: Array, v: Array, radius: Array) -> tuple[Array, Array]:
    """Return positions and velocities (3, n) after a step, by the formulas of gambol.matter.particles."""
    v = v + G * (0.5 * H)
    end = x + v * (0.5 * H)
    c, k = DRAG
    e = np.exp(-c * H)
    dragged = v * (e / (1.0 + k * np.sqrt((v * v).sum(axis=0)) * (1.0 - e) / c))
    end = end + dragged * (0.5 * H)
    v_end = dragged + G * (0.5 * H)
    v_start = v - G * (0.5 * H)
    gap, speed = x[2] - radius, end[2] - x[2]
    inward = (speed < 0.0) & ((gap + speed < 0.0) | (gap < 0.0))
    t = np.where(gap < 0.0, 0.0, np.where(inward, gap / np.where(inward, -speed, 1.0), 1.0))
    before = v_start + (v_end - v_start) * t
    after, change = bounced(before), (v_end - v_start) * (1.0 - t)
    free = after + change
    rests = (free[2] < 0.0) & (before[2] > -REST)
    final = np.where(rests, bounced(free, 0.0), free)
    at = x + (end - x) * t
    touched = at + (after + final) * (0.5 * H * (1.0 - t))
    return np.where(inward, touched, end), np.where(inward, final, v_end)


def bounced(u: Array, restitution: float = RESTITUTION) -> Array:
    """Return velocities (3, n) after a touch of level ground."""
    down = np.maximum(-u[2], 0.0)
    e = np.where(down > REST, restitution, 0.0)
    slip = np.sqrt(u[0] * u[0] + u[1] * u[1] + 1e-30)
    kept = 1.0 - np.minimum(FRICTION * (1.0 + e) * down / slip, 1.0)
    return np.stack([u[0] * kept, u[1] * kept, np.maximum(u[2], e * down)])


def million_particles(row: Row) -> Result:
    """Time a step of particles of which some touch the ground, and compare it with NumPy's."""
    system = ParticleSystem({"rain": RAIN}, capacity=row.worlds)
    stepper = ParticleStepper(system, row.precision)
    rng = np.random.default_rng(0)
    points = rng.uniform(0.0, 1.0, (row.worlds, 3)) * [10.0, 10.0, 0.2] + [0.0, 0.0, 0.01]
    state = stepper.emit(ParticleState(), "rain", points, None, rng.uniform(-3.0, 0.0, points.shape))
    x, v, radius = (state.rows[ROWS[name]] for name in ("position", "velocity", "radius"))
    step = stepper.step(state, H)
    expected = np.concatenate(numpy_step(x, v, radius))
    difference = float(np.abs(step.state.rows[:6] - expected).max())
    bound = AGREEMENT_TOLERANCE if row.precision == "float64" else 1e-5
    assert difference < bound * np.abs(expected).max(), f"NumPy's step differs by {difference:.1e}"
    ours, theirs = time_interleaved(lambda: stepper.step(state, H), lambda: numpy_step(x, v, radius), repeats=REPEATS)
    (seconds, spread), (peer_seconds, _) = median_and_spread(ours), median_and_spread(theirs)
    ns, peer_ns = (1e9 * each / row.worlds for each in (seconds, peer_seconds))
    more = {
        "touching": len(step.touches["kind"]) / row.worlds,
        "ms_per_step": 1e3 * seconds,
        "gigabytes": 1e-6 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }
    check = f"positions and velocities within {difference:.0e} of NumPy's; {beside_taichi(stepper, state, row)}"
    return Result(3, check, H, "ground", ns, spread, "NumPy", peer_ns, ratio(ours, theirs), more=more)


def beside_taichi(stepper: ParticleStepper, state: ParticleState, row: Row) -> str:
    """Return the time of Taichi's step beside gambol's, in float64, after their results were compared."""
    if row.precision != "float64" or not taichi_peers.installed():
        return TAICHI
    x, v, radius = (state.rows[ROWS[name]] for name in ("position", "velocity", "radius"))
    law = taichi_peers.ParticleLaw(H, float(G[2, 0]), DRAG, RESTITUTION, FRICTION, REST)
    step, result = taichi_peers.taichi_particles(x, v, radius.reshape(-1), law)
    step()
    expected = stepper.step(state, H).state.rows[:6]
    far = float(np.abs(result() - expected).max() / np.abs(expected).max())
    assert far < AGREEMENT_TOLERANCE, f"Taichi's step differs by {far:.1e}"
    times = time_interleaved(lambda: stepper.step(state, H), step, repeats=REPEATS)
    ours, theirs = (1e3 * median_and_spread(each)[0] for each in times)
    return f"Taichi {theirs:.0f} ms, gambol {ours:.0f} ms a step"


PARTICLES = {"particles": million_particles}
