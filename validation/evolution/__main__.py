"""Measure evolution and write the documentation page: `python -m validation.evolution`, about fifteen minutes."""

import argparse
import multiprocessing
import os
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from gambol.evolve.runs import Settings
from gambol.evolve.tasks import default_body
from gambol.formats import atomic_write
from validation.evolution.contest import CONTROLLERS, SEARCHES, TASKS, Effort, RunResult, contest
from validation.evolution.evolvability import Change, mutation_changes, parents
from validation.evolution.page import controllers_section, evolvability_section, head, searches_section, walkers_section
from validation.evolution.walkers import FirstWalker, walkers
from validation.summary import Entry, at_least, write_entries

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "evolution.md"
COMPARED = ("spectral", "sinusoid", "recurrent")
"""Controllers whose mutants are measured."""


def main() -> int:
    """Measure all and write the page; return 1 if fewer than nine of ten runs find a walker in time."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    effort, begun, sections = Effort(), time.perf_counter(), list[str]()
    found = walkers()  # first, without other load
    sections.append(walkers_section(found))
    _log("walkers", begun)
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as workers:
        variants = [
            {"search": search, "task": task, "body": default_body(task)} for task in TASKS for search in SEARCHES
        ]
        results = contest(workers, effort, variants)
        sections.append(searches_section({(w["task"], w["search"]): f for w, f in zip(variants, results, strict=True)}))
        _log("searches", begun)
        by_controller = compare_controllers(workers, effort)
        sections.append(controllers_section(by_controller))
        _log("controllers", begun)
    sections.append(
        evolvability_section({kind: mutation_effects(effort, kind, by_controller[kind]) for kind in COMPARED})
    )
    with atomic_write(PAGE) as path:
        path.write_text("\n".join([head(effort), *sections]))
    entry = walkers_in_time(found)
    write_entries("evolution", [entry])
    _log(str(PAGE), begun)
    return int(not entry.met)


def walkers_in_time(found: list[FirstWalker]) -> Entry:
    """Return the entry on the share of runs that find a walker in time, of which nine of ten are required."""
    part = sum(one.walks for one in found) / len(found)
    return at_least("Time to walk: part of the runs that find a walker in time", "es", part, 0.9)


def compare_controllers(workers: Executor, effort: Effort) -> dict[str, list[RunResult]]:
    """Return the results of runs on walking with each controller."""
    finishes = contest(workers, effort, [{"control": kind} for kind in CONTROLLERS])
    return dict(zip(CONTROLLERS, finishes, strict=True))


def mutation_effects(effort: Effort, kind: str, finishes: list[RunResult]) -> list[Change]:
    """Return the effects of mutations on the best walker of a controller, and on a random creature."""
    settings = replace(Settings(), control=kind, seconds=effort.seconds)
    best = max(finishes, key=lambda one: one.fitness)
    return [mutation_changes(settings, name, parent) for name, parent in parents(settings, best.genotype)]


def _log(what: str, begun: float) -> None:
    sys.stdout.write(f"{what}: {time.perf_counter() - begun:.0f} s\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
