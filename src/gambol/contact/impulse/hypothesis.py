"""The end of a collision under Newton's, Poisson's and Stronge's hypotheses of restitution.

    Newton    u_z' = -e u_z                    speeds [Newton 1687]
    Poisson   p_r = e p_c                      impulses of restitution and of compression [Poisson 1831]
    Stronge   W_r = e^2 W_c                    work returned and work absorbed [Stronge 1990]

Each is expressed as a remainder, which is 0 when restitution ends. A collision may return to compression after its
restitution has begun: p_c, W_c and the remainder then grow. The three hypotheses agree if the slip does not stop. If it
stops, Newton's hypothesis may create energy [Kane 1984]; Stronge's hypothesis never does, since friction only
dissipates energy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, maximum, sqrt, where

UNLIMITED = 1e18
"""Represents an infinite impulse; impulses of a scaled collision are of the order of 1. Its square fits in float32."""


@dataclass(frozen=True, slots=True)
class CollisionTotals:
    """Work absorbed and returned by a collision so far, and its normal impulses of compression and restitution."""

    stored: Scalar = 0.0
    released: Scalar = 0.0
    compression_impulse: Scalar = 0.0
    restitution_impulse: Scalar = 0.0

    def after_step(self, compressing: Scalar, work: Scalar, impulse: Scalar) -> "CollisionTotals":
        """Return the totals after a step of a collision.

        compressing: True in compression; work: work of the contact on the bodies; impulse: normal impulse of the step.
        """
        return CollisionTotals(
            self.stored - where(compressing, work, 0.0),
            self.released + where(compressing, 0.0, work),
            self.compression_impulse + where(compressing, impulse, 0.0),
            self.restitution_impulse + where(compressing, 0.0, impulse),
        )


Remaining: TypeAlias = Callable[[CollisionTotals, Scalar, Scalar, Scalar], Scalar]
"""Returns the remainder of restitution, from totals of the collision, e, the normal velocity before the collision, and
the present normal velocity."""
ImpulseNeeded: TypeAlias = Callable[[Scalar, Scalar, Scalar], Scalar]
"""Returns the normal impulse that brings the remainder to 0, from it, the normal velocity, and its rate per impulse."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A law of restitution.

    remaining: returns the remainder of restitution; impulse_needed: returns the impulse that brings it to 0. measure:
    selects the quantity of the hypothesis from the change of velocity, the impulse and the work of a step. dissipative:
    True if it never increases the energy; a gain by rounding is then removed.
    """

    remaining: Remaining
    impulse_needed: ImpulseNeeded
    measure: Callable[[Any, Any, Any], Any]
    dissipative: bool = False


def _speed_impulse(remaining: Scalar, w: Scalar, rate: Scalar) -> Scalar:
    """Return remaining / rate, or UNLIMITED if the impulse does not raise the normal velocity."""
    return where(rate > 0.0, remaining / where(rate > 0.0, rate, 1.0), UNLIMITED)


def _work_impulse(remaining: Scalar, w: Scalar, rate: Scalar) -> Scalar:
    """Return the first root x of w x + rate x^2 / 2 = remaining; without a root UNLIMITED, or 0 if nothing remains."""
    square = w * w + 2.0 * rate * remaining
    denominator = w + sqrt(maximum(square, 0.0))
    has_root = (square >= 0.0) & (denominator > 0.0)
    return where(has_root, 2.0 * remaining / where(has_root, denominator, 1.0), where(remaining > 0.0, UNLIMITED, 0.0))


def _newton_remaining(totals: CollisionTotals, e: Scalar, before: Scalar, now: Scalar) -> Scalar:
    return -e * before - now


def _poisson_remaining(totals: CollisionTotals, e: Scalar, before: Scalar, now: Scalar) -> Scalar:
    return e * totals.compression_impulse - totals.restitution_impulse


def _stronge_remaining(totals: CollisionTotals, e: Scalar, before: Scalar, now: Scalar) -> Scalar:
    return e * e * totals.stored - totals.released


HYPOTHESES: dict[str, Hypothesis] = {
    "newton": Hypothesis(_newton_remaining, _speed_impulse, lambda velocity, impulse, work: velocity),
    "poisson": Hypothesis(
        _poisson_remaining, lambda remaining, w, rate: remaining, lambda velocity, impulse, work: impulse
    ),
    "stronge": Hypothesis(_stronge_remaining, _work_impulse, lambda velocity, impulse, work: work, dissipative=True),
}


def hypothesis_named(name: str) -> Hypothesis:
    """Return the law of restitution with this name. Raises WorldError for an unknown name."""
    if name not in HYPOTHESES:
        raise WorldError(f'unknown hypothesis of restitution "{name}"; {did_you_mean(name, HYPOTHESES)}')
    return HYPOTHESES[name]


def may_add_energy(name: str) -> bool:
    """Return True if one collision with friction under this law of restitution may raise the energy."""
    return not hypothesis_named(name).dissipative
