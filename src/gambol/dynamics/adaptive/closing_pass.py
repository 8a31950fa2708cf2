"""The response and the metric of two passive parts joined by a joint, as one program for all nodes of a tree.

    part       f_0 = J a_0 + P w - Y^T f_1        a_1 = Y a_0 + G f_1 + B w
    joint      U = J_B S      D = S^T U + a_r     W = D^-1 U^T     J^ = J_B - U W     e = P_B w_B - Y_B^T f_B
               x = D^-1 (tau - S^T e)     p^ = e + U x             J' = X^T J^ X      pi = X^T (J^ c + p^)
    joined     t = (1 + G_A J')^-1 (Y_A a_0 + B_A w - G_A (pi - f_t))         f_A = f_t - J' t - pi
               a_B = X t + c + S q''              q'' = x - W (X t + c)

a_0: acceleration of the first body. f_0: force on it that gives this acceleration. f_1: force on the last body. t:
acceleration of the last body of the first part, which carries the second part. f_t: the outer force on that body: f_1
in a branch, 0 in a series; f_B = f_1 - f_t. This is divide and conquer in the form of forward/divide_and_conquer.py,
with joints between the parts instead of before them [Featherstone 1999; Redon, Galoppo and Lin 2005, section 3].

A part without moving joints has one angular velocity. w are its bias coordinates: the products xx, xy, xz, yy, yz, zz
of the velocity's components in the axes of the first body, and 1. So J, Y, G, P and B are constants of the part's
shape, and only w changes from step to step. Forces besides gravity are in the last column of P and B.

The metric of a part is the weighted sum of squares of its joint accelerations. These are linear in z = (a_0, f_1, w),
so the metric is a quadratic form of z, known before the accelerations: [Redon, Galoppo and Lin 2005, section 5.1]

    sum w_j q''_j^2 = z^T Q z       z_A = (a_0, f_A z, w)      z_B = (a_B z, f_B, w_B)      q'' = R z
    Q = Z_A^T Q_A Z_A + Z_B^T Q_B Z_B + R^T W R
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from gambol.dynamics.adaptive.bias import BIASES, PRODUCTS
from gambol.dynamics.adaptive.passes import entries, pass_program
from gambol.dynamics.forward.systems import factorised, lower
from gambol.lanes import Program, Scalar, leaves, unflatten, where
from gambol.spatial.dense import LU, Rows, dot, matmul, matvec, minus, plus, times, transposed
from gambol.spatial.inertia import NO_RIGID_INERTIA, RigidInertia
from gambol.spatial.motion import Motion, Transform
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import Vector

Numbers = Sequence[Scalar]

Z = 12 + BIASES
"""Length of z."""

UPPER_6: Rows = [[0.0] * (6 - i) for i in range(6)]
IDENTITY: Rows = [[float(i == k) for k in range(6)] for i in range(6)]
FULL, BIAS = ([[0.0] * 6 for _ in range(columns)] for columns in (6, BIASES))
COLUMNS_Z: Rows = [[0.0] * (k + 1) for k in range(Z)]

PART = (UPPER_6, FULL, UPPER_6, BIAS, BIAS, COLUMNS_Z, NO_RIGID_INERTIA, [0.0] * 9, [0.0] * 3)
"""Structure of the numbers of a part: J, Y, G, P, B, Q, its rigid body, and the pose of its last body in the first.

