"""The data of a step: the world with its inputs, the state that the step changes, the clock, the energy ledger."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import reduce
from typing import Any

from gambol.contact import Anchor, Bristle, GroundContact
from gambol.contact.generation import SceneNumbers, StepScene
from gambol.contact.memory import ContactCache, ContactMemory
from gambol.contact.penalty.patch import GroundPrograms
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, Subprogram, leaves, maximum, minimum, unflatten, where
from gambol.world.cuts import cut_springs, cut_world, remaining_fractions
from gambol.world.sampling import SensorMemory
from gambol.world.world import World

WORK, DAMPER_LOSS, CONTACT_LOSS, CORRECTION, NUMERICAL_LOSS = (
    {"sign": 1.0, "cause": "", "physical": True},
    {"sign": -1.0, "cause": "damping", "physical": True},
    {"sign": -1.0, "cause": "contact", "physical": True},
    {"sign": 1.0, "cause": "", "physical": False},
    {"sign": -1.0, "cause": "", "physical": False},
)
"""Kinds of entries of the ledger: sign +1 for work, -1 for losses; the cause of a loss, which then never decreases; and
whether physics or the method of simulation is the reason for it.
"""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The energy ledger: totals since the start [J], or their rates at one moment [W].

    motors: work of the figure's motors, or energy that actuators draw from their sources. outside: work of pushes, or
    of a prescribed base. damping: losses in dampers of joints, in spring-dampers and in actuators. impact: losses by
    the ground's normal forces and by attachments. sliding: losses by friction and by attachments that broke.
    stabilisation: work of position correction, which moves overlapping bodies apart. numerical_damping: losses because
    springs are partly implicit in large steps; below 0 if energy was gained.
    """

    motors: Scalar = field(default=0.0, metadata=WORK)
    outside: Scalar = field(default=0.0, metadata=WORK)
    damping: Scalar = field(default=0.0, metadata=DAMPER_LOSS)
    impact: Scalar = field(default=0.0, metadata=CONTACT_LOSS)
    sliding: Scalar = field(default=0.0, metadata=CONTACT_LOSS)
    stabilisation: Scalar = field(default=0.0, metadata=CORRECTION)
    numerical_damping: Scalar = field(default=0.0, metadata=NUMERICAL_LOSS)


LEDGER_SIGNS: Mapping[str, float] = {entry.name: entry.metadata["sign"] for entry in fields(Ledger)}
"""The sign of each entry of the ledger, by name and in order: +1 for work, which adds energy, -1 for losses."""

LEDGER_CAUSES: Mapping[str, str] = {entry.name: entry.metadata["cause"] for entry in fields(Ledger)}
"""The cause of each entry that dissipates energy; "" for the others. Checks add the entries of one cause."""

PHYSICAL_SIGNS: Mapping[str, float] = {
    entry.name: entry.metadata["sign"] for entry in fields(Ledger) if entry.metadata["physical"]
}
"""LEDGER_SIGNS without entries that are due to the method of simulation: these are not energy turned over."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The state besides positions and velocities. Only the state of actuators is integrated.

    control: the controller's memory, or None. anchors: anchors of the corners of each gripping link, see
    ConstraintScene. intact: 1 for intact attachments, 0 for broken ones. contact_cache: None for contact methods
    without a cache. bristles: bristles of the round parts of each gripping link; empty if none has round parts.
    actuators: state by name of each actuator that has one. sensors: past readings of sensors with noise, a delay or a
    rate; None if there are none. own_contact: see ContactMemory.own.
    """

    control: Any
    anchors: list[list[Anchor]]
    intact: list[Scalar]
    contact_cache: ContactCache | None = None
    bristles: list[list[Bristle]] = field(default_factory=list[list[Bristle]])
    actuators: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict[str, Mapping[str, Scalar]])
    sensors: SensorMemory | None = None
    own_contact: Any = None

    @property
    def contact(self) -> ContactMemory:
        """The memory of the contact method."""
        return ContactMemory(self.anchors, self.bristles, self.contact_cache, self.own_contact)

    def with_contact(self, contact: ContactMemory) -> "Memory":
        """Return this memory with another memory of the contact method."""
        return replace(
            self,
            anchors=contact.anchors,
            bristles=contact.bristles,
            contact_cache=contact.cache,
            own_contact=contact.own,
        )


@dataclass(frozen=True, slots=True)
class StepTime:
    """A moment within a step.

    control_time: time when the last control step began [s]; elapsed: time since then [s]; step_start: the value of
    elapsed when the step began [s]; h: length of the step [s], None for an instant. A quantity that jumps in time, such
    as a push, is constant in a step: steps end at the jumps.
    """

    control_time: Scalar
    elapsed: Scalar
    step_start: Scalar
    h: Scalar | None = None

    @property
    def time(self) -> Scalar:
        """Absolute time [s]."""
        return self.control_time + self.elapsed

    def later(self, t: Scalar) -> "StepTime":
        """Return the moment t [s] later within the same step."""
        return replace(self, elapsed=self.elapsed + t)

    def time_from_step_start(self, time: Scalar) -> Scalar:
        """Return the time from the beginning of the step to another time [s]."""
        return (time - self.control_time) - self.step_start

    def fraction_between(self, start: Scalar, end: Scalar, resolution: float) -> Scalar:
        """Return the fraction of the step that is between two times, from 0 to 1; for an instant 1 or 0.

        start, end: the times [s]. resolution: difference up to which an instant counts as equal to them [s].
        """
        begin, until = self.time_from_step_start(start), self.time_from_step_start(end)
        if self.h is None:
            return where((begin <= resolution) & (until > resolution), 1.0, 0.0)
        return maximum(minimum(until, self.h) - maximum(begin, 0.0), 0.0) / self.h


