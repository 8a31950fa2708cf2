"""Points at which links may touch the ground, in groups that are tested as one."""

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
from gambol.world.laws import Laws
from gambol.world.world import World

Place: TypeAlias = tuple[Vector, Scalar]
T = TypeVar("T")


def contact_places(link: PlacedLink) -> list[Place]:
    """The contact points of a link: places in link coordinates and radii [m].

    They come along the link's longest extent, or in their own order where it is not known while tracing.
    """
    return _along(link.contact_points())


def steady_places(link: PlacedLink) -> list[Place]:
    """The contact points of a link's parts that do not roll, as of contact_places()."""
    return _along([p for part in link.parts if part.shape.kind not in ROLLING_SLOTS for p in part.contact_points()])


def rolling_parts(link: PlacedLink) -> list[Part]:
    """The parts of a link that may touch the ground at points that move over them as they roll."""
    return [part for part in link.parts if part.shape.kind in ROLLING_SLOTS and part.contact_points()]


def bristles_of(world: World) -> tuple[list[list[Anchor]], list[list[Bristle]]]:
    """The memories of all feet where nothing touched yet: of their corners, and of their round parts' slots."""
    feet = [world.figure.link(name) for name in world.feet]
    corners = [[Anchor() for _ in gripping(foot) if world.grips] for foot in feet]
    slots = [sum(ROLLING_SLOTS[part.shape.kind] for part in rolling_parts(foot)) * world.grips for foot in feet]
    return corners, [[Bristle() for _ in range(count)] for count in slots] if any(slots) else []


def _along(points: Sequence[ContactPoint]) -> list[Place]:
    """The places of some contact points, along their longest extent."""
    numbers = list[Scalar]()
    for point in points:
        numbers += point.position
    if not all(isinstance(x, (int, float)) for x in numbers):
        return [(Vector(*p.position), p.radius) for p in points]
    spans = [max(xs) - min(xs) for xs in zip(*(p.position for p in points), strict=True)]
    longest = spans.index(max(spans)) if points else 0
    return [(Vector(*p.position), p.radius) for p in sorted(points, key=lambda p: p.position[longest])]


def gripping(link: PlacedLink) -> list[Place]:
    """The contact points of a foot that can hold the ground: its corners.

    What is round rolls on: it touches with another point of it at every moment, and no bristle can take root there.
    """
    return [(place, radius) for place, radius in steady_places(link) if exactly(radius, 0.0)]


GROUP = 4
"""Contact points tested as one: the end face of a box, so that a standing foot's upper end costs nothing."""


def grouped(items: Sequence[T]) -> list[list[T]]:
    """Things in order, in groups of a few: points near each other are tested against the ground as one."""
    return [list(items[k : k + GROUP]) for k in range(0, len(items), GROUP)]


def near_ground(laws: Laws, pose: Transform, places: Sequence[Place], reach: Scalar = 0.0) -> Scalar:
    """Whether any of some contact points may be inside the ground, or closer to it than a reach [m].

    It may where the lowest point of the box around them is below the highest ground under that box.
    """
    lows = [reduce(minimum, (place[k] - radius for place, radius in places)) for k in range(3)]
    highs = [reduce(maximum, (place[k] + radius for place, radius in places)) for k in range(3)]
    half = [0.5 * (high - low) for low, high in zip(lows, highs, strict=True)]
    centre = pose @ Vector.of([0.5 * (high + low) for low, high in zip(lows, highs, strict=True)])
    down = total((abs(entry) * h for entry, h in zip(pose.rotation.rows[2], half, strict=True)), 0.0)
    radius = sqrt(total(h * h for h in half))
    touching = laws.touching
    down = down + reach
    return centre.z - down < touching.ground.highest(touching.numbers, touching.table, centre.x, centre.y, radius)
