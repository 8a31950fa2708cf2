"""Blocks: the rows of one contact, limit or loop, and their impulse update while all other impulses are held constant.

contact   contact_block.py
bounded   lower <= p <= upper;    w = target between them, w >= target at the lower, w <= target at the upper
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.stepping.contact_block import ContactBlock, inverse_or_zero
from gambol.contact.stepping.rows import Row
from gambol.lanes import Scalar, clamp


@dataclass(frozen=True, slots=True)
class BoundedBlock:
    """A row whose impulse lies between two bounds: a joint limit, dry friction, or a loop (without bounds).

    inverse: 1 / D.
    """

    row: Row
    lower: Scalar
    upper: Scalar
    inverse: Scalar

    @staticmethod
    def of(row: Row, lower: Scalar, upper: Scalar) -> "BoundedBlock":
        """Return the block of a row whose impulse lies between bounds [N s or N m s]."""
        return BoundedBlock(row, lower, upper, inverse_or_zero(row.inverse_mass))

    @property
    def rows(self) -> tuple[Row]:
        """The row, as a tuple of one."""
        return (self.row,)

    @property
    def active(self) -> Scalar:
        """True where the constraint can act, see ContactBlock."""
        return self.inverse > 0.0

    def updated(self, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar) -> list[Scalar]:
        """Return the impulse within its bounds that brings the speed w under impulse p to its target."""
        return [clamp(p[0] - (w[0] - target) * self.inverse, self.lower, self.upper)]

    def over_relaxed(self, p: Sequence[Scalar], new: Sequence[Scalar], relaxation: Scalar) -> list[Scalar]:
        """Return p + relaxation (new - p), within its bounds."""
        return [clamp(p[0] + relaxation * (new[0] - p[0]), self.lower, self.upper)]


Block = ContactBlock | BoundedBlock


def row_speeds(block: Block, u: Sequence[Scalar]) -> list[Scalar]:
    """Return the speeds of a block's rows at velocities u (nv), see rows.py [m/s or rad/s]."""
    return [row.speed(u) for row in block.rows]


Impulses = list[list[Scalar]]
"""Impulses of all blocks, by block and row [N s or N m s]."""

UNBOUNDED = 1e30
"""A bound above any impulse, which does not overflow even in float32 [N s or N m s]."""
