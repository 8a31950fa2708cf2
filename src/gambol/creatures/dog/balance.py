"""Forces of the standing feet whose resultant is as near as possible to a desired force and moment on the body.

    minimise  sum |f_i|^2 / w_i + |G f - W|^2 / Lambda        f = w G^T (G w G^T + Lambda)^-1 W

G stacks, for each foot at r from the centre of mass, the identity and the cross product with r. The weights w are 0 for
feet in the air, so any number of feet may stand; Lambda makes the problem regular when they cannot give all of W.
"""

from __future__ import annotations

from collections.abc import Sequence

from gambol.lanes import Scalar, total
from gambol.spatial import Vector
from gambol.spatial.dense import LU

ARM = 0.3
"""Length that makes moments comparable with forces [m]: about the distance from the centre of mass to a foot."""

SLACK = (0.2, 0.2, 0.02, 0.02, 0.02, 0.05)
"""Lambda: small compared with the weights, which are up to 1; larger for less important accelerations, such as turning.
"""


def feet_forces(feet: Sequence[Vector], weights: Sequence[Scalar], force: Vector, moment: Vector) -> list[Vector]:
    """Return the forces on the body at the feet [N].

    feet: positions from the centre of mass [m]. weights: 0 or more; 0 for a foot that does not stand. force, moment:
    desired force and moment [N, N m]. All are in the same axes.
    """
    maps = [_map(r) for r in feet]
    A = [
        [
            total((w * _dot(G[i], G[j]) for w, G in zip(weights, maps, strict=True)), SLACK[i] if i == j else 0.0)
            for j in range(6)
        ]
        for i in range(6)
    ]
    x = LU.of(A).solve([*force, *(n / ARM for n in moment)])
    return [
        Vector(*(w * total(G[i][k] * x[i] for i in range(6)) for k in range(3)))
        for w, G in zip(weights, maps, strict=True)
    ]


def _map(r: Vector) -> list[list[Scalar]]:
    """Return the rows of G for a foot: the effect on the body of a force at this foot; moments are divided by ARM."""
    x, y, z = r.x / ARM, r.y / ARM, r.z / ARM
    return [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, -z, y],
        [z, 0.0, -x],
        [-y, x, 0.0],
    ]


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    return total(x * y for x, y in zip(a, b, strict=True))
