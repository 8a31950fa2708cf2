"""Initial velocities of joints from those of bodies, by least squares.

With the axes s of a joint's freedoms in the world, through points p, the joint velocities r are such that

    w_child - w_parent = sum of s r over rotations
    v_child - v_parent = sum of p x s r over rotations + sum of s r over slides

for the velocities v of the points of both bodies at the origin of the world. The file gives velocities of centres of
mass, and angular velocities in degrees/s.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gambol.formats.usd.joints import StageJoint, motion_of
from gambol.formats.usd.links import LinkFreedom, PlacedBody
from gambol.formats.usd.stage import Array, Stage
from gambol.formats.usd.tree import Branch

VELOCITY_TOLERANCE = 1e-3
"""Relative difference between velocities of a body and those that its joint allows, above which a note is added."""


def initial_velocities(
    stage: Stage,
    branches: Sequence[Branch],
    bodies: Mapping[str, PlacedBody],
    link_freedoms: Sequence[LinkFreedom],
    notes: set[str],
) -> dict[str, tuple[float, ...]]:
    """Return the initial velocities of joints by link, of free bodies in their own axes; empty if all bodies rest.

    branches: bodies, each with the joints to its parent. bodies: by path. link_freedoms: the links of all freedoms.
    notes: receives a sentence for each body whose velocity its joint does not allow.
    """
    twists = {prim["path"]: _twist(stage, prim["velocity"], bodies[prim["path"]])
              for prim in stage.prims("bodies") if prim["path"] in bodies}  # fmt: skip
    if not any(twist.any() for twist in twists.values()):
        return {}
    links = {(entry.joint.path, entry.freedom.dof): entry for entry in link_freedoms}
    velocities: dict[str, tuple[float, ...]] = {}
    for branch in branches:
        body, relative = bodies[branch.child], twists[branch.child] - twists.get(branch.parent, np.zeros(6))
        R = body.pose[:3, :3]
        if not branch.joints:
            own = np.concatenate([R.T @ relative[:3], R.T @ _velocity(relative, body.pose[:3, 3])])
            velocities[body.name] = _floats(own)
            continue
        sign = -1.0 if branch.is_reversed(branch.joints[0]) else 1.0
        columns = [(entry, column) for joint in branch.joints for entry, column in _columns(joint, links, R, sign)]
        A = np.concatenate([np.zeros((6, 0)), *(column for _, column in columns)], axis=1)
        solution = np.linalg.pinv(A).astype(np.float64) @ relative
        if np.abs(A @ solution - relative).max() > VELOCITY_TOLERANCE * max(1.0, np.abs(relative).max()):
            notes.add(f'"{body.name}" starts with a velocity that its joint allows, not with that of the file.')
        first = 0
        for entry, column in columns:
            velocities[entry.link] = _floats(solution[first : (first := first + column.shape[1])])
    return velocities


def _twist(stage: Stage, given: Sequence[float], body: PlacedBody) -> Array:
    """Return the angular velocity of a body, and the velocity of its point at the origin of the world, (6,)."""
    velocity = stage.units.length * (stage.up @ np.array(given[:3], float))
    spin = math.pi / 180.0 * (stage.up @ np.array(given[3:], float))
    com = np.array(body.mass.com if body.mass is not None else (0.0, 0.0, 0.0))
    center = body.pose[:3, :3] @ com + body.pose[:3, 3]
    return np.concatenate([spin, velocity - np.cross(spin, center)])


def _velocity(twist: Array, point: Array) -> Array:
    return twist[3:] + np.cross(twist[:3], point)


def _columns(
    joint: StageJoint, links: Mapping[tuple[str, str], LinkFreedom], R: Array, sign: float
) -> Iterator[tuple[LinkFreedom, Array]]:
    """Yield each freedom of a joint with the twists (6, n) of the child for velocities of 1.

    R: rotation of the child, whose axes the velocity of a ball has. sign: -1 if the child is the first body.
    """
    pose = joint.frames[0]
    for freedom in joint.freedoms:
        entry = links[joint.path, freedom.dof]
        if freedom.kind == "spherical":
            yield entry, np.concatenate([R, np.cross(pose[:3, 3], R, axisb=0, axisc=0)])
            continue
        axis = sign * pose[:3, freedom.axis]
        twist = [axis, np.cross(pose[:3, 3], axis)] if freedom.is_angle else [np.zeros(3), axis]
        yield entry, np.concatenate(twist)[:, None]
        pose = pose @ motion_of(freedom, entry.q[0])


def _floats(values: Array) -> tuple[float, ...]:
    return tuple(float(x) for x in values)
