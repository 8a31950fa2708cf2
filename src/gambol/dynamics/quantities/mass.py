"""The inverse of the mass matrix, column by column: what a unit force at one joint does to all.

    M^-1 e_k = accelerations under tau = e_k, at rest and without gravity      [Arnold 1997, eq. 2.17-2.19, for joints]

O(n^2) for n links: articulated-body inertias are found once, and each column takes one pass inward and one outward.
"""

from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.quantities.articulated import articulated
from gambol.lanes import Scalar, seam
from gambol.spatial.motion import AT_REST, NO_FORCE, Motion


def inverse_mass_matrix(state: Kinematics) -> list[list[Scalar]]:
    """The inverse of the mass matrix at the positions of a state, by rows (nv x nv).

    Only what stands above the diagonal is worked out. Infinite where a joint moves no mass.
    """
    figure, bodies = state.figure, articulated(state)
    rows: list[list[Scalar]] = [[0.0] * figure.nv for _ in range(figure.nv)]
    for link in figure.outward():
        for k in range(link.v.start, link.v.stop):
            seam()
            x = bodies.inward(link.index, NO_FORCE, [float(k == j) for j in range(link.v.start, link.v.stop)])
            motions: list[Motion] = [AT_REST] * (link.index + 1)
            for other in figure.links[: link.index]:
                rates, motions[other.index] = bodies.outward(other, x, motions[other.parent_index])
                for j, rate in zip(range(other.v.start, other.v.stop), rates, strict=True):
                    rows[k][j] = rows[j][k] = rate
    return rows
