"""A figure told as data: the numbers that make a template of any tree move as this figure does.

Links are numbered anew so that whatever a link carries follows it, and told in axes of which z is that of their joint:
R_JL takes the given axes there, A = R_JL^T has the joint's axis as its third column.

    home    A_P^T R A        place    A_P^T p        centre of mass, balls    A^T c        inertia    A^T I A
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from gambol.errors import FigureError
from gambol.figure.anybody.template import UNTOUCHED
from gambol.figure.figure import Figure
from gambol.figure.joint import IDENTITY, Joint, Matrix3
from gambol.figure.link import Part, PlacedLink
from gambol.figure.mass import NO_MASS
from gambol.figure.rotation import compose, matrix, transposed, turned
from gambol.figure.shapes import ContactPoint, Sphere
from gambol.figure.springs import Springs, resolve_springs
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import Vector

SLIDES = {"rotary": 0.0, "sliding": 1.0}
"""The kinds of joints that a tree told as data has, by how far they slide."""


@dataclass(frozen=True)
class Told:
    """A figure as numbers of a template.

    given: the figure; figure: the template with its numbers, unchecked, whose measures() they are. names: of the
    template's links that stand for its own, by its own names. places: for each joint of the template but the root's the
    number of the figure's joint, from 0 for that of its second link; None where it has none.
    """

    given: Figure
    figure: Figure
    names: dict[str, str]
    places: tuple[int | None, ...]

    def coordinates(self, x: Sequence[Any]) -> list[Any]:
        """The figure's coordinates (nq), or whatever has one number for each velocity (nv), as the template's.

        Links that the figure has not get 0.
        """
        root = len(x) - len(self.given.links) + 1
        return [*x[:root], *(0.0 if place is None else x[root + place] for place in self.places)]

    def given_coordinates(self, x: Sequence[Any]) -> list[Any]:
        """Coordinates (nq) or velocities (nv) of the template as the figure's."""
        root = len(x) - len(self.places)
        there = {place: x[root + k] for k, place in enumerate(self.places)}
        return [*x[:root], *(there[k] for k in range(len(self.given.links) - 1))]

    def springs(self, given: Mapping[str, Springs], absent: Springs) -> dict[str, Springs]:
        """Springs of the figure's joints by name as the template's, their scales worked out.

        absent: of the joints that the figure has not, or that were given none: of the same form as the others.
        """
        resolved = resolve_springs(self.given, given)
        told: dict[str, Springs] = {link.name: absent for link in self.figure.links[1:]}
        return told | {self.names[name]: springs for name, springs in resolved.items()}


def as_data(figure: Figure, template: Figure) -> Told:
    """The numbers that make a template move as a figure does, whose root is free and whose joints have one freedom.

    template: of any_tree(). Its links touch with balls at the figure's contact points: spheres, and the ends of
    capsules, just so; other shapes only with their corners. Raises FigureError for a figure that does not fit.
    """
    _check(figure, template)
    order = _depth_first(figure)
    numbers = {old.index: n for n, old in enumerate(order, start=1)}
    axes = {0: IDENTITY} | {old.index: _axes(old) for old in order}
    made = [_as_root(figure.root, template.links[0])]
    for slot, old in zip(template.links[1:], order[1:], strict=False):
        reach = max(numbers[one.index] for one in figure.carried(old.index))
        made.append(_as_link(old, slot, (axes[old.parent_index], axes[old.index]), reach))
    made += [_as_nothing(slot) for slot in template.links[len(order) :]]
    told = copy(template)
    object.__setattr__(told, "links", tuple(made))
    object.__setattr__(told, "plain", False)
    places = [old.index - 2 for old in order[1:]]
    return Told(
        figure,
        told,
        {old.name: slot.name for slot, old in zip(template.links, order, strict=False)},
        (*places, *[None] * (len(template.links) - len(order))),
    )


