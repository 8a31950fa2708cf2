"""Animals by name: they are the bodies that evolved, walk as these do, and follow commands."""

import math
from dataclasses import replace

import numpy as np
import pytest

import gambol
from gambol.creatures.animals import ANIMALS, animal_world
from gambol.creatures.table import CREATURES
from gambol.errors import WorldError
from gambol.evolve.evaluate.batch_world import world_of
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.genotype import grow
from gambol.evolve.genotype.walking.styles import STYLES
from gambol.evolve.zoo import zoo_creature
from gambol.gait import Directed
from gambol.world import World

EACH = [pytest.param(name, marks=() if name == "hound" else pytest.mark.slow) for name in ANIMALS]
"""The animals; their programs take 15 s each to compile."""


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


@pytest.mark.parametrize("name", EACH)
@pytest.mark.filterwarnings("ignore:.*did not solve")  # flat feet of the bird, by up to 2 cm/s
def test_an_animal_walks_at_the_speed_of_its_feet_and_turns_as_commanded(name: str):
    """Feet hardly slip and servos yield little: a speed within 30 % of the kinematics, half of the turn or more."""
    world = animal_world(name)
    pattern = pattern_of(world)
    turn = 0.5 * pattern.responses.top_turn
    for commanded in (0.0, turn):
        walk = replace(world, controller=replace(world.controller, pattern=replace(pattern, turn=commanded)))  # pyright: ignore[reportArgumentType]
        film = gambol.run(walk, gambol.start(walk), 8.0, rate=60.0)
        centre, (w, _, _, z) = film.signals["centre"][:, 0], np.moveaxis(film.quaternion[:, 0, 0], -1, 0)
        begun = film.time >= 2.0
        way = np.hypot(*np.diff(centre[begun, :2], axis=0).T).sum() / 6.0
        heading = np.unwrap(2.0 * np.arctan2(z, w))[begun]
        assert centre[:, 2].min() > 0.7 * ANIMALS[name].height
        assert way == pytest.approx(pattern.responses.speed, rel=0.3)
        assert (heading[-1] - heading[0]) / 6.0 == pytest.approx(commanded, abs=0.5 * turn)


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
        ({"speed": 9.0}, r"a speed of 9 m/s is not possible; give 0\.\d+ to 0\.\d+"),
        ({"turn": -20.0}, r"a turn of -20 rad/s is not possible; give -\d"),
        ({"speed": ((0.0, 0.2), (0.0, 0.3))}, "the times of the speed are .*; each must be later"),
        ({"style": "tried"}, 'there is no style "tried"; did you mean "tired"'),
        ({"style": {"tired": 1.5}}, 'an amount 1.5 of the style "tired" is not possible; give 0 to 1'),
        ({"variation": 0.5}, "a variation of 0.5 is not possible; give 0 to 0.1"),
        ({"path": [[0.0, 0.0], [1.0, 0.0]], "hold": True}, "follows a path cannot hold its heading"),
        ({"path": [[0.0, 0.0]]}, "a path has at least two points"),
        ({"gait": "trot"}, 'there is no option "gait"'),
    ],
)
def test_wrong_commands_are_refused(options: dict[str, object], message: str):
    with pytest.raises(WorldError, match=message):
        gambol.make_world("cat", **options)
