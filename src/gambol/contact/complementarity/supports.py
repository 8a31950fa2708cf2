"""Where a figure touches, and what forces there do to it: the rows of a contact problem and their response.

    u = J v        A = J M^-1 J^T

A contact has three rows in axes of its own, the normal last; a joint at a limit has one, along which it may only go
back; a tie has one that must not move. Each column of A is the answer to one test force. [Kokkevis 2004]
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.dynamics.forward import factorised, mass_rows
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops import Problem, Row, jacobian_row, joint_row, relative, rows, solve
from gambol.dynamics.quantities.operational import Contact
from gambol.errors import WorldError
from gambol.lanes import Scalar
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.dense import Rows, dot
from gambol.spatial.rotation import IDENTITY
from gambol.spatial.vector import ZERO

UNIT = 1e-6  # by how much the length of a unit vector may be off: float32 rounds to 1e-7


@dataclass(frozen=True, slots=True)
class Support:
    """A contact of a figure with friction.

    contact: the point of a link that touches, and what it touches. normal: unit vector in world axes, the way the link
    is pushed. mu: friction; restitution: e of an impact. drift: what rounded shapes add to the relative acceleration of
    the two points, in world axes [m/s2]: minus the centripetal acceleration of the point of a rolling ball. Raises
    WorldError for numbers that cannot be.
    """

    contact: Contact
    normal: Vector
    mu: Scalar
    restitution: Scalar = 0.0
    drift: Vector = ZERO

    def __post_init__(self) -> None:
        _check("friction", self.mu, math.inf)
        _check("restitution", self.restitution, 1.0)
        length = self.normal.length()
        if _is_plain(length) and not abs(length - 1.0) < UNIT:
            raise WorldError(f"a contact's normal has length {length:g}; it must be 1")


@dataclass(frozen=True, slots=True)
class Stop:
    """A degree of freedom at its limit, by number. sign: 1 at the lower limit, -1 at the upper one. restitution: e.

    Raises WorldError for numbers that cannot be.
    """

    freedom: int
    sign: float
    restitution: Scalar = 0.0

    def __post_init__(self) -> None:
        _check("restitution", self.restitution, 1.0)
        if abs(self.sign) != 1.0:
            raise WorldError(
                f"the sign of a stop is {self.sign:g}; it must be 1 at the lower limit, -1 at the upper one"
            )


def _check(name: str, value: Scalar, most: float) -> None:
    if _is_plain(value) and not (0.0 <= value <= most and math.isfinite(value)):
        right = "0 or more, and finite" if math.isinf(most) else f"from 0 to {most:g}"
        raise WorldError(f"a contact's {name} is {value}; it must be {right}")


def _is_plain(x: Scalar) -> bool:
    return isinstance(x, (int, float))


@dataclass(frozen=True, slots=True)
class Response:
    """Rows of a figure's contacts, stops and ties, and what unit forces along them do.

    answers: M^-1 J^T by its columns (n of nv); A: of each row per unit force of each other (n x n), symmetric. axes: of
    each support in the world.
    """

    rows: list[Row]
    answers: Rows
    A: Rows
    axes: list[Rotation]

    def moved(self, v: Sequence[Scalar], p: Sequence[Scalar]) -> list[Scalar]:
        """Joint velocities after impulses, or joint accelerations under forces, from those without."""
        return (
            [dot(p, column, x) for x, column in zip(v, zip(*self.answers, strict=True), strict=True)] if p else list(v)
        )

    def pushes(self, p: Sequence[Scalar]) -> list[Vector]:
        """Impulses or forces of the supports in world axes, on the links."""
        return [axes @ Vector.of(list(p[3 * k : 3 * k + 3])) for k, axes in enumerate(self.axes)]


def response(
    state: Kinematics, supports: Sequence[Support], stops: Sequence[Stop] = (), ties: Sequence[Row] = ()
) -> Response:
    """The rows of contacts, of stops, and of ties, in this order, and how the figure answers forces along them."""
    axes = [Rotation.facing(support.normal) for support in supports]
    found: list[Row] = []
    for support, frame in zip(supports, axes, strict=True):
        contact = support.contact
        seen = relative(state, contact.link, contact.other, Transform(IDENTITY, contact.point))
        back = state.poses[contact.other].rotation.transpose
        found += [seen.along(back @ column, 0.0) for column in frame.columns]
    found += [_signed(joint_row(state, stop.freedom), stop) for stop in stops]
    found += ties
    J = [jacobian_row(state, row) for row in found]
    answers = _answers(state, J)
    half = [[dot(J[i], answers[j]) for j in range(i + 1)] for i in range(len(J))]
    A = [[half[max(i, j)][min(i, j)] for j in range(len(J))] for i in range(len(J))]
    return Response(found, answers, A, axes)


def _signed(row: Row, stop: Stop) -> Row:
    """A joint's row, positive when the joint leaves its limit."""
    return Row({}, {stop.freedom: stop.sign}, row.gap, row.speed * stop.sign, 0.0)


def _answers(state: Kinematics, J: Rows) -> Rows:
    """Joint accelerations of the resting figure under unit forces along rows, its own loops being held."""
    still = state.at_rest()
    tied = rows(still)
    if tied:
        zeros = [0.0] * len(tied)
        return [solve(Problem(still, effort, tied, zeros, gravity=0.0)).rates for effort in J]
    factors = factorised(mass_rows(still))
    return [factors.solve(effort) for effort in J]
