"""The reflex walker walks: level, over steps, pushed, with two humps in the force of the ground."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gambol.creatures.geyer_herr.entry import walker_world
from gambol.creatures.geyer_herr.figure import SIDES
from gambol.world import Film
from validation.creatures.geyer_herr import DISTURBED, PUSHES, ground_steps, pushed, stance_forces, walk

pytestmark = pytest.mark.filterwarnings("ignore:energy does not balance", "ignore:lane 0 had contacts")

SECONDS = 30.0
WEIGHT = 80.0 * 9.81


@pytest.fixture(scope="module")
def film() -> Film:
    return walk(walker_world(), SECONDS)[1]


def test_it_walks_thirty_seconds_on_its_own_feet(film: Film) -> None:
    """As far as the source's 1.3 m/s says within a fifth, upright, on alternating feet, by its muscles' work alone."""
    centre = film.signals["centre"][:, 0]
    assert centre[:, 2].min() > 0.85
    assert 0.8 * 1.3 * SECONDS < centre[-1, 0] - centre[0, 0] < 1.2 * 1.3 * SECONDS
    assert film.signals["outside"][-1, 0] == 0.0
    # work between the ends of a step is of second order in it; what is left are landings, 3 mm/s h over v^2 / 2
    assert abs(film.signals["unaccounted"][-1, 0]) < 0.01 * film.signals["motors"][-1, 0]
    stands = film.signals["push"][:, 0] / WEIGHT > 0.02
    landings = [np.flatnonzero(stands[1:, k] & ~stands[:-1, k]) for k in range(len(SIDES))]
    assert all(len(each) >= 15 for each in landings)
    assert 0.5 < stands[400:].mean() < 0.7


def test_the_force_of_the_ground_has_two_humps(film: Film) -> None:
    """As that of people: a peak after the landing, one before the foot leaves, and a valley between them."""
    mean: NDArray[np.float64] = np.mean(stance_forces(film), axis=0)
    first, valley, second = mean[10:40].max(), mean[30:65].min(), mean[55:90].max()
    assert first > 1.1 * valley
    assert second > 1.1 * valley
    total = film.signals["push"][400:, 0].sum(axis=1)
    assert total.mean() == pytest.approx(WEIGHT, rel=0.05)  # sampled at 200 Hz, with short impacts of heels


def test_it_walks_over_random_steps_of_two_centimetres() -> None:
    measures, rough = walk(walker_world(ground=ground_steps(0.02, seed=0)), DISTURBED)
    assert not measures.fell
    assert rough.signals["centre"][-1, 0, 0] > 15.0


def test_it_recovers_from_pushes() -> None:
    """Sixteen walkers, pushed for 0.1 s by 20 to 150 N, forward or backward."""
    force, lasted = pushed()
    assert len(set(force)) == PUSHES
    assert (lasted == DISTURBED).all()
