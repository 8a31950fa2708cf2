"""Hills scaled to a creature."""

import numpy as np
import pytest

from gambol.collide import HeightGrid, Plane
from gambol.creatures import roach, world_of
from gambol.creatures.terrain import ground_warnings, hills_for, standing_height

CREATURE = roach("thesis")


def test_the_roach_stands_on_its_tarsi():
    # Tips of the tarsi below the thorax joint, front, middle, hind [mm]; the root lies 1 mm lower.
    # [docs/decisions/002-reading-the-thesis.md, whose joint of the thorax is 1 mm above the root]
    expected = (10.7 + 12.5 + 18.4) / 3 - 1.0
    assert 1e3 * standing_height(CREATURE) == pytest.approx(expected, abs=0.35)  # a tarsus is 0.35 mm thick


def test_hills_are_a_third_of_the_standing_height():
    hills = hills_for(CREATURE, seed=2)
    assert hills.heights.max() == pytest.approx(standing_height(CREATURE) / 3)
    assert np.array_equal(hills.heights, hills_for(CREATURE, seed=2).heights)


def test_a_steep_step_under_penalty_contact_is_a_warning():
    """20 % and more of the motors' work were unaccounted for, without a warning."""
    heights = np.zeros((9, 9))
    heights[4:] = 0.004
    (note,) = ground_warnings(world_of(CREATURE, ground=HeightGrid(heights, 2e-4, -8e-4, -8e-4)))
    assert "as steep as 87 degrees, over cells of 0.2 mm" in note
    assert "--contact stepping" in note
    assert not ground_warnings(world_of(CREATURE, ground=HeightGrid(heights, 2e-4), contact="stepping"))
    for gentle in (Plane(), HeightGrid(heights, 0.05), hills_for(CREATURE, seed=2)):
        assert not ground_warnings(world_of(CREATURE, ground=gentle))
