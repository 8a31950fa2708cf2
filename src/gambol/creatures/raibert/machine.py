"""A running machine: a trunk on springy legs, and the world in which it runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import ArrayLike

from gambol.actuation import Actuator
from gambol.collide import Ground, Plane
from gambol.contact import ContactMethod, SurfaceProperties, contact_method
from gambol.control import FeedbackController
from gambol.creatures.colors import MACHINE, colored
from gambol.creatures.entry import IN_A_PLANE, CreatureEntry
from gambol.creatures.models import default_contact_parameters
from gambol.creatures.raibert.gains import Gains
from gambol.creatures.raibert.law import RaibertLaw
from gambol.creatures.raibert.leg import Leg, LegSize
from gambol.creatures.raibert.several import SeveralLaws
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, MassProperties, Part, Triple
from gambol.gait import GroundPath, TimedValue
from gambol.gait.course import Course, CourseLimits, course_of
from gambol.world import External, InitialState, Push, Timing, World

STEP = 1e-3
"""Control step, and step of contact methods with large steps [s]: a three-hundredth of a stance."""

ITERATIONS = 16
"""Iterations of the iterative contact methods."""

FRICTION = 1.0
"""Coefficient of friction of a rubber foot on a laboratory floor; not from the source."""

MAX_SPEED = 4.0
"""Maximum allowed speed [m/s]: beyond it legs of 1 m meet the ground at more than 45 degrees."""

PATH_REACH, PATH_LAG = 4.0, 1.5
"""Distance in which an error of position should vanish [lengths of a leg], and time for one of heading [s]: some hops,
since the velocity follows the heading within two or three."""

PLANAR = Joint("planar", (0.0, 1.0, 0.0), across=(0.0, 0.0, 1.0))
"""The joint of a machine that is held in the plane y = 0: pitch, height and travel; it does no work."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A running machine.

    name: name of the figure. trunk: parts that are drawn; mass [kg], moments [kg m2]: mass and moments of the trunk,
    whose frame is at its centre of mass. legs, size: legs and size of the legs. groups: groups of the law. planar: True
    if it is held in a plane. gains: gains of the control. start: height of the trunk at the start, above the ground
    [m]. together: True if one law controls all groups, which stand in turn; False if each group has its own law.
    top_turn, top_sideways, top_backward: largest rate of turn [rad/s], speed to a side and speed backward [m/s].
    """

    name: str
    trunk: tuple[Part, ...]
    mass: float
    moments: Triple
    legs: tuple[Leg, ...]
    size: LegSize
    groups: tuple[tuple[int, ...], ...]
    planar: bool
    gains: Gains
    start: float
    together: bool = True
    top_turn: float = 0.5
    top_sideways: float = 2.0
    top_backward: float = 4.0

    def figure(self) -> Figure:
        """Return its figure; the trunk's link is called `body`."""
        x, y, z = self.moments
        mass = MassProperties(self.mass, inertia=((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)))
        body = Link("body", None, PLANAR if self.planar else Joint("free"), self.trunk, mass)
        links = (body, *(link for leg in self.legs for link in leg.links(self.size, "body")))
        return colored(Figure(self.name, links), MACHINE)

    def controller(self, figure: Figure, gains: Gains, course: Course) -> FeedbackController:
        """Return its controller. figure: as for figure()."""
        if self.together:
            law = self._law(figure, self.legs, self.groups, gains, course)
        else:
            parts = [tuple(self.legs[i] for i in group) for group in self.groups]
            groups = [(tuple(range(len(legs))),) for legs in parts]
            laws = zip(parts, groups, strict=True)
            law = SeveralLaws(tuple(self._law(figure, legs, group, gains, course) for legs, group in laws))
        actuators: dict[str, Actuator] = {}
        for leg in self.legs:
            actuators |= leg.actuators(self.size)
        return FeedbackController(law, actuators, tuple(leg.foot for leg in self.legs))

    def _law(
        self, figure: Figure, legs: tuple[Leg, ...], groups: tuple[tuple[int, ...], ...], gains: Gains, course: Course
    ) -> RaibertLaw:
        weight_fraction = 1.0 if self.together else 1.0 / len(self.groups)
        return RaibertLaw(figure, legs, groups, self.size.length, self.size.stiffness, gains, weight_fraction, course)

    def limbs(self) -> Mapping[str, tuple[str, ...]]:
        """Return the links that touch the ground, by leg."""
        return {leg.name: (leg.foot,) for leg in self.legs}

    def initial(self, course: Course) -> InitialState:
        """Return the initial state: upright in the air, at rest, with idle legs at full length."""
        x, y, heading = course.start
        free = (math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading), x, y, self.start)
        pose = (0.0, self.start, 0.0) if self.planar else free
        joints = sum(len(leg.joints) for leg in self.legs)
        return InitialState((*pose, *[0.0] * joints), (0.0,) * ((3 if self.planar else 6) + joints))

    def world(
        self,
        *,
        speed: float = 2.0,
        ground: Ground | None = None,
        contact: ContactMethod | str = "stepping",
        push: Push | None = None,
    ) -> World:
        """Return the world in which it runs along the heading of its gains.

        speed: requested speed [m/s], -top_backward to MAX_SPEED; below 0 it runs backward. ground: None for level
        ground. contact: contact method or its name; a method given by its name has ITERATIONS iterations. push: a push
        of the trunk. Raises WorldError for impossible values.
        """
        return self._world(speed, ground, contact, push, Course())

    def steered_world(
        self,
        *,
        speed: float = 2.0,
        ground: Ground | None = None,
        contact: ContactMethod | str = "stepping",
        push: Push | None = None,
        turn: TimedValue = 0.0,
        path: GroundPath | ArrayLike | None = None,
        sideways: TimedValue = 0.0,
    ) -> World:
        """Return the world in which a machine that is not planar runs on a course.

        turn: rate of turn to the left [rad/s], at most `top_turn`. path: a path to follow, or its points, see
        GroundPath; it starts at the beginning of the path, and faces against it with a speed below 0. sideways: speed
        to the left [m/s], at most `top_sideways`. For the other arguments and errors see world().
        """
        limits = CourseLimits(
            self.top_turn,
            self.top_sideways,
            PATH_REACH * self.size.length,
            PATH_LAG,
            backward=self.top_backward,
        )
        course = course_of(limits, speed, turn, path, sideways)
        return self._world(speed, ground, contact, push, course)

    def _world(
        self, speed: float, ground: Ground | None, contact: ContactMethod | str, push: Push | None, course: Course
    ) -> World:
        if not -self.top_backward <= speed <= MAX_SPEED:
            bounds = f"-{self.top_backward:g} to {MAX_SPEED:g}"
            raise WorldError(f"{self.name} cannot run at {speed} m/s; give a speed from {bounds}")
        figure, method = self.figure(), contact_method(contact, iterations=ITERATIONS)
        springs: dict[str, Any] = {}
        for leg in self.legs:
            springs |= leg.springs(self.size, soft=method.scheme.compliant)
        touch = default_contact_parameters(figure, 2.0 * self.size.length)
        fixed = Timing(STEP, STEP, "semi-implicit euler")
        return World(
            figure,
            springs,
            ground=ground if ground is not None else Plane(),
            surface=SurfaceProperties(
                replace(touch, friction=FRICTION, restitution=1.0 if method.scheme.compliant else 0.0),
                tuple(leg.foot for leg in self.legs),
            ),
            contact=method,
            controller=self.controller(figure, replace(self.gains, speed=speed), course),
            external=External(push=push or Push()),
            timing=fixed if method.scheme.fixed_step else Timing(STEP, 1e-4, "rkf45", 1e-6),
            initial=self.initial(course),
        )

    def entry(
        self,
        summary: str,
        *,
        fall_height: float = 0.8,
        height: float = 1.4,
        make_world: Callable[..., World] | None = None,
        gaits: tuple[str, ...] = (),
    ) -> CreatureEntry:
        """Return its entry for the table of creatures; strides begin with the first leg.

        make_world: None for world() or steered_world().
        """
        return CreatureEntry(
            name=self.name,
            summary=summary,
            make_world=make_world or (self.world if self.planar else self.steered_world),
            seconds=20.0,
            limbs=self.limbs(),
            trunk="body",
            fall_height=fall_height,
            height=height,
            stride_limb=self.legs[0].name,
            gaits=gaits,
            course_speed=None if self.planar else _course_speed,
            backward_speed=1.0,
            lacks=IN_A_PLANE if self.planar else {},
        )


def _course_speed(world: World) -> float:
    law = world.controller.law if isinstance(world.controller, FeedbackController) else None
    laws = law.laws if isinstance(law, SeveralLaws) else (law,)
    assert isinstance(laws[0], RaibertLaw)
    return abs(laws[0].gains.speed)
