"""The person who walks after the procedural walk, on its own feet: speeds and steps near those asked for."""

import numpy as np
import pytest

from gambol.creatures.bruderlin_calvert.entry import BRUDERLIN_CALVERT
from gambol.creatures.bruderlin_calvert.parameters import walk_parameters
from gambol.creatures.measures import measure_creature
from gambol.errors import WorldError
from gambol.world import Engine, run, start

WORLD = BRUDERLIN_CALVERT.world()


@pytest.mark.parametrize("speed", [0.9, 1.2, 1.5])
def test_it_walks_at_the_requested_speed_with_the_requested_steps(speed: float):
    """Steps end when the foot touches the ground, not when the procedural step does: so they differ a little."""
    world, requested = BRUDERLIN_CALVERT.world(speed=speed), walk_parameters(velocity=speed)
    measures = measure_creature(run(world, start(world), 12.0, rate=200.0), world, BRUDERLIN_CALVERT)[0]
    assert not measures.fell
    assert measures.outside_work_j == 0.0
    assert measures.speed_m_per_s == pytest.approx(speed, rel=0.1)
    assert measures.stride_s == pytest.approx(2.0 * requested.step, rel=0.15)
    assert measures.flight < 0.01  # a walk
    assert measures.phase["left"] == pytest.approx(0.5, abs=0.03)  # both sides alike
    for duty in measures.duty_factor.values():
        assert 0.5 < duty < 0.7


def test_pushed_it_walks_on():
    """16 worlds at once; in each another push of 0.1 s, to the front or to the back, of up to 300 N."""
    engine, state = Engine(WORLD), start(WORLD, 16)
    force = np.random.default_rng(1).uniform(-300.0, 300.0, 16)
    numbers = engine.numbers(push=[force, 0.0 * force, 0.0 * force, 4.0, 4.1])
    engine.advance(state, round(9.0 / WORLD.timing.control_step), numbers)
    assert ((state.q[:, 2] > 0.65) & (abs(state.q[:, 0]) < 0.5)).all()  # hips up, pelvis upright
    assert (state.step_state.ledger.outside != 0.0).all()  # the pushes did work


def test_a_speed_at_which_it_does_not_walk_is_refused():
    with pytest.raises(WorldError, match=r"the person cannot walk at 3 m/s; give 0\.6 to 1\.7"):
        BRUDERLIN_CALVERT.world(speed=3.0)
