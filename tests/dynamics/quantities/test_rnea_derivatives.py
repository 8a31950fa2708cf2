"""Derivatives by rigid displacements: the same as by dual numbers, anywhere in space."""

from typing import Any

import numpy as np
import pytest
from figures import quadruped, random_sample, state_of

from gambol.dynamics import kinematics, rnea
from gambol.dynamics.quantities.rnea_derivatives import rnea_derivatives
from gambol.dynamics.tangent import perturbed
from gambol.figure import random_figure
from gambol.lanes import Program, ProgramSpec, jacobian


@pytest.mark.parametrize("seed", range(10))
def test_displacements_and_dual_numbers_agree_to_rounding(seed: int):
    figure = random_figure(seed, links=1 + seed, rotors=0.5, root="free" if seed % 2 else None)
    sample, n = random_sample(figure, seed), figure.nv

    def forces(x: list[Any]) -> list[Any]:
        return rnea(kinematics(figure, perturbed(figure, sample.q, x[:n]), x[n:]), sample.rates)[0]

    expected, rows = jacobian(forces, [*[0.0] * n, *sample.v])
    tau, by_q, by_v = rnea_derivatives(state_of(figure, sample), sample.rates, {}, 9.81)
    np.testing.assert_allclose(tau, expected, rtol=1e-11, atol=1e-12 * np.abs(expected).max())
    np.testing.assert_allclose(np.hstack([by_q, by_v]), rows, atol=1e-12 * np.abs(rows).max())


def test_far_from_the_origin_nothing_is_lost():
    """In float32 a kilometre has a unit of 6e-5 m: derivatives relative to the root are independent of it."""
    figure = quadruped()

    def slopes(q: list[Any], v: list[Any], rates: list[Any]) -> Any:
        return rnea_derivatives(kinematics(figure, q, v), rates, {}, 9.81)[1:]

    sizes = figure.nq, figure.nv, figure.nv
    program = Program(ProgramSpec("slopes", slopes, tuple([0.0] * n for n in sizes)), "float32")
    sample = random_sample(figure, 2)
    q, v, rates = (np.array(x, np.float32)[:, None] for x in (sample.q, sample.v, sample.rates))
    here = program(q, v, rates)
    q[4:7] += np.float32(1000.0)
    for found, near in zip(program(q, v, rates), here, strict=True):
        np.testing.assert_array_equal(found, near)
