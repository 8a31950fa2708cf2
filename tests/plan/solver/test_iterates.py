"""The best iterate, and what stops a solver."""

import signal

import numpy as np
import pytest
from nonlinear_programs import hock_schittkowski_71

from gambol.plan.solver.iterates import Iterate, Iterates


def iterate(cost, violation):
    return Iterate(np.full(4, cost), cost, violation, np.zeros(2), np.zeros(4))


def best(*pairs):
    watch = Iterates(None, 1e-6)
    for number, pair in enumerate(pairs):
        watch.add(number, iterate(*pair))
    return watch.best and (watch.best.cost, watch.best.violation)


def test_the_best_is_the_cheapest_feasible_one_else_the_least_violated():
    assert best((5.0, 1.0), (9.0, 0.1), (1.0, 0.5)) == (9.0, 0.1)
    assert best((5.0, 1.0), (9.0, 0.0), (7.0, 1e-7), (8.0, 0.0), (1.0, 0.5)) == (7.0, 1e-7)
    assert best((np.nan, 0.0), (np.inf, 0.0), (2.0, np.nan)) is None


def test_an_unsolved_solution_is_the_best_and_a_solved_one_the_last():
    program, watch = hock_schittkowski_71(), Iterates(None, 1e-6)
    watch.add(0, iterate(5.0, 0.1))
    for solved, cost in ((False, 5.0), (True, 3.0)):
        assert watch.solution(program, iterate(3.0, 0.7), "word", solved, 0.1).cost == cost


def test_progress_receives_a_copy():
    def spoil(number, cost, violation, unknowns):
        unknowns[:] = 0.0

    watch = Iterates(spoil, 1e-6)
    assert watch.add(0, iterate(5.0, 0.1))  # None goes on
    assert watch.best is not None
    assert (watch.best.unknowns == 5.0).all()


def test_errors_wait_until_the_solver_has_returned():
    def fail(*_):
        raise OSError("disk full")

    watch = Iterates(fail, 1e-6)
    assert not watch.add(0, iterate(5.0, 0.1))
    with pytest.raises(OSError, match="disk full"):
        watch.solution(hock_schittkowski_71(), iterate(5.0, 0.1), "word", False, 0.1)


def test_a_keyboard_interrupt_only_stops():
    watch = Iterates(None, 1e-6)
    watch.stop(KeyboardInterrupt())
    assert watch.interrupted
    assert watch.solution(hock_schittkowski_71(), iterate(5.0, 0.1), "word", False, 0.1).interrupted


def test_ctrl_c_is_held_inside_only():
    before, watch = signal.getsignal(signal.SIGINT), Iterates(None, 1e-6)
    with watch:
        signal.raise_signal(signal.SIGINT)
    assert watch.interrupted
    assert signal.getsignal(signal.SIGINT) is before
