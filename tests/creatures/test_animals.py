"""Animals by name: they are the bodies that evolved, walk as these do, and follow commands."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gambol
from gambol.creatures.animals import ANIMALS as WALKERS
from gambol.creatures.animals import TROTTERS, animal_world
from gambol.creatures.table import CREATURES
from gambol.errors import WorldError
from gambol.evolve.evaluate.batch_world import world_of
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.genotype import grow
from gambol.evolve.genotype.walking.styles import STYLES
from gambol.evolve.zoo import zoo_creature
from gambol.gait import Directed
from gambol.world import Film, World

ANIMALS = WALKERS | TROTTERS

STANDING = 0.7
"""The least height of the trunk of an animal on its feet, over its standing height."""

EACH = [pytest.param(name, marks=() if name == "hound" else pytest.mark.slow) for name in ANIMALS]
"""The animals; their programs take 15 s each to compile."""

STEADY = [param for param in EACH if not {"bird", "dinosaur"} & set(param.values)]
"""The animals that turn, and walk on after two seconds of standing: flat feet hold bird and dinosaur back, the bird
falls, and the dinosaur walks on at another speed."""


def pattern_of(world: World) -> Directed:
    pattern = getattr(world.controller, "pattern", None)
    assert isinstance(pattern, Directed)
    return pattern


@pytest.mark.parametrize("name", ANIMALS)
def test_a_row_of_the_table_is_that_of_the_body_that_evolved(name: str):
    found, entry = zoo_creature(name), CREATURES[name]
    creature = grow(found.genotype)
    world, rollout = entry.world(), world_of(creature, task_of(found.settings))
    assert {link for links in entry.limbs.values() for link in links} == set(creature.standing_feet)
    assert entry.height == pytest.approx(creature.height, abs=1e-3)
    assert world.figure == replace(rollout.figure, name=name)
    assert world.springs == rollout.springs
    assert world.surface == rollout.surface
    assert world.timing == rollout.timing
    assert world.controller is not None
    assert rollout.controller is not None
    assert world.controller.actuators == rollout.controller.actuators
    assert pattern_of(world).waves == creature.pattern
    assert world.initial.q == creature.q
    assert all(link.visuals for link in world.figure.links if link.name == "trunk")


def walked(film: Film, begin: float, end: float) -> tuple[float, float, float]:
    """Return the mean speed [m/s] and rate of turn [rad/s] between two times, and the lowest height [m]."""
    shown = (film.time >= begin - 1e-9) & (film.time <= end + 1e-9)
    centre, (w, _, _, z) = film.signals["centre"][shown, 0], np.moveaxis(film.quaternion[shown, 0, 0], -1, 0)
    heading = np.unwrap(2.0 * np.arctan2(z, w))
    way = float(np.hypot(*np.diff(centre[:, :2], axis=0).T).sum())
    return way / (end - begin), (heading[-1] - heading[0]) / (end - begin), float(centre[:, 2].min())


def filmed(name: str, seconds: float, **commands: Any) -> Film:
    world = animal_world(name, **commands)
    return gambol.run(world, gambol.start(world), seconds, rate=60.0)


@pytest.mark.parametrize("name", EACH)
@pytest.mark.filterwarnings("ignore:.*did not solve")  # flat feet of the bird, by up to 2 cm/s
def test_an_animal_walks_at_its_speed(name: str):
    speed, _, lowest = walked(filmed(name, 8.0), 2.0, 8.0)
    assert lowest > STANDING * ANIMALS[name].height
    assert speed == pytest.approx(pattern_of(animal_world(name)).responses.speed, rel=0.1)


@pytest.mark.parametrize("name", STEADY)
def test_an_animal_turns_as_commanded(name: str):
    """Its yield was measured for the largest turn; for half of it, it differs by up to a half."""
    turn = 0.5 * pattern_of(animal_world(name)).responses.top_turn
    _, drift, _ = walked(filmed(name, 8.0), 2.0, 8.0)
    _, turned, lowest = walked(filmed(name, 8.0, turn=turn), 2.0, 8.0)
    assert lowest > STANDING * ANIMALS[name].height
    assert turned - drift == pytest.approx(turn, rel=0.5)


@pytest.mark.parametrize("name", STEADY)
def test_an_animal_stops_stands_and_walks_on(name: str):
    speed = pattern_of(animal_world(name)).responses.speed
    film = filmed(name, 8.0, speed=((0.0, speed), (2.0, speed), (3.0, 0.0), (5.0, 0.0), (6.0, speed)))
    standing, _, _ = walked(film, 4.0, 5.0)
    again, _, lowest = walked(film, 6.5, 8.0)
    assert standing < 0.05 * speed
    assert again == pytest.approx(speed, rel=0.15)
    assert lowest > STANDING * ANIMALS[name].height


def test_a_style_has_a_pace_and_a_speed_is_kept_in_any_style():
    own = pattern_of(animal_world("cat")).responses.speed
    for name, style in STYLES.items():
        assert pattern_of(animal_world("cat", style=name)).mean_speed == pytest.approx(style.pace * own)
        half = pattern_of(animal_world("cat", style={name: 0.5}))
        assert half.mean_speed == pytest.approx((0.5 + 0.5 * style.pace) * own)
        assert pattern_of(animal_world("cat", style=name, speed=0.4)).mean_speed == pytest.approx(0.4)


def test_it_starts_on_its_path_and_on_its_ground():
    world = animal_world("cat", path=[[1.0, 2.0], [1.0, 3.0], [2.0, 4.0]])
    q = world.initial.q
    assert q[4:6] == (1.0, 2.0)
    assert 2.0 * math.atan2(q[3], q[0]) == pytest.approx(0.5 * math.pi, abs=0.35)  # the spline is curved there
    raised = animal_world("cat", ground=gambol.HeightGrid(np.full((2, 2), 0.7), 10.0, -5.0, -5.0))
    assert raised.initial.q[6] == pytest.approx(animal_world("cat").initial.q[6] + 0.7, abs=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speed": 9.0}, r"a speed of 9 m/s is not possible; give 0 to 0\.\d+"),
        ({"turn": -20.0}, r"a turn of -20 rad/s is not possible; give -\d"),
        ({"speed": ((0.0, 0.2), (0.0, 0.3))}, "the times of the speed are .*; each must be later"),
        ({"style": "tried"}, 'there is no style "tried"; did you mean "tired"'),
        ({"style": {"tired": 1.5}}, 'an amount 1.5 of the style "tired" is not possible; give 0 to 1'),
        ({"variation": 0.5}, "a variation of 0.5 is not possible; give 0 to 0.1"),
        ({"path": [[0.0, 0.0], [1.0, 0.0]], "hold": True}, "follows a path cannot hold its heading"),
        ({"path": [[0.0, 0.0]]}, "a path has at least two points"),
        ({"gait": "gallop"}, '"cat" has no gait "gallop"; there are: "walk", "trot"'),
        ({"sideways": 0.1}, 'there is no option "sideways"'),
    ],
)
def test_wrong_commands_are_refused(options: dict[str, object], message: str):
    with pytest.raises(WorldError, match=message):
        gambol.make_world("cat", **options)
