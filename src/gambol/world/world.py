"""A world as data: a figure with its drives, ground and timing. The functions of a step are in world/step."""

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from gambol.actuation import Actuator
from gambol.collide import Ground, NoGround, Plane
from gambol.collide.broad import Pair
from gambol.contact import (
    Attachment,
    ContactParameters,
    DragBox,
    HuntCrossley,
    Medium,
    StickyFoot,
    checked_parameters,
    checked_sticky_foot,
)
from gambol.contact.stepping import ITERATIONS
from gambol.control import Controller, Gait
from gambol.dynamics.bodies import gravity_scalar_or_vector
from gambol.dynamics.joint_forces import spring_numbers
from gambol.dynamics.method import check_method
from gambol.errors import WorldError
from gambol.figure import Figure, JointSpring, PlacedLink, Springs, Triple, resolve_springs
from gambol.figure.parameters import Parameters, extent, parameters, structure_of, with_values
from gambol.integrate import INTEGRATORS
from gambol.lanes import Scalar, leaves
from gambol.spatial import Vector
from gambol.spatial.rotation import is_constant
from gambol.world.checks import check_contact, check_initial_state, check_names, check_parameters
from gambol.world.former_names import refusing_former_names
from gambol.world.max_contacts import FIGURE_CONTACTS, default_max_contacts
from gambol.world.timing import Timing, check_timing

NO_TOUCH = ContactParameters(
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
"""Contact parameters of a world without ground: no spring, no friction."""

CONTACT_METHODS = ("penalty", "stepping", "impulse", "constraint")
"""Penalty: springs and dampers in smooth motion. Stepping: a velocity-level problem in each large fixed step. Impulse:
sequential collisions in such a step. Constraint: contact forces in smooth motion, with impacts in between."""

FIXED_STEP_METHODS = ("stepping", "impulse")
"""Contact methods with fixed steps of their own, which need no integrator."""

ENGINES = "engines"
"""The entry of a world's __dict__ in which step() keeps its compiled programs."""

PARAMETER_TOLERANCE = 1e-9
"""Relative tolerance for parameters that must equal compiled ones: above rounding, far below real differences."""


@dataclass(frozen=True, slots=True)
class Push:
    """An external push at the root's centre of mass: force in world axes [N], from start to end [s].

    Raises WorldError for numbers that are not finite and for an end before the start.
    """

    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    start: float = 0.0
    end: float = 0.0

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.force)):
            raise WorldError(f"a push of {self.force} N is impossible; its force must be finite")
        if not -math.inf < self.start <= self.end < math.inf:
            raise WorldError(f"a push cannot start at {self.start} s and end at {self.end} s")


