"""The variational method: bounded energy error, momenta kept to rounding, and right dissipation."""

import numpy as np
import pytest
from motions import (
    SPUN,
    MotionState,
    System,
    body,
    double_energy,
    double_pendulum,
    integrated,
    momenta,
    program,
    run,
    spring,
)

from gambol.errors import GambolError

NAME = "variational"


def test_energy_of_a_chaotic_double_pendulum_swings_and_stays():
    now = MotionState([2.0, 2.5], [0.0, 0.0])
    counts = np.arange(50.0, 10001.0, 50.0)
    rows = run(program(NAME, double_pendulum(), now), NAME, now, 0.005, counts)
    off = [double_energy(MotionState(list(r[:2]), list(r[2:4]))) - double_energy(now) for r in rows.T]
    early, late = np.abs(off[:100]).max(), np.abs(off[100:]).max()
    assert max(early, late) < 0.05  # of 45 J between lowest and highest
    assert late < 2.0 * early


def test_the_swing_of_the_energy_falls_as_the_square_of_the_step():
    now, worst = MotionState([1.0, 0.4], [0.0, 0.0]), []
    for h in (0.02, 0.01):
        rows = run(program(NAME, double_pendulum(), now), NAME, now, h, np.arange(1.0, 400.0))
        off = [double_energy(MotionState(list(r[:2]), list(r[2:4]))) - double_energy(now) for r in rows.T]
        worst.append(np.abs(off).max())
    assert np.log2(worst[0] / worst[1]) == pytest.approx(2.0, abs=0.2)


def test_a_free_body_conserves_both_momenta_and_nearly_its_energy():
    steps = 10000
    rows = run(program(NAME, body(), SPUN), NAME, SPUN, 0.01, float(steps))[:13, 0]
    end = MotionState(rows[:7].tolist(), rows[7:].tolist())
    for after, before in zip(momenta(end), momenta(SPUN), strict=True):
        np.testing.assert_allclose(after, before, atol=steps * 20 * np.finfo(float).eps * np.linalg.norm(before))
    kinetic = [
        0.5 * (np.array([1.0, 2.0, 3.0]) @ np.square(m.v[:3]) + 2.0 * np.sum(np.square(m.v[3:]))) for m in (SPUN, end)
    ]
    assert kinetic[1] == pytest.approx(kinetic[0], rel=2e-4)


def test_weight_leaves_the_momentum_about_the_vertical():
    """A falling body that turns: its angular momentum about the vertical through the origin is constant to rounding."""
    rows = run(program(NAME, body(gravity=9.81), SPUN), NAME, SPUN, 0.01, 1000.0)[:13, 0]
    end = MotionState(rows[:7].tolist(), rows[7:].tolist())
    (_, before), (_, after) = momenta(SPUN), momenta(end)
    assert after[2] == pytest.approx(before[2], abs=1e-9)


def test_a_damper_takes_what_it_should():
    now = integrated(NAME, spring(k=4.0, c=0.8), MotionState([1.0], [0.0], [0.0]), 0.005, 400)
    assert 0.5 * now.v[0] ** 2 + 2.0 * now.q[0] ** 2 + now.w[0] == pytest.approx(2.0, abs=2e-5)


def test_forth_and_back_is_where_it_began():
    there = integrated(NAME, double_pendulum(), MotionState([1.0, 0.4], [0.2, -0.5]), 0.02, 50)
    back = integrated(NAME, double_pendulum(), MotionState(there.q, [-x for x in there.v]), 0.02, 50)
    assert back.q == pytest.approx([1.0, 0.4], abs=1e-10)


def test_a_system_without_momentum_is_refused():
    with pytest.raises(GambolError, match="momentum and the force"):
        integrated(NAME, System(lambda t, q, v: ([0.0], [])), MotionState([0.0], [1.0]), 0.1, 1)
