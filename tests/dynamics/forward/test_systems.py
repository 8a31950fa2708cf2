"""Linear systems against dense linear algebra."""

import numpy as np
import pytest

from gambol.dynamics.forward.systems import factorised, lower, symmetric


def branching(n: int, seed: int) -> list[int]:
    """Parents of a random tree; -1 for the root."""
    rng = np.random.default_rng(seed)
    return [-1, *(int(rng.integers(k)) for k in range(1, n))]


def as_sparse_as(parents: list[int], seed: int) -> np.ndarray:
    """A random positive matrix with entries only between a node and its ancestors."""
    n, rng = len(parents), np.random.default_rng(seed)
    L = np.eye(n)
    for k in range(n):
        i = parents[k]
        while i >= 0:
            L[k, i] = rng.normal()
            i = parents[i]
    return L.T @ np.diag(rng.uniform(0.5, 2.0, n)) @ L


@pytest.mark.parametrize("n", [1, 4, 12])
def test_solution_solves(n: int):
    A = as_sparse_as(branching(n, n), n)
    b = np.random.default_rng(n).normal(size=n)
    x = factorised(lower(A.tolist())).solve(b.tolist())
    # each row of A x is a sum of at most n products, so its rounding error is below n eps times their sizes
    np.testing.assert_allclose(A @ x, b, atol=1e-14 * n * np.linalg.cond(A))


@pytest.mark.parametrize("seed", range(5))
def test_factors_of_a_tree_are_as_sparse_as_the_tree(seed: int):
    parents = branching(15, seed)
    rows = lower([[x if abs(x) > 1e-15 else 0.0 for x in row] for row in as_sparse_as(parents, seed).tolist()])
    for k, row in enumerate(factorised(rows).L):
        ancestors, i = set[int](), parents[k]
        while i >= 0:
            ancestors.add(i)
            i = parents[i]
        assert set(row) <= ancestors


def test_matrix_need_not_be_positive():
    A = np.array([[-2.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, -4.0]])
    found = factorised(lower(A.tolist())).solve([1.0, 2.0, 3.0])
    np.testing.assert_allclose(found, np.linalg.solve(A, [1.0, 2.0, 3.0]), rtol=1e-14)


def test_rows_are_the_lower_half_of_the_whole():
    A = [[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [1.0, 0.0, 4.0]]
    rows = lower(A)
    assert rows == [{0: 2.0}, {1: 3.0}, {0: 1.0, 2: 4.0}]
    assert symmetric(rows) == A
