"""The inverse of the mass matrix, column by column: the response of all joints to a unit force at one joint.

    M^-1 e_k = accelerations under tau = e_k, at rest and without gravity      [Arnold 1997, eq. 2.17-2.19, for joints]

O(n^2) for n links: articulated-body inertias are computed once, and each column takes one pass inward and one outward.
"""

from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.quantities.articulated import articulated
from gambol.lanes import Scalar, split_point
from gambol.spatial.motion import NO_FORCE, ZERO_MOTION, Motion


def inverse_mass_matrix(state: Kinematics) -> list[list[Scalar]]:
    """Return the inverse of the mass matrix at the positions of a state, by rows (nv x nv).

    Only one triangle is computed. Entries are infinite where a joint moves no mass.
    """
    figure, bodies = state.figure, articulated(state)
    rows: list[list[Scalar]] = [[0.0] * figure.nv for _ in range(figure.nv)]
    for link in figure.outward():
        for k in range(link.v.start, link.v.stop):
            split_point()
            x = bodies.inward(link.index, NO_FORCE, [float(k == j) for j in range(link.v.start, link.v.stop)])
            motions: list[Motion] = [ZERO_MOTION] * (link.index + 1)
            for other in figure.links[: link.index]:
                a_joint, motions[other.index] = bodies.outward(other, x, motions[other.parent_index])
                for j, value in zip(range(other.v.start, other.v.stop), a_joint, strict=True):
                    rows[k][j] = rows[j][k] = value
    return rows
