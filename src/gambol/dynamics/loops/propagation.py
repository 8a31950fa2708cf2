"""Closed loops by propagating constraint rows through the articulated-body recursion.

The force on a link is   f = IA a + pA - sum F_k lambda_k,   and each row k is propagated inward along with it:

    phi_k'' - required_k = F_k.a + sum L_kl lambda_l + d_k

    through a direction S    s_k = S.F_k + c_k     F_k -= (U/D) s_k     L_kl += s_k s_l / D     d_k += s_k x
    to the parent            F_P = X F     d_k += F_k.c                      (U, D, x: forward/aba.py)
    at the common ancestor   lambda_e = -B (d_e + F_e.a + L_eo lambda_o),  B = L_ee^-1;  these are eliminated:
        IA += F_e B F_e^T     pA += F_e B d_e     F_o -= F_e B L_eo     L_op -= L_oe B L_ep     d_o -= L_oe B d_e
    outward                  lambda as above     v' = x + sum s_k lambda_k / D - U.a / D

A loop adds articulated inertia to the common ancestor of its links and does not affect the rest of the tree. The cost
is the cost of the tree and, for each loop, of its links. L_ee may be singular (semidefinite.py); F_e vanishes along its
null space, since forces that move no joint below the common ancestor balance there. Of many coupled rows with one
common ancestor, rows between the same links are eliminated together, one block after another, in an order that keeps L
sparse (elimination_order.py). [Lathrop 1986; Schroeder and Zeltzer 1990; Popov, Vereshchagin and Zenkevich 1978]
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gambol.dynamics.bodies import inertia_in_joint, inertia_in_parent, rigid_biases, rigid_inertias, world_acceleration
from gambol.dynamics.forward.aba import FreeDirection, PrescribedDirection, free_direction, prescribed_direction
from gambol.dynamics.loops.elimination_order import coupled_rows, least_coupled, row_blocks
from gambol.dynamics.loops.problem import ClosedSolution, Problem
from gambol.dynamics.loops.relations.row import common_ancestor, row_scales
from gambol.dynamics.loops.semidefinite import basic_inverse
from gambol.figure import WORLD, PlacedLink
from gambol.figure.joint import Placement
from gambol.lanes import Scalar
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import NO_FORCE, Force, Motion
from gambol.spatial.rotation import is_constant
from gambol.spatial.vector import ZERO


@dataclass(frozen=True, slots=True)
class ArticulatedBody:
    """The articulated body of a link: inertia, bias, and F of each row that is not yet eliminated."""

    inertia: Inertia
    bias: Force
    F: dict[int, Force]


@dataclass(frozen=True, slots=True)
class PassedDirection:
    """A direction of a joint after propagation. direction: see forward/aba.py. coupling: s / D of each row."""

    direction: FreeDirection | PrescribedDirection
    coupling: dict[int, Scalar]


@dataclass(frozen=True, slots=True)
class EliminatedRow:
    """An eliminated row, with multiplier -(d + F_k.a + sum of coupling_o lambda_o over the other rows o).

    row: index of the row. d, F_k, coupling: d, F and L of the eliminated rows, multiplied by the row of B.
    """

    row: int
    d: Scalar
    F_k: Force
    coupling: dict[int, Scalar]


class Recursion:
    """The state of the recursion.

    L, d: see above; L by sparse rows, without the eliminated rows. sizes: L_kk without eliminations. bodies,
    joint_bodies: articulated bodies of links, by index, in link axes and in joint axes. ancestor_rows: rows by the
    index of their common ancestor. dof_rows: rows that act on a joint's degree of freedom, by its index.
    """

    def __init__(self, problem: Problem) -> None:
        state, count = problem.state, len(problem.rows)
        self.problem = problem
        self.d = [row.bias - value for row, value in zip(problem.rows, problem.required, strict=True)]
        self.L: list[dict[int, Scalar]] = [{} for _ in range(count)]
        self.sizes: list[Scalar] = [0.0] * count
        inertias = rigid_inertias(state.figure)
        biases = rigid_biases(state, inertias)
        for index, force in problem.f_ext.items():
            biases[index] -= force
        self.bodies = [ArticulatedBody(I, p, {}) for I, p in zip(inertias, biases, strict=True)]
        self.ancestor_rows: dict[int, list[int]] = {}
        self.dof_rows: dict[int, list[int]] = {}
        for k, row in enumerate(problem.rows):
            self.ancestor_rows.setdefault(common_ancestor(state.figure, row), []).append(k)
            for link, force in row.forces.items():
                self.bodies[link].F[k] = force
            for dof in row.joints:
                self.dof_rows.setdefault(dof, []).append(k)
        self.eliminated: dict[int, list[EliminatedRow]] = {}
        self.passed: dict[int, list[PassedDirection]] = {}
        self.joint_bodies: dict[int, ArticulatedBody] = {}

    def inward(self) -> None:
        """Propagate inertia, bias and rows from the leaves to the world."""
        for link in self.problem.state.figure.inward():
            self.eliminate(link.index)
            joint = self.problem.state.joints[link.index]
            self.joint_bodies[link.index] = body = _body_in_joint(self.bodies[link.index], joint)
            self.add_to_parent(link, joint, self.pass_through(link, joint, body))
        self.eliminate(WORLD)

    def eliminate(self, link: int) -> None:
        """Eliminate the rows whose common ancestor is a link, the block with the fewest couplings first."""
        self.eliminated[link] = []
        blocks = row_blocks(self.ancestor_rows.get(link, []), self.problem.rows, self.L)
        while blocks:
            self.eliminate_block(link, blocks.pop(least_coupled(blocks, self.L)))

    def eliminate_block(self, link: int, group: list[int]) -> None:
        """Eliminate rows together; link: their common ancestor, group: their indices."""
        body = self.bodies[link]
        F = {e: body.F.pop(e, NO_FORCE) for e in group}
        removed_rows = [self.eliminated_row(group, F, e, row) for e, row in self.inverse(group)]
        inertia, bias = body.inertia, body.bias
        for removed in removed_rows:
            F_k = F[removed.row]
            inertia = inertia.minus_outer(F_k, -removed.F_k)
            bias = bias + F_k * removed.d
            for o, factor in removed.coupling.items():
                body.F[o] = body.F.get(o, NO_FORCE) - F_k * factor
        self.bodies[link] = ArticulatedBody(inertia, bias, body.F)
        self.remove_rows(group, removed_rows)
        self.eliminated[link] += removed_rows

    def inverse(self, group: list[int]) -> list[tuple[int, list[Scalar]]]:
        """Return B of a group of rows to be eliminated: each row's index with its row of B."""
        scales = row_scales([self.problem.rows[e] for e in group], [self.sizes[e] for e in group])
        L = [[self.L[e].get(f, 0.0) for f in group] for e in group]
        B = basic_inverse(L, scales, self.problem.dependence_threshold)
        return list(zip(group, B, strict=True))

    def eliminated_row(self, group: list[int], F: dict[int, Force], e: int, B_e: list[Scalar]) -> EliminatedRow:
        """Return the eliminated form of a row.

        group: the rows that are eliminated together. F: their forces. e: index of the row. B_e: its row of B.
        """
        others = coupled_rows(group, self.L)
        d = sum((b * self.d[f] for f, b in zip(group, B_e, strict=True)), 0.0)
        F_k = sum((F[f] * b for f, b in zip(group, B_e, strict=True)), NO_FORCE)
        return EliminatedRow(
            e,
            d,
            F_k,
            {o: sum((b * self.L[f].get(o, 0.0) for f, b in zip(group, B_e, strict=True)), 0.0) for o in others},
        )

    def remove_rows(self, group: list[int], removed: list[EliminatedRow]) -> None:
        """Eliminate the rows of a group from the equations of the other rows."""
        for row in removed:
            for o in row.coupling:
                weight = self.L[o].pop(row.row, 0.0)
                self.d[o] = self.d[o] - weight * row.d
                for p, factor in row.coupling.items():
                    self.L[o][p] = self.L[o].get(p, 0.0) - weight * factor
        for e in group:
            self.L[e] = {}

    def pass_through(self, link: PlacedLink, joint: Placement, body: ArticulatedBody) -> ArticulatedBody:
        """Return the articulated body on the parent side of a joint; body: on the link side."""
        problem, prescribed_a = self.problem, self.problem.prescribed.get(link.index)
        self.passed[link.index] = []
        for n, S in enumerate(joint.columns):
            k = link.v.start + n
            s = self.row_components(k, S, body)
            if prescribed_a is None:
                direction = free_direction(body.inertia, body.bias, S, problem.tau[k], link.joint.armature)
                D_inverse = 1.0 / S.dot(body.inertia @ S, link.joint.armature)
                coupling = {row: x * D_inverse for row, x in s.items()}
                self.add_compliance(s, coupling, direction.x * direction.sign)
                forces = {
                    row: _row_force(body.F.get(row, NO_FORCE), direction, s.get(row, 0.0)) for row in {**body.F, **s}
                }
            else:
                direction = prescribed_direction(body.inertia, body.bias, S, prescribed_a[n])
                coupling, forces = dict[int, Scalar](), body.F
                self.add_compliance(s, coupling, prescribed_a[n])
            self.passed[link.index].append(PassedDirection(direction, coupling))
            body = ArticulatedBody(direction.inertia, direction.bias, forces)
        return body

    def row_components(self, dof: int, S: Motion, body: ArticulatedBody) -> dict[int, Scalar]:
        """Return s of each row with a component along a direction.

        dof: index of the direction. S: the direction. body: on its link side.
        """
        s = {row: S.dot(F_k) for row, F_k in body.F.items()}
        for row in self.dof_rows.get(dof, []):
            s[row] = s.get(row, 0.0) + self.problem.rows[row].joints[dof]
        return {row: x for row, x in s.items() if not is_constant(x, 0.0)}

    def add_compliance(self, s: dict[int, Scalar], coupling: dict[int, Scalar], x: Scalar) -> None:
        """Add a direction to L and d: s s / D and s x.

        s, coupling: s and s / D of each row. x: acceleration along the direction without multipliers.
        """
        for row, s_row in s.items():
            self.d[row] = self.d[row] + s_row * x
            for other, factor in coupling.items():
                self.L[row][other] = self.L[row].get(other, 0.0) + s_row * factor
            if row in coupling:
                self.sizes[row] = self.sizes[row] + s_row * coupling[row]

    def add_to_parent(self, link: PlacedLink, joint: Placement, body: ArticulatedBody) -> None:
        """Add an articulated body to that of the parent; body: on the parent side of the joint, in joint axes."""
        state, parent = self.problem.state, self.bodies[link.parent_index]
        c, centripetal = state.velocity_products[link.index], state.centripetals[link.index]
        inertia = inertia_in_parent(body.inertia, joint)
        for row, F_k in body.F.items():
            F_parent = joint.X_PJ @ F_k
            self.d[row] = centripetal.dot(F_parent.f, c.dot(F_k, self.d[row]))
            parent.F[row] = parent.F.get(row, NO_FORCE) + F_parent
        bias = joint.X_PJ @ body.inertia.times(c, addend=body.bias) + inertia.times(Motion(ZERO, centripetal))
        self.bodies[link.parent_index] = ArticulatedBody(parent.inertia + inertia, parent.bias + bias, parent.F)

    def outward(self) -> ClosedSolution:
        """Return the solution: a pass from the world to the leaves."""
        problem, state = self.problem, self.problem.state
        solution = ClosedSolution([0.0] * state.figure.nv, [0.0] * len(problem.rows), {})
        a = [world_acceleration(problem.gravity)] * len(self.bodies)
        self.set_multipliers(WORLD, a[WORLD], solution.multipliers)
        for link in state.figure.outward():
            joint, passed = state.joints[link.index], self.passed[link.index]
            a_link = state.inherited_acceleration(link.index, a[link.parent_index])
            for n in reversed(range(len(passed))):
                load = _weighted(passed[n].coupling, solution.multipliers)
                solution.a[link.v.start + n], a_link = _with_loops(passed[n].direction, load).accelerations(a_link)
            if link.index in problem.prescribed:
                solution.prescribed_forces[link.index] = self.prescribed_force(link, a_link, solution)
            a[link.index] = joint.to_link(a_link)
            self.set_multipliers(link.index, a[link.index], solution.multipliers)
        return solution

    def set_multipliers(self, link: int, a: Motion, multipliers: list[Scalar]) -> None:
        """Set the multipliers of the rows that were eliminated at a link; a: its acceleration."""
        for eliminated in reversed(self.eliminated[link]):
            multipliers[eliminated.row] = -(
                a.dot(eliminated.F_k, eliminated.d) + _weighted(eliminated.coupling, multipliers)
            )

    def prescribed_force(self, link: PlacedLink, a: Motion, solution: ClosedSolution) -> list[Scalar]:
        """Return the force at a prescribed joint beyond tau; a: acceleration of the link, in joint axes."""
        body, tau = self.joint_bodies[link.index], self.problem.tau
        force = body.inertia.times(a, addend=body.bias)
        for row, F_k in body.F.items():
            force -= F_k * solution.multipliers[row]
        joint_forces: list[Scalar] = []
        for k, S in zip(range(link.v.start, link.v.stop), self.problem.state.joints[link.index].columns, strict=True):
            joint_coefficients = {row: self.problem.rows[row].joints[k] for row in self.dof_rows.get(k, [])}
            total = S.dot(force, link.joint.armature * solution.a[k])
            joint_forces.append(total - tau[k] - _weighted(joint_coefficients, solution.multipliers))
        return joint_forces


