"""The state of a pile: poses and velocities of its bodies, and the contact cache."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.rigid.body import MAX_FEATURES, Pile
from gambol.rigid.ledger import EnergyLedger
from gambol.spatial import Quaternion

Array = NDArray[np.float64]

SMOOTH_RATIO = 0.25
"""Impulses are extrapolated if their last two changes differ by at most this fraction of the last one: with 0.5, a
tower of ten boxes takes 61 instead of 40 sweeps in a step."""


@dataclass(frozen=True)
class ContactCache:
    """The contact cache, for warm starts: keys of the last step's contacts, ascending, and their impulses [N s].

    keys: (contacts); a key is one integer for the pair of bodies and the number of the contact between them, the same
    in every step. impulses: (3, contacts), in the contacts' frames, normal last. change: their change in the last step
    (3, contacts), 0 if the contacts were others. smooth: whether the change was nearly that of the step before, so that
    the impulses can be extrapolated. features: Pile.features.
    """

    keys: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    impulses: Array = field(default_factory=lambda: np.zeros((3, 0)))
    change: Array = field(default_factory=lambda: np.zeros((3, 0)))
    smooth: bool = False
    features: int = MAX_FEATURES

    def impulses_of(self, keys: NDArray[np.int64]) -> Array:
        """Return the cached impulses (3, contacts) of the contacts with these keys, 0 for new contacts."""
        result = np.zeros((3, len(keys)))
        if len(self.keys) and len(keys):
            index = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
            known = self.keys[index] == keys
            result[:, known] = self.impulses[:, index[known]]
        return result

    def bodies(self, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the first and second bodies of the contacts; count: the number of bodies, the world included."""
        pairs = self.keys // self.features
        return pairs // count, pairs % count

    def subset(self, chosen: NDArray[np.bool_]) -> "ContactCache":
        """Return the chosen contacts, without their changes."""
        impulses = self.impulses[:, chosen]
        return ContactCache(self.keys[chosen], impulses, np.zeros_like(impulses), features=self.features)

    def merged(self, others: "ContactCache") -> "ContactCache":
        """Return these contacts and others, without their changes."""
        keys = np.concatenate([self.keys, others.keys])
        order = np.argsort(keys, kind="stable")
        impulses = np.concatenate([self.impulses, others.impulses], axis=1)[:, order]
        features = max(self.features, others.features)  # of an empty one it may be the default
        return ContactCache(keys[order], impulses, np.zeros_like(impulses), features=features)

    def initial(self, keys: NDArray[np.int64]) -> Array:
        """Return initial impulses (3, contacts) of the contacts with these keys for the next step.

        Where a board is pushed under 25 balls, all change smoothly, and sweeps from extrapolated impulses are 3 instead
        of 14. Changes that are not smooth are errors of the solution, which would grow.
        """
        if self.smooth and (keys is self.keys or np.array_equal(keys, self.keys)):
            return self.impulses + self.change
        return self.impulses_of(keys)

    def after(self, keys: NDArray[np.int64], impulses: Array) -> "ContactCache":
        """Return the cache after a step with these contacts and impulses (3, contacts)."""
        if keys is not self.keys and not np.array_equal(keys, self.keys):
            return ContactCache(keys, impulses, np.zeros_like(impulses), features=self.features)
        change = impulses - self.impulses
        second_change = change - self.change
        smooth = _square(second_change) <= SMOOTH_RATIO**2 * _square(change)
        return ContactCache(keys, impulses, change, smooth, self.features)


def _square(x: Array) -> float:
    """Return the sum of squares; unlike that of BLAS, it does not depend on a number of threads."""
    return float((x * x).sum())


@dataclass(frozen=True, eq=False)
class SleepState:
    """The bodies that sleep, see sleep.py; column 0 is the world.

    island: number of the island of each body that sleeps, its smallest body; 0 for bodies that are awake (bodies + 1).
    steps: number of steps for which each body has been at rest (bodies + 1). position (3, bodies + 1), orientation (4,
    bodies + 1): where it fell asleep. contacts: contacts of bodies that sleep.
    """

    island: NDArray[np.int64]
    steps: NDArray[np.int64]
    position: Array
    orientation: Array
    contacts: ContactCache = field(default_factory=ContactCache)

    @staticmethod
    def awake(bodies: int) -> "SleepState":
        """Return the state in which all are awake; bodies: their number, the world included."""
        island, steps = np.zeros((2, bodies), np.int64)
        return SleepState(island, steps, np.zeros((3, bodies)), np.zeros((4, bodies)))

    def copied(self) -> "SleepState":
        """Return a copy of the arrays that change."""
        island, steps = self.island.copy(), self.steps.copy()
        return SleepState(island, steps, self.position.copy(), self.orientation.copy(), self.contacts)

    def with_contacts(self, more: ContactCache) -> "SleepState":
        """Return the state with further contacts."""
        return replace(self, contacts=self.contacts.merged(more))

    def parted(self) -> "tuple[SleepState, ContactCache]":
        """Return the state without contacts of which no body sleeps, and these contacts."""
        asleep = self.island > 0
        sleeping = np.any([asleep[body] for body in self.contacts.bodies(len(asleep))], axis=0)
        return replace(self, contacts=self.contacts.subset(sleeping)), self.contacts.subset(~sleeping)


