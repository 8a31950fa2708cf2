"""The dog as a creature by name: its world, and its row of the table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from numpy.typing import ArrayLike

from gambol.collide import Ground, Plane
from gambol.contact import ContactMethod, Stepping, SurfaceProperties, contact_method
from gambol.control import FeedbackController, Senses
from gambol.creatures.dog.body import Body
from gambol.creatures.dog.by_speed import SpeedChange, gaits_by_speed
from gambol.creatures.dog.control_input import DogMemory
from gambol.creatures.dog.dog_gait import DOG_GAITS, Change, DogGait
from gambol.creatures.dog.figure import (
    LEGS,
    OTHER_JOINTS,
    PAW_RADIUS,
    STANDING_HEIGHT,
    dog_figure,
    joint_names,
    paw,
    standing_angles,
)
from gambol.creatures.dog.law import GAINS, DogLaw, actuated_joints
from gambol.creatures.dog.reference import foot_y
from gambol.creatures.dog.servos import OTHERS, SERVOS
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.inclined import check_slope
from gambol.creatures.models import default_contact_parameters
from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import WorldError, did_you_mean
from gambol.gait import GroundPath, TimedValue
from gambol.gait.course import Course, CourseLimits, course_of
from gambol.gait.mammals import GAITS
from gambol.spatial import Vector
from gambol.world import External, Push, Timing, World
from gambol.world.external import InitialState

STEP = 1e-3
"""Step of the control, and of the world in most gaits [s]: with half of it, the work of the motors changes by less than
a tenth."""

VARIABLE = Timing(STEP, 0.1 * STEP, "rkf45", 1e-5)
"""Time steps for contact methods without fixed steps."""

MAX_CONTACTS = 8
"""Number of simultaneous contacts: paws, and other parts that touch the ground after a fall."""

ITERATIONS = 24
"""Iterations of iterative contact methods, as for models from files."""

OTHER_TARGETS = (0.15, -0.1, 0.0, 0.1)
"""Angles of neck, head, tail and tail tip [rad]."""

STRAIGHT = Course()

TOP_TURN = 0.6
"""Largest rate of turn [rad/s]."""

EASE, PATH_REACH, PATH_STRIDES = 2.0, 2.0, 2.0
"""Time in which the rate of turn rises [s], distance in which an error of position should vanish [m], and time in which
one of heading should vanish [strides]."""

SIDE_MARGIN = 0.8
"""Largest speed to a side, as a fraction of that at which paws would meet: in a swing they move up to 1 cm further."""

TOP_BACKWARD = 1.0
"""Largest speed backward [m/s]."""

MAX_SPEED = 8.0
"""Maximum speed for which a world is made [m/s]; the dog falls before this limit."""


def dog_world(
    *,
    gait: str = "trot",
    speed: TimedValue | None = None,
    slope: float = 0.0,
    push: Push | None = None,
    ground: Ground | None = None,
    contact: ContactMethod | str = Stepping.name,
    turn: TimedValue = 0.0,
    path: GroundPath | ArrayLike | None = None,
    sideways: TimedValue = 0.0,
) -> World:
    """Return a world in which the dog moves from standing.

    gait: a name in GAITS, or two names with a colon, such as "walk:trot"; the gait then changes at 5 s. speed:
    speed of the only or the second gait, below 0 backward [m/s]; None: the speed in DOG_GAITS; pairs of time [s]
    and speed: the gait then follows from the speed, see by_speed.py, and `gait` has no effect. slope: upward slope
    ahead [rad]; gravity is inclined, and the ground is drawn level. push: a push on the trunk. ground: None for
    level ground. contact: contact method, or its name. turn: rate of turn to the left [rad/s]. path: a path to
    follow, or its points, see GroundPath; it starts at the beginning of the path, and faces against it if it walks
    backward. sideways: speed to the left [m/s], at most top_sideways(). Raises WorldError for unknown gaits, and
    for a speed, a slope or a turn out of range.
    """
    names = gait.split(":")
    for name in names:
        if name not in GAITS:
            raise WorldError(f'the dog has no gait "{name}"; {did_you_mean(name, GAITS)}')
    if len(names) > 2:
        raise WorldError(f'the dog changes its gait once; "{gait}" names {len(names)} gaits')
    if isinstance(speed, (int, float)) and not -TOP_BACKWARD <= speed <= MAX_SPEED:
        raise WorldError(f"the dog cannot move at {speed} m/s; give -{TOP_BACKWARD:g} to {MAX_SPEED:g}")
    check_slope(slope, None)
    before, after = DOG_GAITS[names[0]], DOG_GAITS[names[-1]]
    if isinstance(speed, (int, float)):
        after = replace(after, speed=float(speed))
    gaits, changes = (before if len(names) > 1 else after, after), tuple[Change | SpeedChange, ...]((Change(),))
    if isinstance(speed, tuple):
        gaits, changes = gaits_by_speed(speed)
        after = max(gaits, key=lambda gait: gait.speed)
    lag = PATH_STRIDES / after.frequency
    limits = CourseLimits(TOP_TURN, top_sideways(after), PATH_REACH, lag, EASE, TOP_BACKWARD)
    course = course_of(limits, after.speed, turn, path, sideways)
    world = world_of_gaits(*gaits, changes=changes, slope=slope, contact=contact, course=course)
    return replace(world, external=External(push=push or Push()), ground=ground or Plane())


def top_sideways(gait: DogGait) -> float:
    """Return the largest speed to a side in a gait [m/s].

    In a stance feet move past their middle by half of the way. If they moved no further, left and right paws would just
    not meet at this speed over SIDE_MARGIN.
    """
    stance = max(GAITS[gait.gait].duty) / gait.frequency
    return SIDE_MARGIN * 2.0 * (foot_y("front left", {"width": gait.width}) - PAW_RADIUS) / stance


def world_of_gaits(
    *gaits: DogGait,
    changes: tuple[Change | SpeedChange, ...] = (Change(),),
    slope: float = 0.0,
    contact: ContactMethod | str = Stepping.name,
    gains: Mapping[str, float] | None = None,
    course: Course = STRAIGHT,
) -> World:
    """Return a world in which the dog moves in gaits, one after the other.

    changes: from each gait to the next; by default, there are two gaits, with a change at 5 s. slope, contact: see
    dog_world(). gains: gains that replace some of GAINS. course: its course.
    """
    figure, q, g = dog_figure(), _standing(course), STANDARD_GRAVITY
    law = DogLaw(gaits, changes, _start(gaits[0], q, course), OTHER_TARGETS, slope, {**GAINS, **(gains or {})}, course)
    servos = dict(zip(actuated_joints(), (*SERVOS * len(LEGS), *OTHERS), strict=True))
    feet = tuple(map(paw, LEGS))
    rigid = replace(default_contact_parameters(figure, 2.0 * STANDING_HEIGHT), restitution=0.0)
    fixed = Timing(STEP, STEP / max(gait.substeps for gait in gaits), "semi-implicit euler")
    method = contact_method(contact, max_contacts=MAX_CONTACTS, iterations=ITERATIONS)
    return World(
        figure,
        surface=SurfaceProperties(rigid, feet=feet),
        contact=method,
        controller=FeedbackController(law, servos, feet),
        gravity=(-g * math.sin(slope), 0.0, -g * math.cos(slope)) if slope else g,
        timing=fixed if method.scheme.fixed_step else VARIABLE,
        initial=InitialState(q=tuple(q)),
    )


def _standing(course: Course) -> list[float]:
    """Return the coordinates of the dog that stands on the ground, at the start of its course."""
    figure, (x, y, heading) = dog_figure(), course.start
    turned = [math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)]
    q = [*turned, x, y, STANDING_HEIGHT, *[0.0] * (figure.nq - 7)]
    angles = {name: x for leg in LEGS for name, x in zip(joint_names(leg), standing_angles(leg), strict=True)}
    for name, x in (angles | dict(zip(OTHER_JOINTS, OTHER_TARGETS, strict=True))).items():
        q[figure.link(name).q.start] = x
    return q


def _start(gait: DogGait, q: list[float], course: Course) -> DogMemory:
    """Return the memory of the law before the first step of a gait, for a dog that stands at q."""
    body = Body.of(Senses(0.0, q=q, v=[0.0] * dog_figure().nv, height=q[6]))
    phases = [-offset % 1.0 for offset in GAITS[gait.gait].offsets]
    angles = [body.joints(leg)[0] for leg in LEGS]
    still, side = Vector(0.0, 0.0, 0.0), [0.0] if course.goes_sideways else []
    return DogMemory(list(phases), list(body.paws), list(body.paws), angles, 0.0, still, course.memory(), side)


def _course_speed(world: World) -> float:
    law = world.controller.law if isinstance(world.controller, FeedbackController) else None
    assert isinstance(law, DogLaw)
    return abs(law.gaits[-1].speed)


DOG = CreatureEntry(
    "dog",
    "a dog of 28 kg that walks, trots, paces, bounds, pronks, canters and gallops on its own feet",
    dog_world,
    12.0,
    {leg: (paw(leg),) for leg in LEGS},
    "trunk",
    0.25,
    STANDING_HEIGHT,
    stride_limb="hind left",
    gaits=tuple(GAITS),
    timed_speed=True,
    course_speed=_course_speed,
    backward_speed=0.8,
)
"""The row of the dog in the table of creatures."""
