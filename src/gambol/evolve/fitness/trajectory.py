"""The trajectory of many rollouts: samples at a constant rate, as arrays over times and rollouts; and its validity.

A rollout is invalid, and has no score, if its world froze, if its motion is not finite, or if the creature gained
energy from errors of the simulator.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import EvolveError, GambolError
from gambol.gait.natural import SteadyGait, WalkMotion, whole_strides
from gambol.world.context import LEDGER_SIGNS, PHYSICAL_SIGNS

Array = NDArray[np.float64]

SPEED_WINDOWS = 4
"""The number of equal intervals of a rollout for which mean speeds are compared."""

MIN_DISTANCE = 0.5
"""Minimum distance covered by a creature whose strides are measured [body lengths]: others mostly shuffle or fall."""

ENTRIES = tuple(LEDGER_SIGNS)
"""The entries of the energy ledger, in their order."""

SAMPLED = ("ground", "root", "centre", "forward", "up", "limb_overlap", "pushes", "elsewhere", "energy", "ledger")
"""Arrays of a trajectory over times and rollouts (T, W, ...)."""

CONSTANT = ("frozen", "length", "standing_height", "mass", "friction")
"""Arrays of a trajectory over rollouts (W,)."""

BY_FOOT = ("feet", "forces", "slid")
"""Arrays over times, rollouts and feet (T, W, feet, ...), which are None in tasks whose terms do not need them."""

OF_LINKS = ("head", "tail")
"""Arrays over times and rollouts (T, W, 3, 3), which are None in tasks whose terms do not need them."""

OPTIONAL = (*BY_FOOT, *OF_LINKS)
"""Arrays that are None in tasks whose terms do not need them."""


@dataclass(frozen=True)
class Trajectory:
    """Samples of W rollouts at T times: z points up, and x along the heading at the start.

    time (T,) [s]. ground (T, W): height of the ground below the trunk [m]. root, centre (T, W, 3): origin of the trunk,
    and centre of mass [m]. forward, up (T, W, 3): the trunk's x and z axes. limb_overlap (T, W): largest overlap of two
    limbs, as a fraction of the thinner one's radius. pushes (T, W, feet): the ground's normal force on each foot [N].
    elsewhere (T, W): the ground's normal force on all other links [N]. energy (T, W): sum of kinetic, potential and
    stored energy [J]. ledger (T, W, entries): see ENTRIES [J]. frozen (W,): True if the world stopped. length,
    standing_height (W,): length of the body, and height of its root when standing at rest [m]. mass (W,) [kg]. friction
    (W,): friction of the ground. Each of the following is None if a task does not need it. feet (T, W, feet, 3): lowest
    point of each foot [m], NaN for feet that a creature does not have. forces (T, W, feet, 3): force of the ground on
    each foot, mean over the last time step [N]. slid (T, W, feet): distance that the material of each foot moved along
    the ground since the previous sample, 0 at the first [m]. head, tail (T, W, 3, 3): rotations of the last links of
    head and tail, NaN for creatures without them.

    In memory the times of a rollout are contiguous: then a mean over time has the same bits for any W.
    """

    time: Array
    ground: Array
    root: Array
    centre: Array
    forward: Array
    up: Array
    limb_overlap: Array
    pushes: Array
    elsewhere: Array
    energy: Array
    ledger: Array
    frozen: NDArray[np.bool_]
    length: Array
    standing_height: Array
    mass: Array
    friction: Array
    feet: Array | None = None
    forces: Array | None = None
    slid: Array | None = None
    head: Array | None = None
    tail: Array | None = None

    @cached_property
    def gaits(self) -> list[SteadyGait | None]:
        """The whole strides of each rollout; None for fewer than two, and for a creature that hardly moves.

        The power of a gait is the positive part of the power of all motors together. Raises EvolveError if the
        positions of feet were not sampled.
        """
        if self.feet is None:
            raise EvolveError("the positions of feet were not sampled; terms about animals need a task that has them")
        return [self._gait(self.feet[:, world], world) for world in range(len(self.length))]

    def _gait(self, foot_positions: Array, world: int) -> SteadyGait | None:
        """Return the whole strides of one rollout. foot_positions: positions of its feet (T, feet, 3) [m]."""
        if not abs(self.path[-1, world, 0]) >= MIN_DISTANCE:
            return None
        exists = np.isfinite(foot_positions[0, :, 0])  # other creatures of the trajectory may have more feet
        forward, up = (np.ascontiguousarray(x[:, world]) for x in (self.forward, self.up))
        motors = np.ascontiguousarray(self.ledger_of("motors")[:, world])
        motion = WalkMotion(
            name="rollout",
            time=self.time,
            root=np.ascontiguousarray(self.root[:, world]),
            centre=np.ascontiguousarray(self.centre[:, world]),
            trunk=np.stack([forward, np.cross(up, forward), up], axis=-1),
            links=self._links(world),
            feet=tuple(f"foot {k}" for k in np.flatnonzero(exists)),
            foot_positions=np.ascontiguousarray(foot_positions[:, exists]),
            load=np.ascontiguousarray(self.pushes[:, world][:, exists]),
            weight=float(self.mass[world]) * STANDARD_GRAVITY,
            slid=None if self.slid is None else np.ascontiguousarray(self.slid[1:, world][:, exists]),
            power=np.maximum(np.gradient(motors, self.time), 0.0),
            force=None if self.forces is None else np.ascontiguousarray(self.forces[:, world][:, exists]),
        )
        try:
            return whole_strides(motion)
        except GambolError:
            return None

    def _links(self, world: int) -> dict[str, Array]:
        """Return the rotations (T, 3, 3) of head and tail of a rollout, where they are known."""
        sampled = {name: values for name in OF_LINKS if (values := getattr(self, name)) is not None}
        own = {name: np.ascontiguousarray(values[:, world]) for name, values in sampled.items()}
        return {name: R for name, R in own.items() if np.isfinite(R[0]).all()}

    @property
    def root_height(self) -> Array:
        """The height of the trunk above the ground [m] (T, W)."""
        return self.root[..., 2] - self.ground

    @property
    def centre_height(self) -> Array:
        """The height of the centre of mass above the ground below the trunk [m] (T, W)."""
        return self.centre[..., 2] - self.ground

    @property
    def duration(self) -> float:
        """The time from the first sample to the last [s]."""
        return float(self.time[-1] - self.time[0])

    @cached_property
    def path(self) -> Array:
        """The horizontal positions of the centres of mass, relative to the first sample [body lengths] (T, W, 2)."""
        return (self.centre[..., :2] - self.centre[:1, :, :2]) / self.length[:, None]

    @cached_property
    def quarter_speeds(self) -> Array:
        """The mean speeds along the initial heading in the quarters of a rollout (4, W) [body lengths/s]."""
        edges = np.linspace(0, len(self.time) - 1, SPEED_WINDOWS + 1).round().astype(int)
        return np.diff(self.path[edges, :, 0], axis=0) / np.diff(self.time[edges])[:, None]

    def part(self, rollouts: slice) -> "Trajectory":
        """Return the trajectory of some of its rollouts."""
        arrays = {name: getattr(self, name)[:, rollouts] for name in SAMPLED}
        arrays |= {name: getattr(self, name)[rollouts] for name in CONSTANT}
        arrays |= {name: x[:, rollouts] for name in OPTIONAL if (x := getattr(self, name)) is not None}
        return replace(self, **arrays)

    def ledger_of(self, entry: str) -> Array:
        """Return an entry of the ledger (T, W) [J]."""
        return self.ledger[..., ENTRIES.index(entry)]

    def ledger_change(self, entry: str) -> Array:
        """Return the change of an entry of the ledger over the trajectory (W,) [J]."""
        return self.ledger_of(entry)[-1] - self.ledger_of(entry)[0]

    @property
    def unaccounted(self) -> Array:
        """The energy change since the first sample that no physical entry of the ledger explains [J] (T, W)."""
        explained = (sign * self.ledger_of(entry) for entry, sign in PHYSICAL_SIGNS.items())
        unexplained = self.energy - sum(explained)
        return unexplained - unexplained[:1]


def concatenate(trajectories: Sequence[Trajectory]) -> Trajectory:
    """Return one trajectory with the rollouts of several, in their order; all have the same times."""
    if len(trajectories) == 1:
        return trajectories[0]
    feet = max(trajectory.pushes.shape[2] for trajectory in trajectories)
    trajectories = [_with_feet(trajectory, feet) for trajectory in trajectories]
    fields: dict[str, Any] = {"time": trajectories[0].time}
    for name in SAMPLED:
        fields[name] = np.concatenate([getattr(trajectory, name).T for trajectory in trajectories], axis=-2).T
    for name in CONSTANT:
        fields[name] = np.concatenate([getattr(trajectory, name) for trajectory in trajectories])
    for name in OPTIONAL:
        if getattr(trajectories[0], name) is not None:
            fields[name] = np.concatenate([getattr(trajectory, name) for trajectory in trajectories], axis=1)
    return Trajectory(**fields)


def _with_feet(trajectory: Trajectory, count: int) -> Trajectory:
    """Return a trajectory with more feet, with a load of 0 and NaN for other values. count: total number of feet."""
    more = ((0, 0), (0, 0), (0, count - trajectory.pushes.shape[2]))
    sampled = {name: x for name in BY_FOOT if (x := getattr(trajectory, name)) is not None}
    padded = {
        name: np.pad(x, (*more, *((0, 0),) * (x.ndim - len(more))), constant_values=np.nan)
        for name, x in sampled.items()
    }
    return replace(trajectory, pushes=np.pad(trajectory.pushes, more), **padded)


MAX_GAIN = 0.05
"""Unaccounted energy that is allowed as an error of the time step, as a fraction of the motors' work."""

