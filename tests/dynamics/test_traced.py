"""The same formulas compiled: what they give, and how little they cost."""

from typing import Any

import numpy as np
import pytest
from figures import quadruped, random_figure, random_sample, state_of

from gambol.dynamics import aba, kinematics
from gambol.figure import Figure
from gambol.lanes import Program, Recipe

MOST_OPERATIONS = 2000  # of the quadruped's forward dynamics; 1921 in float64, of which a fifth are sines and cosines


def compiled_aba(figure: Figure) -> Program:
    def accelerations(q: list[Any], v: list[Any], tau: list[Any]) -> tuple[Any, ...]:
        return (aba(kinematics(figure, q, v), tau)[0],)

    return Program(Recipe("aba", accelerations, ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv)))


@pytest.mark.parametrize("seed", [1, 4])
def test_compiled_forward_dynamics_agrees_with_floats(seed: int):
    figure = random_figure(seed, links=4, root="free")
    samples = [random_sample(figure, k) for k in range(5)]
    q, v, tau = (np.array([getattr(s, name) for s in samples]).T.copy() for name in ("q", "v", "tau"))
    (found,) = compiled_aba(figure)(q, v, tau)
    expected = np.array([aba(state_of(figure, s), s.tau)[0] for s in samples]).T
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_forward_dynamics_of_a_quadruped_stays_cheap():
    assert compiled_aba(quadruped()).operations <= MOST_OPERATIONS
