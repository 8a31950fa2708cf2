"""Canonical link frames: an equivalent figure with fewer links, in frames that make forward dynamics cheaper.

A link with a fixed joint is merged into its parent. The frame of a link whose joint is coaxial is rotated: its axis
becomes a coordinate axis, and the axis of the next joint lies in a coordinate plane. The origin is moved along the axis
to the foot of the common normal with the parent's axis [Denavit and Hartenberg 1955]. Between two joints there is then
one constant rotation and a shift along two axes. Coordinates, velocities and forces of joints are unchanged.

"Original" links and frames belong to the given figure.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.errors import FigureError
from gambol.figure import Figure, Link, MassProperties, PlacedLink
from gambol.figure.joint import JOINTS
from gambol.figure.mass import combine
from gambol.figure.parameters import with_scaled_masses
from gambol.figure.rotation import matrix, triple
from gambol.figure.template import has_variable_topology
from gambol.spatial.factor import align, align_coordinate_axis, factors
from gambol.spatial.motion import IDENTITY_TRANSFORM, Force, Transform
from gambol.spatial.rotation import Rotation, constant_rotation, snapped
from gambol.spatial.vector import Vector

PARALLEL_TOLERANCE = 1e-6  # sine of the angle between two axes below which they are parallel
LENGTH_TOLERANCE = 1e-14  # m; smaller lengths are rounding errors

ROTATION_COST, SHIFT_COST, CENTRE_COST, PRODUCT_COST = 50, 30, 10, 20
"""Numbers of operations of forward dynamics for a constant rotation that is not by right angles, and for each nonzero
component of a position, of a centre of mass, and of the products of inertia. They were fitted to 24 figures, and
predict within 10 % how many operations canonical frames save."""

KINEMATICS_COST = 25  # operations for a link's velocity; with canonical frames, a step computes it in both frames


@dataclass(frozen=True, slots=True)
class CanonicalFigure:
    """A figure in canonical link frames.

    figure: a figure of the moving links only, with their original names. changed: True if it differs from the original
    figure. carriers: for each original link, by index, the index of the canonical link into which it is merged.
    frames: for each original link, the pose of its original frame in the frame of that canonical link.
    """

    figure: Figure
    changed: bool
    carriers: tuple[int, ...]
    frames: tuple[Transform, ...]

    def state(self, state: Kinematics) -> Kinematics:
        """Return a state of the original figure as a state of the canonical one."""
        return kinematics(self.figure, state.q, state.v) if self.changed else state

    def forces(self, f_ext: Mapping[int, Force]) -> dict[int, Force]:
        """Return forces on canonical links, by index, from external forces on original links, by index."""
        forces: dict[int, Force] = {}
        for index, force in f_ext.items():
            carrier, carried = self.carriers[index], self.frames[index] @ force
            forces[carrier] = forces[carrier] + carried if carrier in forces else carried
        return forces


@dataclass(slots=True, eq=False)
class _Body:
    """A moving link.

    pose_in_parent: pose of its original frame in its parent's original frame at q = 0. axis: axis of the joint, in the
    original frame; None unless the joint is coaxial. masses: mass properties of all links merged into it, in its
    original frame. new_frame: pose of its new frame in the original frame. coordinate: index of the new axis that is
    along the joint axis.
    """

    link: PlacedLink
    parent: "_Body | None"
    pose_in_parent: Transform
    axis: Vector | None
    masses: list[MassProperties] = field(default_factory=list[MassProperties])
    children: "list[_Body]" = field(default_factory=list["_Body"])
    new_frame: Transform = IDENTITY_TRANSFORM
    coordinate: int = 0

    @property
    def pose_in_new_parent(self) -> Transform:
        """The pose of the original frame in the parent's new frame at q = 0."""
        return self.pose_in_parent if self.parent is None else self.parent.new_frame.inverse @ self.pose_in_parent


def canonical_figure(figure: Figure) -> CanonicalFigure:
    """Return a figure in canonical link frames, or in its original frames if these need no more operations.

    A figure whose parameters were replaced, maybe by traced scalars, keeps its original frames, unless only masses were
    scaled; then all links that are merged must have the same factor. Raises FigureError for a template, whose topology
    is variable.
    """
    if has_variable_topology(figure):
        raise FigureError(f'the topology of "{figure.name}" is variable; use the method "crba"')
    if figure.unscaled is not None:
        original, factors = figure.unscaled
        canonical = canonical_figure(original)
        of_carriers = {canonical.carriers[index]: factor for index, factor in factors.items()}
        return replace(canonical, figure=with_scaled_masses(canonical.figure, of_carriers))
    if not figure.has_given_values:
        count = len(figure.links) + 1
        return CanonicalFigure(figure, False, tuple(range(count)), (IDENTITY_TRANSFORM,) * count)
    return _cached_canonical_figure(figure)


@lru_cache(maxsize=256)
def _cached_canonical_figure(figure: Figure) -> CanonicalFigure:
    """Return a figure of plain floats in canonical link frames."""
    carriers, frames = _carriers(figure)
    bodies = list(dict.fromkeys(body for body in carriers if body is not None))
    result = figure if len(bodies) == len(figure.links) else Figure(figure.name, tuple(map(_link, bodies)))
    for body in bodies:
        _choose_frame(body)
    canonical = Figure(figure.name, tuple(map(_link, bodies)))
    moving = sum(not link.is_fixed for link in canonical.links)
    if operation_count(canonical) + KINEMATICS_COST * moving < operation_count(result):
        result = canonical
        frames = [p if b is None else b.new_frame.inverse @ p for b, p in zip(carriers, frames, strict=True)]
    body_indices = {body: k for k, body in enumerate(bodies, start=1)}
    carrier_indices = tuple(0 if body is None else body_indices[body] for body in carriers)
    return CanonicalFigure(result, result is not figure, carrier_indices, tuple(frames))


