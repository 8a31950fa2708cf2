"""People as creatures by name: rows of the table of creatures."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from gambol.actuation import Servo
from gambol.collide import Ground
from gambol.contact import ContactMethod
from gambol.creatures.entry import IN_A_PLANE, CreatureEntry
from gambol.creatures.people.body import APPLET
from gambol.creatures.people.gaits import GAITS, WALK_IN_SPACE
from gambol.creatures.people.person import person
from gambol.creatures.people.planar_figure import SIDES, planar_person
from gambol.creatures.people.planar_law import PlanarSimbicon
from gambol.creatures.people.running_law import Running, RunningLaw
from gambol.creatures.people.spatial_law import LUMBAR, SpatialSimbicon, hip_links
from gambol.creatures.people.worlds import (
    MAX_TORQUE,
    METHOD,
    TARGET_RANGE,
    Person,
    Surroundings,
    damped,
    world_of_person,
)
from gambol.gait import GroundPath, TimedValue
from gambol.gait.course import CourseLimits, course_of
from gambol.world import Push, World

APPLET_POSE = (0.051, 0.0, -0.042)
"""Pitch [rad], and x and height of the hip relative to standing straight [m], at the start of the authors' applet."""

APPLET_ANGLES = {
    "right thigh": (-0.221, -1.430),
    "right shank": (-0.217, 0.086),
    "left thigh": (0.298, -3.268),
    "left shank": (-0.601, 3.167),
    "right foot": (0.360, 0.697),
    "left foot": (0.241, 3.532),
}
"""Angles [rad] and their rates [rad/s] at the start of the applet, in the middle of a step."""

APPLET_VELOCITY = (0.276, 0.98, -0.229)
"""Rate of the trunk [rad/s], and velocity of the hip along x and z [m/s], at the start of the applet."""


WALKING_SPEED = 1.0
"""Speed of the three-dimensional person [m/s]."""


def _walking_speed(world: World) -> float:
    return WALKING_SPEED


STEERING = CourseLimits(turn=0.5, sideways=0.0, reach=2.0, lag=1.5, ease=2.0, stops=False)
"""What the three-dimensional person follows: a rate of turn [rad/s] that rises within three steps, and paths, at whose
end the person, who cannot stand still, walks on."""


def _servos(gains: dict[str, tuple[float, float]]) -> dict[str, Servo]:
    """Return servos for links of both sides, the right first. gains: stiffness and damping, by segment."""
    return {
        f"{side} {name}": Servo(*TARGET_RANGE, stiffness, damping, MAX_TORQUE)
        for name, (stiffness, damping) in gains.items()
        for side in SIDES
    }


def simbicon_world(
    *,
    gait: str = "walk",
    slope: float = 0.0,
    push: Push | None = None,
    ground: Ground | None = None,
    contact: ContactMethod | str = METHOD,
) -> World:
    """Return the world of the planar SIMBICON person, from the start of the authors' applet.

    gait: a row of GAITS. ground, slope, push, contact: see Surroundings. Raises WorldError for impossible values.
    """
    figure, foot = planar_person("simbicon", APPLET), APPLET.foot
    pitch, _, _ = APPLET_POSE
    c, s = math.cos(pitch), math.sin(pitch)
    rate, forward, upward = APPLET_VELOCITY
    walker = Person(
        figure,
        PlanarSimbicon(figure, GAITS[gait], (foot.heel, -foot.sole)),
        motors=tuple(f"{side} thigh" for side in SIDES),
        servos=_servos({"shank": (300.0, 30.0), "foot": (300.0, 30.0)}),
        angles={name: angle for name, (angle, _) in APPLET_ANGLES.items()},
        speeds={name: speed for name, (_, speed) in APPLET_ANGLES.items()},
        root_v=(rate, c * forward + s * upward, c * upward - s * forward),
        root_q=APPLET_POSE,
    )
    return world_of_person(walker, Surroundings(ground, slope, contact, push))


