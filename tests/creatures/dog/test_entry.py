"""The dog moves on its own feet, in every gait, from one gait to another, pushed and up a slope."""

import math
import warnings

import numpy as np
import pytest

from gambol.creatures.dog import DOG, DOG_GAITS, dog_figure, dog_world
from gambol.creatures.dog.figure import LEGS
from gambol.errors import WorldError
from gambol.gait import GAITS
from gambol.world import Engine, Film, Push, World, run, start, static_margins

SECONDS = 12.0
STEADY = 6.0  # s, from which speeds and phases are measured
MIN_AIR_TIME = 0.06  # s, in the air: less is no step; the shortest swing of its gaits lasts 0.16 s
FALLEN = DOG.fall_height


def film_of(worlds: list[World], seconds: float = SECONDS) -> Film:
    """Return the film of worlds of one structure, each from its own start."""
    state = start(worlds[0], len(worlds))
    for k, world in enumerate(worlds):
        state.rows[:, k] = start(world).rows[:, 0]
    numbers = np.hstack([Engine(world).numbers() for world in worlds])
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # such as an imbalance of energies
        return run(worlds[0], state, seconds, rate=200, numbers=numbers)


def landings(film: Film, lane: int) -> list[np.ndarray]:
    """Return the times at which each foot lands after MIN_AIR_TIME in the air or longer, in steady motion."""
    result: list[np.ndarray] = []
    for pushed in film.signals["push"][:, lane].T > 0.0:
        down = film.time[pushed]
        times = down[1:][np.diff(down) > MIN_AIR_TIME]
        result.append(times[times > STEADY])
    return result


@pytest.fixture(scope="module")
def gaits() -> dict[str, Film]:
    return {name: film_of([dog_world(gait=name)]) for name in GAITS}


def test_it_has_the_mass_of_a_dog():
    assert 20.0 < dog_figure().mass < 30.0
    assert dog_figure().nv == 26


@pytest.mark.parametrize("name", GAITS)
def test_it_moves_in_each_gait_without_falling(name: str, gaits: dict[str, Film]):
    film = gaits[name]
    centre, steady = film.signals["centre"][:, 0], film.time > STEADY
    assert centre[:, 2].min() > FALLEN
    _, x, y, _ = film.quaternion[:, 0, 0].T
    assert np.degrees(np.arccos(1.0 - 2.0 * (x * x + y * y))).max() < 25.0  # of the trunk's z to the vertical
    way = centre[steady][-1] - centre[steady][0]
    assert way[0] / (SECONDS - STEADY) == pytest.approx(DOG_GAITS[name].speed, rel=0.05)
    assert not film.signals["outside"].any()
    assert film.signals["elsewhere"].max() == 0.0  # only paws touch the ground


@pytest.mark.parametrize("name", GAITS)
def test_its_feet_land_in_the_order_and_at_the_rate_of_the_gait(name: str, gaits: dict[str, Film]):
    pace, gait = DOG_GAITS[name], GAITS[name]
    times = landings(gaits[name], 0)
    first = times[0]
    for leg, t in enumerate(times):
        assert len(t) == pytest.approx((SECONDS - STEADY) * pace.frequency, abs=1.01), LEGS[leg]
    for leg in (1, 2, 3):
        after = np.array([(t - first[first <= t][-1]) * pace.frequency for t in times[leg] if (first <= t).any()])
        error = (after - gait.offsets[leg] + 0.5) % 1.0 - 0.5
        assert np.abs(error).max() < 0.06  # a foot lands late by as much as the body is higher than it should be


def test_a_gait_changes_during_the_motion():
    film = film_of([dog_world(gait=pair) for pair in ("walk:trot", "trot:pace", "gallop:walk", "bound:rotary-gallop")])
    assert film.signals["centre"][..., 2].min() > FALLEN
    for lane, name in enumerate(("trot", "pace", "walk", "rotary-gallop")):
        times = [t[t > 10.0] for t in landings(film, lane)]
        for leg in (1, 2, 3):
            lag = [(t - times[0][times[0] <= t][-1]) * DOG_GAITS[name].frequency for t in times[leg] if t > times[0][0]]
            error = (np.array(lag) - GAITS[name].offsets[leg] + 0.5) % 1.0 - 0.5
            assert np.abs(error).max() < 0.06


def test_it_survives_pushes_and_slopes():
    pushed = [dog_world(gait=name, push=Push((0.0, 250.0, 0.0), 5.0, 5.1)) for name in ("trot", "gallop")]
    sloping = [dog_world(gait="trot", slope=slope) for slope in np.radians([-5.0, 5.0, 10.0])]
    assert film_of(pushed).signals["centre"][..., 2].min() > FALLEN
    film = film_of(sloping)
    assert film.signals["centre"][..., 2].min() > FALLEN
    assert (film.signals["centre"][-1, :, 0] > 0.8 * SECONDS * DOG_GAITS["trot"].speed * 0.9).all()


def test_a_crawl_is_statically_stable_most_of_the_time_and_a_trot_never(gaits: dict[str, Film]):
    crawl, trot = (static_margins(gaits[name])[gaits[name].time > STEADY] for name in ("crawl", "trot"))
    assert (crawl > 0.0).mean() > 0.5
    assert trot.max() < 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gait": "trott"}, "trot"),
        ({"gait": "walk:trot:pace"}, "once"),
        ({"speed": -1.1}, "cannot move"),
        ({"sideways": 0.4}, "to the side is not possible"),
        ({"speed": math.nan}, "cannot move"),
        ({"slope": 1.0}, "slope"),
        ({"slope": math.nan}, "slope"),
    ],
)
def test_impossible_options_are_refused(options: dict, message: str):
    with pytest.raises(WorldError, match=message):
        dog_world(**options)
