"""The passive walker: two legs with knees, of point masses, connected at a hip. [McGeer 1990b; Chen 2007]

The arrangement is Chen's: a mass at the hip, and one on each thigh and shank. The masses and their positions are ours,
found among 2048 random walkers: on a slope of 1.4 degrees the walk is stable, and no foot touches the ground in its
swing. Its feet are balls.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from gambol.actuation import VariableDamper
from gambol.collide import Ground
from gambol.collide.height_grid import inclined_plane
from gambol.contact import ContactMethod, SurfaceProperties, contact_method
from gambol.control import FeedbackController
from gambol.creatures.colors import WALKING_TOY, colored
from gambol.creatures.entry import IN_A_PLANE, CreatureEntry
from gambol.creatures.inclined import check_slope
from gambol.creatures.models import default_contact_parameters
from gambol.creatures.passive_walker.knees import BRAKE, KneeLocks
from gambol.errors import WorldError
from gambol.figure import Box, Capsule, Figure, Joint, JointSpring, Link, MassProperties, Matrix3, Part, Sphere
from gambol.world import External, InitialState, Push, Timing, World

STEP = 2.5e-4
"""Control step and step of the contact method [s]: a stride is 0.3 % shorter than in the limit of short steps."""

MAX_SLOPE = 0.1
"""Maximum allowed slope [rad]."""

RAMP_HALF_LENGTH = 100.0
"""Half the length of the slope [m]: a walk of four minutes."""

ACROSS: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
"""Turns z to y, for the axle of the hip."""

SHANKS = ("left shank", "right shank")


@dataclass(frozen=True, slots=True)
class WalkerSize:
    """Numbers of the walker.

    hip, thigh, shank: masses [kg]; thigh_com, shank_com: distance of the thigh's mass below the hip, and of the shank's
    mass below the knee [m]; knee, leg: distance of the knee, and of the sole of a straight leg, from the hip [m]; foot:
    radius of the foot [m].
    """

    hip: float = 5.5
    thigh: float = 2.1
    shank: float = 0.185
    thigh_com: float = 0.36
    shank_com: float = 0.09
    knee: float = 0.5
    leg: float = 1.0
    foot: float = 0.05


@dataclass(frozen=True, slots=True)
class WalkerStart:
    """The state just after the left foot has landed, with both legs straight.

    angle: angle of the left leg ahead of the slope's normal, and of the right leg behind it [rad]; left, right: rates
    of the legs' angles, positive forward [rad/s].
    """

    angle: float
    left: float
    right: float


SLOPE = 0.025
"""The default slope [rad]."""

START = WalkerStart(0.22140, -0.98345, -0.48057)
"""The limit cycle of WalkerSize() on SLOPE: a fixed point of the map from one landing to the next, see the tests."""


def walker_figure(size: WalkerSize) -> Figure:
    """Return the figure: a planar hip with two legs."""
    inertia = ((0.02, 0.0, 0.0), (0.0, 0.02, 0.0), (0.0, 0.0, 0.02))  # of the hip, which nothing turns
    joint = Joint("planar", (0.0, 1.0, 0.0), across=(0.0, 0.0, 1.0))
    axle = (_drawn(Capsule(0.03, 0.3), 0.0, 0.0, ACROSS), _drawn(Box((0.12, 0.14, 0.1)), 0.0, 0.03))
    links = [Link("hip", None, joint, axle, MassProperties(size.hip, inertia=inertia))]
    lower = size.leg - size.knee
    for side, y in (("left", 0.11), ("right", -0.11)):
        hip = Joint("revolute", (0.0, -1.0, 0.0), position=(0.0, y, 0.0))
        thigh = (
            _drawn(Capsule(0.022, size.knee), 0.0, -0.5 * size.knee),
            _drawn(Sphere(0.055), 0.0, -size.thigh_com),
            _drawn(Capsule(0.03, 0.05), 0.0, -size.knee, ACROSS),
        )
        links.append(Link(f"{side} thigh", "hip", hip, thigh, MassProperties(size.thigh, (0.0, 0.0, -size.thigh_com))))
        knee = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -size.knee))
        shank = (
            Part(Sphere(size.foot), (0.0, 0.0, size.foot - lower), inertial=False),
            _drawn(Capsule(0.017, lower - size.foot), 0.0, -0.5 * (lower - size.foot)),
            _drawn(Sphere(0.03), 0.0, -size.shank_com),
        )
        mass = MassProperties(size.shank, (0.0, 0.0, -size.shank_com))
        links.append(Link(f"{side} shank", f"{side} thigh", knee, shank, mass))
    return colored(Figure("passive-walker", tuple(links)), WALKING_TOY)


def _drawn(shape: Box | Capsule | Sphere, x: float, z: float, rotation: Matrix3 | None = None) -> Part:
    """Return a part that is only drawn, in the middle plane of its link."""
    part = Part(shape, (x, 0.0, z), inertial=False, colliding=False)
    return part if rotation is None else replace(part, rotation=rotation)


def initial_state(size: WalkerSize, start: WalkerStart, slope: float) -> InitialState:
    """Return the coordinates and velocities for a start on a slope [rad]; the left foot rolls on the ground."""
    a, w, arm = start.angle, start.left, size.leg - size.foot
    along, normal = 0.0, size.foot + arm * math.cos(a)
    v_along, v_normal = -(size.foot + arm * math.cos(a)) * w, -arm * math.sin(a) * w
    s, c = math.sin(slope), math.cos(slope)
    x, z = along * c + normal * s, normal * c - along * s
    v_x, v_z = v_along * c + v_normal * s, v_normal * c - v_along * s
    q = (0.0, z, x, a - slope, 0.0, -a - slope, 0.0)
    return InitialState(q, (0.0, v_z, v_x, start.left, 0.0, start.right, 0.0))


def walker_world(
    size: WalkerSize,
    start: WalkerStart,
    slope: float,
    *,
    ground: Ground | None = None,
    contact: ContactMethod | str = "stepping",
    push: Push | None = None,
) -> World:
    """Return the world of a walker. ground: None for a ramp of the slope [rad], on which it starts.

    Raises WorldError for a slope beyond MAX_SLOPE, and for a contact method without large steps, which the brakes need.
    """
    check_slope(slope, None, MAX_SLOPE)
    figure, method = walker_figure(size), contact_method(contact)
    if not method.scheme.fixed_step:
        raise WorldError(f'the knee brakes of the passive walker need large steps, not "{method.name}"; give stepping')
    touch = replace(default_contact_parameters(figure, size.leg), friction=1.0, restitution=0.0)
    left, right = (figure.link(name).q.start for name in SHANKS)
    brakes = {name: VariableDamper(BRAKE) for name in SHANKS}
    return World(
        figure,
        {name: JointSpring(lower=0.0) for name in SHANKS},
        ground=ground if ground is not None else inclined_plane(-slope, RAMP_HALF_LENGTH),
        surface=SurfaceProperties(touch, SHANKS),
        contact=method,
        controller=FeedbackController(KneeLocks((left, right)), brakes, SHANKS),
        external=External(push=push or Push()),
        timing=Timing(STEP, STEP, "semi-implicit euler"),
        initial=initial_state(size, start, slope),
    )


def make_world(
    *,
    slope: float = SLOPE,
    ground: Ground | None = None,
    contact: ContactMethod | str = "stepping",
    push: Push | None = None,
) -> World:
    """Return a world in which the walker walks down a slope [rad], starting on the limit cycle of the slope SLOPE."""
    return walker_world(WalkerSize(), START, slope, ground=ground, contact=contact, push=push)


ENTRY = CreatureEntry(
    name="passive-walker",
    summary="walks down a slope without motors; knees that lock, after McGeer (1990) and Chen (2007)",
    make_world=make_world,
    seconds=20.0,
    limbs={"left": ("left shank",), "right": ("right shank",)},
    trunk="hip",
    fall_height=0.7,
    height=1.0,
    stride_limb="left",
    lacks=IN_A_PLANE,
)
