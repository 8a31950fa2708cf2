"""Problems of control with known answers: a block, a particle, a cart-pole, a pendulum, an acrobot."""

import math

from gambol.figure import Figure, Joint, Link, MassProperties, Part
from gambol.figure.shapes import Sphere
from gambol.plan.motion import Mesh, Phase, Plan, Pose
from gambol.plan.problems.rods import bar, block, diagonal, hinge, point_mass, rod


def block_move() -> Plan:
    """Return the plan of a block of 1 kg that moves 1 m in 1 s, from rest to rest. [Kelly 2017, 2 and 3]

    The best force is 6 - 12 t, and its cost 12.
    """
    mass = MassProperties(1.0, (0.0, 0.0, 0.0), diagonal(1e-3, 1e-3, 1e-3))
    link = Link("block", None, Joint("prismatic", (1.0, 0.0, 0.0)), (block((0.2, 0.2, 0.2)),), mass)
    return Plan(
        Figure("block", (link,)),
        (Phase(duration=1.0),),
        "block move",
        torques={"block": math.inf},
        start=Pose(positions={"block": 0.0}, velocities={"block": 0.0}),
        goal=Pose(positions={"block": 1.0}, velocities={"block": 0.0}),
        mesh=Mesh(intervals=10),
    )


def particle_flight(*, at_rest: bool = True) -> Plan:
    """Return the plan of a particle of 2 kg with a jet that flies 3 m along and 1 m up in 1.5 s. [Parent, ch. 4]

    at_rest: True if it starts and ends at rest; False for any speeds, with which it needs no jet.
    """
    ball = (Part(Sphere(0.05), inertial=False, colliding=False),)
    along = Link("along", None, Joint("prismatic", (1.0, 0.0, 0.0)))
    particle = Link("particle", "along", Joint("prismatic", (0.0, 0.0, 1.0)), ball, point_mass(2.0))
    velocities = {"along": 0.0, "particle": 0.0} if at_rest else {}
    return Plan(
        Figure("particle", (along, particle)),
        (Phase(duration=1.5),),
        "particle flight",
        torques={"along": math.inf, "particle": math.inf},
        start=Pose(positions={"along": 0.0, "particle": 0.0}, velocities=velocities),
        goal=Pose(positions={"along": 3.0, "particle": 1.0}, velocities=velocities),
        mesh=Mesh(intervals=12),
    )


def cart_pole() -> Plan:
    """Return the plan of a cart that swings its pole up: 1 m in 2 s. [Kelly 2017, 6 and appendix E]"""
    cart = Link("cart", None, Joint("prismatic", (1.0, 0.0, 0.0)), (block((0.3, 0.2, 0.1)),), point_mass(1.0))
    pole = hinge("pole", "cart", point_mass(0.3, (0.0, 0.0, -0.5)), (bar(0.5, 0.02),))
    return Plan(
        Figure("cart-pole", (cart, pole)),
        (Phase(duration=2.0),),
        "cart-pole",
        torques={"cart": 20.0},
        limits={"cart": 2.0},
        start=Pose(positions={"cart": 0.0, "pole": 0.0}, velocities={"cart": 0.0, "pole": 0.0}),
        goal=Pose(positions={"cart": 1.0, "pole": math.pi}, velocities={"cart": 0.0, "pole": 0.0}),
        mesh=Mesh(intervals=30, tolerance=1e-6, refinements=3),
    )


def pendulum() -> Plan:
    """Return the plan of a pendulum (1 kg, 0.5 m) that swings up in 3.5 s with at most 2 N m.

    Holding it level would take 4.9 N m, so it first swings back and forth.
    """
    rod_and_bob = hinge("pendulum", None, point_mass(1.0, (0.0, 0.0, -0.5)), (bar(0.5, 0.02),))
    return Plan(
        Figure("pendulum", (rod_and_bob,)),
        (Phase(duration=3.5),),
        "pendulum",
        torques={"pendulum": 2.0},
        start=Pose(positions={"pendulum": 0.0}, velocities={"pendulum": 0.0}),
        goal=Pose(positions={"pendulum": math.pi}, velocities={"pendulum": 0.0}),
        mesh=Mesh(intervals=40, tolerance=1e-5, refinements=2),
    )


FIRST_GUESS = (2.0, -0.965, 2.996)
"""Time [s] and angles [rad] of the first guess of the acrobot: the rods are folded. It led to the least of the minima
that 150 random first guesses found; a guess that only swings leads to 52.7 or 63.8, others to as much as 780.
"""


def acrobot() -> Plan:
    """Return the plan of an acrobot, two rods of 1 kg and 1 m with a motor between them, that swings up in 4 s."""
    upper = hinge("upper", None, rod(1.0, 1.0), (bar(1.0, 0.03),))
    lower = hinge("lower", "upper", rod(1.0, 1.0), (bar(1.0, 0.03),), (0.0, 0.0, -1.0))
    rest = {"upper": 0.0, "lower": 0.0}
    return Plan(
        Figure("acrobot", (upper, lower)),
        (Phase(duration=4.0),),
        "acrobot",
        torques={"lower": 15.0},
        start=Pose(positions=rest, velocities=rest),
        goal=Pose(positions={"upper": math.pi, "lower": 0.0}, velocities=rest),
        guess=(Pose(FIRST_GUESS[0], {"upper": FIRST_GUESS[1], "lower": FIRST_GUESS[2]}),),
        mesh=Mesh(intervals=60, tolerance=1e-4, refinements=4),
    )
