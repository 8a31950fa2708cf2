"""The Euler method of corpus. [McKenna 1990, eq. 9 and 11]

    v' = v + a h
    p' = p + (v' + v) / 2 h + a / 2 h^2  =  p + v' h
Averaging the velocities and then adding the acceleration's share once more counts it twice; what is left is the
semi-implicit method, which is why it behaves so well for springs.
"""

from collections.abc import Callable, Sequence

from gambol.lanes import Scalar

Numbers = list[Scalar]


def corpus_euler(
    rates: Callable[[Sequence[Scalar]], Numbers],
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    a: Sequence[Scalar],
    h: Scalar,
) -> tuple[Numbers, Numbers]:
    """One step of length h [s].

    rates: qdot of a velocity, at the step's beginning. q, v, a: position, velocity, acceleration. Returns q and v.
    """
    faster = [x + h * y for x, y in zip(v, a, strict=True)]
    mean = [0.5 * (x + y) + 0.5 * h * z for x, y, z in zip(v, faster, a, strict=True)]
    return [x + h * y for x, y in zip(q, rates(mean), strict=True)], faster
