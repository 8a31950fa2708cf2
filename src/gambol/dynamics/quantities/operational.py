"""What links and contacts feel of the whole figure: the responses between them, in operational space.

    a_i = L_ij f_j        L_ij = J_i M^-1 J_j^T        [Arnold 1997, eq. 2.17-2.19]
    K = sum over both sides of two contacts, with their signs, of L_ij seen at the points that touch
    inertia in operational space = L_ii^-1        [Khatib 1987]

J and M are not formed: each column is a unit force that goes through the articulated bodies (articulated.py).
"""

from dataclasses import dataclass

from gambol.dynamics.forward import factorised, lower
from gambol.dynamics.quantities.articulated import Articulated, Pushes
from gambol.figure import WORLD
from gambol.lanes import Scalar
from gambol.spatial.matrix import Matrix
from gambol.spatial.motion import NO_FORCE, Motion
from gambol.spatial.transform import Transform
from gambol.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class Contact:
    """Two bodies that touch: a point of a link, and of another link or the world, each in its own coordinates [m].

    A force on the contact acts on the first along the given direction and on the other against it.
    """

    link: int
    point: Vector
    other: int = WORLD
    other_point: Vector = ZERO

    @property
    def sides(self) -> tuple[tuple[int, Vector, float], ...]:
        """Link, point and sign of each side that can move."""
        both = ((self.link, self.point, 1.0), (self.other, self.other_point, -1.0))
        return tuple(side for side in both if side[0] != WORLD)


def response(bodies: Articulated, link: int, pushed: int) -> list[Motion]:
    """L_ij: accelerations of one link under unit forces on another, each in its own coordinates: six columns.

    bodies: see articulated(). A column is the motion per unit of one component of the force, moments first.
    """
    unit = (NO_FORCE.with_component(k, 1.0) for k in range(6))
    return [bodies.response(link, bodies.inward(pushed, force)) for force in unit]


def collision_matrix(bodies: Articulated, contact: Contact, pushed: Contact) -> Matrix:
    """K: rate of the relative velocity at one contact per unit force at another, in world axes [1/kg].

    Also the change of the velocity per unit impulse. bodies: see articulated(). Of one contact with itself it is
    symmetric, and positive unless the contact cannot give way.
    """
    columns = [_relative(bodies, contact, _pushes(bodies, pushed, Vector.axis(k))) for k in range(3)]
    return Matrix.of(list(zip(*columns, strict=True)))


def _pushes(bodies: Articulated, contact: Contact, force: Vector) -> Pushes:
    """What a force on both sides of a contact, in world axes, does to the joints."""
    total: Pushes = {}
    for link, point, sign in contact.sides:
        for i, x in bodies.inward(link, bodies.state.force_on_link(link, point, force * sign)).items():
            total[i] = [a + b for a, b in zip(total[i], x, strict=True)] if i in total else x
    return total


def _relative(bodies: Articulated, contact: Contact, x: Pushes) -> Vector:
    """Relative acceleration of the two sides of a contact, in world axes."""
    total = ZERO
    for link, point, sign in contact.sides:
        a = bodies.response(link, x)
        total = total + bodies.state.poses[link].rotation @ a.v.plus_cross(a.w, point) * sign
    return total


def inverse_operational_inertia(bodies: Articulated, link: int, point: Vector = ZERO) -> list[list[Scalar]]:
    """Spatial acceleration of a frame on a link per unit force on it, in world axes at a point of the link (6 x 6).

    bodies: see articulated(). Rows and columns: angular first. Singular where the link cannot move freely.
    """
    turn = bodies.state.poses[link].rotation
    frame = Transform(turn.transpose, point)  # of the world's axes at the point, in the link
    columns: list[Motion] = []
    for k in range(6):
        force = frame @ NO_FORCE.with_component(k, 1.0)
        columns.append(frame.pull(bodies.response(link, bodies.inward(link, force))))
    return [[column[i] for column in columns] for i in range(6)]


def operational_inertia(bodies: Articulated, link: int, point: Vector = ZERO) -> list[list[Scalar]]:
    """The inertia that a force on a frame feels, in world axes at a point of a link (6 x 6), other joints being free.

    Where the link cannot move freely there is none: take inverse_operational_inertia(), which is singular there.
    """
    factors = factorised(lower(inverse_operational_inertia(bodies, link, point)))
    columns = [factors.solve([float(i == k) for i in range(6)]) for k in range(6)]
    return [list(row) for row in zip(*columns, strict=True)]
