"""Motions with known torques: a pendulum on a given path, a cart-pole under a given force, a quadruped that squats."""

from functools import cache

import numpy as np

from gambol.dynamics import Dynamics
from gambol.figure import Box, Capsule, Figure, Joint, Link, MassProperties, Part
from gambol.plan import Trajectory
from gambol.plan.motion.transcription.points import PlacedPoint
from gambol.plan.track.linearisation import Surroundings
from gambol.plan.track.task import TrackingTask
from gambol.spatial import Vector

Y = (0.0, 1.0, 0.0)
SEGMENT = 0.3  # m, thigh and shank of the quadruped
FEET = {"lf": (0.3, 0.15), "rf": (0.3, -0.15), "lh": (-0.3, 0.15), "rh": (-0.3, -0.15)}
DIP = 0.1  # m, depth of the squat


def ball_inertia(x: float) -> tuple[tuple[float, float, float], ...]:
    """Return an inertia that is the same about all axes [kg m2]."""
    return ((x, 0.0, 0.0), (0.0, x, 0.0), (0.0, 0.0, x))


def trajectory_of(figure: Figure, times: np.ndarray, q: np.ndarray, v: np.ndarray, torques: np.ndarray) -> Trajectory:
    """Return a motion without contacts, of degree 2."""
    none = np.zeros((len(times), 0, 3))
    return Trajectory(figure, times, q, v, torques, (), none, none, 2)


def pendulum() -> Figure:
    """A rod of 1 kg on a hinge; its centre of mass is half a metre below."""
    body = MassProperties(1.0, (0.0, 0.0, -0.5), ball_inertia(0.02))
    return Figure("pendulum", (Link("rod", None, Joint("revolute", Y), (), body),))


def swing_up(nodes: int = 41) -> TrackingTask:
    """A pendulum that turns to the top in 2 s, at rest at both ends; torques by inverse dynamics."""
    figure, t = pendulum(), np.linspace(0.0, 2.0, nodes)
    s = t / 2.0
    q = np.pi * (10 * s**3 - 15 * s**4 + 6 * s**5)
    v, a = np.pi * (30 * s**2 - 60 * s**3 + 30 * s**4) / 2.0, np.pi * (60 * s - 180 * s**2 + 120 * s**3) / 4.0
    q, v, a = (x[:, None] for x in (q, v, a))
    return TrackingTask(
        trajectory_of(figure, t, q, v, Dynamics(figure).inverse(q, v, a)), limits={"rod": (-20.0, 20.0)}
    )


def cart_pole() -> Figure:
    """Kelly's cart-pole: 1 kg on a rail, 0.3 kg at the end of a rod of 0.5 m."""
    cart = Link(
        "cart", None, Joint("prismatic", (1.0, 0.0, 0.0)), (), MassProperties(1.0, (0.0,) * 3, ball_inertia(1e-9))
    )
    bob = MassProperties(0.3, (0.0, 0.0, -0.5), ball_inertia(1e-9))
    return Figure("cart-pole", (cart, Link("pole", "cart", Joint("revolute", (0.0, -1.0, 0.0)), (), bob)))


def pushed_cart_pole(nodes: int = 401) -> TrackingTask:
    """The pole begins near the top and falls and turns while the cart is pushed to and fro; by Runge-Kutta steps."""
    figure, t = cart_pole(), np.linspace(0.0, 2.0, nodes)
    dynamics, h = Dynamics(figure), 2.0 / (nodes - 1)

    def rate(time: float, x: np.ndarray) -> np.ndarray:
        return np.concatenate([x[2:], dynamics.forward(x[:2], x[2:], [8.0 * np.sin(5.0 * time), 0.0])])

    states = [np.array([0.0, 3.0, 0.0, 0.0])]
    for time in t[:-1]:
        x = states[-1]
        a = rate(time, x)
        b = rate(time + h / 2, x + h / 2 * a)
        c = rate(time + h / 2, x + h / 2 * b)
        states.append(x + h / 6 * (a + 2 * b + 2 * c + rate(time + h, x + h * c)))
    x = np.array(states)
    force = np.stack([8.0 * np.sin(5.0 * t), 0.0 * t], axis=1)
    return TrackingTask(trajectory_of(figure, t, x[:, :2], x[:, 2:], force), limits={"cart": (-20.0, 20.0)})


