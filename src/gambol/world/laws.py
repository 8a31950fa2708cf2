"""What a step is traced with: a world's structure and its numbers together, what it remembers, and its ledger."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gambol.contact import Anchor, Bristle, GroundTouch
from gambol.lanes import Scalar, Subprogram, where
from gambol.world.world import World


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where energy went [J], or, of a moment, how fast it goes there [W].

    motors, outside: work done on the figure by its motors and by pushes or a moved base. damping, impact, sliding: what
    joint dampers, the ground's normal force and attachments, and friction or what broke took. stabilisation: work done
    on the figure where bodies that lay in each other were moved apart.
    """

    motors: Scalar = 0.0
    outside: Scalar = 0.0
    damping: Scalar = 0.0
    impact: Scalar = 0.0
    sliding: Scalar = 0.0
    stabilisation: Scalar = 0.0


@dataclass(frozen=True, slots=True)
class Pressed:
    """What the last step of a contact method found.

    impulses: of contacts (normal, two tangents), limits and dry frictions [N s or N m s]. numbers: of the contacts
    among all that may be, where there is no room for all. lasted: the length of that step [s]. residual: speed that the
    laws of contact were missed by [m/s or rad/s]; unsolved: steps so far in which that was too much. held: 1 for
    contacts that hold, as sticky feet do; none where nothing does. crowded: the number of steps so far in which more
    contacts were near than there is room for; empty where there is room for all. limited: the number in which impulses
    were made smaller because the law of restitution would have added energy; empty where it never does. speeds: of the
    contacts' rows after the step [m/s]; empty where no contact method asks for them.
    """

    impulses: list[list[Scalar]]
    numbers: list[Scalar]
    lasted: Scalar = 0.0
    residual: Scalar = 0.0
    unsolved: Scalar = 0.0
    held: list[Scalar] = field(default_factory=list[Scalar])
    crowded: list[Scalar] = field(default_factory=list[Scalar])
    limited: list[Scalar] = field(default_factory=list[Scalar])
    speeds: list[list[Scalar]] = field(default_factory=list[list[Scalar]])


@dataclass(frozen=True, slots=True)
class Memory:
    """What is not integrated.

    control: of the controller, None without one. anchors: of each foot's points. whole: 1 for attachments that are, 0
    for broken ones. pressed: by what bodies pressed on each other in the last step; None for contact that needs no
    memory of it. bristles: of each foot's round parts; empty where no foot has any.
    """

    control: Any
    anchors: list[list[Anchor]]
    whole: list[Scalar]
    pressed: Pressed | None = None
    bristles: list[list[Bristle]] = field(default_factory=list[list[Bristle]])


CRUMB = 1e-5
"""Part of a frame that counts as nothing: far above what rounding leaves of a frame, in single precision too."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment within a step.

    frame: when the last frame began; elapsed: how much time has gone by since then, and begun: had gone by when the
    step began [s]. What jumps in time, such as a push, is as it was when the step began: steps end where it jumps.
    """

    frame: Scalar
    elapsed: Scalar
    begun: Scalar

    @property
    def time(self) -> Scalar:
        """The time [s]."""
        return self.frame + self.elapsed

    def later(self, t: Scalar) -> "Moment":
        """The moment a time t [s] later within the same step."""
        return Moment(self.frame, self.elapsed + t, self.begun)

    def until(self, edge: Scalar) -> Scalar:
        """How long it was until another time when the step began [s]."""
        return (edge - self.frame) - self.begun


@dataclass(frozen=True)
class Laws:
    """The laws of one world while a step is traced.

    numbers: of the form of world.numbers(). plain, foot, settle: the methods of touching, each recorded once.
    """

    world: World
    numbers: Mapping[str, Any]
    touching: GroundTouch
    plain: Subprogram
    foot: Subprogram
    settle: Subprogram

    @staticmethod
    def of(world: World, numbers: Mapping[str, Any], table: Any) -> "Laws":
        """The laws of a world with given numbers, measures of its figure among them, and the table of its ground."""
        at = GroundTouch(world.ground, numbers["ground"], table, numbers["touch"], numbers["stick"])
        lived_in = world.with_measures(numbers["measures"])
        return Laws(lived_in, numbers, at, Subprogram(at.plain), Subprogram(at.foot), Subprogram(at.settle))

    def rest_angle(self, memory: Memory, name: str, elapsed: Scalar) -> tuple[list[Scalar], Scalar]:
        """Where the springs of a joint are slack, place by place, and the rate of that, some time into a frame [s]."""
        if name in self.world.driven:
            angle, rate = self.target(memory, name, elapsed)
            return [angle], rate
        return self.numbers["rest"][name], 0.0

    def target(self, memory: Memory, name: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """Where the controller moves a joint that it drives, and the rate of that, some time into a frame [s]."""
        assert self.world.controller is not None
        return self.world.controller.rest_angle(memory.control, name, elapsed)

    @property
    def control(self) -> dict[str, Any]:
        """The controller's numbers, of the form of its numbers()."""
        actuators = self.numbers["actuators"]
        return self.numbers["control"] | ({"actuators": actuators} if actuators else {})

    def stance_of(self, memory: Memory, foot: str) -> Scalar:
        """1 while the leg of a foot stands, 0 while it steps; always 1 for a foot of no leg."""
        gait = self.world.gait
        owner = next((i for i, leg in enumerate(gait.legs) if leg.foot == foot), None) if gait else None
        return 1.0 if gait is None or owner is None else where(gait.stepping(memory.control)[owner], 0.0, 1.0)
