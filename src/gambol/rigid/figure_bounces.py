"""Bounces of bodies with joints, at the beginning of the step in which their contacts close.

    u_n' >= -e u_n at contacts that close fast enough within the step         joints: u' = -u for locked motions
    u_n' >= min(u_n, 0) at contacts that touch                                limits that are reached: no motion beyond

All such contacts bounce together, with impulses that joints pass on; rounds are repeated until none closes. A bounce
that would add energy to an island is mixed with one without restitution, so that it adds none; see bounce.py. Bodies
with joints cannot fly by themselves until their contacts close, so they bounce up to a step early, at a height of up to
the way of a step.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide.gap import FAR
from gambol.contact.stepping.solve import allowed_fraction
from gambol.rigid.arrangement import Arrangement
from gambol.rigid.body_table import BodyTable
from gambol.rigid.bounce import Flight, StepContacts, impact_times
from gambol.rigid.contact_detection import Contacts
from gambol.rigid.islands import islands
from gambol.rigid.pile_joints import PileJoints
from gambol.rigid.solve import Solver
from gambol.spatial import Quaternion

Array = NDArray[Any]
Indices = NDArray[np.int64]
Bools = NDArray[np.bool_]

MAX_ROUNDS = 20
"""Limit of rounds in a step; contacts that close later are solved without restitution."""

TOUCHING = 1e-5
"""Gap up to which a contact that does not bounce supports its bodies, and a hard limit is reached [m, rad]."""

NEVER = -1e6
"""Least normal speed of contacts that are open [m/s]: faster than any."""


@dataclass(frozen=True, eq=False)
class FigureBounces:
    """The bounces of bodies with joints.

    joints: of the pile; table: the bodies; solver: the programs; mass (bodies) [kg], moments (3, bodies) [kg m2]; h:
    step [s]; tolerance: residual at which sweeps end [m/s].
    """

    joints: PileJoints
    table: BodyTable
    solver: Solver
    mass: Array
    moments: Array
    h: float
    tolerance: float

    def concerns(self, a: Arrangement) -> Bools:
        """Return True for contacts of a body with joints (columns)."""
        jointed = np.zeros(self.table.columns, bool)
        jointed[self.joints.first] = jointed[self.joints.second] = True
        jointed[0] = False
        return jointed[a.order.sides[0]] | jointed[a.order.sides[1]]

    def resolve(self, a: Arrangement) -> Array | None:
        """Change the velocities in the table by all bounces; return the work at normals, tangents and limits (3) [J].

        a: the prepared contacts, which must then be prepared again. Returns None if nothing bounces.
        """
        restitution = np.where((a.gap[0] < FAR) & self.concerns(a), a.restitution, 0.0)
        if a.joints is None or not restitution.any():
            return None
        problem, total = a.problem, np.zeros(3)
        contacts = Contacts(*a.order.sides, a.normal, a.gap[0])
        step_contacts = StepContacts(contacts, problem, self.solver, restitution, self.tolerance)
        closes = self._closing(step_contacts)
        if not closes.any():
            return None
        kept_impulses, kept = problem.impulses.copy(), a.joints.begin_bounce(TOUCHING)
        for _ in range(MAX_ROUNDS):
            total += self._round(step_contacts, closes)
            closes = self._closing(step_contacts)
            if not closes.any():
                break
        a.joints.end(kept)
        problem.impulses[:] = kept_impulses
        return total

    def _closing(self, step_contacts: StepContacts) -> Bools:
        """Return True for contacts that close within the step, fast enough to bounce (columns)."""
        velocity = self.table["velocity"].copy()
        flight = Flight(
            np.zeros(self.table.columns), np.zeros_like(velocity), velocity, self.table["acceleration"].copy()
        )
        return np.isfinite(impact_times(step_contacts, flight, self.h))

    def _round(self, step_contacts: StepContacts, closes: Bools) -> Array:
        """Let contacts bounce; return the work at normals, tangents and limits (3) [J]."""
        gap, before = step_contacts.contacts.gap, self.table["velocity"].astype(float)
        u = step_contacts.speeds(before)
        others = np.where(gap <= TOUCHING, np.minimum(u[2], 0.0), NEVER)
        none = np.zeros_like(u)
        elastic = step_contacts.solve(np.where(closes, -step_contacts.restitution * u[2], others), before, none)
        p, after = elastic.impulses, elastic.velocity.astype(float)
        island = self._islands(step_contacts.contacts)
        gain = self._energy(island, after, after) - self._energy(island, before, before)
        if (gain > 0.0).any():
            inelastic = step_contacts.solve(np.where(closes, 0.0, others), before, none)
            base, change = inelastic.velocity.astype(float), after - inelastic.velocity
            lost = self._energy(island, base, base) - self._energy(island, before, before)
            slope, curve = 2.0 * self._energy(island, base, change), self._energy(island, change, change)
            fraction = np.where(gain > 0.0, allowed_fraction(np.minimum(lost, 0.0), slope, curve), 1.0)[island]
            after = base + fraction * change
            sides = step_contacts.contacts.first, step_contacts.contacts.second
            of_contact = np.maximum(*(np.where(body > 0, fraction[body], -1.0) for body in sides))
            p = inelastic.impulses + np.maximum(of_contact, 0.0) * (p - inelastic.impulses)
        self.table["velocity"][:] = after
        work = 0.5 * p * (u + step_contacts.speeds(after))
        energy = self._energy(island, after, after) - self._energy(island, before, before)
        normal, tangential = float(work[2].sum()), float(work[:2].sum())
        return np.array([normal, tangential, float(energy.sum()) - normal - tangential])

    def _islands(self, contacts: Contacts) -> Indices:
        """Return the island of each body (columns of the table): the bodies that contacts and joints connect."""
        first, second = (
            np.concatenate([of_contacts, of_joints])
            for of_contacts, of_joints in (
                (contacts.first, self.joints.first),
                (contacts.second, self.joints.second),
            )
        )
        return islands(first, second, self.table.columns)

    def _energy(self, island: Indices, one: Array, other: Array) -> Array:
        """Return v^T M v' / 2 of each island [J]; one, other: v and v' of all bodies (6, columns)."""
        count = len(self.mass)
        R = np.array(Quaternion(*self.table["orientation"][:, :count].astype(float)).rotation().transpose.rows)
        W, W_other = (np.einsum("ijk,jk->ik", R, v[:3, :count]) for v in (one, other))
        linear = self.mass[1:] * (one[3:, 1:count] * other[3:, 1:count]).sum(axis=0)
        each = np.zeros(self.table.columns)
        each[1:count] = 0.5 * (linear + (self.moments * W * W_other)[:, 1:].sum(axis=0))
        return np.bincount(island, each, self.table.columns)
