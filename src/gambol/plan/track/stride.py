"""A whole cycle of a motion: half a stride, and its mirror image in the plane y = 0."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.errors import PlanError
from gambol.plan.motion import Plan
from gambol.plan.motion.transcription.mirror import M, StateMap, state_map, travel_coordinate
from gambol.plan.motion.transcription.points import PlacedPoint, place_point
from gambol.plan.trajectory import Trajectory
from gambol.spatial import Vector

Array = NDArray[np.float64]

POSITION_TOLERANCE = 1e-9
"""Largest distance between a point and the mirror image of another for them to be the same [m]."""


def whole_stride(plan: Plan, trajectory: Trajectory) -> tuple[Trajectory, tuple[PlacedPoint, ...]]:
    """Return the motion of a whole cycle, and its points of contact; the motion itself if it is not half a stride.

    trajectory: trajectory of the plan. The second half is the mirror image of the first, moved along x to the end of
    the first half. Points that touch only in the second half come after points of the first half.
    """
    points = [place_point(plan.figure, plan.points, name) for name in trajectory.contacts]
    if plan.cycle is None or not plan.cycle.mirrored:
        return trajectory, tuple(points)
    mapped = state_map(plan.figure, plan.cycle)
    images = [_image(plan, mapped, point) for point in points]
    all_points = [*points, *(image for image in images if _index(image, points) is None)]
    first, second = ([_index(point, half) for point in all_points] for half in (points, images))
    image = _mirrored(mapped, trajectory)
    travel = np.zeros(trajectory.figure.nq)
    k = travel_coordinate(trajectory.figure)
    travel[k] = trajectory.q[-1, k] - image.q[0, k]
    positions = image.contact_points + np.array([travel[k], 0.0, 0.0])
    whole = Trajectory(
        trajectory.figure,
        np.concatenate([trajectory.times, image.times]),
        np.concatenate([trajectory.q, image.q + travel]),
        np.concatenate([trajectory.v, image.v]),
        np.concatenate([trajectory.torques, image.torques]),
        tuple(point.name for point in all_points),
        np.concatenate([_chosen(trajectory.contact_points, first), _chosen(positions, second)]),
        np.concatenate([_chosen(trajectory.contact_forces, first), _chosen(image.contact_forces, second)]),
        trajectory.degree,
    )
    return whole, tuple(all_points)


def _mirrored(mapped: StateMap, trajectory: Trajectory) -> Trajectory:
    """Return the mirror image of a motion, that begins when the motion ends; its contacts keep their names."""
    positions, velocities, torques = (
        np.stack(columns, axis=1)
        for columns in (
            mapped.positions(list(trajectory.q.T)),
            mapped.velocities(list(trajectory.v.T)),
            mapped.velocities(list(trajectory.torques.T)),
        )
    )
    return replace(
        trajectory,
        times=trajectory.times + (trajectory.times[-1] - trajectory.times[0]),
        q=positions,
        v=velocities,
        torques=torques,
        contact_points=trajectory.contact_points * M,
        contact_forces=trajectory.contact_forces * M,
    )


def _image(plan: Plan, mapped: StateMap, point: PlacedPoint) -> PlacedPoint:
    """Return the mirror image of a point. Raises PlanError for the centre of mass, which no force touches."""
    if not point.link:
        raise PlanError(f'"{point.name}" is the centre of mass, which cannot touch the ground')
    link = plan.figure.link(mapped.links[plan.figure.links[point.link - 1].name])
    position = Vector(point.position.x, -point.position.y, point.position.z)
    image = replace(point, name=link.name, link=link.index, position=position)
    for known in plan.points:
        placed = place_point(plan.figure, plan.points, known.name)
        if _index(placed, [image]) is not None:
            return placed
    return image


def _index(point: PlacedPoint, points: Sequence[PlacedPoint]) -> int | None:
    """Return the index of the point that is at the same place as a given point, or None."""
    for k, other in enumerate(points):
        if other.link == point.link and np.allclose([*other.position], [*point.position], atol=POSITION_TOLERANCE):
            return k
    return None


def _chosen(values: Array, indices: Sequence[int | None]) -> Array:
    """Return values (n, points, 3) of points by index; zeros for None."""
    zeros = np.zeros((len(values), 3))
    return np.stack([zeros if k is None else values[:, k] for k in indices], axis=1)
