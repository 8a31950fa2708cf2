"""The unknowns of a plan: states, accelerations, torques and contact forces at the nodes of each phase.

Every phase has separate nodes, so that accelerations and forces may jump where contacts change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import PlanError
from gambol.figure import JOINTS, Figure
from gambol.plan.motion.spec.plan import Plan, Ranges
from gambol.plan.motion.transcription.points import PlacedPoint, place_point
from gambol.plan.motion.transcription.scales import Scales, scales_of
from gambol.plan.motion.transcription.schemes import SCHEMES, Scheme

Indices = NDArray[np.intp]
Numbers = NDArray[np.float64]


@dataclass
class Unknowns:
    """The unknowns of a program while they are added: scales, first guess and bounds, in physical units."""

    scale: Numbers = field(default_factory=lambda: np.zeros(0))
    initial: Numbers = field(default_factory=lambda: np.zeros(0))
    lower: Numbers = field(default_factory=lambda: np.zeros(0))
    upper: Numbers = field(default_factory=lambda: np.zeros(0))

    def add(self, initial: ArrayLike, scale: ArrayLike) -> Indices:
        """Add unknowns of the shape of `initial` and return their indices.

        scale: scales of all unknowns, or one for each entry along the last axis.
        """
        values, first = np.asarray(initial, float), self.initial.size
        self.initial = np.append(self.initial, values)
        self.scale = np.append(self.scale, np.broadcast_to(np.asarray(scale, float), values.shape))
        self.lower = np.append(self.lower, np.full(values.size, -np.inf))
        self.upper = np.append(self.upper, np.full(values.size, np.inf))
        return np.arange(first, first + values.size).reshape(values.shape)

    def bound(self, indices: Indices, lower: ArrayLike, upper: ArrayLike, subject: str) -> None:
        """Narrow the bounds of unknowns.

        subject: name of the value, for the message. Raises PlanError for an empty range.
        """
        self.lower[indices] = np.maximum(self.lower[indices], lower)
        self.upper[indices] = np.minimum(self.upper[indices], upper)
        if np.any(empty := self.lower[indices] > self.upper[indices] + BOUND_TOLERANCE):
            k = np.asarray(indices)[empty].ravel()[0]
            raise PlanError(
                f"{subject} is impossible: together with other bounds, it must be at least {self.lower[k]:g} and at "
                f"most {self.upper[k]:g}"
            )
        self.lower[indices] = np.minimum(self.lower[indices], self.upper[indices])


BOUND_TOLERANCE = 1e-12
"""Amount by which bounds may cross, because of rounding of equal numbers."""


@dataclass(frozen=True)
class Block:
    """The unknowns of one phase.

    fractions (n): fractions of its nodes, from 0 to 1. q (n, nq), v (n, nv), a (n, nv), u (n, actuated), f (n, 3
    contacts): indices of unknowns. If contacts are to be found, f is (n, 5 points): the normal force of each point, and
    friction in both directions along both tangents. duration: index of its duration, or None if that is fixed. seconds:
    duration in the first guess [s]. contacts: contacts of the phase, or points that may touch. finds_contacts: True if
    they may touch.
    """

    name: str
    fractions: Numbers
    q: Indices
    v: Indices
    a: Indices
    u: Indices
    f: Indices
    duration: int | None
    seconds: float
    contacts: tuple[PlacedPoint, ...]
    finds_contacts: bool

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.fractions)


@dataclass(frozen=True)
class Layout:
    """The unknowns of a plan by phase, and their scales and bounds for a program.

    actuated: velocity indices of actuated freedoms.
    """

    plan: Plan
    scheme: Scheme
    scales: Scales
    blocks: tuple[Block, ...]
    actuated: tuple[int, ...]
    unknowns: Unknowns

    @property
    def figure(self) -> Figure:
        """The figure."""
        return self.plan.figure

    def durations(self, x: Numbers) -> list[float]:
        """Return the durations of the phases [s]; x: all unknowns in physical units."""
        return [block.seconds if block.duration is None else float(x[block.duration]) for block in self.blocks]

    def guessed_times(self, phase: int) -> Numbers:
        """Return the times of a phase's nodes [s] with the durations of the first guess."""
        seconds = [block.seconds for block in self.blocks]
        return sum(seconds[:phase]) + self.blocks[phase].fractions * seconds[phase]

    def duration_input(self, phase: int, instances: int) -> NDArray[np.intp] | Numbers:
        """Return the duration of a phase as an input of an element (instances, 1): an index or a constant."""
        block = self.blocks[phase]
        if block.duration is None:
            return np.full((instances, 1), block.seconds)
        return np.full((instances, 1), block.duration, np.intp)


