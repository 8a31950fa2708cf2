"""The compiled functions of programs, against those of CasADi: values, gradients, Jacobians, Hessians."""

from dataclasses import replace

import casadi as ca
import numpy as np
import pytest
from nonlinear_programs import element, hock_schittkowski_71, random_program, swing_up

from gambol.lanes import hessian
from gambol.plan.solver.casadi_backend import CasadiSolver
from gambol.plan.solver.lanes import CompiledProgram, compiled_element
from gambol.plan.solver.options import SolverOptions

RELATIVE = 1e-10


@pytest.fixture(params=["written out", "coloured"])
def derivatives(request, monkeypatch):
    """All entries at once, or directional derivatives for colours of columns."""
    compiled_element._functions.cache_clear()
    monkeypatch.setattr(compiled_element, "MAX_UNROLLED_OPERATIONS", 6000 if request.param == "written out" else -1)
    yield request.param
    compiled_element._functions.cache_clear()


def test_the_kind_of_derivatives_is_the_one_chosen(derivatives):
    functions = compiled_element.FunctionSpecs.of(swing_up(3).constraints[0])
    colourings = [function.colouring for function in functions.all()]
    assert [c is not None for c in colourings] == [False, *[derivatives == "coloured"] * 2]


def dense(rows, columns, values, shape):
    matrix = np.zeros(shape)
    matrix[rows, columns] = values
    return matrix


def by_casadi(program, x, factor, multipliers):
    """Cost, gradient, constraints, Jacobian and lower triangle of the Lagrangian's Hessian by CasADi."""
    oracle = CasadiSolver(program, SolverOptions()).oracle
    constants = np.concatenate([e.constants.ravel() for e in (*program.costs, *program.constraints)])
    y, m = ca.MX.sym("y", x.size), ca.MX.sym("m", multipliers.size)
    f, g = oracle(y, constants)
    second = ca.hessian(factor * f + ca.dot(m, g), y)[0]
    results = ca.Function("all", [y, m], [f, ca.gradient(f, y), g, ca.jacobian(g, y), second])(x, multipliers)
    cost, gradient, values, jacobian, hessian = (np.array(r.full()) for r in results)
    return cost[0, 0], gradient.ravel(), values.ravel(), jacobian, np.tril(hessian)


def by_lanes(program, x, factor, multipliers):
    made = CompiledProgram(program)
    n, m = x.size, multipliers.size
    jacobian = dense(made.jacobian_rows, made.jacobian_columns, made.jacobian(x), (m, n))
    values = made.hessian(x, factor, multipliers)
    hessian = dense(made.hessian_rows, made.hessian_columns, values, (n, n))
    assert (made.hessian_columns <= made.hessian_rows).all()
    return made.cost(x), made.gradient(x), made.constraints(x), jacobian, hessian


def check(program, seed):
    random = np.random.default_rng(seed)
    x = program.initial + 0.1 * random.normal(size=program.initial.size)
    multipliers = random.normal(size=sum(e.lower.size for e in program.constraints))
    pairs = zip(by_lanes(program, x, 0.7, multipliers), by_casadi(program, x, 0.7, multipliers), strict=True)
    for ours, theirs in pairs:
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=RELATIVE * (1 + np.abs(theirs).max(initial=0.0)))


@pytest.mark.parametrize("seed", range(4))
def test_random_programs_are_those_of_casadi(seed, derivatives):
    check(random_program(seed), seed)


def test_the_swing_up_is_that_of_casadi(derivatives):
    check(swing_up(5), 0)


def test_a_problem_with_a_published_solution():
    check(hock_schittkowski_71(), 1)


def test_an_unknown_in_two_places_counts_twice(derivatives):

    def formula(x, c):
        return [x[0] * x[0] * x[1] + x[1] * x[2]]

    program = replace(
        hock_schittkowski_71(), costs=(element("twice", formula, [[0, 0, 1], [2, 3, 2]]),), constraints=()
    )
    x = np.array([1.5, -0.5, 0.7, 2.0])

    def same(x):
        return x[0] ** 3 + x[0] * x[1] + x[2] ** 2 * x[3] + x[3] * x[2]

    cost, gradient, _, _, second = by_lanes(program, x, 1.0, np.zeros(0))
    expected = hessian(same, x.tolist())
    assert cost == pytest.approx(expected[0], rel=1e-14)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-14)
    np.testing.assert_allclose(second, np.tril(np.array(expected[2], float)), rtol=1e-14, atol=1e-14)


def test_other_constants_are_taken():
    program = swing_up(4)
    made, other = CompiledProgram(program), swing_up(4)
    other.costs[0].constants[:] *= 3.0
    x = np.random.default_rng(0).normal(size=program.initial.size)
    before = made.cost(x)
    made.set_constants(other)
    assert made.cost(x) == pytest.approx(3.0 * before, rel=1e-14)
