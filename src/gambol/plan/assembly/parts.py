"""A figure taken apart: its links as loose parts, and the constraints that assemble them again."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.dynamics.loops import assembled, jacobian_row
from gambol.errors import FigureError
from gambol.figure import JOINTS, Figure, Joint, Link, PlacedLink
from gambol.figure.figure import extent
from gambol.figure.forest import FOREST_ROOT
from gambol.plan.assembly.closures import ClosureConstraint, SomeRows
from gambol.plan.pose import AxisGoal, Goal, OrientationGoal, PointGoal
from gambol.spatial import Rotation, Vector
from gambol.spatial.rotation import Quaternion

MIN_SINE_SQUARED = 1e-4
"""Minimum squared sine between a row and all earlier ones for it to be independent; in long chains it is about 1e-3."""


def loose_parts(figure: Figure, q: Sequence[float] | None = None) -> tuple[Figure, list[Goal]]:
    """Return a figure of free links, and constraints equivalent to the joints and closures of the given figure.

    q (nq): coordinates at which its loops are closed; None: coordinates that assembled() finds from rest. Rows that
    depend on earlier rows at q are left out, such as rows that keep the last link of a planar linkage in the plane. A
    revolute joint becomes a point on a point and an axis along an axis; a spherical joint becomes a point on a point; a
    fixed joint becomes a point and an orientation; a free joint gives no constraint. All links are children of a fixed,
    massless root. Raises FigureError for other kinds of joints, and for links without mass.
    """
    constraints: list[Goal] = [goal for link in figure.links for goal in _joint_constraints(figure, link)]
    constraints += [ClosureConstraint(closure) for closure in figure.constraints]
    links = [Link(FOREST_ROOT, None, Joint("fixed"))]
    for link in figure.given_links:
        if not figure.link(link.name).mass_properties.mass > 0.0:
            raise FigureError(f'"{link.name}" has no mass, so it cannot be a part of its own; give it a mass')
        links.append(replace(link, parent=FOREST_ROOT, joint=Joint("free")))
    apart = tuple((link.name, parent) for link in figure.links if (parent := _parent(figure, link)) is not None)
    parts = Figure(f"{figure.name} in parts", tuple(links), apart=(*figure.apart, *apart))
    return parts, _independent(parts, constraints, part_coordinates(figure, q))


def part_coordinates(figure: Figure, q: Sequence[float] | None = None) -> list[float]:
    """Return the coordinates of a figure's loose parts, for a figure at coordinates q (nq)."""
    rest = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    closed = q or (assembled(figure, rest) if figure.constraints else rest)
    poses = kinematics(figure, closed, [0.0] * figure.nv).poses[1:]
    return [x for pose in poses for x in (*Quaternion.of(pose.rotation).components(), *pose.position)]


def _independent(parts: Figure, constraints: list[Goal], q: list[float]) -> list[Goal]:
    """Return the constraints without rows that depend on earlier rows at coordinates q of the parts."""
    state, size = kinematics(parts, q, [0.0] * parts.nv), float(extent(parts))
    steps = np.array([1.0 if unit == "rad/s" else size for link in parts.links for unit in _units(link)])
    basis, independent = list[NDArray[np.float64]](), list[Goal]()
    for goal in constraints:
        keep = list[int]()
        for k, row in enumerate(goal.rows(state, goal.numbers().tolist())):
            scaled = np.array(jacobian_row(state, row), float) * steps
            u = scaled / max(float(np.linalg.norm(scaled)), 1e-300)
            for e in basis * 2:  # Gram-Schmidt, twice against rounding [Giraud and others 2005]
                u = u - (e @ u) * e
            if u @ u > MIN_SINE_SQUARED:
                basis.append(u / np.linalg.norm(u))
                keep.append(k)
        if keep:
            is_complete = len(keep) == len(goal.rows(state, goal.numbers().tolist()))
            independent.append(goal if is_complete else SomeRows(goal, tuple(keep)))
    return independent


def _units(link: PlacedLink) -> tuple[str, ...]:
    return JOINTS[link.joint.kind].v_units


def _parent(figure: Figure, link: PlacedLink) -> str | None:
    return figure.links[link.parent_index - 1].name if link.parent_index else None


def _joint_constraints(figure: Figure, link: PlacedLink) -> list[Goal]:
    """Return the constraints of the joint of a link."""
    joint, parent = link.joint, _parent(figure, link)
    origin = PointGoal(link.name, joint.position, other=parent)
    if joint.kind == "free":
        return []
    if joint.kind == "spherical":
        return [origin]
    if joint.kind == "revolute":
        axis = Rotation(joint.rotation) @ Vector(*joint.axis)
        return [origin, AxisGoal(link.name, joint.axis, [*axis], other=parent)]
    if joint.kind == "fixed":
        orientation = Quaternion.of(Rotation(joint.rotation))
        return [origin, OrientationGoal(link.name, orientation.components(), other=parent)]
    raise FigureError(
        f'"{link.name}" has a {joint.kind} joint; only figures with revolute, spherical, fixed and free joints '
        "can be taken apart"
    )
