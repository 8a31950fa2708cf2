"""The figure of a creature on the ground as it is drawn: with its trunk as the hull of the balls that touch the ground.

The box of the trunk has no contacts, so its corners would visibly be in the ground. Limbs that are fixed to a corner of
the box may be outside the hull, so each is drawn with a ball of its radius at the hip.
"""

from collections.abc import Iterator
from dataclasses import replace

from gambol.evolve.genotype.anatomy import TRUNK, segment_name
from gambol.evolve.genotype.body import Body
from gambol.figure import Box, Capsule, Figure, Link, Part, Sphere, Visual
from gambol.figure.joint import IDENTITY, Matrix3
from gambol.figure.shapes import Shape
from gambol.figure.visual import Material
from gambol.lanes import Scalar

Z_TO_X: Matrix3 = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
Z_TO_Y: Matrix3 = ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
"""Rotations of capsules, whose axis is z, to the axes x and y."""


def drawn_figure(figure: Figure, body: Body) -> Figure:
    """Return a figure that was grown from a body, with visuals of its trunk and of the first links of its limbs."""
    hips = {segment_name(chain, 0): limb.segments[0].upper_radius for chain, limb, _ in body.chains()}

    def drawn(link: Link) -> Link:
        if link.name == TRUNK:
            marks = (part for part in link.parts[1:] if not part.colliding)
            return replace(link, visuals=(*_trunk(body), *map(_visual, marks)))
        if link.name in hips:
            return replace(link, visuals=(_hip(link, hips[link.name]), *map(_visual, link.parts)))
        return link

    return replace(figure, given_links=tuple(map(drawn, figure.given_links)))


def _trunk(body: Body) -> Iterator[Visual]:
    """Yield the shapes whose union is the hull of the trunk's four balls: a box, and capsules along its edges."""
    trunk, material = body.trunk, Material(body.trunk.color)
    is_wide = trunk.width >= trunk.height
    radius = min(trunk.width, trunk.height) / 2
    length, breadth = (max(edge - 2 * radius, 0.0) for edge in (trunk.length, max(trunk.width, trunk.height)))
    if length and breadth:
        size = (length, breadth, 2 * radius) if is_wide else (length, 2 * radius, breadth)
        yield Visual(Box(size), material=material)
    for half in (0.5, -0.5):
        side = (0.0, half * breadth, 0.0) if is_wide else (0.0, 0.0, half * breadth)
        yield Visual(_rod(radius, length), side, Z_TO_X, material)
        yield Visual(_rod(radius, breadth), (half * length, 0.0, 0.0), Z_TO_Y if is_wide else IDENTITY, material)


def _rod(radius: float, length: float) -> Shape:
    return Capsule(radius, length) if length else Sphere(radius)


def _hip(link: Link, radius: Scalar) -> Visual:
    return Visual(Sphere(radius), material=Material(link.parts[0].color))


def _visual(part: Part) -> Visual:
    return Visual(part.shape, part.position, part.rotation, Material(part.color))
