"""The timed programs of gambol: forward dynamics, and a step of an airborne figure."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import aba, forward_dynamics, kinematics, kinetic_energy, potential_energy, rnea
from gambol.dynamics.tangent import integrate_configuration, normalised, tangent_rates
from gambol.figure import JOINTS, Figure
from gambol.integrate import MotionState, System, integrator
from gambol.lanes import Precision, Program, ProgramSpec, Scalar, repeat, split_point
from gambol.lanes.bodies import trace_body

Array = NDArray[Any]

NOT_OPERATIONS = ("input", "captured", "const", "part")
"""Nodes of a trace that are no operations."""


def forward_program(figure: Figure, precision: Precision, lanes: int | None = None) -> Program:
    """Return a program from q (nq), v (nv) and tau (nv) to accelerations (nv)."""

    def forward(q: list[Scalar], v: list[Scalar], tau: list[Scalar]) -> tuple[list[Scalar]]:
        return (aba(kinematics(figure, q, v), tau)[0],)

    forms = ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv)
    return Program(ProgramSpec("forward", forward, forms), precision, lanes)


def dependent_operations(figure: Figure, method: str) -> tuple[int, int]:
    """Return the number of operations of a forward-dynamics method, and its longest chain of dependent operations."""

    def forward(*given: Scalar) -> list[Scalar]:
        q, v, tau = given[: figure.nq], given[figure.nq : -figure.nv], given[-figure.nv :]
        state = kinematics(figure, q, v)
        split_point()
        return forward_dynamics(state, tau, method=method)

    body = trace_body(method, "float64", None, figure.nq + 2 * figure.nv, forward)
    start = body.split_points[len(figure.links)]
    depths = [0] * len(body.ops)
    for number in range(start, len(body.ops)):
        op = body.ops[number]
        depths[number] = (op.name not in NOT_OPERATIONS) + max((depths[a] for a in op.args), default=0)
    return sum(op.name not in NOT_OPERATIONS for op in body.ops[start:]), max(depths)


def airborne_program(figure: Figure, precision: Precision, lanes: int | None = None) -> Program:
    """Return a program from q, v, tau, the number of steps and their size [s] to the final q and v."""

    def airborne(q: list[Scalar], v: list[Scalar], tau: list[Scalar], count: Scalar, h: Scalar) -> Any:
        system = System(
            derivatives=lambda t, q, v: (aba(kinematics(figure, q, v), tau)[0], []),
            integrate=partial(integrate_configuration, figure),
            tangent_rate=partial(tangent_rates, figure),
        )
        method = integrator("corpus euler")

        def step(state: tuple[list[Scalar], list[Scalar]]) -> tuple[list[Scalar], list[Scalar]]:
            new = method.step(system, 0.0, MotionState(*state), h).state
            return normalised(figure, new.q), new.v

        return repeat(count, step, (q, v))

    forms = ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv, 0.0, 0.0)
    return Program(ProgramSpec("airborne", airborne, forms), precision, lanes)


def random_states(figure: Figure, worlds: int, seed: int = 1) -> tuple[Array, Array]:
    """Return random coordinates (nq, worlds), in any attitude, and velocities (nv, worlds)."""
    rng = np.random.default_rng(seed)
    q = 0.3 * rng.standard_normal((figure.nq, worlds))
    if JOINTS[figure.root.joint.kind].has_quaternion:
        q[:4] = rng.standard_normal((4, worlds))
        q[:4] /= np.linalg.norm(q[:4], axis=0)
    return q, 0.3 * rng.standard_normal((figure.nv, worlds))


def half_gravity_forces(figure: Figure, q: Array, v: Array) -> Array:
    """Return half of the bias forces (nv, worlds), so that gravity is half compensated."""
    tau, _ = rnea(kinematics(figure, list(q), list(v)), [0.0] * figure.nv)
    return 0.5 * np.array([np.broadcast_to(t, q.shape[1:]) for t in tau])


def exact_accelerations(figure: Figure, q: Array, v: Array, tau: Array) -> Array:
    """Return accelerations (nv, worlds) computed in NumPy's extended precision."""
    wide = [list(x.astype(np.longdouble)) for x in (q, v, tau)]
    rates, _ = aba(kinematics(figure, *wide[:2]), wide[2])
    return np.array(rates, float)


def energy(figure: Figure, q: Array, v: Array) -> tuple[Array, Array]:
    """Return kinetic and potential energy (worlds,) [J]."""
    state = kinematics(figure, list(q), list(v))
    return kinetic_energy(state), potential_energy(state)
