"""The response of a hybrid body to impulses, in factors, and sweeps over contacts and joint limits by them.

The matrix of responses Lambda_ij (velocity of group i for a unit impulse on group j) has factors along the tree:

    L = (1 - S W^T) X^-1       Lambda = L Lambda_P L^T + S D^-1 S^T       Lambda_ij = L .. Lambda_kk .. L^T

with k the last common ancestor of i and j. [Gayle, Lin and Manocha 2006, section 4; Featherstone 2008, section 9.3]
One sweep of projected Gauss-Seidel visits the groups along a closed path through the tree, and carries velocities and
impulses with it, so that a sweep takes a time proportional to the number of groups and contacts:

    down to c     V = V_c + L (V_P - V_P')          V_P': velocity of the parent when V_c was last known
    up from c     T = L^T P_c + Q_c                 V = V_P' + Lambda T          P = P_P' + T
    contact       d = change of its impulse         V += W d    W = Lambda J^T    P += J^T d
    limit         V += dV d                         Q += dT d   dT = -X W_S      dV = S D^-1 + L Lambda_P dT

P: the impulses on a group and behind it since the path came down to it. Q: those that a joint limit has on the parent.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from gambol.dynamics.adaptive.closing_pass import UPPER_6, full
from gambol.dynamics.adaptive.passes import POSE_ROWS, entries, force_of, motion_of, pass_program, transform_of
from gambol.lanes import Program, ProgramSpec, Scalar, leaves, maximum, sqrt, unflatten, when, where
from gambol.spatial.dense import Rows, dot, matmul, matvec, transposed
from gambol.spatial.motion import Motion
from gambol.spatial.vector import Vector

Numbers = Sequence[Scalar]

RESPONSE_ROWS = 63  # change of velocity 6, L 36, Lambda 21
STATE_ROWS = 23  # V 6, P 6, Q 6, impulses of the contact 3 and of the limit, largest change of a speed
CONTACT_ROWS = 47  # J 18, W 18, J W 6, target speed, friction, compliances 2, bound of the tangential stiffness
LIMIT_ROWS = 26  # dT, dV, rate by V and by V_P 6 each, stiffness, target speed
STAY, DOWN, UP, START = 0.0, 1.0, 2.0, 3.0


def response_step(index: Numbers, widths: Numbers, *tables: Any) -> Any:
    """Return the responses of a step (RESPONSE_ROWS); those at the last step of a joint are of its group.

    index: columns of its joint, its direction, its W and D^-1, and the previous step, and 1 for the first step of a
    joint. widths: widths of the tables of joints, directions, W and results. tables: these, of which the third is that
    of the rates of directions, (1, directions).
    """
    joints, subspace, rates, articulated, results = tables
    joint, direction, column, parent, is_first = index
    X = transform_of(entries(joints, widths[0], joint, POSE_ROWS))
    S = entries(subspace, widths[1], direction, 6)
    (rate,) = entries(rates, widths[1], direction, 1)
    *W, _, D_inverse = entries(articulated, widths[2], column, 8)
    before = entries(results, widths[3], parent, RESPONSE_ROWS)
    X_inverse = transposed([leaves(X.apply_inverse(Motion.axis(k))) for k in range(6)])
    dV = X.apply_inverse(motion_of(before[:6])) + motion_of(S) * rate
    so_far: Rows = unflatten(X_inverse, iter(before[6:42]))
    base = [
        [where(is_first > 0.5, x, y) for x, y in zip(*rows, strict=True)]
        for rows in zip(X_inverse, so_far, strict=True)
    ]
    along = [dot(W, column) for column in transposed(base)]
    L = [[x - s * y for x, y in zip(row, along, strict=True)] for row, s in zip(base, S, strict=True)]
    inherited = matmul(X_inverse, matmul(full(unflatten(UPPER_6, iter(before[42:]))), transposed(X_inverse)))
    u = matvec(inherited, W)
    half = 0.5 * dot(W, u, D_inverse)
    y = [half * s - x for s, x in zip(S, u, strict=True)]
    response = [inherited[i][k] + (S[i] * y[k] + y[i] * S[k]) for i in range(6) for k in range(i, 6)]
    return (leaves((dV, L, response)),)


def sweep_step(index: Numbers, widths: Numbers, states: Any, responses: Any, contacts: Any, limits: Any) -> Any:
    """Return the state after an item of the path (STATE_ROWS).

    index: kind of move (STAY, DOWN, UP or START), the columns of the state before it, of the last state of its group,
    of the parent's state when it was left (DOWN), and of its own; the columns of the responses of its group and of the
    joint passed; and those of its contact and of its limit, -1: none. widths: widths of the four tables.
    """
    kind, before, last, left, own, group, joint, contact, limit = index
    previous, base = (entries(states, widths[0], column, 18) for column in (before, last))
    impulses = entries(states, widths[0], own + 18.0 * widths[0], 4)
    no_motion, unmoved = [0.0] * 6, (previous[:6], previous[6:12], previous[12:])

    def down() -> Any:
        L: Rows = unflatten([no_motion] * 6, iter(entries(responses, widths[1], joint + 6.0 * widths[1], 36)))
        parent_before = entries(states, widths[0], left, 6)
        change = [a - b for a, b in zip(previous[:6], parent_before, strict=True)]
        return matvec(L, change, addend=base[:6]), no_motion, no_motion

    def up() -> Any:
        L: Rows = unflatten([no_motion] * 6, iter(entries(responses, widths[1], joint + 6.0 * widths[1], 36)))
        T = matvec(transposed(L), previous[6:12], addend=previous[12:])
        V = matvec(_response(responses, widths[1], group), T, addend=base[:6])
        return V, [a + b for a, b in zip(base[6:12], T, strict=True)], base[12:]

    arrived = when(kind == UP, up, otherwise=when(kind == DOWN, down, otherwise=unmoved))
    starts = kind == START
    P_0, Q_0 = ([where(starts, 0.0, x) for x in row] for row in arrived[1:])
    V_P = [where(starts, 0.0, x) for x in previous[:6]]

    def limited(V: Numbers, Q: Numbers) -> Any:
        numbers = entries(limits, widths[3], limit, LIMIT_ROWS)
        dT, dV, by_V, by_parent = (numbers[k : k + 6] for k in (0, 6, 12, 18))
        speed = dot(by_V, V, dot(by_parent, V_P))
        impulse = maximum(impulses[3] + (numbers[25] - speed) / numbers[24], 0.0)
        d = impulse - impulses[3]
        changed = ([a + d * b for a, b in zip(x, y, strict=True)] for x, y in ((V, dV), (Q, dT)))
        return (*changed, impulse, abs(d) * numbers[24])

    def touched(V: Numbers, P: Numbers) -> Any:
        numbers = entries(contacts, widths[2], contact, CONTACT_ROWS)
        return _contact_impulse(numbers, impulses[:3], V, P)

    unlimited, untouched = (arrived[0], Q_0, impulses[3], 0.0), (P_0, impulses[:3], 0.0)
    V_1, Q, at_limit, change = when(limit > -0.5, limited, arrived[0], Q_0, otherwise=unlimited)
    V, P, at_contact, other = when(contact > -0.5, touched, V_1, P_0, otherwise=(V_1, *untouched))
    return (leaves((V, P, Q, at_contact, at_limit, maximum(change, other))),)


def _contact_impulse(numbers: Numbers, impulses: Numbers, V: Numbers, P: Numbers) -> Any:
    """Return V and P after the impulse of a contact is set, its impulse (3), and the largest change of its speed."""
    J, W = ([numbers[start + 6 * k : start + 6 * k + 6] for k in range(3)] for start in (0, 18))
    (K_nn, K_n1, K_n2), target = numbers[36:39], numbers[42]
    friction, softness, tangent_softness, K_t = numbers[43:47]
    v_n, v_1, v_2 = (dot(row, V) for row in J)
    normal = maximum(impulses[0] + (target - v_n - softness * impulses[0]) / (K_nn + softness), 0.0)
    d = normal - impulses[0]
    slips = (v_1 + K_n1 * d, v_2 + K_n2 * d)
    wanted = [p - (v + tangent_softness * p) / K_t for p, v in zip(impulses[1:], slips, strict=True)]
    size, limit = sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1]), friction * normal
    scale = where(size > limit, limit / maximum(size, 1e-300), 1.0)
    tangential = [scale * x for x in wanted]
    changes = [d, *(a - b for a, b in zip(tangential, impulses[1:], strict=True))]
    new_V, new_P = (
        [dot(changes, column, x) for x, column in zip(before, transposed(rows), strict=True)]
        for before, rows in ((V, W), (P, J))
    )
    largest = maximum((K_nn + softness) * abs(d), K_t * maximum(abs(changes[1]), abs(changes[2])))
    return new_V, new_P, [normal, *tangential], largest


def contact_rows(group: Scalar, width: Scalar, normal: Numbers, point: Numbers, responses: Any) -> Any:
    """Return J, W and J W (42) of a contact, and a bound of the eigenvalues of the tangential part of J W.

    group: column of its group in the table of responses, which is `width` wide. normal, point: in the group's axes.
    """
    n, r = Vector.of(normal), Vector.of(point)
    along = where(abs(n.x) < 0.6, 1.0, 0.0)  # the axis is not nearly parallel to the normal
    first = n.cross(Vector(along, 1.0 - along, 0.0))
    first = first * (1.0 / sqrt(first.dot(first)))
    J = [leaves((r.cross(axis), axis)) for axis in (n, first, n.cross(first))]
    response = _response(responses, width, group)
    W = [matvec(response, row) for row in J]
    K = [[dot(a, b) for b in W] for a in J]
    upper = [K[i][k] for i in range(3) for k in range(i, 3)]
    return (leaves((J, W, upper)), [maximum(K[1][1], K[2][2]) + abs(K[1][2])])


def limit_rows(index: Numbers, widths: Numbers, sign: Scalar, *tables: Any) -> Any:
    """Return the rows of a joint limit (LIMIT_ROWS - 1), for a joint with one degree of freedom.

    index: columns of its joint, its direction, its W and D^-1, its group and the parent group. widths: widths of the
    tables of joints, directions, W, and responses. sign: 1 for the lower limit, -1 for the upper.
    """
    joints, subspace, articulated, responses = tables
    joint, direction, column, group, parent = index
    X = transform_of(entries(joints, widths[0], joint, POSE_ROWS))
    S = [sign * x for x in entries(subspace, widths[1], direction, 6)]
    *W, _, D_inverse = entries(articulated, widths[2], column, 8)
    dT = leaves(X @ force_of([-sign * x for x in W]))
    moved = matvec(_response(responses, widths[3], parent), dT)
    L: Rows = unflatten([[0.0] * 6] * 6, iter(entries(responses, widths[3], group + 6.0 * widths[3], 36)))
    dV = matvec(L, moved, addend=[D_inverse * s for s in S])
    by_V = [s / dot(S, S) for s in S]
    by_parent = leaves(X @ force_of([-s for s in by_V]))
    return ([*dT, *dV, *by_V, *by_parent, dot(dT, moved, D_inverse)],)


def _response(responses: Any, width: Scalar, group: Scalar) -> Rows:
    upper = entries(responses, width, group + 42.0 * width, 21)
    return full(unflatten(UPPER_6, iter(upper)))


@cache
def response_pass() -> Program:
    """Return the program of response_step()."""
    return pass_program("response pass", response_step, ([0.0] * 5, [0.0] * 4), 5)


@cache
def sweep_pass() -> Program:
    """Return the program of sweep_step()."""
    return pass_program("sweep pass", sweep_step, ([0.0] * 9, [0.0] * 4), 4)


@cache
def contact_program() -> Program:
    """Return the program of contact_rows()."""
    return Program(ProgramSpec("contact rows", contact_rows, (0.0, 0.0, [0.0] * 3, [0.0] * 3), 1, key="pass"))


@cache
def limit_pass() -> Program:
    """Return the program of limit_rows()."""
    return pass_program("limit rows", limit_rows, ([0.0] * 5, [0.0] * 4, 0.0), 4)
