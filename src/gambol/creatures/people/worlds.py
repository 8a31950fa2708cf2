"""Worlds of people by name: figure, control law, actuators, initial state and time steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gambol.actuation import Actuator, Servo, TorqueMotor
from gambol.collide import Ground
from gambol.contact import ContactMethod, SurfaceProperties, contact_method
from gambol.control import FeedbackController, Law
from gambol.creatures.inclined import check_slope, ground_of
from gambol.creatures.models import default_contact_parameters
from gambol.figure import JOINTS, Figure, JointSpring, Springs
from gambol.world import External, Push, Timing, World, depth_of
from gambol.world.external import InitialState

METHOD = "stepping"
"""The contact method by default: large fixed steps."""

STEP = 5e-4
"""Step of the world and of the control [s]: torques of hips are constant in a control step; with this step a damping of
30 N m s/rad at a leg is stable, and the unaccounted energy of a walk is below 1 %."""

ITERATIONS = 16
"""Sweeps over all contacts in a step: with 8, the default, fewer steps of the three-dimensional person converge."""

FRICTION = 0.9
"""Coefficient of friction of soles: more than walking needs; in the authors' applet friction is unlimited."""

MAX_TORQUE = 1000.0
"""Maximum torque of a joint [N m], as in the authors' applet."""

TARGET_RANGE = (-2.6, 2.6)
"""Range of the targets of all servos [rad]."""

STOP_STIFFNESS, STOP_DAMPING = 1000.0, 10.0
"""Stiffness and damping of soft joint limits [N m/rad, N m s/rad]: a torque of 100 N m stops within six degrees."""

STOPS = {"thigh": (-1.4, 2.4), "shank": (-2.6, 0.3), "foot": (-1.2, 1.0), "trunk": (-1.0, 1.0)}
"""Limits of hips, knees, ankles and lumbar joint [rad]: reached in a fall, but not in walking. Not from
the source."""


@dataclass(frozen=True)
class Surroundings:
    """Ground, contact method and push of a person's world.

    ground: None for level ground. slope: slope of the ground, upward in the direction of walking [rad]. contact:
    contact method, or its name. push: a push at the root's centre of mass. Raises WorldError for a slope of more than
    45 degrees, and for a slope together with a ground.
    """

    ground: Ground | None = None
    slope: float = 0.0
    contact: ContactMethod | str = METHOD
    push: Push | None = None

    def __post_init__(self) -> None:
        check_slope(self.slope, self.ground)


@dataclass(frozen=True)
class Person:
    """A figure with its control law, actuators and initial state.

    motors, servos: links with joints at which they act; the law commands them in this order. springs: springs of
    joints. root_q, root_v: initial coordinates and velocities of the root, empty for 0; the height follows from
    clearance. angles, speeds: initial angles and speeds of joints, by link [rad, rad/s]. clearance: initial height of
    the lowest sole above the ground [m].
    """

    figure: Figure
    law: Law
    motors: tuple[str, ...]
    servos: Mapping[str, Servo]
    springs: Mapping[str, Springs] = field(default_factory=dict[str, Springs])
    root_q: tuple[float, ...] = ()
    root_v: tuple[float, ...] = ()
    angles: Mapping[str, float] = field(default_factory=dict[str, float])
    speeds: Mapping[str, float] = field(default_factory=dict[str, float])
    clearance: float = 0.005

    def actuators(self) -> dict[str, Actuator]:
        """Return all actuators by name, in the order of the law's commands."""
        motors: dict[str, Actuator] = {name: TorqueMotor(-MAX_TORQUE, MAX_TORQUE) for name in self.motors}
        return motors | dict(self.servos)


def world_of_person(person: Person, surroundings: Surroundings) -> World:
    """Return the world of a person with its initial state.

    The contact capacity is that of both soles; it grows in steps in which a fallen person has more contacts.
    """
    figure, feet = person.figure, ("right foot", "left foot")
    soles = sum(bool(part.contact_points()) for foot in feet for part in figure.link(foot).parts)
    method = contact_method(surroundings.contact, iterations=ITERATIONS, max_contacts=soles)
    parameters = replace(default_contact_parameters(figure, 2.0), friction=FRICTION)
    if not method.scheme.compliant:
        parameters = replace(parameters, restitution=0.0)
    fixed = method.scheme.fixed_step
    world = World(
        figure,
        springs=stops(figure, soft=method.scheme.compliant) | dict(person.springs),
        ground=ground_of(surroundings.ground, surroundings.slope),
        surface=SurfaceProperties(parameters, feet=feet),
        contact=method,
        controller=FeedbackController(person.law, person.actuators(), feet),
        external=External(push=surroundings.push or Push()),
        timing=Timing(STEP, STEP, "semi-implicit euler") if fixed else Timing(STEP, 0.2 * STEP, "rkf45", 1e-5),
    )
    return replace(world, initial=_start(world, person))


def _start(world: World, person: Person) -> InitialState:
    """Return the initial state of a person, with the lowest sole at its clearance above the ground."""
    figure = world.figure
    nq, nv = figure.root.q.stop, figure.root.v.stop
    q = [*(person.root_q or JOINTS[figure.root.joint.kind].rest), *[0.0] * (figure.nq - nq)]
    v = [*(person.root_v or [0.0] * nv), *[0.0] * (figure.nv - nv)]
    for name, angle in person.angles.items():
        q[figure.link(name).q.start] = angle
    for name, speed in person.speeds.items():
        v[figure.link(name).v.start] = speed
    q[nq - 1] += depth_of(world, q) + person.clearance
    return InitialState(tuple(q), tuple(v))


def stops(figure: Figure, *, soft: bool) -> dict[str, Springs]:
    """Return the limits of the joints in STOPS, by link. soft: True for springs, which compliant methods need."""
    k, b = (STOP_STIFFNESS, STOP_DAMPING) if soft else (0.0, 0.0)
    return {
        link.name: JointSpring(lower=lower, upper=upper, limit_stiffness=k, limit_damping=b)
        for link in figure.links
        for name, (lower, upper) in STOPS.items()
        if link.name.split()[-1] == name and link.parent_index
    }


def damped(**damping: float) -> dict[str, JointSpring]:
    """Return dampers of joints. damping: damping by name of the link, with _ for a space [N m s/rad]."""
    return {name.replace("_", " "): JointSpring(damping=x) for name, x in damping.items()}
