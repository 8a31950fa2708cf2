"""A chase: what one wins the other loses, lanes do not matter, films show what was evaluated, archives keep it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from driver_stand_in import HostProgram, use_stand_in

from gambol.creatures.contests import CHASE, contest_setup, evaluate_contests, film_contest
from gambol.creatures.contests.setup import first_policy
from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import check_trial
from gambol.evolve.runs import begin_run, load_individual, make_worker_pool, replay

SHORT = replace(CHASE, seconds=2.0, trials=1, population=8, generations=2)
STRAIGHT = {"side": 0, "own": list(first_policy("chaser")), "opponent": list(first_policy("runner"))}
CURVED = {"side": 0, "own": [0.7, 0.5, 0.9, -0.3, 0.4, 0.2, -0.1], "opponent": [1.5, -1.0, -0.4, 0.6, 0.0, 0.3, 0.0]}


def from_other_side(contest: dict[str, object]) -> dict[str, object]:
    return {"side": 1, "own": contest["opponent"], "opponent": contest["own"]}


def test_what_the_chaser_wins_the_runner_loses_in_any_lane():
    contests = [STRAIGHT, from_other_side(STRAIGHT), CURVED, from_other_side(CURVED)]
    one, other, curved, curved_other = evaluate_contests(SHORT, contests, [0] * 4)
    assert one.fitness == -other.fitness
    assert curved.fitness == -curved_other.fitness
    assert one.fitness != curved.fitness
    assert evaluate_contests(SHORT, [CURVED], [0]) == [curved]


class SameProgram(HostProgram):
    """The program of the processor, which is compiled already."""

    lanes = None


def test_contests_on_a_graphics_processor_have_the_same_outcomes(monkeypatch):
    use_stand_in(monkeypatch, 50_000_000, SameProgram)
    contests = [STRAIGHT, from_other_side(CURVED)]
    evaluate = contest_setup(SHORT, "cuda").evaluate
    assert evaluate(SHORT, contests, [0, 0]) == evaluate_contests(SHORT, contests, [0, 0])


@pytest.mark.slow  # it compiles a second program of two animals
def test_the_film_shows_the_contest_that_was_evaluated():
    (outcome,) = evaluate_contests(SHORT, [CURVED], [0])
    film = film_contest(SHORT, CURVED, rate=10.0)
    trunks = [film.link_names.index(f"{role}/trunk") for role in ("chaser", "runner")]
    distance = np.linalg.norm(np.diff(film.position[:, 0, trunks, :2], axis=1)[:, 0], axis=-1)
    near = 1.0 - distance / distance[0]
    assert outcome.terms["caught"] == 0.0  # two seconds are too short for a catch
    assert outcome.terms["near"] == pytest.approx(near.mean(), abs=1e-9)


def test_archives_keep_opponents_and_repeat_contests_to_the_last_bit(tmp_path: Path):
    with Archive(tmp_path / "a.db") as archive:
        run = begin_run(archive, SHORT, contest_setup)
        with make_worker_pool("threads", 1) as pool:
            run.execute(pool)
        first, second = (archive.individuals(1, generation) for generation in (0, 1))
        best = max(first[4:], key=lambda record: record.outcome.score)
        assert all(record.genotype["opponent"] == best.genotype["own"] for record in second[:4])
        assert all({first[parent].genotype["side"] for parent in record.parents} == {0} for record in second[:4])
        outcome, same = replay(load_individual(archive, 1, second[2].number), evaluate_contests)
    assert same
    assert outcome == second[2].outcome


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"body": "cat"}, 'two animals, such as "hound, cat", not "cat"'),
        ({"body": "cat, lizzard"}, 'no animal "lizzard"; did you mean "lizard"'),
        ({"trials": 9}, "a chase has 9 trials; give 1 to 4"),
        ({"search": "ga"}, '"ga" keeps parents'),
    ],
)
def test_wrong_settings_are_refused_before_work(changes: dict[str, object], message: str):
    with pytest.raises(EvolveError, match=message):
        contest_setup(replace(SHORT, **changes))  # type: ignore[arg-type]


def test_other_data_are_no_contest():
    for data in ({"side": 2, "own": [], "opponent": []}, {"trunk": {}}, {**CURVED, "own": [1.0]}):
        with pytest.raises(EvolveError, match="is no contest"):
            evaluate_contests(SHORT, [data], [0])
    with pytest.raises(EvolveError, match=r"no trial 2: .* trials 0 to 1"):
        check_trial(2, 2)
