"""Linkages with closed loops: benchmarks of multibody dynamics, and overconstrained mechanisms."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Closure, Figure, Joint, Link, MassProperties, combine, rotation_about
from gambol.figure.joint import IDENTITY, Matrix3, Triple
from gambol.lanes import cos, sin
from gambol.spatial import Vector

Array = NDArray[np.float64]
Numbers = Sequence[Any]

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def rod(mass: float, along: Triple) -> MassProperties:
    """Return a uniform slender rod from the origin to a point."""
    a = np.array(along)
    about_centre = mass / 12.0 * (a @ a * np.eye(3) - np.outer(a, a))
    return MassProperties(mass, tuple((a / 2).tolist()), tuple(map(tuple, about_centre.tolist())))


def plate(mass: float, com: Triple, about_z: float) -> MassProperties:
    """Return a flat body that moves in the plane z = 0."""
    return MassProperties(mass, com, ((about_z / 2, 0.0, 0.0), (0.0, about_z / 2, 0.0), (0.0, 0.0, about_z)))


def turning(axis: Triple, position: Triple = (0.0, 0.0, 0.0), rotation: Matrix3 = IDENTITY) -> Joint:
    return Joint("revolute", axis, rotation, position)


GROUND = Link("ground", None, Joint("fixed"))
"""A massless link, fixed to the world, as the parent of several links."""


def windows(count: int) -> Figure:
    """IFToMM benchmark A02: uprights of 1 kg and 1 m pinned to the ground 1 m apart in the x-z plane, and couplers.

    q: angles of uprights from the vertical towards x, each followed by that of the coupler on it from the upright.
    """
    bar, along_y = rod(1.0, Z), rotation_about("x", -np.pi / 2)
    links, closures = [GROUND], []
    for k in range(count + 1):
        links.append(Link(f"upright{k}", "ground", turning(Y, (float(k), 0.0, 0.0)), (), bar))
        if k < count:
            links.append(Link(f"coupler{k}", f"upright{k}", turning(Y, Z), (), rod(1.0, X)))
            closures.append(Closure("hinge", f"coupler{k}", f"upright{k + 1}", X, along_y, Z, along_y))
    return Figure(f"windows{count}", tuple(links), constraints=tuple(closures))


def windows_state(figure: Figure, theta: float, speed: float) -> tuple[Array, Array]:
    """Return the state with parallel uprights at an angle: couplers are horizontal."""
    q, v = np.zeros(figure.nq), np.zeros(figure.nv)
    for link in figure.links[1:]:
        sign = 1.0 if link.name.startswith("upright") else -1.0
        q[link.q], v[link.v] = sign * theta, sign * speed
    return q, v


ANDREWS = {
    "crank": (0.04325, 2.194e-6),
    "bar": (0.00365, 4.41e-7),
    "plate": (0.02373, 5.255e-6),
    "short": (0.00706, 5.667e-7),
    "left": (0.0705, 1.169e-5),
    "long": (0.00706, 5.667e-7),
    "right": (0.05498, 1.912e-5),
}
"""Masses [kg] and moments of inertia about the centres of mass [kg m2] of Andrews' seven bodies."""

ANDREWS_START = {
    "crank": -0.0617138900142764,
    "bar": 0.0,
    "plate": 0.4552798191630704,
    "short": 0.2226683901658859,
    "left": 0.4873649795438425,
    "long": -0.2226683901658859,
    "right": 1.2305474445498212,
}
"""Initial angles, at rest [rad]: beta, Theta, gamma, Phi, delta, Omega, epsilon of the IVP test set, to 16 digits."""

SPRING_END, SPRING_PLACE, SPRING_STIFFNESS, SPRING_LENGTH = (0.02, -0.018, 0.0), (0.014, 0.072), 4530.0, 0.07785
MOTOR = 0.033  # N m, at Andrews' crank


def andrews() -> Figure:
    """Andrews' squeezer: seven flat bodies, three loops that meet in one pin. [Hairer and Wanner 1996, VII.7]"""
    a, b, pin = (-0.06934, -0.00227, 0.0), (-0.03635, 0.03273, 0.0), (-0.028, 0.0, 0.0)
    places = {
        "crank": ("ground", (0.0, 0.0, 0.0), (0.00092, 0.0, 0.0)),
        "bar": ("crank", (0.007, 0.0, 0.0), (-0.0115, 0.0, 0.0)),
        "plate": ("ground", b, (0.01043, -0.01874, 0.0)),
        "left": ("ground", a, (0.02308, 0.00916, 0.0)),
        "short": ("left", (0.04, 0.0, 0.0), (0.0, 0.01421 - 0.02, 0.0)),
        "right": ("ground", a, (-0.00449, -0.01228, 0.0)),
        "long": ("right", (0.0, -0.04, 0.0), (0.02 - 0.01421, 0.0, 0.0)),
    }
    bodies = [
        Link(name, parent, turning(Z, at), (), plate(ANDREWS[name][0], com, ANDREWS[name][1]))
        for name, (parent, at, com) in places.items()
    ]
    ends = {"plate": (0.0, -0.035, 0.0), "short": (0.0, -0.02, 0.0), "long": (0.02, 0.0, 0.0)}
    loops = tuple(Closure("point", "bar", name, pin, other_position=end) for name, end in ends.items())
    return Figure("andrews", (GROUND, *bodies), constraints=loops)


