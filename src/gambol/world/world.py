"""A world: a figure with what drives it, what it stands on and how time passes. Data only; step.py says what happens."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from gambol.collide import Ground, Plane
from gambol.contact import Attachment, Stick, Touch, checked_touch
from gambol.control import GaitController
from gambol.dynamics.joint_forces import spring_numbers
from gambol.errors import WorldError
from gambol.figure import Figure, JointSpring, PlacedLink, did_you_mean, resolve_springs
from gambol.lanes import Scalar

Method = Literal["rkf", "rk4", "euler"]

SMOOTH_TOUCH = Touch(
    stiffness=0.0,
    alpha=0.0,
    beta=1.0,
    damping=0.0,
    deepest=1.0,
    restitution=1.0,
    restitution_speed=1.0,
    friction=0.0,
    bristle_stiffness=1.0,
    bristle_damping=0.0,
    skid_damping=0.0,
)
"""A ground that is not there: no spring, no friction."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How time passes. frame: between decisions of the controller [s]; step: first step, or the only one [s].

    method: "rkf" (error control), "rk4" or "euler" (fixed steps). tolerance: largest error of one step, as a part of the
    figure's size, of a radian, and of either in a frame; smallest: a step below this stops a world [s].
    """

    frame: float = 1.0 / 2400.0
    step: float = 1.0 / 30000.0
    method: Method = "rkf"
    tolerance: float = 1e-3
    smallest: float = 1e-9


@dataclass(frozen=True, slots=True)
class Shove:
    """A push at the root's centre of mass: force in world axes [N], from start to end [s]."""

    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    start: float = 0.0
    end: float = 0.0


@dataclass(frozen=True)
class World:
    """Everything that a step needs to know about one kind of world.

    figure: who lives there. springs: by link name, their scales not yet worked out. ground with its touch (Touch); feet:
    links that grip; stick: hold of sticky feet, None for sliding ones. controller: None leaves rest angles where they
    are. base_acceleration: for a prescribed base, from (time, q, v) to the six accelerations of its joint.
    Raises WorldError for numbers that cannot be, FigureError for names that are not there.
    """

    figure: Figure
    springs: Mapping[str, JointSpring] = field(default_factory=dict[str, JointSpring])
    ground: Ground = field(default_factory=Plane)
    touch: Touch = SMOOTH_TOUCH
    feet: tuple[str, ...] = ()
    stick: Stick | None = None
    controller: GaitController | None = None
    attachments: tuple[Attachment, ...] = ()
    gravity: float = 9.81
    timing: Timing = field(default_factory=Timing)
    shove: Shove = field(default_factory=Shove)
    base_acceleration: Callable[[Scalar, Sequence[Scalar], Sequence[Scalar]], Sequence[Scalar]] | None = None
    resolved: Mapping[str, JointSpring] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "resolved", resolve_springs(self.figure, self.springs))
        object.__setattr__(self, "touch", checked_touch(self.touch))
        for name in (*self.feet, *self.driven):
            self.figure.link(name)
        _check_timing(self.timing)
        if not math.isfinite(self.gravity):
            raise WorldError(f"gravity is {self.gravity} m/s2; it must be finite")
        if self.figure.prescribed != (self.base_acceleration is not None):
            raise WorldError("a prescribed base and base_acceleration belong together: give both or neither")
        if self.stick is not None and self.controller is None:
            raise WorldError("sticky feet hold in stance, so they need a controller that says when that is")

    @property
    def driven(self) -> tuple[str, ...]:
        """The joints whose rest angles the controller moves."""
        return self.controller.joints if self.controller else ()

    @property
    def sprung(self) -> tuple[PlacedLink, ...]:
        """The links whose joints have springs, in the figure's order."""
        return tuple(link for link in self.figure.links if link.name in self.resolved)

    @property
    def size(self) -> float:
        """The length that errors are measured against [m]: from the figure's first to its last contact point."""
        reach = [math.dist((0, 0, 0), p.position) + p.radius for link in self.figure.links for p in link.contact_points()]
        return 2.0 * max(reach, default=0.5)

    def numbers(self) -> dict[str, Any]:
        """What may differ between worlds of one program: a nest of inputs."""
        numbers: dict[str, Any] = {
            "gravity": self.gravity,
            "ground": self.ground.numbers(),
            "touch": self.touch,
            "stick": self.stick,
            "springs": {link.name: spring_numbers(self.resolved[link.name]) for link in self.sprung},
            "rest": {link.name: self.resolved[link.name].rest for link in self.sprung if link.name not in self.driven},
            "gait": self.controller.numbers() if self.controller else None,
            "attachments": [a.numbers() for a in self.attachments],
            "shove": [*self.shove.force, self.shove.start, self.shove.end],
            "tolerance": self.timing.tolerance,
            "smallest": self.timing.smallest,
        }
        return numbers

    def structure(self) -> tuple[Any, ...]:
        """What is compiled in: programs of worlds with equal structure are the same."""
        legs = self.controller.legs if self.controller else ()
        shown = [(f.name, getattr(self.timing, f.name)) for f in fields(self.timing) if f.name in ("frame", "method")]
        return (
            [(link.index, link.parent_index, link.joint, link.mass_properties, link.parts) for link in self.figure.links],
            {link.name: tuple(spring_numbers(self.resolved[link.name])) for link in self.sprung},
            type(self.ground).__name__,
            self.feet,
            self.stick is None,
            [(leg.side, leg.rank, leg.links, [(c.joint, c.begins, c.lasts) for c in (*leg.step, *leg.stance)]) for leg in legs],
            [r.direction for r in self.controller.reflexes] if self.controller else None,
            [(a.link, a.other, a.point, a.other_point) for a in self.attachments],
            shown,
            self.size,
            self.figure.prescribed,
        )


def _check_timing(timing: Timing) -> None:
    if timing.method not in get_args(Method):
        raise WorldError(f'integration method "{timing.method}" is unknown; {did_you_mean(timing.method, get_args(Method))}')
    for name in ("frame", "step", "tolerance", "smallest"):
        value = getattr(timing, name)
        if not 0.0 < value < math.inf:
            raise WorldError(f"the timing's {name} is {value}; it must be more than 0, and finite")
