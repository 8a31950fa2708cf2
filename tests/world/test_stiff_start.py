"""An initial state with springs bent too far for any step is refused before any work is done."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.creatures import roach, standing_state, world_of
from gambol.errors import WorldError
from gambol.world import Engine, run
from gambol.world.stiff_start import check_springs


def bent(*angles: float):
    """Return the roach without a controller, its rest angles changed at once, to another angle in each lane."""
    creature = roach()
    world = replace(world_of(creature), controller=None)
    rest = {name: [np.array(angles) for _ in given] for name, given in world.numbers()["rest"].items()}
    return world, standing_state(creature, world, len(angles)), Engine(world).numbers(rest=rest)


@pytest.mark.parametrize("angle", [0.3, 0.6, 0.7, 0.8])
def test_rest_angles_set_far_off_at_once_are_refused(angle: float):
    """The world once stopped in its first step, and named a joint that was not the cause."""
    world, state, numbers = bent(angle)
    with pytest.raises(WorldError, match=r'the initial state of lane 0 bends the springs of "leg_ml1" by .* rad'):
        run(world, state, 0.1, numbers=numbers)


def test_the_lane_is_named_and_others_are_let_through():
    world, state, numbers = bent(0.0, 0.1, 0.7)
    with pytest.raises(WorldError, match="the initial state of lane 2 bends"):
        check_springs(world, state, numbers)
    check_springs(*bent(0.0, 0.1, 0.2))


def test_steps_of_constant_length_need_no_stiff_start():
    world, state, numbers = bent(0.7)
    check_springs(replace(world, timing=replace(world.timing, method="rk4")), state, numbers)
