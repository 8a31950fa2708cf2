"""Ten seeds: what is done is kept and not repeated, seeds take turns, and the page is that of the kept runs."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gambol.evolve.evaluate import film_rollout
from gambol.evolve.genotype import grow, to_json
from gambol.evolve.genotype.plans import ANIMALS
from gambol.evolve.tasks import task_named
from validation.seeds import __main__ as seeds
from validation.seeds.evolving import LIVES, SETTLED, Evolved, default_settings, evolved, genotype_of
from validation.seeds.page import PAGE, is_default, page, verdict

RUN = Evolved({}, 70.0, 20.0, 11.0, 1.0, 0.9, 0, 20, 25, "walk", ["power"], [0.5])


def kept(folder: Path) -> set[tuple[str, int]]:
    return {(body, int(seed)) for body in ANIMALS for seed in seeds.runs_of(folder, body)}


def test_a_second_start_goes_on_after_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    order = list[tuple[str, int]]()

    def interrupted_once(settings: Any) -> Evolved:
        if len(order) == 15:
            order.append(("interrupted", 0))
            raise KeyboardInterrupt
        order.append((settings.body, settings.seed))
        return replace(RUN, settings=settings.plain())

    monkeypatch.setattr(seeds, "evolved", interrupted_once)
    arguments = ["--folder", str(tmp_path), "--seeds", "2"]
    assert seeds.main(arguments) == 130
    assert kept(tmp_path) == {(body, 1) for body in ANIMALS} | {(body, 2) for body in ANIMALS[:3]}
    assert seeds.main(arguments) == 0
    assert kept(tmp_path) == {(body, seed) for body in ANIMALS for seed in (1, 2)}
    assert len(order) == 25  # 24 runs, none of them twice, and the interruption


def test_runs_of_other_settings_are_repeated(tmp_path: Path):
    old = replace(default_settings("cat", 1), generations=3)
    seeds.keep(tmp_path, "cat", 1, {"settings": old.plain()})
    seeds.keep(tmp_path, "cat", 2, {"settings": default_settings("cat", 2).plain()})
    assert list(seeds.missing(tmp_path, ("cat",), 2)) == [("cat", 1)]


def test_a_run_is_measured():
    """The speed is also that of the film of its undisturbed life; a walking spider has two whole strides."""
    settings = replace(default_settings("spider", 1), generations=2, population=16)
    found = evolved(settings)
    assert found.seconds > found.compiling > 0.0
    assert 0 < found.within <= found.applicable
    genotype = genotype_of(settings, found.control)
    film = film_rollout(settings, to_json(genotype))
    late = film.time >= SETTLED - 1e-9
    first, *_, last = film.signals["centre"][late, 0, :2]
    speed = np.hypot(*(last - first)) / np.ptp(film.time[late])
    assert found.speed == pytest.approx(speed / grow(genotype).length, abs=0.02)


def test_a_good_run_walks_stays_on_its_feet_and_is_like_animals():
    good: dict[str, Any] = {"speed": 1.0, "fallen": 0, "within": 16, "applicable": 24}
    assert verdict(good)
    for worse in ({"speed": 0.1}, {"fallen": 1}, {"within": 15}, {"within": 0, "applicable": 0}):
        assert not verdict(good | worse)


def test_the_default_is_what_the_page_states():
    settings = default_settings("dog", 3)
    assert settings.seed == 3
    assert settings.population == task_named("natural").default_settings["population"]
    assert settings.share <= settings.population // 2  # so that two cores work


def test_runs_of_a_former_default_have_a_row_of_their_own():
    """A bird with two trials, the default of before, beside one with the present default."""
    now = default_settings("bird", 1)
    before = replace(now, trials=2, options={"motor": "hill", "frequencies": "walk"})
    runs = {
        str(seed): asdict(replace(RUN, settings=replace(settings, seed=seed).plain(), seconds=10.0 * seed))
        for seed, settings in ((1, now), (2, before))
    }
    text = page({"bird": json.loads(json.dumps(runs))}, 2)
    assert "| bird | 1 | 10 |" in text
    assert "| bird, before | 1 | 20 |" in text
    assert "had two trials" in text
    assert "had two trials" not in page({"bird": json.loads(json.dumps({"1": runs["1"]}))}, 2)


def test_the_page_is_that_of_the_kept_runs():
    results = {body: seeds.runs_of(seeds.STORED, body) for body in ANIMALS}
    assert PAGE.read_text() == page(results, seeds.SEEDS)
    for body, runs in results.items():
        for seed, run in runs.items():
            default = json.loads(json.dumps(default_settings(body, int(seed)).plain()))
            former = default | {"trials": 2, "options": {k: v for k, v in default["options"].items() if k != "task"}}
            assert run["settings"] in (default, former)
            assert is_default(body, seed, run) == (run["settings"] == default)
            assert 0 <= run["fallen"] <= LIVES
