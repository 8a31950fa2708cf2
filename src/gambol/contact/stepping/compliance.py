"""Compliant rows: springs and dampers along any direction of a figure, implicit in a velocity step.

    f = F - h/4 K J (v+ - v) - B J (v+ - v)        A += h (B + h/4 K) J^T J

F is the force in the middle of the step at the velocities v of its start. f holds the spring's mean force at both ends
of the step, which does exactly the work that the spring stores, and the damper's force at the end of the step. Any step
is stable. [Newmark 1959, with beta = 1/4 and gamma = 1/2 for the spring]

A row whose links lie on two branches or in two trees fills the entries of A between them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.contact.spring_damper import Tension
from gambol.contact.stepping.contact import contact_signs
from gambol.contact.stepping.rows import axes
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, maximum, where
from gambol.spatial import Vector
from gambol.spatial.rotation import is_constant


@dataclass(frozen=True, slots=True)
class CompliantRow:
    """A direction with a spring and a damper.

    J: entries by index of the degree of freedom. force: F along the direction [N]. stiffness K [N/m], damping B [N
    s/m], 0 or more.
    """

    J: Mapping[int, Scalar]
    force: Scalar
    stiffness: Scalar
    damping: Scalar

    def speed(self, v: Sequence[Scalar]) -> Scalar:
        """Return J v; v: joint velocities (nv)."""
        return sum((c * v[k] for k, c in self.J.items()), 0.0)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One end of a spring-damper: the number of its link, 0 for the world, and its point in world axes [m]."""

    link: int
    point: Vector


def compliant_rows(state: Kinematics, first: Endpoint, second: Endpoint, tension: Tension) -> list[CompliantRow]:
    """Return the rows of a spring-damper.

    The first row is along the line of the spring. A spring under tension also resists a change of its direction, with
    the stiffness k x / l: three rows along the axes of the world have this stiffness, and the first row has the rest of
    k.
    """
    loaded = (tension.stiffness > 0.0) & (tension.spring > 0.0)
    sideways = where(loaded, tension.spring / tension.length, 0.0)
    rest = maximum(tension.stiffness - sideways, 0.0)
    velocities = _relative_velocities(state, first, second)
    line = CompliantRow(_along(velocities, tension.direction), -tension.total, rest, tension.damping)
    return [line, *(CompliantRow(_along(velocities, Vector.axis(k)), 0.0, sideways, 0.0) for k in range(3))]


def _relative_velocities(state: Kinematics, first: Endpoint, second: Endpoint) -> dict[int, Vector]:
    """Return the velocity of the first end relative to the second at unit joint velocities, by degree of freedom."""
    freedoms, ends = axes(state), ((first, 1.0), (second, -1.0))
    total: dict[int, Vector] = {}
    for end, side in ends:
        for index, sign in contact_signs(state.figure, end.link).items() if end.link else ():
            span = state.figure.links[index - 1].v
            for k in range(span.start, span.stop):
                velocity = freedoms[k].point_velocity(end.point) * (side * sign)
                total[k] = total[k] + velocity if k in total else velocity
    return dict(sorted(total.items()))


def _along(velocities: Mapping[int, Vector], direction: Vector) -> dict[int, Scalar]:
    """Return J along a direction, without entries known to be 0."""
    J = {k: velocity.dot(direction) for k, velocity in velocities.items()}
    return {k: c for k, c in J.items() if not is_constant(c, 0.0)}


def add_compliance(rows: Sequence[dict[int, Scalar]], compliant: Sequence[CompliantRow], h: Scalar) -> None:
    """Add h (B + h/4 K) J^T J of compliant rows to the lower triangle of A, in place. h: length of the step [s]."""
    for row in compliant:
        weight = h * (row.damping + 0.25 * h * row.stiffness)
        for i, a in row.J.items():
            for j, b in row.J.items():
                if j <= i:
                    rows[i][j] = rows[i].get(j, 0.0) + weight * a * b


def compliant_forces(compliant: Sequence[CompliantRow], tau: Sequence[Scalar]) -> list[Scalar]:
    """Return the joint forces tau (nv) with the forces of compliant rows added."""
    total = list(tau)
    for row in compliant:
        for k, c in row.J.items():
            total[k] = total[k] + c * row.force
    return total
