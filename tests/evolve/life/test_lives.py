"""Lives: the same bits whatever lives beside, bodies told as data move as in worlds of their own, films show lives."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from gambol.errors import EvolveError
from gambol.evolve.genotype import Genotype, to_json
from gambol.evolve.life import Herds, Sorting, breed, filmed, lives, outcomes_of
from gambol.evolve.life.asked import checked, sorting_of, space_asked
from gambol.evolve.run import Settings
from gambol.evolve.tasks import task_named
from gambol.evolve.tasks.task import STEP

SHORT: dict[str, Any] = {"task": {"settling": 0.2}}
FIXED = Settings(seconds=1.0, options=SHORT)
BOTH = Settings(seconds=1.0, options=SHORT | {"evolve": "both"})
FREE = Settings(body="free", search="ga", seconds=1.0, options=SHORT)


@cache
def genotypes(settings: str, count: int) -> tuple[Genotype, ...]:
    space, rng = space_asked({"fixed": FIXED, "both": BOTH, "free": FREE}[settings]), np.random.default_rng(3)
    return tuple(space.random(rng) for _ in range(count))


def lived(settings: Settings, some: Sequence[Genotype], seeds: Sequence[int] | None = None) -> list[Any]:
    """Outcomes of some genotypes, by default with seeds 0, 1, ..."""
    return lives(settings, [to_json(one) for one in some], range(len(some)) if seeds is None else seeds)


@pytest.mark.parametrize(("name", "settings"), [("fixed", FIXED), ("both", BOTH), ("free", FREE)])
def test_a_life_has_the_same_bits_alone_and_among_others(name: str, settings: Settings):
    some = genotypes(name, 19)
    together = lived(settings, some)
    assert [repr(one) for one in lived(settings, some[::-1], range(18, -1, -1))] == [
        repr(one) for one in together[::-1]
    ]
    for k in (0, 7, 18):
        assert repr(lived(settings, some[k : k + 1], [k])[0]) == repr(together[k])


def test_whoever_comes_first_no_measure_is_left_out():
    """A trunk higher than wide has its balls above each other, one wider than high beside each other."""
    plan = genotypes("both", 1)[0]
    high, wide = (
        replace(plan, body=replace(plan.body, trunk=replace(plan.body.trunk, width=width, height=height)))
        for width, height in ((0.12, 0.18), (0.18, 0.12))
    )
    task = task_named("walk", seconds=0.3, settling=0.1)
    one, other = (outcomes_of(pair, Herds(task, Sorting("measured")), [7, 7]) for pair in ((high, wide), (wide, high)))
    assert repr(one) == repr(other[::-1])


def test_threads_share_lives_without_a_trace():
    some, task = genotypes("free", 19), task_named("walk", seconds=1.0, settling=0.2)
    one, two = (outcomes_of(some, Herds(task, Sorting("told", free=True)), range(19), threads) for threads in (1, 2))
    assert list(map(repr, one)) == list(map(repr, two))


@pytest.mark.parametrize(("name", "ways"), [("fixed", ("fixed", "measured", "told")), ("free", ("measured", "told"))])
def test_all_ways_into_programs_lead_to_the_same_life(name: str, ways: tuple[Any, ...]):
    """For half a second of falling onto the feet and the first kicks, in float32: rounding grows with contact."""
    some = genotypes(name, 3)
    tracks = []
    for way in ways:
        herds = Herds(task_named("walk", seconds=0.5, settling=0.0), Sorting(way, free=name == "free"))
        for k, one in enumerate(some):
            ((herd, _),) = herds.of([one])
            tracks.append((k, way, herd.lived([one])))
    first = {k: track for k, way, track in tracks if way == ways[0]}
    for k, _, track in tracks:
        np.testing.assert_allclose(track.centre, first[k].centre, atol=2e-3)
        np.testing.assert_allclose(track.mass, first[k].mass, rtol=1e-5)
        np.testing.assert_allclose(track.length, first[k].length, rtol=1e-5)
        np.testing.assert_allclose(track.ledger[-1, 0, 0], first[k].ledger[-1, 0, 0], rtol=0.02, atol=0.02)


def test_what_presses_on_feet_and_on_the_rest_bears_the_creature():
    """Forces of all steps are weight and the change of momentum, but for what is within the first and the last step."""
    some = genotypes("free", 3)
    task = task_named("walk", seconds=3.0, settling=1.0, frame=STEP, sample=STEP)
    herds = Herds(task, Sorting("told", free=True))
    for one in some:
        ((herd, _),) = herds.of([one])
        track = herd.lived([one])
        load = (track.pushes.sum(axis=2) + track.elsewhere)[:, 0] / (track.mass[0] * 9.81)
        speed = np.diff(track.centre[:, 0, 2]) / STEP
        seconds = STEP * (len(speed) - 1)
        wanted = 1.0 + (speed[-1] - speed[0]) / 9.81 / seconds
        assert load[1:-1].mean() == pytest.approx(wanted, abs=load.max() * STEP / seconds)


@pytest.mark.parametrize(("name", "settings"), [("fixed", FIXED), ("both", BOTH), ("free", FREE)])
def test_a_film_shows_the_life_that_was_scored(name: str, settings: Settings):
    """The film's centre of mass is where the outcome's distance says, but for the film's links, found in float64."""
    (one,) = genotypes(name, 1)
    film = filmed(settings, to_json(one))
    herds = Herds(task_named("walk", seconds=1.0, settling=0.2), sorting_of(settings))
    ((herd, _),) = herds.of([one])
    track = herd.lived([one])
    assert film.time[-1] == pytest.approx(1.0)
    np.testing.assert_array_equal(film.signals["centre"][-1, 0], track.centre[-1, 0])
    np.testing.assert_allclose(film.position[-1, 0, 0], track.root[-1, 0], atol=1e-5)
    assert film.position.shape[2] == len(film.link_names)
    assert {shape.link for shape in film.shapes} <= set(range(len(film.link_names)))


def test_a_run_asks_its_space_and_counts_its_steps():
    breeding = breed(replace(FIXED, population=5))
    proposals = breeding.search.ask()
    assert len(proposals) == 5
    assert breeding.steps == 2 * 360.0
    assert breeding.evaluate is lives


def test_what_cannot_be_asked_for_is_told():
    for options, word in (
        ({"tsk": {}}, 'no option "tsk"; did you mean "task"'),
        ({"evolve": "body"}, "both"),
        ({"control": {"sise": 2}}, 'did you mean "size"'),
    ):
        with pytest.raises(EvolveError, match=word):
            space_asked(checked(Settings(options=options)))
    with pytest.raises(EvolveError, match="cannot enter programs"):
        Sorting("compiled")  # type: ignore[arg-type]
    with pytest.raises(EvolveError, match="cannot be dealt out"):
        lived(
            Settings(body="free", control="recurrent", options={"bodies": "told"}),
            [space_asked(Settings(body="free", control="recurrent")).random(np.random.default_rng(0))],
        )
