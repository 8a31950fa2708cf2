"""Forward dynamics by the divide-and-conquer algorithm: assemblies are joined in pairs in O(log n) dependent rounds.

    for each assembly, from the acceleration a_0 of the body before it and the force f_1 on its last body:
        f_0 = J a_0 + p - Y^T f_1        a_1 = Y a_0 + G f_1 + b
    one piece      D = S^T I S + a_r     G = S D^-1 S^T     Y = (1 - G I) X     J = X^T I Y
                   b = (1 - G I) c + S D^-1 (tau - S^T p)     p := X^T (I b + p)
    A, B joined    N = (1 + G_A J_B)^-1     s = N (b_A - G_A p_B)
                   J = J_A + Y_A^T J_B N Y_A     p = p_A + Y_A^T (p_B + J_B s)
                   Y = Y_B N Y_A     b = b_B + Y_B s     G = G_B + Y_B N G_A Y_B^T
    divided        a = N Y_A a_0 + s + N G_A Y_B^T f_1     f = Y_B^T f_1 - J_B a - p_B     v' from a_0 and f

[Featherstone 1999] describes an assembly by the forces on its first and last body. Here the acceleration a_0 replaces
the force on the first body, so that bodies need no inverse inertia: 1 + G J is never singular, since G and J are
symmetric positive semidefinite. f_0 is the force from the body before, f the force on the last body of assembly A.
Assembly tree: assembly.py. Frames: canonical_frames.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, rigid_biases, rigid_inertias, world_acceleration
from gambol.dynamics.canonical_frames import canonical_figure
from gambol.dynamics.forward.assembly import Assembly, Pair, Piece, assembly_tree
from gambol.dynamics.forward.systems import factorised, lower
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import Figure
from gambol.lanes import Scalar, split_point
from gambol.spatial.dense import LU, Rows, dot, matmul, matvec, plus, transposed
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import NO_FORCE, ZERO_MOTION, Force, Motion
from gambol.spatial.vector import Vector

Vector6 = list[Scalar]

IDENTITY_6: Rows = [[float(i == k) for k in range(6)] for i in range(6)]
ZERO_6: Rows = [[0.0] * 6 for _ in range(6)]


@dataclass(frozen=True, slots=True)
class Response:
    """The response of an assembly at its two ends; the letters are those of the module's formulas."""

    J: Rows
    p: Vector6
    Y: Rows
    G: Rows
    b: Vector6


@dataclass(frozen=True, slots=True)
class Joined:
    """Two joined assemblies A and B: their response, and N Y_A, N G_A Y_B^T and s of the module's formulas."""

    response: Response
    NY: Rows
    NGY: Rows
    s: Vector6


def joined(A: Response, B: Response) -> Joined:
    """Return the response of two assemblies joined, and the matrices for dividing them in the outward pass."""
    N = LU.of(plus(IDENTITY_6, matmul(A.G, B.J)))
    NY, NG = (transposed(N.solve(column) for column in transposed(M)) for M in (A.Y, A.G))
    s = N.solve(matvec(A.G, [-x for x in B.p], addend=A.b))
    Y_A_T, Y_B_T = transposed(A.Y), transposed(B.Y)
    NGY = matmul(NG, Y_B_T)
    response = Response(
        _symmetric(Y_A_T, matmul(B.J, NY), addend=A.J),
        matvec(Y_A_T, matvec(B.J, s, addend=B.p), addend=A.p),
        matmul(B.Y, NY),
        _symmetric(B.Y, NGY, addend=B.G),
        matvec(B.Y, s, addend=B.b),
    )
    return Joined(response, NY, NGY, s)