J, G and Q are symmetric: J and G have the rows of their upper triangle, Q its columns. P and B have their columns, too.
So the last columns, which change with forces, are in one piece each."""

PART_ROWS = len(leaves(PART))
PART_LANES = 4
"""Parts of one level that a pass joins at once. With 8, a pass takes longer: its numbers do not fit into registers."""

JOINT_NUMBERS = 13  # rotation 9, position 3, 1 in a series or 0 in a branch
DIRECTION_NUMBERS = 9  # S 6, joint force, rotor inertia, weight


def connection(directions: int) -> Any:
    """Return the structure of the numbers of a connection.

    They are the pose of the second part; f_A, a_B and q'' by z, in columns; and, for bias_pass.py, the pose of the
    joint, J', (1 + G_A J')^-1, S and U by columns, W, and D^-1.
    """
    pose, by_z = ([0.0] * 9, [0.0] * 3), [[0.0] * (12 + directions) for _ in range(Z)]
    columns = [[0.0] * 6 for _ in range(directions)]
    D_inverse = [[0.0] * directions for _ in range(directions)]
    return pose, by_z, pose, FULL, FULL, columns, columns, columns, D_inverse


@cache
def closing_pass(directions: int) -> Program:
    """Return the program that joins parts; directions: degrees of freedom of each joint.

    It takes the columns of both parts in a table of parts, the width of this table, and the numbers of the joint. It
    returns the numbers of the joined part, and of the connection of both parts. Blocks of PART_LANES columns may read
    results of earlier ones.
    """

    def closed(index: Numbers, width: Scalar, joint: Numbers, parts: Any) -> Any:
        A, B = (unflatten(PART, iter(entries(parts, width, column, PART_ROWS))) for column in index)
        columns = [joint[k : k + DIRECTION_NUMBERS] for k in range(JOINT_NUMBERS, len(joint), DIRECTION_NUMBERS)]
        return closed_parts(A, B, joint[:JOINT_NUMBERS], columns)

    numbers = [0.0] * (JOINT_NUMBERS + directions * DIRECTION_NUMBERS)
    return pass_program(f"closing pass {directions}", closed, ([0.0] * 2, 0.0, numbers), 1, PART_LANES)


def closed_parts(part_A: Any, part_B: Any, joint: Numbers, directions: Sequence[Numbers]) -> Any:
    """Return the numbers of two joined parts, see PART, and of their connection, see connection().

    joint: see JOINT_NUMBERS. directions: for each degree of freedom, see DIRECTION_NUMBERS.
    """
    A, B = _Part(*part_A), _Part(*part_B)
    R, r, series = _rotation(joint[:9]), Vector.of(joint[9:12]), joint[12] > 0.5
    if_series = where(series, 1.0, 0.0)
    rotation, position = A.tip[0] @ R, A.tip[1] + A.tip[0] @ r
    turn = turn_of(rotation)
    (f_A, a_B, rates), t, inverses = _connection(A, B, Transform(R, r), turn, if_series, directions)
    f_0 = minus(plus(_columns(A.J, 0), _columns(A.P, 12)), matmul(transposed(A.Y), f_A))
    end = plus(plus(matmul(B.Y, a_B), _columns(B.G, 6)), _columns(matmul(B.B, turn), 12))
    a_1 = [[where(series, *pair) for pair in zip(*rows, strict=True)] for rows in zip(end, t, strict=True)]
    metric_A, metric_B = _metric(A.Q, f_A, 6), _metric(_turned(B.Q, turn, if_series), a_B, 0)
    squares = _squares(rates, [column[8] for column in directions])
    body = A.body + B.body.rotated(rotation).shifted(position)
    end_pose = (rotation @ B.tip[0], position + rotation @ B.tip[1])
    tip = [where(series, x, y) for x, y in zip(leaves(end_pose), leaves(A.tip), strict=True)]
    response = (_upper(_section(f_0, 0, 6)), _section(a_1, 0, 6), _upper(_section(a_1, 6, 12)))
    biases = (transposed(_section(f_0, 12, Z)), transposed(_section(a_1, 12, Z)))
    Q = plus(plus(metric_A, metric_B), squares)
    by_columns = [[Q[i][k - i] for i in range(k + 1)] for k in range(Z)]
    return leaves((response, biases, by_columns, body, tip)), leaves(
        (rotation, position, transposed([*f_A, *a_B, *rates]), joint[:12], inverses)
    )


class _Part:
    """A part; tip: pose of the last body in the first."""

    def __init__(self, J: Rows, Y: Rows, G: Rows, P: Rows, B: Rows, Q: Rows, body: RigidInertia, *tip: Numbers) -> None:
        self.J, self.Y, self.G, self.P, self.B = full(J), Y, full(G), transposed(P), transposed(B)
        self.Q = full_by_columns(Q)
        self.body, self.tip = body, (_rotation(tip[0]), Vector.of(tip[1]))


def _connection(
    A: _Part, B: _Part, joint: Transform, turn: Rows, if_series: Scalar, directions: Sequence[Numbers]
) -> tuple[tuple[Rows, Rows, Rows], Rows, tuple[Rows, ...]]:
    """Return f_A, a_B and q'', and t, as matrices of z; and what connection() has for bias_pass.py.

    joint: X_AB. turn: see turn_of(). if_series: 1 in a series, 0 in a branch. directions: see DIRECTION_NUMBERS.
    """
    S = [list(column[:6]) for column in directions]
    X_T = [leaves(joint.apply_inverse(Motion.axis(k))) for k in range(6)]
    X = transposed(X_T)
    c = _columns(matmul(_centripetal(joint.rotation.transpose @ joint.position), turn), 12)
    e = minus(_columns(matmul(B.P, turn), 12), _columns(times(transposed(B.Y), if_series), 6))
    U_T = [matvec(B.J, s) for s in S]
    rotors = [[column[7] if i == k else 0.0 for k in range(len(S))] for i, column in enumerate(directions)]
    D = factorised(lower(plus(matmul(S, transposed(U_T)), rotors)))
    unit = [[float(i == k) for k in range(len(S))] for i in range(len(S))]
    tau = _columns([[column[6]] for column in directions], Z - 1)
    W, x = (transposed(D.solve(column) for column in transposed(M)) for M in (U_T, minus(tau, matmul(S, e))))
    U = transposed(U_T)
    through, p = minus(B.J, matmul(U, W)), plus(e, matmul(U, x))
    J, pi = matmul(X_T, matmul(through, X)), matmul(X_T, plus(matmul(through, c), p))
    f_t = _columns(times(IDENTITY, 1.0 - if_series), 6)
    free = plus(plus(_columns(A.Y, 0), _columns(A.B, 12)), matmul(A.G, minus(f_t, pi)))
    N = LU.of(plus(IDENTITY, matmul(A.G, J)))
    t = transposed(N.solve(column) for column in transposed(free))
    f_A = minus(f_t, plus(matmul(J, t), pi))
    inherited = plus(matmul(X, t), c)
    rates = minus(x, matmul(W, inherited))
    a_B = plus(inherited, matmul(transposed(S), rates))
    N_inverse, D_inverse = (
        transposed(system.solve(column) for column in identity) for system, identity in ((N, IDENTITY), (D, unit))
    )
    return (f_A, a_B, rates), t, (J, N_inverse, S, U_T, W, D_inverse)


def full(upper: Rows) -> Rows:
    """Return a symmetric matrix from the rows of its upper triangle."""
    n = len(upper)
    return [[upper[min(i, k)][abs(i - k)] for k in range(n)] for i in range(n)]


def full_by_columns(upper: Rows) -> Rows:
    """Return a symmetric matrix from the columns of its upper triangle."""
    n = len(upper)
    return [[upper[max(i, k)][min(i, k)] for k in range(n)] for i in range(n)]


def _upper(A: Rows) -> Rows:
    return [row[i:] for i, row in enumerate(A)]


def _columns(A: Rows, start: int) -> Rows:
    """Return the matrix of z that has the columns of A from `start` on."""
    return [[0.0] * start + row + [0.0] * (Z - start - len(row)) for row in A]


def _section(A: Rows, start: int, stop: int) -> Rows:
    return [row[start:stop] for row in A]


def _rotation(numbers: Numbers) -> Rotation:
    return Rotation.of([numbers[k : k + 3] for k in (0, 3, 6)])


def turn_of(R: Rotation) -> Rows:
    """Return the map (K, K) of bias coordinates from axes A to axes B; R: R_AB, with w_B = R^T w.

    Product i, k of the components in axes B is the sum of R_li R_mk w_l w_m over l and m.
    """
    x = R.rows
    rows = [
        [x[l][i] * x[m][k] + (x[m][i] * x[l][k] if l != m else 0.0) for l, m in PRODUCTS] + [0.0] for i, k in PRODUCTS
    ]
    return [*rows, [0.0] * (BIASES - 1) + [1.0]]


def _centripetal(r: Vector) -> Rows:
    """Return the columns (6, K) of the acceleration (0, w x (w x r)) for the bias coordinates of w."""
    x, y, z = r
    acceleration: Rows = [[0.0, y, z, -x, 0.0, -x], [-y, x, 0.0, 0.0, z, -y], [-z, 0.0, x, -z, y, 0.0]]
    return [*([0.0] * BIASES for _ in range(3)), *([*row, 0.0] for row in acceleration)]


def _metric(Q: Rows, F: Rows, start: int) -> Rows:
    """Return the upper triangle of Z^T Q Z; Z is the identity, except for its rows F from `start` on."""
    replaced = range(start, start + 6)
    kept = [[0.0 if i in replaced or k in replaced else x for k, x in enumerate(row)] for i, row in enumerate(Q)]
    inside = [[0.5 * Q[i][k] for k in replaced] for i in replaced]
    outside = [[0.0 if k in replaced else Q[i][k] for k in range(Z)] for i in replaced]
    H_T, F_T = transposed(plus(outside, matmul(inside, F))), transposed(F)
    return [[dot(F_T[i], H_T[k], dot(H_T[i], F_T[k], kept[i][k])) for k in range(i, Z)] for i in range(Z)]


def _squares(rates: Rows, weights: Numbers) -> Rows:
    """Return the upper triangle of R^T W R; weights: the diagonal of W."""
    columns = transposed(rates)
    return [
        [dot(weights, [a * b for a, b in zip(x, y, strict=True)]) for y in columns[i:]] for i, x in enumerate(columns)
    ]


def _turned(Q: Rows, turn: Rows, if_series: Scalar) -> Rows:
    """Return Q for z with f_1 and w of the joined part, of which f_1 acts in a series only."""
    scales = [1.0] * 6 + [if_series] * 6
    diagonal = [[s if i == k else 0.0 for k in range(Z)] for i, s in enumerate(scales)]
    T = diagonal + [[0.0] * 12 + row for row in turn]
    return matmul(transposed(T), matmul(Q, T))
