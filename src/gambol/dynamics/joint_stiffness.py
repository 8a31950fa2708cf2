"""Stiffness and damping of a joint's springs, dampers and limits, for implicit steps.

    linear spring k     exponential spring alpha beta e^(beta |x|)     damper b     limits k and b beyond them

Both are along joint velocities. At an orientation the stiffness is that of small rotations: k about every axis.
"""

from collections.abc import Mapping, Sequence

from gambol.dynamics.joint_forces import MAX_EXPONENT
from gambol.figure import spring_slices
from gambol.lanes import Scalar, exp, minimum, where


def stiffness_and_damping(
    kind: str, numbers: Sequence[Mapping[str, Scalar]], q: Sequence[Scalar], rest: Sequence[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return stiffness and damping along all velocities of a joint (nv each), 0 or more.

    kind, numbers, q, rest: as for joint_forces(). Friction is left out: its force jumps at zero speed.
    """
    stiffness: list[Scalar] = []
    damping: list[Scalar] = []
    for indices, spring, x_0 in zip(spring_slices(kind), numbers, rest, strict=True):
        if indices.stop - indices.start > 1:
            stiffness += [spring.get("stiffness", 0.0)] * 3
            damping += [spring.get("damping", 0.0)] * 3
            continue
        k, b = _along_coordinate(spring, q[indices.start], x_0)
        stiffness.append(k)
        damping.append(b)
    return stiffness, damping


def _along_coordinate(numbers: Mapping[str, Scalar], q: Scalar, rest: Scalar) -> tuple[Scalar, Scalar]:
    """Return stiffness and damping along one coordinate."""
    k, b = numbers.get("stiffness", 0.0), numbers.get("damping", 0.0)
    if "alpha" in numbers:
        beta = numbers["beta"]
        k = k + numbers["alpha"] * beta * exp(minimum(beta * abs(q - rest), MAX_EXPONENT))
    if "limit_stiffness" in numbers:
        beyond = (q > numbers["upper"]) | (q < numbers["lower"])
        k = k + where(beyond, numbers["limit_stiffness"], 0.0)
        b = b + where(beyond, numbers["limit_damping"], 0.0)
    return k, b
