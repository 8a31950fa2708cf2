"""Forward dynamics by dividing a figure and joining its parts in pairs: O(log n) dependent rounds of O(1) work.

    of each part, from the acceleration a_0 of the body it hangs on and the force f_1 that its last body is given:
        f_0 = J a_0 + p - Y^T f_1        a_1 = Y a_0 + G f_1 + b
    one piece      D = S^T I S + a_r     G = S D^-1 S^T     Y = (1 - G I) X     J = X^T I Y
                   b = (1 - G I) c + S D^-1 (tau - S^T p)     p := X^T (I b + p)
    A, B joined    N = (1 + G_A J_B)^-1     s = N (b_A - G_A p_B)
                   J = J_A + Y_A^T J_B N Y_A     p = p_A + Y_A^T (p_B + J_B s)
                   Y = Y_B N Y_A     b = b_B + Y_B s     G = G_B + Y_B N G_A Y_B^T
    divided        a = N Y_A a_0 + s + N G_A Y_B^T f_1     f = Y_B^T f_1 - J_B a - p_B     v' from a_0 and f

[Featherstone 1999], whose parts are told by the forces on both ends. Here the near end has its acceleration instead, so
that bodies need no inverse inertia: 1 + G J is never singular, since G and J are symmetric without negative values.
f_0 is what the body before gives, f what the first part gets at its far end. The plan: assembly.py; the frames in
which it works: reframe.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, resting_frame, rigid_biases, rigid_inertias
from gambol.dynamics.forward.assembly import Assembly, Pair, Piece, assembly
from gambol.dynamics.forward.systems import factorised, lower
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.reframe import reframed
from gambol.figure import Figure
from gambol.lanes import Scalar, seam
from gambol.spatial.dense import Factored, Rows, applied, dot, plus, times, transposed
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import AT_REST, NO_FORCE, Force, Motion
from gambol.spatial.vector import Vector

Six = list[Scalar]

UNITS: Rows = [[float(i == k) for k in range(6)] for i in range(6)]
NOUGHT: Rows = [[0.0] * 6 for _ in range(6)]


@dataclass(frozen=True, slots=True)
class Part:
    """What a part does at its two ends; see above."""

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
    """Joint accelerations (nv) by O(log n) rounds after the kinematics, in any order within a round.

    tau, f_ext, gravity: as for aba().
    """
    lean = reframed(state.figure)
    inside = lean.state(state)
    rates: list[Scalar] = [0.0] * state.figure.nv
    I = rigid_inertias(lean.figure)
    given = _Given(inside, tau, lean.forces(f_ext), I, rigid_biases(inside, I))
    whole = _conquered(given, assembly(lean.figure))
    whole.divide(_six(resting_frame(gravity)), [0.0] * 6, rates)
    return rates


def assembly_depth(figure: Figure) -> int:
    """How many rounds must wait for each other, inward, and as many again outward."""
    return assembly(figure).depth


@dataclass(frozen=True, slots=True)
class _Given:
    """What forward dynamics is asked for; I, p: rigid inertias and biases, by the number of the link."""

    state: Kinematics
    tau: Sequence[Scalar]
    f_ext: Mapping[int, Force]
    I: list[Inertia]
    p: list[Force]


def _conquered(given: _Given, plan: Assembly) -> "_One | _Two":
    return _One(given, plan) if isinstance(plan, Piece) else _Two(given, plan)


class _Two:
    """Two parts joined."""

    def __init__(self, given: _Given, plan: Pair) -> None:
        self.first, self.second = _conquered(given, plan.first), _conquered(given, plan.second)
        A, B = self.first.part, self.second.part
        seam()
        N = Factored.of(plus(UNITS, times(A.G, B.J)))
        self.NY, NG = (transposed(N.solve(column) for column in transposed(of)) for of in (A.Y, A.G))
        self.s = N.solve(applied(A.G, [-x for x in B.p], onto=A.b))
        back, out = transposed(A.Y), transposed(B.Y)
        self.NGY = times(NG, out)
        self.part = Part(
            _symmetric(back, times(B.J, self.NY), onto=A.J),
            applied(back, applied(B.J, self.s, onto=B.p), onto=A.p),
            times(B.Y, self.NY),
            _symmetric(B.Y, self.NGY, onto=B.G),
            applied(B.Y, self.s, onto=B.b),
        )

    def divide(self, a_0: Six, f_1: Six, rates: list[Scalar]) -> None:
        """Fill in the joint accelerations of the part, given what its ends feel."""
        B = self.second.part
        seam()
        a = applied(self.NY, a_0, onto=applied(self.NGY, f_1, onto=self.s))
        pull = applied(B.J, a, onto=B.p)
        f = [x - y for x, y in zip(applied(transposed(B.Y), f_1), pull, strict=True)]
        self.first.divide(a_0, f, rates)
        self.second.divide(a, f_1, rates)


class _One:
    """One body with its branches, behind a joint of one link or of several that act as one."""

    def __init__(self, given: _Given, plan: Piece) -> None:
        self.plan, body = plan, plan.links[-1].index
        self.branches = [[_conquered(given, branch) for branch in there] for there in plan.branches]
        seam()
        loads = [_summed([[b.part.p] for b in there]) for there in self.branches]
        joint = _compound(given, plan, loads)
        self.I = _summed([_dense(given.I[body]), *(b.part.J for b in self.branches[-1])])
        self.p = _six(given.p[body] - joint.force)
        self.X, self.c = transposed(_six(m) for m in joint.frame), _six(joint.drift)
        S = [_six(m) for m in joint.columns]
        D = plus([[dot(s, u) for u in (applied(self.I, t) for t in S)] for s in S], joint.rotors)
        factors = factorised(lower(D))
        answers = [factors.solve([s[k] for s in S]) for k in range(6)]
        self.pull = transposed(answers)
        self.push = factors.solve([t - dot(s, self.p) for t, s in zip(joint.tau, S, strict=True)])
        G = [_spanned(S, answer) for answer in answers]
        free = plus(UNITS, [[-x for x in row] for row in times(G, self.I)])
        Y, b = times(free, self.X), applied(free, self.c, onto=_spanned(S, self.push))
        back = transposed(self.X)
        J = _symmetric(back, times(self.I, Y), onto=NOUGHT)
        self.part = Part(J, applied(back, applied(self.I, b, onto=self.p)), Y, G, b)

    def divide(self, a_0: Six, f_1: Six, rates: list[Scalar]) -> None:
        """Fill in the joint accelerations of the body and of its branches, given what its ends feel."""
        seam()
        a = applied(self.X, a_0, onto=self.c)
        felt = applied(self.I, a, onto=[-x for x in f_1])
        found = [x - y for x, y in zip(self.push, applied(self.pull, felt), strict=True)]
        places = [k for link in self.plan.links for k in range(link.v.start, link.v.stop)]
        for k, rate in zip(places, found, strict=True):
            rates[k] = rate
        a_1 = applied(self.part.Y, a_0, onto=applied(self.part.G, f_1, onto=self.part.b))
        for branch in self.branches[-1]:
            branch.divide(a_1, [0.0] * 6, rates)


@dataclass(frozen=True, slots=True)
class _Compound:
    """The joints of one piece as one, in coordinates of its body.

    frame: what unit motions of the body before become. columns: the motions that it allows. drift: acceleration that
    velocities cause. tau, rotors: along the columns. force: external, on the body.
    """

    frame: list[Motion]
    columns: list[Motion]
    drift: Motion
    tau: list[Scalar]
    rotors: Rows
    force: Force


def _compound(given: _Given, plan: Piece, loads: list[Rows]) -> _Compound:
    """The joints of a piece as one; loads: for each link the force that its branches take.

    A force on a link without mass is handed on to the next, where it has the same effect but on the joint between.
    """
    frame, columns, drift, force = [Motion.axis(k) for k in range(6)], list[Motion](), AT_REST, NO_FORCE
    tau: list[Scalar] = []
    rotors: list[Scalar] = []
    for link, load in zip(plan.links, loads, strict=True):
        joint = given.state.joints[link.index]
        own = [joint.to_link(S) for S in joint.columns]
        force = joint.X_PL.inverse @ force
        tau += [t - S.dot(force) for t, S in zip(given.tau[link.v], own, strict=True)]
        rotors += [link.joint.armature for _ in own]
        columns = [*(joint.to_link(joint.X_PJ.pull(m)) for m in columns), *own]
        frame = [joint.to_link(joint.X_PJ.pull(m)) for m in frame]
        drift = joint.to_link(given.state.carried(link.index, drift))
        force = force + given.f_ext.get(link.index, NO_FORCE)
        if load:
            force = force - Force(Vector(*load[0][:3]), Vector(*load[0][3:]))
    diagonal: Rows = [[x if i == k else 0.0 for k in range(len(rotors))] for i, x in enumerate(rotors)]
    return _Compound(frame, columns, drift, tau, diagonal, force)


def _dense(I: Inertia) -> Rows:
    return [_six(I.column(k)) for k in range(6)]


def _symmetric(A: Rows, B: Rows, onto: Rows) -> Rows:
    """onto + A B, which is known to be symmetric: only what stands on and above the diagonal is worked out."""
    columns = transposed(B)
    above = [[dot(A[i], columns[k], onto[i][k]) if k >= i else 0.0 for k in range(6)] for i in range(6)]
    return [[above[min(i, k)][max(i, k)] for k in range(6)] for i in range(6)]


def _spanned(S: Rows, x: Sequence[Scalar]) -> Six:
    """The motion that joint motions x along columns S make."""
    return [dot([s[i] for s in S], x) for i in range(6)]


def _six(x: Motion | Force) -> Six:
    return [x[k] for k in range(6)]


def _summed(terms: list[Rows]) -> Rows:
    """The sum of matrices, added in pairs; empty without any."""
    while len(terms) > 1:
        pairs = [plus(A, B) for A, B in zip(terms[::2], terms[1::2], strict=False)]
        terms = pairs + terms[len(terms) - len(terms) % 2 :]
    return terms[0] if terms else []
