"""Mechanical systems with known motions, over generic scalars, and their integration step by step."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure.joint import JOINTS
from gambol.integrate import INTEGRATORS, MotionState, System
from gambol.lanes import Program, ProgramSpec, cos, repeat, sin
from gambol.spatial.rotation import Quaternion
from gambol.spatial.vector import Vector

Array = NDArray[Any]
G = 9.81
FREE = JOINTS["free"]


def spring(k: float = 1.0, c: float = 0.0) -> System:
    """A unit mass on a spring and a damper; the accumulated quantity is the work dissipated by the damper."""

    def derivatives(t: Any, q: Any, v: Any) -> Any:
        return [-k * q[0] - c * v[0]], [c * v[0] * v[0]]

    return System(derivatives, momentum=lambda q, v: list(v), force=derivatives)


def pendulum() -> System:
    """A point of 1 kg on a rod of 1 m; the angle is from straight down."""

    def derivatives(t: Any, q: Any, v: Any) -> Any:
        return [-G * sin(q[0])], []

    return System(derivatives, momentum=lambda q, v: list(v), force=derivatives)


def pendulum_energy(now: MotionState) -> Any:
    return 0.5 * now.v[0] * now.v[0] - G * cos(now.q[0])


def double_mass(q: Any) -> Any:
    c = cos(q[0] - q[1])
    return [[2.0, c], [c, 1.0]]


def double_momentum(q: Any, v: Any) -> Any:
    return [a * v[0] + b * v[1] for a, b in double_mass(q)]


def double_force(t: Any, q: Any, v: Any) -> Any:
    """Generalised forces of gravity."""
    return [-2.0 * G * sin(q[0]), -G * sin(q[1])], []


def double_derivatives(t: Any, q: Any, v: Any) -> Any:
    s = sin(q[0] - q[1])
    (a, b), (_, d) = double_mass(q)
    f, g = double_force(t, q, v)[0]
    f, g = f - s * v[1] * v[1], g + s * v[0] * v[0]
    size = a * d - b * b
    return [(d * f - b * g) / size, (a * g - b * f) / size], []


def double_pendulum() -> System:
    """Two points of 1 kg on rods of 1 m; both angles are from straight down, and positive where x is."""
    return System(double_derivatives, momentum=double_momentum, force=double_force)


def double_energy(now: MotionState) -> Any:
    p = double_momentum(now.q, now.v)
    return 0.5 * (p[0] * now.v[0] + p[1] * now.v[1]) - G * (2.0 * cos(now.q[0]) + cos(now.q[1]))


MOMENTS = (1.0, 2.0, 3.0)


def body(gravity: float = 0.0, drag: float = 0.0) -> System:
    """A free body of 2 kg with the moments 1, 2, 3, its origin at its centre of mass; drag: force over speed."""
    a, b, c = MOMENTS

    def pull(q: Any, v: Any) -> Vector:
        down = Quaternion(*q[:4]).rotation().transpose @ Vector(0.0, 0.0, -2.0 * gravity)
        return down - Vector(*v[3:]) * drag

    def derivatives(t: Any, q: Any, v: Any) -> Any:
        x, y, z = v[:3]
        turn = [(b - c) * y * z / a, (c - a) * z * x / b, (a - b) * x * y / c]
        line = pull(q, v) * 0.5 - Vector(*v[:3]).cross(Vector(*v[3:]))
        return [*turn, *line], []

    def momentum(q: Any, v: Any) -> Any:
        return [*(m * w for m, w in zip(MOMENTS, v[:3], strict=True)), *(2.0 * u for u in v[3:])]

    return System(
        derivatives, FREE.integrate, FREE.tangent_rate, momentum, lambda t, q, v: ([0.0, 0.0, 0.0, *pull(q, v)], [])
    )


SPUN = MotionState([1.0, 0.0, 0.0, 0.0, 0.1, -0.2, 0.3], [1.0, 0.0, 1.5, 0.4, -0.3, 0.2])
"""The start of the torque-free benchmark, thrown besides."""


def momenta(now: MotionState) -> tuple[Array, Array]:
    """Linear and angular momentum of the body, in world axes."""
    R = np.array(Quaternion(*now.q[:4]).rotation().rows, float)
    p = 2.0 * R @ np.array(now.v[3:], float)
    return p, R @ (np.array(MOMENTS) * np.array(now.v[:3], float)) + np.cross(np.array(now.q[4:], float), p)


def with_integrator_state(name: str, now: MotionState) -> MotionState:
    """Return a state with the initial state of an integrator."""
    return MotionState(now.q, now.v, now.w, INTEGRATORS[name].initial_state(len(now.v), len(now.w)))


def integrated(name: str, system: System, now: MotionState, h: float, steps: int) -> MotionState:
    """Return the state after some steps of an integrator, on floats."""
    now = with_integrator_state(name, now)
    for k in range(steps):
        now = INTEGRATORS[name].step(system, k * h, now, h).state
    return now


def program(name: str, system: System, now: MotionState, precision: Any = "float64", *how: Any) -> Program:
    """Return a program of an integrator: from a state, h and the number of steps to the state; how: as for Program."""

    def steps_of(start: MotionState, h: Any, steps: Any) -> Any:
        def step(pair: Any) -> Any:
            t, moving = pair
            return t + h, INTEGRATORS[name].step(system, t, moving, h).state

        return (repeat(steps, step, (0.0, start))[1],)

    return Program(ProgramSpec(name, steps_of, (with_integrator_state(name, now), 0.0, 0.0)), precision, *how)


def run(made: Program, name: str, now: MotionState, h: Any, steps: Any, threads: int = 1) -> Array:
    """Return the rows of q, v, w and the integrator's state after compiled steps, for one h or several (worlds,)."""
    h, steps = np.broadcast_arrays(np.atleast_1d(h), steps)
    start = with_integrator_state(name, now)
    rows = np.array([*start.q, *start.v, *start.w, *start.integrator_state], made.dtype)
    rows = np.repeat(rows[:, None], len(h), axis=1)
    return made(rows, h.astype(made.dtype)[None], steps.astype(made.dtype)[None], threads=threads)[0]


def orders(errors: Sequence[float]) -> Array:
    """Return the observed orders of errors when the step is halved from one to the next."""
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
