"""A contact point of two bodies of a pile: relative velocity, Delassus matrix, and the effect of an impulse.

    u = R^T (v_a + w_a x r_a - v_b - w_b x r_b)        velocity of the first relative to the second, normal last
    D = R^T (sum over both bodies of 1/m - r x I^-1 r x) R        change of u per unit impulse

R: the frame of a contact, two tangents and the normal as its columns. I: in world axes, about the centre of mass.
"""

from dataclasses import dataclass

from gambol.lanes import Scalar
from gambol.spatial import Motion, Rotation, Vector
from gambol.spatial.matrix import Matrix, Symmetric


@dataclass(frozen=True, slots=True)
class Side:
    """One body of a contact: its arm, mass and inertia.

    Arm from its centre of mass to the contact point [m], 1/m [1/kg], I^-1 in world axes [1/(kg m2)].
    """

    arm: Vector
    inverse_mass: Scalar
    inverse_inertia: Symmetric

    def velocity(self, body: Motion) -> Vector:
        """Return the velocity of the contact point, in world axes [m/s]; body: motion at the centre of mass."""
        return body.v.plus_cross(body.w, self.arm)

    def after_impulse(self, body: Motion, impulse: Vector) -> Motion:
        """Return the motion of the body after an impulse at the contact point, in world axes [N s]."""
        angular_velocity = self.inverse_inertia.times(self.arm.cross(impulse), body.w)
        return Motion(angular_velocity, body.v + impulse * self.inverse_mass)

    def delassus(self) -> Symmetric:
        """Return the change of the point's velocity per unit impulse there, in world axes [1/kg]."""
        unit_motions = [
            self.after_impulse(Motion(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)), Vector.axis(k)) for k in range(3)
        ]
        columns = [self.velocity(motion) for motion in unit_motions]
        return Symmetric.of([[columns[max(i, j)][min(i, j)] for j in range(3)] for i in range(3)])


@dataclass(frozen=True, slots=True)
class ContactPoint:
    """A point where two bodies may press on each other.

    The normal is the direction in which the contact pushes the first body.
    """

    frame: Rotation
    first: Side
    second: Side

    def velocity(self, first: Motion, second: Motion) -> Vector:
        """Return u, from the motions of the two bodies [m/s]."""
        return self.frame.transpose @ (self.first.velocity(first) - self.second.velocity(second))

    def after_impulse(self, first: Motion, second: Motion, p: Vector) -> tuple[Motion, Motion]:
        """Return the motions of the two bodies after an impulse p on the first and -p on the second.

        first, second: motions before the impulse; p: impulse in the contact frame [N s].
        """
        impulse = self.frame @ p
        return self.first.after_impulse(first, impulse), self.second.after_impulse(second, -impulse)

    def delassus(self) -> Matrix:
        """Return D."""
        return Matrix((self.first.delassus() + self.second.delassus()).rotated(self.frame.transpose).rows)
