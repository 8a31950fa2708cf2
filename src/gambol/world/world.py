"""A world: a figure with what drives it, what it stands on and how time passes.

Data only; step.py says what happens.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from gambol.collide import Ground, NoGround, Plane
from gambol.collide.broad import Pair
from gambol.contact import Attachment, DragBox, HuntCrossley, Medium, Stick, Touch, checked_stick, checked_touch
from gambol.contact.stepping import ROUNDS
from gambol.control import Actuator, Controller, GaitController
from gambol.dynamics.bodies import gravity_of
from gambol.dynamics.joint_forces import spring_numbers
from gambol.dynamics.method import check_method
from gambol.errors import WorldError
from gambol.figure import Figure, JointSpring, PlacedLink, Springs, Triple, resolve_springs
from gambol.figure.measures import Measures, extent, measured, measures, structure_of
from gambol.integrate import INTEGRATORS, Integrator, integrator
from gambol.lanes import Scalar, leaves
from gambol.spatial import Vector
from gambol.spatial.rotation import exactly
from gambol.world.checks import check_contact, check_names, check_timing, check_varied
from gambol.world.room import ROOM, room_for

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


CONTACT_METHODS = ("penalty", "stepping", "impulse", "constraint")
"""What touching does: springs and dampers in smooth motion; in large fixed steps one problem on velocities, or
collisions one after the other; forces that hold contacts in smooth motion, between impacts.
"""

LARGE_STEPS = ("stepping", "impulse")
"""Those that take fixed steps of their own instead of an integrator's."""

COMPILED = 1e-9
"""By how much a measure may differ from one that is compiled in: what rounding does to it, and far below any size."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How time passes.

    frame: between decisions of the controller [s]; step: first step, or the only one [s]. method: a name in the table
    of integrators, or "rkf" or "euler", those of the thesis. Methods that know their error control their steps by
    tolerance: largest error of one step, as a part of the figure's size, of a radian, and, of velocities, of either in
    a frame; smallest: a step below this stops a world [s].
    """

    frame: float = 1.0 / 2400.0
    step: float = 1.0 / 30000.0
    method: str = "rkf"
    tolerance: float = 1e-3
    smallest: float = 1e-9

    @property
    def integrator(self) -> Integrator:
        """The method, as a row of the table of integrators."""
        return integrator(self.method)


@dataclass(frozen=True, slots=True)
class Shove:
    """A push at the root's centre of mass: force in world axes [N], from start to end [s].

    Raises WorldError for numbers that are not finite and for an end before the start.
    """

    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    start: float = 0.0
    end: float = 0.0

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.force)):
            raise WorldError(f"a push of {self.force} N cannot be; its force must be finite")
        if not -math.inf < self.start <= self.end < math.inf:
            raise WorldError(f"a push cannot start at {self.start} s and end at {self.end} s")


