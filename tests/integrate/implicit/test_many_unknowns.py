"""Many unknowns, with Jacobians by columns and factors in a loop: uncoupled pendulums move together as alone."""

import numpy as np
import pytest
from motions import double_derivatives, double_force, double_momentum, double_pendulum, program
from tracing import bits

from gambol.integrate import MotionState, System, columns, elimination

PENDULUMS = 4
METHODS = ("rosenbrock", "implicit euler", "implicit midpoint", "variational")


def of_all(function):
    """Return a function of all double pendulums from that of one: their results one after the other."""

    def together(*args):
        *t, q, v = args
        results = [function(*t, q[k : k + 2], v[k : k + 2]) for k in range(0, len(q), 2)]
        return [x for numbers in results for x in numbers]

    return together


def all_pendulums():
    derivatives, force = (
        of_all(lambda t, q, v: double_derivatives(t, q, v)[0]),
        of_all(lambda t, q, v: double_force(t, q, v)[0]),
    )
    return System(
        lambda t, q, v: (derivatives(t, q, v), []),
        momentum=of_all(double_momentum),
        force=lambda t, q, v: (force(t, q, v), []),
    )


N = 2 * PENDULUMS
WORLDS = 5


def swung(method, system, state, *how):
    """Return the worlds after eight steps; their rows are q, then v."""
    n = len(state) // 2
    compiled = program(method, system, MotionState([0.0] * n, [0.0] * n), *how)
    return compiled(state, np.full((1, 1), 0.01), np.full((1, 1), 8.0))[0]


@pytest.fixture(autouse=True)
def many(monkeypatch):
    """Eight unknowns count as many, two do not."""
    monkeypatch.setattr(columns, "MAX_DIRECTIONS", N - 1)
    monkeypatch.setattr(elimination, "MAX_UNROLLED", N - 1)


@pytest.mark.parametrize("method", METHODS)
def test_pendulums_in_one_system_move_as_alone(method):
    state = np.random.default_rng(4).uniform(-2.0, 2.0, (2 * N, WORLDS))
    together = swung(method, all_pendulums(), state)
    rows = [[k, k + 1, N + k, N + k + 1] for k in range(0, N, 2)]
    alone = swung(method, double_pendulum(), np.concatenate([state[own] for own in rows], axis=1))
    for own, one in zip(rows, np.split(alone, PENDULUMS, axis=1), strict=True):
        np.testing.assert_allclose(together[own], one, atol=1e-11)
    narrow = swung(method, all_pendulums(), state[:, :1], "float64", 1)
    np.testing.assert_array_equal(bits(narrow), bits(together[:, :1]))
