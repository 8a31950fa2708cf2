"""The figure of a creature on the ground as it is drawn: with its trunk as the hull of the balls that touch the ground.

The box of the trunk has no contacts, so its corners would visibly be in the ground. Limbs that are fixed to a corner of
the box may be outside the hull, so each is drawn with a ball of its radius at the hip.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gambol.evolve.genotype.anatomy import TRUNK, segment_name
from gambol.evolve.genotype.body import Body
from gambol.figure import Box, Capsule, Figure, Link, Part, Sphere, Visual
from gambol.figure.joint import Matrix3
from gambol.figure.visual import Material
from gambol.lanes import Scalar, maximum, minimum, where

Z_TO_X: Matrix3 = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
Z_TO_Y: Matrix3 = ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
"""Rotations of capsules, whose axis is z, to the axes x and y."""

MIN_EDGE = 1e-4
"""Smallest length of an edge that is drawn [m]: the shapes of a trunk are the same for all its sizes."""


def drawn_figure(figure: Figure, body: Body) -> Figure:
    """Return a figure that was grown from a body, with visuals of its trunk and of the first links of its limbs."""
    return replace(figure, given_links=drawn_links(figure.given_links, body))


def drawn_links(links: Sequence[Link], body: Body) -> tuple[Link, ...]:
    """Return the links of a body with the visuals of drawn_figure(); numbers may be traced."""
    hips = {segment_name(chain, 0): limb.segments[0].upper_radius for chain, limb, _ in body.chains()}

    def drawn(link: Link) -> Link:
        if link.name == TRUNK:
            marks = (part for part in link.parts[1:] if not part.colliding)
            return replace(link, visuals=(*_trunk(body), *map(_visual, marks)))
        if link.name in hips:
            return replace(link, visuals=(_hip(link, hips[link.name]), *map(_visual, link.parts)))
        return link

    return tuple(map(drawn, links))


def _trunk(body: Body) -> Iterator[Visual]:
    """Yield the shapes whose union is the hull of the trunk's four balls: a box, and capsules along its edges.

    The balls are at the corners of a rectangle. Where one of its edges has no length, some capsules are balls.
    """
    trunk, material = body.trunk, Material(body.trunk.color)
    edges = (trunk.length, trunk.width, trunk.height)
    radius, is_wide = minimum(trunk.width, trunk.height) / 2, trunk.width >= trunk.height
    length, width, height = (maximum(edge - 2.0 * radius, MIN_EDGE) for edge in edges)
    box = Box((length, where(is_wide, width, 2.0 * radius), where(is_wide, 2.0 * radius, height)))
    yield Visual(box, material=material)
    for half in (0.5, -0.5):
        yield Visual(Capsule(radius, length), (0.0, half * width, half * height), Z_TO_X, material)
        yield Visual(Capsule(radius, width), (half * length, 0.0, 0.0), Z_TO_Y, material)
        yield Visual(Capsule(radius, height), (half * length, 0.0, 0.0), material=material)


def _hip(link: Link, radius: Scalar) -> Visual:
    return Visual(Sphere(radius), material=Material(link.parts[0].color))


def _visual(part: Part) -> Visual:
    return Visual(part.shape, part.position, part.rotation, Material(part.color))
