"""Forces of resting and sliding contacts, from conditions on accelerations.

    u' = A f + u'_0        f: forces along rows; u'_0: accelerations of the rows without them        [Kokkevis 2004]
    normal      0 <= u'_z with 0 <= f_z, one of them 0
    at rest     |f_t| <= mu f_z; u'_t = 0 inside the cone, else opposite to f_t
    sliding     f_t = -mu f_z d, where d is the direction of slip
    limit       as along a normal
    loop        u' = 0

A sliding contact has only one unknown force, along n - mu d, and A_zz - mu A_zt.d may be negative: then the force of
the contact makes it approach [Painleve 1895]. In that case there may be no solution, or more than one. Both cases are
reported, and the contact gets no force: the next event is a collision.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.problem import ContactProblem
from gambol.contact.complementarity.methods import solver
from gambol.contact.complementarity.supports import FrictionalContact, JointLimit, Response, response
from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops import Row, closed_dynamics
from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.spatial import Vector
from gambol.spatial.dense import Numbers, Rows
from gambol.spatial.motion import Force

MIN_SLIDING_SPEED = 1e-6
"""Slip speed above which a contact slides [m/s]. Below it the direction of slip is rounding, and a sticking contact may
have some residual slip."""


@dataclass(frozen=True, slots=True)
class ContactSet:
    """The constraints of a figure: frictional contacts, joint limits, and loops (rows with acceleration 0)."""

    contacts: Sequence[FrictionalContact]
    limits: Sequence[JointLimit] = ()
    loops: Sequence[Row] = ()


@dataclass(frozen=True, slots=True)
class ContactForces:
    """Forces of contacts, and the accelerations of the figure under them.

    forces: forces of each contact on its link, in world axes [N]; limits, loops: forces along their rows [N or N m].
    accelerations: accelerations of the joints (nv). separation: acceleration of each contact along its normal [m/s2].
    residual [m/s2], converged: results of the solver. jammed: 1 if the friction of a sliding contact makes it approach.
    There is then no solution (converged is 0) or more than one (converged is 1).
    """

    forces: list[Vector]
    limits: Numbers
    loops: Numbers
    accelerations: Numbers
    separation: Numbers
    residual: Scalar
    converged: Scalar
    jammed: Scalar


def contact_forces(
    state: Kinematics,
    constraints: ContactSet,
    tau: Sequence[Scalar],
    method: str = "newton",
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    sliding_speed: float = MIN_SLIDING_SPEED,
) -> ContactForces:
    """Return the forces of a figure's closed contacts that do not approach, and its accelerations.

    state: state of the figure; constraints: contacts, limits and loops. tau, f_ext, gravity: as for aba(). method: a
    key of SOLVERS. sliding_speed: slip above which a contact slides [m/s]. The figure's own loop constraints hold
    throughout. Raises GambolError for an unknown method.
    """
    solve = solver(method, len(constraints.contacts), len(constraints.limits) + len(constraints.loops))
    system = response(state, constraints.contacts, constraints.limits, constraints.loops)
    free = closed_dynamics(state, tau, f_ext=f_ext, gravity=gravity).a
    problem = _problem(state, constraints, system, free)
    slips = [_slip_direction(system, 3 * k, sliding_speed) for k in range(len(constraints.contacts))]
    sliding = _with_sliding_friction(problem, slips)
    solution = solve(sliding)
    f = list(solution.p)
    for i, mu, (x, y) in zip(problem.contacts, problem.mu, slips, strict=True):
        f[i], f[i + 1] = f[i] - mu * x * f[i + 2], f[i + 1] - mu * y * f[i + 2]
    jammed: Scalar = 0.0
    for i, (x, y) in zip(sliding.contacts, slips, strict=True):
        jams = (x * x + y * y > 0.5) & (sliding.A[i + 2][i + 2] <= 0.0) & (problem.A[i + 2][i + 2] > 0.0)
        jammed = maximum(jammed, where(jams, 1.0, 0.0))
    first_limit, first_loop = 3 * len(constraints.contacts), 3 * len(constraints.contacts) + len(constraints.limits)
    separation = [solution.u[i + 2] for i in problem.contacts]
    accelerations = system.velocity_after(free, f)
    return ContactForces(
        system.contact_forces(f),
        f[first_limit:first_loop],
        f[first_loop:],
        accelerations,
        separation,
        solution.residual,
        solution.converged,
        jammed,
    )


def _problem(state: Kinematics, constraints: ContactSet, system: Response, free: Sequence[Scalar]) -> ContactProblem:
    """Return the problem of all rows: their accelerations without forces, and the response to forces."""
    a = state.accelerations(free)
    b = [row.acceleration(a, free) for row in system.rows]
    for k, (contact, axes) in enumerate(zip(constraints.contacts, system.axes, strict=True)):
        b[3 * k : 3 * k + 3] = [
            x + contact.bias_acceleration.dot(axis) for x, axis in zip(b[3 * k :], axes.columns, strict=False)
        ]
    low, high = force_bounds(len(constraints.limits), len(constraints.loops))
    return ContactProblem(system.A, b, [contact.mu for contact in constraints.contacts], low, high)


def force_bounds(limits: int, loops: int) -> tuple[Numbers, Numbers]:
    """Return lower and upper bounds of the forces of limits, which only push, and of loops.

    The arguments are the numbers of limits and loops.
    """
    infinite = float("inf")
    return [*[0.0] * limits, *[-infinite] * loops], [infinite] * (limits + loops)


def _slip_direction(system: Response, i: int, min_speed: float) -> tuple[Scalar, Scalar]:
    """Return the direction in which a contact slides, or (0, 0) where it is at rest; i: index of its first row."""
    x, y = system.rows[i].speed, system.rows[i + 1].speed
    size = sqrt(x * x + y * y)
    slides = size > min_speed
    inverse_size = where(slides, 1.0 / where(slides, size, 1.0), 0.0)
    return x * inverse_size, y * inverse_size


def _with_sliding_friction(problem: ContactProblem, slips: Sequence[tuple[Scalar, Scalar]]) -> ContactProblem:
    """Return the problem in which friction of sliding contacts is a function of their normal force, not an unknown."""
    A: Rows = [list(row) for row in problem.A]
    mus: Numbers = []
    for i, mu, (x, y) in zip(problem.contacts, problem.mu, slips, strict=True):
        for row in A:
            row[i + 2] = row[i + 2] - mu * (x * row[i] + y * row[i + 1])
        mus.append(where(x * x + y * y > 0.5, 0.0, mu))
    return ContactProblem(A, problem.b, mus, problem.low, problem.high)
