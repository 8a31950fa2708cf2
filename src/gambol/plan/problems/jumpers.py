"""Figures that jump in the plane: a lamp and a hopper."""

import math

from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties
from gambol.plan.motion import Cost, Mesh, Phase, Plan, Point, Pose
from gambol.plan.problems.rods import bar, block, diagonal, foot, hinge, planar_base, point_mass, rod

LAMP_MASS = 5.0
"""Mass of the lamp [kg]. [OpenSim, ExampleLuxoMuscle]"""

BAR, BRACKET, END = LAMP_MASS / 32.0, LAMP_MASS * 4.0 / 32.0, LAMP_MASS / 4.0
"""Masses of a bar (there are eight), of a bracket (two), of the base and of the head [kg]. [OpenSim]"""

ARM = 0.35  # m: four bars and a bracket side by side; the source names no length
EXTENSOR = 100.0 * 0.1
"""Torque of an extensor [N m]: 100 N [OpenSim] at 0.1 m; in the source the arm follows from its geometry file."""


def lamp() -> Figure:
    """Return a lamp of base, two arms and head, in the plane y = 0: 5 kg. [OpenSim, ExampleLuxoMuscle]"""
    across = END / 12.0 * 0.2**2
    plate = MassProperties(END, (0.0, 0.0, 0.01), diagonal(across, across, 2 * across))
    arm = rod(4.0 * BAR + BRACKET, ARM)
    upward = MassProperties(arm.mass, (0.0, 0.0, 0.5 * ARM), arm.inertia)
    shade = MassProperties(END, (0.06, 0.0, 0.0), diagonal(0.003, 0.003, 0.003))
    return Figure(
        "lamp",
        (
            planar_base("base", plate, (block((0.2, 0.2, 0.02), (0.0, 0.0, 0.01)),)),
            hinge("lower arm", "base", upward, (_upward_bar(),), (0.0, 0.0, 0.02)),
            hinge("upper arm", "lower arm", upward, (_upward_bar(),), (0.0, 0.0, ARM)),
            hinge("head", "upper arm", shade, (block((0.16, 0.12, 0.12), (0.06, 0.0, 0.0)),), (0.0, 0.0, ARM)),
        ),
    )


def _upward_bar():
    return block((0.03, 0.05, ARM), (0.0, 0.0, 0.5 * ARM))


def lamp_jump(distance: float = 0.4) -> Plan:
    """Return the plan of a lamp that jumps forward [m], from rest to rest, with little effort.

    It rolls off over the toe of its flat base and lands on the heel, since two points that touch down together in a
    plan do so at different times in a simulation. It touches down at rest. The small cost of accelerations keeps the
    motion smooth on the mesh.

    The angles of its joints are limited to the source's ranges: the lower arm leans back by 10 to 60 degrees, the knee
    is bent forward by 20 to 110 degrees, twice the source's 10 to 55 degrees at each end of the two parallel bars.
    """
    degree = math.pi / 180.0
    crouch = {"lower arm": 40.0 * degree, "upper arm": -80.0 * degree, "head": 10.0 * degree}
    rest = {"base": (0.0, 0.0, 0.0), **dict.fromkeys(crouch, 0.0)}
    both = ("heel", "toe")
    return Plan(
        lamp(),
        (
            Phase("push", (0.15, 0.8), both, intervals=24),
            Phase("tiptoe", (0.03, 0.6), ("toe",), intervals=12),
            Phase("flight", (0.1, 0.6), intervals=20),
            Phase("heel", (0.03, 0.6), ("heel",), landing="smooth", intervals=12),
            Phase("landing", (0.15, 0.8), both, landing="smooth", intervals=24),
        ),
        "lamp jump",
        torques={"lower arm": 2 * EXTENSOR, "upper arm": 2 * EXTENSOR, "head": EXTENSOR},
        limits={
            "lower arm": (10.0 * degree, 60.0 * degree),
            "upper arm": (-110.0 * degree, -20.0 * degree),
            "head": (-30.0 * degree, 90.0 * degree),
        },
        clearance=0.04,
        points=(Point("heel", "base", (-0.1, 0.0, 0.0)), Point("toe", "base", (0.1, 0.0, 0.0))),
        start=Pose(positions={"base": (0.0, 0.0, 0.0), **crouch}, velocities=rest),
        goal=Pose(positions={"base": (0.0, distance, 0.0), **crouch}, velocities=rest),
        costs=(Cost("effort"), Cost("acceleration", 1e-3), Cost("duration", 1e-2)),
        mesh=Mesh(intervals=92, tolerance=1e-3, refinements=2),
    )


LEG_SPRING, LEG_REST = 1000.0, 1.0
"""Stiffness [N/m] and rest length [m] of the hopper's leg. [Raibert 1984]"""


def hopper() -> Figure:
    """Return a hopper in the plane y = 0: a body of 10 kg on a leg of 1 kg that slides out of it. [Raibert 1984]

    The foot, 0.1 kg, is not in the source; the lower leg of the source has no mass.
    """
    body = MassProperties(10.0, (0.0, 0.0, 0.4), diagonal(10.0, 10.0, 10.0))
    leg = MassProperties(1.0, (0.0, 0.0, -0.5), diagonal(1.0, 1.0, 1e-3))
    sole = Link("foot", "leg", Joint("prismatic", (0.0, 0.0, -1.0)), (foot(0.03, (0.0, 0.0, 0.0)),), point_mass(0.1))
    return Figure(
        "hopper",
        (
            planar_base("body", body, (block((0.8, 0.3, 0.25), (0.0, 0.0, 0.4)),)),
            hinge("leg", "body", leg, (bar(0.6, 0.04),)),
            sole,
        ),
    )


def hopper_leap(distance: float = 0.6) -> Plan:
    """Return the plan of a hopper that leaps forward [m] with its leg's spring, from rest to rest."""
    weight = 11.1 * 9.8
    length = LEG_REST - weight / LEG_SPRING
    stand = {"leg": 0.0, "foot": length}
    still = {"body": (0.0, 0.0, 0.0), "leg": 0.0, "foot": 0.0}
    return Plan(
        hopper(),
        (
            Phase("push", (0.2, 1.2), ("sole",), intervals=16),
            Phase("flight", (0.15, 0.6), intervals=10),
            Phase("landing", (0.2, 1.2), ("sole",), intervals=16),
        ),
        "hopper leap",
        torques={"leg": 150.0, "foot": 300.0},
        limits={"leg": 0.8, "foot": (0.6, 1.1)},
        springs={"foot": JointSpring(stiffness=LEG_SPRING, rest=LEG_REST)},
        gravity=9.8,
        clearance=0.05,
        points=(Point("sole", "foot"),),
        start=Pose(positions={"body": (0.0, 0.0, length), **stand}, velocities=still),
        goal=Pose(positions={"body": (0.0, distance, length), **stand}, velocities=still),
        mesh=Mesh(intervals=42),
    )