def operation_count(figure: Figure) -> int:
    """Return an estimate of the operations of forward dynamics that are due to the constants of a figure's links."""
    total = 0
    for link in figure.links:
        joint, m = link.joint, link.mass_properties
        rotation = Rotation(joint.rotation)
        alignment = align(rotation, joint.axis) if JOINTS[joint.kind].coaxial else None
        rotations = factors(rotation) if alignment is None else alignment.outer + alignment.inner
        total += ROTATION_COST * sum(all(R.rows[i][i] != 0.0 for i in range(3)) for R in rotations)
        total += SHIFT_COST * sum(x != 0.0 for x in joint.position) + CENTRE_COST * sum(x != 0.0 for x in m.com)
        total += PRODUCT_COST * sum(x != 0.0 for x in (m.inertia[0][1], m.inertia[0][2], m.inertia[1][2]))
    return total


def _carriers(figure: Figure) -> tuple[list[_Body | None], list[Transform]]:
    """Return the moving link into which each link is merged, and its pose in that link, by index of the link."""
    carriers: list[_Body | None] = [None]
    frames = [IDENTITY_TRANSFORM]
    for link in figure.outward():
        carrier = carriers[link.parent_index]
        frame = frames[link.parent_index] @ Transform(Rotation(link.joint.rotation), Vector(*link.joint.position))
        if not link.is_fixed or carrier is None:
            body = _Body(link, carrier, frame, _axis(link))
            if carrier is not None:
                carrier.children.append(body)
            carrier, frame = body, IDENTITY_TRANSFORM
        if link.mass_properties.mass > 0.0:
            carrier.masses.append(_transformed(link.mass_properties, frame))
        carriers.append(carrier)
        frames.append(frame)
    return carriers, frames


def _axis(link: PlacedLink) -> Vector | None:
    return Vector(*link.joint.axis) if JOINTS[link.joint.kind].coaxial else None


def _choose_frame(body: _Body) -> None:
    """Set the new frame of a body, whose parent has its new frame already."""
    if body.axis is None:
        return
    body.coordinate, rotation = align_coordinate_axis(list(body.axis))
    # If the centre of mass lies in a coordinate plane, moving the origin would lose more zeros than it gains.
    moves_origin = bool(body.masses) and all(x != 0.0 for x in body.masses[0].com)
    origin = body.axis * (_origin_shift(body, body.axis) if moves_origin else 0.0)
    body.new_frame = Transform(rotation, origin)
    next_body = next((child for child in body.children if child.axis is not None), None)
    if next_body is not None:
        body.new_frame = Transform(
            rotation @ constant_rotation(body.coordinate, _twist(next_body, body.coordinate)), origin
        )


def _origin_shift(body: _Body, axis: Vector) -> float:
    """Return the displacement of a body's origin along its axis [m].

    The new origin is the foot of the common normal with the parent's axis. If the parent has no axis, or a parallel
    one, it is the point of the axis with coordinate 0 along the largest component of the axis.
    """
    u, r = body.pose_in_new_parent.rotation @ axis, body.pose_in_new_parent.position
    if body.parent is not None and body.parent.axis is not None:
        normal_part = u.with_component(body.parent.coordinate, 0.0)
        if normal_part.length() > PARALLEL_TOLERANCE:
            return -r.dot(normal_part) / normal_part.dot(normal_part)
    k = max(range(3), key=lambda i: abs(u[i]))
    return -r[k] / u[k]


def _twist(child: _Body, k: int) -> float:
    """Return the least rotation about the parent's axis k that brings a child's axis into a coordinate plane [rad].

    If the child's axis is parallel to k, its position is brought into the plane instead.
    """
    assert child.axis is not None
    u, (i, j) = child.pose_in_new_parent.rotation @ child.axis, ((k + 1) % 3, (k + 2) % 3)
    if math.hypot(u[i], u[j]) < PARALLEL_TOLERANCE:
        u = child.pose_in_new_parent.position
    angle = math.atan2(u[j], u[i])
    return angle - round(angle / (math.pi / 2.0)) * (math.pi / 2.0)


def _link(body: _Body) -> Link:
    """Return the body as a link of the new figure."""
    old_joint, pose = body.link.joint, body.pose_in_new_parent @ body.new_frame
    axis = (
        old_joint.axis
        if body.axis is None
        else triple([snapped(x) for x in body.new_frame.rotation.transpose @ body.axis])
    )
    joint = replace(
        old_joint,
        axis=axis,
        rotation=matrix([[snapped(x) for x in row] for row in pose.rotation.rows]),
        position=triple([x if abs(x) > LENGTH_TOLERANCE else 0.0 for x in pose.position]),
    )
    masses = [_transformed(mass, body.new_frame.inverse) for mass in body.masses]
    mass = masses[0] if len(masses) == 1 else combine(masses) if masses else None
    return Link(body.link.name, body.parent and body.parent.link.name, joint, (), mass)


def _transformed(mass: MassProperties, frame: Transform) -> MassProperties:
    """Return mass properties re-expressed in a parent frame; mass: in a frame whose pose in the parent is `frame`."""
    return (
        mass if frame == IDENTITY_TRANSFORM else mass.placed(matrix(frame.rotation.rows), triple(list(frame.position)))
    )
