"""Derivatives of figures with loops against dual numbers through the whole of their dynamics."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from figures import random_sample, state_of

from gambol.dynamics import kinematics
from gambol.dynamics.loops import LoopOptions, closed_dynamics, closed_dynamics_derivatives
from gambol.dynamics.tangent import perturbed
from gambol.figure import Closure, Coupling, Figure, random_figure
from gambol.lanes import Program, ProgramSpec, jacobian
from gambol.spatial import Force, Vector
from validation.linkages import windows, windows_state


def tied(seed: int, links: int = 6) -> Figure:
    """A random figure with one link held to another at a point, and a joint that follows another."""
    figure = random_figure(seed, links, root="free" if seed % 2 else None, rotors=0.3, kinds=("revolute", "universal"))
    names = [link.name for link in figure.links]
    point = Closure("point", names[-1], names[1], (0.1, 0.0, 0.2), other_position=(0.0, 0.3, 0.0))
    hinges = [link.name for link in figure.links if link.joint.kind == "revolute"]
    follow = [Coupling(hinges[-1], hinges[0], (0.1, -2.0, 0.3))] if len(hinges) > 1 else []
    return replace(figure, constraints=(point, *follow))


@pytest.mark.parametrize("method", ["propagation", "crba"])
@pytest.mark.parametrize("seed", range(6))
def test_derivatives_agree_with_dual_numbers_through_everything(seed: int, method: str):
    """Also with open loops that are being closed, with external forces."""
    figure = tied(seed)
    sample, n, how = random_sample(figure, seed), figure.nv, LoopOptions(method, stabilisation=3.0)
    given = {"f_ext": {2: Force(Vector(1.0, -2.0, 0.5), Vector(3.0, 0.0, 1.0))}, "gravity": Vector(1.0, 2.0, -9.0)}

    def rates(x: list[Any]) -> list[Any]:
        moved = kinematics(figure, perturbed(figure, sample.q, x[:n]), x[n : 2 * n])
        return closed_dynamics(moved, x[2 * n :], how, **given).a

    value, expected = jacobian(rates, [*[0.0] * n, *sample.v, *sample.tau])
    found = closed_dynamics_derivatives(state_of(figure, sample), sample.tau, how, **given)
    np.testing.assert_allclose(found.value, value, rtol=1e-12)
    ours = np.hstack([found.by_q, found.by_v, found.by_input])
    np.testing.assert_allclose(ours, expected, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("most_unrolled", [24, 0])
def test_derivatives_where_rows_depend_on_others_are_those_of_the_motion(most_unrolled: int, monkeypatch: Any):
    """Windows move as one pendulum; calls for each column, as for large figures, give the same."""
    monkeypatch.setattr("gambol.dynamics.loops.derivatives.MAX_UNROLLED_DOFS", most_unrolled)
    figure, h = windows(2), 1e-5
    q, v = windows_state(figure, 0.4, 1.0)

    def slopes(q: list[Any], v: list[Any]) -> Any:
        found = closed_dynamics_derivatives(kinematics(figure, q, v), [0.0] * figure.nv)
        return found.by_q, found.by_v

    def rates(t: float, s: float) -> Any:
        state = kinematics(figure, list(q + t * v), list(v * (1.0 + s)))
        return np.array(closed_dynamics(state, [0.0] * figure.nv).a)

    made = Program(ProgramSpec("slopes", slopes, ([0.0] * figure.nq, [0.0] * figure.nv)), lanes=1)(q, v)
    by_q, by_v = (by.reshape(figure.nv, figure.nv) for by in made)
    np.testing.assert_allclose(by_v @ v, (rates(0.0, h) - rates(0.0, -h)) / (2.0 * h), atol=1e-6)
    np.testing.assert_allclose(by_q @ v, (rates(h, 0.0) - rates(-h, 0.0)) / (2.0 * h), atol=1e-6)
