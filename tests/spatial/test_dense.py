"""Small systems of equations against NumPy, for every type of scalar, with pivots that differ between lanes."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tracing import bits

from gambol.lanes import Program, ProgramSpec
from gambol.spatial.dense import LU


def test_a_matrix_that_needs_other_pivots_in_every_lane():
    rng = np.random.default_rng(3)
    A, b = rng.normal(size=(4, 4, 50)), rng.normal(size=(4, 50))
    for k in range(4):
        A[k, k, ::2] *= 1e-14  # without pivots no digit would be left in every other lane

    def solved(A: Any, b: Any) -> Any:
        return (LU.of(A).solve(b),)

    expected = np.linalg.solve(A.transpose(2, 0, 1), b.T[:, :, None])[:, :, 0].T
    size = np.linalg.cond(A.transpose(2, 0, 1)) * np.linalg.norm(expected, axis=0)
    on_arrays = np.array(solved([list(row) for row in A], list(b))[0])
    assert (np.abs(on_arrays - expected) < 40 * np.finfo(float).eps * size).all()
    form = ([[0.0] * 4 for _ in range(4)], [0.0] * 4)
    compiled = [Program(ProgramSpec("solved", solved, form), "float64", n)(A.reshape(16, 50), b)[0] for n in (1, 8)]
    np.testing.assert_array_equal(bits(compiled[0]), bits(compiled[1]))
    assert (np.abs(compiled[0] - expected) < 40 * np.finfo(float).eps * size).all()


@given(st.integers(1, 7), st.integers(0, 1000))
def test_rows_of_very_different_sizes(n: int, seed: int):
    rng = np.random.default_rng(seed)
    A, b = rng.normal(size=(n, n)) + 2.0 * np.eye(n), rng.normal(size=n)
    scale = 10.0 ** rng.uniform(-12, 12, n)
    x = LU.of((A * scale[:, None]).tolist()).solve((b * scale).tolist())
    assert np.linalg.norm(A @ x - b) < 1e-13 * np.linalg.norm(A) * (np.linalg.norm(x) + 1.0)


def test_what_is_known_to_be_zero_costs_nothing():
    def diagonal(x: Any) -> Any:
        return (LU.of([[x, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.0, x]]).solve([1.0, 0.0, 0.0]),)

    full = Program(ProgramSpec("full", lambda x: (LU.of([[x, x], [x, 1.0]]).solve([1.0, 0.0]),), (0.0,)))
    compiled = Program(ProgramSpec("diagonal", diagonal, (0.0,)))
    assert compiled(np.array([[4.0]]))[0][:, 0].tolist() == [0.25, 0.0, 0.0]
    assert compiled.operations < full.operations


def test_a_singular_matrix_has_no_number_as_its_solution():
    assert np.isnan(LU.of([[1.0, 2.0], [0.5, 1.0]]).solve([1.0, 1.0])).any()
