"""A problem with a known answer, and how near we come to it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Figure
from gambol.world import Engine, Timing, World, start

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """One number of a problem: what it is, ours, the reference, and how far apart they may be (absolute).

    method: the name of the method, where it is not that of the whole problem.
    """

    what: str
    ours: float
    reference: float
    wanted: float
    method: str = ""

    @property
    def error(self) -> float:
        """How far ours is from the reference."""
        return abs(self.ours - self.reference)

    @property
    def holds(self) -> bool:
        """Whether ours is as near as wanted."""
        return self.error <= self.wanted


@dataclass(frozen=True)
class Problem:
    """setup: what is simulated, and how; reference: where the answer is from; solve: gives the rows.

    method: the name of the method, for all rows that name none.
    """

    title: str
    setup: str
    reference: str
    solve: Callable[[], list[Row]]
    method: str = ""


def rows_of(names: list[str], ours: Array, reference: Array, wanted: float) -> list[Row]:
    """Rows of several numbers with one accuracy."""
    flat = zip(names, np.ravel(ours), np.ravel(reference), strict=True)
    return [Row(name, float(a), float(b), wanted) for name, a, b in flat]


def motion(
    figure: Figure,
    q: Array,
    v: Array,
    times: list[float],
    *,
    gravity: float = 9.81,
    timing: Timing | None = None,
) -> tuple[Array, Array]:
    """Coordinates (times, nq) and velocities (times, nv) of a figure that starts at q and v.

    times: multiples of the timing's frame; by default RKF45 in frames of 0.01 s to a tolerance of 1e-12.
    """
    timing = timing or Timing(frame=0.01, step=1e-3, method="rkf", tolerance=1e-12)
    world = World(figure, gravity=gravity, timing=timing)
    state, engine = start(world), Engine(world, lanes=1)
    state.q[0], state.v[0] = q, v
    seen: list[tuple[Array, Array]] = []
    for time in times:
        engine.move(state, round(time / timing.frame))
        if abs(state.time[0] - time) > 1e-9:
            raise RuntimeError(f"the world stopped at {state.time[0]:g} s, before {time:g} s")
        seen.append((state.q[0].copy(), state.v[0].copy()))
    return np.array([q for q, _ in seen]), np.array([v for _, v in seen])
