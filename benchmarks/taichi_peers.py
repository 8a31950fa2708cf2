"""Steps of springs and of particles by Taichi, where it is installed: peers of "large cloth" and "particles"."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.matter.mesh import SpringMesh

Array = NDArray[Any]

RECORDED = "not installed here: Taichi 1.7.4 took 14.6 ms beside 14.2 ms, velocities within 2e-15"
"""A step of 150,156 points and 897,063 springs in float64: processor time, one thread, AMD EPYC with AVX-512."""


def installed() -> bool:
    """Return True if Taichi can be imported."""
    return find_spec("taichi") is not None


def _taichi() -> Any:
    ti: Any = import_module("taichi")
    ti.init(arch=ti.cpu, default_fp=ti.f64, cpu_max_num_threads=1, log_level=ti.ERROR)
    return ti


def taichi_step(mesh: SpringMesh, x: Array, h: float) -> tuple[Callable[[], None], Callable[[], Array]]:
    """Return functions that take a semi-implicit Euler step on one thread, and that return velocities (n, 3) [m/s]."""
    ti = _taichi()
    n, springs = len(x), mesh.springs
    position, velocity, force = (ti.Vector.field(3, ti.f64, n) for _ in range(3))
    ends = ti.Vector.field(2, ti.i32, len(springs))
    mass, free, rest, stiffness = (ti.field(ti.f64, size) for size in (n, n, len(springs), len(springs)))
    moves = np.ones(n)
    moves[mesh.pins] = 0.0
    fields = ((position, x), (mass, mesh.masses), (free, moves), (ends, springs.ends.astype(np.int32)))
    for field, values in (*fields, (rest, springs.rest), (stiffness, springs.stiffness)):
        field.from_numpy(np.ascontiguousarray(values))

    @ti.kernel
    def step():
        for i in force:
            force[i] = ti.Vector([0.0, 0.0, -9.81 * mass[i]])
        for s in ends:
            a, b = ends[s][0], ends[s][1]
            r = position[a] - position[b]
            length = r.norm()
            pull = -stiffness[s] * (length - rest[s]) / length * r
            force[a] += pull
            force[b] -= pull
        for i in position:
            velocity[i] += h * free[i] * force[i] / mass[i]
            position[i] += h * velocity[i]

    def advance() -> None:
        step()
        ti.sync()

    return advance, velocity.to_numpy


@dataclass(frozen=True)
class ParticleLaw:
    """The numbers of a step of particles: step [s], gravity [m/s2], two coefficients of drag, and of contact."""

    h: float
    gravity: float
    drag: tuple[float, float]
    restitution: float
    friction: float
    rest: float


def taichi_particles(
    x: Array, v: Array, radius: Array, law: ParticleLaw
) -> tuple[Callable[[], None], Callable[[], Array]]:
    """Return functions that take a step of particles over level ground, and that return the state (6, n) after it.

    x, v: positions and velocities (3, n), from which each step begins; radius: (n,). The formulas are those of
    numpy_step() in benchmarks.particles.
    """
    ti = _taichi()
    n, h = x.shape[1], law.h
    c, k = law.drag
    e = float(np.exp(-c * h))
    before, moving, after, moved = (ti.Vector.field(3, ti.f64, n) for _ in range(4))
    size = ti.field(ti.f64, n)
    for field, values in ((before, x.T), (moving, v.T), (size, radius)):
        field.from_numpy(np.ascontiguousarray(values))
    restitution, friction, rest = law.restitution, law.friction, law.rest

    @ti.func
    def bounced(u, restitution):
        down = ti.max(-u[2], 0.0)
        back = restitution if down > rest else 0.0
        slip = ti.sqrt(u[0] * u[0] + u[1] * u[1] + 1e-30)
        kept = 1.0 - ti.min(friction * (1.0 + back) * down / slip, 1.0)
        return ti.Vector([u[0] * kept, u[1] * kept, ti.max(u[2], back * down)])

    @ti.kernel
    def step():
        g = ti.Vector([0.0, 0.0, law.gravity])
        for i in before:
            start = moving[i]
            u = start + g * (0.5 * h)
            end = before[i] + u * (0.5 * h)
            dragged = u * (e / (1.0 + k * u.norm() * (1.0 - e) / c))
            end += dragged * (0.5 * h)
            last = dragged + g * (0.5 * h)
            gap, speed = before[i][2] - size[i], end[2] - before[i][2]
            if speed < 0.0 and (gap + speed < 0.0 or gap < 0.0):
                t = 0.0 if gap < 0.0 else gap / -speed
                reached = start + (last - start) * t
                back = bounced(reached, restitution)
                free = back + (last - start) * (1.0 - t)
                final = bounced(free, 0.0) if free[2] < 0.0 and reached[2] > -rest else free
                end = before[i] + (end - before[i]) * t + (back + final) * (0.5 * h * (1.0 - t))
                last = final
            after[i] = end
            moved[i] = last

    def advance() -> None:
        step()
        ti.sync()

    return advance, lambda: np.concatenate([after.to_numpy().T, moved.to_numpy().T])