def andrews_forces(figure: Figure, q: Numbers, v: Numbers) -> list[Any]:
    """Return the joint forces of the motor, and of the spring on the plate."""
    tau: list[Any] = [0.0] * figure.nv
    gamma = q[figure.link("plate").q.start]
    c, s = cos(gamma), sin(gamma)
    arm = Vector(c * SPRING_END[0] - s * SPRING_END[1], s * SPRING_END[0] + c * SPRING_END[1], 0.0)
    pull = arm + Vector(-0.03635 - SPRING_PLACE[0], 0.03273 - SPRING_PLACE[1], 0.0)
    length = pull.length()
    tau[figure.link("crank").v.start] = MOTOR
    tau[figure.link("plate").v.start] = arm.cross(pull).z * (-SPRING_STIFFNESS * (length - SPRING_LENGTH) / length)
    return tau


def peaucellier(arm: float = 5.0, side: float = 3.0, radius: float = 1.5) -> Figure:
    """Peaucellier's linkage: a rhombus on two arms, one corner guided on a circle through the arms' pivot."""
    tip = (radius, 0.0, 0.0)
    links = [GROUND, Link("crank", "ground", turning(Z, tip), (), rod(1.0, tip))]
    for name in ("upper", "lower"):
        links.append(Link(name, "ground", turning(Z), (), rod(1.0, (arm, 0.0, 0.0))))
        for end in ("in", "out"):
            joint = turning(Z, (arm, 0.0, 0.0))
            links.append(Link(f"{name}_{end}", name, joint, (), rod(1.0, (side, 0.0, 0.0))))
    reach = (side, 0.0, 0.0)
    loops = (
        Closure("point", "upper_in", "crank", reach, other_position=tip),
        Closure("point", "lower_in", "crank", reach, other_position=tip),
        Closure("point", "upper_out", "lower_out", reach, other_position=reach),
    )
    return Figure("peaucellier", tuple(links), constraints=loops)


def slider_crank(axis: Triple, arm: Triple, length: float = 0.5, height: float = 0.1) -> Figure:
    """A slider along x at a height, and a slender rod on a universal and a ball joint to a crank.

    axis, arm: of the crank; about y it moves in the slider's plane, about x across it.
    """
    links = (
        GROUND,
        Link("crank", "ground", turning(axis), (), rod(0.5, arm)),
        Link(
            "slider",
            "ground",
            Joint("prismatic", X, position=(0.0, 0.0, height)),
            (),
            plate(1.0, (0.0, 0.0, 0.0), 1e-3),
        ),
        Link("rod", "slider", Joint("universal", Z, across=Y), (), rod(0.8, (-length, 0.0, 0.0))),
    )
    ball = Closure("point", "rod", "crank", (-length, 0.0, 0.0), other_position=arm)
    return Figure("slider_crank", links, constraints=(ball,))


def governor(arm: float = 0.4, stay: float = 0.25) -> Figure:
    """A flyball governor: a spindle about z, two arms with balls, and stays from their middles to a collar below."""
    half, along_y = (0.0, 0.0, -arm / 2), rotation_about("x", -np.pi / 2)
    heavy = combine([rod(0.3, (0.0, 0.0, -arm)), MassProperties(1.0, (0.0, 0.0, -arm))])
    links = [
        Link("spindle", None, turning(Z), (), plate(2.0, (0.0, 0.0, 0.0), 0.02)),
        Link("collar", "spindle", Joint("prismatic", Z), (), plate(0.5, (0.0, 0.0, 0.0), 1e-3)),
    ]
    loops = []
    for name, facing in (("east", IDENTITY), ("west", rotation_about("z", np.pi))):
        links.append(Link(f"{name}_arm", "spindle", turning((0.0, -1.0, 0.0), rotation=facing), (), heavy))
        joint = turning((0.0, -1.0, 0.0), rotation=facing)
        links.append(Link(f"{name}_stay", "collar", joint, (), rod(0.2, (0.0, 0.0, stay))))
        loops.append(Closure("hinge", f"{name}_stay", f"{name}_arm", (0.0, 0.0, stay), along_y, half, along_y))
    return Figure("governor", tuple(links), constraints=tuple(loops))


def bennett(a: float = 0.4, alpha: float = 0.6, beta: float = 1.1) -> Figure:
    """Bennett's loop of four hinges, no two of them parallel, and yet it moves: a / sin alpha = b / sin beta."""
    b = a * np.sin(beta) / np.sin(alpha)
    sides = [(a, alpha), (b, beta), (a, alpha)]
    links, joint, parent = [], turning(Z), None
    for k, (length, twist) in enumerate(sides):
        links.append(Link(f"side{k}", parent, joint, (), rod(1.0, (length, 0.0, 0.0))))
        parent, joint = f"side{k}", turning(Z, (length, 0.0, 0.0), rotation_about("x", twist))
    back = Closure("hinge", parent, None, joint.position, joint.rotation, (-b, 0.0, 0.0), rotation_about("x", -beta))
    return Figure("bennett", tuple(links), constraints=(back,))


def ladder(cells: int) -> Figure:
    """Parallelograms on top of one another, each on the level bar of the one below."""
    links, loops, below, foot = [GROUND], [], "ground", (0.0, 0.0, 0.0)
    for k in range(cells):
        other = (foot[0] + 1.0, foot[1], foot[2])
        links.append(Link(f"left{k}", below, turning(Y, foot), (), rod(1.0, Z)))
        links.append(Link(f"right{k}", below, turning(Y, other), (), rod(1.0, Z)))
        links.append(Link(f"level{k}", f"left{k}", turning(Y, Z), (), rod(1.0, X)))
        loops.append(Closure("point", f"level{k}", f"right{k}", X, other_position=Z))
        below, foot = f"level{k}", (0.0, 0.0, 0.0)
    return Figure(f"ladder{cells}", tuple(links), constraints=tuple(loops))
