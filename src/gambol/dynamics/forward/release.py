"""One direction of motion let go: how inertia and bias force look through a joint that moves freely along S.

    U = I S     D = S.U     x = (tau - S.p) / D     I' = I - U U^T / D     p' = p + U x     v' = x - U.a / D

[McKenna 1990, eq. 36-38, 41, 42, 46; Featherstone 2008, table 7.1]. Where S is a coordinate axis, row and column of I'
along it vanish and p' transmits tau, whatever the numbers are. These zeros are written as such, so no work is done on
them; and the acceleration along S does not depend on the parent's along S. A joint of n directions is n of these in
a row; for the free joint that is a factorisation of the inertia into L D L^T. A rotor that turns with the joint adds
its inertia to D, and then no row vanishes.
"""

from dataclasses import dataclass

from gambol.lanes import Scalar
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import Force, Motion
from gambol.spatial.rotation import exactly


@dataclass(frozen=True, slots=True)
class Release:
    """A direction S that has been let go.

    inertia, bias: I' and p', what is still felt through it. W: U / D. x: acceleration along S that the forces cause.
    coordinate: which coordinate axis S is, or None; sign: +1 or -1 along it.
    """

    inertia: Inertia
    bias: Force
    W: Force
    x: Scalar
    S: Motion
    coordinate: int | None
    sign: float

    def accelerated(self, a: Motion) -> tuple[Scalar, Motion]:
        """Joint acceleration along S, and the acceleration of the body, given what it has without it."""
        if self.coordinate is None:
            rate = (-a).dot(self.W, self.x)
            return rate, a + self.S * rate
        rest = a.with_component(self.coordinate, 0.0)
        along = (-rest).dot(self.W, self.x)
        return (along - a[self.coordinate]) * self.sign, rest.with_component(self.coordinate, along)


def release(inertia: Inertia, bias: Force, S: Motion, tau: Scalar, armature: Scalar = 0.0) -> Release:
    """Let a body move freely along S against the joint force tau (per unit of S: [N m] or [N]).

    armature: inertia of the rotor as felt along S [kg m2 or kg].
    """
    coordinate, sign = S.coordinate()
    if coordinate is not None and exactly(armature, 0.0):
        return _release_coordinate(inertia, bias, coordinate, sign, tau)
    U = inertia @ S
    D_inverse = 1.0 / S.dot(U, armature)
    W, x = U * D_inverse, (tau - S.dot(bias)) * D_inverse
    return Release(inertia.minus_outer(U, W), bias + U * x, W, x, S, None, 1.0)


def _release_coordinate(inertia: Inertia, bias: Force, k: int, sign: float, tau: Scalar) -> Release:
    """The same along coordinate axis k, or against it, on the rows where something is left to do."""
    column, push = inertia.column(k), tau * sign
    D_inverse = 1.0 / column[k]
    U = column.with_component(k, 0.0)
    W, x = U * D_inverse, (push - bias[k]) * D_inverse
    felt = (bias + U * x).with_component(k, push)
    return Release(inertia.cleared(k).minus_outer(U, W), felt, W, x, Motion.axis(k, sign), k, sign)


@dataclass(frozen=True, slots=True)
class Hold:
    """A direction S along which the acceleration is given.

    inertia, bias: what is felt through it. rate: the given acceleration.
    """

    inertia: Inertia
    bias: Force
    S: Motion
    rate: Scalar

    def accelerated(self, a: Motion) -> tuple[Scalar, Motion]:
        """Acceleration along S as it was given, and that of the body, from what it has without it."""
        return self.rate, a + self.S * self.rate


def hold(inertia: Inertia, bias: Force, S: Motion, rate: Scalar) -> Hold:
    """Make a body accelerate along S at a given rate relative to its parent: its inertia is felt whole."""
    return Hold(inertia, bias + inertia @ (S * rate), S, rate)
