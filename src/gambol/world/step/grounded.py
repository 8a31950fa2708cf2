"""Where the parts of a figure touch the ground: the lowest points of their shapes, over the plane beneath each."""

from gambol.collide import Surface
from gambol.collide.convex import PLANE, form_of
from gambol.collide.gap import Gap
from gambol.collide.pairs import PAIRS, slots
from gambol.figure import Figure, Part, PlacedLink
from gambol.spatial import Rotation, Transform, Vector


def ground_parts(figure: Figure) -> list[tuple[PlacedLink, Part]]:
    """The parts that may touch the ground, each with its link."""
    return [(link, part) for link in figure.links for part in link.parts if part.contact_points()]


def ground_slots(part: Part) -> int:
    """At how many points a part may touch the ground at once."""
    return slots(part.shape.kind, "plane")


def ground_gaps(part: Part, pose: Transform, below: Surface) -> list[Gap]:
    """The gaps between a part in its pose and the plane of the surface below its frame's origin."""
    form, n = form_of(part.shape), below.normal
    floor = Transform(
        Rotation(((0.0, 0.0, n.x), (0.0, 0.0, n.y), (0.0, 0.0, n.z))),
        Vector(pose.position.x, pose.position.y, below.height),
    )
    return PAIRS[form.kind, "plane"].find(form, pose, PLANE, floor)


def part_places(part: Part) -> list[tuple[Vector, float]]:
    """Points of a part and balls about them that bound it, in link coordinates [m]."""
    return [(Vector(*point.position), point.radius) for point in part.contact_points()]
