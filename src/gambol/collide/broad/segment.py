"""The interval of a line that lies inside a box: the slab test. [Kay & Kajiya 1986]

Along one axis x(t) = start + t motion lies between -half and half for t from min to max of (+-half - start) / motion.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from gambol.collide.broad.oriented import OrientedBox
from gambol.lanes import Scalar, maximum, minimum, where
from gambol.spatial import Vector

UNBOUNDED = 1e30  # in lengths of the motion: beyond any line


@dataclass(frozen=True, slots=True)
class LineInterval:
    """The interval of a line's parameter, 1 at the end of the motion, inside a box; enter > leave if it is empty."""

    enter: Scalar
    leave: Scalar

    def overlaps(self, length: Scalar = 1.0) -> Scalar:
        """Return True where the interval overlaps [0, length]; length: 1 for a segment, UNBOUNDED for a ray."""
        return (self.enter <= self.leave) & (self.enter <= length) & (self.leave >= 0.0)


def line_in_box(start: Vector, motion: Vector, box: OrientedBox) -> LineInterval:
    """Return the interval in which a line is inside a box.

    start, motion: a point and the direction of the line, in world axes [m]. Without motion the interval is from
    -UNBOUNDED to UNBOUNDED or empty. A point on a face counts as inside.
    """
    to_local = box.pose.rotation.transpose
    return line_in_slabs(to_local @ (start - box.pose.position), to_local @ motion, box.half)


def line_in_slabs(start: Iterable[Scalar], motion: Iterable[Scalar], half: Iterable[Scalar]) -> LineInterval:
    """Return the interval in which a line is between the planes at -half and half [m] of all axes of a box.

    start, motion: a point and the direction of the line, in the axes of the box [m].
    """
    enter: Scalar = -UNBOUNDED
    leave: Scalar = UNBOUNDED
    for x, d, h in zip(start, motion, half, strict=True):
        parallel, inside = d == 0.0, abs(x) <= h
        divisor = where(parallel, 1.0, d)
        first, second = (-h - x) / divisor, (h - x) / divisor
        enter = maximum(where(parallel, where(inside, -UNBOUNDED, UNBOUNDED), minimum(first, second)), enter)
        leave = minimum(where(parallel, where(inside, UNBOUNDED, -UNBOUNDED), maximum(first, second)), leave)
    return LineInterval(enter, leave)
