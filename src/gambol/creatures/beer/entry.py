"""The insect by name: its world, with gaits from a slow wave to the tripod."""

from __future__ import annotations

import math
from dataclasses import replace

from numpy.typing import ArrayLike

from gambol.actuation import Actuator, Servo, VelocityServo
from gambol.collide import Ground, Plane
from gambol.contact import ContactMethod, SurfaceProperties, contact_method
from gambol.contact.table import DEFAULT_METHOD
from gambol.control import FeedbackController
from gambol.creatures.beer.body import FOOT, HALF_WIDTH, HEIGHT, STANCE, TRUNK, forward_sign, insect_figure
from gambol.creatures.beer.law import LAG, BeerLaw, InsectLeg, Steering
from gambol.creatures.beer.network import LEGS, AngleRange, Network
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.models import default_contact_parameters
from gambol.errors import WorldError, did_you_mean
from gambol.figure import JOINTS, Figure
from gambol.gait import GroundPath, TimedValue
from gambol.gait.course import CourseLimits, course_of
from gambol.sensing import Light, Sensor
from gambol.world import External, InitialState, Push, Timing, World, depth_of

SWEEP = 0.3
"""The swing of a leg in either direction at which its angle sensors begin to fire [rad]."""

HIND_SWEEP = 1.3
"""Backward range of the hind legs, as a multiple of that of the others: so they step less often, and lead the wave."""

UP, DOWN = 0.25, 0.0  # rad: a foot in the air is 3 cm high
STEP = 0.002
"""Step and control step [s]: a fifth of the time constant of a neuron."""

ITERATIONS = 24
"""Iterations of the iterative contact methods, as for models from files."""

GAITS = {"wave": 0.35, "tetrapod": 0.7, "tripod": 1.0}
"""The frequency of the command neuron for gaits by name."""

CLEARANCE = 0.0005
"""Height of the lowest foot above the ground at the start [m]."""

TOP_SPEED = 1.7 * FOOT[0]
"""Speed of the feet in the tripod gait, the swing rate times their distance from the joints [m/s]."""

FOOT_DISTANCE = HALF_WIDTH + FOOT[0]
"""Distance of the feet from the middle of the body [m]."""

TURN_YIELD = 0.55
"""Measured rate of turn, as a fraction of that of feet which do not slip, in all gaits."""

TOP_SLOWING = ((0.7, 1.0), (1.0, 0.25))
"""Two frequencies of the command neuron, and the largest part by which one side may walk slower: tetrapod, tripod."""

TURN_SHARE = 0.8
"""Largest commanded rate of turn, as a fraction of that at the largest slowing; the rest corrects errors."""

REACH = 0.3
"""Distance in which an error of position on a path should vanish [m]: the length of the legs' bases."""

SWING = VelocityServo(-8.0, 8.0, gain=0.6, strength=1.5)
LIFT = Servo(-0.8, 0.8, stiffness=30.0, damping=0.5, strength=4.0)


def insect_law(
    command: float, network: Network | None = None, steering: Steering | None = None, reach: float = 0.0
) -> BeerLaw:
    """Return the law of the insect's legs.

    command: firing frequency of the command neuron, from 0 to 1. reach: reach of its whiskers [m].
    """
    legs: list[InsectLeg] = []
    for leg in LEGS:
        sign, back = forward_sign(leg), SWEEP * (HIND_SWEEP if leg.startswith("hind") else 1.0)
        legs.append(InsectLeg(sign, AngleRange(-back, SWEEP), -sign * UP, -sign * DOWN))
    steering = steering or Steering()
    reaches = (reach,) * len(steering.whiskers)
    return BeerLaw(tuple(legs), network or Network(), command, steering=steering, reaches=reaches)


def insect_world(
    *,
    law: BeerLaw | None = None,
    ground: Ground | None = None,
    contact: ContactMethod | str = DEFAULT_METHOD,
    figure: Figure | None = None,
    sensors: dict[str, Sensor] | None = None,
    lights: tuple[Light, ...] = (),
    external: External | None = None,
) -> World:
    """Return the insect's world, standing with its legs in the order of a wave.

    law: law of its legs; None: the tripod. ground: the ground; None: level ground. contact: the contact method, or its
    name. figure: a forest of the insect and of obstacles that are fixed to the world; None: the insect alone. sensors,
    lights: sensors and lights of the world. external: external actions, such as a push.
    """
    figure, insect_only = figure or insect_figure(), insect_figure()
    actuators: dict[str, Actuator] = {}
    for leg in LEGS:
        actuators |= {f"hip {leg}": SWING, leg: LIFT}
    method = contact_method(contact, iterations=ITERATIONS)
    parameters = default_contact_parameters(insect_only, 2.0 * FOOT[0])
    fixed = method.scheme.fixed_step
    world = World(
        figure,
        ground=ground or Plane(),
        surface=SurfaceProperties(
            parameters if method.scheme.compliant else replace(parameters, restitution=0.0), feet=LEGS
        ),
        contact=method,
        controller=FeedbackController(law or insect_law(1.0), actuators, LEGS),
        timing=Timing(STEP, STEP, "semi-implicit euler") if fixed else Timing(STEP, 1e-4, "rkf45", 1e-5),
        external=external or External(),
        sensors=sensors or {},
        lights=lights,
    )
    return replace(world, initial=InitialState(_standing(world, law.course.start if law else (0.0, 0.0, 0.0))))


