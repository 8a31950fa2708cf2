"""Loop constraints on random figures: their rows, methods that satisfy them, and other routes to the same motion."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from figures import in_pinocchio, pinocchio_order

from gambol.dynamics import aba, kinematics, momentum
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops import (
    TREES,
    LoopOptions,
    Problem,
    closed_dynamics,
    constraint_rows,
    jacobian_row,
    projected,
    projected_velocity,
    rows,
    solve,
    stabilisation_rate,
)
from gambol.dynamics.loops.semidefinite import basic_inverse, default_threshold
from gambol.dynamics.tangent import integrate_configuration, normalised
from gambol.errors import GambolError
from gambol.figure import CLOSURES, JOINTS, Closure, Coupling, Figure, Joint, random_figure, random_state
from gambol.figure.generator import random_rotation
from gambol.figure.joint import q_dot
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Force, Vector
from validation.linkages import windows

SEEDS = range(12)


def tied(seed: int, count: int = 2, links: int = 6) -> Figure:
    """A random figure, on a free base or on the world, with random closures and a gear."""
    random = np.random.default_rng(seed)
    figure = random_figure(seed, links, root="free" if seed % 2 else None, rotors=0.3)
    names, constraints = [link.name for link in figure.links], []
    for n in range(count):
        kind = list(CLOSURES)[(seed + 3 * n) % len(CLOSURES)]
        a, b = random.choice(names, 2, replace=False)
        other = None if random.random() < 0.3 else str(b)
        places = [tuple(p.tolist()) for p in random.normal(scale=0.1, size=(2, 3))]
        turns = [random_rotation(random), random_rotation(random)]
        length = 0.3 if kind == "distance" else 0.0
        constraints.append(Closure(kind, str(a), other, places[0], turns[0], places[1], turns[1], length))
    single = [link.name for link in figure.links if JOINTS[link.joint.kind].nv == 1]
    if len(single) > 1:
        constraints.append(Coupling(single[-1], single[0], (0.1, -2.0, 0.3)))
    return replace(figure, constraints=tuple(constraints))


def state_at(figure: Figure, seed: int) -> Kinematics:
    q, v = random_state(figure, seed)
    return kinematics(figure, q.tolist(), v.tolist())


def later(state: Kinematics, a: np.ndarray, t: float) -> Kinematics:
    """The state after a short time, to first order in q and v."""
    figure, q, v = state.figure, np.array(state.q), np.array(state.v)
    dq = np.array([x for link in figure.links for x in q_dot(link.joint, state.q[link.q], state.v[link.v])])
    return kinematics(figure, normalised(figure, (q + t * dq).tolist()), (v + t * a).tolist())


@pytest.mark.parametrize("seed", SEEDS)
def test_speed_and_acceleration_of_every_row_are_what_its_gap_does(seed: int):
    """Central differences, whose error is h^2 times a third derivative of order 100, and 1e-16 / h of rounding."""
    figure, h = tied(seed), 1e-5
    state, a = state_at(figure, seed), np.random.default_rng(seed).normal(size=figure.nv)
    ahead, behind, moving = rows(later(state, a, h)), rows(later(state, a, -h)), state.accelerations(a.tolist())
    for row, x, y in zip(rows(state), ahead, behind, strict=True):
        assert abs((x.gap - y.gap) / (2 * h) - row.speed) < 1e-7
        assert abs((x.speed - y.speed) / (2 * h) - row.acceleration(moving, a.tolist())) < 1e-6
        assert abs(np.dot(jacobian_row(state, row), state.v) - row.speed) < 1e-13


@pytest.mark.parametrize("seed", SEEDS)
def test_all_methods_agree_and_reach_the_targets(seed: int):
    """Demands that can be met, by any number of rows that depend on others; relative to the largest acceleration."""
    figure = tied(seed)
    state, random = state_at(figure, seed), np.random.default_rng(seed)
    possible, tau = random.normal(size=(2, figure.nv)).tolist()
    moving, at = state.accelerations(possible), rows(state)
    demands = [row.acceleration(moving, possible) for row in at]
    push = {len(figure.links): Force(Vector(1.0, 2.0, 3.0), Vector(-2.0, 0.5, 1.0))}
    problem = Problem(state, tau, at, demands, push)
    found = [np.array(solve(problem, method).a) for method in ("propagation", *TREES)]
    size = np.abs(found[0]).max()
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], atol=1e-10 * size)
    reached = state.accelerations(found[0].tolist())
    for row, demand in zip(at, demands, strict=True):
        assert abs(row.acceleration(reached, found[0].tolist()) - demand) < 1e-10 * size


@pytest.mark.parametrize("seed", SEEDS)
def test_multipliers_are_the_forces_that_the_rows_exert(seed: int):
    figure = tied(seed)
    state = state_at(figure, seed)
    found = closed_dynamics(state, [0.5] * figure.nv, LoopOptions(stabilisation=2.0))
    tau = np.full(figure.nv, 0.5)
    for strength, row in zip(found.multipliers, rows(state), strict=True):
        tau += strength * np.array(jacobian_row(state, row))
    free, _ = aba(state, tau.tolist())
    np.testing.assert_allclose(free, found.a, atol=1e-9 * np.abs(found.a).max())


def test_loops_of_a_figure_with_a_prescribed_base():
    """The force on the prescribed base, applied to the same base when it is free, gives the same motion."""
    base = replace(tied(3), prescribed=True)
    state, tau, prescribed = state_at(base, 3), [0.2] * base.nv, [0.3, -1.0, 0.5, 1.0, 2.0, -0.7]
    found = closed_dynamics(state, tau, prescribed={1: prescribed})
    assert found.a[:6] == prescribed
    pushed = [t + x for t, x in zip(tau, [*found.prescribed_forces[1], *[0.0] * (base.nv - 6)], strict=True)]
    again = closed_dynamics(state, pushed).a
    np.testing.assert_allclose(again, found.a, atol=1e-10 * np.abs(found.a).max())


CUTS = {"fixed": "weld", "revolute": "hinge", "prismatic": "slider", "cylindrical": "cylinder", "spherical": "point"}


@pytest.mark.parametrize("kind", CUTS)
@pytest.mark.parametrize("method", ["propagation", "crba"])
def test_a_joint_cut_open_and_closed_again_moves_as_before(kind: str, method: str):
    """The last link of a tree hangs free on the root instead, held to its former parent by the closure."""
    tree = random_figure(5, 5, kinds=("revolute", "universal"), root="free", branching=0.0)
    stump = Joint(kind, (0.0, 0.0, 1.0), random_rotation(np.random.default_rng(2)), (0.1, -0.2, 0.3))
    tree = replace(tree, given_links=(*tree.given_links[:-1], replace(tree.given_links[-1], joint=stump)))
    last, parent = tree.given_links[-1], tree.given_links[-2].name
    loose = replace(last, parent=tree.given_links[0].name, joint=Joint("free"))
    tie = Closure(CUTS[kind], last.name, parent, other_position=stump.position, other_rotation=stump.rotation)
    cut = replace(tree, given_links=(*tree.given_links[:-1], loose), constraints=(tie,))
    state = state_at(tree, 7)
    tau = np.random.default_rng(1).normal(size=tree.nv)
    tau[tree.links[-1].v] = 0.0  # a removed joint exerts no force
    expected = state.accelerations(aba(state, tau.tolist())[0])
    seen = state.poses[1].inverse @ state.poses[-1]
    w, v = state.velocities[-1].w, state.velocities[-1].v
    carrier = seen.apply_inverse(state.velocities[1])
    matrix = np.array(seen.rotation.rows)
    quaternion = pin.Quaternion(matrix)
    q = [*state.q[: tree.links[-1].q.start], quaternion.w, quaternion.x, quaternion.y, quaternion.z, *seen.position]
    speeds = [*state.v[: tree.links[-1].v.start], *(w - carrier.w), *(v - carrier.v)]
    same = kinematics(cut, q, speeds)
    assert max(abs(row.gap) + abs(row.speed) for row in rows(same)) < 1e-14
    loads = [*tau[: tree.links[-1].v.start].tolist(), *[0.0] * 6]
    found = same.accelerations(closed_dynamics(same, loads, LoopOptions(method)).a)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose([*a.w, *a.v], [*b.w, *b.v], atol=1e-10 * np.abs([*b.w, *b.v, 1.0]).max())


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["point", "weld"])
def test_pinocchio_agrees(seed: int, kind: str):
    """With its constrained dynamics of a chain whose end is tied to its root by enough joints for all rows to count."""
    figure = random_figure(seed, 9, kinds=("revolute",), root="free", branching=0.0)
    places = [(0.1, 0.05, -0.2), (-0.1, 0.2, 0.1)]
    state = state_at(figure, seed)
    R = np.array(state.poses[1].rotation.rows).T @ np.array(state.poses[-1].rotation.rows)
    reach = state.poses[1].inverse @ (state.poses[-1] @ Vector(*places[0]))  # a closure that is closed where it is
    closure = Closure(kind, figure.links[-1].name, figure.links[0].name, places[0], other_position=tuple(reach))
    closure = replace(closure, other_rotation=tuple(map(tuple, R.tolist())))
    figure = replace(figure, constraints=(closure,))
    state = kinematics(figure, state.q, projected_velocity(kinematics(figure, state.q, state.v)))
    tau = np.random.default_rng(seed).normal(size=figure.nv)
    model = in_pinocchio(figure)
    order_q, order_v = pinocchio_order(figure, model)
    ends = [(figure.links[-1].name, closure.position, np.eye(3)), (figure.links[0].name, closure.other_position, R)]
    (i, A), (j, B) = ((model.getJointId(n), pin.SE3(np.array(r), np.array(p))) for n, p, r in ends)
    kinds = {"point": pin.ContactType.CONTACT_3D, "weld": pin.ContactType.CONTACT_6D}
    tie = pin.RigidConstraintModel(kinds[kind], model, i, A, j, B, pin.ReferenceFrame.LOCAL)
    data, ties, datas = model.createData(), pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    ties.append(tie)
    datas.append(tie.createData())
    pin.initConstraintDynamics(model, data, ties, datas)
    q, v = np.array(state.q)[order_q], np.array(state.v)[order_v]
    expected = pin.constraintDynamics(model, data, q, v, tau[order_v], ties, datas)
    found = np.array(closed_dynamics(state, tau.tolist()).a)[order_v]
    np.testing.assert_allclose(found, expected, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_projection_closes_loops_and_conserves_momentum(seed: int):
    """From errors of 1e-4; the remaining gap is rounding, or the error of two steps of Gauss-Newton: about (1e-4)^4."""
    figure = tied(seed, count=1)
    state = state_at(figure, seed)
    closed = replace(figure, constraints=tuple(_reached(c, state) for c in figure.constraints))
    off = integrate_configuration(
        closed, list(state.q), (1e-4 * np.random.default_rng(seed).normal(size=closed.nv)).tolist()
    )
    q, v = projected(closed, off, state.v)
    there = kinematics(closed, q, v)
    assert max(abs(row.gap) for row in rows(there)) < 1e-12
    assert max(abs(row.speed) for row in rows(there)) < 1e-11
    inside = all(isinstance(c, Coupling) or c.other for c in closed.constraints)
    if inside and closed.root.joint.kind == "free" and not closed.root.joint.armature:
        before, after = momentum(kinematics(closed, q, state.v)), momentum(there)
        np.testing.assert_allclose([*after.n, *after.f], [*before.n, *before.f], atol=1e-10)


def _reached(constraint: Closure | Coupling, state: Kinematics) -> Closure | Coupling:
    """Return the constraint moved so that it holds in a state."""
    figure = state.figure
    if isinstance(constraint, Coupling):
        gap = constraint_rows(state, constraint)[0].gap
        return replace(constraint, coefficients=(constraint.coefficients[0] + gap, *constraint.coefficients[1:]))
    X_WB = state.poses[figure.link(constraint.other).index] if constraint.other else state.poses[0]
    X_WA = state.poses[figure.link(constraint.link).index]
    place = X_WB.inverse @ (X_WA @ Vector(*constraint.position))
    R = np.array(X_WB.rotation.rows).T @ np.array(X_WA.rotation.rows) @ np.array(constraint.rotation)
    if constraint.kind == "distance":
        return replace(constraint, length=float(place.length()), other_position=(0.0, 0.0, 0.0))
    return replace(constraint, other_position=tuple(place), other_rotation=tuple(map(tuple, R.tolist())))


def test_baumgarte_pulls_errors_in_at_its_rate():
    """phi'' + 2 w phi' + w^2 phi = 0, for every independent row."""
    figure = tied(1, count=1)
    state, w = state_at(figure, 1), 3.0
    found = closed_dynamics(state, [0.0] * figure.nv, LoopOptions(stabilisation=w))
    a = state.accelerations(found.a)
    for row in rows(state):
        assert abs(row.acceleration(a, found.a) + 2 * w * row.speed + w * w * row.gap) < 1e-11
    assert stabilisation_rate(0.01) == pytest.approx(10.0)


