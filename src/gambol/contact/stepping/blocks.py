"""Blocks: the rows of one contact, limit or loop, and their impulse update while all other impulses are held constant.

contact   contact_block.py
bounded   lower <= p <= upper;    w = target between them, w >= target at the lower, w <= target at the upper
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.collide.gap import FAR
from gambol.contact.stepping.contact import Contact
from gambol.contact.stepping.contact_block import ContactBlock, inverse_or_zero
from gambol.contact.stepping.rows import Axis, Row, axes, make_row, point_rows, without_noise
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Factorisation
from gambol.lanes import Scalar, Undefined, clamp, when


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


def active_row_speeds(blocks: Sequence[Block], u: Sequence[Scalar]) -> list[list[Scalar]]:
    """Return the speeds of all rows by block at velocities u (nv) [m/s or rad/s]; 0 for inactive blocks."""
    return [when(block.active, partial(row_speeds, block, u), otherwise=[0.0] * len(block.rows)) for block in blocks]


Impulses = list[list[Scalar]]
"""Impulses of all blocks, by block and row [N s or N m s]."""

UNBOUNDED = 1e30
"""A bound above any impulse, which does not overflow even in float32 [N s or N m s]."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A joint limit: a motion J v must not make its gap negative [rad or m].

    J: entries by index of the degree of freedom.
    """

    J: Mapping[int, Scalar]
    gap: Scalar


@dataclass(frozen=True, slots=True)
class DryFriction:
    """Dry friction at a degree of freedom, given by its index, up to max_force [N m or N]."""

    freedom: int
    max_force: Scalar


@dataclass(frozen=True, slots=True)
class Constraints:
    """The constraints of a step: contacts, limits, dry friction and loops. Their blocks come in this order.

    loops: J of each loop closure, by index of the degree of freedom. excess: number of near contacts beyond the
    capacity. previous_speeds: speeds of the contacts' rows at the end of the previous step [m/s]; None if nothing was
    in contact.
    """

    contacts: Sequence[Contact] = ()
    limits: Sequence[Limit] = ()
    dry_frictions: Sequence[DryFriction] = ()
    loops: Sequence[Mapping[int, Scalar]] = ()
    excess: Scalar = 0.0
    previous_speeds: Sequence[Sequence[Scalar]] | None = None

    def blocks(
        self, state: Kinematics, factors: Factorisation, h: Scalar, absent: Undefined | None = None
    ) -> list[Block]:
        """Return the blocks of all constraints in a step of h [s].

        state: state of the figure; factors: factors of A; absent: value of the rows of inactive contacts and limits:
        None for 0, or an undefined value if they are never read.
        """
        freedoms = axes(state)
        result: list[Block] = []
        for contact in self.contacts:
            contact_block = partial(_contact_block, state, freedoms, factors, contact)
            inverse_normal, block = when(contact.gap < FAR, contact_block, otherwise=absent and (0.0, absent))
            result.append(replace(block, inverse_normal=inverse_normal))
        for limit in self.limits:
            limit_block = partial(_limit_block, factors, limit)
            inverse, bounded = when(limit.gap < FAR, limit_block, otherwise=absent and (0.0, absent))
            result.append(replace(bounded, inverse=inverse))
        for friction in self.dry_frictions:
            result.append(
                BoundedBlock.of(
                    make_row({friction.freedom: 1.0}, factors), -h * friction.max_force, h * friction.max_force
                )
            )
        result += [BoundedBlock.of(make_row(J, factors), -UNBOUNDED, UNBOUNDED) for J in without_noise(self.loops)]
        return result

    @property
    def gaps(self) -> list[Scalar]:
        """The gaps of contacts and limits [m or rad]."""
        return [constraint.gap for constraint in (*self.contacts, *self.limits)]

    def zero_impulses(self) -> Impulses:
        """Return zero impulses for all blocks."""
        rows = [3] * len(self.contacts) + [1] * (len(self.limits) + len(self.dry_frictions) + len(self.loops))
        return [[0.0] * count for count in rows]


def _contact_block(
    state: Kinematics, freedoms: Sequence[Axis], factors: Factorisation, contact: Contact
) -> tuple[Scalar, ContactBlock]:
    """Return 1 / D_nn, which is positive where the contact is active, and the block of the contact."""
    normal, first, second = (make_row(J, factors) for J in point_rows(state, freedoms, contact))
    block = ContactBlock.of((normal, first, second), contact.friction, contact.held, contact.anisotropy)
    return block.inverse_normal, block


def _limit_block(factors: Factorisation, limit: Limit) -> tuple[Scalar, BoundedBlock]:
    """Return 1 / D, which is positive where the limit is active, and the block of the limit."""
    block = BoundedBlock.of(make_row(limit.J, factors), 0.0, UNBOUNDED)
    return block.inverse, block
