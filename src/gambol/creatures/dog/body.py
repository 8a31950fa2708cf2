"""The state of the dog for its control law: centre of mass, attitude, and paws, in axes of its heading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gambol.creatures.dog.figure import LEGS, centre_in_trunk, dog_figure, joint_names, joint_position, limb
from gambol.lanes import Scalar, maximum, sqrt
from gambol.spatial import Quaternion, Rotation, Vector

if TYPE_CHECKING:
    from gambol.control import Senses


@dataclass(frozen=True, slots=True)
class Body:
    """The dog's state. In axes of the heading, x is the horizontal part of the trunk's x, and z is up.

    q, v: coordinates and velocities of the figure. attitude: rotation from the trunk to the heading. cosine, sine: of
    the heading. height: height of the centre of mass above the ground [m]; it is a fixed point of the trunk, where the
    standing dog has its centre of mass. velocity: velocity of the centre of mass, in axes of the heading [m/s]. omega:
    angular velocity of the trunk, in axes of the heading [rad/s]. place: x and y of the trunk [m]. paws: centres of the
    paws' balls, in axes of the heading: horizontally from the centre of mass, vertically from the ground [m].
    """

    q: Sequence[Scalar]
    v: Sequence[Scalar]
    attitude: Rotation
    cosine: Scalar
    sine: Scalar
    height: Scalar
    velocity: Vector
    omega: Vector
    place: Vector
    paws: tuple[Vector, ...]

    @staticmethod
    def of(senses: Senses) -> Body:
        """Return the state from the senses."""
        q, v, c0 = senses.q, senses.v, centre_in_trunk()
        R = Quaternion(*q[:4]).rotation()
        forward = R.columns[0]
        length = sqrt(maximum(forward.x * forward.x + forward.y * forward.y, 1e-12))
        c, s = forward.x / length, forward.y / length
        attitude = Rotation(((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0))) @ R
        omega = Vector(*v[:3])
        height = senses.height + (R @ c0).z
        paws: list[Vector] = []
        for leg in LEGS:
            angles = [q[dog_figure().link(name).q.start] for name in joint_names(leg)]
            p = attitude @ (Vector(*joint_position(leg)) + limb(leg).leg.points(angles)[-1] - c0)
            paws.append(Vector(p.x, p.y, p.z + height))
        velocity = attitude @ (Vector(*v[3:6]).plus_cross(omega, c0))
        return Body(q, v, attitude, c, s, height, velocity, attitude @ omega, Vector(*q[4:7]), tuple(paws))

    def joints(self, leg: str) -> tuple[list[Scalar], list[Scalar]]:
        """Return angles [rad] and speeds [rad/s] of a leg's joints."""
        links = [dog_figure().link(name) for name in joint_names(leg)]
        return [self.q[link.q.start] for link in links], [self.v[link.v.start] for link in links]

    def into_trunk(self, vector: Vector) -> Vector:
        """Return a vector in axes of the trunk; vector: in axes of the heading."""
        return self.attitude.transpose @ vector

    def from_centre(self, place: Vector) -> Vector:
        """Return a position relative to the centre of mass, in axes of the heading [m].

        place: a position, in the same axes and from the same origin as `paws`.
        """
        return Vector(place.x, place.y, place.z - self.height)

    def angles_for(self, leg: int, place: Vector) -> list[Scalar]:
        """Return the joint angles at which a paw is at a position [rad]. leg: index of the leg; place: see `paws`."""
        name = LEGS[leg]
        p = self.into_trunk(self.from_centre(place)) + centre_in_trunk() - Vector(*joint_position(name))
        return list(limb(name).leg.angles_at(p))
