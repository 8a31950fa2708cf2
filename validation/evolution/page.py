"""The documentation page on evolution, in Markdown."""

import os
from collections.abc import Mapping, Sequence

from validation.evolution.contest import CONTROLLERS, SEARCHES, TASKS, Effort, RunResult, Spread, within_spread
from validation.evolution.evolvability import MUTANTS, STEPS, Change
from validation.evolution.walkers import GOAL, MAX_WALL_TIME, FirstWalker

HEAD = """# Evolution, measured

Made by `python -m validation.evolution` on a machine with {cores} cores, which other programs used too. All creatures
are the quadruped that comes with gambol (the newt for `crawl`, the eel for `swim`), and only their control evolves.
Unless stated otherwise, a run has {generations} generations of {population} creatures, {lives} creatures in all. Each
creature is simulated for {seconds:g} s, in two trials. Numbers are medians of {seeds} seeds, with quartiles in
brackets. Fitness is that of the task, see `gambol.evolve.tasks`. Most of it is speed in body lengths per second.
"""


def head(effort: Effort) -> str:
    """Return the head of the page: the conditions of measurement."""
    lives = effort.population * effort.generations
    return HEAD.format(cores=os.cpu_count(), lives=lives, **vars(effort))


def walkers_section(found: Sequence[FirstWalker]) -> str:
    """Return the section on the time until a quadruped walks."""
    walking = [one for one in found if one.walks]
    lines = [
        "## Time to walk",
        "",
        f"Runs have default settings. A run stops when a creature moves at {GOAL:g} or more body lengths per second",
        f"in every quarter of its 8 s, or after {MAX_WALL_TIME:g} s.",
        f"**{len(walking)} of {len(found)} runs find a walker in time**.",
        f"The wall time is {Spread(tuple(one.wall for one in found)).text} s, and the processor time of all threads is",
        f"{Spread(tuple(one.processor for one in found)).text} s. The first run includes compilation.",
        "",
        "| seed | wall [s] | processor [s] | generations | speed |",
        "| --- | --- | --- | --- | --- |",
    ]
    for seed, one in enumerate(found):
        lines.append(f"| {seed} | {one.wall:.1f} | {one.processor:.1f} | {one.generations} | {one.speed:.2f} |")
    return "\n".join(lines) + "\n"


def searches_section(found: Mapping[tuple[str, str], Sequence[RunResult]]) -> str:
    """Return the section on each search on each task."""
    lines = ["## Searches", "", f"| task | {' | '.join(SEARCHES)} |", "| --- |" + " --- |" * len(SEARCHES)]
    notes: list[str] = []
    for task in TASKS:
        spreads = {search: fitness_spread(found[task, search]) for search in SEARCHES}
        lines.append(f"| {task} | {' | '.join(spreads[search].text for search in SEARCHES)} |")
        notes.append(f"- {task}: {verdict(spreads)}")
    return "\n".join([*lines, "", *notes]) + "\n"


def controllers_section(found: Mapping[str, Sequence[RunResult]]) -> str:
    """Return the section on each controller on walking."""
    spreads = {kind: fitness_spread(found[kind]) for kind in CONTROLLERS}
    lines = ["## Controllers", "", "The task is `walk`, and the search is `es`.", ""]
    lines += ["| control | fitness | best run | invalid rollouts |", "| --- | --- | --- | --- |"]
    for kind in CONTROLLERS:
        best, marked = (max(one.fitness for one in found[kind]), marked_spread(found[kind]).quantile(0.5))
        lines.append(f"| {kind} | {spreads[kind].text} | {best:.2f} | {marked:.1%} |")
    return "\n".join([*lines, "", f"- {verdict(spreads)}"]) + "\n"


def evolvability_section(found: Mapping[str, Sequence[Change]]) -> str:
    """Return the section on the sensitivity of behaviour to genes."""
    columns = [(kind, change) for kind, own in found.items() for change in own]
    lines = [
        "## Effects of small and large mutations",
        "",
        f"Medians and quartiles of |change of mean velocity| [body lengths/s] of {MUTANTS} mutants. Parents are the",
        "best walker of the controller, and a random genotype. Steps are in units of the genes' initial mutation size.",
        "",
        f"| step | {' | '.join(f'{kind}, {change.parent}' for kind, change in columns)} |",
        "| --- |" + " --- |" * len(columns),
    ]
    for k, step in enumerate(STEPS):
        lines.append(f"| {step:.2g} | {' | '.join(change.spreads[k].text for _, change in columns)} |")
    return "\n".join(lines) + "\n"


def fitness_spread(finishes: Sequence[RunResult]) -> Spread:
    """Return the fitness values of runs."""
    return Spread(tuple(one.fitness for one in finishes))


def marked_spread(finishes: Sequence[RunResult]) -> Spread:
    """Return the shares of marked rollouts of runs."""
    return Spread(tuple(one.marked for one in finishes))


def verdict(spreads: Mapping[str, Spread]) -> str:
    """Return a text on the best variant, and on those within its spread."""
    best, near = within_spread(dict(spreads))
    others = f"{', '.join(near)} within the spread (quartiles overlap)" if near else "no quartiles overlap with its own"
    return f"best {best}; {others}"
