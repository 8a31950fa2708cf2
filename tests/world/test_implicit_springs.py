"""Springs lose as much energy in large steps as docs/theory/contact.md says; the ledger has the larger part."""

import numpy as np
import pytest
from worlds import diagonal, mechanical

from gambol.contact.stepping.implicit_part import MARGIN
from gambol.figure import Figure, Joint, JointSpring, Link
from gambol.gait import GaitController, Leg, MotorCommand
from gambol.world import Engine, Timing, World, start

STIFFNESS, INERTIA = 30.0, 0.2


def arm(h: float) -> World:
    """An arm on a spring, whose rest angle a motor program moves."""
    figure = Figure("arm", (Link("arm", None, Joint("revolute", (0.0, 1.0, 0.0)), (), diagonal(1.0, *[INERTIA] * 3)),))
    step, stance = MotorCommand("arm", 0.5, 0.0, 0.4), MotorCommand("arm", -0.2, 0.1, 0.3)
    gait = GaitController((Leg("leg", "left", 0, ("arm",), (step,), (stance,)),), {"arm": 0.0})
    springs = {"arm": JointSpring(stiffness=STIFFNESS)}
    return World(figure, springs, contact="stepping", controller=gait, gravity=0.0, timing=Timing(h, h))


def swung(h: float, seconds: float = 0.5) -> np.ndarray:
    """Return speed, rest angle, energy less the motors' work, and numerical damping at each step's start (4, T)."""
    engine = Engine(world := arm(h), lanes=1)
    state, rows = start(world, angles={"arm": 0.3}), list[list[float]]()
    for k in range(round(seconds / h) + 1):
        engine.advance(state, k)
        ledger = state.step_state.ledger
        energy = mechanical(engine, state) - ledger.motors
        rest = state.step_state.memory.control.rest[0]
        rows.append([x.item() for x in (state.v[0], rest, energy, ledger.numerical_damping)])
    return np.array(rows).T


@pytest.mark.parametrize("h", [1e-3, 0.25])
def test_a_spring_loses_the_energy_of_its_formula(h: float):
    """At 1 ms the spring is explicit; at 0.25 s the larger part of it is implicit."""
    v, rest, energy, damped = swung(h, 500 * h)
    rate, mean, change = np.diff(rest) / h, 0.5 * (v[1:] + v[:-1]), np.diff(v)
    implicit = max(STIFFNESS - 4.0 * MARGIN * INERTIA / h**2, 0.0)
    assert (implicit > 0.25 * STIFFNESS) == (h == 0.25)
    by_implicit_part = h * h * mean * implicit * (v[1:] - rate)
    lost = by_implicit_part - h * h * mean * 0.25 * STIFFNESS * change
    np.testing.assert_allclose(-np.diff(energy), lost, rtol=0.0, atol=1e-14 * abs(energy).max())
    np.testing.assert_allclose(np.diff(damped), by_implicit_part, rtol=0.0, atol=1e-14 * abs(energy).max())
    assert damped.any() == (h == 0.25)
    if h == 1e-3:
        assert len(set(np.round(rate, 6))) > 2  # it moves there and back, and stands
        np.testing.assert_allclose(np.cumsum(lost), -(h**2) * STIFFNESS / 8.0 * (v[1:] ** 2 - v[0] ** 2), atol=1e-14)
