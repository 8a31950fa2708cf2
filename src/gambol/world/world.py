"""A world as data: a figure with its drives, ground and timing. The functions of a step are in world/step."""

import math
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np

from gambol.actuation import Actuator
from gambol.collide import Ground, NoGround, Plane
from gambol.collide.broad import Pair
from gambol.contact import (
    ContactMethod,
    DragBox,
    contact_method,
)
from gambol.contact.generation import ConstraintScene
from gambol.contact.method import MethodUse
from gambol.contact.surface import SurfaceProperties
from gambol.contact.table import DEFAULT_METHOD
from gambol.control import Controller, Gait
from gambol.dynamics.bodies import gravity_scalar_or_vector
from gambol.dynamics.joint_forces import spring_numbers
from gambol.dynamics.method import check_method
from gambol.errors import WorldError
from gambol.figure import Figure, JointSpring, PlacedLink, Springs, Triple, resolve_springs
from gambol.figure.parameters import Parameters, extent, parameters, structure_of, with_values
from gambol.lanes import Scalar, leaves
from gambol.notebook import notebook_html
from gambol.sensing import Light, Sensor, check_sensors
from gambol.spatial import Vector
from gambol.spatial.rotation import is_constant
from gambol.world.checks import SENSE_NAMES, check_controller, check_pairs, check_parameters
from gambol.world.external import External, InitialState
from gambol.world.former_names import refusing_former_names
from gambol.world.sampling import check_sampling, sampling_numbers, sampling_structure
from gambol.world.timing import Timing, check_timing

ENGINES, REST_STATE = "engines", "rest state"
"""The entries of a world's __dict__ in which step() keeps its compiled programs, and rest_state() its result."""

PARAMETER_TOLERANCE = 1e-9
"""Relative tolerance for parameters that must equal compiled values: above rounding, far below real differences."""


