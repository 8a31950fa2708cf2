"""Articulated bodies of a pile: the joints' free motions, exactly, by elimination from the leaves to the roots.

    V = X V_p + b + S u          b = S_l t: locked motions with speeds t      X V: w, v + w x d
    I^A = I + sum X^T (I^A - W W^T) X          h = I v_free + sum X^T (q - W z)          sums over the children
    D = S^T I^A S + c = L L^T    G = L^-1 S^T    W = I^A G^T    q = h - I^A b    z = L^-1 f + G q
    u = L^-T (z - W^T X V_p)     V = X V_p + b + G^T (z - W^T X V_p)            roots: I^A = L L^T, z = L^-1 h

V, V_p: motions of a body and of its parent. f - c u: linear forces of free motions. Impulses p of contacts and of rows
of joints add B p to z, with B as found on the way to the root. In these numbers the mass matrix is 1: speeds are u =
u_0 + B^T z, and B^T B is their response.
[Featherstone 2008, chapter 7, for velocities and impulses]
"""

from itertools import accumulate
from typing import Any

from gambol.lanes import ProgramSpec, Scalar, gather, sqrt, where
from gambol.rigid.body_table import ZERO, Column
from gambol.rigid.contact_point import Side
from gambol.rigid.joint_laws import SIX, Six
from gambol.rigid.joint_point import JOINT_POINT, JointPoint
from gambol.rigid.trees import SLOTS
from gambol.spatial.matrix import Symmetric

Numbers = list[Scalar]

MOTIONS, SLOT_COUNT = 6, len(SLOTS)
TRIANGLE = MOTIONS * (MOTIONS + 1) // 2
SUM_ROWS = TRIANGLE + MOTIONS
"""What a node passes on: I^A and h at its parent, summed with those of its next siblings."""

FACTORS = {"G": 18, "W": 18, "d": 3, "L_inverse": 6, "b": 6, "z": 3}
"""Rows of the numbers of a joint: G and W by free motions, d: from the parent's centre of mass to the body's, L^-1: its
lower triangle by rows, b, and z without impulses."""

FACTOR_ROWS = sum(FACTORS.values())
FACTOR_STARTS = dict(zip(FACTORS, accumulate(FACTORS.values(), initial=0), strict=False))
"""The first row of each of these."""

ROOT_FACTORS = {"L_inverse": TRIANGLE, "z": MOTIONS}
ROOT_FACTOR_ROWS = sum(ROOT_FACTORS.values())
CHOICES = tuple(0.0 for own in SLOTS for _ in own)
"""1 for the row that a free motion has, for each of SLOTS."""


def lower(i: int, j: int) -> int:
    """Return the place of an entry in the triangle of a symmetric matrix."""
    return max(i, j) * (max(i, j) + 1) // 2 + min(i, j)


def _dot(a: Any, b: Any) -> Scalar:
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)


def _times(triangle: Numbers, x: Numbers) -> Numbers:
    """Return the product of a symmetric matrix and a vector."""
    n = len(x)
    return [_dot([triangle[lower(i, j)] for j in range(n)], x) for i in range(n)]


def inverse_factor(a: Numbers, n: int) -> Numbers:
    """Return L^-1 of a symmetric matrix of n rows, 0 in the rows of pivots that are not positive."""
    L, inverse = [list[Scalar]() for _ in range(n)], [0.0] * len(a)
    pivots: list[Scalar] = []
    for i in range(n):
        for j in range(i):
            L[i].append((a[lower(i, j)] - _dot(L[i][:j], L[j][:j])) * pivots[j])
        rest = a[lower(i, i)] - _dot(L[i], L[i])
        moves = rest > 0.0
        pivots.append(where(moves, 1.0 / sqrt(where(moves, rest, 1.0)), 0.0))
        inverse[lower(i, i)] = pivots[i]
        for j in range(i):
            inverse[lower(i, j)] = -pivots[i] * _dot(L[i][j:i], [inverse[lower(k, j)] for k in range(j, i)])
    return inverse


