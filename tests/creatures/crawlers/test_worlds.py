"""Crawlers in their worlds: a stride in closed form, directions, energy, the options of each, and refusals."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol.collide import NoGround
from gambol.creatures.crawlers import SNAKE, inchworm_world, snake_world, worm_world
from gambol.creatures.crawlers.crawler_world import Surroundings
from gambol.creatures.crawlers.snake import BODY, SNAKE_GAITS
from gambol.creatures.crawlers.worm import BODY as WORM_BODY
from gambol.creatures.table import CREATURES
from gambol.errors import WorldError
from gambol.figure import AnisotropicFriction
from gambol.world import Film, World, run, start


def crawl(world: World, seconds: float) -> tuple[Film, np.ndarray]:
    """Return the film of a crawl, and the mean positions of its segments (F, 3) [m]."""
    film = run(world, start(world), seconds, rate=50)
    names = [k for k, name in enumerate(film.link_names) if name.startswith("segment")]
    return film, film.position[:, 0, names].mean(axis=1)


def unaccounted(film: Film) -> float:
    """Return the unaccounted energy over the work of the servos."""
    return abs(float(film.signals["unaccounted"][-1, 0])) / float(film.signals["motors"][-1, 0])


def test_two_rings_move_by_what_their_joint_stretches():
    """The front one slips while it stretches, the rear one while it shortens; the other holds, if motion is slow."""
    body = replace(WORM_BODY, segments=2, length=0.02)
    world = worm_world(speed=0.0025, amplitude=0.004, waves=0.0, body=body)
    assert world.controller is not None
    period = world.controller.numbers()["law"]["period"]
    film, at = crawl(world, 6.0 * period)
    frames = [int(np.searchsorted(film.time, k * period - 1e-9)) for k in (2, 3, 4, 5, 6)]
    strides = np.diff(at[frames, 0])
    assert strides == pytest.approx(np.full(4, 0.004), rel=0.02)
    assert unaccounted(film) < 1e-6


@pytest.fixture(scope="module")
def short_snake() -> tuple[Film, np.ndarray]:
    return crawl(snake_world(body=replace(BODY, segments=7), waves=1.0), 6.0)


def test_a_snake_undulates_forward(short_snake: tuple[Film, np.ndarray]):
    film, at = short_snake
    assert at[-1, 0] - at[0, 0] > 0.2
    assert abs(at[-1, 1] - at[0, 1]) < 0.3 * (at[-1, 0] - at[0, 0])
    assert unaccounted(film) < 1e-3


def test_a_snake_without_scales_stays_where_it_is(short_snake: tuple[Film, np.ndarray]):
    """With the same friction in all directions, undulation moves a snake less than a tenth as far."""
    body = replace(BODY, segments=7, scales=AnisotropicFriction(0.3, 0.3, 0.3))
    _, at = crawl(snake_world(body=body, waves=1.0), 6.0)
    scaly = short_snake[1]
    assert abs(at[-1, 0] - at[50, 0]) < 0.1 * (scaly[-1, 0] - scaly[50, 0])


def test_options_reach_the_world():
    fast, slow = (snake_world(speed=v).controller for v in (0.4, 0.1))
    assert fast is not None
    assert slow is not None
    assert slow.numbers()["law"]["period"] == pytest.approx(4.0 * fast.numbers()["law"]["period"])
    swimmer = SNAKE.world(gait="swim")
    assert isinstance(swimmer.ground, NoGround)
    assert swimmer.external.medium is not None
    assert swimmer.gravity == 0.0
    uphill = SNAKE.world(slope=0.1)
    assert uphill.gravity == pytest.approx((-9.81 * math.sin(0.1), 0.0, -9.81 * math.cos(0.1)))
    bent = snake_world(amplitude=0.3, waves=2.0).controller
    assert bent is not None
    assert bent.numbers()["law"]["waves"][0]["amplitude"] == 0.3
    assert bent.numbers()["law"]["waves"][0]["waves"] == 2.0


def test_the_crawlers_are_in_the_table():
    for name in ("snake", "worm", "inchworm"):
        entry = CREATURES[name]
        assert entry.period(entry.world()) > 0.0
        assert entry.trunk in [link.name for link in entry.world().figure.links]
    assert CREATURES["snake"].gaits == tuple(SNAKE_GAITS)
    for gait, row in SNAKE_GAITS.items():
        assert SNAKE.period(SNAKE.world(gait=gait)) == pytest.approx(row.period)


def test_impossible_crawls_are_refused():
    with pytest.raises(WorldError, match='no gait "sidewind"; did you mean "sidewinding"'):
        snake_world(gait="sidewind")
    with pytest.raises(WorldError, match="a speed of -1"):
        worm_world(speed=-1.0)
    with pytest.raises(WorldError, match="a slope of 2"):
        inchworm_world(surroundings=Surroundings(slope=2.0))
    with pytest.raises(WorldError, match="friction depends on the direction"):
        SNAKE.world(contact="impulse")
