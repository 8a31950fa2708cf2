"""Spring meshes: a frame of a cloth in one implicit step, and the cost of a large one beside Taichi, if installed."""

import time
import tracemalloc
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import taichi_peers
from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, time_interleaved
from gambol.integrate import ConvergenceWarning
from gambol.matter.mesh import ClothMaterial, SpringMesh, cloth
from gambol.matter.motion import ImplicitOptions, MeshState, MeshStepper, ProjectiveOptions, StepRule

Array = NDArray[Any]

FRAME = 1.0 / 30.0
"""The step of Liu et al. 2013, whose cloth has 6,561 points, and takes 50 ms a frame or less [s]."""

ITERATIONS = 8
"""Local-global iterations of a frame; ten times as many come no nearer to the eye."""

FABRIC = ClothMaterial(density=0.2, warp=50.0, weft=50.0, shear=20.0, bend=1.0, damping=0.0)
EXACT = ImplicitOptions(25, 1e-3, 1e-6)
"""25 iterations of Newton's method leave 4e-4 of a step's change, a hundredth of the errors that are told."""

PULLED = 1.02  # positions of the force check, over those at rest
REPEATS = 5
STEPS = 5  # of each run of the large cloth
NO_PEER = "no peer has this step"


def hung(rows: int, columns: int) -> SpringMesh:
    """Return a cloth of 1 m along its columns, pinned at two corners."""
    return cloth(rows, columns, 1.0 / (columns - 1), FABRIC, pins=[(0, 0), (0, -1)])


def stepper(mesh: SpringMesh, method: str, h: float, options: Any = None) -> MeshStepper:
    return MeshStepper(mesh, rule=StepRule(method, h, options))


def cloth_frame(row: Row) -> Result:
    """Time a frame of 1/30 s of a cloth in one step of each implicit method, and compare it with Newton's."""
    mesh = hung(81, 81)
    linear = stepper(mesh, "implicit euler", FRAME)
    state = linear.advance(linear.start(), 10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        exact = stepper(mesh, "newton", FRAME, EXACT).advance(state).position
    way = np.linalg.norm(exact - state.position)
    kept = stepper(mesh, "projective", FRAME, ProjectiveOptions(ITERATIONS))

    def error(s: MeshStepper) -> float:
        return float(np.linalg.norm(s.advance(state).position - exact) / way)

    errors = error(kept), error(linear)
    assert max(errors) < 0.1, f"errors of {errors} of the way of the frame"
    times = time_interleaved(lambda: kept.advance(state), lambda: linear.advance(state), repeats=REPEATS)
    (ours, spread), (other, _) = map(median_and_spread, times)
    start = time.process_time()
    kept.advance(state, REPEATS)
    processor = (time.process_time() - start) / REPEATS
    return Result(
        3 * len(mesh.points),
        f"{errors[0]:.1%} of the way of the frame from Newton's step, linear implicit {errors[1]:.1%}; {NO_PEER}",
        step_s=FRAME,
        ns_per_step=1e9 * ours,
        spread=spread,
        more={"cpu_ms_per_frame": 1e3 * processor, "linear_implicit_ms": 1e3 * other},
    )


def large_cloth(row: Row) -> Result:
    """Time an explicit step of a large cloth; compare its cost per point with that of a small one."""
    small, large = hung(81, 81), hung(387, 388)
    h = 1e-6
    tracemalloc.start()
    ours = stepper(large, "semi-implicit euler", h)
    state = ours.advance(ours.start())
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    far = force_difference(ours, state, h)
    assert far < 1e-9, f"accelerations differ from NumPy's by {far:.1e} of the largest"
    peer = beside_taichi(ours, state, h) if taichi_peers.installed() else taichi_peers.RECORDED
    other = stepper(small, "semi-implicit euler", h)
    begin = other.start()
    times = time_interleaved(lambda: ours.advance(state, STEPS), lambda: other.advance(begin, STEPS), repeats=REPEATS)
    (large_s, spread), (small_s, _) = ((t / STEPS, s) for t, s in map(median_and_spread, times))
    per_point = large_s / len(large.points)
    return Result(
        3 * len(large.points),
        f"accelerations within {far:.0e} of NumPy's; {len(large.springs)} springs; {peer}",
        step_s=h,
        ns_per_step=1e9 * large_s,
        spread=spread,
        more={
            "over_small": per_point / (small_s / len(small.points)),
            "ns_per_spring": 1e9 * large_s / len(large.springs),
            "bytes_per_spring": memory / len(large.springs),
        },
    )


def beside_taichi(s: MeshStepper, state: MeshState, h: float) -> str:
    """Return the time of Taichi's step beside gambol's, after their velocities were compared."""
    pulled = replace(state, position=s.mesh.points * PULLED, velocity=np.zeros_like(state.velocity))
    step, velocity = taichi_peers.taichi_step(s.mesh, pulled.position, h)
    step()
    expected = s.advance(pulled).velocity
    far = float(abs(velocity() - expected).max() / abs(expected).max())
    assert far < 1e-9, f"velocities differ from Taichi's by {far:.1e} of the largest"
    times = time_interleaved(lambda: s.advance(pulled, STEPS), lambda: [step() for _ in range(STEPS)], repeats=REPEATS)
    ours, theirs = (1e3 * median_and_spread(each)[0] / STEPS for each in times)
    return f"Taichi {theirs:.0f} ms, gambol {ours:.0f} ms a step, velocities within {far:.0e}"


def force_difference(s: MeshStepper, state: MeshState, h: float) -> float:
    """Return the largest difference of accelerations in a step from those of NumPy, over the largest."""
    mesh = s.mesh
    springs = mesh.springs
    x = mesh.points * PULLED
    a, b = springs.ends.T
    r = x[a] - x[b]
    length = np.linalg.norm(r, axis=1)
    pull = (-springs.stiffness * (length - springs.rest) / length)[:, None] * r
    force = mesh.masses[:, None] * [0.0, 0.0, -9.81]
    np.add.at(force, a, pull)
    np.add.at(force, b, -pull)
    expected = force / mesh.masses[:, None]
    expected[mesh.pins] = 0.0
    after = s.advance(replace(state, position=x, velocity=np.zeros_like(x)))
    return float(abs(after.velocity / h - expected).max() / abs(expected).max())


MESHES = {"cloth frame": cloth_frame, "large cloth": large_cloth}
