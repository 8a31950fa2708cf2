"""The template figure, which can represent any tree with at most as many links as it has; and figures packed into it.

Everything that differs between figures is a number of the template's links: parent, joint, mass properties, and
positions and radii of the contact balls. An absent link is at the root's origin, without mass and contact. A rotor
gives its joint an inertia. Of a packed figure, links are renumbered depth first, and their frames are rotated so that z
is the axis of their joint: R_JL takes original to new axes, and A = R_JL^T has the joint's axis as its third column.

    joint rotation    A_P^T R A     joint position    A_P^T p     centre of mass, balls    A^T c     inertia    A^T I A
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from gambol.errors import FigureError
from gambol.figure.figure import Figure
from gambol.figure.joint import IDENTITY, Joint, Matrix3
from gambol.figure.link import Link, Part, PlacedLink
from gambol.figure.mass import NO_MASS, MassProperties
from gambol.figure.rotation import compose, matrix, rotated, transposed
from gambol.figure.shapes import ContactPoint, Sphere
from gambol.figure.springs import Springs, resolve_springs
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import Vector

ABSENT_RADIUS = -1000.0
"""Radius of an absent ball [m]: its lowest point lies a kilometre above its centre, so it never touches."""

UNIT_BODY = MassProperties(1.0, (0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))


def any_tree(links: int, balls: int = 2, root_balls: int = 8, name: str = "any body") -> Figure:
    """Return a template figure, for trees with a free root and joints with one degree of freedom.

    links: number of links, named "link 1" (the root) to "link n". balls, root_balls: number of contact balls of each
    link and of the root. name: name of the figure. Initially all links are children of the root and have 1 kg; pack()
    sets the numbers of a figure. Raises FigureError for fewer than one link or ball counts below 0.
    """
    if links < 1 or balls < 0 or root_balls < 0:
        raise FigureError(
            f"a template cannot have {links} links with {balls} balls each and {root_balls} at its root; "
            "give one link or more, and balls 0 or more"
        )
    ball = Part(Sphere(0.01), inertial=False)
    tree = [Link("link 1", None, Joint("free"), (ball,) * root_balls, UNIT_BODY)]
    for k in range(2, links + 1):
        joint = Joint("axial", reach=float(k))
        tree.append(Link(f"link {k}", "link 1", joint, (ball,) * balls, UNIT_BODY))
    return Figure(name, tuple(tree))


SLIDES = {"revolute": 0.0, "prismatic": 1.0}
"""Joint kinds that a packed figure may have, and the value of `slides` of the axial joint that replaces each."""


@dataclass(frozen=True)
class PackedFigure:
    """A figure packed into a template.

    source: the original figure. figure: the template with the numbers of the source, unchecked; parameters() returns
    them. names: the template's link names by those of the source. source_joints: for each joint of the template except
    the root's, the index of the source's joint (0 is the joint of its second link); None for an absent link.
    """

    source: Figure
    figure: Figure
    names: dict[str, str]
    source_joints: tuple[int | None, ...]

    def coordinates(self, x: Sequence[Any]) -> list[Any]:
        """Return coordinates (nq) or velocities (nv) of the template, 0 for absent links; x: those of the source."""
        root = len(x) - len(self.source.links) + 1
        return [*x[:root], *(0.0 if joint is None else x[root + joint] for joint in self.source_joints)]

    def source_coordinates(self, x: Sequence[Any]) -> list[Any]:
        """Return coordinates (nq) or velocities (nv) of the source; x: those of the template."""
        root = len(x) - len(self.source_joints)
        values = {joint: x[root + k] for k, joint in enumerate(self.source_joints)}
        return [*x[:root], *(values[k] for k in range(len(self.source.links) - 1))]

    def springs(self, source_springs: Mapping[str, Springs], absent: Springs) -> dict[str, Springs]:
        """Return the springs of the template's joints by link name, with scales resolved.

        source_springs: springs of the source's joints by link name. absent: springs of absent joints and of joints
        without springs, with the same fields as the others.
        """
        resolved = resolve_springs(self.source, source_springs)
        packed: dict[str, Springs] = {link.name: absent for link in self.figure.links[1:]}
        return packed | {self.names[name]: springs for name, springs in resolved.items()}


def pack(figure: Figure, template: Figure) -> PackedFigure:
    """Return a figure packed into a template: the same motion, with the topology as data.

    figure: a figure with a free root; its other joints are revolute or prismatic. template: result of any_tree(). Its
    contact balls are at the figure's contact points. This is exact for spheres and the ends of capsules; other shapes
    have contact at their corners only. Raises FigureError for a figure that cannot be packed into the template.
    """
    _check(figure, template)
    order = _depth_first(figure)
    numbers = {link.index: n for n, link in enumerate(order, start=1)}
    axes = {0: IDENTITY} | {link.index: _axes(link) for link in order}
    links = [_slot_with_root(figure.root, template.links[0])]
    for slot, link in zip(template.links[1:], order[1:], strict=False):
        reach = max(numbers[descendant.index] for descendant in figure.subtree(link.index))
        links.append(_slot_with_link(link, slot, (axes[link.parent_index], axes[link.index]), reach))
    links += [_absent_slot(slot) for slot in template.links[len(order) :]]
    packed = copy(template)
    object.__setattr__(packed, "links", tuple(links))
    object.__setattr__(packed, "has_given_values", False)
    joints = [link.index - 2 for link in order[1:]]
    return PackedFigure(
        figure,
        packed,
        {link.name: slot.name for slot, link in zip(template.links, order, strict=False)},
        (*joints, *[None] * (len(template.links) - len(order))),
    )


def _depth_first(figure: Figure) -> list[PlacedLink]:
    """Return the links depth first: each link is followed by its subtree."""
    ordered, pending = list[PlacedLink](), [figure.root]
    while pending:
        ordered.append(pending.pop())
        pending += [link for link in figure.inward() if link.parent_index == ordered[-1].index]
    return ordered


def _axes(link: PlacedLink) -> Matrix3:
    """Return a link's new axes as columns, in its original axes; the third is the joint's axis.

    The axes of the root do not change.
    """
    if link.joint.kind not in SLIDES:
        return IDENTITY
    return matrix(Rotation.with_z_axis(Vector(*link.joint.axis)).rows)


def _slot_with_root(link: PlacedLink, slot: PlacedLink) -> PlacedLink:
    """Return a template's root slot with the root of a figure."""
    joint = replace(slot.joint, position=link.joint.position, rotation=link.joint.rotation)
    return replace(slot, joint=joint, mass_properties=link.mass_properties, parts=_balls(link, slot, IDENTITY))


