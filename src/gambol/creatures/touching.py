"""The parts of creatures that touch other creatures: capsules in trunks, heads, legs and tails."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product

from gambol.collide.broad import Pair
from gambol.figure import Box, Capsule, Figure, Frustum, Link, Part, Visual, may_touch
from gambol.figure.joint import IDENTITY, Matrix3
from gambol.figure.shapes import Shape
from gambol.figure.visual import Material

CREATURE_LAYER = 4
"""Group and mask of the capsules, which touch neither the ground nor other parts of their own creature."""

TO_AXIS: tuple[Matrix3, ...] = (
    ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
    IDENTITY,
)
"""Rotations of a capsule, whose axis is z, to the axes x, y and z."""


def with_touching_parts(figure: Figure) -> Figure:
    """Return the figure of a creature with parts that touch other creatures.

    Boxes and frustums that do not collide, as those of grown creatures, get capsules inside, without mass and not
    drawn. Parts that collide stay as they are.
    """
    return replace(figure, given_links=tuple(_with_capsules(link) for link in figure.given_links))


def _with_capsules(link: Link) -> Link:
    capsules = tuple(_capsules(link))
    if not capsules:
        return link
    drawn = link.visuals or tuple(Visual(x.shape, x.position, x.rotation, Material(x.color)) for x in link.parts)
    return replace(link, parts=(*link.parts, *capsules), visuals=drawn)


def _capsules(link: Link) -> Iterator[Part]:
    """Yield a capsule for each box and frustum with mass that does not collide."""
    for part in link.parts:
        if part.inertial and not part.colliding and part.rotation == IDENTITY and (found := _capsule(part.shape)):
            shape, rotation = found
            yield Part(shape, part.position, rotation, inertial=False, group=CREATURE_LAYER, mask=CREATURE_LAYER)


def _capsule(shape: Shape) -> tuple[Capsule, Matrix3] | None:
    """Return the capsule in a box or a frustum, and its rotation; None for another shape."""
    if isinstance(shape, Frustum):
        return Capsule(0.5 * (shape.base_radius + shape.top_radius), shape.length), IDENTITY
    if isinstance(shape, Box):
        radius, longest = 0.5 * sorted(shape.size)[1], max(shape.size)
        return Capsule(radius, max(longest - 2.0 * radius, radius)), TO_AXIS[shape.size.index(longest)]
    return None


def pairs_between(figure: Figure, links: Mapping[str, Mapping[str, str]]) -> tuple[Pair, ...]:
    """Return the pairs of colliding parts of different creatures.

    links: names of links in the world, by creature and own name.
    """
    parts = {
        creature: [
            (figure.link(name).index, k)
            for name in names.values()
            for k, part in enumerate(figure.link(name).parts)
            if part.colliding
        ]
        for creature, names in links.items()
    }
    found = (
        Pair(*min(a, b), *max(a, b)) for one, other in combinations(parts.values(), 2) for a, b in product(one, other)
    )
    return tuple(pair for pair in found if may_touch(*pair.parts(figure)))
