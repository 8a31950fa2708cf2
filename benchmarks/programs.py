"""What is timed of gambol: forward dynamics alone, and a step of an airborne figure, as programs of arrays."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import aba, forward_dynamics, kinematics, kinetic_energy, potential_energy, rnea
from gambol.dynamics.tangent import displaced, normalised, unwound
from gambol.figure import JOINTS, Figure
from gambol.integrate import Moving, System, integrator
from gambol.lanes import Precision, Program, Recipe, Scalar, repeat, seam
from gambol.lanes.fusion import traced

Array = NDArray[Any]

FREE = ("input", "captured", "const", "part")
"""What a trace holds beside operations."""


def forward_program(figure: Figure, precision: Precision, lanes: int | None = None) -> Program:
    """Rates of velocity (nv) from q (nq), v (nv) and tau (nv)."""

    def forward(q: list[Scalar], v: list[Scalar], tau: list[Scalar]) -> tuple[list[Scalar]]:
        return (aba(kinematics(figure, q, v), tau)[0],)

    forms = ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv)
    return Program(Recipe("forward", forward, forms), precision, lanes)


def dependent_operations(figure: Figure, method: str) -> tuple[int, int]:
    """Operations of a method of forward dynamics, and the most that wait for each other, once velocities are known."""

    def forward(*given: Scalar) -> list[Scalar]:
        q, v, tau = given[: figure.nq], given[figure.nq : -figure.nv], given[-figure.nv :]
        state = kinematics(figure, q, v)
        seam()
        return forward_dynamics(state, tau, method=method)

    body = traced(method, "float64", None, figure.nq + 2 * figure.nv, forward)
    start = body.seams[len(figure.links)]
    depths = [0] * len(body.ops)
    for number in range(start, len(body.ops)):
        op = body.ops[number]
        depths[number] = (op.name not in FREE) + max((depths[a] for a in op.args), default=0)
    return sum(op.name not in FREE for op in body.ops[start:]), max(depths)


def airborne_program(figure: Figure, precision: Precision, lanes: int | None = None) -> Program:
    """q and v some steps later, from q, v, tau, the number of steps and their length [s]."""

    def airborne(q: list[Scalar], v: list[Scalar], tau: list[Scalar], count: Scalar, h: Scalar) -> Any:
        system = System(
            slope=lambda t, q, v: (aba(kinematics(figure, q, v), tau)[0], []),
            displaced=partial(displaced, figure),
            unwound=partial(unwound, figure),
        )
        method = integrator("corpus euler")

        def step(state: tuple[list[Scalar], list[Scalar]]) -> tuple[list[Scalar], list[Scalar]]:
            new = method.step(system, 0.0, Moving(*state), h).new
            return normalised(figure, new.q), new.v

        return repeat(count, step, (q, v))

    forms = ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv, 0.0, 0.0)
    return Program(Recipe("airborne", airborne, forms), precision, lanes)


def random_states(figure: Figure, worlds: int, seed: int = 1) -> tuple[Array, Array]:
    """Coordinates (nq, worlds) in any attitude with bent joints, and velocities (nv, worlds)."""
    rng = np.random.default_rng(seed)
    q = 0.3 * rng.standard_normal((figure.nq, worlds))
    if JOINTS[figure.root.joint.kind].turns:
        q[:4] = rng.standard_normal((4, worlds))
        q[:4] /= np.linalg.norm(q[:4], axis=0)
    return q, 0.3 * rng.standard_normal((figure.nv, worlds))


def half_held(figure: Figure, q: Array, v: Array) -> Array:
    """Half of the joint forces (nv, worlds) that would let nothing accelerate: gravity is half held."""
    tau, _ = rnea(kinematics(figure, list(q), list(v)), [0.0] * figure.nv)
    return 0.5 * np.array([np.broadcast_to(t, q.shape[1:]) for t in tau])


def exact_rates(figure: Figure, q: Array, v: Array, tau: Array) -> Array:
    """Rates of velocity (nv, worlds) worked out in the widest numbers that NumPy has here."""
    wide = [list(x.astype(np.longdouble)) for x in (q, v, tau)]
    rates, _ = aba(kinematics(figure, *wide[:2]), wide[2])
    return np.array(rates, float)


def energy(figure: Figure, q: Array, v: Array) -> tuple[Array, Array]:
    """Kinetic and potential energy (worlds,) [J]."""
    state = kinematics(figure, list(q), list(v))
    return kinetic_energy(state), potential_energy(state)
