"""Sleeping: islands of a pile that are at rest are not computed until something touches or changes them.

at rest:  |v| + |w| R < speed for a time, for all bodies of an island     R: radius of the body about its centre of mass

A body that sleeps has no velocity and no mass in the table, is in no contact, and is in no block of a program if all
bodies of the block sleep. Its island wakes with all its bodies and the impulses of its contacts when a body that is
awake could reach one of them within a step, when a push is given for one, and when one has another pose or velocity
than it fell asleep with. The kinetic energy of bodies that fall asleep is an entry of the ledger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.islands import islands
from gambol.rigid.state import ContactCache, PileState, SleepState

if TYPE_CHECKING:
    from gambol.rigid.contact_detection import Candidates

Array = NDArray[Any]
Indices = NDArray[np.int64]
Bools = NDArray[np.bool_]

STOPPED = "velocity", "displacement", "mean_velocity", "new_velocity", "inverse_mass", "margin", "flown"
"""Rows of the table that are 0 while a body sleeps."""

CHECKS = 8
"""Islands are looked for this many times within the time for which bodies must be at rest."""


@dataclass(frozen=True, slots=True)
class Sleeping:
    """When bodies fall asleep.

    speed: limit of the speed of any point of a body [m/s]; time: for which all bodies of an island must be below it
    [s]. Raises WorldError for values that are not positive.
    """

    speed: float = 1e-3
    time: float = 0.25

    def __post_init__(self) -> None:
        for name, x in (("speed", self.speed), ("time", self.time)):
            if not 0.0 < x < np.inf:
                raise WorldError(f"the {name} of Sleeping is {x}; it must be more than 0, and finite")


class Sleeper:
    """Puts bodies of a table to sleep and wakes them.

    options: when they fall asleep; table: the bodies, with their inverse masses; h: step [s]. state: which bodies
    sleep; its arrays are changed in place.
    """

    def __init__(self, options: Sleeping, table: BodyTable, h: float) -> None:
        self.options, self.table = options, table
        self.least_steps = max(1, round(options.time / h))
        self._inverse_mass = table["inverse_mass"].copy()
        self.state = SleepState.awake(table.bodies)
        self._watched, self._awake = np.zeros(0, np.int64), np.arange(1, table.bodies)

    @property
    def asleep(self) -> Bools:
        """True for bodies that sleep (bodies)."""
        return self.state.island > 0

    @property
    def all_asleep(self) -> bool:
        """True if all bodies sleep."""
        return bool(self.asleep[1:].all())

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """The ranges of blocks of BLOCK columns in which a body is awake."""
        awake = np.zeros(self.table.columns + 2 * BLOCK, bool)
        awake[BLOCK + 1 : BLOCK + self.table.bodies] = ~self.asleep[1:]
        edges = np.flatnonzero(np.diff(awake.reshape(-1, BLOCK).any(axis=1).astype(int)))
        return [(first, last) for first, last in edges.reshape(-1, 2).tolist()]

    def load(self, state: PileState, cache: ContactCache) -> ContactCache:
        """Take the sleeping bodies of a state that is in the table, wake those that changed; return the contact cache.

        cache: contacts of bodies that are awake.
        """
        self.state = (state.sleep or SleepState.awake(self.table.bodies)).copied()
        self.table["inverse_mass"][:] = self._inverse_mass
        changed = (state.position != self.state.position).any(axis=0) | (state.velocity != 0.0).any(axis=0)
        changed |= (state.orientation != self.state.orientation).any(axis=0)
        cache = self.wake(self.state.island[changed & self.asleep], cache)
        self._stop(self.asleep)
        return cache

    def watch(self, candidates: Candidates) -> None:
        """Watch the candidates of other contacts."""
        asleep = self.asleep
        self._watched = np.flatnonzero(asleep[candidates.first] | asleep[candidates.second])

    def touched(self, candidates: Candidates) -> Indices:
        """Return the islands that bodies touch which are awake."""
        near = self._watched[candidates.near[self._watched] > 0.0]
        bodies = np.concatenate([candidates.first[near], candidates.second[near]])
        return self.state.island[bodies]

    def wake(self, labels: Indices, cache: ContactCache) -> ContactCache:
        """Wake islands; return the cache with their contacts added. labels: numbers of islands; 0 has no effect."""
        woken = np.isin(self.state.island, labels[labels > 0])
        if not woken.any():
            return cache
        self.state.island[woken] = self.state.steps[woken] = 0
        self.table["inverse_mass"][0, : self.table.bodies][woken] = self._inverse_mass[0, : self.table.bodies][woken]
        self.state, kept = self.state.parted()
        self._awake = np.flatnonzero(~self.asleep[1:]) + 1
        return cache.merged(kept)

    def count(self) -> bool:
        """Count the steps for which bodies have been at rest; return whether it is time to look for islands."""
        awake = self._awake
        v, wrench, radius = (self.table[name].take(awake, axis=1) for name in ("velocity", "wrench", "radius"))
        speed = np.sqrt((v[3:] * v[3:]).sum(axis=0)) + np.sqrt((v[:3] * v[:3]).sum(axis=0)) * radius[0]
        moving = (speed >= self.options.speed) | wrench.any(axis=0)
        self.state.steps[awake] = steps = np.where(moving, 0, self.state.steps[awake] + 1)
        due = (steps >= self.least_steps) & (steps % max(1, self.least_steps // CHECKS) == 0)
        return bool(due.any())

    def settle(self, first: Indices, second: Indices) -> Bools:
        """Return which bodies are to sleep now; first, second: the bodies of all contacts."""
        label = islands(first, second, self.table.bodies)
        restless = np.bincount(label, self.state.steps < self.least_steps, self.table.bodies)
        asleep = (restless[label] == 0.0) & ~self.asleep
        asleep[0] = False
        self.state.island[asleep] = label[asleep]
        return asleep

    def lay(self, bodies: Bools, cache: ContactCache) -> ContactCache:
        """Stop bodies that are to sleep; return the cache without their contacts."""
        state, table = self.state, self.table
        state.steps[bodies] = 0
        for own, name in ((state.position, "position"), (state.orientation, "orientation")):
            own[:, bodies] = table[name][:, : table.bodies][:, bodies]
        self._stop(bodies)
        asleep = self.asleep
        sleeping = np.any([asleep[body] for body in cache.bodies(table.bodies)], axis=0)
        self.state = self.state.with_contacts(cache.subset(sleeping))
        return cache.subset(~sleeping)

    def _stop(self, bodies: Bools) -> None:
        """Set the rows of the table of bodies that sleep, and keep the numbers of those that are awake."""
        self._awake = np.flatnonzero(~self.asleep[1:]) + 1
        for name in STOPPED:
            self.table[name][:, : self.table.bodies][:, bodies] = 0.0
        self.table["excess"][0, : self.table.bodies][bodies] = -1.0
