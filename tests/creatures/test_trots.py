"""Gaits of animals whose walk evolved: four of them trot with the numbers of their walk, others say why not."""

from dataclasses import replace

import numpy as np
import pytest

import gambol
from gambol.creatures.animals import TROTS, animal_world
from gambol.creatures.natural import natural_report
from gambol.creatures.table import CREATURES
from gambol.errors import EvolveError, WorldError
from gambol.evolve.genotype.walking.stride import Stride
from gambol.evolve.genotype.walking.trots import TrotChange, trotting
from gambol.evolve.zoo import zoo_creature
from gambol.gait import Directed
from gambol.gait.animals import TROT, WALK
from gambol.world import Film, World, run, start

EACH = [pytest.param(name, marks=() if name == "cat" else pytest.mark.slow) for name in TROTS]
"""The animals that trot; their programs take 15 s each to compile."""

SECONDS, STANDING = 8.0, 0.7


def filmed(world: World) -> Film:
    return run(world, start(world, precision="float32"), SECONDS)


@pytest.mark.parametrize("name", EACH)
def test_diagonal_feet_land_together_and_it_is_faster_than_its_walk(name: str):
    """In a film of 8 s: a trot by its stances, no fall, and the speed that its yield promises, within a tenth."""
    world = CREATURES[name].world(gait=TROT)
    film = filmed(world)
    report = natural_report(film)
    found = {row.measure: row.value for row in report.rows}
    assert report.gait == TROT
    assert 0.44 <= found["limb phase"] <= 0.56
    assert film.position[:, 0, 0, 2].min() > STANDING * CREATURES[name].height
    pattern, walk = (pattern_of(each) for each in (world, CREATURES[name].world()))
    assert report.speed == pytest.approx(pattern.responses.speed, rel=0.1)
    assert report.speed > 1.2 * walk.responses.speed


@pytest.mark.parametrize("name", EACH[:1])
def test_a_trot_follows_speed_and_turn(name: str):
    """Within a fifth: 0.7 of its speed; half of its rate of turn, from 2 s on, at its own speed."""
    responses = pattern_of(animal_world(name, gait=TROT)).responses
    slow = filmed(animal_world(name, gait=TROT, speed=0.7 * responses.speed))
    assert natural_report(slow).speed == pytest.approx(0.7 * responses.speed, rel=0.2)
    turning = filmed(animal_world(name, gait=TROT, turn=0.5 * responses.top_turn))
    late = turning.time >= 2.0
    w, z = turning.quaternion[late, 0, 0, 0], turning.quaternion[late, 0, 0, 3]
    heading = np.unwrap(2.0 * np.arctan2(z, w))
    assert heading[-1] - heading[0] == pytest.approx(0.5 * responses.top_turn * 6.0, rel=0.2)
    for film in (slow, turning):
        assert film.position[:, 0, 0, 2].min() > STANDING * CREATURES[name].height


def pattern_of(world: World) -> Directed:
    pattern = getattr(world.controller, "pattern", None)
    assert isinstance(pattern, Directed)
    return pattern


@pytest.mark.parametrize("name", TROTS)
def test_the_numbers_of_a_trot_are_those_of_the_walk_but_for_six(name: str):
    genotype = zoo_creature(name).genotype
    change = TrotChange(**TROTS[name].changes)
    trot = trotting(genotype, change)
    walking, trotted = Stride(*genotype.control.values), Stride(*trot.control.values)
    assert trot.body == genotype.body
    assert trot.control.kind == "trot"
    assert trotted.frequency == change.frequency * walking.frequency
    assert trotted.travel == change.travel * walking.travel
    kept = {field: getattr(walking, field) for field in ("frequency", "travel", *TROTS[name].changes)}
    assert replace(trotted, **kept) == walking


@pytest.mark.parametrize("name", TROTS)
def test_the_default_gait_is_the_walk_that_evolved(name: str):
    assert animal_world(name) == animal_world(name, gait=WALK)
    assert CREATURES[name].gaits == (WALK, TROT)


@pytest.mark.parametrize(
    ("name", "gait", "message"),
    [
        ("hound", TROT, "no other gait, because its walk falls .* the greyhound has the same body, and trots"),
        ("greyhound", WALK, "no other gait, because it only trots; the hound has the same body, and walks"),
        ("lizard", TROT, "no other gait, because with the phases of a trot its fore feet land 0.7"),
        ("spider", TROT, "no other gait, because a trot is a gait of four legs"),
        ("bird", WALK, "no other gait, because a trot is a gait of four legs"),
        ("cat", "gallop", '"cat" has no gait "gallop"; there are: "walk", "trot"'),
        ("cat", "walk:trot", '"walk:trot" are several, give walk or trot'),
    ],
)
def test_a_gait_that_an_animal_does_not_have_is_refused(name: str, gait: str, message: str):
    with pytest.raises(WorldError, match=message):
        CREATURES[name].world(gait=gait)
    with pytest.raises(WorldError, match=message):
        gambol.make_world(name, gait=gait)


def test_only_strides_become_trots_within_their_bounds():
    change = TrotChange(**TROTS["cat"].changes)
    with pytest.raises(EvolveError, match='only the control "stride" becomes a trot, not "trot"'):
        trotting(zoo_creature("greyhound").genotype, change)
    with pytest.raises(EvolveError, match="two pairs of legs"):
        trotting(zoo_creature("spider").genotype, change)
    with pytest.raises(EvolveError, match='gene "duty" is'):
        trotting(zoo_creature("cat").genotype, replace(change, duty=0.7))
