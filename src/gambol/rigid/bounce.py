"""Bounces within a step: each body has a time within the step up to which its free flight is integrated.

    gap + u t + a t^2 / 2 = 0      t: time until a contact closes, counted from the later time of its two bodies

In each round, contacts bounce if they close before all other contacts of their bodies: they separate at -e times their
impact speed; simultaneous contacts of one body are solved together. Rounds are repeated until no contact closes within
the step, so that a pulse passes through a row of balls. Flights conserve energy. Bounces without friction conserve it
or lose it, since every contact has p (u- + u+)/2 <= 0, independent of the others; with e = 1 they conserve it exactly.
With friction, a bounce that would add energy is mixed with one without restitution, so that it adds none. These are the
requirements of [Smith et al. 2012].

A contact that forces would close again within a step, 2 e |u| < -a h, does not bounce. This ends infinite sequences of
bounces.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.contact.stepping.solve import allowed_fraction
from gambol.rigid.contact_detection import Contacts
from gambol.rigid.contact_memory import Solution
from gambol.rigid.solve import ContactProblem, Solver
from gambol.rigid.tree_problem import TreeProblem

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MAX_ROUNDS = 100
"""Limit of rounds in a step; contacts that close later are solved without restitution."""

MIN_IMPACT_SPEED = 1e-9
"""Minimum speed of an impact [m/s]; lower speeds are rounding errors of contacts at rest."""

SIMULTANEITY_TOLERANCE = 1e-6
"""Fraction of a step within which contacts of one body that close are simultaneous."""


@dataclass
class Flight:
    """The free flight of the bodies within a step, each at its own time.

    clock: time of each body since the step began (bodies) [s]. displacement: rotation and translation since then (6,
    bodies) [rad, m]. velocity (6, bodies) [rad/s, m/s]. acceleration: by gravity and external forces (6, bodies).
    """

    clock: Array
    displacement: Array
    velocity: Array
    acceleration: Array

    def advance(self, until: Array) -> None:
        """Integrate the flight of each body; until: its end time (bodies) [s]."""
        t = until - self.clock
        self.displacement = self.displacement + (self.velocity + self.acceleration * (0.5 * t)) * t
        self.velocity = self.velocity + self.acceleration * t
        self.clock = until


@dataclass(frozen=True, eq=False)
class StepContacts:
    """The contacts of a step, one for each column of their sweep order.

    problem: their points, friction, and the memory of their solution; solver: of parts of them; restitution (columns);
    tolerance: residual at which sweeps end [m/s].
    """

    contacts: Contacts
    problem: ContactProblem | TreeProblem
    solver: Solver
    restitution: Array
    tolerance: float

    def speeds(self, velocity: Array) -> Array:
        """Return u of all contacts (3, columns) [m/s]; velocity: velocity of the bodies (6, bodies).

        For a displacement of the bodies [m], the result is the displacement at the contacts.
        """
        return self.problem.speeds(velocity)

    def subset(self, chosen: Indices) -> "StepContacts":
        """Return the contacts of the chosen columns."""
        whole = self.problem
        order, lanes = self.solver.order(self.contacts.first[chosen], self.contacts.second[chosen])
        part = self.solver.problem(order, lanes)
        part.copy_contacts(whole, chosen)
        restitution = order.to_columns(self.restitution[chosen])
        return StepContacts(self.contacts.to_columns(order, chosen), part, self.solver, restitution, self.tolerance)

    def after_impulses(self, velocity: Array, p: Array) -> Array:
        """Return velocities of bodies (6, bodies) after impulses p (3, columns) on bodies without joints."""
        assert isinstance(self.problem, ContactProblem)
        return self.problem.after_impulses(velocity, p)

    def solve(self, target: Array, velocity: Array, p: Array) -> Solution:
        """Return impulses that keep every contact's normal speed at its target or above it, with friction.

        target: least normal speeds [m/s]; velocity: without impulses (6, bodies); p: initial impulses (3, columns).
        """
        self.problem.law[1] = target
        return self.problem.solution(velocity, p, self.tolerance)


def resolve_bounces(step_contacts: StepContacts, flight: Flight, h: float) -> tuple[float, float]:
    """Resolve all bounces within a step of h [s]; the flight is changed in place.

    Returns the work of the normal and of the tangential impulses [J]; their sum is 0 or less.
    """
    bodies, normal, tangential = len(flight.clock), 0.0, 0.0
    if not step_contacts.restitution.any():
        return normal, tangential
    for _ in range(MAX_ROUNDS):
        times = impact_times(step_contacts, flight, h)
        chosen = _earliest(step_contacts.contacts, times, bodies, h)
        if not len(chosen):
            break
        subset = step_contacts.subset(chosen)
        work = _bounce_round(subset, subset.problem.order.to_columns(times[chosen]), flight)
        normal, tangential = normal + work[0], tangential + work[1]
    return normal, tangential


@dataclass(frozen=True)
class ContactMotion:
    """Gaps and speeds of contacts, each at the later one of the times of its two bodies.

    time (columns) [s]; gap [m]; speed u and acceleration a along the normal [m/s, m/s2].
    """

    time: Array
    gap: Array
    u: Array
    a: Array

    @staticmethod
    def of(step_contacts: StepContacts, flight: Flight) -> "ContactMotion":
        """Return gaps and speeds of contacts during a flight."""
        c = step_contacts.contacts
        u, a = step_contacts.speeds(flight.velocity)[2], step_contacts.speeds(flight.acceleration)[2]
        if not flight.clock.any():
            return ContactMotion(np.zeros_like(u), c.gap, u, a)
        clocks = [np.where(body > 0, flight.clock[body], 0.0) for body in (c.first, c.second)]
        time, gap = np.maximum(*clocks), c.gap + step_contacts.speeds(flight.displacement)[2]
        for sign, body, clock in zip((1.0, -1.0), (c.first, c.second), clocks, strict=True):
            wait = np.where(body > 0, time - clock, 0.0)
            speed = sign * (c.normal * flight.velocity[3:, body]).sum(axis=0)
            acceleration = sign * (c.normal * flight.acceleration[3:, body]).sum(axis=0)
            gap, u = gap + (speed + 0.5 * acceleration * wait) * wait, u + acceleration * wait
        return ContactMotion(time, gap, u, a)


def impact_times(step_contacts: StepContacts, flight: Flight, h: float) -> Array:
    """Return the time at which each contact closes fast enough to bounce [s]; infinite if it does not."""
    motion = ContactMotion.of(step_contacts, flight)
    t = _closing_time(np.maximum(motion.gap, 0.0), motion.u, motion.a)
    impact_velocity = motion.u + motion.a * np.where(np.isfinite(t), t, 0.0)
    elastic = (impact_velocity < -MIN_IMPACT_SPEED) & (
        2.0 * step_contacts.restitution * -impact_velocity > h * np.maximum(-motion.a, 0.0)
    )
    time = motion.time + t
    return np.where(elastic & (time < h), time, np.inf)


def _closing_time(gap: Array, u: Array, a: Array) -> Array:
    """Return the first time at which gap + u t + a t^2 / 2 is 0 [s], or infinity; gap 0 or more."""
    discriminant = u * u - 2.0 * a * gap
    denominator = np.sqrt(np.maximum(discriminant, 0.0)) - u
    closes = (discriminant >= 0.0) & (denominator > 0.0)
    t = 2.0 * gap / np.where(closes, denominator, 1.0)
    approaches = (u < 0.0) | (a < 0.0)
    return np.where(closes & approaches, t, np.inf)


def _earliest(contacts: Contacts, times: Array, bodies: int, h: float) -> Indices:
    """Return the contacts that close before all others of their bodies."""
    earliest = np.full(bodies, np.inf)
    np.minimum.at(earliest, contacts.first, times)
    np.minimum.at(earliest, contacts.second, times)
    earliest[0] = np.inf
    limit = np.minimum(earliest[contacts.first], earliest[contacts.second]) + SIMULTANEITY_TOLERANCE * h
    return np.flatnonzero(np.isfinite(times) & (times <= limit))


def _bounce_round(step_contacts: StepContacts, times: Array, flight: Flight) -> tuple[float, float]:
    """Resolve the bounces of some contacts at their times; return the work of normal and tangential impulses [J]."""
    c = step_contacts.contacts
    until = flight.clock.copy()
    for body in (c.first, c.second):
        np.maximum.at(until, body, times)
    until[0] = 0.0
    flight.advance(until)
    before = step_contacts.speeds(flight.velocity)
    target = -step_contacts.restitution * np.minimum(before[2], 0.0)
    solution = step_contacts.solve(target, flight.velocity, np.zeros((3, len(target))))
    if step_contacts.problem.has_friction:
        solution = _limit_energy(step_contacts, solution, before, flight.velocity)
    work = 0.5 * solution.impulses * (before + step_contacts.speeds(solution.velocity))
    flight.velocity = solution.velocity
    return float(work[2].sum()), float(work[:2].sum())


def _limit_energy(step_contacts: StepContacts, elastic: Solution, before: Array, velocity: Array) -> Solution:
    """Return the solution, blended with one without restitution on every island that would gain energy.

    elastic: solution with restitution; before: speeds before the impulses (3, columns); velocity: velocity of the
    bodies then.
    """
    island = _islands(step_contacts.contacts, velocity.shape[1])
    after = step_contacts.speeds(elastic.velocity)
    gain = _work_by_island(island, elastic.impulses * (before + after))
    if not (gain > 0.0).any():
        return elastic
    inelastic = step_contacts.solve(np.zeros(len(island)), velocity, elastic.impulses)
    inelastic_speeds = step_contacts.speeds(inelastic.velocity)
    change, speed_change = elastic.impulses - inelastic.impulses, after - inelastic_speeds
    base_gain = _work_by_island(island, inelastic.impulses * (before + inelastic_speeds))
    slope = _work_by_island(island, change * (before + inelastic_speeds) + inelastic.impulses * speed_change)
    curve = _work_by_island(island, change * speed_change)
    fraction = np.where(gain > 0.0, allowed_fraction(np.minimum(base_gain, 0.0), slope, curve), 1.0)[island]
    p = inelastic.impulses + fraction * change
    return Solution(step_contacts.after_impulses(velocity, p), p, inelastic.residual, inelastic.sweeps)


def _work_by_island(island: Indices, doubled_work: Array) -> Array:
    """Return the work on each island [J]; doubled_work: p (u- + u+) of each contact (3, contacts) [J]."""
    return np.bincount(island, 0.5 * doubled_work.sum(axis=0)).astype(float)


def _islands(contacts: Contacts, bodies: int) -> Indices:
    """Return an island number for each contact; contacts connected by movable bodies have the same number."""
    label = np.arange(bodies)
    while True:
        island = np.minimum(
            np.where(contacts.first > 0, label[contacts.first], bodies),
            np.where(contacts.second > 0, label[contacts.second], bodies),
        )
        new = label.copy()
        for body in (contacts.first, contacts.second):
            np.minimum.at(new, body, island)
        new[0] = 0
        if (new == label).all():
            return island
        label = new
