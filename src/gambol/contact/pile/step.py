"""A step of a pile: contact detection, bounces, contact impulses, motion, and position correction.

    v' = v + r (a + g) + M^-1 J^T p      u_n' >= -max(gap, 0)/h,  p_n >= 0, one of them 0;  |p_t| <= mu p_n against u_t'
    x' = x + r (v + v')/2                r: what is left of the step after the body's last bounce

Bodies without contacts fall along parabolas. Where these moves would close a gap by more than its size, or leave
penetration, they are corrected by moves that change no velocity; the ledger books their work as correction.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.collide.gap import FAR
from gambol.contact.pile import flight as air
from gambol.contact.pile.body import Pile
from gambol.contact.pile.bounce import ContactMotion, Flight, StepContacts, resolve_bounces
from gambol.contact.pile.contact_detection import ContactFinder, Contacts
from gambol.contact.pile.order import SweepOrder
from gambol.contact.pile.solve import Solver
from gambol.contact.pile.state import ContactCache, EnergyLedger, PileState
from gambol.errors import WorldError
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Quaternion, Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

TOLERANCE = 1e-9
"""m/s: residual at which sweeps end."""

SWEEPS = 1000
"""At most in a step; a tower of ten boxes takes about a hundred, and one when it rests."""

CORRECTION_SHARE = 0.2
"""Share of a penetration depth that a step corrects."""

MIN_REMAINDER = 1e-9
"""Share of a step that counts as none."""

MOVE_TOLERANCE = 1e-9
"""m: smaller errors of moves are left as they are."""


class PileStepper:
    """Time stepping of a pile. lanes: of its programs, see Program; tolerance [m/s] and sweeps: when a solver ends.

    The results are the same to the bit for any number of lanes.
    """

    def __init__(
        self, pile: Pile, *, lanes: int | None = None, tolerance: float = TOLERANCE, sweeps: int = SWEEPS
    ) -> None:
        self.pile = pile
        self.finder = ContactFinder(pile, lanes)
        self.solver, self.tolerance = Solver(lanes, sweeps), tolerance
        self.mass, self.moments = pile.masses(), pile.moments()
        self.frictions, self.restitutions = pile.surface_tables()
        names = pile.materials
        self.material = np.array([0, *(names.index(body.material) for body in pile.bodies)])
        q, three = Quaternion(1.0, 0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
        self.rotate = Program(
            ProgramSpec("pile rotation", air.rotated, (q, three, three, three, 0.0), 0, "rotated"), lanes=lanes
        )
        self.inverse_inertia = Program(
            ProgramSpec("pile inverse inertia", air.inverse_inertia, (q, three), 0, "inverse"), lanes=lanes
        )
        self.order: SweepOrder | None = None

    def advance(self, state: PileState, steps: int = 1, push: Array | None = None) -> PileState:
        """Return the state after some steps under external forces.

        state: to start from; steps: their number; push: moment and force at each body's centre of mass, in world axes
        (bodies, 6) [N m, N]; None: none. Raises WorldError for a push of another shape.
        """
        bodies = len(self.mass)
        wrench = np.zeros((6, bodies))
        if push is not None:
            if np.shape(push) != (bodies - 1, 6):
                raise WorldError(f"a push on {bodies - 1} bodies has the shape {(bodies - 1, 6)}, not {np.shape(push)}")
            wrench[:, 1:] = np.transpose(push)
        for _ in range(steps):
            state = self._step(state, wrench)
        return state

    def energy(self, state: PileState) -> float:
        """Return kinetic energy and potential energy of gravity, zero at z = 0 [J]."""
        m, v = self.mass[1:], state.velocity[:, 1:]
        R = _rotations(state.orientation[:, 1:])
        W = np.einsum("ijk,jk->ik", R, v[:3])
        high = -np.array(self.pile.gravity) @ state.position[:, 1:]
        return float(0.5 * (m * (v[3:] ** 2).sum(axis=0)).sum() + 0.5 * (self.moments[:, 1:] * W**2).sum() + m @ high)

    def _step(self, state: PileState, wrench: Array) -> PileState:
        h = self.pile.step
        inverse_inertia = self.inverse_inertia(state.orientation, self.moments)[0]
        inverse_inertia[:, 0] = 0.0
        flight = Flight(
            np.zeros(len(self.mass)),
            np.zeros_like(state.velocity),
            state.velocity,
            self._free_acceleration(wrench, inverse_inertia),
        )
        contacts = self._find_contacts(state, inverse_inertia, flight.acceleration)
        if contacts is None:
            flight.advance(np.full(len(self.mass), h))
            return self._finish(state, wrench, flight.velocity, flight.displacement, np.zeros(3))
        impact, friction = resolve_bounces(contacts, flight, h)
        return self._solve_contacts(state, contacts, flight, wrench, np.array([friction, impact, 0.0]))

    def _free_acceleration(self, wrench: Array, inverse_inertia: Array) -> Array:
        """Return accelerations of all bodies without contacts (6, bodies) [rad/s2, m/s2]."""
        xx, xy, xz, yy, yz, zz = inverse_inertia
        x, y, z = wrench[:3]
        turn = [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z]
        gravity_part = np.array(self.pile.gravity)[:, None] + wrench[3:] / self.mass
        gravity_part[:, 0] = 0.0
        return np.concatenate([turn, gravity_part])

    def _find_contacts(self, state: PileState, inverse_inertia: Array, acceleration: Array) -> StepContacts | None:
        """Return the contacts of a step, or None without any."""
        h, v = self.pile.step, state.velocity
        spin, speed, gravity_part = (np.sqrt((x * x).sum(axis=0)) for x in (v[:3], v[3:], acceleration[3:]))
        reach = h * (speed + spin * self.finder.radius + h * gravity_part)
        found = self.finder.contacts(state.position, state.orientation, reach)
        if not len(found.first):
            return None
        order = self._order(found)
        c = found.to_columns(order)
        inverse_mass = (1.0 / self.mass)[None]
        sides = [
            np.concatenate([point - state.position[:, own], inverse_mass[:, own], inverse_inertia[:, own]])
            for own, point in ((c.first, c.first_point), (c.second, c.second_point))
        ]
        points, delassus = self.solver.prepare(c.normal, *sides)
        one, other = self.material[c.first], self.material[c.second]
        mu, e = self.frictions[one, other], self.restitutions[one, other]
        return StepContacts(c, order, points, delassus, mu, np.where(c.gap < FAR, e, 0.0), self.solver, self.tolerance)

    def _solve_contacts(
        self, state: PileState, contacts: StepContacts, flight: Flight, wrench: Array, bounce_work: Array
    ) -> PileState:
        """Return the state after the contact impulses of what is left of the step."""
        h, c = self.pile.step, contacts.contacts
        left = h - flight.clock
        left[0] = 0.0
        keys: Indices = contacts.order.from_columns(c.keys(len(self.mass)))
        warm = contacts.order.to_columns(state.cache.impulses_of(keys))
        solution = contacts.solve(_targets(contacts, flight, h), flight.velocity + flight.acceleration * left, warm)
        mean = 0.5 * (flight.velocity + solution.velocity)
        work = (solution.impulses * contacts.speeds(mean)).sum(axis=1)
        move = flight.displacement + left * mean
        corrected, p = _corrected(contacts, move, h)
        gravity_part = (np.array(self.pile.gravity)[:, None] * c.normal).sum(axis=0)
        lifted = -p[2] * np.where(c.second > 0, 0.0, gravity_part)
        energy = bounce_work + np.array(
            [work[0] + work[1], work[2] + lifted[c.gap >= 0.0].sum(), lifted[c.gap < 0.0].sum()]
        )
        cache = ContactCache(keys, contacts.order.from_columns(solution.impulses))
        updated = replace(state, cache=cache, residual=solution.residual, sweeps=solution.sweeps)
        return self._finish(updated, wrench, solution.velocity, corrected, energy, move)

    def _order(self, c: Contacts) -> SweepOrder:
        """Return the sweep order of contacts: that of the step before where they are the same."""
        last = self.order
        if last is None or not (np.array_equal(last.first, c.first) and np.array_equal(last.second, c.second)):
            self.order = last = SweepOrder.of(c.first, c.second, len(self.mass), self.solver.lanes)
        return last

    def _finish(
        self,
        state: PileState,
        wrench: Array,
        velocity: Array,
        move: Array,
        energy: Array,
        uncorrected: Array | None = None,
    ) -> PileState:
        """Return the state after a move.

        energy: from friction, impact and correction [J]. uncorrected: the move without correction.
        """
        h, old = self.pile.step, state.ledger
        orientation, spin = self.rotate(
            state.orientation, velocity[:3], self.moments, move[:3] - h * velocity[:3], np.full((1, 1), h)
        )
        push = float((wrench * (move if uncorrected is None else uncorrected)).sum())
        friction, impact, correction = energy.tolist()
        return replace(
            state,
            position=state.position + move[3:],
            orientation=orientation,
            velocity=np.concatenate([spin, velocity[3:]]),
            time=state.time + h,
            ledger=EnergyLedger(
                old.push + push, old.friction + friction, old.impact + impact, old.correction + correction
            ),
        )


def _targets(contacts: StepContacts, flight: Flight, h: float) -> Array:
    """Return the normal speed of each contact at the step's end that just closes its gap [m/s].

    Where free flight does not close it within the step, it may also be the speed of that.
    """
    now = ContactMotion.of(contacts, flight)
    left, gap = np.maximum(h - now.time, MIN_REMAINDER * h), np.maximum(now.gap, 0.0)
    free = gap + (now.u + 0.5 * now.a * left) * left >= 0.0
    closing = -gap / left
    return np.where(free, np.minimum(closing, now.u + now.a * left), closing)


def _corrected(contacts: StepContacts, move: Array, h: float) -> tuple[Array, Array]:
    """Return the moves (6, bodies) nearest to given ones that close no gap and reduce penetration, and the correction.

    The correction is mass times displacement, by contact in its frame (3, columns) [kg m].
    """
    gap = contacts.contacts.gap
    least = np.where(gap < 0.0, -CORRECTION_SHARE * gap, -gap)
    nothing = np.zeros((3, len(gap)))
    if (contacts.speeds(move)[2] >= least - MOVE_TOLERANCE).all():
        return move, nothing
    smooth = replace(contacts, friction=np.zeros_like(gap))
    solution = smooth.solve(least / h, move / h, nothing, MOVE_TOLERANCE / h)
    return solution.velocity * h, solution.impulses * h


def _rotations(turn: Array) -> Array:
    """Return rotation matrices, world to body (3, 3, bodies), of quaternions (4, bodies)."""
    R = Quaternion(*turn).rotation().transpose
    return np.array(R.rows)
