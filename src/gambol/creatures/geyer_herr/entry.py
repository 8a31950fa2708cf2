"""The reflex walker as a creature by name, and its world."""

from __future__ import annotations

import math

from gambol.collide import Ground
from gambol.contact import ContactMethod, HuntCrossley, SurfaceProperties, contact_method
from gambol.control import FeedbackController
from gambol.creatures.entry import IN_A_PLANE, CreatureEntry
from gambol.creatures.geyer_herr.figure import BALL, DEGREE, SHANK, SIDES, THIGH, stops, walker_figure
from gambol.creatures.geyer_herr.law import ReflexWalkerLaw
from gambol.creatures.geyer_herr.muscles import walker_muscles
from gambol.creatures.inclined import ground_of
from gambol.world import External, InitialState, Push, Timing, World

STEP = 1e-3
"""Step of the world with the method `stepping`, and of the control [s]: the shortest delay is five steps."""

FOOT_CONTACTS = 4
"""Contact capacity of a step: ball and heel of both feet. It grows in steps in which a fallen walker has more contacts.
"""

SMOOTH_TIMING = Timing(STEP, 1e-5, "rkf45", 1e-5)
"""Adaptive steps for compliant ground, which is stiff where a foot lands."""

SPEED = 1.3
"""Speed of all segments at the start [m/s]. [nms_model_ControlInit.m]"""

LEAN = 5.0 * DEGREE
"""Lean of the trunk at the start, when the left foot is flat [rad]. [nms_model_ControlInit.m]"""

START = {
    "left thigh": 5.0 * DEGREE,
    "left shank": -5.0 * DEGREE,
    "left foot": 5.0 * DEGREE,
    "right thigh": 40.0 * DEGREE,
    "right shank": -5.0 * DEGREE,
    "right foot": 0.0,
}
"""Angles of the joints at the start [rad]: the source's 175, 175, 85 and 140, 175, 90 degrees."""

GROUND_SINK, GROUND_SPEED = 0.01, 0.03
"""Depth at which the ground carries the body's weight [m], and separation speed at which its force is 0 [m/s].
[NMS_Model_MechInit.m]
"""

FRICTION = 0.8
"""Coefficient of sliding friction [NMS_Model_MechInit.m]; the source's standing feet hold up to 0.9, by springs."""


def walker_world(
    *,
    ground: Ground | None = None,
    contact: ContactMethod | str | None = None,
    push: Push | None = None,
    slope: float = 0.0,
) -> World:
    """Return the world of the walker, with the initial state of the source.

    ground: None for level ground. contact: None for "stepping" in steps of STEP. With a compliant method the ground is
    the Hunt-Crossley law nearest to the source's law; gains of reflexes are the source's, and steps are adaptive. push:
    a push at the trunk's centre of mass. slope: slope of the ground, upward in the direction of walking [rad]. Raises
    WorldError for a slope of more than 45 degrees, and for a slope of a given ground.
    """
    surface = ground_of(ground, slope)
    figure = walker_figure()
    feet = tuple(f"{side} foot" for side in SIDES)
    knees = tuple((link.q.start, link.v.start) for link in (figure.link(f"{side} shank") for side in SIDES))
    method = contact_method(contact or "stepping", max_contacts=FOOT_CONTACTS)
    smooth = method.scheme.compliant
    q, v = initial_state(slope)
    return World(
        figure,
        springs=stops(soft=smooth),
        ground=surface,
        surface=SurfaceProperties(ground_law(figure.mass), feet=feet),
        contact=method,
        controller=FeedbackController(ReflexWalkerLaw(STEP, knees, tuned=not smooth), walker_muscles(), feet),
        external=External(push=push or Push()),
        timing=SMOOTH_TIMING if smooth else Timing(STEP, STEP, "semi-implicit euler"),
        initial=InitialState(q, v),
    )


def ground_law(mass: float) -> HuntCrossley:
    """Return the ground of Hunt and Crossley that is nearest to the ground of the source.

    The source has F = M g d / d0 (1 - v / v0), with depth d and speed v out of the ground. The ground returned has the
    same force at depth d0, and at speed v0, but its force rises with d^(3/2). A method on velocities uses the friction
    only.
    """
    stiffness = mass * 9.81 / GROUND_SINK**1.5
    return HuntCrossley(stiffness, dissipation=1.0 / (1.5 * GROUND_SPEED), friction=FRICTION, stiction_speed=0.01)


def initial_state(slope: float = 0.0) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return q and v at the start: the left foot stands flat with its ball at the origin, the right leg is in front.

    slope: slope of the ground, along which the left foot lies and the body moves [rad].
    """
    thigh = START["left thigh"] - LEAN
    shank = thigh + START["left shank"]
    hip_x = -BALL * math.cos(slope) - THIGH * math.sin(thigh) - SHANK * math.sin(shank)
    hip_z = -BALL * math.sin(slope) + THIGH * math.cos(thigh) + SHANK * math.cos(shank)
    angles = [START[f"{side} {name}"] for side in SIDES for name in ("thigh", "shank", "foot")]
    angles[2] += slope
    speed = SPEED * math.cos(slope + LEAN), SPEED * math.sin(slope + LEAN)  # in the axes of the trunk, which leans
    return (-LEAN, hip_x, hip_z, *angles), (0.0, *speed, *[0.0] * len(angles))


GEYER_HERR = CreatureEntry(
    name="geyer-herr",
    summary="a person of seven segments who walks by the reflexes of fourteen muscles [Geyer and Herr 2010]",
    make_world=walker_world,
    seconds=30.0,
    limbs={side: (f"{side} foot",) for side in SIDES},
    trunk="trunk",
    fall_height=0.9,
    height=1.8,
    stride_limb="left",
    lacks=IN_A_PLANE,
)
"""The row of the table of creatures. Upright, the trunk's centre of mass is 1.35 m above the ground."""
