"""The interval of a line that lies inside a box: the slab test. [Kay & Kajiya 1986]

Along one axis x(t) = start + t motion lies between -half and half for t from min to max of (+-half - start) / motion.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from gambol.collide.broad.oriented import OrientedBox
from gambol.lanes import Scalar, maximum, minimum, where
from gambol.spatial import Vector

NEVER = 1e30  # in motions: beyond any line


@dataclass(frozen=True, slots=True)
class LineInterval:
    """The interval of a line's parameter, in motions, that lies inside something; enter > leave if it is empty."""

    enter: Scalar
    leave: Scalar

    def overlaps(self, longest: Scalar = 1.0) -> Scalar:
        """Return True where the interval meets [0, longest]; longest: 1 for a segment, NEVER for a ray."""
        return (self.enter <= self.leave) & (self.enter <= longest) & (self.leave >= 0.0)


def line_in_box(start: Vector, motion: Vector, box: OrientedBox) -> LineInterval:
    """Return the interval in which the line through start along motion [m] is inside a box; all in world axes.

    Without motion it is always inside, from -NEVER to NEVER, or never. A point on a face counts as inside.
    """
    back = box.pose.rotation.transpose
    return line_in_slabs(back @ (start - box.pose.position), back @ motion, box.half)


def line_in_slabs(start: Iterable[Scalar], motion: Iterable[Scalar], half: Iterable[Scalar]) -> LineInterval:
    """Return the interval in which a line in the box's axes is between all pairs of planes at -half and half [m]."""
    enter: Scalar = -NEVER
    leave: Scalar = NEVER
    for x, d, h in zip(start, motion, half, strict=True):
        still, inside = d == 0.0, abs(x) <= h
        speed = where(still, 1.0, d)
        one, other = (-h - x) / speed, (h - x) / speed
        enter = maximum(where(still, where(inside, -NEVER, NEVER), minimum(one, other)), enter)
        leave = minimum(where(still, where(inside, NEVER, -NEVER), maximum(one, other)), leave)
    return LineInterval(enter, leave)
