"""Many unknowns, whose Jacobians are taken by columns in a loop: uncoupled pendulums go together as each does alone."""

import numpy as np
import pytest
from motions import double_momentum, double_pendulum, double_pull, double_slope, program
from tracing import bits

from gambol.integrate import Moving, System, columns, elimination

PENDULUMS = 4
METHODS = ("rosenbrock", "implicit euler", "implicit midpoint", "variational")


def each(function):
    """A function of q and v of one double pendulum, for all of them: their results one after the other."""

    def together(*given):
        *t, q, v = given
        found = [function(*t, q[k : k + 2], v[k : k + 2]) for k in range(0, len(q), 2)]
        return [x for numbers in found for x in numbers]

    return together


def all_of_them():
    slope, pull = each(lambda t, q, v: double_slope(t, q, v)[0]), each(lambda t, q, v: double_pull(t, q, v)[0])
    return System(
        lambda t, q, v: (slope(t, q, v), []),
        momentum=each(double_momentum),
        force=lambda t, q, v: (pull(t, q, v), []),
    )


N = 2 * PENDULUMS
WORLDS = 5


def swung(method, system, state, *how):
    """Eight steps of worlds whose q and v lie above each other."""
    n = len(state) // 2
    made = program(method, system, Moving([0.0] * n, [0.0] * n), *how)
    return made(state, np.full((1, 1), 0.01), np.full((1, 1), 8.0))[0]


@pytest.fixture(autouse=True)
def many(monkeypatch):
    """Eight unknowns are many, two are not."""
    monkeypatch.setattr(columns, "MOST_AT_ONCE", N - 1)
    monkeypatch.setattr(elimination, "MOST_UNROLLED", N - 1)


@pytest.mark.parametrize("method", METHODS)
def test_pendulums_go_together_as_each_does_alone(method):
    state = np.random.default_rng(4).uniform(-2.0, 2.0, (2 * N, WORLDS))
    together = swung(method, all_of_them(), state)
    rows = [[k, k + 1, N + k, N + k + 1] for k in range(0, N, 2)]
    alone = swung(method, double_pendulum(), np.concatenate([state[own] for own in rows], axis=1))
    for own, one in zip(rows, np.split(alone, PENDULUMS, axis=1), strict=True):
        np.testing.assert_allclose(together[own], one, atol=1e-11)
    narrow = swung(method, all_of_them(), state[:, :1], "float64", 1)
    np.testing.assert_array_equal(bits(narrow), bits(together[:, :1]))
