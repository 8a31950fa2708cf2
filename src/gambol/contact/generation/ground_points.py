"""The points at which links may touch the ground, in groups that are tested together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeAlias, TypeVar

from gambol.collide.pairs import ROLLING_SLOTS
from gambol.contact.penalty.patch import GroundContact
from gambol.figure import Part, PlacedLink
from gambol.figure.shapes import ContactPoint
from gambol.lanes import Scalar, maximum, minimum, sqrt, total
from gambol.spatial import Transform, Vector
from gambol.spatial.rotation import is_constant

GroundPoint: TypeAlias = tuple[Vector, Scalar]
T = TypeVar("T")


def isotropic(link: PlacedLink) -> PlacedLink:
    """Return a link with only the parts whose friction does not depend on the direction."""
    if all(part.anisotropic_friction is None for part in link.parts):
        return link
    return replace(link, parts=tuple(part for part in link.parts if part.anisotropic_friction is None))


def ground_points(link: PlacedLink) -> list[GroundPoint]:
    """Return the contact points of a link: positions in link coordinates and radii [m].

    The points are sorted along their longest extent; while tracing, if positions are not numbers, they are not sorted.
    """
    return _sorted_along(link.contact_points())


def non_rolling_points(link: PlacedLink) -> list[GroundPoint]:
    """Return the contact points of a link's parts that cannot roll; see ground_points()."""
    return _sorted_along(
        [p for part in link.parts if part.shape.kind not in ROLLING_SLOTS for p in part.contact_points()]
    )


def rolling_parts(link: PlacedLink) -> list[Part]:
    """Return the parts of a link that can roll: their contact points move over their surface."""
    return [part for part in link.parts if part.shape.kind in ROLLING_SLOTS and part.contact_points()]


def _sorted_along(points: Sequence[ContactPoint]) -> list[GroundPoint]:
    """Return contact points sorted along their longest extent; see ground_points()."""
    numbers = list[Scalar]()
    for point in points:
        numbers += point.position
    if not all(isinstance(x, (int, float)) for x in numbers):
        return [(Vector(*p.position), p.radius) for p in points]
    spans = [max(values) - min(values) for values in zip(*(p.position for p in points), strict=True)]
    longest = spans.index(max(spans)) if points else 0
    return [(Vector(*p.position), p.radius) for p in sorted(points, key=lambda p: p.position[longest])]


def corner_points(link: PlacedLink) -> list[GroundPoint]:
    """Return the corners of a foot: its contact points that a bristle can anchor to the ground.

    A round part has no fixed contact points, since its lowest point changes as it rolls.
    """
    return [(position, radius) for position, radius in non_rolling_points(link) if is_constant(radius, 0.0)]


GROUP_SIZE = 4
"""Number of points that are tested together, such as the points of an end face of a box: a foot's upper end is then
skipped."""


def split_into_groups(items: Sequence[T]) -> list[list[T]]:
    """Return items in groups of GROUP_SIZE, in their order; the last group may be smaller."""
    return [list(items[k : k + GROUP_SIZE]) for k in range(0, len(items), GROUP_SIZE)]


@dataclass(frozen=True, slots=True)
class PointsBox:
    """The bounding box of contact points, along the axes of their link [m]. half: half of its edges."""

    centre: Vector
    half: Vector

    @staticmethod
    def of(points: Sequence[GroundPoint]) -> "PointsBox":
        """Return the box of points, in link coordinates."""
        lows = [reduce(minimum, (point[k] - radius for point, radius in points)) for k in range(3)]
        highs = [reduce(maximum, (point[k] + radius for point, radius in points)) for k in range(3)]
        bounds = list(zip(lows, highs, strict=True))
        return PointsBox(
            Vector.of([0.5 * (high + low) for low, high in bounds]),
            Vector.of([0.5 * (high - low) for low, high in bounds]),
        )

    def near_ground(self, contact: GroundContact, pose: Transform, margin: Scalar = 0.0) -> Scalar:
        """Return True if the box may be inside the ground, or closer to it than a margin.

        pose: pose of the link. margin [m]. The test is conservative: it compares the lowest point of the box with the
        highest ground under it.
        """
        centre = pose @ self.centre
        down = total((abs(z) * half for z, half in zip(pose.rotation.rows[2], self.half, strict=True)), 0.0)
        radius = sqrt(total(half * half for half in self.half))
        down = down + margin
        return centre.z - down < contact.ground.highest(contact.numbers, contact.table, centre.x, centre.y, radius)


def near_ground(contact: GroundContact, pose: Transform, points: Sequence[GroundPoint]) -> Scalar:
    """Return True if any contact point may be inside the ground; see PointsBox.near_ground()."""
    return PointsBox.of(points).near_ground(contact, pose)