def solve_by_propagation(problem: Problem) -> ClosedSolution:
    """Return the solution of a closed-loop problem, in time linear in the links and in the links of each loop."""
    recursion = Recursion(problem)
    recursion.inward()
    return recursion.outward()


def _weighted(weights: dict[int, Scalar], multipliers: Sequence[Scalar]) -> Scalar:
    return sum((x * multipliers[row] for row, x in weights.items()), 0.0)


def _body_in_joint(body: ArticulatedBody, joint: Placement) -> ArticulatedBody:
    F = {row: joint.to_joint(F_k) for row, F_k in body.F.items()}
    return ArticulatedBody(inertia_in_joint(body.inertia, joint), joint.to_joint(body.bias), F)


def _row_force(F_k: Force, direction: FreeDirection, s: Scalar) -> Force:
    """Return F - (U / D) s; F_k: F of a row. s: its component along the direction."""
    if direction.coordinate is None:
        return F_k - direction.W * s
    component = F_k[direction.coordinate] - direction.sign * s
    return (F_k - direction.W * (direction.sign * s)).with_component(direction.coordinate, component)


def _with_loops(direction: FreeDirection | PrescribedDirection, load: Scalar) -> FreeDirection | PrescribedDirection:
    """Return a direction with the acceleration from the loops added to x; load: sum of s_k lambda_k / D."""
    return (
        replace(direction, x=direction.x + load * direction.sign) if isinstance(direction, FreeDirection) else direction
    )