@refusing_former_names
@dataclass(frozen=True)
class World:
    """All the data that a step of a world needs.

    figure: the creature. springs: of joints, by link name, with unresolved scales. ground: shape of the ground. touch:
    its contact parameters. feet: links whose corners grip (balls and capsules slide). stick: hold of sticky feet; None:
    feet slide. controller: None: rest angles are constant. gravity: its strength along -z, or free-fall acceleration in
    world axes [m/s2]. push: an external force. dynamics: method of forward dynamics. base_acceleration: for a
    prescribed base, from (time, q, v) to the six accelerations of its joint, angular first, in root coordinates.
    contact: a name in CONTACT_METHODS. hypothesis: of restitution, for "impulse": "stronge", "poisson", or "newton",
    which is limited where it would add energy. solver: of complementarity, for "constraint". max_contacts: number of
    simultaneous contacts, except for "penalty"; None: see default_max_contacts(). iterations: sweeps over all contacts
    in a step. pairs: parts that may touch each other, see allowed_pairs(). parameters: names of figure parameters that
    are inputs of the program, so that they may differ between worlds; the others are compiled in. medium: fluid that
    drags at every link with mass, or None. initial_q (nq), initial_v (nv): the state at which start() begins; empty for
    every joint at rest. wrenches: names of links on which numbers()["wrenches"] acts: moment about the link's origin
    and force, in world axes [N m, N]. contact_capacity: max_contacts, or its default.
    Raises WorldError for impossible numbers, FigureError for unknown names.
    """

    figure: Figure
    springs: Mapping[str, Springs] = field(default_factory=dict[str, Springs])
    ground: Ground = field(default_factory=Plane)
    touch: ContactParameters | HuntCrossley = NO_TOUCH
    feet: tuple[str, ...] = ()
    stick: StickyFoot | None = None
    controller: Controller | None = None
    attachments: tuple[Attachment, ...] = ()
    gravity: float | Triple = 9.81
    timing: Timing = field(default_factory=Timing)
    push: Push = field(default_factory=Push)
    dynamics: str = "aba"
    base_acceleration: Callable[[Scalar, Sequence[Scalar], Sequence[Scalar]], Sequence[Scalar]] | None = None
    contact: str = "penalty"
    hypothesis: str = "stronge"
    solver: str = "newton"
    max_contacts: int | None = None
    iterations: int = ITERATIONS
    pairs: tuple[Pair, ...] = ()
    parameters: tuple[str, ...] = ()
    medium: Medium | None = None
    initial_q: tuple[float, ...] = ()
    initial_v: tuple[float, ...] = ()
    wrenches: tuple[str, ...] = ()
    resolved_springs: Mapping[str, tuple[JointSpring, ...]] = field(init=False, repr=False)
    contact_capacity: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "resolved_springs", resolve_springs(self.figure, self.springs))
        if isinstance(self.touch, HuntCrossley):
            self.touch.check()
        else:
            object.__setattr__(self, "touch", checked_parameters(self.touch))
        if self.stick is not None:
            checked_sticky_foot(self.stick)
        check_timing(self.timing)
        if not all(map(math.isfinite, leaves(self.gravity))):
            raise WorldError(f"gravity is {self.gravity} m/s2; it must be finite")
        check_method(self.figure, self.dynamics, self.timing.method)
        check_contact(self, CONTACT_METHODS)
        penalty = self.contact == "penalty"
        default = FIGURE_CONTACTS if penalty else default_max_contacts(self.figure, self.pairs, self.has_ground)
        object.__setattr__(self, "contact_capacity", default if self.max_contacts is None else self.max_contacts)
        check_parameters(self)
        if self.figure.prescribed != (self.base_acceleration is not None):
            raise WorldError("a prescribed base and base_acceleration belong together: give both or neither")
        if self.figure.prescribed and self.timing.integrator.step is INTEGRATORS["variational"].step:
            raise WorldError("the variational method is not available for a figure with a prescribed base")
        if self.stick is not None and self.controller is None:
            raise WorldError("sticky feet hold in stance, so they need a controller that tells stance from swing")
        check_names(self)
        check_initial_state(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields for copies and pickles, without compiled programs."""
        return {name: value for name, value in self.__dict__.items() if name != ENGINES}

    @property
    def driven(self) -> tuple[str, ...]:
        """Names of joints whose spring rest angles the controller moves."""
        joints = self.controller.joints if self.controller else ()
        return tuple(name for name in joints if name not in self.actuators)

    @property
    def actuators(self) -> Mapping[str, Actuator]:
        """The controller's actuators, by name of the link whose joint they drive."""
        return self.controller.actuators if self.controller else {}

    @property
    def gait(self) -> Gait | None:
        """The controller if it is a gait, or None."""
        return self.controller.gait if self.controller else None

    @property
    def sprung(self) -> tuple[PlacedLink, ...]:
        """Links whose joints have springs, in the order of the figure."""
        return tuple(link for link in self.figure.links if link.name in self.resolved_springs)

    @cached_property
    def size(self) -> float:
        """Length scale of errors [m]; 1 for a figure without extent.

        It is twice the largest distance of a contact point, centre of mass or joint from the origin of its link.
        """
        return extent(self.figure)

    @cached_property
    def drag_boxes(self) -> Mapping[int, DragBox]:
        """Drag boxes of links, by index of the link; empty without a medium."""
        links = self.figure.links if self.medium else ()
        bodies = {link.index: link.mass_properties for link in links}
        return {index: DragBox.of(body) for index, body in bodies.items() if not is_constant(body.mass, 0.0)}

    def parametrised_by(self, names: tuple[str, ...]) -> "World":
        """Return the world with these figure parameters as inputs of the program. names: of the parameters."""
        world = copy(self)
        object.__setattr__(world, "parameters", names)
        check_parameters(world)
        return world

    def with_parameters(self, numbers: Mapping[str, Scalar]) -> "World":
        """Return the world with other figure parameters, without checks. numbers: parameters by name, may be traced."""
        if not self.parameters:
            return self
        world, figure = copy(self), with_values(self.figure, numbers)
        object.__setattr__(world, "figure", figure)
        world.__dict__.pop("drag_boxes", None)
        object.__setattr__(world, "size", extent(figure))  # computed here and not in every step
        _ = world.drag_boxes  # likewise
        return world

    @property
    def has_bristles(self) -> bool:
        """True if feet hold the ground by bristles, which are part of the state."""
        return self.contact == "penalty" and isinstance(self.touch, ContactParameters)

    @property
    def has_ground(self) -> bool:
        """True if there is a ground with a stiffness."""
        return not isinstance(self.ground, NoGround) and (self.touch.stiffness > 0.0 or self.touch.alpha > 0.0)

    def numbers(self) -> dict[str, Any]:
        """Return the inputs of the program, which may differ between worlds: a pytree of numbers."""
        control = self.controller.numbers() if self.controller else {}
        actuators = control.pop("actuators", {})  # separate, since actuators act in every step
        joints = [(link.name, self.resolved_springs[link.name]) for link in self.sprung]
        bounds = {name: [[s.lower, s.upper] for s in springs] for name, springs in joints}
        return {
            "gravity": gravity_scalar_or_vector(self.gravity),
            "ground": self.ground.numbers(),
            "touch": self.touch,
            "stick": self.stick,
            "springs": {name: [spring_numbers(s) for s in springs] for name, springs in joints},
            "rest": {name: [s.rest for s in springs] for name, springs in joints if name not in self.driven},
            "limits": bounds if self.contact != "penalty" else None,
            "control": control,
            "actuators": actuators,
            "attachments": [a.numbers() for a in self.attachments],
            "push": [*self.push.force, self.push.start, self.push.end],
            "tolerance": self.timing.tolerance,
            "min_step": self.timing.min_step,
            "parameters": self.parameters_of(self.figure) if self.parameters else {},
            "medium": self.medium.numbers() if self.medium else None,
            "wrenches": {name: [0.0] * 6 for name in self.wrenches},
        }

    def parameters_of(self, figure: Figure) -> Parameters:
        """Return the entry "parameters" of numbers() for a figure of the same topology, whose numbers may be arrays.

        Raises WorldError for a parameter that differs from the compiled value.
        """
        varied, values = set(self.parameters), parameters(figure)
        compiled = values if figure is self.figure else parameters(self.figure)
        fixed = {} if compiled is values else {name: x for name, x in compiled.items() if name not in varied}
        for name, x in fixed.items():
            if np.any(abs(values[name] - x) > PARAMETER_TOLERANCE * max(1.0, abs(x))):
                raise WorldError(f'"{name}" is {values[name]}, and {x} in the program; name it in World.parameters')
        return {name: values[name] for name in compiled if name in varied}

    def _joints_with_limits(self) -> list[tuple[str, bool]]:
        """Return the name of each joint with springs, and True if it has limits."""
        limits = ((link.name, [s.lower, s.upper]) for link in self.sprung for s in self.resolved_springs[link.name])
        return [(name, any(map(math.isfinite, bounds))) for name, bounds in limits]

    def structure(self) -> dict[str, Any]:
        """Return what is compiled into the program, by name. Worlds of equal structure share a program."""
        kind, methods = type(self.ground), (self.contact, self.hypothesis, self.solver)
        joints = [(link.name, self.resolved_springs[link.name]) for link in self.sprung]
        return {
            **structure_of(self.figure, self.parameters),
            "springs": {name: [tuple(spring_numbers(s)) for s in springs] for name, springs in joints},
            "joints with limits": self._joints_with_limits(),
            "ground": (kind.__module__, kind.__qualname__, self.has_ground),
            "feet": (self.feet, self.stick is None),
            "controller": self.controller.structure() if self.controller else None,
            "attachments": [(a.link, a.other, a.point, a.other_point) for a in self.attachments],
            "timing": (self.timing.control_step, self.timing.method),
            "contact": (*methods, self.contact_capacity, self.iterations, self.dynamics),
            "touch": (type(self.touch).__name__, self.touch.restitution == 0.0),
            "pairs": self.pairs,
            "sideways gravity": isinstance(gravity_scalar_or_vector(self.gravity), Vector),
            "parameters": self.parameters,
            **({"medium": True} if self.medium else {}),  # absent without one, so that old keys stay valid
            **({"wrenches": self.wrenches} if self.wrenches else {}),
        }
