"""The implicit part of springs and dampers at joints: as small as the stability of a step allows.

With Stepping.explicit_servos, the gains of servos count as springs and dampers of their joints.

    M (v+ - v) = h (F - h K_i v+ - B_i v+ - B_e (v + v+) / 2)      F: spring forces at q + h v / 2
    K = K_i + K_e       K_e = min(K, 4 MARGIN S / h^2)             q+ = q + h (v + v+) / 2
    B = B_i + B_e       B_e = min(B, 2 DAMPING_MARGIN S / h)       S <= M, diagonal

The explicit part is of second order, and its energy only oscillates. The implicit part is of first order, and takes
energy. For constant M, K and B

    E = v^T (M + h^2 (K_i - K_e) / 4 + h B_i / 2) v / 2 + q^T K q / 2

changes in a step by -h (v + v+)^T (h K_i + B_i + B_e) (v + v+) / 4, which is never above 0. E is positive, because
h^2 K_e <= 4 MARGIN M; so nothing grows. The impulses of contacts that stick do not change E.

Alternatively (Stepping.midpoint_springs), springs act by the implicit midpoint rule, at the mean of the positions
before and after the step. Their force then is F - h K_m (v+ - v) / 4, and K = K_i + K_m, K_e = 0 in E: positive for any
stiffness, without S. A spring neither gains nor loses energy, and is of second order, but one that is much stiffer than
M / h^2 would oscillate from step to step for ever. So what exceeds STIFFEST is implicit:

    K_m = min(K, STIFFEST M_kk / h^2)       B_e = min(B, 2 M_kk / h)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from gambol.dynamics.forward import SparseRows, diagonal_bound, factorised
from gambol.lanes import Scalar, maximum, minimum, when, where
from gambol.spatial.rotation import is_constant

MARGIN = 0.9
"""Share of the explicit stiffness that is stable: M changes within a step, and E must stay well above 0."""

DAMPING_MARGIN = 0.5
"""Share of h B_e / 2 that S allows: at 1 an explicit damper would stop a joint in one step, and above 1 reverse it."""

STIFFEST = 16.0
"""Largest h^2 K_m / M_kk: by the midpoint rule, such a joint takes 2.8 steps for an oscillation, instead of 1.6."""

MIN_PIVOT = 1e-3
"""Least pivot of M - S, as a fraction of the diagonal of M, that counts as positive: in float32, rounding is 1e-5."""


@dataclass(frozen=True, slots=True)
class ImplicitPart:
    """The implicit part of springs and dampers at joints, and of gains of servos that may be explicit.

    stiffness: K_i (nv) [N m/rad or N/m]. damping: B_i + B_e / 2 (nv), the decrease of the dampers' mean force per v+
    [N m s/rad or N s/m]. midpoint: K_m (nv), the stiffness that acts at the mean of the positions before and after the
    step [N m/rad or N/m]; empty: 0.
    """

    stiffness: list[Scalar]
    damping: list[Scalar]
    midpoint: list[Scalar] = field(default_factory=list[Scalar])

    def decrease(self, h: Scalar) -> list[Scalar]:
        """Return the decrease of the forces per v+ besides h K_i, in a step of h [s] (nv) [N m s/rad or N s/m]."""
        if not self.midpoint:
            return list(self.damping)
        return [B + 0.25 * h * K for B, K in zip(self.damping, self.midpoint, strict=True)]

    def numerical_damping(
        self, rates: Mapping[int, Scalar], v_end: Sequence[Scalar], v_mean: Sequence[Scalar], h: Scalar
    ) -> Scalar:
        """Return the loss by implicit stiffness in a step, h^2 K_i (v+ - r) . (v + v+) / 2 [J].

        rates: r of moving rest angles, by degree of freedom. v_end: v+ (nv). v_mean: (v + v+) / 2 (nv). h: length of
        the step [s]. See docs/theory/contact.md.
        """
        each = enumerate(zip(self.stiffness, v_end, v_mean, strict=True))
        return h * h * sum((K * (v - rates.get(k, 0.0)) * mean for k, (K, v, mean) in each), 0.0)


def implicit_part(
    mass: SparseRows, rotors: Sequence[Scalar], stiffness: Sequence[Scalar], damping: Sequence[Scalar], h: Scalar
) -> ImplicitPart:
    """Return the implicit part of springs, dampers, and gains of servos that may be explicit, in a step of h [s].

    mass: rows of M. rotors: armatures, the part of the diagonal of M that is from rotors (nv). stiffness, damping: K
    and B, the decrease of joint forces per position and per velocity (nv), 0 or more.

    All is explicit if a diagonal S that allows it is at most M. In a figure whose joints with springs and dampers all
    have rotors, that is tested first: S is mostly at most the rotors, or M - S has positive pivots.
    """
    pairs = enumerate(zip(stiffness, damping, strict=True))
    sprung = [k for k, (K, B) in pairs if not (is_constant(K, 0.0) and is_constant(B, 0.0))]
    explicit = ImplicitPart([0.0 * K for K in stiffness], [0.5 * B for B in damping])
    if not sprung:
        return explicit
    bounded = partial(_bounded_part, mass, stiffness, damping, 1.0 / h, sprung)
    if any(is_constant(rotors[k], 0.0) for k in sprung):
        return bounded()
    needed: dict[int, Scalar] = {}
    excess: Scalar = 0.0
    for k in sprung:
        stiff, damped = h * h / (4.0 * MARGIN) * stiffness[k], 0.5 * h / DAMPING_MARGIN * damping[k]
        needed[k] = maximum(stiff, damped)
        excess = maximum(needed[k] - rotors[k], excess)

    def tested() -> ImplicitPart:
        return when(_smallest_pivot(mass, needed) < MIN_PIVOT, bounded, otherwise=explicit)

    return when(excess > 0.0, tested, otherwise=explicit)


def midpoint_part(
    inertias: Sequence[Scalar], stiffness: Sequence[Scalar], damping: Sequence[Scalar], h: Scalar
) -> ImplicitPart:
    """Return the implicit part of springs by the midpoint rule, and of dampers, in a step of h [s].

    inertias: M_kk, inertia of each joint while all other joints are at rest (nv). stiffness, damping: K and B, as for
    implicit_part().
    """
    result, rate = ImplicitPart(list(stiffness), list(damping), midpoint := list(stiffness)), 1.0 / h
    for k, (M, K, B) in enumerate(zip(inertias, stiffness, damping, strict=True)):
        if not is_constant(K, 0.0):
            midpoint[k] = minimum(K, STIFFEST * rate * rate * M)
            result.stiffness[k] = K - midpoint[k]
        if not is_constant(B, 0.0):
            result.damping[k] = maximum(B - rate * M, 0.5 * B)
    return result


def _smallest_pivot(mass: SparseRows, needed: Mapping[int, Scalar]) -> Scalar:
    """Return the smallest pivot of M - S as a fraction of the diagonal of M, or below 0 if it is not positive definite.

    mass: rows of M. needed: S, by degree of freedom.
    """
    rows = [{**row, k: row[k] - needed.get(k, 0.0)} for k, row in enumerate(mass)]
    smallest: Scalar = 1.0
    for row, k, inverse in zip(mass, range(len(rows)), factorised(rows).D_inverse, strict=True):
        share = 1.0 / (inverse * row[k])
        smallest = where(share > 0.0, minimum(share, smallest), -1.0)  # also where it is not a number
    return smallest


def _bounded_part(
    mass: SparseRows, stiffness: Sequence[Scalar], damping: Sequence[Scalar], rate: Scalar, sprung: Sequence[int]
) -> ImplicitPart:
    """Return the implicit part by diagonal_bound() of M. rate: 1 / h [1/s]; sprung: joints with springs or dampers."""
    result = ImplicitPart(list(stiffness), list(damping))
    for k, S in zip(sprung, diagonal_bound(factorised(mass), sprung), strict=True):
        bound = S * rate
        result.stiffness[k] = maximum(stiffness[k] - 4.0 * MARGIN * rate * bound, 0.0)
        result.damping[k] = maximum(damping[k] - DAMPING_MARGIN * bound, 0.5 * damping[k])
    return result