@refusing_former_names
@dataclass(frozen=True)
class World:
    """All the data that a step of a world needs.

    figure: the figure. springs: springs of joints, by link name; JointSpring.scale may be set. ground: the ground.
    surface: contact parameters of the ground and of parts; the default has no stiffness, and then nothing touches the
    ground. contact: the contact method with its options, or its name in CONTACT_METHODS, for default options; in the
    world itself it is always a ContactMethod. pairs: parts that may touch each other, see allowed_pairs(). controller:
    the controller; None: rest angles are constant. gravity: its strength along -z, or the free-fall acceleration in
    world axes [m/s2]. external: other external actions, such as a push. timing: time steps and integrator. dynamics:
    method of forward dynamics. parameters: names of figure parameters that are inputs of the program, so that they may
    differ between worlds; all other parameters are compiled into the program. initial: the state at which start()
    begins. sensors: sensors on links, by name; the controller reads the sensors that it requests, and films record all.
    lights: lamps for light sensors. Raises WorldError for impossible numbers, FigureError for unknown names.
    """

    figure: Figure
    springs: Mapping[str, Springs] = field(default_factory=dict[str, Springs])
    ground: Ground = field(default_factory=Plane)
    surface: SurfaceProperties = field(default_factory=SurfaceProperties)
    contact: ContactMethod | str = DEFAULT_METHOD
    pairs: tuple[Pair, ...] = ()
    controller: Controller | None = None
    gravity: float | Triple = 9.81
    external: External = field(default_factory=External)
    timing: Timing = field(default_factory=Timing)
    dynamics: str = "aba"
    parameters: tuple[str, ...] = ()
    initial: InitialState = field(default_factory=InitialState)
    sensors: Mapping[str, Sensor] = field(default_factory=dict[str, Sensor])
    lights: tuple[Light, ...] = ()
    resolved_springs: Mapping[str, tuple[JointSpring, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "resolved_springs", resolve_springs(self.figure, self.springs))
        object.__setattr__(self, "contact", contact_method(self.contact))
        check_timing(self.timing)
        if not all(map(math.isfinite, leaves(self.gravity))):
            raise WorldError(f"gravity is {self.gravity} m/s2; it must be finite")
        check_method(self.figure, self.dynamics, self.timing.method)
        check_pairs(self.figure, self.pairs, self.method, self.surface)
        self._check_method()
        if self.surface.sticky is not None and self.controller is None:
            raise WorldError("sticky feet hold in stance, so they need a controller that knows stance and swing")
        check_sensors(self.sensors, SENSE_NAMES, self.figure, self.ground, self.actuators)
        for name, sensor in self.sensors.items():
            check_sampling(name, sensor, self.timing.control_step)
        self.surface.check(self.figure, compliant=self.method.scheme.compliant)
        if self.controller is not None:
            counts = {name: len(springs) for name, springs in self.resolved_springs.items()}
            check_controller(self.figure, self.controller, counts, self.sensors)
        self.external.check(self.figure, self.timing, self.dynamics)
        self.initial.check(self.figure)

    def __repr__(self) -> str:
        figure, timing, count = self.figure, self.timing, len(self.resolved_springs)
        controller = type(self.controller).__name__ if self.controller else "none"
        ground = "none" if not self.has_ground else type(self.ground).__name__
        return (
            f'<World of "{figure.name}": links: {len(figure.links)}, freedoms: {figure.nv}, springs: {count}\n'
            f" contact: {self.method.name}, ground: {ground}, gravity: {self.gravity} m/s2, pairs: {len(self.pairs)}\n"
            f" controller: {controller}, actuators: {len(self.actuators)}, sensors: {len(self.sensors)}\n"
            f" control step: {timing.control_step:.6g} s, integrator: {timing.method}, dynamics: {self.dynamics}>"
        )

    def _repr_html_(self) -> str:
        """Return the display in a notebook: a picture of the figure in its initial state, and the repr."""
        return notebook_html("world", self)

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields for copies and pickles, without compiled programs."""
        return {name: value for name, value in self.__dict__.items() if name not in (ENGINES, REST_STATE)}

    @property
    def driven(self) -> tuple[str, ...]:
        """Names of joints whose spring rest angles the controller moves."""
        joints = self.controller.joints if self.controller else ()
        actuated = {joint for name, actuator in self.actuators.items() for joint in actuator.joint_names(name)}
        return tuple(name for name in joints if name not in actuated)

    @property
    def actuators(self) -> Mapping[str, Actuator]:
        """The controller's actuators, by name."""
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
        """Boxes for the drag of links, by index of the link; empty without a medium."""
        links = self.figure.links if self.external.medium else ()
        bodies = {link.index: link.mass_properties for link in links}
        return {index: DragBox.of(body) for index, body in bodies.items() if not is_constant(body.mass, 0.0)}

    def parametrised_by(self, names: tuple[str, ...]) -> "World":
        """Return the world with these figure parameters as inputs of the program. names: names of the parameters."""
        world = copy(self)
        object.__setattr__(world, "parameters", names)
        world._check_method()
        return world

    def with_parameters(self, numbers: Mapping[str, Scalar]) -> "World":
        """Return the world with other figure parameters, without checks. numbers: parameters by name, may be traced."""
        if not self.parameters:
            return self
        world, figure = copy(self), with_values(self.figure, numbers)
        object.__setattr__(world, "figure", figure)
        for name in ("drag_boxes", REST_STATE):
            world.__dict__.pop(name, None)
        object.__setattr__(world, "size", extent(figure))  # computed here and not in every step
        _ = world.drag_boxes  # also computed here and not in every step
        return world

    def _check_method(self) -> None:
        """Raise WorldError for a world that the contact method does not support, and for unknown figure parameters."""
        restitution, integrator = self.surface.parameters.restitution, self.timing.integrator
        self.method.check(MethodUse(self.figure, self.dynamics, integrator, restitution, self.parameters))
        check_parameters(self.figure, self.parameters)

    @property
    def method(self) -> ContactMethod:
        """The contact method with its options."""
        return cast("ContactMethod", self.contact)

    @cached_property
    def contact_capacity(self) -> int:
        """Largest number of simultaneous contacts in a step; 0 for a contact method that needs no limit."""
        return self.method.capacity(self.figure, self.pairs, self.has_ground)

    @cached_property
    def gripping(self) -> tuple[str, ...]:
        """Names of the links that have bristles or sticky feet; feet come first."""
        return self.surface.gripping(self.figure)

    @property
    def scene(self) -> ConstraintScene:
        """The parts, ground and joints from which contacts and constraints are made."""
        return ConstraintScene(
            self.figure,
            self.resolved_springs,
            *(self.ground, self.has_ground),
            self.pairs,
            self.surface.feet,
            sticky=self.surface.sticky is not None and not self.method.scheme.compliant,
            gripping=self.gripping,
            bounces=bool(self.surface.parameters.restitution),
            capacity=self.contact_capacity,
            size=self.size,
            tree_contacts=self.method.contacts_of_tree,
        )

    @property
    def has_ground(self) -> bool:
        """True if there is a ground with a stiffness."""
        return not isinstance(self.ground, NoGround) and self.surface.has_stiffness

    def numbers(self) -> dict[str, Any]:
        """Return the inputs of the program, which may differ between worlds: a pytree of numbers."""
        control = self.controller.numbers() if self.controller else {}
        actuators = control.pop("actuators", {})  # separate, since actuators act in every step
        joints = [(link.name, self.resolved_springs[link.name]) for link in self.sprung]
        push, medium = self.external.push, self.external.medium
        bounds = {name: [[s.lower, s.upper] for s in springs] for name, springs in joints}
        return {
            "gravity": gravity_scalar_or_vector(self.gravity),
            "ground": self.ground.numbers(),
            "touch": self.surface.parameters,
            "stick": self.surface.sticky,
            "springs": {name: [spring_numbers(s) for s in springs] for name, springs in joints},
            "rest": {name: [s.rest for s in springs] for name, springs in joints if name not in self.driven},
            "limits": None if self.method.scheme.compliant else bounds,
            "control": control,
            "actuators": actuators,
            "attachments": [a.numbers() for a in self.external.attachments],
            "spring_dampers": [s.numbers() for s in self.external.spring_dampers],
            "push": [*push.force, push.start, push.end],
            "tolerance": self.timing.tolerance,
            "min_step": self.timing.min_step,
            "parameters": self.parameters_of(self.figure) if self.parameters else {},
            "medium": medium.numbers() if medium else None,
            "contact": dict(self.method.numbers()),
            "wrenches": {name: [0.0] * 6 for name in self.external.wrenches},
            "cuts": dict.fromkeys(self.external.cuts, 0.0),
            "sensors": {name: dict(s.numbers()) | sampling_numbers(s) for name, s in self.sensors.items()},
            "lights": [light.numbers() for light in self.lights],
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

    def _sensor_structure(self) -> tuple[Any, ...]:
        """Return the name, kind and structure of each sensor, and the number of lights."""
        rows = ((name, s.kind, s.structure(), *sampling_structure(s)) for name, s in self.sensors.items())
        return *rows, len(self.lights)

    def structure(self) -> dict[str, Any]:
        """Return the properties compiled into the program, by name. Worlds of equal structure share a program."""
        kind, method, touch, external = type(self.ground), self.method, self.surface.parameters, self.external
        optional: dict[str, Any] = {"medium": external.medium_structure, "wrenches": external.wrenches}
        optional |= {"cuts": external.cuts, "sensors": self.sensors and self._sensor_structure()}
        return {
            **structure_of(self.figure, self.parameters),
            "springs": {x.name: [tuple(spring_numbers(s)) for s in self.resolved_springs[x.name]] for x in self.sprung},
            "joints with limits": self._joints_with_limits(),
            "ground": (kind.__module__, kind.__qualname__, self.has_ground),
            "feet": (self.surface.feet, self.surface.sticky is None),
            "controller": self.controller.structure() if self.controller else None,
            "attachments": [(a.link, a.other, a.point, a.other_point) for a in external.attachments],
            "spring-dampers": [
                (s.link, s.other, s.point, s.other_point, s.tension_only) for s in external.spring_dampers
            ],
            "timing": (self.timing.control_step, self.timing.method),
            "contact": (method.name, method.structure(), self.contact_capacity, self.dynamics),
            "touch": (type(touch).__name__, touch.restitution == 0.0),
            "pairs": self.pairs,
            "sideways gravity": isinstance(gravity_scalar_or_vector(self.gravity), Vector),
            "parameters": self.parameters,
            **({"grip": self.surface.grip} if self.surface.grip != "feet" else {}),
            **{name: x for name, x in optional.items() if x},  # no empty entries, so that older keys stay valid
        }