def simbicon_3d_world(
    *,
    slope: float = 0.0,
    push: Push | None = None,
    ground: Ground | None = None,
    contact: ContactMethod | str = METHOD,
    turn: TimedValue = 0.0,
    path: GroundPath | ArrayLike | None = None,
) -> World:
    """Return the world of the three-dimensional SIMBICON person, who begins at 1 m/s with the left leg in front.

    ground, slope, push, contact: see Surroundings. turn: rate of turn to the left [rad/s]. path: a path to follow, or
    its points, see GroundPath; the person starts at the beginning of the path. Raises WorldError for impossible values.
    """
    figure = person()
    course = course_of(STEERING, WALKING_SPEED, turn, path)
    x, y, heading = course.start
    legs = {"shank": (300.0, 30.0), "foot": (300.0, 30.0), "foot roll": (100.0, 10.0)}
    arms = {"upper arm": (50.0, 5.0), "shoulder roll": (50.0, 5.0), "forearm": (50.0, 5.0)}
    walker = Person(
        figure,
        SpatialSimbicon(figure, WALK_IN_SPACE, course=course),
        motors=(*LUMBAR, *(name for side in SIDES for name in hip_links(side))),
        servos=_servos(legs | arms) | {"head": Servo(*TARGET_RANGE, 50.0, 5.0)},
        angles={"right thigh": -0.1, "right shank": -0.3, "left thigh": 0.3, "left shank": -0.1, "left foot": -0.2},
        root_q=() if course.is_straight else (math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading), x, y, 0.0),
        root_v=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0),
        springs=damped(right_hip_yaw=2.0, left_hip_yaw=2.0, right_hip_roll=1.0, left_hip_roll=1.0, lumbar_yaw=2.0),
    )
    return world_of_person(walker, Surroundings(ground, slope, contact, push))


RUNNER_LEGS = {"shank": (502.0, 12.6), "foot": (217.0, 5.43)}
"""Stiffness [N m/rad] and damping [N m s/rad] of a runner's knees and ankles, the leg's springs, from our search."""


def runner_world(
    *,
    slope: float = 0.0,
    push: Push | None = None,
    ground: Ground | None = None,
    contact: ContactMethod | str = METHOD,
) -> World:
    """Return the world of the runner in the plane, who begins in flight at the desired speed of 3 m/s.

    ground, slope, push, contact: see Surroundings. Raises WorldError for impossible values.
    """
    figure = person(planar=True)
    arms = {"upper arm": (50.0, 5.0), "forearm": (50.0, 5.0)}
    running = Running()
    runner = Person(
        figure,
        RunningLaw(figure, running),
        motors=("trunk", *(f"{side} thigh" for side in SIDES)),
        servos=_servos(RUNNER_LEGS | arms) | {"head": Servo(*TARGET_RANGE, 50.0, 5.0)},
        angles={"right thigh": 0.45, "right shank": -0.3, "left thigh": -0.3, "left shank": -1.0}
        | {f"{side} forearm": running.elbow for side in SIDES},
        root_v=(0.0, running.speed, 0.0),
        clearance=0.05,
    )
    return world_of_person(runner, Surroundings(ground, slope, contact, push))


def _row(name: str, summary: str, make_world: Callable[..., World], trunk: str, **options: Any) -> CreatureEntry:
    """Return the row of a person. options: options of CreatureEntry."""
    limbs = {side: (f"{side} foot",) for side in SIDES}
    return CreatureEntry(name, summary, make_world, limbs=limbs, trunk=trunk, stride_limb="right", **options)


FALLS = "its poses push it forward; walking backward needs other poses, which it does not have"
"""The reason why people with the law of SIMBICON do not walk backward."""

SIMBICON = _row(
    "simbicon",
    "a person of seven links in the plane who walks and runs by poses and a feedback of balance [Yin 2007]",
    simbicon_world,
    "trunk",
    seconds=20.0,
    fall_height=0.8,
    height=1.6,
    gaits=tuple(GAITS),
    lacks={**IN_A_PLANE, "backward": FALLS},
)
"""The planar SIMBICON person. Upright, the trunk's centre of mass is 1.18 m above the ground."""

SIMBICON_3D = _row(
    "simbicon-3d",
    "a person in three dimensions with trunk, head and arms who walks by poses and a feedback of balance [Yin 2007]",
    simbicon_3d_world,
    "trunk",
    seconds=20.0,
    fall_height=0.9,
    height=1.75,
    course_speed=_walking_speed,
    lacks={"backward": FALLS},
)
"""The three-dimensional SIMBICON person. Upright, the trunk's centre of mass is 1.23 m above the ground."""

RUNNER = _row(
    "runner",
    "a person in the plane who runs by a state machine, leg springs and a foot placement [after Hodgins et al. 1995]",
    runner_world,
    "trunk",
    seconds=20.0,
    fall_height=0.9,
    height=1.75,
    lacks=IN_A_PLANE,
)
"""The runner."""
