"""The residual of the conditions of optimality, where it is known, and violations by name."""

from dataclasses import replace

import numpy as np
import pytest
from nonlinear_programs import element, hock_schittkowski_71

from gambol.plan import NonlinearProgram, kkt_residual, solve_program, worst_violations


def parabola(x, c):
    return [(x[0] - 3.0) * (x[0] - 3.0) + c[0] * x[1]]


def bounded():
    """Minimise (x - 3)^2 + 2 y for x <= 1 and y = x: then x = 1, with multipliers 2 of y = x and 2 of the bound."""
    infinite = np.full(2, np.inf)
    cost = element("parabola", parabola, [0, 1], None, [[2.0]])
    tie = element("tie", lambda x, c: [x[0] - x[1]], [0, 1], ([0.0], [0.0]))
    return NonlinearProgram(np.zeros(2), -infinite, np.array([1.0, np.inf]), (cost,), (tie,))


@pytest.fixture
def solution():
    found = solve_program(bounded())
    exact = {"unknowns": np.ones(2), "bound_multipliers": np.array([2.0, 0.0]), "multipliers": (np.array([[2.0]]),)}
    return replace(found, cost=6.0, violation=0.0, **exact)


def test_an_exact_solution_leaves_nothing(solution):
    left = kkt_residual(bounded(), solution)
    assert (left.stationarity, left.violation, left.complementarity) == (0.0, 0.0, 0.0)
    assert worst_violations(bounded(), solution) == []


def test_each_unmet_condition_is_reported(solution):
    left = kkt_residual(bounded(), replace(solution, multipliers=(np.array([[2.5]]),)))
    assert left.stationarity == 0.5
    left = kkt_residual(bounded(), replace(solution, unknowns=np.array([1.25, 1.0])))
    assert (left.stationarity, left.violation, left.complementarity) == (0.5, 0.25, 0.5)
    left = kkt_residual(bounded(), replace(solution, bound_multipliers=np.array([-2.0, 0.0])))
    assert (left.stationarity, left.complementarity) == (4.0, 2.0)  # a multiplier of a lower bound that is not there


def test_violations_are_sorted_by_element_the_greatest_first(solution):
    moved = replace(solution, unknowns=np.array([1.25, 1.0]))
    bound, tie = worst_violations(bounded(), replace(moved, unknowns=np.array([1.5, 1.25])))
    assert (bound.name, bound.amount, tie.name, tie.amount) == ("bounds of the unknowns", 0.5, "tie", 0.25)
    assert str(bound) == '"bounds of the unknowns", unknown 0, is 1.5, 0.5 above its upper bound of 1'
    assert str(tie) == '"tie" at 0 s is 0.25, 0.25 above its upper bound of 0'
    assert len(worst_violations(bounded(), moved, count=1)) == 1


def test_the_residual_of_a_solution_is_as_small_as_the_solvers_tolerance():
    program = hock_schittkowski_71()
    left = kkt_residual(program, solve_program(program))
    assert max(left.stationarity, left.violation, left.complementarity) < 1e-6  # bounds are relaxed by 1e-8 of 40
    assert left.violation > 0.0