def _depth_first(figure: Figure) -> list[PlacedLink]:
    """The links, each followed by all that it carries."""
    ordered, waiting = list[PlacedLink](), [figure.root]
    while waiting:
        ordered.append(waiting.pop())
        waiting += [link for link in figure.inward() if link.parent_index == ordered[-1].index]
    return ordered


def _axes(link: PlacedLink) -> Matrix3:
    """Axes in those of a link, as columns, of which the third is the joint's; the root keeps its own."""
    if link.joint.kind not in SLIDES:
        return IDENTITY
    return matrix(Rotation.facing(Vector(*link.joint.axis)).rows)


def _as_root(old: PlacedLink, slot: PlacedLink) -> PlacedLink:
    joint = replace(slot.joint, position=old.joint.position, rotation=old.joint.rotation)
    return replace(slot, joint=joint, mass_properties=old.mass_properties, parts=_balls(old, slot, IDENTITY))


def _as_link(old: PlacedLink, slot: PlacedLink, axes: tuple[Matrix3, Matrix3], reach: int) -> PlacedLink:
    """A link in a template's place for one; axes: of its parent and of itself, in their given ones."""
    outer, own = transposed(axes[0]), axes[1]
    joint = Joint(
        slot.joint.kind,
        position=turned(outer, old.joint.position),
        rotation=compose(outer, old.joint.rotation, own),
        rotor=old.joint.armature,
        slides=SLIDES[old.joint.kind],
        reach=float(reach),
    )
    mass = old.mass_properties.placed(transposed(own), (0.0, 0.0, 0.0)) if old.mass_properties.mass else NO_MASS
    return replace(slot, joint=joint, mass_properties=mass, parts=_balls(old, slot, transposed(own)))


def _as_nothing(slot: PlacedLink) -> PlacedLink:
    """A template's place for a link where there is none."""
    joint = Joint(slot.joint.kind, rotor=1.0, reach=float(slot.index))
    return replace(slot, joint=joint, mass_properties=NO_MASS, parts=tuple(_ball(part, None) for part in slot.parts))


def _balls(old: PlacedLink, slot: PlacedLink, axes: Matrix3) -> tuple[Part, ...]:
    """The contact points of a link as the balls of a template's; axes: takes the link's to those told."""
    points = [ContactPoint(turned(axes, p.position), p.radius) for p in old.contact_points()]
    none = [None] * (len(slot.parts) - len(points))
    return tuple(_ball(part, point) for part, point in zip(slot.parts, [*points, *none], strict=True))


def _ball(part: Part, point: ContactPoint | None) -> Part:
    shape = object.__new__(Sphere)  # unchecked: corners have no radius, and absent balls less than that
    object.__setattr__(shape, "radius", UNTOUCHED if point is None else point.radius)
    return replace(part, shape=shape, position=(0.0, 0.0, 0.0) if point is None else point.position)


def _check(figure: Figure, template: Figure) -> None:
    """Raise FigureError for a figure that the template has no numbers for."""
    of = f'figure "{figure.name}"'
    if figure.root.joint.kind != "free" or figure.prescribed or figure.constraints:
        raise FigureError(f"{of} has a base that is not free, or loops; only free trees can be told as data")
    if len(figure.links) > len(template.links):
        raise FigureError(
            f"{of} has {len(figure.links)} links, and the template {len(template.links)}; make a larger one by any_tree"
        )
    for link, slot in zip(_depth_first(figure), template.links, strict=False):
        if link is not figure.root and link.joint.kind not in SLIDES:
            raise FigureError(
                f'"{link.name}" of {of} hangs on a {link.joint.kind} joint; give it joints that turn or slide, '
                "several of them as by stacked()"
            )
        if (count := len(link.contact_points())) > len(slot.parts):
            raise FigureError(
                f'"{link.name}" of {of} touches with {count} points, and "{slot.name}" of the template with '
                f"{len(slot.parts)}; give any_tree more balls, or let fewer parts collide"
            )
        if any(part.friction is not None or part.restitution is not None for part in link.parts if part.colliding):
            raise FigureError(f'"{link.name}" of {of} has a surface of its own; told as data all have the world\'s')
