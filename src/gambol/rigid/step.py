"""A step of a pile: contact detection, bounces, contact impulses, motion, and position correction.

    v' = v + r (a + g) + M^-1 J^T p      u_n' >= -max(gap, 0)/h,  p_n >= 0, one of them 0;  |p_t| <= mu p_n against u_t'
    x' = x + r (v + v')/2                x, v: at the body's last bounce in the step, r: time from then to its end

Bodies without contacts fall along parabolas. If these displacements would penetrate, or leave a penetration, they are
corrected without a change of velocity. The work of the correction is an entry of the ledger.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.collide.gap import FAR
from gambol.errors import WorldError
from gambol.lanes import Program, ProgramSpec
from gambol.rigid import flight as torque_free
from gambol.rigid.body import Pile
from gambol.rigid.bounce import ContactMotion, Flight, StepContacts, resolve_bounces
from gambol.rigid.contact_detection import ContactFinder, Contacts
from gambol.rigid.order import SweepOrder
from gambol.rigid.solve import Solver
from gambol.rigid.state import ContactCache, EnergyLedger, PileState
from gambol.spatial import Quaternion, Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

TOLERANCE = 1e-9
"""Residual at which sweeps end [m/s]."""

MAX_SWEEPS = 1000
"""Limit of sweeps in a step; a tower of ten boxes needs about a hundred while it moves, and one when it rests."""

CORRECTED_FRACTION = 0.2
"""Fraction of a penetration depth that a step corrects."""

MIN_REMAINDER = 1e-9
"""Minimum remaining time of a step, as a fraction of its length, so that no divisor is 0."""

MOVE_TOLERANCE = 1e-9
"""Smaller errors of displacements are not corrected [m]."""


class PileStepper:
    """Time stepping of a pile.

    lanes: lanes of its programs, see Program; tolerance: residual at which the contact solver ends [m/s]; sweeps:
    largest number of sweeps in a step. The results are equal to the last bit for any number of lanes.
    """

    def __init__(
        self, pile: Pile, *, lanes: int | None = None, tolerance: float = TOLERANCE, sweeps: int = MAX_SWEEPS
    ) -> None:
        self.pile = pile
        self.finder = ContactFinder(pile, lanes)
        self.solver, self.tolerance = Solver(lanes, sweeps), tolerance
        self.mass, self.moments = pile.masses(), pile.moments()
        self.frictions, self.restitutions = pile.surface_tables()
        names = pile.materials
        self.material = np.array([0, *(names.index(body.material) for body in pile.bodies)])
        q, zero = Quaternion(1.0, 0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
        self.rotate = Program(
            ProgramSpec("pile rotation", torque_free.rotated, (q, zero, zero, zero, 0.0), 0, "rotated"), lanes=lanes
        )
        self.inverse_inertia = Program(
            ProgramSpec("pile inverse inertia", torque_free.inverse_inertia, (q, zero), 0, "inverse"), lanes=lanes
        )
        self.order: SweepOrder | None = None

    def advance(self, state: PileState, steps: int = 1, push: Array | None = None) -> PileState:
        """Return the state after several steps under external forces.

        state: initial state; steps: number of steps; push: moment and force at each body's centre of mass, in world
        axes (bodies, 6) [N m, N]; None: no external forces. Raises WorldError for a push of another shape.
        """
        bodies = len(self.mass)
        wrench = np.zeros((6, bodies))
        if push is not None:
            if np.shape(push) != (bodies - 1, 6):
                raise WorldError(
                    f"push must have the shape {(bodies - 1, 6)} for {bodies - 1} bodies, not {np.shape(push)}"
                )
            wrench[:, 1:] = np.transpose(push)
        for _ in range(steps):
            state = self._step(state, wrench)
        return state

    def energy(self, state: PileState) -> float:
        """Return the sum of kinetic energy and potential energy of gravity, which is 0 at z = 0 [J]."""
        m, v = self.mass[1:], state.velocity[:, 1:]
        R = _rotations(state.orientation[:, 1:])
        W = np.einsum("ijk,jk->ik", R, v[:3])
        potential = -np.array(self.pile.gravity) @ state.position[:, 1:]
        return float(
            0.5 * (m * (v[3:] ** 2).sum(axis=0)).sum() + 0.5 * (self.moments[:, 1:] * W**2).sum() + m @ potential
        )

    def _step(self, state: PileState, wrench: Array) -> PileState:
        """Return the state after one step; wrench: external moments and forces on the bodies (6, bodies)."""
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
        angular = [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z]
        linear = np.array(self.pile.gravity)[:, None] + wrench[3:] / self.mass
        linear[:, 0] = 0.0
        return np.concatenate([angular, linear])

    def _find_contacts(self, state: PileState, inverse_inertia: Array, acceleration: Array) -> StepContacts | None:
        """Return the contacts of a step, or None without contacts."""
        h, v = self.pile.step, state.velocity
        spin, speed, linear_acceleration = (np.sqrt((x * x).sum(axis=0)) for x in (v[:3], v[3:], acceleration[3:]))
        max_travel = h * (speed + spin * self.finder.radius + h * linear_acceleration)
        contacts = self.finder.contacts(state.position, state.orientation, max_travel)
        if not len(contacts.first):
            return None
        order = self._order(contacts)
        c = contacts.to_columns(order)
        inverse_mass = (1.0 / self.mass)[None]
        sides = [
            np.concatenate([point - state.position[:, body], inverse_mass[:, body], inverse_inertia[:, body]])
            for body, point in ((c.first, c.first_point), (c.second, c.second_point))
        ]
        points, delassus = self.solver.prepare(c.normal, *sides)
        material_a, material_b = self.material[c.first], self.material[c.second]
        mu, e = self.frictions[material_a, material_b], self.restitutions[material_a, material_b]
        return StepContacts(c, order, points, delassus, mu, np.where(c.gap < FAR, e, 0.0), self.solver, self.tolerance)

    def _solve_contacts(
        self, state: PileState, contacts: StepContacts, flight: Flight, wrench: Array, bounce_work: Array
    ) -> PileState:
        """Return the state after the contact impulses of the remaining part of the step."""
        h, c = self.pile.step, contacts.contacts
        remaining = h - flight.clock
        remaining[0] = 0.0
        keys: Indices = contacts.order.from_columns(c.keys(len(self.mass)))
        warm = contacts.order.to_columns(state.cache.impulses_of(keys))
        solution = contacts.solve(
            _target_speeds(contacts, flight, h), flight.velocity + flight.acceleration * remaining, warm
        )
        mean_velocity = 0.5 * (flight.velocity + solution.velocity)
        work = (solution.impulses * contacts.speeds(mean_velocity)).sum(axis=1)
        displacement = flight.displacement + remaining * mean_velocity
        corrected, p = _correct_displacement(contacts, displacement, h)
        # the correction moves masses against gravity; between two bodies this work cancels
        normal_gravity = (np.array(self.pile.gravity)[:, None] * c.normal).sum(axis=0)
        lift_work = -p[2] * np.where(c.second > 0, 0.0, normal_gravity)
        energy = bounce_work + np.array(
            [work[0] + work[1], work[2] + lift_work[c.gap >= 0.0].sum(), lift_work[c.gap < 0.0].sum()]
        )
        cache = ContactCache(keys, contacts.order.from_columns(solution.impulses))
        updated = replace(state, cache=cache, residual=solution.residual, sweeps=solution.sweeps)
        return self._finish(updated, wrench, solution.velocity, corrected, energy, displacement)

    def _order(self, c: Contacts) -> SweepOrder:
        """Return the sweep order of contacts: the order of the previous step if the contacts are the same."""
        last = self.order
        if last is None or not (np.array_equal(last.first, c.first) and np.array_equal(last.second, c.second)):
            self.order = last = SweepOrder.of(c.first, c.second, len(self.mass), self.solver.lanes)
        return last

    def _finish(
        self,
        state: PileState,
        wrench: Array,
        velocity: Array,
        displacement: Array,
        energy: Array,
        uncorrected: Array | None = None,
    ) -> PileState:
        """Return the state after a displacement of the bodies.

        energy: energy added by friction, impact and correction [J]. uncorrected: the displacement without correction.
        """
        h, old = self.pile.step, state.ledger
        orientation, spin = self.rotate(
            state.orientation, velocity[:3], self.moments, displacement[:3] - h * velocity[:3], np.full((1, 1), h)
        )
        push = float((wrench * (displacement if uncorrected is None else uncorrected)).sum())
        friction, impact, correction = energy.tolist()
        return replace(
            state,
            position=state.position + displacement[3:],
            orientation=orientation,
            velocity=np.concatenate([spin, velocity[3:]]),
            time=state.time + h,
            ledger=EnergyLedger(
                old.push + push, old.friction + friction, old.impact + impact, old.correction + correction
            ),
        )


def _target_speeds(contacts: StepContacts, flight: Flight, h: float) -> Array:
    """Return, for each contact, the normal speed at the step's end that just closes its gap [m/s].

    If free flight does not close the gap within the step, the target is at most the speed of free flight.
    """
    motion = ContactMotion.of(contacts, flight)
    remaining, gap = np.maximum(h - motion.time, MIN_REMAINDER * h), np.maximum(motion.gap, 0.0)
    stays_open = gap + (motion.u + 0.5 * motion.a * remaining) * remaining >= 0.0
    closing_speed = -gap / remaining
    return np.where(stays_open, np.minimum(closing_speed, motion.u + motion.a * remaining), closing_speed)


def _correct_displacement(contacts: StepContacts, displacement: Array, h: float) -> tuple[Array, Array]:
    """Return the nearest displacement that causes no penetration and reduces present penetration, and the correction.

    contacts: contacts of the step; displacement: displacement of the bodies (6, bodies); h: length of the step [s]. The
    correction is mass times displacement, by contact in its frame (3, columns) [kg m].
    """
    gap = contacts.contacts.gap
    min_change = np.where(gap < 0.0, -CORRECTED_FRACTION * gap, -gap)
    zeros = np.zeros((3, len(gap)))
    if (contacts.speeds(displacement)[2] >= min_change - MOVE_TOLERANCE).all():
        return displacement, zeros
    frictionless = replace(contacts, friction=np.zeros_like(gap))
    solution = frictionless.solve(min_change / h, displacement / h, zeros, MOVE_TOLERANCE / h)
    return solution.velocity * h, solution.impulses * h


def _rotations(orientation: Array) -> Array:
    """Return rotation matrices from world to body axes (3, 3, bodies) for quaternions (4, bodies)."""
    R = Quaternion(*orientation).rotation().transpose
    return np.array(R.rows)
