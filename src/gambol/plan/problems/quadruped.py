"""A quadruped of 18 degrees of freedom that jumps and trots."""

import math

from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.plan.motion import Cost, Cycle, Mesh, Phase, PhaseTime, Plan, Pose
from gambol.plan.motion.spec.goals import Values
from gambol.plan.motion.spec.plan import Ranges
from gambol.plan.problems.rods import bar, block, diagonal, foot, hinge

SEGMENT = 0.25  # m, length of thigh and shank
HIP_WIDTH = 0.08  # m, from the hip's axis to the leg
FOOT_RADIUS = 0.02  # m
LEGS = ("front left", "front right", "hind left", "hind right")
PARTS = ("hip", "thigh", "shank")
DIAGONAL = ("front left", "hind right")
"""Legs that a trot moves together."""

BEND = 0.6
"""Angle of the thighs to the vertical in the posture [rad]; knees bend by twice this angle, so feet are below hips."""


def quadruped() -> Figure:
    """Return a trunk of 5 kg with four legs of 1.5 kg: a hip about x, a thigh and a shank about y, feet of 2 cm."""
    trunk = MassProperties(5.0, (0.0, 0.0, 0.0), diagonal(0.1, 0.2, 0.25))
    segment = MassProperties(0.5, (0.0, 0.0, -0.5 * SEGMENT), diagonal(0.003, 0.003, 0.0002))
    links = [Link("trunk", None, Joint("free"), (block((0.6, 0.2, 0.12)),), trunk)]
    for leg in LEGS:
        x, side = (0.3 if "front" in leg else -0.3), (1.0 if "left" in leg else -1.0)
        hip = MassProperties(0.5, (0.0, side * 0.5 * HIP_WIDTH, 0.0), diagonal(0.003, 0.003, 0.0002))
        joint = Joint("revolute", (1.0, 0.0, 0.0), position=(x, 0.15 * side, 0.0))
        sole = foot(FOOT_RADIUS, (0.0, 0.0, -SEGMENT))
        links += [
            Link(f"hip {leg}", "trunk", joint, (), hip),
            hinge(f"thigh {leg}", f"hip {leg}", segment, (bar(SEGMENT, 0.02),), (0.0, side * HIP_WIDTH, 0.0)),
            hinge(f"shank {leg}", f"thigh {leg}", segment, (bar(SEGMENT, 0.015), sole), (0.0, 0.0, -SEGMENT)),
        ]
    return Figure("quadruped", tuple(links))


def posture(x: float = 0.0, lift: float = 0.0) -> dict[str, Values]:
    """Return the positions of a quadruped that stands.

    x: x of its trunk [m]; lift: lift of the trunk above standing [m].
    """
    height = 2.0 * SEGMENT * math.cos(BEND) + FOOT_RADIUS + lift
    pose: dict[str, Values] = {"trunk": (1.0, 0.0, 0.0, 0.0, x, 0.0, height)}
    for leg in LEGS:
        pose |= {f"hip {leg}": 0.0, f"thigh {leg}": BEND, f"shank {leg}": -2.0 * BEND}
    return pose


def _motors(torque: float) -> dict[str, Ranges]:
    return {f"{part} {leg}": torque for leg in LEGS for part in ("hip", "thigh", "shank")}


def _ranges() -> dict[str, Ranges]:
    ranges: dict[str, Ranges] = {f"hip {leg}": 0.6 for leg in LEGS}
    ranges |= {f"thigh {leg}": (-0.6, 1.6) for leg in LEGS}
    return ranges | {f"shank {leg}": (-2.6, -0.2) for leg in LEGS}


def quadruped_jump(distance: float = 0.5) -> Plan:
    """Return the plan of a quadruped that jumps forward [m], from standing to standing."""
    figure, feet = quadruped(), tuple(f"shank {leg}" for leg in LEGS)
    still = {link.name: (0.0,) * 6 if link.parent_index == 0 else 0.0 for link in figure.links}
    return Plan(
        figure,
        (
            Phase("push", 0.3, feet, intervals=10),
            Phase("flight", 0.3, intervals=8),
            Phase("landing", 0.3, feet, intervals=10),
        ),
        "quadruped jump",
        torques=_motors(60.0),
        limits=_ranges(),
        clearance=0.05,
        start=Pose(positions=posture(), velocities=still),
        goal=Pose(positions=posture(distance), velocities=still),
        guess=(Pose(PhaseTime("flight", 0.5), posture(0.5 * distance, 0.15)),),
        mesh=Mesh(intervals=28),
    )


def quadruped_trot(speed: float = 0.8, period: float = 0.5) -> Plan:
    """Return the plan of a cyclic trot [m/s, s]: half a stride, on one diagonal pair of feet, then its mirror image.

    Feet touch down at zero speed, so that no energy is lost.
    """
    half = 0.5 * period
    pairs = tuple((f"{part} {end} left", f"{part} {end} right") for end in ("front", "hind") for part in PARTS)
    return Plan(
        quadruped(),
        (Phase("stance", half, tuple(f"shank {leg}" for leg in DIAGONAL), landing="smooth", intervals=16),),
        "quadruped trot",
        torques=_motors(60.0),
        limits=_ranges(),
        clearance=0.05,
        cycle=Cycle(speed * half, mirrored=True, pairs=pairs),
        start=Pose(positions={"trunk": (None, None, None, None, 0.0, None, None)}),
        guess=(Pose(PhaseTime("stance", 0.0), posture()), Pose(PhaseTime("stance", 1.0), posture(speed * half))),
        costs=(Cost("effort"), Cost("acceleration", 1e-3)),
        mesh=Mesh(intervals=16),
    )
