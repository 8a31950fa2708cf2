"""Forces in a large step along a path: the tension of the path times its moment arms at joints."""

from collections.abc import Sequence

from gambol.actuation.implicit_force import ImplicitForce
from gambol.figure import JOINTS, PlacedLink
from gambol.lanes import Scalar, maximum


def along_arms(
    links: Sequence[PlacedLink],
    arms: Sequence[Scalar],
    tension: Scalar,
    damping: Scalar,
    shortening: Sequence[Scalar] = (),
) -> ImplicitForce:
    """Return the joint forces tau_k = r_k F of a path in a large step, where F decreases by c per rate of the path.

    links: links of the joints. arms: moment arms r [m, or 1]. tension: F at the end of a step with constant velocity
    [N]. damping: c [N s/m]; a negative c counts as 0. shortening: s, rate at which the path shortens per velocity of
    each joint, if it differs from the arms; empty: the arms. Where a joint is free, the matrix r c r^T is kept, so that
    the forces on bodies stay opposite and their momentum is conserved. Elsewhere it is replaced by a diagonal one that
    is at least as large, B_ii = sum_j |r_i c s_j|.
    """
    tau, slope = [r * tension for r in arms], maximum(damping, 0.0)
    if moves_freely(links):
        return ImplicitForce(tau, [0.0] * len(tau), arms, slope)
    bound = slope * sum((abs(s) for s in shortening or arms), 0.0)
    return ImplicitForce(tau, [abs(r) * bound for r in arms])


def moves_freely(links: Sequence[PlacedLink]) -> bool:
    """Return True if a joint of these links is free."""
    return any(JOINTS[link.joint.kind].is_free for link in links)
