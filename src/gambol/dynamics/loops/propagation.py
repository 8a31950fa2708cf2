"""Closed loops by propagating their constraints through the articulated-body recursion, each as far as it reaches.

A link feels its parent through   f = IA a + pA - sum F_k lambda_k,   and beside it goes inward what each row sees:

    phi_k'' - demand_k = F_k.a + sum L_kl lambda_l + d_k

    through a direction S    s_k = S.F_k + c_k     F_k -= (U/D) s_k     L_kl += s_k s_l / D     d_k += s_k x
    to the parent            F_P = X F     d_k += F_k.(what velocities add to a)     (U, D, x: release.py)
    where a loop meets       lambda_e = -B (d_e + F_e.a + L_eo lambda_o),  B = L_ee^-1;  these are put in and gone:
        IA += F_e B F_e^T     pA += F_e B d_e     F_o -= F_e B L_eo     L_op -= L_oe B L_ep     d_o -= L_oe B d_e
    outward                  lambda as above     v' = x + sum s_k lambda_k / D - U.a / D

The link where a loop's two ways inward meet becomes heavier by the loop, and the rest of the tree knows nothing of it:
the cost is that of the tree and, for every loop, of its own links. L_ee may be singular (semidefinite.py); along
what it leaves out F_e vanishes too, since forces that move no joint below the meeting link balance on it. [Lathrop
1986; Schroeder and Zeltzer 1990; Popov, Vereshchagin and Zenkevich 1978]
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gambol.dynamics.bodies import in_joint_axes, in_parent_axes, resting_frame, rigid_biases, rigid_inertias
from gambol.dynamics.forward.release import Hold, Release, hold, release
from gambol.dynamics.loops.problem import Closed, Problem
from gambol.dynamics.loops.relations.row import meeting, sizes
from gambol.dynamics.loops.semidefinite import basic_inverse
from gambol.figure import WORLD, PlacedLink
from gambol.figure.joint import Placement
from gambol.lanes import Scalar
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import NO_FORCE, Force, Motion
from gambol.spatial.rotation import exactly
from gambol.spatial.vector import ZERO


@dataclass(frozen=True, slots=True)
class Felt:
    """What is felt of a link and all beyond it: inertia, bias, and F of each row that has not met."""

    inertia: Inertia
    bias: Force
    pulls: dict[int, Force]


@dataclass(frozen=True, slots=True)
class Passed:
    """A direction of a joint that was passed: s / D of each row. step: see release.py."""

    step: Release | Hold
    shares: dict[int, Scalar]


@dataclass(frozen=True, slots=True)
class Met:
    """A row that met: its multiplier is -(d + pull.a + sum of shares times other multipliers), all taken by B."""

    row: int
    d: Scalar
    pull: Force
    shares: dict[int, Scalar]


class Recursion:
    """The recursion at work. L, d: see above. sizes: what L_kk had been if no row had met before."""

    def __init__(self, problem: Problem) -> None:
        state, count = problem.state, len(problem.rows)
        self.problem = problem
        self.d = [row.drift - demand for row, demand in zip(problem.rows, problem.demands, strict=True)]
        self.L: list[list[Scalar]] = [[0.0] * count for _ in range(count)]
        self.sizes: list[Scalar] = [0.0] * count
        inertias = rigid_inertias(state.figure)
        biases = rigid_biases(state, inertias)
        for number, force in problem.f_ext.items():
            biases[number] -= force
        self.felt = [Felt(I, p, {}) for I, p in zip(inertias, biases, strict=True)]
        self.meetings: dict[int, list[int]] = {}
        for k, row in enumerate(problem.rows):
            self.meetings.setdefault(meeting(state.figure, row), []).append(k)
            for link, force in row.forces.items():
                self.felt[link].pulls[k] = force
        self.met: dict[int, list[Met]] = {}
        self.passed: dict[int, list[Passed]] = {}
        self.seen: dict[int, Felt] = {}

    def inward(self) -> None:
        """Everything from the leaves to the world."""
        for link in self.problem.state.figure.inward():
            self.meet(link.index)
            joint = self.problem.state.joints[link.index]
            self.seen[link.index] = felt = _in_joint_axes(self.felt[link.index], joint)
            self.hand_in(link, joint, self.through(link, joint, felt))
        self.meet(WORLD)

    def meet(self, link: int) -> None:
        """Put in the rows whose ways inward meet at a link."""
        group, felt = self.meetings.get(link, []), self.felt[link]
        pulls = {e: felt.pulls.pop(e, NO_FORCE) for e in group}
        self.met[link] = [self.taken_by_inverse(group, pulls, e, row) for e, row in self.inverse(group)]
        inertia, bias = felt.inertia, felt.bias
        for met in self.met[link]:
            pull = pulls[met.row]
            inertia = inertia.minus_outer(pull, -met.pull)
            bias = bias + pull * met.d
            for o, share in met.shares.items():
                felt.pulls[o] = felt.pulls.get(o, NO_FORCE) - pull * share
        self.felt[link] = Felt(inertia, bias, felt.pulls)
        self.leave(group, self.met[link])

    def inverse(self, group: list[int]) -> list[tuple[int, list[Scalar]]]:
        """B of rows that meet, by rows."""
        compared = sizes([self.problem.rows[e] for e in group], [self.sizes[e] for e in group])
        B = basic_inverse([[self.L[e][f] for f in group] for e in group], compared, self.problem.dependent)
        return list(zip(group, B, strict=True))

    def taken_by_inverse(self, group: list[int], pulls: dict[int, Force], e: int, row: list[Scalar]) -> Met:
        """What determines the multiplier of a row that meets; row: of B."""
        others = [
            o for o in range(len(self.L)) if o not in group and any(not exactly(self.L[f][o], 0.0) for f in group)
        ]
        d = sum((b * self.d[f] for f, b in zip(group, row, strict=True)), 0.0)
        pull = sum((pulls[f] * b for f, b in zip(group, row, strict=True)), NO_FORCE)
        return Met(
            e, d, pull, {o: sum((b * self.L[f][o] for f, b in zip(group, row, strict=True)), 0.0) for o in others}
        )

    def leave(self, group: list[int], met: list[Met]) -> None:
        """Take rows that have met out of what the others see."""
        for row in met:
            for o in row.shares:
                weight, self.L[o][row.row] = self.L[o][row.row], 0.0
                self.d[o] = self.d[o] - weight * row.d
                for p, share in row.shares.items():
                    self.L[o][p] = self.L[o][p] - weight * share
        for e in group:
            self.L[e] = [0.0] * len(self.L)

    def through(self, link: PlacedLink, joint: Placement, felt: Felt) -> Felt:
        """What is felt through a joint, whose directions are let go or held one after the other."""
        problem, given = self.problem, self.problem.prescribed.get(link.index)
        self.passed[link.index] = []
        for n, S in enumerate(joint.columns):
            k = link.v.start + n
            s = self.shares_of(k, S, felt)
            if given is None:
                step = release(felt.inertia, felt.bias, S, problem.tau[k], link.joint.armature)
                D_inverse = 1.0 / S.dot(felt.inertia @ S, link.joint.armature)
                shares = {row: x * D_inverse for row, x in s.items()}
                self.gather(s, shares, step.x * step.sign)
                pulls = {
                    row: _let_go(felt.pulls.get(row, NO_FORCE), step, s.get(row, 0.0)) for row in {**felt.pulls, **s}
                }
            else:
                step, shares, pulls = hold(felt.inertia, felt.bias, S, given[n]), dict[int, Scalar](), felt.pulls
                self.gather(s, shares, given[n])
            self.passed[link.index].append(Passed(step, shares))
            felt = Felt(step.inertia, step.bias, pulls)
        return felt

    def shares_of(self, freedom: int, S: Motion, felt: Felt) -> dict[int, Scalar]:
        """s of each row that reaches a direction."""
        s = {row: S.dot(pull) for row, pull in felt.pulls.items()}
        for row, relation in enumerate(self.problem.rows):
            if freedom in relation.joints:
                s[row] = s.get(row, 0.0) + relation.joints[freedom]
        return {row: x for row, x in s.items() if not exactly(x, 0.0)}

    def gather(self, s: dict[int, Scalar], shares: dict[int, Scalar], x: Scalar) -> None:
        """Add to L and d what a direction gives way: s s / D, and s times its acceleration x without the rest."""
        for row, effort in s.items():
            self.d[row] = self.d[row] + effort * x
            for other, share in shares.items():
                self.L[row][other] = self.L[row][other] + effort * share
            if row in shares:
                self.sizes[row] = self.sizes[row] + effort * shares[row]

    def hand_in(self, link: PlacedLink, joint: Placement, felt: Felt) -> None:
        """Add to the parent what is felt through the joint."""
        state, parent = self.problem.state, self.felt[link.parent_index]
        drift, swing = state.drifts[link.index], state.swings[link.index]
        turned = in_parent_axes(felt.inertia, joint)
        for row, pull in felt.pulls.items():
            moved = joint.X_PJ @ pull
            self.d[row] = swing.dot(moved.f, drift.dot(pull, self.d[row]))
            parent.pulls[row] = parent.pulls.get(row, NO_FORCE) + moved
        bias = joint.X_PJ @ felt.inertia.times(drift, onto=felt.bias) + turned.times(Motion(ZERO, swing))
        self.felt[link.parent_index] = Felt(parent.inertia + turned, parent.bias + bias, parent.pulls)

    def outward(self) -> Closed:
        """Multipliers and accelerations, from the world to the leaves."""
        problem, state = self.problem, self.problem.state
        found = Closed([0.0] * state.figure.nv, [0.0] * len(problem.rows), {})
        a = [resting_frame(problem.gravity)] * len(self.felt)
        self.resolve(WORLD, a[WORLD], found.multipliers)
        for link in state.figure.outward():
            joint, steps = state.joints[link.index], self.passed[link.index]
            motion = state.carried(link.index, a[link.parent_index])
            for n in reversed(range(len(steps))):
                push = _weighted(steps[n].shares, found.multipliers)
                found.rates[link.v.start + n], motion = _pushed(steps[n].step, push).accelerated(motion)
            if link.index in problem.prescribed:
                found.taken[link.index] = self.taken(link, motion, found)
            a[link.index] = joint.to_link(motion)
            self.resolve(link.index, a[link.index], found.multipliers)
        return found

    def resolve(self, link: int, a: Motion, multipliers: list[Scalar]) -> None:
        """The multipliers of the rows that met at a link."""
        for met in self.met[link]:
            multipliers[met.row] = -(a.dot(met.pull, met.d) + _weighted(met.shares, multipliers))

    def taken(self, link: PlacedLink, a: Motion, found: Closed) -> list[Scalar]:
        """The force at a joint that moves as told, beyond tau; a: of the link, in joint axes."""
        felt, tau = self.seen[link.index], self.problem.tau
        force = felt.inertia.times(a, onto=felt.bias)
        for row, pull in felt.pulls.items():
            force -= pull * found.multipliers[row]
        efforts: list[Scalar] = []
        for k, S in zip(range(link.v.start, link.v.stop), self.problem.state.joints[link.index].columns, strict=True):
            direct = {row: r.joints[k] for row, r in enumerate(self.problem.rows) if k in r.joints}
            borne = S.dot(force, link.joint.armature * found.rates[k])
            efforts.append(borne - tau[k] - _weighted(direct, found.multipliers))
        return efforts


def by_propagation(problem: Problem) -> Closed:
    """Accelerations and multipliers of a figure with loops, in time that grows with its links and its loops."""
    recursion = Recursion(problem)
    recursion.inward()
    return recursion.outward()


def _weighted(weights: dict[int, Scalar], multipliers: Sequence[Scalar]) -> Scalar:
    return sum((x * multipliers[row] for row, x in weights.items()), 0.0)


def _in_joint_axes(felt: Felt, joint: Placement) -> Felt:
    pulls = {row: joint.to_joint(pull) for row, pull in felt.pulls.items()}
    return Felt(in_joint_axes(felt.inertia, joint), joint.to_joint(felt.bias), pulls)


def _let_go(pull: Force, step: Release, s: Scalar) -> Force:
    """F - (U / D) s; along a coordinate axis what is left is the row's own force on the joint."""
    if step.coordinate is None:
        return pull - step.W * s
    own = pull[step.coordinate] - step.sign * s
    return (pull - step.W * (step.sign * s)).with_component(step.coordinate, own)


def _pushed(step: Release | Hold, push: Scalar) -> Release | Hold:
    """A direction with what the loops add to its acceleration."""
    return replace(step, x=step.x + push * step.sign) if isinstance(step, Release) else step
