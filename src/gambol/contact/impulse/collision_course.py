"""The course of one collision: impulse and velocity at many times between its start and its end.

The collision is integrated as in collision(), with additional points inside each step; the velocity is u = u_0 + K p.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.contact.impulse.collision import MAX_STEPS, scaled_collision
from gambol.contact.impulse.collision_state import FINISHED, CollisionLaw, CollisionState
from gambol.contact.impulse.flow import SlipFlow
from gambol.contact.impulse.sliding import series_value, sliding_series
from gambol.errors import WorldError
from gambol.spatial import Vector
from gambol.spatial.matrix import Matrix

Array = NDArray[np.float64]

POINTS_PER_STEP = 24


@dataclass(frozen=True)
class CollisionCourse:
    """The course of a collision, in contact axes, the normal last.

    impulse (n, 3): impulse on the first body up to this time [N s]; its last column increases. velocity (n, 3):
    relative velocity [m/s]. phase (n): 0 in compression, 1 in restitution, 2 or more at the end. sliding (n): True
    until the slip stops.
    """

    impulse: Array
    velocity: Array
    phase: Array
    sliding: NDArray[np.bool_]


def collision_course(
    K: ArrayLike, u: Sequence[float], mu: float, e: float = 0.0, hypothesis: str = "stronge"
) -> CollisionCourse:
    """Return the course of a collision; arguments: see collision().

    K (3, 3) [1/kg], u (3) [m/s], mu and e are numbers. If the bodies separate, the course is one point. Raises
    WorldError for a matrix that is not symmetric and positive semidefinite, and for an unknown hypothesis.
    """
    flow, start = SlipFlow(K, mu), np.array(u, float)
    if start.shape != (3,) or not np.isfinite(start).all():
        raise WorldError("the velocity before a collision has three finite numbers, the normal component last")
    matrix = np.asarray(flow.K, float)
    law, state, scale = scaled_collision(Matrix.of(matrix.tolist()), Vector.of(start.tolist()), mu, e, hypothesis)
    impulses, phases, sliding = [np.zeros((1, 3))], [float(state.phase)], [True]
    while state.phase < FINISHED and state.steps < MAX_STEPS:
        after = law.next_state(state)
        points = _points_of_step(law, state, after)
        impulses.append(points * float(scale))
        phases += [float(state.phase)] * (len(points) - 1) + [float(after.phase)]
        sliding += [float(state.slip_stopped) < 0.5] * (len(points) - 1) + [float(after.slip_stopped) < 0.5]
        state = after
    p = np.concatenate(impulses)
    return CollisionCourse(p, start + p @ matrix, np.array(phases), np.array(sliding))


def _points_of_step(law: CollisionLaw, before: CollisionState, after: CollisionState) -> Array:
    """Return the impulses (n, 3) inside and at the end of a step."""
    start, end = (np.array([c.px, c.py, c.pz], float) for c in (before, after))
    straight = start + np.linspace(0.0, 1.0, POINTS_PER_STEP + 1)[1:, None] * (end - start)
    r = float(np.hypot(before.x, before.y))
    if r == 0.0 or before.slip_stopped > 0.5 or after.slip_stopped > before.slip_stopped:
        return straight
    series, matrix = sliding_series(law.matrix, before.x / r, before.y / r), law.matrix
    length = _step_end(series.P, (end[2] - start[2]) / r, float(series.length))
    s = np.linspace(0.0, length, POINTS_PER_STEP + 1)[1:]
    scale = (-matrix.mu * r, -matrix.mu * r, r)
    terms = zip(scale, (series.A, series.B, series.P), strict=True)
    points = start + np.stack([x * series_value(a, s) for x, a in terms], axis=-1)
    return np.concatenate([points[:-1], end[None]]) if abs(points[-1] - end).max() <= 1e-9 * r else straight


def _step_end(P: list[float], impulse: float, longest: float) -> float:
    """Return the s at which the increasing normal impulse P(s) reaches a value."""
    low, high = 0.0, longest
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if series_value(P, middle) < impulse else (low, middle)
    return high