@dataclass(frozen=True)
class PhaseGuess:
    """First values of the unknowns of a phase at its nodes, in physical units; see Block. seconds: its duration."""

    fractions: Numbers
    q: Numbers
    v: Numbers
    a: Numbers
    u: Numbers
    f: Numbers
    seconds: float


def actuated_freedoms(plan: Plan) -> tuple[int, ...]:
    """Return the velocity indices of actuated freedoms, in order."""
    return tuple(sorted(k for name in plan.torques for k in range(*plan.figure.link(name).v.indices(plan.figure.nv))))


def ranges_of(figure: Figure, bounds: Mapping[str, Ranges], *, positions: bool = False) -> dict[str, Numbers]:
    """Return bounds by link name as arrays (freedoms, 2); see Ranges.

    positions: True for bounds of coordinates, False for bounds of velocities or forces. Raises PlanError for a wrong
    number of ranges, and for a range with its lower end above its upper end.
    """
    result: dict[str, Numbers] = {}
    for name, ranges in bounds.items():
        kind = JOINTS[figure.link(name).joint.kind]
        size = kind.nq if positions else kind.nv
        values = np.asarray(ranges, float)
        if values.ndim == 0:
            values = np.array([-values, values])
        if values.shape not in ((2,), (size, 2)):
            raise PlanError(
                f'"{name}" has {values.size // 2} ranges; its {figure.link(name).joint.kind} joint takes one for all, '
                f"or {size}"
            )
        values = np.broadcast_to(values, (size, 2))
        if np.any(np.isnan(values)) or np.any(values[:, 0] > values[:, 1]):
            raise PlanError(f'"{name}" has a range from {values[0, 0]:g} to {values[0, 1]:g}; give the lower end first')
        result[name] = values
    return result


def make_layout(plan: Plan, guesses: Sequence[PhaseGuess]) -> Layout:
    """Return the unknowns of a plan with their bounds on durations, positions, speeds and torques."""
    figure, scales, actuated = plan.figure, scales_of(plan.figure), actuated_freedoms(plan)
    unknowns, blocks = Unknowns(), list[Block]()
    for phase, guess in zip(plan.phases, guesses, strict=True):
        free = not isinstance(phase.duration, (int, float))
        duration = int(unknowns.add([guess.seconds], scales.time)[0]) if free else None
        points = tuple(place_point(figure, plan.points, name) for name in phase.contacts or phase.may_touch)
        blocks.append(
            Block(
                phase.name,
                guess.fractions,
                unknowns.add(guess.q, scales.q),
                unknowns.add(guess.v, scales.v),
                unknowns.add(guess.a, scales.a),
                unknowns.add(guess.u, scales.torque[list(actuated)]),
                unknowns.add(guess.f, scales.force),
                duration,
                guess.seconds,
                points,
                bool(phase.may_touch),
            )
        )
    layout = Layout(plan, SCHEMES[plan.mesh.method], scales, tuple(blocks), actuated, unknowns)
    _bound_unknowns(layout)
    return layout


def _bound_unknowns(layout: Layout) -> None:
    plan, figure, unknowns = layout.plan, layout.figure, layout.unknowns
    limits = ranges_of(figure, plan.limits, positions=True)
    speeds, torques = ranges_of(figure, plan.speeds), ranges_of(figure, plan.torques)
    for block, phase in zip(layout.blocks, plan.phases, strict=True):
        if block.duration is not None and not isinstance(phase.duration, (int, float)):
            unknowns.bound(np.array([block.duration]), *phase.duration, f'the duration of phase "{phase.name}"')
        for name, values in limits.items():
            unknowns.bound(block.q[:, figure.link(name).q], values[:, 0], values[:, 1], f'a limit of "{name}"')
        for name, values in speeds.items():
            unknowns.bound(block.v[:, figure.link(name).v], values[:, 0], values[:, 1], f'a speed of "{name}"')
        for name, values in torques.items():
            columns = [layout.actuated.index(k) for k in range(figure.nv)[figure.link(name).v]]
            unknowns.bound(block.u[:, columns], values[:, 0], values[:, 1], f'a torque of "{name}"')
        idle = ([] if layout.scheme.at_start else [0]) + ([] if layout.scheme.at_end else [-1])
        for node in idle:
            for values in (block.a, block.u, block.f):
                unknowns.bound(values[node], 0.0, 0.0, "a node without dynamics")
