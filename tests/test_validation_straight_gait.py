"""Why the printed roach does not walk straight: the model prefers no side, and the trunk's yaw is hardly damped."""

import numpy as np
import pytest

from gambol.creatures import Feet, roach, standing_state, world_of
from gambol.world import State, run
from validation.printed_script import PRINTED_SPEED, RATE, headings
from validation.straight_gait import straightness, with_coxa_dampers, with_other_tripod_first, yaw_on_coxae

STANCE_FIRST = ("stance-from-the-start",)
HALF_STRIDE = 0.05  # s


def test_the_walk_of_the_other_tripod_is_the_mirror_image():
    """Nothing in the model prefers a side: the heading has the opposite sign, to rounding, which contacts amplify."""
    heading = []
    for creature in (roach("thesis", STANCE_FIRST), with_other_tripod_first(roach("thesis", STANCE_FIRST))):
        world = world_of(creature, grip="all")
        heading.append(np.degrees(headings(run(world, standing_state(creature, world), 0.6, rate=RATE))[:, 0]))
    assert abs(heading[0]).max() > 5.0  # it turns
    np.testing.assert_allclose(heading[0], -heading[1], atol=0.5)


def test_the_yaw_of_the_trunk_is_damped_within_half_a_stride_by_strong_coxae_only():
    """exp(-2 pi f ratio t), as long as it oscillates: what is left of a yaw after half a stride."""
    frequency, printed = yaw_on_coxae(roach("thesis"))
    _, strong = yaw_on_coxae(roach("thesis", ("coxa-dampers",)))
    assert strong == pytest.approx(8.0 * printed)
    assert 1.0 / frequency > HALF_STRIDE  # slower than the steps
    assert np.exp(-2.0 * np.pi * frequency * printed * HALF_STRIDE) > 0.5
    assert np.exp(-2.0 * np.pi * frequency * min(strong, 1.0) * HALF_STRIDE) < 0.05


def test_the_change_is_that_of_the_reading():
    changed = with_coxa_dampers(roach("thesis"), 8.0)
    assert changed.springs == roach("thesis", ("coxa-dampers",)).springs


@pytest.mark.parametrize("feet", PRINTED_SPEED)
def test_with_strong_coxae_it_walks_straight_at_both_printed_speeds(feet: Feet):
    """Both speeds within a tenth, and less than half a degree in a stride of 0.1 s, from two starts."""
    creature = roach("thesis", (*STANCE_FIRST, "coxa-dampers"))
    world = world_of(creature, feet=feet, grip="all")
    rows = [standing_state(creature, world, jitter=jitter, seed=1).rows for jitter in (0.0, 0.02)]
    film = run(world, State(world, np.hstack(rows)), 3.1, rate=RATE)
    for start in range(2):
        forward, turn = straightness(film, start)
        assert forward == pytest.approx(PRINTED_SPEED[feet], rel=0.1)
        assert abs(turn) < 5.0
