"""One step of the articulated-body algorithm: inertia and bias force of a body, passed across a joint direction S.

Motion along S is free or prescribed. Along a free S, with I' and p' on the side of the parent:

    U = I S     D = S.U     x = (tau - S.p) / D     I' = I - U U^T / D     p' = p + U x     v' = x - U.a / D

[McKenna 1990, eq. 36-38, 41, 42, 46; Featherstone 2008, table 7.1]. If S is a coordinate axis, the row and the
column of I' along S are zero, and the component of p' along S is tau. These zeros are plain floats, so they cost
nothing; and the acceleration along S does not depend on the parent's acceleration along S. A joint with n directions
takes n such steps, one after the other; for the free joint they factorise the inertia into L D L^T. A rotor adds its
inertia to D, and then no row is zero.
"""

from dataclasses import dataclass

from gambol.lanes import Scalar
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import Force, Motion
from gambol.spatial.rotation import is_constant


@dataclass(frozen=True, slots=True)
class FreeDirection:
    """A free direction S of a joint.

    inertia, bias: I' and p', on the side of the parent. W: U / D. x: acceleration along S due to the forces.
    coordinate: number of the coordinate axis that S is, or None; sign: +1 or -1 along it.
    """

    inertia: Inertia
    bias: Force
    W: Force
    x: Scalar
    S: Motion
    coordinate: int | None
    sign: float

    def accelerations(self, a: Motion) -> tuple[Scalar, Motion]:
        """Return the joint acceleration along S and the body's acceleration; a: the body's acceleration without S."""
        if self.coordinate is None:
            a_S = (-a).dot(self.W, self.x)
            return a_S, a + self.S * a_S
        a_without_S = a.with_component(self.coordinate, 0.0)
        along = (-a_without_S).dot(self.W, self.x)
        return (along - a[self.coordinate]) * self.sign, a_without_S.with_component(self.coordinate, along)


def free_direction(inertia: Inertia, bias: Force, S: Motion, tau: Scalar, armature: Scalar = 0.0) -> FreeDirection:
    """Return the free direction of a body.

    inertia, bias: articulated inertia and bias force of the body. S: the direction. tau: joint force along it [N m or
    N]. armature: the rotor's inertia reflected to S [kg m2 or kg].
    """
    coordinate, sign = S.coordinate()
    if coordinate is not None and is_constant(armature, 0.0):
        return _free_coordinate(inertia, bias, coordinate, sign, tau)
    U = inertia @ S
    D_inverse = 1.0 / S.dot(U, armature)
    W, x = U * D_inverse, (tau - S.dot(bias)) * D_inverse
    return FreeDirection(inertia.minus_outer(U, W), bias + U * x, W, x, S, None, 1.0)


def _free_coordinate(inertia: Inertia, bias: Force, k: int, sign: float, tau: Scalar) -> FreeDirection:
    """Return the free direction along coordinate axis k without computing the zero rows; sign: +1 or -1 along it."""
    column, force = inertia.column(k), tau * sign
    D_inverse = 1.0 / column[k]
    U = column.with_component(k, 0.0)
    W, x = U * D_inverse, (force - bias[k]) * D_inverse
    bias_through = (bias + U * x).with_component(k, force)
    return FreeDirection(inertia.cleared(k).minus_outer(U, W), bias_through, W, x, Motion.axis(k, sign), k, sign)


@dataclass(frozen=True, slots=True)
class PrescribedDirection:
    """A direction S with prescribed acceleration.

    inertia, bias: on the side of the parent. a_S: the prescribed acceleration.
    """

    inertia: Inertia
    bias: Force
    S: Motion
    a_S: Scalar

    def accelerations(self, a: Motion) -> tuple[Scalar, Motion]:
        """Return the prescribed acceleration and the body's acceleration; a: the body's acceleration without S."""
        return self.a_S, a + self.S * self.a_S


def prescribed_direction(inertia: Inertia, bias: Force, S: Motion, a_S: Scalar) -> PrescribedDirection:
    """Return the prescribed direction of a body.

    inertia, bias: articulated inertia and bias force of the body. S: the direction. a_S: acceleration along it.
    """
    return PrescribedDirection(inertia, bias + inertia @ (S * a_S), S, a_S)
