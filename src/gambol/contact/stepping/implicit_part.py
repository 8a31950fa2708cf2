"""The implicit part of springs and dampers at joints: as small as the stability of a step allows.

    M (v+ - v) = h (F - h K_i v+ - B_i v+ - B_e (v + v+) / 2)      F: spring forces at q + h v / 2
    K = K_i + K_e       K_e = min(K, 4 MARGIN S / h^2)             q+ = q + h (v + v+) / 2
    B = B_i + B_e       B_e = min(B, 2 DAMPING_MARGIN S / h)       S <= M, diagonal

The explicit part is of second order, and its energy only oscillates. The implicit part is of first order, and takes
energy. For constant M, K and B

    E = v^T (M + h^2 (K_i - K_e) / 4 + h B_i / 2) v / 2 + q^T K q / 2

changes in a step by -h (v + v+)^T (h K_i + B_i + B_e) (v + v+) / 4, which is never above 0. E is positive, because
h^2 K_e <= 4 MARGIN M; so nothing grows. The impulses of contacts that stick do not change E.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.forward import SparseRows, diagonal_bound, factorised
from gambol.lanes import Scalar, maximum
from gambol.spatial.rotation import is_constant

MARGIN = 0.9
"""Share of the explicit stiffness that is stable: M changes within a step, and E must stay well above 0."""

DAMPING_MARGIN = 0.5
"""Share of h B_e / 2 that S allows: at 1 an explicit damper would stop a joint in one step, and above 1 reverse it."""


@dataclass(frozen=True, slots=True)
class ImplicitPart:
    """The implicit part of springs and dampers.

    stiffness: K_i (nv) [N m/rad or N/m]. damping: B_i + B_e / 2 (nv), the decrease of the dampers' mean force per v+
    [N m s/rad or N s/m].
    """

    stiffness: list[Scalar]
    damping: list[Scalar]

    def numerical_damping(
        self, rates: Mapping[int, Scalar], v_end: Sequence[Scalar], v_mean: Sequence[Scalar], h: Scalar
    ) -> Scalar:
        """Return the loss by implicit stiffness in a step, h^2 K_i (v+ - r) . (v + v+) / 2 [J].

        rates: r of moving rest angles, by degree of freedom. v_end: v+ (nv). v_mean: (v + v+) / 2 (nv). h: length of
        the step [s]. See docs/theory/contact.md.
        """
        each = enumerate(zip(self.stiffness, v_end, v_mean, strict=True))
        return h * h * sum((K * (v - rates.get(k, 0.0)) * mean for k, (K, v, mean) in each), 0.0)


def implicit_part(mass: SparseRows, stiffness: Sequence[Scalar], damping: Sequence[Scalar], h: Scalar) -> ImplicitPart:
    """Return the implicit part of springs and dampers in a step of h [s].

    mass: rows of M. stiffness, damping: K and B, the decrease of joint forces per position and per velocity (nv), 0 or
    more.
    """
    result = ImplicitPart(list(stiffness), list(damping))
    pairs = enumerate(zip(stiffness, damping, strict=True))
    sprung = [k for k, (K, B) in pairs if not (is_constant(K, 0.0) and is_constant(B, 0.0))]
    if not sprung:
        return result
    inverse = 1.0 / h
    for k, S in zip(sprung, diagonal_bound(factorised(mass), sprung), strict=True):
        bound = S * inverse
        result.stiffness[k] = maximum(stiffness[k] - 4.0 * MARGIN * inverse * bound, 0.0)
        result.damping[k] = maximum(damping[k] - DAMPING_MARGIN * bound, 0.5 * damping[k])
    return result
