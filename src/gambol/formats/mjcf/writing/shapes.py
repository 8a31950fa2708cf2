"""Parts as MJCF geoms, and their contact filters."""

from collections.abc import Sequence
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
from gambol.figure.color import rgb_values
from gambol.figure.shapes import BallHull, corner_hull
from gambol.formats.export_report import DISC_LENGTH, DISC_NOTE, HOLLOW_SHAPES, ExportReport
from gambol.formats.mjcf.writing.bodies import Body
from gambol.formats.mjcf.writing.elements import position_text, quaternion_text
from gambol.formats.xml_file import Element, numbers_text

OTHER_FRICTION = (0.005, 0.0001)  # MuJoCo's default torsional and rolling friction [m], which gambol does not have


def geom_element(part: Part, name: str, report: ExportReport) -> tuple[Element, Element | None] | None:
    """Return the geom of a part, and the mesh that it needs, if any; None for an omitted shape.

    part: the part to write. name: name of the shape and its mesh. report: receives the properties that MuJoCo lacks.
    """
    shape, mesh = part.shape, None
    attributes = {"pos": position_text(part.position), "quat": quaternion_text(part.rotation)} | _surface(part, report)
    if part.color is not None:
        attributes["rgba"] = numbers_text((*rgb_values(part.color), 1.0))
    match shape:
        case Sphere():
            attributes |= {"type": "sphere", "size": numbers_text(shape.sizes)}
        case Ellipsoid():
            attributes |= {"type": "ellipsoid", "size": numbers_text(shape.radii)}
        case Box():
            attributes |= {"type": "box", "size": numbers_text(edge / 2.0 for edge in shape.size)}
        case Cylinder(radius, 0.0):
            report.note(DISC_NOTE)
            attributes |= {"type": "cylinder", "size": numbers_text((radius, 0.5 * DISC_LENGTH * radius))}
        case Capsule() | Cylinder():
            attributes |= {"type": shape.kind, "size": numbers_text((shape.radius, shape.length / 2.0))}
        case Frustum() | Hull() | BallHull():
            corners = shape.sizes
            if isinstance(shape, BallHull):
                report.note(f"Shapes of kind {shape.kind} become meshes of 26 corners for each ball.")
                corners = corner_hull(shape.contact_points()).sizes
            if isinstance(shape, Frustum):
                report.note("Frustums become meshes of eight sides.")
                corners = [x for point in shape.contact_points() for x in point.position]
            mesh = Element("mesh", {"name": name, "vertex": numbers_text(corners), "inertia": "convex"})
            attributes |= {"type": "mesh", "mesh": name}
        case Pipe() | HeightField():
            report.omit("hollow shapes", f'shape "{name}"')
            return None
    return Element("geom", attributes), mesh


def _surface(part: Part, report: ExportReport) -> dict[str, str]:
    """Return the contact attributes of a geom that differ from MuJoCo's defaults."""
    if not part.colliding:
        return {"contype": "0", "conaffinity": "0"}
    if part.restitution is not None:
        report.note("Left out: coefficients of restitution.")
    if part.anisotropic_friction is not None:
        report.note("Left out: friction that differs with the direction of sliding.")
    bits = {"contype": str(part.group), "conaffinity": str(part.mask)} if (part.group, part.mask) != (1, 1) else {}
    return bits if part.friction is None else bits | {"friction": numbers_text((part.friction, *OTHER_FRICTION))}


def contact_elements(figure: Figure, bodies: Sequence[Body], report: ExportReport) -> list[Element]:
    """Return the elements for excluded pairs of bodies and for explicit pairs of geoms.

    figure: the figure with the pairs of links. bodies: bodies of the figure. report: receives a note if MuJoCo's filter
    of parent and child changes contacts; a massless link that is merged into its child makes its parent the parent of
    this child.
    """
    names = {body.link.name for body in bodies}
    listed_pairs = {frozenset(pair) for pair in (*figure.apart, *figure.paired)}
    colliding = {body.link.index: body for body in bodies if _colliding_geoms(body.link)}
    parents = {body.link.name: colliding[body.parent].link for body in colliding.values() if body.parent in colliding}
    unlisted = {name: parent for name, parent in parents.items() if frozenset((parent.name, name)) not in listed_pairs}
    if unlisted:
        report.note("In MuJoCo no body touches its parent, unless the figure pairs them.")
    across = [name for name, parent in unlisted.items() if figure.link(name).parent_index != parent.index]
    for name in across:
        report.note(
            f'In MuJoCo "{name}" does not touch "{parents[name].name}": the massless link between them is merged, and '
            "they become child and parent."
        )
    excluded, paired = ([pair for pair in pairs if set(pair) <= names] for pairs in (figure.apart, figure.paired))
    elements = [Element("exclude", {"body1": first, "body2": second}) for first, second in excluded]
    for pair in paired:
        for a, b in product(*(_colliding_geoms(figure.link(name)) for name in pair)):
            elements.append(Element("pair", {"geom1": a, "geom2": b}))
    return elements


def _colliding_geoms(link: PlacedLink) -> list[str]:
    """Return the names of the colliding geoms of a link that are written to the file."""
    written = [
        (number, part) for number, part in enumerate(link.parts, start=1) if part.shape.kind not in HOLLOW_SHAPES
    ]
    return [shape_name(link, number) for number, part in written if part.colliding]


def shape_name(link: PlacedLink, number: int) -> str:
    """Return the name of a link's geom by its number, from 1."""
    return f"{link.name} {number}"
