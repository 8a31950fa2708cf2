"""Mechanical systems with known motions, written over generic scalars, and the walk of an integrator along them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure.joint import JOINTS
from gambol.integrate import INTEGRATORS, Moving, System
from gambol.lanes import Program, Recipe, cos, repeat, sin
from gambol.spatial.quaternion import Quaternion
from gambol.spatial.vector import Vector

Array = NDArray[Any]
G = 9.81
FREE = JOINTS["free"]


def spring(k: float = 1.0, c: float = 0.0) -> System:
    """A unit mass on a spring and a damper; what accumulates is the work that the damper takes."""

    def slope(t: Any, q: Any, v: Any) -> Any:
        return [-k * q[0] - c * v[0]], [c * v[0] * v[0]]

    return System(slope, momentum=lambda q, v: list(v), force=slope)


def pendulum() -> System:
    """A point of 1 kg on a rod of 1 m; the angle is from straight down."""

    def slope(t: Any, q: Any, v: Any) -> Any:
        return [-G * sin(q[0])], []

    return System(slope, momentum=lambda q, v: list(v), force=slope)


def pendulum_energy(now: Moving) -> Any:
    return 0.5 * now.v[0] * now.v[0] - G * cos(now.q[0])


def double_mass(q: Any) -> Any:
    c = cos(q[0] - q[1])
    return [[2.0, c], [c, 1.0]]


def double_momentum(q: Any, v: Any) -> Any:
    return [a * v[0] + b * v[1] for a, b in double_mass(q)]


def double_pull(t: Any, q: Any, v: Any) -> Any:
    """Generalised forces of gravity."""
    return [-2.0 * G * sin(q[0]), -G * sin(q[1])], []


def double_slope(t: Any, q: Any, v: Any) -> Any:
    s = sin(q[0] - q[1])
    (a, b), (_, d) = double_mass(q)
    f, g = double_pull(t, q, v)[0]
    f, g = f - s * v[1] * v[1], g + s * v[0] * v[0]
    size = a * d - b * b
    return [(d * f - b * g) / size, (a * g - b * f) / size], []


def double_pendulum() -> System:
    """Two points of 1 kg on rods of 1 m; both angles are from straight down, and positive where x is."""
    return System(double_slope, momentum=double_momentum, force=double_pull)


def double_energy(now: Moving) -> Any:
    p = double_momentum(now.q, now.v)
    return 0.5 * (p[0] * now.v[0] + p[1] * now.v[1]) - G * (2.0 * cos(now.q[0]) + cos(now.q[1]))


MOMENTS = (1.0, 2.0, 3.0)


def body(gravity: float = 0.0, drag: float = 0.0) -> System:
    """A free body of 2 kg with the moments 1, 2, 3, its origin at its centre of mass; drag: force over speed."""
    a, b, c = MOMENTS

    def pull(q: Any, v: Any) -> Vector:
        down = Quaternion(*q[:4]).rotation().transpose @ Vector(0.0, 0.0, -2.0 * gravity)
        return down - Vector(*v[3:]) * drag

    def slope(t: Any, q: Any, v: Any) -> Any:
        x, y, z = v[:3]
        turn = [(b - c) * y * z / a, (c - a) * z * x / b, (a - b) * x * y / c]
        line = pull(q, v) * 0.5 - Vector(*v[:3]).cross(Vector(*v[3:]))
        return [*turn, *line], []

    def momentum(q: Any, v: Any) -> Any:
        return [*(m * w for m, w in zip(MOMENTS, v[:3], strict=True)), *(2.0 * u for u in v[3:])]

    return System(slope, FREE.displaced, FREE.unwound, momentum, lambda t, q, v: ([0.0, 0.0, 0.0, *pull(q, v)], []))


SPUN = Moving([1.0, 0.0, 0.0, 0.0, 0.1, -0.2, 0.3], [1.0, 0.0, 1.5, 0.4, -0.3, 0.2])
"""The start of the torque-free benchmark, thrown besides."""


def momenta(now: Moving) -> tuple[Array, Array]:
    """Linear and angular momentum of the body, in world axes."""
    R = np.array(Quaternion(*now.q[:4]).rotation().rows, float)
    p = 2.0 * R @ np.array(now.v[3:], float)
    return p, R @ (np.array(MOMENTS) * np.array(now.v[:3], float)) + np.cross(np.array(now.q[4:], float), p)


def begun(name: str, now: Moving) -> Moving:
    """A state with the memory that an integrator begins with."""
    return Moving(now.q, now.v, now.w, INTEGRATORS[name].memory(len(now.v), len(now.w)))


def walked(name: str, system: System, now: Moving, h: float, steps: int) -> Moving:
    """Where an integrator leads in some steps, on floats."""
    now = begun(name, now)
    for k in range(steps):
        now = INTEGRATORS[name].step(system, k * h, now, h).new
    return now


def program(name: str, system: System, now: Moving, precision: Any = "float64", *how: Any) -> Program:
    """An integrator's walk, compiled: of a state (q, v, w, memory), h and the number of steps; how: as for Program."""

    def walk(start: Moving, h: Any, steps: Any) -> Any:
        def step(pair: Any) -> Any:
            t, moving = pair
            return t + h, INTEGRATORS[name].step(system, t, moving, h).new

        return (repeat(steps, step, (0.0, start))[1],)

    return Program(Recipe(name, walk, (begun(name, now), 0.0, 0.0)), precision, *how)


def run(made: Program, name: str, now: Moving, h: Any, steps: Any, threads: int = 1) -> Array:
    """The rows of q, v, w and memory after a compiled walk, for one h or for several (worlds,)."""
    h, steps = np.broadcast_arrays(np.atleast_1d(h), steps)
    start = begun(name, now)
    rows = np.array([*start.q, *start.v, *start.w, *start.memory], made.dtype)
    rows = np.repeat(rows[:, None], len(h), axis=1)
    return made(rows, h.astype(made.dtype)[None], steps.astype(made.dtype)[None], threads=threads)[0]


def orders(errors: Sequence[float]) -> Array:
    """The orders that errors show when steps are halved from one to the next."""
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
