"""A straight way through a box, as the share of it that lies inside: three slabs in turn. [Kay & Kajiya 1986]

Along one axis x(t) = start + t motion lies between -half and half for t from min to max of (+-half - start) / motion.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from gambol.collide.broad.oriented import OrientedBox
from gambol.lanes import Scalar, maximum, minimum, where
from gambol.spatial import Vector

NEVER = 1e30  # further away than any way leads


@dataclass(frozen=True, slots=True)
class Passage:
    """From which to which share of its length a way lies inside something; enter > leave where it never does."""

    enter: Scalar
    leave: Scalar

    def within(self, longest: Scalar = 1.0) -> Scalar:
        """Whether any of it lies between 0 and a longest share: 1 for a segment, NEVER for a ray."""
        return (self.enter <= self.leave) & (self.enter <= longest) & (self.leave >= 0.0)


def passage(start: Vector, motion: Vector, box: OrientedBox) -> Passage:
    """Where the line through start along motion [m] runs inside a box; all in world axes.

    Without motion it is inside always, from -NEVER to NEVER, or never. On a face counts as inside.
    """
    back = box.pose.rotation.transpose
    return slab_passage(back @ (start - box.pose.position), back @ motion, box.half)


def slab_passage(start: Iterable[Scalar], motion: Iterable[Scalar], half: Iterable[Scalar]) -> Passage:
    """Where a line in the box's own axes runs between all pairs of planes at -half and half [m]."""
    enter: Scalar = -NEVER
    leave: Scalar = NEVER
    for x, d, h in zip(start, motion, half, strict=True):
        still, inside = d == 0.0, abs(x) <= h
        speed = where(still, 1.0, d)
        one, other = (-h - x) / speed, (h - x) / speed
        enter = maximum(where(still, where(inside, -NEVER, NEVER), minimum(one, other)), enter)
        leave = minimum(where(still, where(inside, NEVER, -NEVER), maximum(one, other)), leave)
    return Passage(enter, leave)
