"""The constraints of a step, and their blocks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

from gambol.collide.gap import FAR
from gambol.contact.stepping.blocks import UNBOUNDED, Block, BoundedBlock, ContactBlock, Impulses, RolledBlocks, Run
from gambol.contact.stepping.contact import Contact
from gambol.contact.stepping.rows import Axis, axes, make_row, point_rows, without_noise
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Factorisation
from gambol.lanes import Index, Records, Scalar, Undefined, is_tracing, scan_range, when

MIN_ROLLED_CONTACTS = 3
"""Number of contacts from which loops over contacts stay loops."""


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
    ) -> Sequence[Block]:
        """Return the blocks of all constraints in a step of h [s].

        state: state of the figure; factors: factors of A; absent: value of the rows of inactive contacts and limits:
        None for 0, or an undefined value if they are never read.
        """
        build = partial(_contact_block, state, axes(state), factors)
        others: list[BoundedBlock] = []
        for limit in self.limits:
            limit_block = partial(_limit_block, factors, limit)
            inverse, bounded = when(limit.gap < FAR, limit_block, otherwise=absent and (0.0, absent))
            others.append(replace(bounded, inverse=inverse))
        for friction in self.dry_frictions:
            others.append(
                BoundedBlock.of(
                    make_row({friction.freedom: 1.0}, factors), -h * friction.max_force, h * friction.max_force
                )
            )
        others += [BoundedBlock.of(make_row(J, factors), -UNBOUNDED, UNBOUNDED) for J in without_noise(self.loops)]
        if runs := _rolled_runs(self.contacts):
            return replace(_contact_blocks(build, runs, absent), others=others)
        contacts: list[ContactBlock] = []
        for contact in self.contacts:
            inverse, block = when(contact.gap < FAR, partial(build, contact), otherwise=absent and (0.0, absent))
            contacts.append(replace(block, inverse_normal=inverse))
        return [*contacts, *others]

    @property
    def gaps(self) -> list[Scalar]:
        """The gaps of contacts and limits [m or rad]."""
        return [constraint.gap for constraint in (*self.contacts, *self.limits)]

    def zero_impulses(self) -> Impulses:
        """Return zero impulses for all blocks."""
        rows = [3] * len(self.contacts) + [1] * (len(self.limits) + len(self.dry_frictions) + len(self.loops))
        return [[0.0] * count for count in rows]


def _contact_blocks(
    build: Callable[[Contact], tuple[Scalar, ContactBlock]], runs: Sequence[Sequence[Contact]], absent: Any
) -> RolledBlocks:
    """Return the blocks of runs of contacts in memory.

    build: returns 1 / D_nn and the block of a contact. absent: UNDEFINED if blocks of inactive contacts are never read,
    else None.
    """
    return RolledBlocks(tuple(_run(build, contacts, absent) for contacts in runs))


def _run(build: Callable[[Contact], tuple[Scalar, ContactBlock]], contacts: Sequence[Contact], absent: Any) -> Run:
    given, blocks = Records.of(contacts), Records(len(contacts))

    def store_block(i: Index) -> Scalar:
        inverse, blocks[i] = build(given[i])
        return inverse

    def step(i: Index, _: Any) -> tuple[Any, Scalar]:
        near = given[i].gap < FAR
        if absent is not None:
            return (), when(near, partial(store_block, i), otherwise=0.0)
        inverse, blocks[i] = when(near, lambda: build(given[i]))
        return (), inverse

    inverses: Any = scan_range(len(contacts), step, ())[1]
    return Run(blocks, inverses)


def _rolled_runs(contacts: Sequence[Contact]) -> list[list[Contact]]:
    """Return contacts in runs of equal structure, if loops over them stay loops: none of the runs is short.

    Return an empty list otherwise.
    """
    runs = [list(run) for _, run in groupby(contacts, key=lambda contact: contact.structure)] if is_tracing() else []
    return runs if all(len(run) >= MIN_ROLLED_CONTACTS for run in runs) else []


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