def _inertia(side: Side) -> Numbers:
    """Return the 6 x 6 inertia of a body at its centre of mass, as a triangle; 0 for a body that cannot move."""
    moves = side.inverse_mass > 0.0
    rows = side.inverse_inertia.rows
    cofactors = [
        [rows[(i + 1) % 3][(j + 1) % 3] * rows[(i + 2) % 3][(j + 2) % 3]
         - rows[(i + 1) % 3][(j + 2) % 3] * rows[(i + 2) % 3][(j + 1) % 3] for j in range(3)]
        for i in range(3)
    ]  # fmt: skip
    determinant = _dot(rows[0], cofactors[0])
    scale = where(moves, 1.0 / where(moves, determinant, 1.0), 0.0)
    mass = where(moves, 1.0 / where(moves, side.inverse_mass, 1.0), 0.0)
    result: Numbers = [0.0] * TRIANGLE
    for i in range(3):
        for j in range(i + 1):
            result[lower(i, j)] = cofactors[i][j] * scale
        result[lower(3 + i, 3 + i)] = mass
    return result


def _stored(table: Any, start: Scalar, stride: Scalar, count: int) -> Numbers:
    return [gather(table, start + k * stride) for k in range(count)]


def _cross(a: Any, b: Any) -> Numbers:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _carried(V: Numbers, d: Numbers) -> Numbers:
    """Return X V: a motion at a point d away."""
    return [*V[:3], *(v + x for v, x in zip(V[3:], _cross(V[:3], d), strict=True))]


def _collected(triangle: Numbers, F: Numbers, d: Numbers) -> Numbers:
    """Return X^T I X and X^T F, as rows of a sum."""
    columns = [_carried([1.0 if i == k else 0.0 for i in range(MOTIONS)], d) for k in range(MOTIONS)]
    products = [_times(triangle, column) for column in columns]
    moved = [_dot(columns[i], products[j]) for i in range(MOTIONS) for j in range(i + 1)]
    return [*moved, *(m + x for m, x in zip(F[:3], _cross(d, F[3:]), strict=True)), *F[3:]]


def _axes(point: JointPoint) -> list[Numbers]:
    """Return S of all six motions at the centre of mass of the first body."""
    arm = [*point.first.arm]
    turns = [[*column, *_cross(arm, [*column])] for column in map(list, point.turn.columns)]
    return [*turns, *([0.0, 0.0, 0.0, *column] for column in point.frame.columns)]


def _chosen(choices: Numbers, values: Any) -> list[Any]:
    """Return the values of the up to three free motions.

    choices: see CHOICES; values: of all six motions, numbers or lists of six numbers.
    """
    result, start = list[Any](), 0
    for own in SLOTS:
        weights = choices[start : start + len(own)]
        start += len(own)
        if isinstance(values[0], list):
            result.append(
                [sum((w * values[row][k] for w, row in zip(weights, own, strict=True)), 0.0) for k in range(MOTIONS)]
            )
        else:
            result.append(sum((w * values[row] for w, row in zip(weights, own, strict=True)), 0.0))
    return result


def _gathered_inward(
    point: JointPoint,
    laws: tuple[Six, Six, Six],
    choices: tuple[Scalar, ...],
    places: tuple[Scalar, Scalar, Scalar],
    stride: Scalar,
    store: Any,
    sums: Any,
) -> tuple[Any, ...]:
    """Return what a joint passes on to its parent, and its factors.

    laws: t, f and c of all motions; places: of the free velocity of its body in the store, and of the sums of its first
    child and of its next sibling; stride: distance between rows of both.
    """
    below, beside = (_stored(sums, place, stride, SUM_ROWS) for place in places[1:])
    own = _inertia(point.first)
    free = _stored(store, places[0], stride, MOTIONS)
    inertia = [a + b for a, b in zip(own, below[:TRIANGLE], strict=True)]
    h = [a + b for a, b in zip(_times(own, free), below[TRIANGLE:], strict=True)]
    d = [b - a for a, b in zip(point.first.arm, point.second.arm, strict=True)]
    axes = _axes(point)
    b = [_dot(laws[0], [axis[k] for axis in axes]) for k in range(MOTIONS)]
    S, f, c = (_chosen(list(choices), values) for values in (axes, *laws[1:]))
    U = [_times(inertia, column) for column in S]
    D = [_dot(S[i], U[j]) + (c[i] if i == j else 0.0) for i in range(SLOT_COUNT) for j in range(i + 1)]
    inverse = inverse_factor(D, SLOT_COUNT)
    G, W = (
        [[_dot(inverse[lower(k, 0) : lower(k, k) + 1], [x[i] for x in rows[: k + 1]]) for i in range(MOTIONS)]
         for k in range(SLOT_COUNT)]
        for rows in (S, U)
    )  # fmt: skip
    q = [x - y for x, y in zip(h, _times(inertia, b), strict=True)]
    z = [_dot(inverse[lower(k, 0) : lower(k, k) + 1], f[: k + 1]) + _dot(G[k], q) for k in range(SLOT_COUNT)]
    rest = [
        inertia[lower(i, j)] - _dot([w[i] for w in W], [w[j] for w in W]) for i in range(MOTIONS) for j in range(i + 1)
    ]
    passed = [q[i] - _dot([w[i] for w in W], z) for i in range(MOTIONS)]
    summed = [x + y for x, y in zip(_collected(rest, passed, d), beside, strict=True)]
    return tuple(summed), (*G[0], *G[1], *G[2], *W[0], *W[1], *W[2], *d, *inverse, *b, *z)