def divide_and_conquer(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> list[Scalar]:
    """Return joint accelerations (nv) in O(log n) rounds after the kinematics; operations of one round are independent.

    state, tau, f_ext, gravity: as for aba().
    """
    canonical = canonical_figure(state.figure)
    reduced = canonical.state(state)
    a: list[Scalar] = [0.0] * state.figure.nv
    I = rigid_inertias(canonical.figure)
    inputs = _Inputs(reduced, tau, canonical.forces(f_ext), I, rigid_biases(reduced, I))
    root = _conquer(inputs, assembly_tree(canonical.figure))
    root.divide(_vector6(world_acceleration(gravity)), [0.0] * 6, a)
    return a


def assembly_depth(figure: Figure) -> int:
    """Return the number of dependent rounds of the inward pass, and of the outward pass."""
    return assembly_tree(figure).depth


@dataclass(frozen=True, slots=True)
class _Inputs:
    """Inputs of forward dynamics; I, p: rigid inertias and bias forces, by link index."""

    state: Kinematics
    tau: Sequence[Scalar]
    f_ext: Mapping[int, Force]
    I: list[Inertia]
    p: list[Force]


def _conquer(inputs: _Inputs, subtree: Assembly) -> "_Leaf | _Node":
    return _Leaf(inputs, subtree) if isinstance(subtree, Piece) else _Node(inputs, subtree)


class _Node:
    """Two joined assemblies."""

    def __init__(self, inputs: _Inputs, pair: Pair) -> None:
        self.first, self.second = _conquer(inputs, pair.first), _conquer(inputs, pair.second)
        split_point()
        self.joined = joined(self.first.response, self.second.response)
        self.response = self.joined.response

    def divide(self, a_0: Vector6, f_1: Vector6, v_dot: list[Scalar]) -> None:
        """Set the joint accelerations v_dot (nv).

        a_0: acceleration of the body before the assembly. f_1: force on its last body.
        """
        B = self.second.response
        split_point()
        N = self.joined
        a = matvec(N.NY, a_0, addend=matvec(N.NGY, f_1, addend=N.s))
        Ja = matvec(B.J, a, addend=B.p)
        f = [x - y for x, y in zip(matvec(transposed(B.Y), f_1), Ja, strict=True)]
        self.first.divide(a_0, f, v_dot)
        self.second.divide(a, f_1, v_dot)


class _Leaf:
    """One body with its branches and its joint, which may be a compound joint."""

    def __init__(self, inputs: _Inputs, piece: Piece) -> None:
        self.piece, body = piece, piece.links[-1].index
        self.branches = [[_conquer(inputs, branch) for branch in group] for group in piece.branches]
        split_point()
        branch_biases = [_pairwise_sum([[b.response.p] for b in group]) for group in self.branches]
        joint = _compound_joint(inputs, piece, branch_biases)
        self.I = _pairwise_sum([_dense(inputs.I[body]), *(b.response.J for b in self.branches[-1])])
        self.p = _vector6(inputs.p[body] - joint.force)
        self.X, self.c = transposed(_vector6(m) for m in joint.frame), _vector6(joint.bias)
        S = [_vector6(m) for m in joint.columns]
        D = plus([[dot(s, u) for u in (matvec(self.I, t) for t in S)] for s in S], joint.rotors)
        factors = factorised(lower(D))
        solutions = [factors.solve([s[k] for s in S]) for k in range(6)]
        self.D_inverse_S = transposed(solutions)
        self.x = factors.solve([t - dot(s, self.p) for t, s in zip(joint.tau, S, strict=True)])
        G = [_combination(S, solution) for solution in solutions]
        one_minus_GI = plus(IDENTITY_6, [[-x for x in row] for row in matmul(G, self.I)])
        Y, b = matmul(one_minus_GI, self.X), matvec(one_minus_GI, self.c, addend=_combination(S, self.x))
        X_T = transposed(self.X)
        J = _symmetric(X_T, matmul(self.I, Y), addend=ZERO_6)
        self.response = Response(J, matvec(X_T, matvec(self.I, b, addend=self.p)), Y, G, b)

    def divide(self, a_0: Vector6, f_1: Vector6, v_dot: list[Scalar]) -> None:
        """Set the joint accelerations v_dot of the body and of its branches; a_0, f_1: as for _Node."""
        split_point()
        a = matvec(self.X, a_0, addend=self.c)
        force = matvec(self.I, a, addend=[-x for x in f_1])
        v_dot_piece = [x - y for x, y in zip(self.x, matvec(self.D_inverse_S, force), strict=True)]
        dofs = [k for link in self.piece.links for k in range(link.v.start, link.v.stop)]
        for k, value in zip(dofs, v_dot_piece, strict=True):
            v_dot[k] = value
        a_1 = matvec(self.response.Y, a_0, addend=matvec(self.response.G, f_1, addend=self.response.b))
        for branch in self.branches[-1]:
            branch.divide(a_1, [0.0] * 6, v_dot)


@dataclass(frozen=True, slots=True)
class _CompoundJoint:
    """The joints of one piece as one joint, in coordinates of its body.

    frame: the six unit motions of the body before, in coordinates of this body. columns: the motion subspace. bias:
    velocity-product acceleration. tau: joint forces along the columns. rotors: diagonal matrix of the rotor inertias.
    force: external force on the body.
    """

    frame: list[Motion]
    columns: list[Motion]
    bias: Motion
    tau: list[Scalar]
    rotors: Rows
    force: Force


def _compound_joint(inputs: _Inputs, piece: Piece, branch_biases: list[Rows]) -> _CompoundJoint:
    """Return the joints of a piece as one joint; branch_biases: for each link, the bias force p of its branches.

    A force on a massless link is moved to the next link; the joint between the two gets the opposite joint force.
    """
    frame, columns, bias, force = [Motion.axis(k) for k in range(6)], list[Motion](), ZERO_MOTION, NO_FORCE
    tau: list[Scalar] = []
    rotors: list[Scalar] = []
    for link, p in zip(piece.links, branch_biases, strict=True):
        joint = inputs.state.joints[link.index]
        S_link = [joint.to_link(S) for S in joint.columns]
        force = joint.X_PL.inverse @ force
        tau += [t - S.dot(force) for t, S in zip(inputs.tau[link.v], S_link, strict=True)]
        rotors += [link.joint.armature for _ in S_link]
        columns = [*(joint.to_link(joint.X_PJ.apply_inverse(m)) for m in columns), *S_link]
        frame = [joint.to_link(joint.X_PJ.apply_inverse(m)) for m in frame]
        bias = joint.to_link(inputs.state.inherited_acceleration(link.index, bias))
        force = force + inputs.f_ext.get(link.index, NO_FORCE)
        if p:
            force = force - Force(Vector(*p[0][:3]), Vector(*p[0][3:]))
    diagonal: Rows = [[x if i == k else 0.0 for k in range(len(rotors))] for i, x in enumerate(rotors)]
    return _CompoundJoint(frame, columns, bias, tau, diagonal, force)


def _dense(I: Inertia) -> Rows:
    return [_vector6(I.column(k)) for k in range(6)]


def _symmetric(A: Rows, B: Rows, addend: Rows) -> Rows:
    """Return addend + A B, which is symmetric: only the upper triangle is computed."""
    columns = transposed(B)
    above = [[dot(A[i], columns[k], addend[i][k]) if k >= i else 0.0 for k in range(6)] for i in range(6)]
    return [[above[min(i, k)][max(i, k)] for k in range(6)] for i in range(6)]


def _combination(S: Rows, x: Sequence[Scalar]) -> Vector6:
    """Return S x: the motion of joint velocities x."""
    return [dot([s[i] for s in S], x) for i in range(6)]


def _vector6(x: Motion | Force) -> Vector6:
    return [x[k] for k in range(6)]


def _pairwise_sum(terms: list[Rows]) -> Rows:
    """Return the sum of matrices, added in pairs; empty if there are none."""
    while len(terms) > 1:
        pairs = [plus(A, B) for A, B in zip(terms[::2], terms[1::2], strict=False)]
        terms = pairs + terms[len(terms) - len(terms) % 2 :]
    return terms[0] if terms else []
