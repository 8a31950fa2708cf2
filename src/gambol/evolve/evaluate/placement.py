"""Initial positions of rollouts on uneven ground: at the start of the task, just above the ground and parallel to it.

slopes    g_x = (h(L/2, 0) - h(-L/2, 0)) / L, and likewise g_y, of the ground under the body, x along the heading
tilt      the least rotation that takes z to n = (-g_x, -g_y, 1) / |.|
height    z = max over balls (r + c) / n_z + h - p_z: every ball is at least c above the triangle below it
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, Plane
from gambol.collide.ground import Surface
from gambol.evolve.genotype.growth import CLEARANCE
from gambol.evolve.tasks import Task
from gambol.evolve.tasks.terrain import grid_of
from gambol.lanes import Scalar
from gambol.spatial import Quaternion, Vector

Array = NDArray[np.float64]
Balls = Callable[[Sequence[Scalar]], Sequence[tuple[Scalar, Vector]]]
"""A function of joint coordinates (joints, W): radius and position of each ball in the trunk's frame [m] (W,)."""


def ground_of(task: Task) -> Ground:
    """Return the ground of a task."""
    return Plane() if task.ground is None else grid_of(task.ground)


def surface_at(ground: Ground, x: Array, y: Array) -> Surface:
    """Return the surface of a ground at points [m]."""
    return ground.surface(ground.numbers(), ground.table(), x, y)


def is_placed(task: Task) -> bool:
    """True if creatures do not start at the origin of level ground."""
    return task.ground is not None or task.start != (0.0, 0.0, 0.0)


def placed_coordinates(task: Task, q: Array, balls: Balls, length: Array) -> Array:
    """Return the coordinates of creatures at the start of a task (W, nq).

    q: their coordinates on level ground at the origin; coordinates of the trunk come first. balls: balls of the
    creatures. length: length of each creature [m].
    """
    if not is_placed(task):
        return q
    ground, (x, y, heading) = ground_of(task), task.start
    c, s = np.cos(heading), np.sin(heading)

    def height(ahead: Array, left: Array) -> Array:
        return np.asarray(surface_at(ground, x + c * ahead - s * left, y + s * ahead + c * left).height, float)

    half, zero = 0.5 * length, np.zeros_like(length)
    slopes = [(height(half, zero) - height(-half, zero)) / length, (height(zero, half) - height(zero, -half)) / length]
    rotation = _heading(heading, len(q)) @ _tilt(*slopes)
    bottom, raised = q[:, 6] * (CLEARANCE / (1.0 + CLEARANCE)), np.full(len(q), -np.inf)
    for radius, position in balls(list(q[:, 7:].T)):
        p = rotation.rotation() @ position
        surface = surface_at(ground, x + p.x, y + p.y)
        raised = np.maximum(raised, (radius + bottom) / surface.normal.z + surface.height - p.z)
    placed = q.copy()
    placed[:, :4] = np.stack(rotation.components(), axis=-1)
    placed[:, 4], placed[:, 5], placed[:, 6] = x, y, raised
    return placed


def _heading(angle: float, count: int) -> Quaternion:
    """Return rotations by an angle [rad] about z."""
    w, z = np.cos(angle / 2.0), np.sin(angle / 2.0)
    return Quaternion(np.full(count, w), np.zeros(count), np.zeros(count), np.full(count, z))


def _tilt(slope_x: Array, slope_y: Array) -> Quaternion:
    """Return the least rotations that take z to the normals of planes with slopes along x and y."""
    n_z = 1.0 / np.sqrt(1.0 + slope_x**2 + slope_y**2)
    w, x, y = 1.0 + n_z, slope_y * n_z, -slope_x * n_z
    norm = np.sqrt(w * w + x * x + y * y)
    return Quaternion(w / norm, x / norm, y / norm, np.zeros_like(w))


def in_start_axes(task: Task, points: Array) -> Array:
    """Return points of a world (T, W, 3) relative to the start, with x along the heading; heights are unchanged."""
    return turned_to_start(task, points - np.array([task.start[0], task.start[1], 0.0]))


def turned_to_start(task: Task, vectors: Array) -> Array:
    """Return vectors of a world (T, W, 3) in axes with x along the heading of the start."""
    c, s = np.cos(task.start[2]), np.sin(task.start[2])
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([(c * x + s * y).T, (c * y - s * x).T, z.T]).T  # times stay contiguous, see Trajectory


def feet_in_start_axes(task: Task, signals: Mapping[str, Array]) -> dict[str, Array]:
    """Return optional fields of a Trajectory relative to the start, with x along the heading; lengths are unchanged."""
    turned = dict(signals)
    for name in {"head", "tail"} & set(signals):
        turned[name] = np.swapaxes(turned_to_start(task, np.swapaxes(signals[name], 2, 3)), 2, 3)
    if "forces" in signals:
        turned["forces"] = turned_to_start(task, signals["forces"])
    if "feet" in signals:
        turned["feet"] = in_start_axes(task, signals["feet"])
    return turned
