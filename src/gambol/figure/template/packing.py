"""Packing a figure as data: the numbers with which a template of any topology moves as the figure does.

Links are renumbered depth first, and their frames are turned so that z is the axis of their joint: R_JL takes the
original axes there, and A = R_JL^T has the joint's axis as its third column.

    joint rotation    A_P^T R A     joint position    A_P^T p     centre of mass, balls    A^T c     inertia    A^T I A
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from gambol.errors import FigureError
from gambol.figure.figure import Figure
from gambol.figure.joint import IDENTITY, Joint, Matrix3
from gambol.figure.link import Part, PlacedLink
from gambol.figure.mass import NO_MASS
from gambol.figure.rotation import compose, matrix, rotated, transposed
from gambol.figure.shapes import ContactPoint, Sphere
from gambol.figure.springs import Springs, resolve_springs
from gambol.figure.template.template import ABSENT_RADIUS
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import Vector

SLIDES = {"revolute": 0.0, "prismatic": 1.0}
"""Joint kinds that a packed figure may have, with `slides` of the axial joint that replaces each."""


@dataclass(frozen=True)
class PackedFigure:
    """A figure packed into a template.

    source: the original figure. figure: the template with the numbers of the source, unchecked; parameters() reads
    them. names: the template's link names by those of the source. source_joints: for each joint of the template but
    the root's, the number of the source's joint, from 0 for that of its second link; None where there is none.
    """

    source: Figure
    figure: Figure
    names: dict[str, str]
    source_joints: tuple[int | None, ...]

    def coordinates(self, x: Sequence[Any]) -> list[Any]:
        """Return coordinates (nq) or velocities (nv) of the source as those of the template, 0 for absent links."""
        root = len(x) - len(self.source.links) + 1
        return [*x[:root], *(0.0 if joint is None else x[root + joint] for joint in self.source_joints)]

    def source_coordinates(self, x: Sequence[Any]) -> list[Any]:
        """Return coordinates (nq) or velocities (nv) of the template as those of the source."""
        root = len(x) - len(self.source_joints)
        values = {joint: x[root + k] for k, joint in enumerate(self.source_joints)}
        return [*x[:root], *(values[k] for k in range(len(self.source.links) - 1))]

    def springs(self, source_springs: Mapping[str, Springs], absent: Springs) -> dict[str, Springs]:
        """Return springs of the source's joints, by name, as springs of the template's joints; scales are resolved.

        source_springs: by the names of the source's links. absent: springs of absent joints and of joints without
        springs; of the same form as the others.
        """
        resolved = resolve_springs(self.source, source_springs)
        packed: dict[str, Springs] = {link.name: absent for link in self.figure.links[1:]}
        return packed | {self.names[name]: springs for name, springs in resolved.items()}


def pack(figure: Figure, template: Figure) -> PackedFigure:
    """Return a figure packed into a template: the same motion, with all of its topology as data.

    figure: its root is free and its other joints are revolute or prismatic. template: made by any_tree(); its links
    touch with balls at the figure's contact points, which is exact for spheres and the ends of capsules; other shapes
    touch with their corners only. Raises FigureError for a figure that does not fit.
    """
    _check(figure, template)
    order = _depth_first(figure)
    numbers = {old.index: n for n, old in enumerate(order, start=1)}
    axes = {0: IDENTITY} | {old.index: _axes(old) for old in order}
    links = [_as_root(figure.root, template.links[0])]
    for slot, old in zip(template.links[1:], order[1:], strict=False):
        reach = max(numbers[link.index] for link in figure.subtree(old.index))
        links.append(_as_link(old, slot, (axes[old.parent_index], axes[old.index]), reach))
    links += [_as_absent(slot) for slot in template.links[len(order) :]]
    packed = copy(template)
    object.__setattr__(packed, "links", tuple(links))
    object.__setattr__(packed, "as_given", False)
    joints = [old.index - 2 for old in order[1:]]
    return PackedFigure(
        figure,
        packed,
        {old.name: slot.name for slot, old in zip(template.links, order, strict=False)},
        (*joints, *[None] * (len(template.links) - len(order))),
    )


def _depth_first(figure: Figure) -> list[PlacedLink]:
    """Return the links depth first: each is followed by its subtree."""
    ordered, waiting = list[PlacedLink](), [figure.root]
    while waiting:
        ordered.append(waiting.pop())
        waiting += [link for link in figure.inward() if link.parent_index == ordered[-1].index]
    return ordered


def _axes(link: PlacedLink) -> Matrix3:
    """Return a link's new axes in its original ones, as columns, the third along its joint; unchanged for the root."""
    if link.joint.kind not in SLIDES:
        return IDENTITY
    return matrix(Rotation.with_z_axis(Vector(*link.joint.axis)).rows)


