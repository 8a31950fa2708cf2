"""Initial states: given positions and velocities, a place on the ground, differences between worlds."""

import numpy as np
import pytest

from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.make_world import make_world
from gambol.errors import WorldError
from gambol.world import depth_of, start

CREATURE = roach()
WORLD = make_world(CREATURE)


def test_positions_and_velocities_may_be_given_for_all_worlds_or_for_each():
    figure = WORLD.figure
    q, v = np.array(WORLD.initial.q), np.linspace(-1.0, 1.0, figure.nv)
    each = np.array([v, 2.0 * v])
    state = start(WORLD, 2, q=q, v=each)
    np.testing.assert_array_equal(state.q, [q, q])
    np.testing.assert_array_equal(state.v, each)
    np.testing.assert_array_equal(start(WORLD, 2, v=v).v, [v, v])


def test_a_creature_is_placed_anywhere_on_the_ground():
    places = np.array([[0.0, 0.0], [1.0, -2.0]])
    state = start(WORLD, 2, on_ground=places)
    np.testing.assert_array_equal(state.rows, standing_state(CREATURE, world_of(CREATURE), 2, positions=places).rows)


def test_the_drop_is_the_height_of_the_lowest_point():
    q = start(WORLD, drop=0.02).q[0]
    assert -depth_of(WORLD, q.tolist()) == pytest.approx(0.02, abs=1e-15)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"q": [0.0]}, "q has shape"),
        ({"v": np.zeros((3, 38))}, "v has shape"),
        ({"v": np.full(38, np.nan)}, "not finite"),
        ({"q": [2.0, *WORLD.initial.q[1:]]}, "a quaternion of length 2; divide it by its length"),
        ({"on_ground": [0.0]}, "on_ground has shape"),
    ],
)
def test_values_that_do_not_fit_are_refused(options, message):
    with pytest.raises(WorldError, match=message):
        start(WORLD, 2, **options)
