"""One iteration of extended position-based dynamics for a constraint C(x) with a stiffness and a damper.

    Dl = -(C + g grad C . moved)/((1 + g) sum w |grad C|^2 + 1/(k h^2)),  g = c/(k h),  Dx = w grad C Dl

moved: change of x since the substep began. With one iteration in a substep the multiplier begins at 0.
[Macklin, Mueller & Chentanez 2016, equations 18 and 26; Macklin et al. 2019]
"""

from dataclasses import dataclass

from gambol.lanes import Scalar, sqrt, where
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Compliance:
    """Stiffness k and damping c of a constraint, in the units of its C, and the length of the substep h [s]."""

    stiffness: Scalar
    damping: Scalar
    h: Scalar


def corrections(
    law: Compliance, C: Scalar, gradient: list[Vector], moved: list[Vector], weights: list[Scalar]
) -> list[Vector]:
    """Return the changes of the points of a constraint [m]; 0 where k is 0.

    law: compliance of the constraint. C: its value. gradient: gradient with respect to each point. moved: change of
    each point in the substep [m]. weights: inverse masses [1/kg].
    """
    acts = law.stiffness > 0.0
    k = where(acts, law.stiffness, 1.0)
    g = law.damping / (k * law.h)
    rate: Scalar = 0.0
    divisor: Scalar = 0.0
    for n, u, w in zip(gradient, moved, weights, strict=True):
        rate, divisor = n.dot(u, rate), divisor + w * n.dot(n)
    size = -(C + g * rate) / ((1.0 + g) * divisor + 1.0 / (k * law.h * law.h))
    size = where(acts, size, 0.0)
    return [n * (w * size) for n, w in zip(gradient, weights, strict=True)]


def contact_correction(
    gap: Scalar, n: Vector, slip: Vector, numbers: tuple[Scalar, Scalar, Scalar, Scalar]
) -> tuple[Vector, Scalar]:
    """Return the change of a point that touches a surface [m], and the depth that was removed.

    gap: distance to the surface, negative inside [m]. n: normal. slip: motion of the point relative to the surface in
    the substep [m]. numbers: stiffness [N/m], friction, inverse mass [1/kg], substep [s]. Friction reduces the slip by
    at most mu times the normal correction. [Macklin et al. 2014, section 6.1]
    """
    k, mu, w, h = numbers
    acts = (gap < 0.0) & (w > 0.0) & (k > 0.0)
    safe = where(acts, k * h * h, 1.0)
    push = where(acts, -gap * w / (w + 1.0 / safe), 0.0)
    across = slip - n * n.dot(slip)
    length = sqrt(across.dot(across))
    bound = mu * push
    fraction = where(length > bound, bound / where(length > bound, length, 1.0), 1.0)
    return n * push - across * where(acts, fraction, 0.0), push
