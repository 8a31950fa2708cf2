"""Compiled formulas: their results, and their numbers of operations."""

from typing import Any

import numpy as np
import pytest
from figures import quadruped, random_sample, random_tree, state_of

from gambol.dynamics import aba, kinematics
from gambol.figure import Figure
from gambol.lanes import Program, ProgramSpec, cos, sin

MAX_OPERATIONS = 1600  # of the quadruped's forward dynamics without its sines and cosines; 1537 when it was written


def compiled_aba(figure: Figure) -> Program:
    def accelerations(q: list[Any], v: list[Any], tau: list[Any]) -> tuple[Any, ...]:
        return (aba(kinematics(figure, q, v), tau)[0],)

    return Program(ProgramSpec("aba", accelerations, ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv)))


@pytest.mark.parametrize("seed", [1, 4])
def test_compiled_forward_dynamics_agrees_with_floats(seed: int):
    figure = random_tree(seed, links=4, root="free")
    samples = [random_sample(figure, k) for k in range(5)]
    q, v, tau = (np.array([getattr(s, name) for s in samples]).T.copy() for name in ("q", "v", "tau"))
    (found,) = compiled_aba(figure)(q, v, tau)
    expected = np.array([aba(state_of(figure, s), s.tau)[0] for s in samples]).T
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_forward_dynamics_of_a_quadruped_stays_cheap():
    figure = quadruped()

    def turns(q: list[Any]) -> tuple[Any, ...]:
        return ([f(angle) for angle in q[7:] for f in (sin, cos)],)

    circular = Program(ProgramSpec("turns", turns, ([0.0] * figure.nq,)))
    assert compiled_aba(figure).operations - circular.operations <= MAX_OPERATIONS