def beer_world(
    *,
    speed: float | None = None,
    gait: str = "tripod",
    ground: Ground | None = None,
    contact: ContactMethod | str = DEFAULT_METHOD,
    push: Push | None = None,
    turn: TimedValue = 0.0,
    path: GroundPath | ArrayLike | None = None,
) -> World:
    """Return the world of the creature "beer".

    speed: speed at which the feet move back in stance [m/s]; it replaces that of a gait. gait: a name in GAITS. turn:
    rate of turn to the left [rad/s]. path: a path to follow, or its points, see GroundPath. Raises WorldError for a
    speed that the command neuron cannot give, an unknown gait, and a larger rate of turn than it has at its speed.
    """
    if gait not in GAITS:
        raise WorldError(f'the insect has no gait "{gait}"; {did_you_mean(gait, GAITS)}')
    command = GAITS[gait]
    if speed is not None:
        if not 0.0 <= speed <= TOP_SPEED:
            raise WorldError(f"the insect walks at 0 to {TOP_SPEED:.3g} m/s, not at {speed} m/s")
        command = speed / TOP_SPEED
    external = External(push=push) if push else None
    law = steered_law(command, turn, path)
    return insect_world(law=law, ground=ground, contact=contact, external=external)


def steered_law(command: float, turn: TimedValue, path: GroundPath | ArrayLike | None) -> BeerLaw:
    """Return the law of the insect on a course; for arguments and errors see beer_world()."""
    speed, top = command * TOP_SPEED, top_slowing(command)
    slowing = FOOT_DISTANCE / (TURN_YIELD * speed) if speed else 0.0
    limits = CourseLimits(turn=TURN_SHARE * top / slowing if slowing else 0.0, sideways=0.0, reach=REACH, lag=LAG)
    course = course_of(limits, speed, turn, path)
    return replace(insect_law(command), course=course, slowing=slowing, top_slowing=top)


def top_slowing(command: float) -> float:
    """Return the largest part by which one side may walk slower. command: frequency of the command neuron.

    In the tripod, legs of both sides carry the weight together, and it falls if they move too differently.
    """
    (slow, whole), (fast, part) = TOP_SLOWING
    return whole + (part - whole) * min(max((command - slow) / (fast - slow), 0.0), 1.0)


def _course_speed(world: World) -> float:
    law = getattr(world.controller, "law", None)
    assert isinstance(law, BeerLaw)
    return max(law.command, 0.1) * TOP_SPEED


def _standing(world: World, place: tuple[float, float, float]) -> tuple[float, ...]:
    """Return the coordinates of the insect on the ground, with its legs in the phases of a wave.

    place: x, y [m] and heading [rad].
    """
    figure = world.figure
    q = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    for leg in LEGS:
        q[figure.link(f"hip {leg}").q.start] = forward_sign(leg) * STANCE[leg]
    root, (x, y, heading) = figure.link(TRUNK).q, place
    if place != (0.0, 0.0, 0.0):
        q[root.start], q[root.start + 3] = math.cos(0.5 * heading), math.sin(0.5 * heading)
        q[root.start + 4], q[root.start + 5] = x, y
    q[root.start + 6] = HEIGHT
    q[root.start + 6] += depth_of(world, q) + CLEARANCE
    return tuple(q)


BEER = CreatureEntry(
    "beer",
    "an insect with Beer's network of 37 neurons [Beer, Chiel and Sterling 1989]",
    beer_world,
    seconds=10.0,
    limbs={leg: (leg,) for leg in LEGS},
    trunk=TRUNK,
    fall_height=0.5 * HEIGHT,
    height=HEIGHT,
    stride_limb="hind left",
    gaits=tuple(GAITS),
    course_speed=_course_speed,
)
"""The row of the insect that walks by Beer's network."""
