"""Exchanges of variables of a linear system."""

import numpy as np

from gambol.contact.complementarity.linear.pivots import exchanged, one_hot, selected_row, smallest


def test_an_exchange_solves_one_equation_for_another_variable():
    T = np.random.default_rng(0).normal(size=(3, 4))
    x = np.random.default_rng(1).normal(size=4)
    y = T @ x
    swapped = np.array(exchanged(T.tolist(), one_hot(1.0, 3), one_hot(2.0, 3)))
    np.testing.assert_allclose(swapped @ [x[0], x[1], y[1], x[3]], [y[0], x[2], y[2]], rtol=1e-12)


def test_an_exchange_is_undone_by_itself_and_nothing_by_none():
    T = np.random.default_rng(2).normal(size=(3, 3)).tolist()
    hot = one_hot(0.0, 3)
    np.testing.assert_allclose(exchanged(exchanged(T, hot, hot), hot, hot), T, rtol=1e-12)
    none = one_hot(-1.0, 3)
    assert none == [0.0, 0.0, 0.0]
    assert exchanged(T, none, none) == T


def test_a_pivot_of_zero_changes_nothing():
    T = [[0.0, 1.0], [1.0, 2.0]]
    assert exchanged(T, [1.0, 0.0], [1.0, 0.0]) == T


def test_the_smallest_is_the_first_of_equals():
    assert smallest([3.0, 1.0, 1.0], 9.0) == (1.0, 1.0)
    assert smallest([3.0, 4.0], 2.0) == (2.0, -1.0)
    assert selected_row([0.0, 1.0], [[1.0, 2.0], [3.0, 4.0]]) == [3.0, 4.0]
