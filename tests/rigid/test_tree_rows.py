"""Entries of rows of trees: their products are the dense response of mass matrix and Jacobian, and steps use them."""

import numpy as np
import pytest

from examples.ragdolls import heap
from gambol.errors import WorldError
from gambol.figure import Capsule, Figure, Joint, JointSpring, Link, Part, Sphere
from gambol.rigid import Body, Pile, PileState, PileStepper, Sleeping, SurfaceMaterial, initial_state, linked_bodies
from gambol.rigid.tree_problem import TreeProblem
from gambol.spatial import Quaternion


def tangle() -> tuple[Pile, PileState]:
    """Return a branched figure with joints of several kinds and limits, inclined over the ground beside a ball."""
    part = (Part(Capsule(0.05, 0.3), density=800.0),)
    x, y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    links = (
        Link("trunk", None, Joint("free"), part),
        Link("ball", "trunk", Joint("spherical", position=(0.0, 0.0, 0.2)), part),
        Link("hinge", "ball", Joint("revolute", y, position=(0.05, 0.0, 0.2)), part),
        Link("cross", "trunk", Joint("universal", x, position=(0.1, 0.1, -0.2), across=y), part),
        Link("slide", "trunk", Joint("prismatic", (0.6, 0.0, 0.8), position=(0.2, 0.0, 0.0)), part),
    )
    springs = {"hinge": JointSpring(lower=0.0, upper=0.5), "slide": JointSpring(lower=-0.1, upper=0.1)}
    figure = Figure("tangle", links)
    linked = linked_bodies(figure, first=2, springs=springs)
    bodies = [Body(Sphere(0.1), 3.0), *linked.bodies]
    pile = Pile(bodies, joints=linked.joints, surface=SurfaceMaterial(0.6), step=1e-3)
    q = np.zeros(figure.nq)
    q[:7] = np.cos(0.7), 0.0, np.sin(0.7), 0.0, 0.0, 0.0, 0.5
    q[7] = 1.0
    x, turn, v = linked.state(q, np.zeros(figure.nv))
    return pile, initial_state(pile, [[0.45, 0.02, 0.1], *x], [[1.0, 0.0, 0.0, 0.0], *turn], [[0.0] * 6, *v])


def row_of(bodies: int, sides: tuple[int, int], moments: list[np.ndarray], forces: np.ndarray) -> np.ndarray:
    """Return rows of unit moments and forces on the first of two bodies, and against them on the second."""
    result = np.zeros((len(forces), 6 * bodies))
    for body, sign, moment in zip(sides, (1.0, -1.0), moments, strict=True):
        if body:
            result[:, 6 * body - 6 : 6 * body] = sign * np.concatenate([moment, forces], axis=1)
    return result


