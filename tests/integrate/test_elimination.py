"""LU factorisation in a loop: equal to LAPACK and to unrolled code, with separate pivots in each lane."""

import numpy as np
import pytest
from tracing import bits

from gambol.integrate.elimination import LoopLU, factorise
from gambol.lanes import Program, ProgramSpec
from gambol.spatial.dense import LU

N, WORLDS = 12, 11
EPSILON = np.finfo(float).eps


def systems(seed=0, worlds=WORLDS):
    """Matrices (worlds, N, N), some with zeros on their diagonal and rows of very different size, and right sides."""
    random = np.random.default_rng(seed)
    A = random.normal(size=(worlds, N, N)) * 10.0 ** random.uniform(-4.0, 4.0, (worlds, N, 1))
    A[::3, range(N), range(N)] = 0.0
    return A, random.normal(size=(worlds, N))


def solved(kind, A, b, **how):
    """The solutions of a compiled elimination of this kind."""

    def solve(rows, right):
        known = kind.of(rows)
        return (known.solve(right), known.solve([-x for x in right]))

    program = Program(ProgramSpec("solved", solve, ([[0.0] * N for _ in range(N)], [0.0] * N)), **how)
    x, back = program(A.reshape(len(A), -1).T.copy(), b.T.copy())
    np.testing.assert_array_equal(back, -x)
    return x


def test_it_solves_as_exactly_as_unrolled_code():
    """The residual of Gauss's method with pivots is some N epsilon of the sum of its terms."""
    A, b = systems()
    for kind in (LoopLU, LU):
        x = solved(kind, A, b).T
        left = np.abs(np.einsum("wij,wj->wi", A, x) - b)
        assert (left <= N * EPSILON * np.einsum("wij,wj->wi", np.abs(A), np.abs(x))).all()


def test_lanes_take_pivots_of_their_own_in_any_width():
    A, b = systems()
    whole, alone = solved(LoopLU, A, b), solved(LoopLU, A, b, lanes=1)
    np.testing.assert_array_equal(bits(whole), bits(alone))


def test_floats_take_the_same_pivots():
    A, b = systems(worlds=2)
    for matrix, right in zip(A, b, strict=True):
        result = LoopLU.of(matrix.tolist()).solve(right.tolist())
        np.testing.assert_allclose(result, np.linalg.solve(matrix, right), rtol=1e-9)


def test_a_singular_matrix_solves_to_no_number():
    A, b = systems()
    A[4, 7] = 0.0
    x = solved(LoopLU, A, b)
    assert np.isnan(x[:, 4]).all()
    assert np.isfinite(np.delete(x, 4, axis=1)).all()


def test_zeros_known_beforehand_make_a_matrix_small():
    sparse = (3.0 * np.eye(50)).tolist()
    assert isinstance(factorise(sparse), LU)
    assert isinstance(factorise(np.ones((40, 40)).tolist()), LoopLU)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_small_matrices_turn_back_to_where_they_were(n):
    A = np.random.default_rng(n).normal(size=(n, n))
    known = LoopLU.of(A.tolist())
    order = [int(k) for k in known.order]
    L, U = np.tril(known.rows, -1) + np.eye(n), np.triu(known.rows)
    np.testing.assert_allclose(L @ U, (np.array(known.scales)[:, None] * A)[order], atol=8 * EPSILON)
