"""Points at which links may touch the ground, in groups that are tested together."""

from collections.abc import Sequence
from functools import reduce
from typing import TypeAlias, TypeVar

from gambol.collide.pairs import ROLLING_SLOTS
from gambol.contact import Anchor, Bristle
from gambol.figure import Part, PlacedLink
from gambol.figure.shapes import ContactPoint
from gambol.lanes import Scalar, maximum, minimum, sqrt, total
from gambol.spatial import Transform, Vector
from gambol.spatial.rotation import exactly
from gambol.world.context import StepContext
from gambol.world.world import World

GroundPoint: TypeAlias = tuple[Vector, Scalar]
T = TypeVar("T")


def ground_points(link: PlacedLink) -> list[GroundPoint]:
    """Return the contact points of a link: positions in link coordinates and radii [m].

    They are sorted along the link's longest extent, or keep their order where it is not known while tracing.
    """
    return _sorted_along(link.contact_points())


def non_rolling_points(link: PlacedLink) -> list[GroundPoint]:
    """Return the contact points of a link's parts that do not roll; see ground_points()."""
    return _sorted_along(
        [p for part in link.parts if part.shape.kind not in ROLLING_SLOTS for p in part.contact_points()]
    )


def rolling_parts(link: PlacedLink) -> list[Part]:
    """Return the parts of a link whose contact points with the ground move over them as they roll."""
    return [part for part in link.parts if part.shape.kind in ROLLING_SLOTS and part.contact_points()]


def initial_bristles(world: World) -> tuple[list[list[Anchor]], list[list[Bristle]]]:
    """Return anchors of the corners of all feet and bristles of their round parts, where nothing touched yet."""
    feet = [world.figure.link(name) for name in world.feet]
    corners = [[Anchor() for _ in corner_points(foot) if world.has_bristles] for foot in feet]
    slots = [sum(ROLLING_SLOTS[part.shape.kind] for part in rolling_parts(foot)) * world.has_bristles for foot in feet]
    return corners, [[Bristle() for _ in range(count)] for count in slots] if any(slots) else []


def _sorted_along(points: Sequence[ContactPoint]) -> list[GroundPoint]:
    """Return contact points sorted along their longest extent."""
    numbers = list[Scalar]()
    for point in points:
        numbers += point.position
    if not all(isinstance(x, (int, float)) for x in numbers):
        return [(Vector(*p.position), p.radius) for p in points]
    spans = [max(xs) - min(xs) for xs in zip(*(p.position for p in points), strict=True)]
    longest = spans.index(max(spans)) if points else 0
    return [(Vector(*p.position), p.radius) for p in sorted(points, key=lambda p: p.position[longest])]


def corner_points(link: PlacedLink) -> list[GroundPoint]:
    """Return the contact points of a foot that can hold the ground: its corners.

    A round part rolls: it touches with another of its points at every moment, so no bristle can be anchored there.
    """
    return [(place, radius) for place, radius in non_rolling_points(link) if exactly(radius, 0.0)]


GROUP = 4
"""Contact points tested together: the end face of a box, so that a standing foot's upper end costs nothing."""


def in_groups(items: Sequence[T]) -> list[list[T]]:
    """Return items in order, in groups of a few: points near each other are tested against the ground together."""
    return [list(items[k : k + GROUP]) for k in range(0, len(items), GROUP)]


def near_ground(context: StepContext, pose: Transform, places: Sequence[GroundPoint], margin: Scalar = 0.0) -> Scalar:
    """True where any of some contact points may be inside the ground, or closer to it than a margin [m].

    That is where the lowest point of the box around them is below the highest ground under that box.
    """
    lows = [reduce(minimum, (place[k] - radius for place, radius in places)) for k in range(3)]
    highs = [reduce(maximum, (place[k] + radius for place, radius in places)) for k in range(3)]
    half = [0.5 * (high - low) for low, high in zip(lows, highs, strict=True)]
    centre = pose @ Vector.of([0.5 * (high + low) for low, high in zip(lows, highs, strict=True)])
    down = total((abs(entry) * h for entry, h in zip(pose.rotation.rows[2], half, strict=True)), 0.0)
    radius = sqrt(total(h * h for h in half))
    contact = context.ground_contact
    down = down + margin
    return centre.z - down < contact.ground.highest(contact.numbers, contact.table, centre.x, centre.y, radius)
