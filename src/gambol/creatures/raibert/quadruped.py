"""Raibert's quadruped: it trots, paces or bounds, as pairs of its legs act as one virtual leg. [Raibert 1990]

No table of the machine's numbers was found: sizes, masses and gains are ours; sizes and masses are near those of his
machine.
"""

from dataclasses import replace

from numpy.typing import ArrayLike

from gambol.collide import Ground
from gambol.contact import ContactMethod
from gambol.creatures.raibert.gains import Gains
from gambol.creatures.raibert.leg import Leg, LegSize
from gambol.creatures.raibert.machine import Machine
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Box, Part, Shape
from gambol.gait import GroundPath, TimedValue
from gambol.world import Push, World

HIP_X, HIP_Y = 0.39, 0.12
"""Positions of the hips from the middle of the trunk, ahead and to the side [m]."""

LEGS = (
    Leg("front left", (HIP_X, HIP_Y, 0.0), spatial=True),
    Leg("front right", (HIP_X, -HIP_Y, 0.0), spatial=True),
    Leg("hind left", (-HIP_X, HIP_Y, 0.0), spatial=True),
    Leg("hind right", (-HIP_X, -HIP_Y, 0.0), spatial=True),
)

SIZE = LegSize(
    length=0.65,
    mass=1.0,
    inertia=0.04,
    com=0.35,
    stiffness=4000.0,
    damping=0.0,
    foot=0.025,
    stop_stiffness=1e5,
    stop_damping=1e3,
    torque=300.0,
    settling=70.0,
)
"""Numbers of a leg, which are ours: a pair of legs carries the machine for a fifth of a second."""

TROT = Gains(
    speed=1.0,
    height=0.70,
    max_thrust=0.1,
    stance_time=0.2,
    placement=0.06,
    placement_learning=0.01,
    height_learning=0.2,
    swing=120.0,
    swing_damping=7.0,
    pitch=400.0,
    pitch_damping=60.0,
    roll=200.0,
    roll_damping=20.0,
    yaw=100.0,
    yaw_damping=60.0,
    settling=SIZE.settling,
    short=0.15,
)
"""Gains of the control; tuned, not from the source."""

GAITS: dict[str, tuple[tuple[tuple[int, ...], ...], Gains]] = {
    "trot": (((0, 3), (1, 2)), TROT),
    "pace": (((0, 2), (1, 3)), replace(TROT, roll=100.0, roll_damping=40.0, inward=0.75)),
    "bound": (
        ((0, 1), (2, 3)),
        replace(
            TROT, placement=0.06, placement_learning=0.005, height_learning=0.0, pitch=0.0, pitch_damping=5.0, short=0.0
        ),
    ),
}
"""Virtual legs and gains by gait."""

TURNS = {"trot": 0.5, "pace": 0.25, "bound": 0.5}
"""Largest rate of turn [rad/s]: a pace falls at 0.5. With half of the damping of yaw, a pace and a trot fall straight
on, after 40 and 25 s."""


def _drawn(shape: Shape, *position: float) -> Part:
    return Part(shape, (position[0], position[1], position[2]), inertial=False, colliding=False)


TRUNK = (
    _drawn(Box((2.0 * HIP_X, 0.06, 0.06)), 0.0, 0.06, 0.02),
    _drawn(Box((2.0 * HIP_X, 0.06, 0.06)), 0.0, -0.06, 0.02),
    *(_drawn(Box((0.1, 2.0 * HIP_Y + 0.04, 0.07)), x, 0.0, 0.02) for x in (-HIP_X, HIP_X)),
    _drawn(Box((0.3, 0.14, 0.12)), 0.0, 0.0, 0.08),
)
"""The drawn shape of the trunk: a frame of beams with a valve block."""


def machine(gait: str = "trot") -> Machine:
    """Return the quadruped with the control of a gait. Raises WorldError for an unknown gait."""
    if gait not in GAITS:
        raise WorldError(f'the quadruped has no gait "{gait}"; {did_you_mean(gait, GAITS)}')
    groups, gains = GAITS[gait]
    return Machine(
        name="raibert-quadruped",
        trunk=TRUNK,
        mass=25.0,
        moments=(0.4, 1.7, 1.8),
        legs=LEGS,
        size=SIZE,
        groups=groups,
        planar=False,
        gains=gains,
        start=0.75,
        together=gait != "bound",
        top_turn=TURNS[gait],
    )


def make_world(
    *,
    gait: str = "trot",
    speed: float = 1.0,
    ground: Ground | None = None,
    contact: ContactMethod | str = "stepping",
    push: Push | None = None,
    turn: TimedValue = 0.0,
    path: GroundPath | ArrayLike | None = None,
    sideways: TimedValue = 0.0,
) -> World:
    """Return a world in which the quadruped runs along x, or on a course.

    gait: "trot", "pace" or "bound". speed: requested speed [m/s]. For the other arguments see Machine.steered_world().
    """
    return machine(gait).steered_world(
        speed=speed, ground=ground, contact=contact, push=push, turn=turn, path=path, sideways=sideways
    )


ENTRY = machine().entry(
    "quadruped that trots, paces and bounds on virtual legs, after Raibert",
    fall_height=0.35,
    height=0.65,
    make_world=make_world,
    gaits=tuple(GAITS),
)
