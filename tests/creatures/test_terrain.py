"""Ground to a creature's measure."""

import numpy as np
import pytest

from gambol.creatures import roach
from gambol.creatures.terrain import hills_for, standing_height

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
