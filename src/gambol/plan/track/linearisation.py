"""The motion near a trajectory, to first order.

Let e be the tangent coordinates of the deviation, q = q_ref (+) e, and w = v - v_ref the deviation of the velocity.
With forces f at the points of contact and torques u of the actuators, the equations are

    r_1 = M(q) a + C(q, v) - tau_p(q, v) - sum of J_i' f_i - S u = 0
    r_2 = J_i a + J_i' v + 2 k J_i v + k^2 (p_i - p_ref) = 0   for points that stand,   f_i = 0   for others
    K = d r / d (a, f)        d (a, f) = -K^-1 (d r / d (e, w) (e, w) - S du)

All derivatives of r and of e' are products with directions, one world for each direction and time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, Plane
from gambol.dynamics import STANDARD_GRAVITY, Kinematics, kinematics, rnea
from gambol.dynamics.bodies import gravity_scalar_or_vector
from gambol.dynamics.passive import Passive
from gambol.dynamics.tangent import configuration_difference, figure_q_dot, integrate_configuration
from gambol.figure import Figure, Springs, Triple
from gambol.lanes import Program, ProgramSpec, Scalar, jvp
from gambol.plan.motion.transcription.points import PlacedPoint, forces_on_links, surface_at

Array = NDArray[Any]

STIFFNESS = 100.0
"""Rate k at which a standing point returns to its position in the linear model [1/s]: fast, like a rigid contact, but
slow enough for a mesh of some milliseconds."""

COMPLIANCE = 1e-9
"""Compliance of the contacts of the linear model divided by the compliance of the whole mass. It makes forces unique if
several points hold the same degree of freedom, and is far below other compliances of the model."""


@dataclass(frozen=True)
class Surroundings:
    """Forces and contacts of a figure besides its actuators.

    contacts: points in the order of a trajectory's contacts. gravity, springs, ground: see World.
    """

    contacts: tuple[PlacedPoint, ...] = ()
    gravity: float | Triple = STANDARD_GRAVITY
    springs: Mapping[str, Springs] = field(default_factory=dict[str, Springs])
    ground: Ground = field(default_factory=Plane)


@dataclass(frozen=True)
class LinearMotion:
    """Linear equations of the deviation x = (e, w) at N times: x' = A x + B u.

    A (N, 2 nv, 2 nv). B (N, 2 nv, actuated): for changes u of the torques of the actuated freedoms.
    """

    A: Array
    B: Array

    def steps(self, dt: float) -> tuple[Array, Array]:
        """Return the matrices of steps of dt [s] with constant u: x_next = A x + B u, by the matrix exponential."""
        n, m = self.A.shape[1], self.B.shape[2]
        block = np.zeros((len(self.A), n + m, n + m))
        block[:, :n, :n], block[:, :n, n:] = dt * self.A, dt * self.B
        expm: Any = import_module("scipy.linalg").expm
        exponential: Array = expm(block)
        return exponential[:, :n, :n], exponential[:, :n, n:]


def linearised(
    figure: Figure,
    surroundings: Surroundings,
    state: tuple[Array, Array, Array],
    standing: Array,
    actuated: Sequence[int],
) -> LinearMotion:
    """Return the linearised equations of motion at N states.

    state: q (N, nq), v (N, nv), joint forces (N, nv). standing (N, contacts): 1 for points that stand, else 0.
    actuated: indices of the freedoms that have actuators.
    """
    n, m = figure.nv, figure.nv + 3 * len(surroundings.contacts)
    program = _program(figure, surroundings)
    residual, K = _derivatives(program, (*state, standing), np.zeros((len(standing), m)), slice(2 * n, 2 * n + m))
    accelerations = -np.linalg.solve(K[:, n:], residual[:, n:, None])[..., 0]
    _, D = _derivatives(program, (*state, standing), accelerations, slice(0, 2 * n))
    by_state = -np.linalg.solve(K[:, n:], D[:, n:])
    by_torque = np.linalg.solve(K[:, n:], np.eye(m)[:, list(actuated)])
    A = np.concatenate([D[:, :n], by_state[:, :n]], axis=1)
    B = np.concatenate([np.zeros((len(A), n, len(actuated))), by_torque[:, :n]], axis=1)
    return LinearMotion(A, B)


def _derivatives(program: Program, inputs: tuple[Array, ...], solution: Array, columns: slice) -> tuple[Array, Array]:
    """Return (e', r) (N, rows) and their derivatives (N, rows, directions) along unit directions of (e, w, a, f).

    inputs: arrays (N, ...) of the program. solution: a and f (N, nv + 3 contacts). columns: the directions.
    """
    N, size = len(solution), program.rows[-1]
    directions = np.eye(size)[columns]
    count = len(directions)
    worlds = [np.repeat(array, count, axis=0).T for array in (*inputs, solution)]
    values, products = program(*(np.ascontiguousarray(a) for a in worlds), np.tile(directions, (N, 1)).T.copy())
    return values.T.reshape(N, count, -1)[:, 0], products.T.reshape(N, count, -1).transpose(0, 2, 1)


def _program(figure: Figure, surroundings: Surroundings) -> Program:
    """Return a program of (q, v, tau, standing, (a, f), direction) that returns (e', r) and its product."""
    n, contacts = figure.nv, len(surroundings.contacts)
    passive = Passive.of(figure, surroundings.springs)

    def equations(q: Any, v: Any, tau: Any, standing: Any, solution: Any, direction: Any) -> tuple[Any, ...]:
        reference = kinematics(figure, q, v)

        def value(x: list[Scalar]) -> list[Scalar]:
            e, w, a, f = x[:n], x[n : 2 * n], x[2 * n : 3 * n], x[3 * n :]
            moved = integrate_configuration(figure, q, e)
            speeds = [y + dy for y, dy in zip(v, w, strict=True)]
            state = kinematics(figure, moved, speeds)
            loads = forces_on_links(state, surroundings.ground, surroundings.contacts, f)
            balance, _ = rnea(state, a, f_ext=loads, gravity=gravity_scalar_or_vector(surroundings.gravity))
            springs, _ = passive.forces(moved, speeds)
            r1 = [y - t - s for y, t, s in zip(balance, tau, springs, strict=True)]
            rates = _deviation_rate(figure, (q, v), (moved, speeds))
            standing_residual = _standing_residual(surroundings, reference, state, a)
            return [*rates, *r1, *_contact_equations(standing_residual, f, standing, COMPLIANCE / figure.mass)]

        return jvp(value, [*([0.0] * (2 * n)), *solution], direction)

    sizes = (figure.nq, n, n, contacts, n + 3 * contacts, 3 * n + 3 * contacts)
    links = [(link.name, link.parent_index, link.joint, link.mass_properties) for link in figure.links]
    level = type(surroundings.ground) is Plane  # a ground of another class may be code of the user
    key = (links, surroundings.contacts, surroundings.gravity, passive.springs, surroundings.ground, STIFFNESS)
    return Program(
        ProgramSpec("linearised motion", equations, tuple([0.0] * size for size in sizes), key=key if level else None)
    )


def _deviation_rate(figure: Figure, reference: Any, state: Any) -> list[Scalar]:
    """Return e' (nv), the rate of the tangent coordinates from a reference (q, v) to a state (q, v)."""
    points, rates = [*reference[0], *state[0]], [*figure_q_dot(figure, *reference), *figure_q_dot(figure, *state)]
    nq = figure.nq
    return jvp(lambda x: configuration_difference(figure, x[:nq], x[nq:]), points, rates)[1]


def _standing_residual(
    surroundings: Surroundings, before: Kinematics, state: Kinematics, a: Sequence[Scalar]
) -> list[Scalar]:
    """Return the residual for standing points (3 contacts): acceleration, and the correction of drift.

    before: the reference. state, a: accelerations of the figure near it. A rolling ball (radius > 0) is brought back
    along the normal of the ground only.
    """
    k, links = STIFFNESS, state.accelerations(a)
    result: list[Scalar] = []
    for point in surroundings.contacts:
        position = point.place(state)
        normal = surface_at(surroundings.ground, position).normal
        shift = position - point.place(before)
        drift = normal * normal.dot(shift) if point.radius else shift
        velocity = point.touching_velocity(state, normal)
        result += [*(point.touching_acceleration(state, links, normal) + velocity * (2.0 * k) + drift * (k * k))]
    return result


def _contact_equations(
    residual: Sequence[Scalar], f: Sequence[Scalar], standing: Sequence[Scalar], compliance: float
) -> list[Scalar]:
    """Return r_2 (3 contacts); residual: result of _standing_residual(). compliance: compliance of contacts [1/kg]."""
    stands = [x for x in standing for _ in range(3)]
    return [s * (h + compliance * y) + (1.0 - s) * y for s, h, y in zip(stands, residual, f, strict=True)]
