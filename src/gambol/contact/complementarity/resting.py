"""Forces of resting and sliding contacts, found from what accelerations must be.

    u' = A f + u'_0        f: forces along rows; u'_0: accelerations of the rows without them        [Kokkevis 2004]
    normal      0 <= u'_z with 0 <= f_z, one of them 0
    at rest     |f_t| <= mu f_z; u'_t = 0 inside the cone, else opposite to f_t
    sliding     f_t = -mu f_z d, d being the direction of slip
    stop        as a normal; tie: u' = 0

A sliding contact has one force only, along n - mu d, and A_zz - mu A_zt.d may be negative: then its own force presses
it in [Painleve 1895]. Where it would be needed there is no answer, and where it is not needed a second one exists.
Both are told, and no force is invented: a collision is what happens then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.problem import ContactProblem
from gambol.contact.complementarity.methods import solver
from gambol.contact.complementarity.supports import Response, Stop, Support, response
from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops import Row, closed_dynamics
from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.spatial import Vector
from gambol.spatial.dense import Numbers, Rows
from gambol.spatial.motion import Force

SLIDING_SPEED = 1e-6
"""Slip above which a contact slides [m/s]: below it a direction is rounding, and creep must stay under it."""


@dataclass(frozen=True, slots=True)
class Touching:
    """What acts at a figure's contacts: supports, stops, and ties. ties: rows that are held."""

    supports: Sequence[Support]
    stops: Sequence[Stop] = ()
    ties: Sequence[Row] = ()


@dataclass(frozen=True, slots=True)
class Resting:
    """Forces of contacts, and how the figure accelerates under them.

    forces: of each support on its link, in world axes [N]; stops, ties: along their rows [N or N m]. rates: of v (nv).
    leaving: of each support along its normal [m/s2]. residual [m/s2] and converged: of the solver. jammed: 1 where some
    sliding contact is pressed in by its own force: with converged 0 there is no answer, with 1 more than one.
    """

    forces: list[Vector]
    stops: Numbers
    ties: Numbers
    rates: Numbers
    leaving: Numbers
    residual: Scalar
    converged: Scalar
    jammed: Scalar


def resting(
    state: Kinematics,
    touching: Touching,
    tau: Sequence[Scalar],
    method: str = "newton",
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    sliding_speed: float = SLIDING_SPEED,
) -> Resting:
    """The forces of a figure's contacts that are closed and not approaching, and its accelerations.

    tau, f_ext, gravity: as for aba(). method: a key of SOLVERS. sliding_speed: slip above which a contact slides [m/s].
    The figure's own constraints hold throughout. Raises GambolError for an unknown method.
    """
    find = solver(method, len(touching.supports), len(touching.stops) + len(touching.ties))
    here = response(state, touching.supports, touching.stops, touching.ties)
    free = closed_dynamics(state, tau, f_ext=f_ext, gravity=gravity).rates
    problem = _problem(state, touching, here, free)
    slips = [_slip(here, 3 * k, sliding_speed) for k in range(len(touching.supports))]
    slid = _slaved(problem, slips)
    found = find(slid)
    f = list(found.p)
    for i, mu, (x, y) in zip(problem.contacts, problem.mu, slips, strict=True):
        f[i], f[i + 1] = f[i] - mu * x * f[i + 2], f[i + 1] - mu * y * f[i + 2]
    jams: Scalar = 0.0
    for i, (x, y) in zip(slid.contacts, slips, strict=True):
        slides = (x * x + y * y > 0.5) & (slid.A[i + 2][i + 2] <= 0.0) & (problem.A[i + 2][i + 2] > 0.0)
        jams = maximum(jams, where(slides, 1.0, 0.0))
    a, b = 3 * len(touching.supports), 3 * len(touching.supports) + len(touching.stops)
    leaving = [found.u[i + 2] for i in problem.contacts]
    rates = here.moved(free, f)
    return Resting(here.pushes(f), f[a:b], f[b:], rates, leaving, found.residual, found.converged, jams)


def _problem(state: Kinematics, touching: Touching, here: Response, free: Sequence[Scalar]) -> ContactProblem:
    """Accelerations of all rows without forces, and what forces along them do."""
    a = state.accelerations(free)
    b = [row.acceleration(a, free) for row in here.rows]
    for k, (support, axes) in enumerate(zip(touching.supports, here.axes, strict=True)):
        b[3 * k : 3 * k + 3] = [x + support.drift.dot(axis) for x, axis in zip(b[3 * k :], axes.columns, strict=False)]
    low, high = unilateral(len(touching.stops), len(touching.ties))
    return ContactProblem(here.A, b, [support.mu for support in touching.supports], low, high)


def unilateral(stops: int, ties: int) -> tuple[Numbers, Numbers]:
    """Bounds of forces that stops, which only push, and ties have."""
    infinite = float("inf")
    return [*[0.0] * stops, *[-infinite] * ties], [infinite] * (stops + ties)


def _slip(here: Response, i: int, least: float) -> tuple[Scalar, Scalar]:
    """The direction in which a contact slides, by its first row; 0 where it is at rest."""
    x, y = here.rows[i].speed, here.rows[i + 1].speed
    size = sqrt(x * x + y * y)
    slides = size > least
    share = where(slides, 1.0 / where(slides, size, 1.0), 0.0)
    return x * share, y * share


def _slaved(problem: ContactProblem, slips: Sequence[tuple[Scalar, Scalar]]) -> ContactProblem:
    """The problem in which friction of sliding contacts goes with their normal force, and is no unknown."""
    A: Rows = [list(row) for row in problem.A]
    mus: Numbers = []
    for i, mu, (x, y) in zip(problem.contacts, problem.mu, slips, strict=True):
        for row in A:
            row[i + 2] = row[i + 2] - mu * (x * row[i] + y * row[i + 1])
        mus.append(where(x * x + y * y > 0.5, 0.0, mu))
    return ContactProblem(A, problem.b, mus, problem.low, problem.high)
