"""Bounces within a step: each body has a clock of its own, and flies on to where it next hits something.

    g + u t + a t^2 / 2 = 0        when a contact closes, from where the later of its bodies' clocks stands

In a round, those contacts bounce that close before all others of their bodies: they leave at -e times the speed at
which they hit, those of one body together. Rounds go on until nothing closes within the step, so that a pulse goes
through a row of balls. Flights keep their energy, and bounces without friction keep it or lose it, as every contact has
p (u- + u+)/2 <= 0 whatever the others do; with e = 1 they keep it exactly. With friction, a bounce that would add
energy is drawn back towards one without restitution as far as it takes. [Smith et al. 2012 ask for all this]
A contact that would be back within a step, 2 e |u| < |a| h, does not bounce: infinitely many bounces end.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.contact.pile.near import Contacts
from gambol.contact.pile.order import Order
from gambol.contact.pile.solve import Solution, Solver
from gambol.contact.rebound import allowed_share

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

ROUNDS = 100
"""At most in a step; what has not bounced by then is held without bouncing."""

SLOW = 1e-9
"""m/s: a hit below this is rounding of a contact at rest."""

TOGETHER = 1e-6
"""Part of a step within which contacts of one body close at once."""


@dataclass
class Flight:
    """Where the bodies are within a step, each at its own time.

    clock (bodies) [s]. moved: turn and way since the step began (6, bodies) [rad, m]. velocity (6, bodies) [rad/s,
    m/s]. pull: acceleration by gravity and outside forces (6, bodies).
    """

    clock: Array
    moved: Array
    velocity: Array
    pull: Array

    def advance(self, until: Array) -> None:
        """Let each body fly until a time of its own [s]."""
        t = until - self.clock
        self.moved = self.moved + (self.velocity + self.pull * (0.5 * t)) * t
        self.velocity = self.velocity + self.pull * t
        self.clock = until


@dataclass(frozen=True)
class Scene:
    """The contacts of a step in the columns of their order, with their programs' rows and laws.

    places, gives: (rows, columns). friction, restitution: (columns). tolerance: residual at which sweeps end [m/s].
    """

    contacts: Contacts
    order: Order
    places: Array
    gives: Array
    friction: Array
    restitution: Array
    solver: Solver
    tolerance: float

    def speeds(self, velocity: Array) -> Array:
        """u of all contacts (3, columns) [m/s], or what a turn and a way (6, bodies) do there [m]."""
        return self.solver.speeds(self.places, self.order, velocity)

    def part(self, chosen: Indices, bodies: int) -> "Scene":
        """Some columns of it. bodies: how many there are with the world."""
        order = Order.of(self.contacts.first[chosen], self.contacts.second[chosen], bodies, self.solver.lanes)
        rows = (self.places, self.gives, self.friction, self.restitution)
        places, gives, friction, restitution = (order.laid_out(x[..., chosen]) for x in rows)
        contacts = self.contacts.laid_out(order, chosen)
        return Scene(contacts, order, places, gives, friction, restitution, self.solver, self.tolerance)

    def solved(self, target: Array, velocity: Array, p: Array, tolerance: float | None = None) -> Solution:
        """Impulses that keep every contact's normal speed at its target or above it, and rub.

        tolerance: the residual at which sweeps end [m/s]; None: the scene's own.
        """
        laws = np.array([self.friction, target, np.ones_like(target)])
        end = self.tolerance if tolerance is None else tolerance
        return self.solver.solved((self.places, self.gives), self.order, laws, velocity, p, end)


def bounced(scene: Scene, flight: Flight, h: float) -> tuple[float, float]:
    """Let everything bounce that hits something within a step h [s]; the flight is changed in place.

    Returns the energy given by the normal and the tangential impulses [J], 0 or less together.
    """
    bodies, normal, tangential = len(flight.clock), 0.0, 0.0
    if not scene.restitution.any():
        return normal, tangential
    for _ in range(ROUNDS):
        times = _hits(scene, flight, h)
        chosen = _first(scene.contacts, times, bodies, h)
        if not len(chosen):
            break
        part = scene.part(chosen, bodies)
        gained = _round(part, part.order.laid_out(times[chosen]), flight)
        normal, tangential = normal + gained[0], tangential + gained[1]
    return normal, tangential


@dataclass(frozen=True)
class Meeting:
    """How contacts stand when the later of their bodies' clocks stands at a time (columns) [s].

    gap [m]; speed u and acceleration a along the normal [m/s, m/s2].
    """

    time: Array
    gap: Array
    u: Array
    a: Array

    @staticmethod
    def of(scene: Scene, flight: Flight) -> "Meeting":
        """They, as bodies fly."""
        c = scene.contacts
        u, a = scene.speeds(flight.velocity)[2], scene.speeds(flight.pull)[2]
        if not flight.clock.any():
            return Meeting(np.zeros_like(u), c.gap, u, a)
        clocks = [np.where(own > 0, flight.clock[own], 0.0) for own in (c.first, c.second)]
        time, gap = np.maximum(*clocks), c.gap + scene.speeds(flight.moved)[2]
        for sign, own, clock in zip((1.0, -1.0), (c.first, c.second), clocks, strict=True):
            wait = np.where(own > 0, time - clock, 0.0)
            speed = sign * (c.normal * flight.velocity[3:, own]).sum(axis=0)
            pull = sign * (c.normal * flight.pull[3:, own]).sum(axis=0)
            gap, u = gap + (speed + 0.5 * pull * wait) * wait, u + pull * wait
        return Meeting(time, gap, u, a)


def _hits(scene: Scene, flight: Flight, h: float) -> Array:
    """When each contact closes fast enough to bounce [s]; infinite where it does not."""
    now = Meeting.of(scene, flight)
    t = _closing(np.maximum(now.gap, 0.0), now.u, now.a)
    hit = now.u + now.a * np.where(np.isfinite(t), t, 0.0)
    lively = (hit < -SLOW) & (2.0 * scene.restitution * -hit > h * np.maximum(-now.a, 0.0))
    time = now.time + t
    return np.where(lively & (time < h), time, np.inf)


def _closing(gap: Array, u: Array, a: Array) -> Array:
    """The first time at which gap + u t + a t^2 / 2 comes down to 0 [s], or infinity; gap 0 or more."""
    inside = u * u - 2.0 * a * gap
    falling = np.sqrt(np.maximum(inside, 0.0)) - u
    meets = (inside >= 0.0) & (falling > 0.0)
    t = 2.0 * gap / np.where(meets, falling, 1.0)
    ahead = (u < 0.0) | (a < 0.0)
    return np.where(meets & ahead, t, np.inf)


def _first(contacts: Contacts, times: Array, bodies: int, h: float) -> Indices:
    """The contacts that close before all others of their bodies."""
    earliest = np.full(bodies, np.inf)
    np.minimum.at(earliest, contacts.first, times)
    np.minimum.at(earliest, contacts.second, times)
    earliest[0] = np.inf
    limit = np.minimum(earliest[contacts.first], earliest[contacts.second]) + TOGETHER * h
    return np.flatnonzero(np.isfinite(times) & (times <= limit))


def _round(scene: Scene, times: Array, flight: Flight) -> tuple[float, float]:
    """Let some contacts bounce at their times."""
    c = scene.contacts
    until = flight.clock.copy()
    for body in (c.first, c.second):
        np.maximum.at(until, body, times)
    until[0] = 0.0
    flight.advance(until)
    before = scene.speeds(flight.velocity)
    target = -scene.restitution * np.minimum(before[2], 0.0)
    found = scene.solved(target, flight.velocity, np.zeros((3, len(target))))
    if scene.friction.any():
        found = _lossy(scene, found, before, flight.velocity)
    work = 0.5 * found.impulses * (before + scene.speeds(found.velocity))
    flight.velocity = found.velocity
    return float(work[2].sum()), float(work[:2].sum())


def _lossy(scene: Scene, lively: Solution, before: Array, velocity: Array) -> Solution:
    """The same bounce, or on every island that would gain energy one between it and one without restitution."""
    island = _islands(scene.contacts, velocity.shape[1])
    after = scene.speeds(lively.velocity)
    gain = _sums(island, lively.impulses * (before + after))
    if not (gain > 0.0).any():
        return lively
    dull = scene.solved(np.zeros(len(island)), velocity, lively.impulses)
    rest = scene.speeds(dull.velocity)
    change, more = lively.impulses - dull.impulses, after - rest
    none = _sums(island, dull.impulses * (before + rest))
    slope = _sums(island, change * (before + rest) + dull.impulses * more)
    curve = _sums(island, change * more)
    share = np.where(gain > 0.0, allowed_share(np.minimum(none, 0.0), slope, curve), 1.0)[island]
    p = dull.impulses + share * change
    return Solution(scene.solver.pushed(scene.places, scene.order, velocity, p), p, dull.residual, dull.sweeps)


def _sums(island: Indices, powers: Array) -> Array:
    """Half of what belongs to each island (3, contacts)."""
    return np.bincount(island, 0.5 * powers.sum(axis=0)).astype(float)


def _islands(contacts: Contacts, bodies: int) -> Indices:
    """A number for each contact, the same where bodies that can move tie contacts together."""
    label = np.arange(bodies)
    while True:
        low = np.minimum(
            np.where(contacts.first > 0, label[contacts.first], bodies),
            np.where(contacts.second > 0, label[contacts.second], bodies),
        )
        new = label.copy()
        for body in (contacts.first, contacts.second):
            np.minimum.at(new, body, low)
        new[0] = 0
        if (new == label).all():
            return low
        label = new
