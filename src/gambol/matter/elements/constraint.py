"""One iteration of extended position-based dynamics for a constraint C(x) with a stiffness and a damper.

    Dl = -(C + g grad C . moved)/((1 + g) sum w |grad C|^2 + 1/(k h^2)),  g = c/(k h),  Dx = w grad C Dl

moved: change of x since the substep began. With one iteration in a substep the multiplier begins at 0.
[Macklin, Mueller & Chentanez 2016, equations 18 and 26; Macklin et al. 2019]
"""

from dataclasses import dataclass

from gambol.lanes import Scalar, minimum, sqrt, where
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Compliance:
    """Stiffness k and damping c of a constraint, in the units of its C, and the length of the substep h [s]."""

    stiffness: Scalar
    damping: Scalar
    h: Scalar


def corrections(
    law: Compliance, C: Scalar, gradient: list[Vector], moved: list[Vector], weights: list[Scalar]
) -> tuple[list[Vector], Scalar]:
    """Return the changes of the points of a constraint [m], 0 where k is 0, and the energy that its damper takes [J].

    law: compliance of the constraint. C: its value. gradient: gradient with respect to each point. moved: change of
    each point in the substep [m]. weights: inverse masses [1/kg]. The damper's force c C' does the work c C'^2 h.
    """
    acts = law.stiffness > 0.0
    k = where(acts, law.stiffness, 1.0)
    g = law.damping / (k * law.h)
    rate: Scalar = 0.0
    divisor: Scalar = 0.0
    for n, u, w in zip(gradient, moved, weights, strict=True):
        rate, divisor = n.dot(u, rate), divisor + w * n.dot(n)
    size = where(acts, -(C + g * rate) / ((1.0 + g) * divisor + 1.0 / (k * law.h * law.h)), 0.0)
    after = rate + divisor * size
    lost = where(acts, law.damping * after * after / law.h, 0.0)
    return [n * (w * size) for n, w in zip(gradient, weights, strict=True)], lost


@dataclass(frozen=True, slots=True)
class ContactCorrection:
    """The change of a point that touches a surface [m], and the energy that its damper and its friction take [J]."""

    change: Vector
    damping: Scalar
    friction: Scalar


def contact_correction(
    law: Compliance, mu: Scalar, gap: Scalar, n: Vector, moved: tuple[Vector, Scalar]
) -> ContactCorrection:
    """Return the correction of a point that touches a surface, which is pushed only.

    law: compliance of the contact. mu: coefficient of friction. gap: distance to the surface, negative inside [m]. n:
    normal. moved: motion of the point relative to the surface in the substep [m], and its inverse mass [1/kg]. Friction
    reduces the slip by at most mu times the normal correction. [Macklin et al. 2014, section 6.1]
    """
    slip, w = moved
    (push, *_), lost = corrections(law, gap, [n], [slip], [w])
    pressed = push.dot(n)
    acts = (gap < 0.0) & (pressed > 0.0)
    size = where(acts, pressed, 0.0)
    across = slip - n * n.dot(slip)
    length = sqrt(across.dot(across))
    held = minimum(mu * size, length)
    fraction = held / where(length > 0.0, length, 1.0)
    mobility = where(w > 0.0, w, 1.0) * law.h * law.h
    return ContactCorrection(n * size - across * fraction, where(acts, lost, 0.0), held * (length - held) / mobility)
