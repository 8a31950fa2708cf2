"""The loop of generations: it evolves, it counts, and its result is the same with any workers."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from toy_runs import fewer, lethal, rows_of, settings, sphere, stored_generations, toy_setup, unsound

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.outcome import Outcome
from gambol.evolve.runs import begin_run, make_worker_pool
from gambol.evolve.runs.run import seeds_of


def run_of(where, pool="here", evaluate=sphere, workers=2, **changes):
    """Return a whole run, and its reported progress."""
    reported = []
    with Archive(where) as archive, make_worker_pool(pool, workers) as workers_of:
        run = begin_run(archive, settings(**changes), lambda given: replace(toy_setup(given), evaluate=evaluate))
        run.execute(workers_of, reported.append)
    return run, reported


def test_a_run_breeds(where):
    run, reported = run_of(where, generations=30)
    assert run.best_fitness > -0.01
    assert reported[0].best < reported[-1].best
    assert [one.generation for one in reported] == list(range(30))
    with Archive(where) as archive:
        (best,) = archive.best(run.id)
        assert (
            (best.number, best.outcome.fitness)
            == (run.best_number, run.best_fitness)
            == (reported[-1].run_best_number, reported[-1].run_best)
        )
        parents = [
            parent for generation in range(30) for one in archive.individuals(1, generation) for parent in one.parents
        ]
        assert parents
        assert all(0 <= parent < best.number + 24 for parent in parents)


def test_progress_reports_what_is_stored(tmp_path):
    run, reported = run_of(tmp_path / "evolve.db", options={"pause": 0.01})
    with Archive(tmp_path / "evolve.db") as archive:
        for one, stored in zip(reported, archive.generations(run.id), strict=True):
            fitness = [
                each.outcome.fitness for each in archive.individuals(run.id, stored.generation) if each.outcome.valid
            ]
            assert (one.best, one.median, one.lower, one.upper) == (
                stored.best,
                stored.median,
                stored.lower,
                stored.upper,
            )
            assert one.best == max(fitness)
            assert one.median == np.median(fitness)
            assert (one.lower, one.upper) == pytest.approx(np.quantile(fitness, (0.25, 0.75)), rel=1e-12)
            assert one.creatures_per_second < 24 / (5 * 0.01)  # five shares, each with a pause
            assert one.steps_per_second == 100.0 * one.creatures_per_second
            assert 0.0 < one.archive_part < 1.0
    assert reported[0].seconds_left > 7 * 0.05
    assert reported[-1].seconds_left == 0.0


@pytest.mark.parametrize(("pool", "workers"), [("threads", 1), ("threads", 3), ("processes", 1), ("processes", 2)])
def test_archives_are_the_same_for_any_workers(tmp_path, pool, workers):
    run_of(tmp_path / "here.db")
    run_of(tmp_path / "there.db", pool, workers=workers)
    assert rows_of(tmp_path / "here.db") == rows_of(tmp_path / "there.db")


def test_seeds_of_rollouts_differ():
    seeds = [seed for generation in range(100) for seed in seeds_of(3, generation, 100)]
    assert len(set(seeds)) > 9990  # of 10,000 among 2**32, a pair is alike with a probability of 1 %
    assert seeds_of(3, 5, 7) == seeds_of(3, 5, 9)[:7]
    assert seeds_of(4, 5, 7) != seeds_of(3, 5, 7)
    assert all(0 <= seed < 2**32 for seed in seeds)


def test_nan_rollouts_are_marked_and_the_run_continues(where):
    run, reported = run_of(where, evaluate=unsound, share=24)
    assert reported[-1].marked["is not a number"] == 8
    with Archive(where) as archive:
        for generation in range(8):
            individuals = archive.individuals(run.id, generation)
            assert Counter(one.outcome.marked for one in individuals)["is not a number"] == 8
            assert all(math.isnan(one.outcome.fitness) for one in individuals if one.place % 3 == 0)
            assert all(math.isnan(one.outcome.terms["loss"]) for one in individuals if one.place % 3 == 0)


def test_a_generation_of_marked_rollouts_has_no_best(tmp_path):
    rollouts = [Outcome(1.0, marked="froze"), Outcome(math.nan)]
    _, (reported,) = run_of(
        tmp_path / "evolve.db",
        evaluate=lambda settings, genotypes, seeds: rollouts[: len(genotypes)],
        population=2,
        generations=1,
        search="random",
    )
    assert all(map(math.isnan, (reported.best, reported.median, reported.lower, reported.upper)))
    assert (reported.run_best, reported.run_best_number) == (-math.inf, -1)


def test_an_evaluator_with_too_few_outcomes_is_refused(tmp_path):
    with pytest.raises(EvolveError, match=r"gave \d outcomes for \d genotypes; give one for each"):
        run_of(tmp_path / "evolve.db", evaluate=fewer)
    assert stored_generations(tmp_path / "evolve.db") == 0


def test_a_task_with_a_wrong_result_is_an_error(tmp_path):
    with pytest.raises(EvolveError, match=r"gave 3\.0 in place of an Outcome"):
        run_of(tmp_path / "evolve.db", evaluate=lambda settings, genotypes, seeds: [3.0] * len(seeds))


def test_what_a_task_raises_comes_through_and_the_archive_stays(tmp_path):
    def failing(settings, genotypes, seeds):
        if stored_generations(tmp_path / "evolve.db") == 2:
            raise ZeroDivisionError("in a formula")
        return sphere(settings, genotypes, seeds)

    with pytest.raises(ZeroDivisionError, match="in a formula"):
        run_of(tmp_path / "evolve.db", "threads", failing)
    assert stored_generations(tmp_path / "evolve.db") == 2


def test_a_run_that_was_broken_off_must_be_resumed(tmp_path):
    with Archive(tmp_path / "evolve.db") as archive, make_worker_pool("here") as pool:
        run = begin_run(archive, settings(), lambda given: replace(toy_setup(given), evaluate=fewer))
        with pytest.raises(EvolveError, match=r"gave \d outcomes"):
            run.execute(pool)
        with pytest.raises(EvolveError, match="run 1 was interrupted in the middle of a generation; resume it"):
            run.execute(pool)


def test_stored_individuals_survive_ctrl_c(tmp_path):
    def interrupted(progress):
        if progress.generation == 3:
            raise KeyboardInterrupt

    with Archive(tmp_path / "evolve.db") as archive, make_worker_pool("threads", 2) as pool:
        ending = begin_run(archive, settings(), toy_setup).execute(pool, interrupted)
    assert (ending.generations, ending.interrupted) == (4, True)
    assert stored_generations(tmp_path / "evolve.db") == 4


def test_ctrl_c_drops_the_generation_in_flight(tmp_path):
    def interrupting(given, genotypes, seeds):
        if stored_generations(tmp_path / "evolve.db") == 2:
            raise KeyboardInterrupt
        return sphere(given, genotypes, seeds)

    with Archive(tmp_path / "evolve.db") as archive, make_worker_pool("here") as pool:
        run = begin_run(archive, settings(), lambda given: replace(toy_setup(given), evaluate=interrupting))
        ending = run.execute(pool)
    assert (ending.generations, ending.interrupted) == (2, True)
    assert stored_generations(tmp_path / "evolve.db") == 2


@pytest.mark.parametrize("deaths", [1, 2])
def test_chunks_of_killed_workers_are_evaluated_again_and_only_those(tmp_path, deaths):
    options = {"folder": str(tmp_path), "deaths": deaths}
    run_of(tmp_path / "here.db", generations=1, population=20, options=options)
    run_of(tmp_path / "there.db", "processes", lethal, generations=1, population=20, options=options)
    assert rows_of(tmp_path / "here.db") == rows_of(tmp_path / "there.db")
    first = seeds_of(0, 0, 20)[::5]
    assert any(seed % 2 for seed in first)  # some share kills its worker
    rollouts = Counter((tmp_path / "lived").read_text().split())
    assert set(rollouts) == set(map(str, first))
    killed = sum(len((tmp_path / str(seed)).read_text()) for seed in first if seed % 2)
    assert sum(rollouts.values()) <= len(first) + killed  # the other of the two workers may have been nearly done


def test_a_chunk_that_kills_every_worker_is_named(tmp_path):
    options = {"folder": str(tmp_path), "deaths": 99}
    with pytest.raises(
        EvolveError, match=r"3 workers were lost with individuals .* nothing of this generation was stored"
    ):
        run_of(tmp_path / "evolve.db", "processes", lethal, generations=1, options=options)
    assert stored_generations(tmp_path / "evolve.db") == 0


def test_workers_must_be_able_to_find_the_task(tmp_path):
    with pytest.raises(EvolveError, match="give a function of a module, or evaluate here or in threads"):
        run_of(tmp_path / "evolve.db", "processes", lambda settings, genotypes, seeds: [])


@pytest.mark.parametrize(
    ("name", "workers", "message"),
    [
        ("proceses", None, r'there is no executor "proceses"; did you mean "processes"\?'),
        ("threads", 0, "0 workers are not possible; give 1 or more"),
        ("dask", None, "dask: the address of its scheduler is missing; start one with `dask scheduler`"),
    ],
)
def test_executors_that_there_are_not(name, workers, message):
    with pytest.raises(EvolveError, match=message):
        make_worker_pool(name, workers)
