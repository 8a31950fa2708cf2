"""Mass properties of rigid bodies: mass, centre of mass and inertia; changes of frame, sums, and checks.

    parallel axes   I_P = I_C + m (|c|^2 1 - c c^T)     c: from P to the centre of mass
    rotated axes    I' = R I R^T
    several bodies  m = sum m_i,  c = sum m_i c_i / m,  I_C = sum of I_i, moved to c by parallel axes

Source: [Featherstone 2008, section 2.13].
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Final

import numpy as np

from gambol.errors import FigureError
from gambol.figure.joint.joint import Matrix3, Triple
from gambol.figure.rotation import triple
from gambol.lanes import Scalar, total
from gambol.spatial.matrix import Symmetric
from gambol.spatial.rotation import Rotation, is_constant
from gambol.spatial.vector import ZERO, Vector

MOMENT_TOLERANCE = 1e-9
"""Tolerance of the triangle inequality of principal moments, as a fraction of the largest moment: for a flat plate, the
inequality is an equality."""

ZERO3: Final[Matrix3] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True)
class MassProperties:
    """Mass properties of one rigid body in a frame.

    mass [kg]; com: centre of mass in the frame [m]; inertia: rotational inertia about the centre of mass, in the
    frame's axes, 3x3 symmetric [kg m2]. All numbers may be generic scalars.
    """

    mass: float
    com: Triple = (0.0, 0.0, 0.0)
    inertia: Matrix3 = ZERO3

    def placed(self, rotation: Matrix3, position: Triple) -> "MassProperties":
        """Return the mass properties in another frame: com' = R com + position, inertia' = R inertia R^T.

        rotation R, position [m]: pose of this frame in the other.
        """
        R = Rotation(rotation)
        x, y, z = R.times(Vector(*self.com), Vector(*position))
        return MassProperties(self.mass, (x, y, z), Symmetric.of(self.inertia).rotated(R).rows)

    def scaled(self, factor: Scalar) -> "MassProperties":
        """Return the mass properties of a body of the same shape whose density is multiplied by a factor."""
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = self.inertia
        xx, xy, xz, yy, yz, zz = (factor * x for x in (xx, xy, xz, yy, yz, zz))
        return MassProperties(factor * self.mass, self.com, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))

    def inertia_about(self, point: Triple) -> Matrix3:
        """Return the rotational inertia about a point of the frame [m], in the frame's axes [kg m2]."""
        c = Vector(*self.com) - Vector(*point)
        return (Symmetric.of(self.inertia) + _point_inertia(self.mass, c)).rows

    def principal_moments(self) -> Triple:
        """Return the principal moments of inertia about the centre of mass, ascending [kg m2]."""
        return triple(np.linalg.eigvalsh(np.array(self.inertia)))


def _point_inertia(mass: Scalar, c: Vector) -> Symmetric:
    """Return the inertia of a point mass at c about the origin: mass (|c|^2 1 - c c^T). In the code, m = mass c."""
    m, xx, yy, zz = c * mass, c.x * c.x, c.y * c.y, c.z * c.z
    return Symmetric(mass * (yy + zz), -(m.x * c.y), -(m.x * c.z), mass * (xx + zz), -(m.y * c.z), mass * (xx + yy))


NO_MASS: Final = MassProperties(0.0)
"""The mass properties of a link without mass."""


def combine(bodies: Iterable[MassProperties]) -> MassProperties:
    """Return the mass properties of several bodies as one rigid body; all are in the same frame."""
    massive = [body for body in bodies if not is_constant(body.mass, 0.0)]
    if len(massive) <= 1:
        # Returned unchanged: com m / m would round, and zeros and mirror images must stay exact.
        return massive[0] if massive else NO_MASS
    mass = total(body.mass for body in massive)
    x, y, z = sum((Vector(*body.com) * body.mass for body in massive), ZERO)
    com = (x / mass, y / mass, z / mass)
    inertia = (Symmetric.of(body.inertia_about(com)) for body in massive)
    return MassProperties(mass, com, reduce(add, inertia).rows)


def check_mass(body: MassProperties, subject: str) -> None:
    """Raise FigureError unless a rigid body can have the mass properties; subject: their owner, for the message.

    Point masses and thin rods are allowed as limits: a principal moment may be 0.
    """
    if not np.all(np.isfinite([body.mass, *body.com])) or not np.all(np.isfinite(body.inertia)):
        raise FigureError(f"{subject} has mass properties that are not finite: {body}")
    if body.mass <= 0.0:
        raise FigureError(f"{subject} has a mass of {body.mass:g} kg; a mass must be positive")
    I = np.array(body.inertia)
    if np.abs(I - I.T).max() > MOMENT_TOLERANCE * np.abs(I).max():
        raise FigureError(f"{subject} has an inertia that is not symmetric: {body.inertia}; I[i][j] must equal I[j][i]")
    small, middle, large = body.principal_moments()
    moments = f"principal moments {small:.6g}, {middle:.6g}, {large:.6g} kg m2"
    if small < -MOMENT_TOLERANCE * large or large < 0.0:
        raise FigureError(f"{subject} has an inertia that no body can have: {moments}; none may be negative")
    if small + middle < large * (1.0 - MOMENT_TOLERANCE):
        raise FigureError(
            f"{subject} has an inertia that no body can have: {moments}; the sum of the two smaller must be at least "
            "the largest (is the inertia about the centre of mass?)"
        )
