"""How forces at a joint fall as it moves on: what implicit steps need to know of springs, dampers and limits.

    linear spring k     exponential spring alpha beta e^(beta |x|)     damper b     limits k and b beyond them

Slopes are told along velocities. At an orientation the springs' is that for small turns, k about every axis.
"""

from collections.abc import Mapping, Sequence

from gambol.dynamics.joint_forces import STEEPEST
from gambol.figure import spring_places
from gambol.lanes import Scalar, exp, minimum, where


def joint_slopes(
    kind: str, numbers: Sequence[Mapping[str, Scalar]], q: Sequence[Scalar], rest: Sequence[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """Stiffness and damping along all velocities of a joint of some kind (nv each), 0 or more.

    numbers, q, rest: as for joint_forces(). Dry friction is left out: it has a jump, not a slope.
    """
    stiffness: list[Scalar] = []
    damping: list[Scalar] = []
    for place, of, slack in zip(spring_places(kind), numbers, rest, strict=True):
        if place.stop - place.start > 1:
            stiffness += [of.get("stiffness", 0.0)] * 3
            damping += [of.get("damping", 0.0)] * 3
            continue
        k, b = _slopes(of, q[place.start], slack)
        stiffness.append(k)
        damping.append(b)
    return stiffness, damping


def _slopes(numbers: Mapping[str, Scalar], q: Scalar, rest: Scalar) -> tuple[Scalar, Scalar]:
    """Of the force along one coordinate."""
    k, b = numbers.get("stiffness", 0.0), numbers.get("damping", 0.0)
    if "alpha" in numbers:
        beta = numbers["beta"]
        k = k + numbers["alpha"] * beta * exp(minimum(beta * abs(q - rest), STEEPEST))
    if "limit_stiffness" in numbers:
        beyond = (q > numbers["upper"]) | (q < numbers["lower"])
        k = k + where(beyond, numbers["limit_stiffness"], 0.0)
        b = b + where(beyond, numbers["limit_damping"], 0.0)
    return k, b
