"""Gaits of animals whose walk evolved: some trot, and change their gait while they walk; others say why not."""

from dataclasses import fields, replace

import numpy as np
import pytest

import gambol
from gambol.creatures.animals import TROTS, animal_world
from gambol.creatures.changing_gait import TimedGait
from gambol.creatures.natural import natural_report
from gambol.creatures.table import CREATURES
from gambol.errors import EvolveError, WorldError
from gambol.evolve.genotype.walking.control import stride_pattern
from gambol.evolve.genotype.walking.stride import Stride
from gambol.evolve.genotype.walking.trots import TrotChange, half_way_pattern, trotting
from gambol.evolve.zoo import zoo_creature
from gambol.gait import Directed
from gambol.gait.animals import TROT, WALK
from gambol.world import Engine, Film, World, run, start

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


PHASES, WALKS, TROTS_FOR, WALKS_AGAIN = 8, 2.0, 6.0, 12.0
"""Number of phases of the stride at which gaits change in trials, and the durations of the gaits [s]: the monkey needs
10 s until it walks as fast as before; after 4 s it has 0.9 of its speed."""


@pytest.mark.parametrize("name", EACH)
def test_a_change_of_gait_and_back_does_not_stumble(name: str):
    """At eight phases of a stride: the trunk stays up, and the last 2 s of each gait have its speed within a tenth."""
    walk, trot = (pattern_of(animal_world(name, gait=gait)) for gait in (WALK, TROT))
    offsets = np.arange(PHASES) / PHASES / walk.waves.frequency
    begins, again = WALKS + offsets, WALKS + TROTS_FOR + offsets
    changes = [((0.0, WALK), (float(a), TROT), (float(b), WALK)) for a, b in zip(begins, again, strict=True)]
    worlds = [animal_world(name, gait=each) for each in changes]
    state = start(worlds[0], PHASES, precision="float32")
    seconds = WALKS + TROTS_FOR + WALKS_AGAIN
    numbers = Engine(worlds[0], precision="float32").numbers_of(worlds)
    film = run(worlds[0], state, seconds, rate=30.0, numbers=numbers)
    assert film.position[:, :, 0, 2].min() > STANDING * CREATURES[name].height
    for pattern, end in ((trot, WALKS + TROTS_FOR), (walk, seconds)):
        within = (film.time >= end - 2.0) & (film.time <= end)
        place = film.position[within][:, :, 0, :2]
        speeds = np.hypot(*np.moveaxis(place[-1] - place[0], -1, 0)) / np.ptp(film.time[within])
        np.testing.assert_allclose(speeds, pattern.responses.speed, rtol=0.1)


def test_a_gait_as_an_input_of_the_program_does_not_change_the_motion():
    """The waves of the other gait are multiplied by 0: what differs is the rounding of sums, 1e-16, which grows in a
    second of contacts by far less than the factor 1e6.
    """
    for gait in (WALK, TROT):
        alone, chosen = (animal_world("cat", gait=each) for each in (gait, ((0.0, gait),)))
        films = [run(world, start(world), 1.0) for world in (alone, chosen)]
        np.testing.assert_allclose(films[0].position, films[1].position, rtol=0.0, atol=1e-10)


def test_speeds_above_those_of_the_walk_are_trotted():
    """It changes at the largest speed of its walk, and back at 0.95 of the speed of its walk."""
    walk = pattern_of(animal_world("cat", gait=WALK)).responses
    assert pattern_of(animal_world("cat", speed=0.7)) == pattern_of(animal_world("cat", speed=0.7, gait=TROT))
    assert pattern_of(animal_world("cat", speed=0.4)) == pattern_of(animal_world("cat", speed=0.4, gait=WALK))
    pattern = pattern_of(animal_world("cat", speed=((0.0, 0.3), (4.0, 0.7), (8.0, 0.3))))
    top, back = walk.fastest * walk.speed, 0.95 * walk.speed
    changes = [4.0 * (top - 0.3) / 0.4, 4.0 + 4.0 * (0.7 - back) / 0.4]
    assert isinstance(pattern.gait, tuple)
    assert [time for time, _ in pattern.gait[1::2]] == pytest.approx(changes)
    assert [value for _, value in pattern.gait[2::2]] == [1.0, 0.0]
    with pytest.raises(WorldError, match=r"a speed of 2 m/s is not possible; give 0 to 0.9\d+ in a trot"):
        animal_world("cat", speed=((0.0, 0.3), (4.0, 2.0)))


