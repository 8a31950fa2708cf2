"""The lines along which films draw the path of a muscle.

A path over points is drawn where it runs, with its arcs around spheres and cylinders. A path over pulleys has no place
in space, only arms r at joints. It is drawn from the centre of mass of the body before the first joint to the centre of
mass of the body after the last joint, past each joint at the distance of its arm:

    o = r u x a        u: unit vector towards the body before, a: axis of the joint; then (o x u) . a = r
"""

from collections.abc import Sequence
from typing import Any

from gambol.actuation.actuator import ActuatorInput, Numbers
from gambol.actuation.muscle.path import Path, PulleyPath
from gambol.actuation.muscle.point_path import Branch, PathPoint, PointPath, frame_of, position_of
from gambol.actuation.muscle.wrap import TINY, Wrapped, wrap
from gambol.dynamics import Kinematics
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, clamp, cos, maximum, sin, sqrt, where
from gambol.spatial import Vector
from gambol.spatial.rotation import is_constant

ARC_POINTS = 7
"""Number of points of a line on a sphere or a cylinder: an arc of 90 degrees has corners of 15 degrees."""

MIN_ARM, MAX_ARM = 0.15, 0.5
"""Limits of the drawn distance of a muscle from its joint, divided by the distance from the joint to the centre of mass
of the body before it."""

Line = list[Vector]


def path_lines(path: Path, numbers: Numbers, at: ActuatorInput) -> list[Line]:
    """Return the lines of a path in the world, each of two or more points [m]; none for other kinds of paths.

    numbers: numbers of the path. at: inputs of its muscle. The numbers of lines and points do not depend on the
    posture.
    """
    if isinstance(path, PulleyPath):
        return [_pulley_line(path.arms(numbers, at), at)]
    return point_lines(path, numbers, at)


def point_lines(path: Path, numbers: Numbers, at: ActuatorInput) -> list[Line]:
    """Return the lines of a path over points, one for each branch; none for other kinds of paths.

    Arguments: see path_lines().
    """
    if not isinstance(path, PointPath):
        return []
    return [_branch_line(branch, numbers["elements"], at.kinematics) for branch in path.branches() if branch]


def _branch_line(branch: Sequence[tuple[int, Any]], numbers: Sequence[Any], state: Kinematics) -> Line:
    """Return the line of a branch of a path over points. numbers: numbers of all elements of the path."""
    line: Line = []
    for k, (number, element) in enumerate(branch):
        assert not isinstance(element, Branch)
        if isinstance(element, PathPoint):
            line.append(position_of(state, element, numbers[number]["position"]))
            continue
        (before, first), (after, last) = ((branch[j][1], numbers[branch[j][0]]) for j in (k - 1, k + 1))
        ends = position_of(state, before, first["position"]), position_of(state, after, last["position"])
        line += _arc(element, numbers[number], ends, state)
    return line


def _arc(element: Any, shape_numbers: Any, ends: tuple[Vector, Vector], state: Kinematics) -> Line:
    """Return points of a path on a shape, from the first contact on.

    A path that does not touch the shape has points between its ends.
    """
    centre, basis, side = frame_of(state, element, shape_numbers)
    first, last = (end - centre for end in ends)
    wrapped = wrap(first, last, shape_numbers["radius"], side, basis)
    axis = _unit(wrapped.meets.cross(wrapped.leaves)) if basis is None else basis[2]
    fractions = [k / (ARC_POINTS - 1) for k in range(ARC_POINTS)]
    arc = _helix(wrapped, axis, shape_numbers["radius"], fractions)
    straight = [first + (last - first) * (0.25 + 0.5 * fraction) for fraction in fractions]
    return [centre + _chosen(wrapped.wraps, a, b) for a, b in zip(arc, straight, strict=True)]


def _helix(path: Wrapped, axis: Vector, radius: Scalar, fractions: Sequence[float]) -> Line:
    """Return points of a helix or an arc between the two tangent points of a path on a shape."""
    low, high = path.meets.dot(axis), path.leaves.dot(axis)
    x = (path.meets - axis * low) * (1.0 / radius)
    y = axis.cross(x)
    end = (path.leaves - axis * high) * (1.0 / radius)
    rise = high - low
    angle = sqrt(maximum(path.length * path.length - rise * rise, 0.0) + TINY) * (1.0 / radius)
    forward = x * cos(angle) + y * sin(angle) - end
    backward = x * cos(angle) - y * sin(angle) - end
    sign = where(forward.dot(forward) <= backward.dot(backward), 1.0, -1.0)
    points: Line = []
    for fraction in fractions:
        turned = x * cos(fraction * angle) + y * (sign * sin(fraction * angle))
        points.append(turned * radius + axis * (low + fraction * rise))
    return points


def line_beside(arm: Scalar, at: ActuatorInput) -> Line:
    """Return the line of a muscle that runs beside the two bodies of a joint, at the distance of its arm.

    arm: moment arm at the joint [m]; at: inputs of its actuator.
    """
    state, link = at.kinematics, at.links[0]
    before, joint, after = _centre_before(state, link), state.poses[link.index].position, _centre(state, link)
    side = _unit(before - joint).cross(_axis(state, link)) * arm
    return [before + side, joint + side, after + side]


def _pulley_line(arms: Sequence[Scalar], at: ActuatorInput) -> Line:
    """Return the line of a path over pulleys. arms: moment arm at each joint [m]."""
    state = at.kinematics
    ordered = sorted(zip(at.links, arms, strict=True), key=lambda pair: pair[0].index)
    first, last = ordered[0][0], ordered[-1][0]
    line = [_centre_before(state, first)]
    for link, arm in ordered:
        joint = state.poses[link.index].position
        towards = line[0] - joint if link is first else state.poses[link.parent_index].position - joint
        u = _unit(towards)
        line.append(joint + u.cross(_axis(state, link)) * _drawn(arm, sqrt(towards.dot(towards) + TINY)))
    return [*line, _centre(state, last)]


def _drawn(arm: Scalar, reach: Scalar) -> Scalar:
    """Return the signed distance from a joint in a drawing [m], clamped to MIN_ARM and MAX_ARM times the reach."""
    return where(arm < 0.0, -1.0, 1.0) * clamp(abs(arm), MIN_ARM * reach, MAX_ARM * reach)


def _centre(state: Kinematics, link: PlacedLink) -> Vector:
    """Return the centre of mass of a link in the world [m]."""
    return state.point_position(link.index, Vector.of(link.mass_properties.com))


def _centre_before(state: Kinematics, link: PlacedLink) -> Vector:
    """Return the centre of mass of the body before a joint.

    Without such a body it is the mirror image of the centre after the joint.
    """
    joint = state.poses[link.index].position
    index = link.parent_index
    while index and is_constant(state.figure.links[index - 1].mass_properties.mass, 0.0):
        index = state.figure.links[index - 1].parent_index
    return _centre(state, state.figure.links[index - 1]) if index else joint * 2.0 - _centre(state, link)


def _axis(state: Kinematics, link: PlacedLink) -> Vector:
    """Return the axis of a joint in the world."""
    return state.poses[link.index].rotation @ Vector.of(link.joint.axis)


def _unit(x: Vector) -> Vector:
    return x * (1.0 / sqrt(x.dot(x) + TINY))


def _chosen(condition: Scalar, yes: Vector, no: Vector) -> Vector:
    return Vector.of([where(condition, a, b) for a, b in zip(yes, no, strict=True)])
