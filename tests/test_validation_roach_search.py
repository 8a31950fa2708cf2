"""The search for roaches with the ground forces of animals: its numbers, its score, and one small generation."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.creatures import roach
from validation.roach_search import generation, genes, score, search_from, varied, walked

TUNED = roach()


def constants(creature):
    """Return the springs by link, without their rest angles, which follow from the motor programs."""
    return {link: replace(spring, rest=0.0) for link, spring in creature.springs.items()}


def test_it_varies_57_numbers_and_none_of_them_changes_the_roach_at_0():
    names = [gene.name for gene in genes(TUNED)]
    assert len(names) == len(set(names)) == 57
    same = varied(TUNED, [0.0] * 57)
    assert (constants(same), same.legs, same.figure) == (constants(TUNED), TUNED.legs, TUNED.figure)
    for link, angle in TUNED.angles.items():
        assert same.angles[link] == same.springs[link].rest == pytest.approx(angle, abs=5.1e-4)  # the file has 3 digits


@pytest.mark.parametrize("k", range(0, 57, 7))
def test_each_number_changes_both_sides_alike(k):
    numbers = [0.0] * 57
    numbers[k] = 0.1
    changed = varied(TUNED, numbers)
    springs = {link for link, spring in constants(changed).items() if spring != constants(TUNED)[link]}
    commands = [
        (new.target - old.target) * (1.0 if leg.side == "left" else -1.0)
        for leg, other in zip(changed.legs, TUNED.legs, strict=True)
        for new, old in zip((*leg.step, *leg.stance), (*other.step, *other.stance), strict=True)
        if new.target != old.target
    ]
    if genes(TUNED)[k].unit == "rad":
        np.testing.assert_allclose(commands, [0.1, 0.1], rtol=1e-9)
    else:
        assert not commands
        assert len(springs) in (1, 2, 4)  # the trunk; left and right; ankle and tarsus, left and right


def test_the_cockroach_set_scores_more_than_the_tuned_set():
    tuned, animal = (score(terms) for terms in walked([TUNED, roach("cockroach")]))
    assert animal > tuned + 1.0


def test_a_generation_returns_its_best_roach():
    search = search_from(TUNED, population=4)
    best, numbers = generation(search, TUNED, seed=1)
    assert np.isfinite(best)
    assert len(numbers) == 57