def _as_root(old: PlacedLink, slot: PlacedLink) -> PlacedLink:
    joint = replace(slot.joint, position=old.joint.position, rotation=old.joint.rotation)
    return replace(slot, joint=joint, mass_properties=old.mass_properties, parts=_balls(old, slot, IDENTITY))


def _as_link(old: PlacedLink, slot: PlacedLink, axes: tuple[Matrix3, Matrix3], reach: int) -> PlacedLink:
    """Return a link in a template's slot; axes: the new axes of its parent and of itself, in their original ones."""
    outer, inner = transposed(axes[0]), axes[1]
    joint = Joint(
        slot.joint.kind,
        position=rotated(outer, old.joint.position),
        rotation=compose(outer, old.joint.rotation, inner),
        rotor=old.joint.armature,
        slides=SLIDES[old.joint.kind],
        reach=float(reach),
    )
    mass = old.mass_properties.placed(transposed(inner), (0.0, 0.0, 0.0)) if old.mass_properties.mass else NO_MASS
    return replace(slot, joint=joint, mass_properties=mass, parts=_balls(old, slot, transposed(inner)))


def _as_absent(slot: PlacedLink) -> PlacedLink:
    """Return a template's slot that holds no link."""
    joint = Joint(slot.joint.kind, rotor=1.0, reach=float(slot.index))
    return replace(slot, joint=joint, mass_properties=NO_MASS, parts=tuple(_ball(part, None) for part in slot.parts))


def _balls(old: PlacedLink, slot: PlacedLink, axes: Matrix3) -> tuple[Part, ...]:
    """Return the contact points of a link as balls of a template's slot; axes: link axes to new axes."""
    points = [ContactPoint(rotated(axes, p.position), p.radius) for p in old.contact_points()]
    absent = [None] * (len(slot.parts) - len(points))
    return tuple(_ball(part, point) for part, point in zip(slot.parts, [*points, *absent], strict=True))


def _ball(part: Part, point: ContactPoint | None) -> Part:
    shape = object.__new__(Sphere)  # unchecked: corners have no radius, and absent balls less than that
    object.__setattr__(shape, "radius", ABSENT_RADIUS if point is None else point.radius)
    return replace(part, shape=shape, position=(0.0, 0.0, 0.0) if point is None else point.position)


def _check(figure: Figure, template: Figure) -> None:
    """Raise FigureError for a figure that does not fit in the template."""
    of = f'figure "{figure.name}"'
    if figure.root.joint.kind != "free" or figure.prescribed or figure.constraints:
        raise FigureError(f"{of} has a base that is not free, or loops; only free trees can be packed as data")
    if len(figure.links) > len(template.links):
        raise FigureError(
            f"{of} has {len(figure.links)} links, and the template {len(template.links)}; make a larger one by any_tree"
        )
    for link, slot in zip(_depth_first(figure), template.links, strict=False):
        if link is not figure.root and link.joint.kind not in SLIDES:
            raise FigureError(
                f'"{link.name}" of {of} has a {link.joint.kind} joint; give it joints that turn or slide, '
                "several of them as by stacked()"
            )
        if (count := len(link.contact_points())) > len(slot.parts):
            raise FigureError(
                f'"{link.name}" of {of} touches with {count} points, and "{slot.name}" of the template with '
                f"{len(slot.parts)}; give any_tree more balls, or let fewer parts collide"
            )
        if any(part.friction is not None or part.restitution is not None for part in link.parts if part.colliding):
            raise FigureError(f'"{link.name}" of {of} has a surface of its own; packed as data, all have the world\'s')
