"""The part of the constants of passive parts that depends on forces: the columns of the last bias coordinate.

When forces on links or joints change, the shape of a part does not. Only the last columns of P, B, Q, f_A, a_B and q''
of closing_pass.py are computed anew, by the same formulas:

    x = D^-1 (tau - S^T p_B)     pi = X^T (p_B + U x)     t = N^-1 (b_A - G_A pi)     f_A = -(J' t + pi)
    q'' = x - W X t              a_B = X t + S q''        p = p_A - Y_A^T f_A         b = Y_B a_B + b_B; t in a branch
    Q z = Z_A^T Q_A z_A + Z_B^T Q_B z_B + R^T W q''       with z = (0, 0, 1)

p, b: the last columns of P and B.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from gambol.dynamics.adaptive.closing_pass import (
    BIASES,
    COLUMNS_Z,
    FULL,
    PART_LANES,
    UPPER_6,
    Z,
    connection,
    full,
    full_by_columns,
    turn_of,
)
from gambol.dynamics.adaptive.passes import entries, pass_program
from gambol.lanes import Program, Scalar, leaves, unflatten, where
from gambol.spatial.dense import dot, matvec, transposed
from gambol.spatial.motion import Motion, Transform
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import Vector

Numbers = Sequence[Scalar]

LAST_ROWS = 12 + Z  # p, b, and the last column of Q


@cache
def bias_pass(directions: int) -> Program:
    """Return the program of the last columns of joined parts; directions: degrees of freedom of each joint.

    It takes the first entries of both parts in the table of parts and of their connection in the table of connections,
    the columns of both parts in the table of last columns, the width of this table, 1 in a series or 0 in a branch, and
    joint forces and weights. It returns the last columns of the joined part, and of f_A, a_B and q''.
    """
    structure, stored = connection(directions), ((UPPER_6, FULL, UPPER_6), [0.0] * (12 * BIASES), COLUMNS_Z)

    def biased(index: Numbers, width: Scalar, series: Scalar, tau: Numbers, weights: Numbers, *tables: Any) -> Any:
        parts, connections, lasts = tables
        A, B = (unflatten(stored, iter(entries(parts, 1.0, i, len(leaves(stored))))) for i in index[:2])
        joined = unflatten(structure, iter(entries(connections, 1.0, index[2], len(leaves(structure)))))
        last_A, last_B = (entries(lasts, width, column, LAST_ROWS) for column in index[3:])
        return _last_columns((A, last_A), (B, last_B), joined, (series > 0.5, tau, weights))

    numbers = [0.0] * directions
    return pass_program(f"bias pass {directions}", biased, ([0.0] * 5, 0.0, 0.0, numbers, numbers), 3, PART_LANES)


def _last_columns(first: Any, second: Any, joined: Any, joint: Any) -> Any:
    """Return the last columns of a joined part and of its connection."""
    ((_, Y_A, upper_G_A), _, columns_Q_A), last_A = first
    ((_, Y_B, _), _, columns_Q_B), last_B = second
    pose, by_z, at_joint, J, N_inverse, S, U_T, W, D_inverse = joined
    series, tau, weights = joint
    (p_A, b_A, q_A), (p_B, b_B, q_B) = ((x[:6], x[6:12], x[12:]) for x in (last_A, last_B))
    X_T = [leaves(_transform(at_joint).apply_inverse(Motion.axis(k))) for k in range(6)]
    x = matvec(D_inverse, [t - dot(s, p_B) for s, t in zip(S, tau, strict=True)])
    pi = matvec(X_T, matvec(transposed(U_T), x, addend=p_B))
    t = matvec(N_inverse, [b - g for b, g in zip(b_A, matvec(full(upper_G_A), pi), strict=True)])
    f_A = [-f for f in matvec(J, t, addend=pi)]
    inherited = matvec(transposed(X_T), t)
    rates = [a - dot(w, inherited) for a, w in zip(x, W, strict=True)]
    a_B = matvec(transposed(S), rates, addend=inherited)
    p = [a - y for a, y in zip(p_A, matvec(transposed(Y_A), f_A), strict=True)]
    b = [where(series, *pair) for pair in zip(matvec(Y_B, a_B, addend=b_B), t, strict=True)]
    Q_A, Q_B = (  # their last rows are new
        [*full_by_columns(columns)[:-1], q] for columns, q in ((columns_Q_A, q_A), (columns_Q_B, q_B))
    )
    y_A = [dot(row[6:12], f_A, q) for row, q in zip(Q_A, q_A, strict=True)]
    y_B = [dot(row[:6], a_B, q) for row, q in zip(Q_B, q_B, strict=True)]
    new_by_z = transposed([*by_z[:-1], [*f_A, *a_B, *rates]])
    f_by_z, a_by_z, rates_by_z = new_by_z[:6], new_by_z[6:12], new_by_z[12:]
    Qz_A = matvec(transposed(f_by_z), y_A[6:12], addend=[*y_A[:6], *[0.0] * 6, *y_A[12:]])
    Qz_B = matvec(transposed(a_by_z), y_B[:6], addend=Qz_A)
    turned = matvec(transposed(turn_of(_transform(pose).rotation)), y_B[12:])
    through = [*[0.0] * 6, *(where(series, y, 0.0) for y in y_B[6:12]), *turned]
    weighted = [w * rate for w, rate in zip(weights, rates, strict=True)]
    Qz = matvec(transposed(rates_by_z), weighted, addend=[q + y for q, y in zip(Qz_B, through, strict=True)])
    return [*p, *b, *Qz], [*f_A, *a_B, *rates]


def _transform(pose: Any) -> Transform:
    rotation, position = pose
    return Transform(Rotation.of([rotation[k : k + 3] for k in (0, 3, 6)]), Vector.of(position))
