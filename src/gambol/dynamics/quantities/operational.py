"""Operational space: responses of links and contacts to forces on links and contacts.

    a_i = L_ij f_j        L_ij = J_i M^-1 J_j^T        [Arnold 1997, eq. 2.17-2.19]
    K = sum over both sides of two contacts, with their signs, of L_ij at the contact points
    inertia in operational space = L_ii^-1        [Khatib 1987]

J and M are not formed: each column is the response of the articulated bodies to a unit force (articulated.py).
"""

from dataclasses import dataclass

from gambol.dynamics.forward import factorised, lower
from gambol.dynamics.quantities.articulated import Articulated, JointResponses
from gambol.figure import WORLD
from gambol.lanes import Scalar
from gambol.spatial.matrix import Matrix
from gambol.spatial.motion import NO_FORCE, Motion, Transform
from gambol.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class Contact:
    """A contact of two bodies: a point of a link, and a point of another link or the world.

    link, other: indices of the links; 0 is the world. point, other_point: the points, in the coordinates of their links
    [m]. A force on the contact acts on the first body, and its opposite on the other.
    """

    link: int
    point: Vector
    other: int = WORLD
    other_point: Vector = ZERO

    @property
    def sides(self) -> tuple[tuple[int, Vector, float], ...]:
        """Link, point and sign of each side that is not the world."""
        sides = ((self.link, self.point, 1.0), (self.other, self.other_point, -1.0))
        return tuple(side for side in sides if side[0] != WORLD)


def response(bodies: Articulated, link: int, pushed: int) -> list[Motion]:
    """Return L_ij: the accelerations of one link under the six unit forces on another, couples first.

    bodies: see articulated(). link: index of the accelerated link. pushed: index of the link with the force. Columns
    are in the coordinates of `link`, forces in those of `pushed`.
    """
    unit = (NO_FORCE.with_component(k, 1.0) for k in range(6))
    return [bodies.response(link, bodies.inward(pushed, force)) for force in unit]


def collision_matrix(bodies: Articulated, contact: Contact, pushed: Contact) -> Matrix:
    """Return K: relative acceleration at one contact per unit force at another, in world axes [1/kg].

    It is also the change of relative velocity per unit impulse. bodies: see articulated(). contact: accelerated
    contact. pushed: contact with the force. K of a contact with itself is symmetric. It is positive definite if its two
    points can move relative to each other in all directions.
    """
    columns = [
        _relative_acceleration(bodies, contact, _joint_responses(bodies, pushed, Vector.axis(k))) for k in range(3)
    ]
    return Matrix.of(list(zip(*columns, strict=True)))


def _joint_responses(bodies: Articulated, contact: Contact, force: Vector) -> JointResponses:
    """Return the responses of the joints to a force on both sides of a contact; force: in world axes [N]."""
    total: JointResponses = {}
    for link, point, sign in contact.sides:
        for i, x in bodies.inward(link, bodies.state.force_on_link(link, point, force * sign)).items():
            total[i] = [a + b for a, b in zip(total[i], x, strict=True)] if i in total else x
    return total


def _relative_acceleration(bodies: Articulated, contact: Contact, x: JointResponses) -> Vector:
    """Return the relative acceleration of the two sides of a contact, in world axes; x: responses of joints."""
    total = ZERO
    for link, point, sign in contact.sides:
        a = bodies.response(link, x)
        total = total + bodies.state.poses[link].rotation @ a.v.plus_cross(a.w, point) * sign
    return total


def inverse_operational_inertia(bodies: Articulated, link: int, point: Vector = ZERO) -> list[list[Scalar]]:
    """Return the spatial acceleration of a frame with world axes at a point of a link, per unit force on it (6 x 6).

    bodies: see articulated(). link: index of the link. point: in link coordinates [m]. Rows and columns: angular first.
    The result is singular if the link cannot move in all directions.
    """
    link_to_world = bodies.state.poses[link].rotation
    frame = Transform(link_to_world.transpose, point)  # of the world's axes at the point, in the link
    columns: list[Motion] = []
    for k in range(6):
        force = frame @ NO_FORCE.with_component(k, 1.0)
        columns.append(frame.apply_inverse(bodies.response(link, bodies.inward(link, force))))
    return [[column[i] for column in columns] for i in range(6)]


def operational_inertia(bodies: Articulated, link: int, point: Vector = ZERO) -> list[list[Scalar]]:
    """Return the operational-space inertia of a frame with world axes at a point of a link (6 x 6).

    bodies, link, point: as for inverse_operational_inertia(), which must not be singular.
    """
    factors = factorised(lower(inverse_operational_inertia(bodies, link, point)))
    columns = [factors.solve([float(i == k) for i in range(6)]) for k in range(6)]
    return [list(row) for row in zip(*columns, strict=True)]
