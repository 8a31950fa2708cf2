"""Where two bodies of a pile meet: how they move there, how they give way, and what an impulse does to them.

    u = R^T (v_a + w_a x r_a - v_b - w_b x r_b)        velocity of the first over the second, normal last
    D = R^T (sum over both of 1/m - r x I^-1 r x) R    what u changes by per unit impulse

R: the frame of a contact, two tangents and the normal as its columns. I: in world axes, about the centre of mass.
"""

from dataclasses import dataclass

from gambol.lanes import Scalar
from gambol.spatial import Motion, Rotation, Vector
from gambol.spatial.matrix import Matrix, Symmetric


@dataclass(frozen=True, slots=True)
class Side:
    """A body as a contact feels it: arm from its centre of mass [m], 1/m [1/kg], I^-1 in world axes [1/(kg m2)]."""

    arm: Vector
    lightness: Scalar
    nimbleness: Symmetric

    def velocity(self, body: Motion) -> Vector:
        """Velocity of the place, from that of the body about its centre of mass, in world axes [m/s]."""
        return body.v.plus_cross(body.w, self.arm)

    def pushed(self, body: Motion, impulse: Vector) -> Motion:
        """The motion of the body after an impulse at the place, in world axes [N s]."""
        turn = self.nimbleness.times(self.arm.cross(impulse), body.w)
        return Motion(turn, body.v + impulse * self.lightness)

    def give(self) -> Symmetric:
        """Change of the velocity of the place per unit impulse there, in world axes [1/kg]."""
        unit = [self.pushed(Motion(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)), Vector.axis(k)) for k in range(3)]
        columns = [self.velocity(motion) for motion in unit]
        return Symmetric.of([[columns[max(i, j)][min(i, j)] for j in range(3)] for i in range(3)])


@dataclass(frozen=True, slots=True)
class Place:
    """A place where two bodies may press on each other; the normal is the way the first is pushed."""

    frame: Rotation
    first: Side
    second: Side

    def velocity(self, first: Motion, second: Motion) -> Vector:
        """u, from the motions of both bodies [m/s]."""
        return self.frame.transpose @ (self.first.velocity(first) - self.second.velocity(second))

    def pushed(self, first: Motion, second: Motion, p: Vector) -> tuple[Motion, Motion]:
        """The motions of both bodies after an impulse p on the first and -p on the second, told in the frame [N s]."""
        impulse = self.frame @ p
        return self.first.pushed(first, impulse), self.second.pushed(second, -impulse)

    def give(self) -> Matrix:
        """D."""
        return Matrix((self.first.give() + self.second.give()).rotated(self.frame.transpose).rows)