@dataclass(frozen=True)
class StepContext:
    """A world and its numeric inputs while a step is traced.

    numbers: inputs with the structure of world.numbers(), springs with the remaining forces after cuts. scene: source
    of the step's contacts and constraints.
    """

    world: World
    numbers: Mapping[str, Any]
    scene: StepScene

    @staticmethod
    def of(world: World, numbers: Mapping[str, Any], table: Any) -> "StepContext":
        """Return the context of a world. numbers: its inputs; table: heights of its ground."""
        ground_contact = GroundContact(world.ground, numbers["ground"], table, numbers["touch"], numbers["stick"])
        whole = world.with_parameters(numbers["parameters"])
        fractions = remaining_fractions(whole.figure, numbers["cuts"])
        remaining, springs = cut_world(whole, fractions), cut_springs(whole.figure, numbers["springs"], fractions)
        bristled = ground_contact if numbers["stick"] is None else replace(ground_contact, sticky_foot=None)
        programs = GroundPrograms(
            Subprogram(ground_contact.link_force),
            foot_force := Subprogram(ground_contact.foot_force),
            update_anchors := Subprogram(ground_contact.update_anchors),
            foot_force if bristled is ground_contact else Subprogram(bristled.foot_force),
            update_anchors if bristled is ground_contact else Subprogram(bristled.update_anchors),
        )
        inputs = SceneNumbers(ground_contact, programs, springs, numbers["limits"], numbers["contact"], fractions)
        scene = StepScene(**vars(remaining.scene), inputs=inputs)
        return StepContext(remaining, {**numbers, "springs": springs}, scene)

    @property
    def fractions(self) -> Mapping[int, Scalar]:
        """The remaining fraction of each link that can be cut off, by its index, see cuts.py."""
        return self.scene.inputs.fractions

    def fraction(self, links: Sequence[PlacedLink]) -> Scalar:
        """Return the remaining fraction of a force between links, some of which may be cut off."""
        fractions = [self.fractions[link.index] for link in links if link.index in self.fractions]
        return reduce(minimum, fractions) if fractions else 1.0

    @property
    def ground_contact(self) -> GroundContact:
        """Contact of points with the ground."""
        return self.scene.inputs.ground_contact

    def rest_angle(self, memory: Memory, name: str, elapsed: Scalar) -> tuple[list[Scalar], Scalar]:
        """Return the rest angles of a joint's springs, and their rate.

        name: name of the joint's link; elapsed: time since the control step began [s].
        """
        if name in self.world.driven:
            assert self.world.controller is not None
            angle, rate = self.world.controller.rest_angle(memory.control, name, elapsed)
            return [angle], rate
        return self.numbers["rest"][name], 0.0

    @property
    def control(self) -> dict[str, Any]:
        """Inputs of the controller, with the structure of its numbers()."""
        actuators = self.numbers["actuators"]
        return self.numbers["control"] | ({"actuators": actuators} if actuators else {})

    def stance_of(self, memory: Memory, foot: str) -> Scalar:
        """Return 1 if the leg of a foot is in stance, 0 if it steps; 1 for a foot without a leg."""
        gait = self.world.gait
        leg_index = next((i for i, leg in enumerate(gait.legs) if leg.foot == foot), None) if gait else None
        return 1.0 if gait is None or leg_index is None else where(gait.stepping(memory.control)[leg_index], 0.0, 1.0)


RUNNING = 0.0
"""The value of Clock.status of a world that runs."""
NOT_FINITE = 1.0
"""The value of Clock.status of a world that stopped because its state became non-finite."""
UNDERFLOW = 2.0
"""The value of Clock.status of a world that stopped because its step became too small."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of a world, and counts of its steps.

    control_steps: number of completed control steps. elapsed: time since the last of them [s]. step: length of the next
    attempted step [s]. taken, rejected: numbers of accepted and of rejected steps. status: RUNNING, NOT_FINITE or
    UNDERFLOW. max_residual: largest residual of the equations of an implicit step so far [rad/s or m/s].
    """

    control_steps: Scalar
    elapsed: Scalar
    step: Scalar
    taken: Scalar
    rejected: Scalar
    status: Scalar
    max_residual: Scalar = 0.0

    def moment(self, control_step: Scalar, h: Scalar | None = None) -> StepTime:
        """Return the moment at which the next step begins.

        control_step: length of a control step [s]. h: length of the next step [s], or None for an instant.
        """
        return StepTime(self.control_steps * control_step, self.elapsed, self.elapsed, h)


@dataclass(frozen=True, slots=True)
class StepState:
    """Everything that a step changes: q, v, memory, ledger [J], the integrator's history, and the clock."""

    q: list[Scalar]
    v: list[Scalar]
    memory: Memory
    ledger: Ledger
    integrator_state: list[Scalar]
    clock: Clock


def ledger_entries(ledger: Ledger) -> list[Scalar]:
    """Return the entries of a ledger, in the order of its fields [J]."""
    return list(leaves(ledger))


def with_control_advanced(world: World, memory: Memory, done: Scalar) -> Memory:
    """Return the memory, with the controller's part advanced by a control step where one has ended.

    done: true if the control step has ended.
    """
    if world.controller is None:
        return memory
    control = world.controller.advanced(memory.control, world.timing.control_step)
    return replace(memory, control=select(done, control, memory.control))


def select(condition: Scalar, yes: Any, no: Any) -> Any:
    """Return the pytree `yes` where a condition is true, else the pytree `no` of the same structure."""
    pairs = zip(leaves(yes), leaves(no), strict=True)
    return unflatten(no, iter([where(condition, x, y) for x, y in pairs]))
