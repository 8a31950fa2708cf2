"""The gait of each speed: changes at the Froude numbers of animals, without a stumble."""

from itertools import pairwise
from math import floor

import numpy as np
import pytest

import gambol
from gambol.creatures.dog import dog_world
from gambol.creatures.dog.by_speed import GAITS_BY_SPEED, gait_at, gaits_by_speed, speed_at
from gambol.creatures.dog.dog_gait import DOG_GAITS
from gambol.errors import WorldError
from gambol.gait.mammals import GAITS

SPEEDS = (
    (0.0, 0.8),
    (3.0, 0.8),
    (7.0, 2.2),
    (9.0, 2.2),
    (13.0, 4.0),
    (15.0, 4.0),
    (19.0, 2.2),
    (21.0, 2.2),
    (25.0, 0.8),
)


def test_it_changes_at_the_froude_numbers_of_animals_and_back_at_lower_ones():
    gaits, changes = gaits_by_speed(SPEEDS)
    names = [gait.gait for gait in gaits]
    assert list(dict.fromkeys(names)) == ["walk", "trot", "gallop"]
    found = [(a.gait, b.gait, b.speed) for a, b in pairwise(gaits) if a.gait != b.gait]
    wanted = [("walk", "trot", 0.5), ("trot", "gallop", 2.5), ("gallop", "trot", 2.0), ("trot", "walk", 0.35)]
    assert [pair[:2] for pair in found] == [pair[:2] for pair in wanted]
    for (*_, speed), (*_, froude) in zip(found, wanted, strict=True):
        assert speed == pytest.approx(speed_at(froude))
    assert len(changes) == len(gaits) - 1
    assert [gait.speed for gait in gaits][-1] == SPEEDS[-1][1]


def test_strides_become_longer_as_those_of_animals():
    """Length over hip height is 2.3 Fr^0.3, so length grows as v^0.6; at the speed of a gait it has its frequency."""
    gaits, _ = gaits_by_speed(((0.0, 1.6), (4.0, 3.2)))
    (slow, *_, fast) = gaits
    assert {slow.gait, fast.gait} == {"trot"}
    lengths = [gait.speed / gait.frequency for gait in (slow, fast)]
    assert lengths[1] / lengths[0] == pytest.approx((3.2 / 1.6) ** 0.6)
    own = DOG_GAITS["trot"]
    ((same, *_), _) = gaits_by_speed(((0.0, own.speed),))
    assert same.frequency == pytest.approx(own.frequency)


def test_it_passes_from_walk_to_trot_to_gallop_and_back_without_a_stumble():
    """Only paws touch the ground; the trunk pitches as in a gallop at most, and each gait has its footfalls."""
    world = dog_world(speed=SPEEDS)
    film = gambol.run(world, gambol.start(world), 28.0, rate=100.0)
    assert not film.signals["elsewhere"].any()
    centre, (w, x, y, z) = film.signals["centre"][:, 0], np.moveaxis(film.quaternion[:, 0, 0], -1, 0)
    assert centre[:, 2].min() > 0.9 * centre[0, 2]
    pitch, roll = np.arcsin(2.0 * (w * y - z * x)), np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    assert np.degrees(abs(pitch)).max() < 15.0
    assert np.degrees(abs(roll)).max() < 5.0
    time = film.time
    for begin, end, name in (
        (1.5, 3.0, "walk"),
        (7.5, 9.0, "trot"),
        (13.5, 15.0, "gallop"),
        (19.5, 21.0, "trot"),
        (26.0, 28.0, "walk"),
    ):
        wanted = np.interp(0.5 * (begin + end), *np.transpose(SPEEDS))
        frequency = gait_at(GAITS_BY_SPEED.index(name), float(wanted)).frequency
        late = (time >= begin) & (time < begin + floor((end - begin) * frequency) / frequency)  # whole strides
        standing = film.signals["push"][late, 0] > 0.0
        assert standing.mean(axis=0) == pytest.approx(GAITS[name].duty, abs=0.12), name
        speed = (centre[late][-1, 0] - centre[late][0, 0]) / (time[late][-1] - time[late][0])
        assert speed == pytest.approx(wanted, rel=0.1), name


@pytest.mark.parametrize(
    ("speeds", "message"),
    [
        (((0.0, 0.3), (5.0, 1.0)), "0.6 to 4.5"),
        (((0.0, 1.0), (5.0, 6.0)), "0.6 to 4.5"),
        (((0.0, 1.0), (1.0, 4.0)), "give 2 or more"),
        (((0.0, 1.0), (0.0, 1.1)), "that rise"),
    ],
)
def test_impossible_speeds_are_refused(speeds: tuple[tuple[float, float], ...], message: str):
    with pytest.raises(WorldError, match=message):
        dog_world(speed=speeds)