def _root(
    body: Scalar, places: tuple[Scalar, Scalar], strides: tuple[Scalar, Scalar], store: Any, sums: Any, bodies: Any
) -> tuple[Any, ...]:
    """Return the factors of a root.

    body: its column in the table of bodies; places: of its free velocity in the store, and of the sum of its first
    child; strides: distance between rows of these, and of the table.
    """
    own = Column(bodies, body, strides[1])
    inertia = _inertia(Side(ZERO, own.number("inverse_mass"), Symmetric(*own.numbers("inverse_inertia"))))
    below = _stored(sums, places[1], strides[0], SUM_ROWS)
    free = _stored(store, places[0], strides[0], MOTIONS)
    h = [a + b for a, b in zip(_times(inertia, free), below[TRIANGLE:], strict=True)]
    inverse = inverse_factor([a + b for a, b in zip(inertia, below[:TRIANGLE], strict=True)], MOTIONS)
    z = [_dot(inverse[lower(k, 0) : lower(k, k) + 1], h[: k + 1]) for k in range(MOTIONS)]
    return ((*inverse, *z),)


def _root_motion(factors: tuple[Scalar, ...], impulses: Six) -> tuple[Six]:
    """Return the motion of a root; impulses: what they add to z."""
    z = [a + b for a, b in zip(factors[TRIANGLE:], impulses, strict=True)]
    return (tuple(_dot([factors[lower(k, i)] for k in range(i, MOTIONS)], z[i:]) for i in range(MOTIONS)),)


def _gathered_outward(
    factors: tuple[Scalar, ...],
    impulses: tuple[Scalar, Scalar, Scalar],
    place: Scalar,
    stride: Scalar,
    store: Any,
) -> tuple[Any, ...]:
    """Return the motion of a joint's body, and the speeds of its free motions.

    impulses: what they add to z; place: of the parent's motion in the store; stride: distance between its rows.
    """
    parts, start = dict[str, Numbers](), 0
    for name, rows in FACTORS.items():
        parts[name], start = list(factors[start : start + rows]), start + rows
    V = _carried(_stored(store, place, stride, MOTIONS), parts["d"])
    y = [
        a + b - _dot(parts["W"][MOTIONS * k : MOTIONS * (k + 1)], V)
        for k, (a, b) in enumerate(zip(parts["z"], impulses, strict=True))
    ]
    motion = [
        V[i] + parts["b"][i] + _dot([parts["G"][MOTIONS * k + i] for k in range(SLOT_COUNT)], y) for i in range(MOTIONS)
    ]
    inverse = parts["L_inverse"]
    speeds = [_dot([inverse[lower(k, i)] for k in range(i, SLOT_COUNT)], y[i:]) for i in range(SLOT_COUNT)]
    return tuple(motion), tuple(speeds)


_ZEROS = (0.0,) * FACTOR_ROWS
ARTICULATED_PROGRAMS = {
    "tree inward": ProgramSpec(
        "pile tree inward",
        _gathered_inward,
        (JOINT_POINT, (SIX, SIX, SIX), CHOICES, (0.0, 0.0, 0.0), 0.0),
        2,
        "inward",
    ),
    "tree root": ProgramSpec("pile tree root", _root, (0.0, (0.0, 0.0), (0.0, 0.0)), 3, "root"),
    "tree root motion": ProgramSpec(
        "pile tree root motion", _root_motion, ((0.0,) * ROOT_FACTOR_ROWS, SIX), 0, "root motion"
    ),
    "tree outward": ProgramSpec(
        "pile tree outward", _gathered_outward, (_ZEROS, (0.0, 0.0, 0.0), 0.0, 0.0), 1, "outward"
    ),
}
"""The programs over the nodes of trees, by name."""
