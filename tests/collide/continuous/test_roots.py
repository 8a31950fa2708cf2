"""Roots of polynomials against the roots they were made from, against numpy's, and where coefficients cancel."""

import numpy as np
import pytest

from gambol.collide.continuous import quadratic_roots, unit_roots
from gambol.collide.gap import FAR
from gambol.lanes import Program, ProgramSpec

RNG = np.random.default_rng(4)


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_all_roots_between_0_and_1_are_found_in_order(degree: int):
    c = RNG.normal(size=(degree + 1, 4000))
    result, count = np.array(unit_roots(list(c))), 0
    assert (np.diff(result, axis=0) >= 0.0).all()
    for k in range(0, 4000, 8):
        exact = np.roots(c[::-1, k])
        exact = np.sort(exact[np.abs(exact.imag) < 1e-9].real)
        exact = exact[(exact >= 0.0) & (exact <= 1.0)]
        there = result[:, k][result[:, k] < FAR]
        np.testing.assert_allclose(there, exact, atol=1e-11)
        count += len(exact)
    assert count > 50


def test_a_double_root_is_found():
    for t in RNG.uniform(0.0, 1.0, 200):
        c = np.polynomial.polynomial.polyfromroots([t, t, 1.7])
        there = [x for x in unit_roots(c.tolist()) if x < FAR]
        assert there
        np.testing.assert_allclose(there, t, atol=1e-7)  # half of the digits: all that a double root has


def test_a_polynomial_without_roots_has_none():
    assert unit_roots([1.0, 0.0, 1.0]) == [FAR, FAR]
    assert unit_roots([2.0, -1.0, 0.0, 0.0]) == [FAR, FAR, FAR]
    assert unit_roots([1.0, 0.0]) == [FAR]


def test_both_roots_of_a_quadratic_have_all_their_digits():
    small, large = 1e-9, 1e9  # of 1e-9 the textbook's formula leaves no digit
    a, b, c = 1.0, -0.5 * (small + large), small * large
    assert quadratic_roots(a, b, c) == pytest.approx((small, large), rel=1e-15)
    assert quadratic_roots(-a, -b, -c) == pytest.approx((small, large), rel=1e-15)
    assert quadratic_roots(0.0, 2.0, -1.0) == (0.25, FAR)
    assert quadratic_roots(1.0, 0.0, 1.0) == (FAR, FAR)
    assert quadratic_roots(0.0, 0.0, 1.0) == (FAR, FAR)


def test_roots_are_the_same_on_lanes():
    c = RNG.normal(size=(4, 64))
    program = Program(ProgramSpec("roots", lambda *x: tuple(unit_roots(x)), (0.0,) * 4), "float64")
    result = np.array([row[0] for row in program(*(row[None] for row in c))])
    np.testing.assert_allclose(result, np.array(unit_roots(list(c))), rtol=0, atol=1e-12)
    assert (result < FAR).sum() > 10
