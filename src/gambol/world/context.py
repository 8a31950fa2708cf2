"""The context of a step while it is traced: a world with its numeric inputs; its discrete state; its energy ledger."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gambol.contact import Anchor, Bristle, GroundContact
from gambol.lanes import Scalar, Subprogram, where
from gambol.world.world import World


@dataclass(frozen=True, slots=True)
class Ledger:
    """The energy ledger: totals so far [J], or their rates at one moment [W].

    motors, outside: work done on the figure by its motors, and by pushes or a moved base. damping, impact, sliding:
    energy taken by joint dampers; by the ground's normal force and attachments; by friction, and by what broke.
    stabilisation: work of position correction, which moves overlapping bodies apart.
    """

    motors: Scalar = 0.0
    outside: Scalar = 0.0
    damping: Scalar = 0.0
    impact: Scalar = 0.0
    sliding: Scalar = 0.0
    stabilisation: Scalar = 0.0


@dataclass(frozen=True, slots=True)
class ContactCache:
    """The contact cache: results of a contact method in the last step, for warm starts and for reports.

    impulses: of contacts (normal, two tangents), limits and dry frictions [N s or N m s]. indices: of the cached
    contacts among all possible ones; empty where all fit. step_size: of that step [s]. residual: largest violation of
    the laws of contact [m/s or rad/s]. unsolved: steps so far in which that was too large. sticking: 1 for contacts
    that hold, as sticky feet do; empty where none can. over_capacity: steps so far with more near contacts than fit;
    empty where all fit. restitution_limited: steps so far in which impulses were reduced because restitution would have
    added energy; empty where it never does. speeds: of the contact rows after the step [m/s]; empty where no method
    needs them.
    """

    impulses: list[list[Scalar]]
    indices: list[Scalar]
    step_size: Scalar = 0.0
    residual: Scalar = 0.0
    unsolved: Scalar = 0.0
    sticking: list[Scalar] = field(default_factory=list[Scalar])
    over_capacity: list[Scalar] = field(default_factory=list[Scalar])
    restitution_limited: list[Scalar] = field(default_factory=list[Scalar])
    speeds: list[list[Scalar]] = field(default_factory=list[list[Scalar]])


@dataclass(frozen=True, slots=True)
class Memory:
    """Discrete state: what changes between steps and is not integrated.

    control: the controller's memory, or None. anchors: of each foot's points. intact: 1 for intact attachments, 0 for
    broken ones. contact_cache: None for contact methods without one. bristles: of each foot's round parts; empty where
    no foot has any.
    """

    control: Any
    anchors: list[list[Anchor]]
    intact: list[Scalar]
    contact_cache: ContactCache | None = None
    bristles: list[list[Bristle]] = field(default_factory=list[list[Bristle]])


TIME_EPS = 1e-5
"""Part of a control step that counts as nothing: far above rounding of it, in single precision too."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment within a step.

    control_time: time when the last control step began [s]; elapsed: time since then [s]; step_start: what elapsed was
    when the step began [s]. What jumps in time, such as a push, keeps the value it had when the step began: steps end
    at such jumps.
    """

    control_time: Scalar
    elapsed: Scalar
    step_start: Scalar

    @property
    def time(self) -> Scalar:
        """Time [s]."""
        return self.control_time + self.elapsed

    def later(self, t: Scalar) -> "Moment":
        """Return the moment t [s] later within the same step."""
        return Moment(self.control_time, self.elapsed + t, self.step_start)

    def time_until(self, edge: Scalar) -> Scalar:
        """Return the time from the beginning of the step to another time [s]."""
        return (edge - self.control_time) - self.step_start


@dataclass(frozen=True)
class StepContext:
    """A world and its numeric inputs while a step is traced.

    numbers: of the form of world.numbers(). ground_contact: contact of single points with the ground. point_force,
    foot_force, update_anchors: its methods, each traced once.
    """

    world: World
    numbers: Mapping[str, Any]
    ground_contact: GroundContact
    point_force: Subprogram
    foot_force: Subprogram
    update_anchors: Subprogram

    @staticmethod
    def of(world: World, numbers: Mapping[str, Any], table: Any) -> "StepContext":
        """Return the context of a world; numbers: its inputs, with figure parameters; table: heights of its ground."""
        at = GroundContact(world.ground, numbers["ground"], table, numbers["touch"], numbers["stick"])
        parametrised = world.with_parameters(numbers["parameters"])
        return StepContext(
            parametrised,
            numbers,
            at,
            Subprogram(at.link_force),
            Subprogram(at.foot_force),
            Subprogram(at.update_anchors),
        )

    def rest_angle(self, memory: Memory, name: str, elapsed: Scalar) -> tuple[list[Scalar], Scalar]:
        """Return rest angles of a joint's springs, and their rate; elapsed: time into a control step [s]."""
        if name in self.world.driven:
            angle, rate = self.target(memory, name, elapsed)
            return [angle], rate
        return self.numbers["rest"][name], 0.0

    def target(self, memory: Memory, name: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """Return the controller's target of a joint, and its rate; elapsed: time into a control step [s]."""
        assert self.world.controller is not None
        return self.world.controller.rest_angle(memory.control, name, elapsed)

    @property
    def control(self) -> dict[str, Any]:
        """Inputs of the controller, of the form of its numbers()."""
        actuators = self.numbers["actuators"]
        return self.numbers["control"] | ({"actuators": actuators} if actuators else {})

    def stance_of(self, memory: Memory, foot: str) -> Scalar:
        """Return 1 while the leg of a foot stands, 0 while it steps; always 1 for a foot of no leg."""
        gait = self.world.gait
        owner = next((i for i, leg in enumerate(gait.legs) if leg.foot == foot), None) if gait else None
        return 1.0 if gait is None or owner is None else where(gait.stepping(memory.control)[owner], 0.0, 1.0)
