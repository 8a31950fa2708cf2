"""One direction of a joint: articulated inertia and bias force through a motion along S, free or prescribed.

    U = I S     D = S.U     x = (tau - S.p) / D     I' = I - U U^T / D     p' = p + U x     v' = x - U.a / D

[McKenna 1990, eq. 36-38, 41, 42, 46; Featherstone 2008, table 7.1]. Where S is a coordinate axis, row and column of I'
along it vanish and p' transmits tau, whatever the numbers are. These zeros are written as plain zeros, so they cost
nothing; and the acceleration along S does not depend on the parent's along S. A joint of n directions is n of these in
series; for the free joint that is a factorisation of the inertia into L D L^T. A rotor adds its inertia to D, and then
no row vanishes.
"""

from dataclasses import dataclass

from gambol.lanes import Scalar
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import Force, Motion
from gambol.spatial.rotation import exactly


@dataclass(frozen=True, slots=True)
class FreeDirection:
    """A free direction S of a joint.

    inertia, bias: I' and p', as seen through it. W: U / D. x: acceleration along S due to the forces.
    coordinate: number of the coordinate axis that S is, or None; sign: +1 or -1 along it.
    """

    inertia: Inertia
    bias: Force
    W: Force
    x: Scalar
    S: Motion
    coordinate: int | None
    sign: float

    def accelerated(self, a: Motion) -> tuple[Scalar, Motion]:
        """Return the joint acceleration along S and the body's acceleration; a: the body's acceleration without it."""
        if self.coordinate is None:
            a_S = (-a).dot(self.W, self.x)
            return a_S, a + self.S * a_S
        rest = a.with_component(self.coordinate, 0.0)
        along = (-rest).dot(self.W, self.x)
        return (along - a[self.coordinate]) * self.sign, rest.with_component(self.coordinate, along)


def free_direction(inertia: Inertia, bias: Force, S: Motion, tau: Scalar, armature: Scalar = 0.0) -> FreeDirection:
    """Return a body's inertia and bias through a free direction.

    inertia, bias: of the body. S: the direction. tau: joint force along it [N m or N]. armature: the rotor's inertia
    reflected to S [kg m2 or kg].
    """
    coordinate, sign = S.coordinate()
    if coordinate is not None and exactly(armature, 0.0):
        return _free_coordinate(inertia, bias, coordinate, sign, tau)
    U = inertia @ S
    D_inverse = 1.0 / S.dot(U, armature)
    W, x = U * D_inverse, (tau - S.dot(bias)) * D_inverse
    return FreeDirection(inertia.minus_outer(U, W), bias + U * x, W, x, S, None, 1.0)


def _free_coordinate(inertia: Inertia, bias: Force, k: int, sign: float, tau: Scalar) -> FreeDirection:
    """Return the same along coordinate axis k, or against it, without the rows that vanish."""
    column, force = inertia.column(k), tau * sign
    D_inverse = 1.0 / column[k]
    U = column.with_component(k, 0.0)
    W, x = U * D_inverse, (force - bias[k]) * D_inverse
    bias_through = (bias + U * x).with_component(k, force)
    return FreeDirection(inertia.cleared(k).minus_outer(U, W), bias_through, W, x, Motion.axis(k, sign), k, sign)


@dataclass(frozen=True, slots=True)
class PrescribedDirection:
    """A direction S with prescribed acceleration.

    inertia, bias: as seen through it. a_S: the prescribed acceleration.
    """

    inertia: Inertia
    bias: Force
    S: Motion
    a_S: Scalar

    def accelerated(self, a: Motion) -> tuple[Scalar, Motion]:
        """Return the prescribed acceleration and the body's acceleration; a: the body's acceleration without it."""
        return self.a_S, a + self.S * self.a_S


def prescribed_direction(inertia: Inertia, bias: Force, S: Motion, a_S: Scalar) -> PrescribedDirection:
    """Return a body's inertia and bias through a direction whose acceleration relative to the parent is given."""
    return PrescribedDirection(inertia, bias + inertia @ (S * a_S), S, a_S)