@pytest.mark.parametrize("rank", range(6))
def test_the_inverse_on_independent_rows_solves_what_can_be_solved(rank: int):
    """Rows of very different units; the rank is found, and consistent systems are solved."""
    random = np.random.default_rng(rank)
    J = random.normal(size=(5, rank)) * np.array([[1.0], [1e4], [1e-3], [10.0], [0.1]])
    A, b = J @ J.T, J @ random.normal(size=rank)
    inverse = np.array(basic_inverse(A.tolist(), np.diag(A).tolist(), 1e-7))
    assert np.count_nonzero(np.diag(inverse)) == rank
    np.testing.assert_array_equal(inverse, inverse.T)
    np.testing.assert_allclose(A @ inverse @ b, b, rtol=1e-9)


def test_the_threshold_is_that_of_the_precision():
    spec = ProgramSpec("threshold", lambda x: ([x + default_threshold()],), (0.0,))
    thresholds = [Program(spec, precision)(np.zeros((1, 1)))[0][0, 0] for precision in ("float64", "float32")]
    np.testing.assert_allclose(thresholds, [1e-7, 1e-4], rtol=1e-6)
    assert default_threshold() == 1e-7


def test_unknown_methods_are_refused():
    figure = windows(1)
    state = kinematics(figure, [0.0] * 3, [0.0] * 3)
    with pytest.raises(GambolError, match='for closed loops "propagatoin"; did you mean "propagation"'):
        closed_dynamics(state, [0.0] * 3, LoopOptions("propagatoin"))
    with pytest.raises(GambolError, match="not support prescribed joints"):
        closed_dynamics(state, [0.0] * 3, LoopOptions("crba"), prescribed={2: [0.0]})


def test_a_figure_without_constraints_is_a_tree():
    figure = replace(tied(4), constraints=())
    state = state_at(figure, 4)
    expected, _ = aba(state, [0.1] * figure.nv)
    for method in ("propagation", *TREES):
        found = closed_dynamics(state, [0.1] * figure.nv, LoopOptions(method))
        assert found.multipliers == []
        np.testing.assert_allclose(found.a, expected, rtol=1e-10, atol=1e-10)
