"""Parts as MJCF's shapes, and which of them touch which."""

from collections.abc import Collection
from itertools import product

from gambol.figure import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Figure,
    Frustum,
    HeightField,
    Hull,
    Part,
    Pipe,
    PlacedLink,
    Sphere,
)
from gambol.formats.losses import DISC, HOLLOW, THIN, Losses
from gambol.formats.markup import Element, numbers_text
from gambol.formats.mjcf.writing.pieces import place_text, quaternion_text

ROLLING = (0.005, 0.0001)  # MuJoCo's own friction against twisting and rolling [m], of which gambol knows none


def geom(part: Part, name: str, losses: Losses) -> tuple[Element, Element | None] | None:
    """A shape, and the mesh of this name that it needs if MuJoCo has no such shape; None for one that is left out."""
    shape, mesh = part.shape, None
    given = {"pos": place_text(part.position), "quat": quaternion_text(part.rotation)} | _surface(part, losses)
    match shape:
        case Sphere():
            given |= {"type": "sphere", "size": numbers_text(shape.sizes)}
        case Ellipsoid():
            given |= {"type": "ellipsoid", "size": numbers_text(shape.radii)}
        case Box():
            given |= {"type": "box", "size": numbers_text(edge / 2.0 for edge in shape.size)}
        case Cylinder(radius, 0.0):
            losses.note(DISC)
            given |= {"type": "cylinder", "size": numbers_text((radius, 0.5 * THIN * radius))}
        case Capsule() | Cylinder():
            given |= {"type": shape.kind, "size": numbers_text((shape.radius, shape.length / 2.0))}
        case Frustum() | Hull():
            corners = shape.sizes
            if isinstance(shape, Frustum):
                losses.note("Frustums become meshes of eight sides.")
                corners = [x for point in shape.contact_points() for x in point.position]
            mesh = Element("mesh", {"name": name, "vertex": numbers_text(corners), "inertia": "convex"})
            given |= {"type": "mesh", "mesh": name}
        case Pipe() | HeightField():
            losses.lose("hollow shapes", f'shape "{name}"')
            return None
    return Element("geom", given), mesh


def _surface(part: Part, losses: Losses) -> dict[str, str]:
    """What a shape may touch, and how rough it is, where either is not as MuJoCo has it without a word."""
    if not part.colliding:
        return {"contype": "0", "conaffinity": "0"}
    if part.restitution is not None:
        losses.note("Left out: coefficients of restitution.")
    bits = {"contype": str(part.group), "conaffinity": str(part.mask)} if (part.group, part.mask) != (1, 1) else {}
    return bits if part.friction is None else bits | {"friction": numbers_text((part.friction, *ROLLING))}


def contacts(figure: Figure, bodies: Collection[str], losses: Losses) -> list[Element]:
    """The pairs of links that never touch, and of shapes of those that do whatever their bits; bodies: that there are.

    A link that is no body of its own has no shapes either. Notes that MuJoCo lets no body touch its parent.
    """
    told = {frozenset(pair) for pair in (*figure.apart, *figure.paired)}
    parents = {link.index: link.name for link in figure.links if link.name in bodies and _touching(link)}
    tied = [(parents.get(link.parent_index), link.name) for link in figure.links if _touching(link)]
    if any(parent and frozenset((parent, name)) not in told for parent, name in tied):
        losses.note("In MuJoCo no body touches the one that it hangs on, unless the figure pairs them.")
    apart, paired = ([pair for pair in pairs if set(pair) <= set(bodies)] for pairs in (figure.apart, figure.paired))
    made = [Element("exclude", {"body1": one, "body2": other}) for one, other in apart]
    for pair in paired:
        for a, b in product(*(_touching(figure.link(name)) for name in pair)):
            made.append(Element("pair", {"geom1": a, "geom2": b}))
    return made


def _touching(link: PlacedLink) -> list[str]:
    """The names of a link's shapes that touch, of those that are written."""
    solid = [(number, part) for number, part in enumerate(link.parts, start=1) if part.shape.kind not in HOLLOW]
    return [shape_name(link, number) for number, part in solid if part.colliding]


def shape_name(link: PlacedLink, number: int) -> str:
    """The name of a link's shape by its number, from 1."""
    return f"{link.name} {number}"
