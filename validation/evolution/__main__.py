"""Measure evolution and write its page of the docs: `python -m validation.evolution`, some fifteen minutes."""

import multiprocessing
import os
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from gambol.evolve.run import Settings
from gambol.evolve.tasks import usual_body
from gambol.formats import moved_into_place
from validation.evolution.contest import CONTROLLERS, SEARCHES, TASKS, Effort, Finish, contest
from validation.evolution.evolvability import Change, changes, parents
from validation.evolution.page import controllers_told, evolvability_told, head, searches_told, walkers_told
from validation.evolution.walkers import Walker, walkers
from validation.summary import Entry, at_least, write_entries

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "evolution.md"
COMPARED = ("spectral", "sinusoid", "recurrent")
"""Controllers whose mutants are looked at."""


def main() -> int:
    """Measure all, and write the page; 1 if fewer than nine of ten runs find a walker in time."""
    effort, begun, sections = Effort(), time.perf_counter(), list[str]()
    found = walkers()  # first, and alone
    sections.append(walkers_told(found))
    _say("walkers", begun)
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as workers:
        ways = [{"search": search, "task": task, "body": usual_body(task)} for task in TASKS for search in SEARCHES]
        raced = contest(workers, effort, ways)
        sections.append(searches_told({(w["task"], w["search"]): f for w, f in zip(ways, raced, strict=True)}))
        _say("searches", begun)
        driven = raced_controllers(workers, effort)
        sections.append(controllers_told(driven))
        _say("controllers", begun)
    sections.append(evolvability_told({kind: mutated(effort, kind, driven[kind]) for kind in COMPARED}))
    with moved_into_place(PAGE) as path:
        path.write_text("\n".join([head(effort), *sections]))
    entry = walkers_in_time(found)
    write_entries("evolution", [entry])
    _say(str(PAGE), begun)
    return int(not entry.met)


def walkers_in_time(found: list[Walker]) -> Entry:
    """The part of the runs that find a walker in time, of which nine of ten are wanted."""
    part = sum(one.walks for one in found) / len(found)
    return at_least("Time to walk: part of the runs that find a walker in time", "es", part, 0.9)


def raced_controllers(workers: Executor, effort: Effort) -> dict[str, list[Finish]]:
    """What walks come to under each controller."""
    finishes = contest(workers, effort, [{"control": kind} for kind in CONTROLLERS])
    return dict(zip(CONTROLLERS, finishes, strict=True))


def mutated(effort: Effort, kind: str, finishes: list[Finish]) -> list[Change]:
    """What mutations change in the best walker that a controller came to, and in a random creature."""
    settings = replace(Settings(), control=kind, seconds=effort.seconds)
    best = max(finishes, key=lambda one: one.fitness)
    return [changes(settings, start, parent) for start, parent in parents(settings, best.genotype)]


def _say(what: str, begun: float) -> None:
    sys.stdout.write(f"{what}: {time.perf_counter() - begun:.0f} s\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
