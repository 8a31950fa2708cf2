"""Forward dynamics by the divide-and-conquer algorithm: parts are joined in pairs in O(log n) dependent rounds.

    for each part, from the acceleration a_0 of the body before it and the force f_1 on its last body:
        f_0 = J a_0 + p - Y^T f_1        a_1 = Y a_0 + G f_1 + b
    one piece      D = S^T I S + a_r     G = S D^-1 S^T     Y = (1 - G I) X     J = X^T I Y
                   b = (1 - G I) c + S D^-1 (tau - S^T p)     p := X^T (I b + p)
    A, B joined    N = (1 + G_A J_B)^-1     s = N (b_A - G_A p_B)
                   J = J_A + Y_A^T J_B N Y_A     p = p_A + Y_A^T (p_B + J_B s)
                   Y = Y_B N Y_A     b = b_B + Y_B s     G = G_B + Y_B N G_A Y_B^T
    divided        a = N Y_A a_0 + s + N G_A Y_B^T f_1     f = Y_B^T f_1 - J_B a - p_B     v' from a_0 and f

[Featherstone 1999], which describes parts by the forces on both ends. Here the near end has its acceleration instead,
so that bodies need no inverse inertia: 1 + G J is never singular, since G and J are symmetric positive semidefinite.
f_0 is the force from the body before, f the force on the far end of the first part. The assembly tree: assembly.py; the
frames: canonical_frames.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, rigid_biases, rigid_inertias, world_acceleration
from gambol.dynamics.canonical_frames import in_canonical_frames
from gambol.dynamics.forward.assembly import Assembly, Pair, Piece, assembly
from gambol.dynamics.forward.systems import factorised, lower
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import Figure
from gambol.lanes import Scalar, split_point
from gambol.spatial.dense import LU, Rows, dot, matmul, matvec, plus, transposed
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import NO_FORCE, ZERO_MOTION, Force, Motion
from gambol.spatial.vector import Vector

Six = list[Scalar]

UNITS: Rows = [[float(i == k) for k in range(6)] for i in range(6)]
ZEROS: Rows = [[0.0] * 6 for _ in range(6)]


@dataclass(frozen=True, slots=True)
class Part:
    """The response of a part at its two ends; see above."""

    J: Rows
    p: Six
    Y: Rows
    G: Rows
    b: Six


def divide_and_conquer(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> list[Scalar]:
    """Return joint accelerations (nv) in O(log n) rounds after the kinematics; a round has no internal order.

    state, tau, f_ext, gravity: as for aba().
    """
    canonical = in_canonical_frames(state.figure)
    reduced = canonical.state(state)
    a: list[Scalar] = [0.0] * state.figure.nv
    I = rigid_inertias(canonical.figure)
    inputs = _Inputs(reduced, tau, canonical.forces(f_ext), I, rigid_biases(reduced, I))
    root = _conquer(inputs, assembly(canonical.figure))
    root.divide(_six(world_acceleration(gravity)), [0.0] * 6, a)
    return a


def assembly_depth(figure: Figure) -> int:
    """Return the number of dependent rounds inward; there are as many outward."""
    return assembly(figure).depth


@dataclass(frozen=True, slots=True)
class _Inputs:
    """Inputs of forward dynamics; I, p: rigid inertias and bias forces, by link number."""

    state: Kinematics
    tau: Sequence[Scalar]
    f_ext: Mapping[int, Force]
    I: list[Inertia]
    p: list[Force]


def _conquer(inputs: _Inputs, plan: Assembly) -> "_Leaf | _Node":
    return _Leaf(inputs, plan) if isinstance(plan, Piece) else _Node(inputs, plan)


class _Node:
    """Two joined parts."""

    def __init__(self, inputs: _Inputs, plan: Pair) -> None:
        self.first, self.second = _conquer(inputs, plan.first), _conquer(inputs, plan.second)
        A, B = self.first.part, self.second.part
        split_point()
        N = LU.of(plus(UNITS, matmul(A.G, B.J)))
        self.NY, NG = (transposed(N.solve(column) for column in transposed(M)) for M in (A.Y, A.G))
        self.s = N.solve(matvec(A.G, [-x for x in B.p], onto=A.b))
        back, out = transposed(A.Y), transposed(B.Y)
        self.NGY = matmul(NG, out)
        self.part = Part(
            _symmetric(back, matmul(B.J, self.NY), onto=A.J),
            matvec(back, matvec(B.J, self.s, onto=B.p), onto=A.p),
            matmul(B.Y, self.NY),
            _symmetric(B.Y, self.NGY, onto=B.G),
            matvec(B.Y, self.s, onto=B.b),
        )

    def divide(self, a_0: Six, f_1: Six, v_dot: list[Scalar]) -> None:
        """Fill in the joint accelerations v_dot; a_0: acceleration before the part, f_1: force on its last body."""
        B = self.second.part
        split_point()
        a = matvec(self.NY, a_0, onto=matvec(self.NGY, f_1, onto=self.s))
        Ja = matvec(B.J, a, onto=B.p)
        f = [x - y for x, y in zip(matvec(transposed(B.Y), f_1), Ja, strict=True)]
        self.first.divide(a_0, f, v_dot)
        self.second.divide(a, f_1, v_dot)


class _Leaf:
    """One body with its branches, behind a joint or a stack of joints that act as one."""

    def __init__(self, inputs: _Inputs, plan: Piece) -> None:
        self.plan, body = plan, plan.links[-1].index
        self.branches = [[_conquer(inputs, branch) for branch in group] for group in plan.branches]
        split_point()
        loads = [_summed([[b.part.p] for b in group]) for group in self.branches]
        joint = _compound_joint(inputs, plan, loads)
        self.I = _summed([_dense(inputs.I[body]), *(b.part.J for b in self.branches[-1])])
        self.p = _six(inputs.p[body] - joint.force)
        self.X, self.c = transposed(_six(m) for m in joint.frame), _six(joint.bias)
        S = [_six(m) for m in joint.columns]
        D = plus([[dot(s, u) for u in (matvec(self.I, t) for t in S)] for s in S], joint.rotors)
        factors = factorised(lower(D))
        solutions = [factors.solve([s[k] for s in S]) for k in range(6)]
        self.pull = transposed(solutions)
        self.push = factors.solve([t - dot(s, self.p) for t, s in zip(joint.tau, S, strict=True)])
        G = [_combination(S, solution) for solution in solutions]
        free = plus(UNITS, [[-x for x in row] for row in matmul(G, self.I)])
        Y, b = matmul(free, self.X), matvec(free, self.c, onto=_combination(S, self.push))
        back = transposed(self.X)
        J = _symmetric(back, matmul(self.I, Y), onto=ZEROS)
        self.part = Part(J, matvec(back, matvec(self.I, b, onto=self.p)), Y, G, b)

    def divide(self, a_0: Six, f_1: Six, v_dot: list[Scalar]) -> None:
        """Fill in the joint accelerations of the body and of its branches; a_0, f_1: as for a pair."""
        split_point()
        a = matvec(self.X, a_0, onto=self.c)
        force = matvec(self.I, a, onto=[-x for x in f_1])
        own = [x - y for x, y in zip(self.push, matvec(self.pull, force), strict=True)]
        freedoms = [k for link in self.plan.links for k in range(link.v.start, link.v.stop)]
        for k, value in zip(freedoms, own, strict=True):
            v_dot[k] = value
        a_1 = matvec(self.part.Y, a_0, onto=matvec(self.part.G, f_1, onto=self.part.b))
        for branch in self.branches[-1]:
            branch.divide(a_1, [0.0] * 6, v_dot)


@dataclass(frozen=True, slots=True)
class _CompoundJoint:
    """The joints of one piece as one, in coordinates of its body.

    frame: images of unit motions of the body before. columns: the motion subspace. bias: velocity-product
    acceleration. tau, rotors: along the columns. force: external, on the body.
    """

    frame: list[Motion]
    columns: list[Motion]
    bias: Motion
    tau: list[Scalar]
    rotors: Rows
    force: Force


def _compound_joint(inputs: _Inputs, plan: Piece, loads: list[Rows]) -> _CompoundJoint:
    """Return the joints of a piece as one; loads: for each link the force that its branches take.

    A force on a massless link is passed on to the next one, where it has the same effect except on the joint between.
    """
    frame, columns, bias, force = [Motion.axis(k) for k in range(6)], list[Motion](), ZERO_MOTION, NO_FORCE
    tau: list[Scalar] = []
    rotors: list[Scalar] = []
    for link, load in zip(plan.links, loads, strict=True):
        joint = inputs.state.joints[link.index]
        S_link = [joint.to_link(S) for S in joint.columns]
        force = joint.X_PL.inverse @ force
        tau += [t - S.dot(force) for t, S in zip(inputs.tau[link.v], S_link, strict=True)]
        rotors += [link.joint.armature for _ in S_link]
        columns = [*(joint.to_link(joint.X_PJ.apply_inverse(m)) for m in columns), *S_link]
        frame = [joint.to_link(joint.X_PJ.apply_inverse(m)) for m in frame]
        bias = joint.to_link(inputs.state.inherited_acceleration(link.index, bias))
        force = force + inputs.f_ext.get(link.index, NO_FORCE)
        if load:
            force = force - Force(Vector(*load[0][:3]), Vector(*load[0][3:]))
    diagonal: Rows = [[x if i == k else 0.0 for k in range(len(rotors))] for i, x in enumerate(rotors)]
    return _CompoundJoint(frame, columns, bias, tau, diagonal, force)


def _dense(I: Inertia) -> Rows:
    return [_six(I.column(k)) for k in range(6)]


def _symmetric(A: Rows, B: Rows, onto: Rows) -> Rows:
    """Return onto + A B, known to be symmetric, computed on and above the diagonal only."""
    columns = transposed(B)
    above = [[dot(A[i], columns[k], onto[i][k]) if k >= i else 0.0 for k in range(6)] for i in range(6)]
    return [[above[min(i, k)][max(i, k)] for k in range(6)] for i in range(6)]


def _combination(S: Rows, x: Sequence[Scalar]) -> Six:
    """Return S x: the motion of joint velocities x."""
    return [dot([s[i] for s in S], x) for i in range(6)]


def _six(x: Motion | Force) -> Six:
    return [x[k] for k in range(6)]


def _summed(terms: list[Rows]) -> Rows:
    """Return the sum of matrices, added in pairs; empty without any."""
    while len(terms) > 1:
        pairs = [plus(A, B) for A, B in zip(terms[::2], terms[1::2], strict=False)]
        terms = pairs + terms[len(terms) - len(terms) % 2 :]
    return terms[0] if terms else []
