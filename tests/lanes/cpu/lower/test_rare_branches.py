"""Rare branches: lanes wait for them, and take them together with lanes of other blocks."""

from typing import Any

import numpy as np
import pytest

from gambol.lanes import Program, ProgramSpec, Subprogram, floor, loop, sqrt, when, where

STEPS = 40


def walk_spec(rarities: tuple[int, int], drift: float) -> ProgramSpec:
    """Return a program of random walks; they take one branch in a fifth of their steps, and another in some of these.

    rarities: those of the two branches. drift: a constant that all programs of a test share.
    """

    def rarest(x: Any) -> Any:
        return loop(lambda y: y > 0.3, lambda y: sqrt(y) * 0.5, x)

    def rare(x: Any) -> Any:
        return when(x > 0.9, Subprogram(rarest, rarities[1]), x, otherwise=x + 0.001)

    def walk(state: tuple[Any, Any, Any], factor: Any, until: Any) -> tuple[Any]:
        start = factor * (1.0 + drift)  # computed before the loop, and used in it

        def step(state: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
            x, total, count = state
            x = 17.3 * x + start
            x = x - floor(x)
            total = total + when(x > 0.8, Subprogram(rare, rarities[0]), x, otherwise=0.1)
            return x, total, where(x > 0.01, count + 1.0, count + 2.0)

        return (loop(lambda state: state[2] < until + start, step, state),)

    return ProgramSpec("walk", walk, ((0.0, 0.0, 0.0), 0.0, 0.0))


def random_walks(rarities: tuple[int, int], precision: Any, lanes: int, worlds: int, threads: int = 1) -> np.ndarray:
    """Return the states of random walks after STEPS and some more, a different number for each."""
    program = Program(walk_spec(rarities, 0.125), precision, lanes)
    random = np.random.default_rng(3)
    state = np.zeros((3, worlds))
    state[0] = random.random(worlds)
    until = STEPS + 10.0 * random.random((1, worlds))
    return program(state, random.random((1, worlds)), until, threads=threads)[0]


@pytest.mark.parametrize("worlds", [1, 33, 1000, 3001])
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_waiting_changes_no_bit(precision, worlds):
    usual = random_walks((0, 0), precision, 1, worlds)
    assert worlds < 1000 or len(np.unique(usual[1])) > 500
    for lanes in (2, 8, 16):
        for rarities in ((1, 2), (1, 0), (0, 1), (2, 1)):
            np.testing.assert_array_equal(random_walks(rarities, precision, lanes, worlds), usual)


def test_threads_share_worlds_that_wait():
    usual = random_walks((0, 0), "float32", 16, 3000)
    np.testing.assert_array_equal(random_walks((1, 2), "float32", 16, 3000, threads=3), usual)


def test_order_of_worlds_changes_no_bit():
    program = Program(walk_spec((1, 2), 0.125), "float32", 16)
    random, order = np.random.default_rng(4), np.random.default_rng(5).permutation(700)
    state, factor = random.random((3, 700)), random.random((1, 700))
    until = np.full((1, 700), 60.0)
    (direct,) = program(state, factor, until)
    (permuted,) = program(state[:, order], factor[:, order], until)
    np.testing.assert_array_equal(permuted, direct[:, order])


def test_a_rare_branch_outside_a_loop_runs_at_once():
    def function(x: Any) -> tuple[Any]:
        return (when(x > 0.5, Subprogram(lambda y: 2.0 * y, 1), x, otherwise=x),)

    x = np.linspace(0.0, 1.0, 100)[None]
    (y,) = Program(ProgramSpec("rare", function, (0.0,)), "float64", 8)(x)
    np.testing.assert_array_equal(y, np.where(x > 0.5, 2.0 * x, x))


def test_numbers_that_change_places_in_a_step_are_read_before_they_are_written():
    def swapping(rarity: int) -> ProgramSpec:
        def step(state: tuple[Any, Any, Any, Any]) -> tuple[Any, Any, Any, Any]:
            first, second, kept, count = state
            more = when(count + first > 12.0, Subprogram(lambda x: x + 0.5, rarity), second, otherwise=second)
            return second, first, kept, count + where(more > second, 1.0, 2.0)

        run = lambda *state: (loop(lambda state: state[3] < 20.0, step, state),)  # noqa: E731
        return ProgramSpec("swap", run, (0.0,) * 4)

    start = np.random.default_rng(6).uniform(0.0, 8.0, (4, 1000))
    found, usual = (Program(swapping(r), "float64", lanes)(*start[:, None])[0] for r, lanes in ((1, 8), (0, 1)))
    np.testing.assert_array_equal(found, usual)
    np.testing.assert_array_equal(np.sort(found[:2], axis=0), np.sort(start[:2], axis=0))
    np.testing.assert_array_equal(found[2], start[2])
    assert 0.2 < np.mean(found[0] == start[1]) < 0.8
