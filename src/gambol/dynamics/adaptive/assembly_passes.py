"""Two passes over the parts between active joints: responses upward, accelerations downward, each by one program.

    upward     through a direction S of the joint, from the part B behind it:
                   U = J S    D = S.U + a_r    W = U / D    x = (tau - S.p) / D    V = Y S
                   J^ = J - U W^T    p^ = p + U x    Y^ = Y - V W^T    G^ = G + V V^T / D    b^ = b + V x
               to the part before the joint:     J' = X^T J^ X    p' = X^T (J^ c + p^)    Y' = Y^ X    b' = b^ + Y^ c
               then both are joined as in forward/divide_and_conquer.py; in a branch, with Y' = 1, G' = 0, b' = 0
    downward   t = N Y_A a_0 + N G_A Y'^T f_1 + s      f_A = Y'^T f_1 - J' t - p'
               q'' = x - W.(X t + c) + V.f_B / D       a_B = X t + c + S q''

These are the formulas of response.py for one state (K = 1) and one direction at a time. As in passes.py, a step is one
degree of freedom, and a joint with several is a series of steps, whose first parts have no effect (Y = 1, G = 0).
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from gambol.dynamics.adaptive.passes import entries, force_of, motion_of, pass_program
from gambol.dynamics.forward.divide_and_conquer import Response, joined
from gambol.lanes import Program, Scalar, leaves, unflatten, where
from gambol.spatial.dense import Rows, dot, matmul, matvec, transposed
from gambol.spatial.motion import Motion, Transform
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import Vector

Numbers = Sequence[Scalar]

RESPONSE_ROWS = 120  # J, Y, G 36 each, p, b 6 each
STEP_ROWS = 27  # rotation 9, position 3, c 6, S 6, joint force, rotor inertia, 1 in a series or 0 in a branch
MAP_ROWS = 169  # N Y_A, N G_A Y'^T, J', Y' 36 each, s, p', W 6 each, x, V / D 6
ENDS_ROWS = 25  # a_0 and f_1 of the first part, of the second part, and q''

ZERO_6X6: Rows = [[0.0] * 6 for _ in range(6)]
RESPONSE_STRUCTURE = Response(ZERO_6X6, [0.0] * 6, ZERO_6X6, ZERO_6X6, [0.0] * 6)
MAP_STRUCTURE = (ZERO_6X6, ZERO_6X6, ZERO_6X6, ZERO_6X6, [0.0] * 6, [0.0] * 6, [0.0] * 6, 0.0, [0.0] * 6)


def conquer_step(index: Numbers, width: Scalar, step: Numbers, responses: Any) -> Any:
    """Return the response of two joined parts (RESPONSE_ROWS) and the maps that divide_step() needs (MAP_ROWS).

    index: columns of the first and the second part. width: width of the table of responses, into which results are
    written. step: see STEP_ROWS.
    """
    first, second = (unflatten(RESPONSE_STRUCTURE, iter(entries(responses, width, i, RESPONSE_ROWS))) for i in index)
    X, c, S = _joint(step)
    tau, rotor, series = step[24:]
    through, W, x, V_D = _through(second, leaves(S), tau, rotor)
    before = _before_joint(through, X, leaves(c), series > 0.5)
    result = joined(first, before)
    maps = (result.NY, result.NGY, before.J, before.Y, result.s, before.p, W, x, V_D)
    return leaves(result.response), leaves(maps)


def divide_step(source: Numbers, width: Scalar, step: Numbers, maps: Numbers, ends: Any) -> Any:
    """Return a_0 and f_1 of the first and of the second part, and the acceleration along the direction (ENDS_ROWS).

    source: index of the first entry of the joined part's a_0 and f_1 in the table of results, which is `width` wide.
    maps: maps of conquer_step().
    """
    X, c, S = _joint(step)
    NY, NGY, J, Y, s, p, W, x, V_D = unflatten(MAP_STRUCTURE, iter(maps))
    z = entries(ends, width, source[0], 12)
    a_0, f_1 = z[:6], z[6:]
    t = matvec(NY, a_0, addend=matvec(NGY, f_1, addend=s))
    f_t = matvec(J, t, addend=p)
    f_first = [f - g for f, g in zip(matvec(transposed(Y), f_1), f_t, strict=True)]
    f_second = [where(step[26] > 0.5, f, 0.0) for f in f_1]
    inherited = X.apply_inverse(motion_of(t)) + c
    rate = (-inherited).dot(force_of(W), dot(V_D, f_second, x))
    return ([*a_0, *f_first, *leaves(inherited + S * rate), *f_second, rate],)


@cache
def conquer_pass() -> Program:
    """Return the program of conquer_step()."""
    return pass_program("conquer pass", conquer_step, ([0.0] * 2, 0.0, [0.0] * STEP_ROWS), 1)


@cache
def divide_pass() -> Program:
    """Return the program of divide_step()."""
    return pass_program("divide pass", divide_step, ([0.0], 0.0, [0.0] * STEP_ROWS, [0.0] * MAP_ROWS), 1)


def _through(part: Response, S: Numbers, tau: Scalar, rotor: Scalar) -> tuple[Response, Numbers, Scalar, Numbers]:
    """Return the response of a part through a direction S of its joint, and W, x and V / D."""
    U, V = matvec(part.J, S), matvec(part.Y, S)
    D_inverse = 1.0 / dot(S, U, rotor)
    W, V_D, x = [u * D_inverse for u in U], [v * D_inverse for v in V], (tau - dot(S, part.p)) * D_inverse
    through = Response(
        _minus_outer(part.J, U, W),
        [a + u * x for a, u in zip(part.p, U, strict=True)],
        _minus_outer(part.Y, V, W),
        _minus_outer(part.G, V, [-v for v in V_D]),
        [a + v * x for a, v in zip(part.b, V, strict=True)],
    )
    return through, W, x, V_D


def _before_joint(part: Response, X: Transform, c: Numbers, in_series: Any) -> Response:
    """Return the response of a part at the body before its joint; in a branch Y = 1, G = 0, b = 0."""
    X_T = [leaves(X.apply_inverse(Motion.axis(k))) for k in range(6)]
    X_columns = transposed(X_T)
    return Response(
        matmul(X_T, matmul(part.J, X_columns)),
        matvec(X_T, matvec(part.J, c, addend=part.p)),
        _where(in_series, matmul(part.Y, X_columns), 1.0),
        _where(in_series, part.G, 0.0),
        [where(in_series, value, 0.0) for value in matvec(part.Y, c, addend=part.b)],
    )


def _joint(step: Numbers) -> tuple[Transform, Motion, Motion]:
    """Return X, c and S of a step."""
    X = Transform(Rotation.of([step[0:3], step[3:6], step[6:9]]), Vector.of(step[9:12]))
    return X, motion_of(step[12:18]), motion_of(step[18:24])


def _minus_outer(A: Rows, u: Numbers, w: Numbers) -> Rows:
    """Return A - u w^T."""
    return [[a - x * y for a, y in zip(row, w, strict=True)] for row, x in zip(A, u, strict=True)]


def _where(condition: Any, A: Rows, diagonal: float) -> Rows:
    """Return A where the condition holds, else `diagonal` times the identity matrix."""
    return [[where(condition, a, diagonal if i == k else 0.0) for k, a in enumerate(row)] for i, row in enumerate(A)]