def _slot_with_link(link: PlacedLink, slot: PlacedLink, axes: tuple[Matrix3, Matrix3], reach: int) -> PlacedLink:
    """Return a template's slot with a link.

    axes: new axes of its parent and of the link, in original axes. reach: number of the last link of its subtree.
    """
    outer, inner = transposed(axes[0]), axes[1]
    joint = Joint(
        slot.joint.kind,
        position=rotated(outer, link.joint.position),
        rotation=compose(outer, link.joint.rotation, inner),
        rotor=link.joint.armature,
        slides=SLIDES[link.joint.kind],
        reach=float(reach),
    )
    mass = link.mass_properties.placed(transposed(inner), (0.0, 0.0, 0.0)) if link.mass_properties.mass else NO_MASS
    return replace(slot, joint=joint, mass_properties=mass, parts=_balls(link, slot, transposed(inner)))


def _absent_slot(slot: PlacedLink) -> PlacedLink:
    """Return a template's slot without a link."""
    joint = Joint(slot.joint.kind, rotor=1.0, reach=float(slot.index))
    return replace(slot, joint=joint, mass_properties=NO_MASS, parts=tuple(_ball(part, None) for part in slot.parts))


def _balls(link: PlacedLink, slot: PlacedLink, axes: Matrix3) -> tuple[Part, ...]:
    """Return the contact points of a link as balls of a template's slot; axes: rotation from link axes to new axes."""
    points = [ContactPoint(rotated(axes, p.position), p.radius) for p in link.contact_points()]
    absent = [None] * (len(slot.parts) - len(points))
    return tuple(_ball(part, point) for part, point in zip(slot.parts, [*points, *absent], strict=True))


def _ball(part: Part, point: ContactPoint | None) -> Part:
    """Return a ball of a template at a contact point; None: an absent ball."""
    shape = object.__new__(Sphere)  # unchecked: corners have radius 0, and absent balls a negative one
    object.__setattr__(shape, "radius", ABSENT_RADIUS if point is None else point.radius)
    return replace(part, shape=shape, position=(0.0, 0.0, 0.0) if point is None else point.position)


def _check(figure: Figure, template: Figure) -> None:
    """Raise FigureError for a figure that cannot be packed into the template."""
    subject = f'figure "{figure.name}"'
    if figure.root.joint.kind != "free" or figure.prescribed or figure.constraints:
        raise FigureError(f"{subject} has a base that is not free, or loops; only trees with a free base can be packed")
    if len(figure.links) > len(template.links):
        raise FigureError(
            f"{subject} has {len(figure.links)} links, and the template {len(template.links)}; create a larger one"
        )
    for link, slot in zip(_depth_first(figure), template.links, strict=False):
        if link is not figure.root and link.joint.kind not in SLIDES:
            raise FigureError(
                f'"{link.name}" of {subject} has a {link.joint.kind} joint; give it revolute or prismatic joints, '
                "several of them by stacked()"
            )
        if (count := len(link.contact_points())) > len(slot.parts):
            raise FigureError(
                f'"{link.name}" of {subject} touches with {count} points, and "{slot.name}" of the template with '
                f"{len(slot.parts)}; give any_tree more balls, or let fewer parts collide"
            )
        if any(_has_own_surface(part) for part in link.parts if part.colliding):
            raise FigureError(
                f'"{link.name}" of {subject} has a surface with other coefficients than the world; a packed figure '
                "cannot have that"
            )


def _has_own_surface(part: Part) -> bool:
    """Return True for a part with surface coefficients of its own."""
    return any(x is not None for x in (part.friction, part.anisotropic_friction, part.restitution))