ENERGY_TOLERANCE = 0.02
"""Unaccounted energy that is allowed in addition, for rounding errors, as a fraction of weight times length."""

FROZE, GAINED, NOT_FINITE = "froze", "gained energy", "is not a number"


def invalid_reasons(trajectory: Trajectory) -> list[str]:
    """Return the reason why each rollout is invalid, "" if it is valid (W)."""
    checks: list[tuple[str, Any]] = [
        (FROZE, trajectory.frozen),
        (NOT_FINITE, ~np.isfinite(trajectory.centre).all(axis=(0, 2))),
        (GAINED, energy_gain(trajectory) > 1.0),
    ]
    reasons = [""] * len(trajectory.frozen)
    for reason, is_invalid in reversed(checks):
        for k in np.flatnonzero(is_invalid):
            reasons[k] = reason
    return reasons


def energy_gain(trajectory: Trajectory) -> Array:
    """Return the largest unaccounted energy of each rollout as a fraction of the allowed unaccounted energy (W,)."""
    with np.errstate(invalid="ignore", over="ignore"):
        negligible = ENERGY_TOLERANCE * trajectory.mass * STANDARD_GRAVITY * trajectory.length
        motor_work = trajectory.ledger_of("motors")
        allowed = negligible + MAX_GAIN * np.abs(motor_work - motor_work[:1]).max(axis=0)
        worst = trajectory.unaccounted.max(axis=0) / allowed
    return np.where(np.isfinite(worst), worst, np.inf)
