import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import figures

from gambol import random_state
from gambol.dynamics import kinematics
from gambol.dynamics.forward import diagonal_bound, factorised, mass_rows, symmetric
from gambol.figure import Figure


@given(figures(), st.integers(0, 2**16), st.integers(0, 2**16))
def test_the_bound_is_nowhere_above_the_mass_matrix(figure: Figure, seed: int, choice: int):
    """Neither on all degrees of freedom, nor on some of them while the others are free."""
    assume(figure.nv)
    q, v = random_state(figure, seed=seed)
    rows = mass_rows(kinematics(figure, list(q), list(v)))
    M, freedoms = np.array(symmetric(rows)), [k for k in range(figure.nv) if k == 0 or choice >> k & 1]
    S = diagonal_bound(factorised(rows), freedoms)
    effective = np.linalg.inv(np.linalg.inv(M)[np.ix_(freedoms, freedoms)])
    rounding = 1e-13 * np.linalg.cond(M) * np.abs(effective).max()
    assert min(S) > 0.0
    assert np.linalg.eigvalsh(effective - np.diag(S)).min() >= -rounding


def test_the_bound_of_a_diagonal_matrix_is_the_matrix():
    rows = [{0: 2.0}, {1: 3.0}, {2: 5.0}]
    np.testing.assert_allclose(diagonal_bound(factorised(rows), [0, 2]), [2.0, 5.0], rtol=1e-15)
