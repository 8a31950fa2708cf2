"""Simulation of linkages: compiled RK4, with loop projection after every step, or stabilisation only."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics, kinetic_energy, potential_energy
from gambol.dynamics.loops import (
    BY_PROPAGATION,
    LoopOptions,
    Target,
    closed_dynamics,
    joint_row,
    projected,
    reach_speeds,
    rows,
)
from gambol.dynamics.tangent import normalised
from gambol.figure import Figure
from gambol.figure.joint import q_dot
from gambol.lanes import Program, ProgramSpec, repeat, subprogram

Array = NDArray[np.float64]
Numbers = Sequence[Any]
Drive = Callable[[Figure, Numbers, Numbers], list[Any]]


@dataclass(frozen=True)
class Run:
    """Options of a simulation. h: step [s]; options: of loops; project: True to project loops after every step."""

    h: float = 1e-3
    options: LoopOptions = BY_PROPAGATION
    project: bool = True
    drive: Drive | None = None
    gravity: float = 9.81


def simulation_program(figure: Figure, run: Run) -> Program:
    """Return a program from q, v and a number of steps to the q and v after them, by RK4."""

    @subprogram
    def slope(q: Numbers, v: Numbers) -> tuple[list[Any], list[Any]]:
        tau = [0.0] * figure.nv if run.drive is None else run.drive(figure, q, v)
        solution = closed_dynamics(kinematics(figure, q, v), tau, run.options, gravity=run.gravity)
        return [x for link in figure.links for x in q_dot(link.joint, q[link.q], v[link.v])], solution.a

    def stepped(state: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
        total, slopes = state, ([0.0] * figure.nq, [0.0] * figure.nv)
        for back, weight in ((0.0, 1 / 6), (0.5, 1 / 3), (0.5, 1 / 3), (1.0, 1 / 6)):
            slopes = slope(*displaced(state, slopes, run.h * back))
            total = displaced(total, slopes, run.h * weight)
        q, v = normalised(figure, total[0]), total[1]
        return projected(figure, q, v, run.options) if run.project else (q, v)

    def stretch(q: list[Any], v: list[Any], count: list[Any]) -> tuple[Any, ...]:
        return repeat(count[0], stepped, (q, v))

    return Program(ProgramSpec("stretch", stretch, ([0.0] * figure.nq, [0.0] * figure.nv, [0.0])))


def displaced(state: tuple[Numbers, Numbers], slopes: tuple[Numbers, Numbers], h: float) -> tuple[Numbers, Numbers]:
    """Return a state displaced by its derivatives times h."""
    q, v = ([x + h * y for x, y in zip(*pair, strict=True)] for pair in zip(state, slopes, strict=True))
    return q, v


def history(figure: Figure, q: Array, v: Array, times: Sequence[float], run: Run) -> list[tuple[Array, Array]]:
    """Return q and v at increasing times [s]."""
    program, samples, before = simulation_program(figure, run), [], 0.0
    q, v = q.reshape(-1, 1), v.reshape(-1, 1)
    for t in times:
        q, v = program(q, v, np.array([[round((t - before) / run.h)]], float))
        samples.append((q[:, 0], v[:, 0]))
        before = t
    return samples


def loop_errors(figure: Figure, q: Array, v: Array) -> tuple[float, float]:
    """Return the largest position error and velocity error of a figure's loops."""
    constraint_rows = rows(kinematics(figure, q.tolist(), v.tolist()))
    return max(abs(row.gap) for row in constraint_rows), max(abs(row.speed) for row in constraint_rows)


def coordinates(figure: Figure, values: dict[str, float]) -> list[float]:
    q = [0.0] * figure.nq
    for name, value in values.items():
        q[figure.link(name).q.start] = value
    return q


def started_by_impulse(figure: Figure, q: list[float], name: str, speed: float) -> tuple[Array, Array]:
    """Return q and v of a closed figure, set in motion by an impulse at one joint."""
    state = kinematics(figure, q, [0.0] * figure.nv)
    solution = reach_speeds(state, [Target(joint_row(state, figure.link(name).v.start), speed)])
    return np.array(q), np.array(solution.motion)


def energy(figure: Figure, q: Array, v: Array, gravity: float = 9.81) -> float:
    state = kinematics(figure, q.tolist(), v.tolist())
    return kinetic_energy(state) + potential_energy(state, gravity)