def joint_jacobians(problem: TreeProblem, pile: Pile) -> dict[tuple[int, int], np.ndarray]:
    """Return the row of each motion of joints by its column and motion."""
    result, joints, lanes = {}, pile.joints, problem.lanes
    for number, column in enumerate(problem.trees.order.column):
        x = problem.joints.points[column // lanes, :, column % lanes]
        turn, frame, arms = x[:9].reshape(3, 3), x[9:18].reshape(3, 3), (x[18:21], x[28:31])
        sides = int(joints.first[number]), int(joints.second[number])
        for k in range(3):
            about, along = turn[:, k][None], frame[:, k][None]
            result[column, k] = row_of(len(pile.bodies), sides, [about, about], np.zeros((1, 3)))
            result[column, 3 + k] = row_of(len(pile.bodies), sides, [np.cross(arm, along) for arm in arms], along)
    return result


def dense_response(problem: TreeProblem, pile: Pile, orientation: np.ndarray) -> np.ndarray:
    """Return J (M^-1 - Y (A Y)^-1 Y^T) J^T with Y = M^-1 A^T of all rows of sweeps; A: locked motions of joints.

    Masses and moments are those of the pile, in the orientations at the beginning of the step.
    """
    n, rows = len(pile.bodies), problem.rows
    M_inverse = np.zeros((6 * n, 6 * n))
    for k in range(n):
        R = np.array(Quaternion(*map(float, orientation[:, k + 1])).rotation().rows)
        M_inverse[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = R @ np.diag(1.0 / pile.moments()[:, k + 1]) @ R.T
        M_inverse[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = np.eye(3) / pile.masses()[k + 1]
    motions = joint_jacobians(problem, pile)
    locked = [(c, k) for j, c in enumerate(problem.trees.order.column) for k in range(6) if pile.joints.locked[k, j]]
    A = np.concatenate([motions[at] for at in locked])
    J = [motions[at] for at in zip(rows.columns, rows.kinds, strict=True)]
    for k, sides in enumerate(zip(problem.order.first, problem.order.second, strict=True)):
        x = problem.points[k // problem.lanes, :, k % problem.lanes]
        axes = x[:9].reshape(3, 3).T
        J.append(row_of(n, (int(sides[0]), int(sides[1])), [np.cross(arm, axes) for arm in (x[9:12], x[19:22])], axes))
    J, Y = np.concatenate(J), M_inverse @ A.T
    return J @ (M_inverse - Y @ np.linalg.solve(A @ Y, Y.T)) @ J.T


@pytest.mark.parametrize("lanes", [1, 8])
def test_entries_give_the_dense_response_of_mass_matrix_and_jacobian(lanes):
    pile, begin = tangle()
    stepper = PileStepper(pile, lanes=lanes)
    before = stepper.advance(begin, 400)
    stepper.advance(before, 1)
    problem = stepper.present_problem
    assert isinstance(problem, TreeProblem)
    rows, contacts = problem.rows, len(problem.order.first)
    assert contacts >= 4
    assert (problem.order.second > 0).any()  # the ball touches a link
    columns = []
    for r in [*range(rows.count), *range(rows.begin, rows.begin + contacts)]:
        B = np.zeros((rows.bodies.size, 3))
        of_row = slice(*rows.starts[r : r + 2])
        np.add.at(B, rows.places[of_row], rows.numbers[of_row, :3])
        columns.append(B[:, 2:] if r < rows.count else B)
    B = np.concatenate(columns, axis=1)
    dense = dense_response(problem, pile, before.orientation)
    assert np.abs(B.T @ B - dense).max() < 1e-11 * np.abs(dense).max()
    for k in range(contacts):
        at = slice(rows.count + 3 * k, rows.count + 3 * k + 3)
        own = rows.responses[:, rows.begin + k].reshape(3, 3)
        assert np.abs(own - dense[at, at]).max() < 1e-11 * np.abs(dense).max()


def test_many_steps_in_one_call_are_those_one_by_one():
    """With sleeping, every step is made by calls from Python; no body is slow enough to sleep here."""
    pile, begin, _ = heap(2)
    one = PileStepper(pile).advance(begin, 450)
    two = PileStepper(pile, sleeping=Sleeping(1e-12, 1e3)).advance(begin, 450)
    for name in ("position", "orientation", "velocity", "joints"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    np.testing.assert_array_equal(one.cache.impulses, two.cache.impulses)
    np.testing.assert_array_equal(one.cache.change, two.cache.change)
    assert (one.sweeps, one.residual, one.cache.smooth) == (two.sweeps, two.residual, two.cache.smooth)
    energy = PileStepper(pile).energy(begin)
    for name in ("friction", "impact", "correction", "damping", "limits"):
        assert getattr(one.ledger, name) == pytest.approx(getattr(two.ledger, name), abs=1e-12 * energy)


@pytest.mark.parametrize("jointed", [True, False])
def test_numbers_that_are_not_finite_end_a_pile_in_clear_words(jointed):
    if jointed:
        pile, begin = tangle()
    else:
        pile = Pile([Body(Sphere(0.1), 1.0), Body(Sphere(0.1), 1.0)], surface=SurfaceMaterial(0.5))
        begin = initial_state(pile, [[0.0, 0.0, 0.1], [0.0, 0.0, 0.3]])
    stepper = PileStepper(pile)
    good = stepper.advance(begin, 20)
    push = np.zeros((len(pile.bodies), 6))
    push[0] = 1e308  # it spins so fast that its speeds overflow
    words = r"at 0\.0\d+ s .* of the pile is not a finite number any more"
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(WorldError, match=words):
        stepper.advance(begin, 20, push=push)
    again = stepper.advance(begin, 20)
    np.testing.assert_array_equal(again.position, good.position)