def test_the_stride_between_two_gaits_has_the_mean_of_their_numbers_and_phases_on_the_shorter_way():
    walk, trot = (zoo_creature(name).genotype for name in ("hound", "greyhound"))
    half_way = half_way_pattern(walk, trot)
    assert half_way.frequency == 0.5 * (Stride(*walk.control.values).frequency + Stride(*trot.control.values).frequency)
    same = half_way_pattern(walk, walk)
    assert same.numbers() == stride_pattern(walk.body, walk.control).numbers()
    later = replace(
        walk.control, values=tuple(x - 0.98 if k == NOD_PHASE else x for k, x in enumerate(walk.control.values))
    )
    turned = half_way_pattern(walk, replace(walk, control=later)).numbers()
    ahead = replace(
        walk.control, values=tuple(x + 0.01 if k == NOD_PHASE else x for k, x in enumerate(walk.control.values))
    )
    expected = stride_pattern(walk.body, ahead).numbers()
    np.testing.assert_allclose(turned["sine"], expected["sine"], atol=1e-12)


NOD_PHASE = [item.name for item in fields(Stride)].index("nod_phase")

DERIVED = [name for name, trot in TROTS.items() if not isinstance(trot.changes, str)]
"""The animals whose trot has numbers of their walk."""


@pytest.mark.parametrize("name", DERIVED)
def test_the_numbers_of_a_trot_are_those_of_the_walk_but_for_a_few(name: str):
    genotype = zoo_creature(name).genotype
    changes = TROTS[name].changes
    assert isinstance(changes, dict)
    change = TrotChange(**changes)
    trot = trotting(genotype, change)
    walking, trotted = Stride(*genotype.control.values), Stride(*trot.control.values)
    assert trot.body == genotype.body
    assert trot.control.kind == "trot"
    assert trotted.frequency == change.frequency * walking.frequency
    assert trotted.travel == change.travel * walking.travel
    kept = {field: getattr(walking, field) for field in ("frequency", "travel", *changes)}
    assert replace(trotted, **kept) == walking


@pytest.mark.parametrize("name", TROTS)
def test_the_default_gait_is_the_walk_that_evolved(name: str):
    assert animal_world(name) == animal_world(name, gait=WALK)
    assert CREATURES[name].gaits == (WALK, TROT)


@pytest.mark.parametrize(
    ("name", "gait", "message"),
    [
        ("greyhound", WALK, "no other gait, because it only trots; the hound has the same body, and walks"),
        ("lizard", TROT, "no other gait, because with the phases of a trot its fore feet land 0.7"),
        ("spider", TROT, "no other gait, because a trot is a gait of four legs"),
        ("bird", WALK, "no other gait, because a trot is a gait of four legs"),
        ("cat", "gallop", '"cat" has no gait "gallop"; there are: "walk", "trot"'),
        ("cat", ((0.0, "walk"), (1.0, "gallop")), '"cat" has no gait "gallop"; there are: "walk", "trot"'),
        ("cat", ((1.0, "walk"), (2.0, "trot")), r"the gaits begin at \[1.0, 2.0\] s; give times that rise from 0"),
        ("cat", ((0.0, "walk"), (0.0, "trot")), "give times that rise from 0"),
        ("cat", (("walk",),), "give a name, or pairs of time"),
    ],
)
def test_a_gait_that_an_animal_does_not_have_is_refused(name: str, gait: TimedGait, message: str):
    with pytest.raises(WorldError, match=message):
        CREATURES[name].world(gait=gait)
    with pytest.raises(WorldError, match=message):
        gambol.make_world(name, gait=gait)


@pytest.mark.parametrize(
    ("name", "gait", "names"),
    [("cat", "gallop", "walk.*trot"), ("lizard", "trot", "walk"), ("hound", "", "walk.*trot")],
)
def test_worlds_of_animals_without_an_entry_refuse_unknown_gaits(name: str, gait: str, names: str):
    with pytest.raises(WorldError, match=f'no gait "{gait}".*{names}'):
        animal_world(name, gait=gait)


def test_only_strides_become_trots_within_their_bounds():
    change = TrotChange(1.6, 0.7, 0.45, 0.47, 0.17, 0.08)
    with pytest.raises(EvolveError, match='only the control "stride" becomes a trot, not "trot"'):
        trotting(zoo_creature("greyhound").genotype, change)
    with pytest.raises(EvolveError, match="two pairs of legs"):
        trotting(zoo_creature("spider").genotype, change)
    with pytest.raises(EvolveError, match='gene "duty" is'):
        trotting(zoo_creature("cat").genotype, replace(change, duty=0.7))
