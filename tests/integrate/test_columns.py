"""Jacobians column by column: equal to those by all directions at once, with the code for one column."""

from itertools import pairwise

import numpy as np
import pytest
from tracing import body_of

from gambol.integrate import columns
from gambol.integrate.columns import MAX_DIRECTIONS, linear_matrix, value_and_jacobian
from gambol.integrate.solve import newton_root
from gambol.lanes import Program, ProgramSpec, jacobian, sin, subprogram, when
from gambol.lanes.program_spec import operation_count

N = 2 * MAX_DIRECTIONS


def chain(x):
    """Return forces between neighbours that differ in strength; springs soften under compression."""

    @subprogram
    def pull(stretch, strength):
        return strength * sin(stretch) + when(stretch > 0.0, lambda s: s * s, stretch)

    forces = [pull(b - a, 1.0 + 0.1 * k) for k, (a, b) in enumerate(pairwise([0.0, *x]))]
    return [a - b for a, b in pairwise([*forces, 0.0])]


def compiled(function):
    return Program(ProgramSpec("jacobian", lambda x: function(x), ([0.0] * N,)))


@pytest.fixture
def at():
    return np.random.default_rng(2).normal(size=(N, 9))


def test_columns_are_those_of_all_directions_at_once(at):
    f, J = compiled(lambda x: value_and_jacobian(chain, x))(at)
    g, whole = compiled(lambda x: jacobian(chain, x))(at)
    np.testing.assert_array_equal(f, g)
    np.testing.assert_allclose(J, whole, rtol=1e-14, atol=1e-15)
    assert np.count_nonzero(J) < 4 * N * at.shape[1]  # each force moves two neighbours
    np.testing.assert_allclose(
        value_and_jacobian(chain, at[:, 0].tolist())[1], J[:, 0].reshape(N, N), rtol=1e-13, atol=1e-15
    )


def test_the_code_of_a_column_is_there_once():
    def stirred(y):
        for _ in range(8):
            y = [a * b + c for a, b, c in zip(y, [*y[1:], y[0]], [*y[5:], *y[:5]], strict=True)]
        return y

    def flat(way):
        return lambda *x: [d for row in way(stirred, x)[1] for d in row]

    assert operation_count(body_of(flat(value_and_jacobian), N)) < 0.2 * operation_count(body_of(flat(jacobian), N))


@pytest.mark.parametrize("n", [3, N])
def test_a_linear_function_has_a_matrix(n):
    A = np.random.default_rng(n).normal(size=(n, n))
    np.testing.assert_allclose(linear_matrix(lambda x: list(A @ np.array(x)), n), A, rtol=1e-15)


def test_newton_finds_roots_of_many_unknowns(at, monkeypatch):
    goal = [0.3 * np.cos(k) for k in range(N)]

    def result(x):
        return (newton_root(lambda y: [a - b for a, b in zip(chain(y), goal, strict=True)], x).x,)

    (x,) = compiled(result)(0.1 * at)
    np.testing.assert_allclose(chain_of_arrays(x), np.tile(np.array(goal)[:, None], 9), atol=1e-12)
    monkeypatch.setattr(columns, "MAX_DIRECTIONS", N)
    (unrolled,) = compiled(result)(0.1 * at)
    np.testing.assert_allclose(x, unrolled, atol=1e-12)


def chain_of_arrays(x):
    return np.array([chain(column.tolist()) for column in x.T]).T
