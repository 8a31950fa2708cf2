"""Problems with known answers, and their results."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Figure
from gambol.world import Engine, Timing, World, start

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A number of a problem. name: with its unit; ours, reference: values; tolerance: largest absolute error.

    method: name of the method, if it differs from that of the problem.
    """

    name: str
    ours: float
    reference: float
    tolerance: float
    method: str = ""

    @property
    def error(self) -> float:
        """The distance of ours from the reference."""
        return abs(self.ours - self.reference)

    @property
    def holds(self) -> bool:
        """True if the error is within the tolerance."""
        return self.error <= self.tolerance


@dataclass(frozen=True)
class Problem:
    """A problem. setup: its description; reference: source of the answer; solve: returns the rows.

    method: name of the method, for all rows without one.
    """

    title: str
    setup: str
    reference: str
    solve: Callable[[], list[Row]]
    method: str = ""


def rows_of(names: list[str], ours: Array, reference: Array, tolerance: float) -> list[Row]:
    """Return rows of several numbers with one tolerance."""
    flat = zip(names, np.ravel(ours), np.ravel(reference), strict=True)
    return [Row(name, float(a), float(b), tolerance) for name, a, b in flat]


def motion(
    figure: Figure,
    q: Array,
    v: Array,
    times: list[float],
    *,
    gravity: float = 9.81,
    timing: Timing | None = None,
) -> tuple[Array, Array]:
    """Simulate a figure from q and v; return coordinates (times, nq) and velocities (times, nv).

    times: multiples of the timing's control step; by default RKF45 in control steps of 0.01 s, tolerance 1e-12.
    """
    timing = timing or Timing(control_step=0.01, step=1e-3, method="rkf", tolerance=1e-12)
    world = World(figure, gravity=gravity, timing=timing)
    state, engine = start(world), Engine(world, lanes=1)
    state.q[0], state.v[0] = q, v
    samples: list[tuple[Array, Array]] = []
    for time in times:
        engine.advance(state, round(time / timing.control_step))
        if abs(state.time[0] - time) > 1e-9:
            raise RuntimeError(f"the world stopped at {state.time[0]:g} s, before {time:g} s")
        samples.append((state.q[0].copy(), state.v[0].copy()))
    return np.array([q for q, _ in samples]), np.array([v for _, v in samples])
