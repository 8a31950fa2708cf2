"""The trajectory of many rollouts: samples at a constant rate, as arrays over times and rollouts; and its validity.

A rollout is invalid, and has no score, if its world froze, if its motion is not finite, or if the creature gained
energy from errors of the simulator.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import STANDARD_GRAVITY, kinematics
from gambol.errors import EvolveError, GambolError
from gambol.evolve.fitness.self_intersection import limb_overlap
from gambol.gait.natural import SteadyGait, WalkMotion, whole_strides
from gambol.lanes import Scalar
from gambol.world import World
from gambol.world.context import LEDGER_SIGNS, PHYSICAL_SIGNS, Ledger
from gambol.world.observe import observe, rows_of
from gambol.world.step import StepState, ledger_entries

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


@dataclass(frozen=True)
class Trajectory:
    """Samples of W rollouts at T times: z points up, and x along the heading at the start.

    time (T,) [s]. ground (T, W): height of the ground below the trunk [m]. root, centre (T, W, 3): origin of the trunk,
    and centre of mass [m]. forward, up (T, W, 3): the trunk's x and z axes. limb_overlap (T, W): largest overlap of two
    limbs, as a fraction of the thinner one's radius. pushes (T, W, feet): the ground's normal force on each foot [N].
    elsewhere (T, W): the ground's normal force on all other links [N]. energy (T, W): sum of kinetic, potential and
    stored energy [J]. ledger (T, W, entries): see ENTRIES [J]. frozen (W,): True if the world stopped. length,
    standing_height (W,): length of the body, and height of its root when standing at rest [m]. mass (W,) [kg]. friction
    (W,): friction of the ground. feet (T, W, feet, 3): lowest point of each foot [m], NaN for feet that a creature does
    not have; None if a task does not need it.

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
            links={},
            feet=tuple(f"foot {k}" for k in np.flatnonzero(exists)),
            foot_positions=np.ascontiguousarray(foot_positions[:, exists]),
            load=np.ascontiguousarray(self.pushes[:, world][:, exists]),
            weight=float(self.mass[world]) * STANDARD_GRAVITY,
            power=np.maximum(np.gradient(motors, self.time), 0.0),
        )
        try:
            return whole_strides(motion)
        except GambolError:
            return None

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
        return replace(self, **arrays, feet=None if self.feet is None else self.feet[:, rollouts])

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
    foot_positions = [trajectory.feet for trajectory in trajectories if trajectory.feet is not None]
    return Trajectory(**fields, feet=np.concatenate(foot_positions, axis=1) if foot_positions else None)


def _with_feet(trajectory: Trajectory, count: int) -> Trajectory:
    """Return a trajectory with more feet, with a load of 0 and positions of NaN. count: total number of feet."""
    more = ((0, 0), (0, 0), (0, count - trajectory.pushes.shape[2]))
    feet = trajectory.feet
    foot_positions = None if feet is None else np.pad(feet, (*more, (0, 0)), constant_values=np.nan)
    return replace(trajectory, pushes=np.pad(trajectory.pushes, more), feet=foot_positions)


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


@dataclass(frozen=True, slots=True)
class Sample:
    """The recorded numbers of a rollout at one time; for their meaning see Trajectory.

    pushes: normal forces on all feet that creatures of the world may have [N]. status: RUNNING, or the reason why the
    world stopped. feet: lowest point of each of these feet [m], empty if a task does not need it.
    """

    root: list[Scalar]
    centre: list[Scalar]
    forward: list[Scalar]
    up: list[Scalar]
    pushes: list[Scalar]
    ledger: list[Scalar]
    elsewhere: Scalar
    limb_overlap: Scalar
    energy: Scalar
    status: Scalar
    feet: list[Scalar] = field(default_factory=list[Scalar])


def take_sample(
    world: World, step_state: StepState, numbers: Mapping[str, Any], limb_of_link: Sequence[Scalar], table: Any = None
) -> Sample:
    """Return the sample of a world's creature in a state.

    world: a world with one creature. step_state: state of the world. numbers: numbers of the world. limb_of_link: for
    each link the number of its limb, see limb_overlap(). table: heights of the ground, or None.
    """
    observed = observe(world, step_state, numbers, table)
    figure = world.with_parameters(numbers["parameters"]).figure
    state = kinematics(figure, step_state.q, step_state.v)
    axes = state.poses[figure.root.index].rotation.transpose.rows
    return Sample(
        observed.positions[:3],
        observed.centre,
        list(axes[0]),
        list(axes[2]),
        observed.normal_forces,
        ledger_entries(step_state.ledger),
        observed.elsewhere,
        limb_overlap(state, limb_of_link),
        observed.kinetic + observed.potential + observed.stored,
        step_state.clock.status,
    )


def take_sample_with_feet(
    world: World, step_state: StepState, numbers: Mapping[str, Any], limb_of_link: Sequence[Scalar], table: Any = None
) -> Sample:
    """Return the sample of a world's creature with the positions of its feet; arguments: as for take_sample()."""
    sample = take_sample(world, step_state, numbers, limb_of_link, table)
    return replace(sample, feet=observe(world, step_state, numbers, table).feet)


def sample_rows(world: World, *, feet: bool = False) -> dict[str, slice | int]:
    """Return the row or rows of each field of Sample among the numbers of a world's sample.

    feet: True for samples with the positions of feet.
    """
    sizes = dict.fromkeys(("root", "centre", "forward", "up"), 3)
    count = len(world.surface.feet)
    sizes |= {"pushes": count, "ledger": len(ledger_entries(Ledger())), "feet": 3 * count if feet else 0}
    return rows_of(Sample, sizes)
