"""A step of a pile: find contacts, bounce, push and rub, move, and mend what has gone in; nothing else.

    v' = v + r (a + g) + M^-1 J^T p      u_n' >= -max(gap, 0)/h,  p_n >= 0, one of them 0;  |p_t| <= mu p_n against u_t'
    x' = x + r (v + v')/2                r: what is left of the step after the body's last bounce

Bodies that nothing touches fall along parabolas. Where these moves would close a gap by more than there is, or leave
bodies in each other, they are changed by moves that change no velocity; the books call their work repair.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.collide.gap import FAR
from gambol.contact.pile import flight as air
from gambol.contact.pile.body import Pile
from gambol.contact.pile.bounce import Flight, Meeting, Scene, bounced
from gambol.contact.pile.near import Contacts, Near
from gambol.contact.pile.order import Order
from gambol.contact.pile.solve import Solver
from gambol.contact.pile.state import Books, Memory, PileState
from gambol.errors import WorldError
from gambol.lanes import Program, Recipe
from gambol.spatial import Quaternion, Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

TOLERANCE = 1e-9
"""m/s: what a sweep may still change when sweeps end."""

SWEEPS = 1000
"""At most in a step; a tower of ten boxes takes about a hundred, and one when it rests."""

MENDED = 0.2
"""Part of what bodies are in each other that a step takes away."""

SOON = 1e-9
"""Part of a step that is as good as none."""

EXACT = 1e-9
"""m: moves that are wrong by less are left as they are."""


class Mover:
    """Moves a pile. lanes: of its programs, see Program; tolerance [m/s] and sweeps: when a solver ends.

    The same bits come out whatever the number of lanes.
    """

    def __init__(
        self, pile: Pile, *, lanes: int | None = None, tolerance: float = TOLERANCE, sweeps: int = SWEEPS
    ) -> None:
        self.pile = pile
        self.near = Near(pile, lanes)
        self.solver, self.tolerance = Solver(lanes, sweeps), tolerance
        self.mass, self.moments = pile.masses(), pile.moments()
        self.frictions, self.restitutions = pile.rub_tables()
        names = pile.materials
        self.material = np.array([0, *(names.index(body.material) for body in pile.bodies)])
        q, three = Quaternion(1.0, 0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
        self.drift = Program(Recipe("pile drift", air.turned, (q, three, three, three, 0.0), 0, "turned"), lanes=lanes)
        self.nimble = Program(Recipe("pile nimbleness", air.nimbleness, (q, three), 0, "nimble"), lanes=lanes)
        self.order: Order | None = None

    def moved(self, state: PileState, steps: int = 1, push: Array | None = None) -> PileState:
        """The state after some steps under outside forces.

        push: moment and force at each body's centre of mass, in world axes (bodies, 6) [N m, N]; None: none.
        Raises WorldError for a push of another shape.
        """
        bodies = len(self.mass)
        wrench = np.zeros((6, bodies))
        if push is not None:
            if np.shape(push) != (bodies - 1, 6):
                raise WorldError(f"a push on {bodies - 1} bodies has the shape {(bodies - 1, 6)}, not {np.shape(push)}")
            wrench[:, 1:] = np.transpose(push)
        for _ in range(steps):
            state = self._stepped(state, wrench)
        return state

    def energy(self, state: PileState) -> float:
        """Kinetic energy and that of gravity, from z = 0 on [J]."""
        m, v = self.mass[1:], state.velocity[:, 1:]
        R = _rotations(state.turn[:, 1:])
        W = np.einsum("ijk,jk->ik", R, v[:3])
        high = -np.array(self.pile.gravity) @ state.position[:, 1:]
        return float(0.5 * (m * (v[3:] ** 2).sum(axis=0)).sum() + 0.5 * (self.moments[:, 1:] * W**2).sum() + m @ high)

    def _stepped(self, state: PileState, wrench: Array) -> PileState:
        h = self.pile.step
        nimble = self.nimble(state.turn, self.moments)[0]
        nimble[:, 0] = 0.0
        flight = Flight(
            np.zeros(len(self.mass)), np.zeros_like(state.velocity), state.velocity, self._pull(wrench, nimble)
        )
        scene = self._scene(state, nimble, flight.pull)
        if scene is None:
            flight.advance(np.full(len(self.mass), h))
            return self._left(state, wrench, flight.velocity, flight.moved, np.zeros(3))
        impact, friction = bounced(scene, flight, h)
        return self._held(state, scene, flight, wrench, np.array([friction, impact, 0.0]))

    def _pull(self, wrench: Array, nimble: Array) -> Array:
        """Accelerations of all bodies without contacts (6, bodies) [rad/s2, m/s2]."""
        xx, xy, xz, yy, yz, zz = nimble
        x, y, z = wrench[:3]
        turn = [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z]
        fall = np.array(self.pile.gravity)[:, None] + wrench[3:] / self.mass
        fall[:, 0] = 0.0
        return np.concatenate([turn, fall])

    def _scene(self, state: PileState, nimble: Array, pull: Array) -> Scene | None:
        """The contacts of a step, or None without any."""
        h, v = self.pile.step, state.velocity
        spin, speed, fall = (np.sqrt((x * x).sum(axis=0)) for x in (v[:3], v[3:], pull[3:]))
        reach = h * (speed + spin * self.near.radius + h * fall)
        found = self.near.contacts(state.position, state.turn, reach)
        if not len(found.first):
            return None
        order = self._order(found)
        c = found.laid_out(order)
        lightness = (1.0 / self.mass)[None]
        sides = [
            np.concatenate([point - state.position[:, own], lightness[:, own], nimble[:, own]])
            for own, point in ((c.first, c.here), (c.second, c.there))
        ]
        places, gives = self.solver.prepare(c.normal, *sides)
        one, other = self.material[c.first], self.material[c.second]
        mu, e = self.frictions[one, other], self.restitutions[one, other]
        return Scene(c, order, places, gives, mu, np.where(c.gap < FAR, e, 0.0), self.solver, self.tolerance)

    def _held(self, state: PileState, scene: Scene, flight: Flight, wrench: Array, gained: Array) -> PileState:
        """The state after contacts have held and rubbed what is left of the step."""
        h, c = self.pile.step, scene.contacts
        left = h - flight.clock
        left[0] = 0.0
        keys: Indices = scene.order.taken(c.keys(len(self.mass)))
        warm = scene.order.laid_out(state.memory.recalled(keys))
        found = scene.solved(_targets(scene, flight, h), flight.velocity + flight.pull * left, warm)
        mean = 0.5 * (flight.velocity + found.velocity)
        work = (found.impulses * scene.speeds(mean)).sum(axis=1)
        move = flight.moved + left * mean
        mended, p = _mended(scene, move, h)
        fall = (np.array(self.pile.gravity)[:, None] * c.normal).sum(axis=0)
        lifted = -p[2] * np.where(c.second > 0, 0.0, fall)
        books = gained + np.array([work[0] + work[1], work[2] + lifted[c.gap >= 0.0].sum(), lifted[c.gap < 0.0].sum()])
        memory = Memory(keys, scene.order.taken(found.impulses))
        kept = replace(state, memory=memory, residual=found.residual, sweeps=found.sweeps)
        return self._left(kept, wrench, found.velocity, mended, books, move)

    def _order(self, c: Contacts) -> Order:
        """The order of contacts: that of the step before where they are the same."""
        last = self.order
        if last is None or not (np.array_equal(last.first, c.first) and np.array_equal(last.second, c.second)):
            self.order = last = Order.of(c.first, c.second, len(self.mass), self.solver.lanes)
        return last

    def _left(
        self,
        state: PileState,
        wrench: Array,
        velocity: Array,
        move: Array,
        gained: Array,
        unmended: Array | None = None,
    ) -> PileState:
        """The state after a move.

        gained: energy from friction, impact and repair [J]. unmended: the move without repair.
        """
        h, old = self.pile.step, state.books
        turn, spin = self.drift(state.turn, velocity[:3], self.moments, move[:3] - h * velocity[:3], np.full((1, 1), h))
        push = float((wrench * (move if unmended is None else unmended)).sum())
        friction, impact, repair = gained.tolist()
        return replace(
            state,
            position=state.position + move[3:],
            turn=turn,
            velocity=np.concatenate([spin, velocity[3:]]),
            time=state.time + h,
            books=Books(old.push + push, old.friction + friction, old.impact + impact, old.repair + repair),
        )


def _targets(scene: Scene, flight: Flight, h: float) -> Array:
    """The normal speed of each contact at the step's end that closes its gap and no more [m/s].

    Where free flight does not close it within the step, it may also be the speed of that.
    """
    now = Meeting.of(scene, flight)
    left, gap = np.maximum(h - now.time, SOON * h), np.maximum(now.gap, 0.0)
    free = gap + (now.u + 0.5 * now.a * left) * left >= 0.0
    closing = -gap / left
    return np.where(free, np.minimum(closing, now.u + now.a * left), closing)


def _mended(scene: Scene, move: Array, h: float) -> tuple[Array, Array]:
    """Moves (6, bodies) that close no gap and part what is in each other, as near to given ones as can be.

    And what they are changed by: mass times way, by contact in its frame (3, columns) [kg m].
    """
    gap = scene.contacts.gap
    least = np.where(gap < 0.0, -MENDED * gap, -gap)
    nothing = np.zeros((3, len(gap)))
    if (scene.speeds(move)[2] >= least - EXACT).all():
        return move, nothing
    smooth = replace(scene, friction=np.zeros_like(gap))
    found = smooth.solved(least / h, move / h, nothing, EXACT / h)
    return found.velocity * h, found.impulses * h


def _rotations(turn: Array) -> Array:
    """Rotation matrices, world to body (3, 3, bodies), of quaternions (4, bodies)."""
    R = Quaternion(*turn).rotation().transpose
    return np.array(R.rows)
