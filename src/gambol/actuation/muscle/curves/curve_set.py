"""A set of muscle curves: forces of fibre and tendon as functions of length, velocity and activation.

    F / F0 = V(v, a) a A(l) + P(l) - B(l) + d v          fibre
    F / F0 = V(v, a) (a A(l) + P(l)) - B(l) + d v        fibre whose passive force is scaled, as by Geyer and Herr 2010
    F / F0 = T(e)                                        tendon

l: length of the fibre divided by its optimal length. v: rate of the fibre divided by its maximal speed, negative while
it shortens. e: strain of the tendon. a: activation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gambol.actuation.actuator import Numbers
from gambol.lanes import Scalar

Curve: TypeAlias = Callable[[Numbers, Scalar], Scalar]
"""Arguments: the numbers of the set, and a normalised length, or a strain."""

VelocityCurve: TypeAlias = Callable[[Numbers, Scalar, Scalar], Scalar]
"""Arguments: the numbers of the set, the normalised velocity, and the activation."""


def no_force(numbers: Numbers, x: Scalar) -> Scalar:
    """Return 0: the curve of an absent element."""
    return 0.0


QuotientCurve: TypeAlias = Callable[[Numbers, Scalar, Scalar], tuple[Scalar, Scalar]]
"""Arguments: see VelocityCurve. It returns a numerator, and a denominator above 0."""


@dataclass(frozen=True, slots=True)
class ElasticCurve:
    """A force and its integral.

    force: force divided by F0. energy: integral of the force over x, from the x at which the force begins.
    """

    force: Curve
    energy: Curve


NOTHING = ElasticCurve(no_force, no_force)
"""The curve of an absent element."""


@dataclass(frozen=True, slots=True)
class CurveSet:
    """The curves of a muscle model, a row of the table CURVES.

    name: name in the table. source: publication. numbers: default numbers of the curves by name, which a muscle may
    change. active: A. velocity: V, with V = 1 at rest. passive: P. buffer: B, which resists the compression of short
    fibres. tendon: T, or None if the model has rigid tendons only. scales_passive: True if V scales P. activation:
    default row of ACTIVATIONS. least_activation: lower bound of the excitation in this model. damping: default d of the
    fibre. velocity_quotient: numerator and denominator of V where both are linear in v, or almost; the balance of
    forces is then solved for them, in fewer operations. None: for other curves.
    """

    name: str
    source: str
    numbers: Mapping[str, float]
    active: Curve
    velocity: VelocityCurve
    passive: ElasticCurve
    tendon: ElasticCurve | None
    buffer: ElasticCurve = NOTHING
    scales_passive: bool = False
    activation: str = "thelen 2003"
    least_activation: float = 0.01
    damping: float = 0.0
    velocity_quotient: QuotientCurve | None = None

    def fibre(self, numbers: Numbers, a: Scalar, length: Scalar, v: Scalar) -> Scalar:
        """Return the force of the fibre divided by F0, without damping."""
        active, passive = a * self.active(numbers, length), self.passive.force(numbers, length)
        speed, buffer = self.velocity(numbers, v, a), self.buffer.force(numbers, length)
        return (speed * (active + passive) if self.scales_passive else speed * active + passive) - buffer

    def fibre_quotient(self, numbers: Numbers, a: Scalar, length: Scalar, v: Scalar) -> tuple[Scalar, Scalar]:
        """Return numerator and denominator of fibre()."""
        if self.velocity_quotient is None:
            return self.fibre(numbers, a, length, v), 1.0
        active, passive = a * self.active(numbers, length), self.passive.force(numbers, length)
        speed, denominator = self.velocity_quotient(numbers, v, a)
        scaled, rest = (active + passive, 0.0) if self.scales_passive else (active, passive)
        return speed * scaled + (rest - self.buffer.force(numbers, length)) * denominator, denominator

    def elastic(self, numbers: Numbers, length: Scalar) -> Scalar:
        """Return the part of the fibre's force divided by F0 that stores energy: P - B."""
        return self.passive.force(numbers, length) - self.buffer.force(numbers, length)

    def stored(self, numbers: Numbers, length: Scalar) -> Scalar:
        """Return the energy that passive element and buffer store, divided by F0 and the optimal length."""
        return self.passive.energy(numbers, length) + self.buffer.energy(numbers, length)
