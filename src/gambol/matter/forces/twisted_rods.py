"""Rods whose ends are held and turned against each other: angles of twist, energies and gradients."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.matter.elements.twist import angle_about, smallest_rotation, twist_gradient
from gambol.matter.mesh import SpringMesh, Twist
from gambol.spatial import Quaternion, Vector

Array = NDArray[np.float64]

TURN = 2.0 * np.pi


def directions_of(x: Array) -> tuple[Array, Array]:
    """Return the directions (3, n - 1) and the lengths (n - 1,) of the segments of a polyline (3, n)."""
    e = x[:, 1:] - x[:, :-1]
    lengths = np.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2])
    return e / lengths, lengths


def transport(t: Array) -> Quaternion:
    """Return the rotation from the first to the last of unit vectors (3, n) by the smallest rotations between them."""
    q = np.array(smallest_rotation(Vector(*t[:, :-1]), Vector(*t[:, 1:])).components())
    while q.shape[1] > 1:  # products of neighbours, in a fixed order
        pairs = q.shape[1] // 2
        first, second = q[:, 0 : 2 * pairs : 2], q[:, 1 : 2 * pairs : 2]
        joined = np.array((Quaternion(*second) @ Quaternion(*first)).components())
        q = np.concatenate([joined, q[:, 2 * pairs :]], axis=1)
    return Quaternion(*q[:, 0].tolist())


@dataclass(frozen=True, eq=False)
class TwistedRod:
    """A rod of a mesh: its twist, G J over its length [N m/rad], and material directions at both ends (3,) each.

    start, end: directions of the first and the last segment at rest, in which these material directions were normal.
    """

    twist: Twist
    stiffness: float
    start: Vector
    end: Vector
    first: Vector
    last: Vector

    @staticmethod
    def of(mesh: SpringMesh, twist: Twist) -> "TwistedRod":
        """Return a rod of a mesh, whose frames are those that are transported along it at rest."""
        t, lengths = directions_of(mesh.points[twist.points].T)
        length = float(lengths.sum() - 0.5 * (lengths[0] + lengths[-1]))
        start, end = Vector(*t[:, 0].tolist()), Vector(*t[:, -1].tolist())
        across = np.eye(3)[int(np.abs(t[:, 0]).argmin())].tolist()
        first = start.cross(Vector(*across))
        first = first * (1.0 / first.length())
        return TwistedRod(twist, twist.stiffness / length, start, end, first, transport(t).rotation() @ first)

    def angle(self, x: Array, near: float) -> float:
        """Return the twist m at positions of all points (3, N) [rad]: of all full turns the one next to `near`."""
        t, _ = directions_of(x[:, self.twist.points])
        start, end = Vector(*t[:, 0].tolist()), Vector(*t[:, -1].tolist())
        first = smallest_rotation(self.start, start).rotation() @ self.first
        last = smallest_rotation(self.end, end).rotation() @ self.last
        m = self.twist.turn + float(angle_about(end, transport(t).rotation() @ first, last))
        return m + TURN * round((near - m) / TURN)

    def gradient(self, x: Array) -> Array:
        """Return the gradient of the twist by all points (3, N) [rad/m]. x: their positions (3, N) [m]."""
        points = self.twist.points
        t, lengths = directions_of(x[:, points])
        before, after = twist_gradient(Vector(*t[:, :-1]), Vector(*t[:, 1:]), lengths[:-1], lengths[1:])
        total, (a, b) = np.zeros_like(x), (np.array(list(each)) for each in (before, after))
        total[:, points[:-2]] += a
        total[:, points[2:]] += b
        total[:, points[1:-1]] -= a + b
        return total


@dataclass(frozen=True, eq=False)
class TwistedRods:
    """The rods of a mesh that have twist."""

    rods: tuple[TwistedRod, ...]

    @staticmethod
    def of(mesh: SpringMesh) -> "TwistedRods":
        """Return the rods of a mesh."""
        return TwistedRods(tuple(TwistedRod.of(mesh, twist) for twist in mesh.twists))

    def __len__(self) -> int:
        return len(self.rods)

    def __iter__(self) -> Iterator[TwistedRod]:
        return iter(self.rods)

    def angles(self, x: Array, near: Array) -> Array:
        """Return the twist of each rod at positions of all points (3, N), next to `near` (rods,) [rad]."""
        return np.array([rod.angle(x, m) for rod, m in zip(self.rods, near.tolist(), strict=True)])

    def add_forces(self, x: Array, near: Array, total: Array, energies: dict[str, Array]) -> None:
        """Add the forces of twist to a total (3, N), in place, and their energies [J] to those of other elements."""
        if not self.rods:
            return
        angles = self.angles(x, near)
        stiffness = np.array([rod.stiffness for rod in self.rods])
        for rod, torque in zip(self.rods, (stiffness * angles).tolist(), strict=True):
            total -= rod.gradient(x) * torque
        energies["twist"] = 0.5 * stiffness * angles * angles