def quadruped() -> Figure:
    """A trunk on four legs of a hip, a thigh and a shank."""
    links = [Link("trunk", None, Joint("free"), (Part(Box((0.7, 0.25, 0.1)), density=600.0),))]
    for name, (x, y) in FEET.items():
        hip = MassProperties(0.1, (0.0, 0.0, 0.0), ball_inertia(1e-3))
        links += [
            Link(f"{name} hip", "trunk", Joint("revolute", (1.0, 0.0, 0.0), position=(x, y, 0.0)), (), hip),
            Link(f"{name} thigh", f"{name} hip", Joint("revolute", Y), (_bone(0.02),)),
            Link(
                f"{name} shank", f"{name} thigh", Joint("revolute", Y, position=(0.0, 0.0, -SEGMENT)), (_bone(0.015),)
            ),
        ]
    return Figure("quadruped", tuple(links))


def _bone(radius: float) -> Part:
    return Part(Capsule(radius, SEGMENT), position=(0.0, 0.0, -SEGMENT / 2))


@cache
def squat(nodes: int = 81, seconds: float = 1.0) -> TrackingTask:
    """The quadruped lowers its trunk by DIP and rises again, feet in place; forces are found by least squares."""
    figure, t = quadruped(), np.linspace(0.0, seconds, nodes)
    w = 2.0 * np.pi / seconds
    z = 0.48 + 0.5 * DIP * (np.cos(w * t) - 1.0)
    rates = -0.5 * DIP * w * np.sin(w * t), -0.5 * DIP * w * w * np.cos(w * t)
    thigh = np.arccos(z / (2.0 * SEGMENT))  # z = 2 l cos(thigh), and the shank turns back twice as far
    speed = -rates[0] / (2.0 * SEGMENT * np.sin(thigh))
    acceleration = (-rates[1] / (2.0 * SEGMENT) - np.cos(thigh) * speed**2) / np.sin(thigh)
    q, v, a = np.zeros((nodes, figure.nq)), np.zeros((nodes, figure.nv)), np.zeros((nodes, figure.nv))
    q[:, 0], q[:, 6], v[:, 5], a[:, 5] = 1.0, z, *rates
    for name in FEET:
        for link, factor in ((figure.link(f"{name} thigh"), 1.0), (figure.link(f"{name} shank"), -2.0)):
            q[:, link.q.start], v[:, link.v.start] = factor * thigh, factor * speed
            a[:, link.v.start] = factor * acceleration
    torques, forces = _bearing(figure, q, v, a)
    points = np.broadcast_to([(x, y, 0.0) for x, y in FEET.values()], (nodes, 4, 3))
    motion = Trajectory(figure, t, q, v, torques, tuple(FEET), points, forces, 2)
    contacts = tuple(PlacedPoint(name, figure.link(f"{name} shank").index, Vector(0.0, 0.0, -SEGMENT)) for name in FEET)
    return TrackingTask(motion, Surroundings(contacts), {link.name: (-100.0, 100.0) for link in figure.links[1:]})


def _bearing(figure: Figure, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return joint torques (N, nv) and forces of the feet (N, 4, 3), the least that give the accelerations."""
    dynamics, joints = Dynamics(figure), np.eye(figure.nv)[:, 6:]
    needed = dynamics.inverse(q, v, a)
    J = np.concatenate([dynamics.jacobian(q, f"{name} shank", (0.0, 0.0, -SEGMENT))[:, 3:] for name in FEET], axis=1)
    solved = [np.linalg.lstsq(np.hstack([J[k].T, joints]), needed[k], rcond=None)[0] for k in range(len(q))]
    torques = np.zeros_like(v)
    torques[:, 6:] = [x[12:] for x in solved]
    return torques, np.array([x[:12].reshape(4, 3) for x in solved])