@dataclass(frozen=True)
class World:
    """Everything that a step needs to know about one kind of world.

    figure: who lives there. springs: by link name, one for each place of its joint, their scales not yet worked out.
    ground, and touch: what touching it does. feet: links whose corners grip (balls and capsules skid); stick: hold of
    sticky feet, None for sliding ones. controller: None leaves rest angles where they are. gravity: its strength along
    -z, or free fall in world axes [m/s2]. dynamics: the method of forward dynamics. base_acceleration: for a prescribed
    base, from (time, q, v) to the six accelerations of its joint, angular first, in the root's coordinates. contact:
    what touching does, a name in CONTACT_METHODS. room: for how many contacts at once methods other than "penalty"
    have room; None: as room_for() says. rounds: how often these go round all contacts in a step. hypothesis: of
    restitution, for the method "impulse": "stronge", "poisson", or "newton", which is limited where it would add
    energy; solver: of complementarity, for the method "constraint". pairs: the parts that may touch each other, as
    of allowed_pairs(). varied: names of the figure's measures that are numbers() and may differ between worlds of
    one program, as of varying(); the others are compiled in. medium: what every link with mass is dragged by; None
    where there is none. most_contacts: the room that there is.
    Raises WorldError for numbers that cannot be, FigureError for names that are not there.
    """

    figure: Figure
    springs: Mapping[str, Springs] = field(default_factory=dict[str, Springs])
    ground: Ground = field(default_factory=Plane)
    touch: Touch | HuntCrossley = SMOOTH_TOUCH
    feet: tuple[str, ...] = ()
    stick: Stick | None = None
    controller: Controller | None = None
    attachments: tuple[Attachment, ...] = ()
    gravity: float | Triple = 9.81
    timing: Timing = field(default_factory=Timing)
    shove: Shove = field(default_factory=Shove)
    dynamics: str = "aba"
    base_acceleration: Callable[[Scalar, Sequence[Scalar], Sequence[Scalar]], Sequence[Scalar]] | None = None
    contact: str = "penalty"
    hypothesis: str = "stronge"
    solver: str = "newton"
    room: int | None = None
    rounds: int = ROUNDS
    pairs: tuple[Pair, ...] = ()
    varied: tuple[str, ...] = ()
    medium: Medium | None = None
    resolved: Mapping[str, tuple[JointSpring, ...]] = field(init=False, repr=False)
    most_contacts: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "resolved", resolve_springs(self.figure, self.springs))
        if isinstance(self.touch, HuntCrossley):
            self.touch.check()
        else:
            object.__setattr__(self, "touch", checked_touch(self.touch))
        if self.stick is not None:
            checked_stick(self.stick)
        check_timing(self.timing)
        if not all(map(math.isfinite, leaves(self.gravity))):
            raise WorldError(f"gravity is {self.gravity} m/s2; it must be finite")
        check_method(self.figure, self.dynamics, self.timing.method)
        check_contact(self, CONTACT_METHODS)
        asked = ROOM if self.contact == "penalty" else room_for(self.figure, self.pairs, self.solid)
        object.__setattr__(self, "most_contacts", asked if self.room is None else self.room)
        check_varied(self)
        if self.figure.prescribed != (self.base_acceleration is not None):
            raise WorldError("a prescribed base and base_acceleration belong together: give both or neither")
        if self.figure.prescribed and self.timing.integrator.step is INTEGRATORS["variational"].step:
            raise WorldError("the variational method moves a figure by its momentum, which a prescribed base has not")
        if self.stick is not None and self.controller is None:
            raise WorldError("sticky feet hold in stance, so they need a controller that says when that is")
        check_names(self)

    @property
    def driven(self) -> tuple[str, ...]:
        """The joints whose springs' rest angles the controller moves."""
        joints = self.controller.joints if self.controller else ()
        return tuple(name for name in joints if name not in self.actuators)

    @property
    def actuators(self) -> Mapping[str, Actuator]:
        """The controller's actuators, by name of the link whose joint they pull."""
        return self.controller.actuators if self.controller else {}

    @property
    def gait(self) -> GaitController | None:
        """How legs step; None where none does."""
        return self.controller.gait if self.controller else None

    @property
    def sprung(self) -> tuple[PlacedLink, ...]:
        """The links whose joints have springs, in the figure's order."""
        return tuple(link for link in self.figure.links if link.name in self.resolved)

    @cached_property
    def size(self) -> float:
        """The length that errors are measured against [m], 1 where nothing has an extent.

        Twice the farthest that a contact point, a centre of mass or a joint lies from the origin of its link.
        """
        return extent(self.figure)

    @cached_property
    def dragged(self) -> Mapping[int, DragBox]:
        """What a medium drags at, by number of link; nothing where there is none."""
        links = self.figure.links if self.medium else ()
        bodies = {link.index: link.mass_properties for link in links}
        return {index: DragBox.of(body) for index, body in bodies.items() if not exactly(body.mass, 0.0)}

    def varying(self, names: tuple[str, ...]) -> "World":
        """The same world with other measures of its figure named as varied."""
        made = copy(self)
        object.__setattr__(made, "varied", names)
        check_varied(made)
        return made

    def with_measures(self, numbers: Mapping[str, Scalar]) -> "World":
        """The world of the figure with other measures, unchecked, as formulas see it; numbers: of all that varies."""
        if not self.varied:
            return self
        made, figure = copy(self), measured(self.figure, numbers)
        object.__setattr__(made, "figure", figure)
        made.__dict__.pop("dragged", None)
        object.__setattr__(made, "size", extent(figure))  # now, so that steps do not work it out again,
        _ = made.dragged  # nor this
        return made

    @property
    def grips(self) -> bool:
        """Whether feet hold the ground by bristles that the world remembers."""
        return self.contact == "penalty" and isinstance(self.touch, Touch)

    @property
    def solid(self) -> bool:
        """Whether there is a ground: one without any stiffness is not there."""
        return not isinstance(self.ground, NoGround) and (self.touch.stiffness > 0.0 or self.touch.alpha > 0.0)

    def numbers(self) -> dict[str, Any]:
        """What may differ between worlds of one program: a nest of inputs."""
        control = self.controller.numbers() if self.controller else {}
        actuators = control.pop("actuators", {})  # they act between the controller's decisions too
        numbers: dict[str, Any] = {
            "gravity": gravity_of(self.gravity),
            "ground": self.ground.numbers(),
            "touch": self.touch,
            "stick": self.stick,
            "springs": {link.name: [spring_numbers(s) for s in self.resolved[link.name]] for link in self.sprung},
            "rest": {
                link.name: [spring.rest for spring in self.resolved[link.name]]
                for link in self.sprung
                if link.name not in self.driven
            },
            "limits": {link.name: [[s.lower, s.upper] for s in self.resolved[link.name]] for link in self.sprung}
            if self.contact != "penalty"
            else None,
            "control": control,
            "actuators": actuators,
            "attachments": [a.numbers() for a in self.attachments],
            "shove": [*self.shove.force, self.shove.start, self.shove.end],
            "tolerance": self.timing.tolerance,
            "smallest": self.timing.smallest,
            "measures": self.measures_of(self.figure) if self.varied else {},
            "medium": self.medium.numbers() if self.medium else None,
        }
        return numbers

    def measures_of(self, figure: Figure) -> Measures:
        """numbers()["measures"] of a figure of the same topology, whose numbers may be arrays; see remeasured().

        Raises WorldError for a measure that differs from what is compiled in.
        """
        varied, found = set(self.varied), measures(figure)
        own = found if figure is self.figure else measures(self.figure)
        for name, x in own.items():
            if name not in varied and own is not found and np.any(abs(found[name] - x) > COMPILED * max(1.0, abs(x))):
                raise WorldError(f'"{name}" is {found[name]}, and {x} in the program; let `varied` name it')
        return {name: found[name] for name in own if name in varied}

    def _stopped(self) -> list[tuple[str, bool]]:
        """Which joints have limits."""
        finite = ((link.name, [s.lower, s.upper]) for link in self.sprung for s in self.resolved[link.name])
        return [(name, any(map(math.isfinite, bounds))) for name, bounds in finite]

    def structure(self) -> dict[str, Any]:
        """What is compiled in, by name: programs of worlds with equal structure are the same."""
        kind = type(self.ground)
        return {
            **structure_of(self.figure, self.varied),
            "springs": {
                link.name: [tuple(spring_numbers(s)) for s in self.resolved[link.name]] for link in self.sprung
            },
            "joints with limits": self._stopped(),
            "ground": (kind.__module__, kind.__qualname__, self.solid),
            "feet": (self.feet, self.stick is None),
            "controller": self.controller.structure() if self.controller else None,
            "attachments": [(a.link, a.other, a.point, a.other_point) for a in self.attachments],
            "timing": (self.timing.frame, self.timing.method),
            "contact": (self.contact, self.hypothesis, self.solver, self.most_contacts, self.rounds, self.dynamics),
            "touch": (type(self.touch).__name__, self.touch.restitution == 0.0),
            "pairs": self.pairs,
            "sideways gravity": isinstance(gravity_of(self.gravity), Vector),
            "varied": self.varied,
            **({"medium": True} if self.medium else {}),  # worlds without one keep the key that they had
        }
