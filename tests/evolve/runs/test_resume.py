"""Runs interrupted at any moment and by any means end as they would have without interruption."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import toy_runs
from sqlalchemy import text
from toy_runs import rows_of, run_to_end, settings, stored_generations, toy_setup

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.runs import VersionWarning, begin_run, make_worker_pool, resume_run
from gambol.evolve.search import SEARCHES, BoxSpace, search_named

ROOT = Path(__file__).parents[3]
PATHS = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])}
POPULATION = 24


# Edits of gambol's source while the tests run are not checked here.
pytestmark = pytest.mark.filterwarnings("ignore::gambol.evolve.runs.VersionWarning")


def test_a_run_in_two_parts_is_a_run_in_one(tmp_path, where):
    run_to_end(tmp_path / "whole.db", generations=9)
    run_to_end(where, generations=4)
    run_to_end(where, "threads", generations=9)
    assert rows_of(where) == rows_of(tmp_path / "whole.db")


@pytest.mark.parametrize("search", list(SEARCHES))
def test_every_search_is_restored(tmp_path, search):
    run_to_end(tmp_path / "whole.db", generations=6, search=search)
    for generations in range(1, 7):
        run_to_end(tmp_path / "parts.db", generations=generations, search=search)
    assert rows_of(tmp_path / "parts.db") == rows_of(tmp_path / "whole.db")


def test_resuming_evaluates_nothing(tmp_path):
    def never(given, genotypes, seeds):
        raise AssertionError("evaluated")

    run_to_end(tmp_path / "evolve.db", generations=4)
    with Archive(tmp_path / "evolve.db") as archive, make_worker_pool("here") as pool:
        run = resume_run(archive, 1, lambda given: replace(toy_setup(given), evaluate=never))
        assert (run.generations_done, run.individuals_done) == (4, 4 * POPULATION)
        (best,) = archive.best(1)
        assert (run.best_fitness, run.best_number) == (best.outcome.fitness, best.number)
        assert run.setup.search.best.number == best.number
        assert not run.execute(pool).interrupted


def test_a_kill_between_any_two_statements_loses_at_most_the_generation_in_flight(tmp_path):
    run_to_end(tmp_path / "whole.db", generations=2)
    expected = rows_of(tmp_path / "whole.db")
    (tmp_path / "killed").mkdir()
    command = [sys.executable, toy_runs.__file__, str(tmp_path / "killed"), "die"]
    subprocess.run(command, env=PATHS, check=True, stdout=subprocess.DEVNULL, timeout=60.0)
    stored = []
    for path in sorted((tmp_path / "killed").glob("*.db"), key=lambda path: int(path.stem)):
        stored.append(stored_generations(path, POPULATION))
        run_to_end(path, generations=2)
        assert rows_of(path) == expected
    assert stored == sorted(stored)
    assert set(stored) == {0, 1, 2}


@contextmanager
def running(where: str | Path, executor: str, **changes: Any) -> Iterator[subprocess.Popen[str]]:
    """Return a process, in a session of its own, that executes a run and has begun with it."""
    command = [sys.executable, toy_runs.__file__, str(where), executor, json.dumps(changes)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=PATHS, text=True, start_new_session=True, **pipes) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "begun\n"
            yield child
        finally:
            child.kill()


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60.0
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def stored_in(where: str | Path) -> int:
    with Archive(where) as archive:
        return archive.run(1).generations


def test_kills_at_random_moments_lose_at_most_the_generation_in_flight(tmp_path, where):
    changes = {"generations": 24, "options": {"pause": 0.002}}
    run_to_end(tmp_path / "whole.db", **changes)
    moments, stored = random.Random(4), 0
    for _ in range(4):
        with running(where, "here", **changes) as child:
            time.sleep(moments.uniform(0.0, 0.15))
            child.kill()
        before, stored = stored, stored_generations(where, POPULATION)
        assert stored >= before
    run_to_end(where, **changes)
    assert rows_of(where) == rows_of(tmp_path / "whole.db")


@pytest.mark.parametrize("executor", ["here", "threads", "processes"])
def test_ctrl_c_ends_a_process_in_order(tmp_path, executor):
    path = tmp_path / "evolve.db"
    with running(path, executor, generations=100_000) as child:
        wait_for(lambda: stored_in(path) >= 2)
        os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to the workers, too
        _, errors = child.communicate(timeout=60.0)
    assert (child.returncode, errors) == (0, "")
    assert stored_generations(path, POPULATION) >= 2


def test_workers_end_with_a_killed_parent(tmp_path):
    path = tmp_path / "evolve.db"
    with running(path, "processes", generations=100_000) as child:
        wait_for(lambda: stored_in(path) >= 1)
        assert len(members(child.pid)) >= 3  # it, two workers, and what tracks their resources
        child.kill()
    wait_for(lambda: not members(child.pid))


def members(session: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of = stat.read_text().rpartition(")")[2].split()[:4]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(of) == session and state != "Z":
            found.append(int(stat.parent.name))
    return found


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"population": 30}, r"population: 24 stored, 30 requested"),
        ({"seed": 1, "search": "es-plus"}, r"search: es stored, es-plus requested; seed: 0 stored, 1 requested"),
        ({"options": {"search": {"parents": 2}}}, r"options\.search: nothing stored, \{'parents': 2\} requested"),
    ],
)
def test_other_settings_are_refused_and_named(tmp_path, changes, message):
    run_to_end(tmp_path / "evolve.db", generations=2)
    with Archive(tmp_path / "evolve.db") as archive:
        with pytest.raises(EvolveError, match=message + r"\); resume it with its own"):
            resume_run(archive, 1, toy_setup, settings(generations=5, **changes))
        assert archive.run(1).settings["generations"] == 2


def test_fewer_generations_than_are_stored_are_refused(tmp_path):
    run_to_end(tmp_path / "evolve.db", generations=3)
    with (
        Archive(tmp_path / "evolve.db") as archive,
        pytest.raises(EvolveError, match="run 1 has 3 generations already, more than the 2 requested"),
    ):
        resume_run(archive, 1, toy_setup, settings(generations=2))


def test_a_search_with_other_proposals_is_refused(tmp_path):
    def otherwise(given):
        genes = tuple(Gene(f"x{k}", -1.0, 1.0 + 1e-15) for k in range(4))
        return replace(toy_setup(given), search=search_named("es", BoxSpace(genes), given.seed, given.population))

    run_to_end(tmp_path / "evolve.db", generations=2)
    message = "the search or its settings were changed: the search now proposes individual 0 with another genotype"
    with Archive(tmp_path / "evolve.db") as archive, pytest.raises(EvolveError, match=message):
        resume_run(archive, 1, otherwise)


def test_a_search_with_fewer_proposals_is_refused(tmp_path):
    def fewer(given):
        return replace(toy_setup(given), search=search_named("es", toy_runs.SPACE, given.seed, 20))

    run_to_end(tmp_path / "evolve.db", generations=2)
    message = "proposes 20 individuals in generation 0 instead of 24"
    with Archive(tmp_path / "evolve.db") as archive, pytest.raises(EvolveError, match=message):
        resume_run(archive, 1, fewer)


def test_other_versions_are_a_warning(tmp_path):
    run_to_end(tmp_path / "evolve.db", generations=2)
    with Archive(tmp_path / "evolve.db") as archive:
        with archive._engine.begin() as connection:
            connection.execute(text("UPDATE gambol_run SET versions = json_set(versions, '$.numpy', '0.9')"))
        with pytest.warns(VersionWarning, match=r"goes on with other versions, .*: numpy 0\.9 then and .* now$"):
            resume_run(archive, 1, toy_setup)


def test_a_run_cannot_be_resumed_twice_at_once(tmp_path):
    run_to_end(tmp_path / "evolve.db", generations=2)
    with Archive(tmp_path / "evolve.db") as archive, make_worker_pool("here") as pool:
        one = resume_run(archive, 1, toy_setup, settings(generations=4))
        other = resume_run(archive, 1, toy_setup)
        one.execute(pool)
        with pytest.raises(EvolveError, match="another process has stored this meanwhile"):
            other.execute(pool)
    assert stored_generations(tmp_path / "evolve.db", POPULATION) == 4


def test_runs_share_an_archive(tmp_path, where):
    with Archive(where) as archive, make_worker_pool("here") as pool:
        one, other = begin_run(archive, settings(seed=1), toy_setup), begin_run(archive, settings(seed=2), toy_setup)
        other.execute(pool)
        one.execute(pool)
        first = [each.genotype for each in archive.individuals(one.id, 7)]
    run_to_end(tmp_path / "alone.db", seed=1)
    with Archive(tmp_path / "alone.db") as alone:
        assert [each.genotype for each in alone.individuals(1, 7)] == first
