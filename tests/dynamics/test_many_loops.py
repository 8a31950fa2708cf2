"""Many coupled loops: the motion of one degree of freedom, the dense solution, and a cost that grows with the loops."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gambol.dynamics import kinematics
from gambol.dynamics.loops import TREES, Problem, closed_dynamics, projected, rows, solve
from gambol.dynamics.loops.elimination_order import MAX_DENSE_ROWS
from gambol.dynamics.loops.propagation import Recursion
from gambol.figure import CLOSURES, Closure, Figure, Link, random_figure, random_state, rotation_about
from gambol.figure.generator import random_rotation
from gambol.lanes.bodies import trace_body
from validation.linkages import GROUND, X, Y, Z, rod, turning, windows, windows_state
from validation.movement import Run, energy, history

G = 9.81


def braced(count: int) -> Figure:
    """Parallel cranks on the ground, each tied to the next by two parallel couplers, at pins a quarter turn apart.

    Each pair of couplers is one constraint too many; one of the two is singular wherever the other is not.
    """
    along_y = rotation_about("x", -np.pi / 2)
    links = [Link(f"crank{k}", "ground", turning(Y, (float(k), 0.0, 0.0)), (), rod(1.0, Z)) for k in range(count + 1)]
    closures: list[Closure] = []
    for k in range(count):
        for name, pin in (("upper", Z), ("side", X)):
            links.append(Link(f"{name}{k}", f"crank{k}", turning(Y, pin), (), rod(1.0, X)))
            closures.append(Closure("hinge", f"{name}{k}", f"crank{k + 1}", X, along_y, pin, along_y))
    return Figure(f"braced{count}", (GROUND, *links), constraints=tuple(closures))


def pendulum(inertia: float, up: float, across: float, speed: float, times: list[float]) -> np.ndarray:
    """Angles and speeds (2, times) of inertia theta'' = g (up sin theta + across cos theta), from 0 at a speed."""

    def rates(_: float, y: np.ndarray) -> list[float]:
        return [y[1], G / inertia * (up * np.sin(y[0]) + across * np.cos(y[0]))]

    return solve_ivp(rates, (0, times[-1]), [0.0, speed], "DOP853", times, rtol=1e-13, atol=1e-13).y


@pytest.mark.parametrize("count", [4, 12, pytest.param(40, marks=pytest.mark.slow)])
def test_windows_swing_as_one_pendulum(count: int):
    """Uprights of 1 kg and 1 m turn about their ends, and couplers of 1 kg move in circles of 1 m.

    Ten seconds of RK4 through some twenty singular positions, where all bars lie on one line.
    """
    figure, times = windows(count), [1.0, 5.0, 10.0]
    q, v = windows_state(figure, 0.0, 1.0)
    expected = pendulum((count + 1) / 3 + count, (count + 1) / 2 + count, 0.0, 1.0, times)
    before = energy(figure, q, v)
    for n, (place, speed) in enumerate(history(figure, q, v, times, Run(1e-3))):
        exact_q, exact_v = windows_state(figure, *expected[:, n])
        np.testing.assert_allclose(place, exact_q, atol=1e-5)
        np.testing.assert_allclose(speed, exact_v, atol=5e-5)  # g / length times the error of the angle
        assert energy(figure, place, speed) == pytest.approx(before, rel=1e-5)


def test_rows_that_depend_on_those_of_other_blocks():
    """Of the four rows in the plane between two braced cranks, one depends on the others, and not always the same."""
    count, times = 6, [1.0, 2.0, 5.0, 10.0]
    figure = braced(count)
    assert len(rows(kinematics(figure, [0.0] * figure.nq, [0.0] * figure.nv))) > MAX_DENSE_ROWS
    sign = np.array([1.0 if link.name.startswith("crank") else -1.0 for link in figure.links[1:]])
    expected = pendulum((count + 1) / 3 + 2 * count, (count + 1) / 2 + count, count, 3.0, times)
    for n, (place, speed) in enumerate(history(figure, 0.0 * sign, 3.0 * sign, times, Run(1e-3))):
        np.testing.assert_allclose(place, sign * expected[0, n], atol=1e-9)
        np.testing.assert_allclose(speed, sign * expected[1, n], atol=1e-8)


def tied(seed: int) -> Figure:
    """A random figure of 16 links with seven closures of all kinds, so that rows are coupled in many ways."""
    random = np.random.default_rng(seed)
    figure = random_figure(seed, 16, root="free" if seed % 2 else None)
    names, closures = [link.name for link in figure.links], list[Closure]()
    for kind in CLOSURES:
        a, b = random.choice(names, 2, replace=False)
        p, p_other = (tuple(x.tolist()) for x in random.normal(scale=0.1, size=(2, 3)))
        turns = random_rotation(random), random_rotation(random)
        closures.append(
            Closure(kind, str(a), str(b), p, turns[0], p_other, turns[1], 0.3 if kind == "distance" else 0.0)
        )
    return replace(figure, constraints=tuple(closures))


@pytest.mark.parametrize("seed", range(8))
def test_blocks_give_the_accelerations_of_the_dense_solution(seed: int):
    """Demands that can be met; relative to the largest acceleration."""
    figure, random = tied(seed), np.random.default_rng(seed)
    q, v = random_state(figure, seed)
    state = kinematics(figure, q.tolist(), v.tolist())
    possible, tau = random.normal(size=(2, figure.nv)).tolist()
    moving, constraints = state.accelerations(possible), rows(state)
    problem = Problem(state, tau, constraints, [row.acceleration(moving, possible) for row in constraints])
    found = np.array(solve(problem).a)
    for method in TREES:
        np.testing.assert_allclose(found, solve(problem, method).a, atol=1e-9 * np.abs(found).max())


def operations(figure: Figure) -> int:
    """The operations of one evaluation of accelerations and one projection."""

    def step(*x: float) -> list[float]:
        q, v = list(x[: figure.nq]), list(x[figure.nq :])
        a = closed_dynamics(kinematics(figure, q, v), [0.0] * figure.nv).a
        return [*a, *(y for part in projected(figure, q, v) for y in part)]

    return len(trace_body("step", "float64", None, figure.nq + figure.nv, step).ops)


@pytest.mark.parametrize("build", [windows, braced])
def test_every_further_loop_costs_the_same(build: Callable[[int], Figure]):
    """The dense solution grows with the cube: from 16 to 32 loops it would cost seven times what it costs from 8."""
    first, second = np.diff([operations(build(count)) for count in (8, 16, 32)])
    assert second == pytest.approx(2 * first, rel=0.02)


def test_a_row_of_windows_is_eliminated_without_fill_in():
    """Loops are eliminated from the ends of the row, so that each is coupled to one other loop then, of five rows."""
    figure = windows(30)
    q, v = windows_state(figure, 0.4, 1.0)
    state = kinematics(figure, q.tolist(), v.tolist())
    constraints = rows(state)
    recursion = Recursion(Problem(state, [0.0] * figure.nv, constraints, [0.0] * len(constraints)))
    recursion.inward()
    eliminated = [row for group in recursion.eliminated.values() for row in group]
    assert len({row.row for row in eliminated}) == len(eliminated) == len(constraints)
    assert sum(bool(row.coupling) for row in eliminated) >= 29
    assert max(len(row.coupling) for row in eliminated) <= 5
