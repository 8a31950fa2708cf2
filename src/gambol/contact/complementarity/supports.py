"""Constraint rows of a figure's contacts, and the response of the rows to forces: the Delassus matrix.

    u = J v        A = J M^-1 J^T

A contact has three rows along its own axes, the normal last. A joint at a limit has one row, positive when the joint
leaves the limit. The rows of a loop have velocity 0. Each column of A is the response to a unit force. [Kokkevis 2004]
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.dynamics.forward import factorised, mass_rows
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops import Problem, Row, jacobian_row, joint_row, relative_motion, rows, solve
from gambol.dynamics.quantities.operational import Contact
from gambol.errors import WorldError
from gambol.lanes import Scalar
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.dense import Rows, dot
from gambol.spatial.rotation import IDENTITY
from gambol.spatial.vector import ZERO

UNIT_TOLERANCE = 1e-6  # permitted error of a unit vector's length: float32 rounds to 1e-7


@dataclass(frozen=True, slots=True)
class FrictionalContact:
    """A contact of a figure with friction.

    contact: the point of the link, and the other link. normal: unit vector in world axes, the direction in which the
    link is pushed. mu: friction; restitution: e of an impact. bias_acceleration: velocity-product term of rounded
    shapes in the relative acceleration of the two points, in world axes [m/s2]; for a rolling ball, minus the
    centripetal acceleration of its point of contact. Raises WorldError for invalid numbers.
    """

    contact: Contact
    normal: Vector
    mu: Scalar
    restitution: Scalar = 0.0
    bias_acceleration: Vector = ZERO

    def __post_init__(self) -> None:
        _check("friction", self.mu, math.inf)
        _check("restitution", self.restitution, 1.0)
        length = self.normal.length()
        if _is_number(length) and not abs(length - 1.0) < UNIT_TOLERANCE:
            raise WorldError(f"a contact's normal has length {length:g}; it must be 1")


@dataclass(frozen=True, slots=True)
class JointLimit:
    """A degree of freedom at its limit, given by its index.

    sign: 1 at the lower limit, -1 at the upper one. restitution: e. Raises WorldError for invalid numbers.
    """

    freedom: int
    sign: float
    restitution: Scalar = 0.0

    def __post_init__(self) -> None:
        _check("restitution", self.restitution, 1.0)
        if abs(self.sign) != 1.0:
            raise WorldError(
                f"the sign of a joint limit is {self.sign:g}; it must be 1 at the lower limit, -1 at the upper one"
            )


def _check(name: str, value: Scalar, upper: float) -> None:
    if _is_number(value) and not (0.0 <= value <= upper and math.isfinite(value)):
        expected = "0 or more, and finite" if math.isinf(upper) else f"from 0 to {upper:g}"
        raise WorldError(f"a contact's {name} is {value}; it must be {expected}")


def _is_number(x: Scalar) -> bool:
    return isinstance(x, (int, float))


@dataclass(frozen=True, slots=True)
class Response:
    """Rows of a figure's contacts, limits and loops, and their response to unit forces.

    unit_responses: the columns of M^-1 J^T (n x nv); A: acceleration of each row per unit force along each (n x n),
    symmetric. axes: axes of each contact, as a rotation from contact to world axes.
    """

    rows: list[Row]
    unit_responses: Rows
    A: Rows
    axes: list[Rotation]

    def velocity_after(self, v: Sequence[Scalar], p: Sequence[Scalar]) -> list[Scalar]:
        """Return joint velocities (nv) after impulses p, or accelerations under forces p.

        v: the velocities before.
        """
        return (
            [dot(p, responses, x) for x, responses in zip(v, zip(*self.unit_responses, strict=True), strict=True)]
            if p
            else list(v)
        )

    def contact_forces(self, p: Sequence[Scalar]) -> list[Vector]:
        """Return the impulses or forces of the contacts on their links, in world axes."""
        return [axes @ Vector.of(list(p[3 * k : 3 * k + 3])) for k, axes in enumerate(self.axes)]


def response(
    state: Kinematics,
    contacts: Sequence[FrictionalContact],
    limits: Sequence[JointLimit] = (),
    loops: Sequence[Row] = (),
) -> Response:
    """Return the rows of contacts, limits and loops, in this order, and the figure's response to forces along them.

    state: state of the figure; contacts, limits: contacts and limits of its links and joints; loops: rows of loop
    closures.
    """
    axes = [Rotation.with_z_axis(frictional.normal) for frictional in contacts]
    all_rows: list[Row] = []
    for frictional, frame in zip(contacts, axes, strict=True):
        contact = frictional.contact
        motion = relative_motion(state, contact.link, contact.other, Transform(IDENTITY, contact.point))
        world_to_other = state.poses[contact.other].rotation.transpose
        all_rows += [motion.along(world_to_other @ column, 0.0) for column in frame.columns]
    all_rows += [_signed(joint_row(state, limit.freedom), limit) for limit in limits]
    all_rows += loops
    J = [jacobian_row(state, row) for row in all_rows]
    unit_responses = _unit_responses(state, J)
    lower_triangle = [[dot(J[i], unit_responses[j]) for j in range(i + 1)] for i in range(len(J))]
    A = [[lower_triangle[max(i, j)][min(i, j)] for j in range(len(J))] for i in range(len(J))]
    return Response(all_rows, unit_responses, A, axes)


def _signed(row: Row, limit: JointLimit) -> Row:
    """Return a joint's row, positive when the joint leaves its limit."""
    return Row({}, {limit.freedom: limit.sign}, row.gap, row.speed * limit.sign, 0.0)


def _unit_responses(state: Kinematics, J: Rows) -> Rows:
    """Return joint accelerations of the resting figure under unit forces along rows, with the figure's loops closed."""
    at_rest = state.at_rest()
    loops = rows(at_rest)
    if loops:
        zeros = [0.0] * len(loops)
        return [solve(Problem(at_rest, force, loops, zeros, gravity=0.0)).a for force in J]
    factors = factorised(mass_rows(at_rest))
    return [factors.solve(force) for force in J]