@dataclass(frozen=True)
class PileState:
    """The state of a pile. Column 0 is the world, which does not move; column k is body k.

    position: position of the centres of mass (3, bodies + 1) [m]. orientation: rotations from body to world axes (4,
    bodies + 1), unit quaternions. velocity: velocities in world axes (6, bodies + 1), angular first [rad/s, m/s]. time
    [s]. cache: contact cache for warm starts. ledger: ledger of energy. residual: largest change of a velocity in the
    last sweep of the step's contact solver [m/s]. sweeps: number of sweeps in the last step. sleep: the bodies that
    sleep; None: none does. joints: impulses of joints by friction, hard limits and servos of limited strength (6,
    joints); None: 0.
    """

    position: Array
    orientation: Array
    velocity: Array
    time: float = 0.0
    cache: ContactCache = field(default_factory=ContactCache)
    ledger: EnergyLedger = field(default_factory=EnergyLedger)
    residual: float = 0.0
    sweeps: int = 0
    sleep: SleepState | None = None
    joints: Array | None = None

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """True for bodies that sleep (bodies)."""
        sleep = SleepState.awake(self.position.shape[1]) if self.sleep is None else self.sleep
        return sleep.island[1:] > 0


def kinetic_energy(mass: Array, moments: Array, orientation: Array, velocity: Array) -> float:
    """Return the kinetic energy of bodies [J].

    mass (bodies) [kg]; moments: principal moments of inertia (3, bodies) [kg m2]; orientation (4, bodies), velocity (6,
    bodies): see PileState.
    """
    R = np.array(Quaternion(*orientation).rotation().transpose.rows)
    W = np.einsum("ijk,jk->ik", R, velocity[:3])
    return float(0.5 * (mass * (velocity[3:] ** 2).sum(axis=0)).sum() + 0.5 * (moments * W**2).sum())


def initial_state(
    pile: Pile,
    positions: Sequence[Sequence[float]] | Array,
    orientations: Sequence[Sequence[float]] | Array | None = None,
    velocities: Sequence[Sequence[float]] | Array | None = None,
) -> PileState:
    """Return the initial state of a pile.

    positions: positions of the centres of mass (bodies, 3) [m]. orientations: quaternions (bodies, 4); None: upright.
    velocities: velocities in world axes, angular first (bodies, 6) [rad/s, m/s]; None: at rest. Raises WorldError for
    arrays of another shape, numbers that are not finite, and quaternions that are not unit.
    """
    n = len(pile.bodies)
    q = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)) if orientations is None else np.asarray(orientations, float)
    v = np.zeros((n, 6)) if velocities is None else np.asarray(velocities, float)
    x = np.asarray(positions, float)
    for name, array, columns in (("positions", x, 3), ("orientations", q, 4), ("velocities", v, 6)):
        if array.shape != (n, columns):
            raise WorldError(f"the {name} of {n} bodies must have the shape {(n, columns)}, not {array.shape}")
        if not np.isfinite(array).all():
            raise WorldError(f"the {name} of body {int(np.argwhere(~np.isfinite(array))[0, 0]) + 1} are not finite")
    lengths = np.linalg.norm(q, axis=1)
    if np.abs(lengths - 1.0).max() > 1e-6:  # so quaternions written with seven digits pass
        raise WorldError(f"the quaternion of body {int(np.abs(lengths - 1.0).argmax()) + 1} is not of length 1")
    world = np.array([[1.0, 0.0, 0.0, 0.0]])
    return PileState(
        np.concatenate([np.zeros((1, 3)), x]).T.copy(),
        np.concatenate([world, q / lengths[:, None]]).T.copy(),
        np.concatenate([np.zeros((1, 6)), v]).T.copy(),
    )
