"""Drag of a medium that fills the world: every link meets it as the solid box that has its mass and its inertia.

    f_i = -3 pi beta d v_i - rho b_j b_k |v_i| v_i / 2                 d = (b_x + b_y + b_z) / 3
    n_i = -pi beta d^3 w_i - rho b_i (b_j^4 + b_k^4) |w_i| w_i / 64

along the box's axes, at its centre: b its sides, rho the medium's density, beta its viscosity. There is no lift, no
added mass and no buoyancy. Source: MuJoCo's documentation, chapter "Computation", "Inertia model" of fluid forces.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.figure import MassProperties
from gambol.figure.rotation import snapped, triple
from gambol.lanes import Scalar, minimum
from gambol.spatial import Force, Motion, Rotation, Vector

Array = NDArray[np.float64]

ALIKE = 1e-6
"""Principal moments that differ by less, of the largest, are one: what rounding to six digits does to them."""


@dataclass(frozen=True, slots=True)
class Medium:
    """What figures move through: density [kg/m3] and viscosity [Pa s]. Water has 1000 and 0.001.

    Raises WorldError for a number below 0 or not finite.
    """

    density: float = 0.0
    viscosity: float = 0.0

    def __post_init__(self) -> None:
        for name, x in self.numbers().items():
            if not 0.0 <= x < math.inf:
                raise WorldError(f"the medium has a {name} of {x:g}; it must be 0 or more, and finite")

    def numbers(self) -> dict[str, float]:
        """Both, as inputs of a program."""
        return {"density": self.density, "viscosity": self.viscosity}


@dataclass(frozen=True, slots=True)
class DragBox:
    """The box that a link is to a medium: sides [m], centre in the link's frame [m], and axes, from its own to the
    link's; mass [kg] and moments about its axes [kg m2].
    """

    sides: tuple[float, float, float]
    centre: Vector
    axes: Rotation
    mass: float
    moments: tuple[float, float, float]

    @staticmethod
    def of(body: MassProperties) -> "DragBox":
        """The box with the mass and the inertia of a body, which are plain numbers."""
        axes, (x, y, z) = principal_axes(np.array(body.inertia))
        squares = (6.0 / body.mass * max(pair, 0.0) for pair in (y + z - x, z + x - y, x + y - z))
        a, b, c = map(math.sqrt, squares)
        return DragBox((a, b, c), Vector(*body.com), Rotation(snapped(axes)), body.mass, (x, y, z))

    def drag(self, medium: Mapping[str, Scalar], velocity: Motion, h: Scalar | None = None) -> Force:
        """The force on a link that moves with a velocity, both in link coordinates.

        medium: as numbers() of Medium. h: of a step in which the force stays as it is [s]: along no axis does it take
        more than the motion of the link alone, however long the step; None where it is followed.
        """
        turned = self.axes.transpose
        v = turned @ velocity.v.plus_cross(velocity.w, self.centre)
        w = turned @ velocity.w
        f, n = list[Scalar](), list[Scalar]()
        for i in range(3):
            along, about = self._resistances(medium, i, abs(v[i]), abs(w[i]))
            if h is not None:
                along, about = minimum(along, self.mass / h), minimum(about, self.moments[i] / h)
            f.append(-(along * v[i]))
            n.append(-(about * w[i]))
        force = self.axes @ Vector.of(f)
        return Force((self.axes @ Vector.of(n)).plus_cross(self.centre, force), force)

    def _resistances(self, medium: Mapping[str, Scalar], i: int, v: Scalar, w: Scalar) -> tuple[Scalar, Scalar]:
        """Force over speed [N s/m] along axis i at a speed v, and torque over speed [N m s] about it at w."""
        b, c = self.sides[(i + 1) % 3], self.sides[(i + 2) % 3]
        d, rho, beta = sum(self.sides) / 3.0, medium["density"], medium["viscosity"]
        along = 3.0 * math.pi * d * beta + 0.5 * b * c * (rho * v)
        about = math.pi * d**3 * beta + self.sides[i] * (b**4 + c**4) / 64.0 * (rho * w)
        return along, about


def principal_axes(inertia: Array) -> tuple[Array, tuple[float, float, float]]:
    """Principal axes of an inertia 3x3 [kg m2], as the columns of a rotation, and the moments about them.

    Where two moments are equal, the frame is turned by the least angle that brings its z to the third axis, as MuJoCo
    places a capsule between two points; where all are, it is the body's own.
    """
    moments, axes = np.linalg.eigh(inertia)
    low, middle, high = moments
    if high - low <= ALIKE * high:
        return np.eye(3), triple(np.diag(inertia))
    if middle - low <= ALIKE * high or high - middle <= ALIKE * high:
        odd = 2 if middle - low <= ALIKE * high else 0
        axes = _least_turn(axes[:, odd])
        return axes, triple(np.diag(axes.T @ inertia @ axes))
    return axes * np.sign(np.linalg.det(axes)), triple(moments)


def _least_turn(n: Array) -> Array:
    """The rotation by the least angle that brings z to a unit vector or its opposite."""
    x, y, z = n if n[2] >= 0.0 else -n
    k = 1.0 / (1.0 + z)
    return np.array([[1.0 - k * x * x, -k * x * y, x], [-k * x * y, 1.0 - k * y * y, y], [-x, -y, z]])
