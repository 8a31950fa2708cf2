"""The page of evolution, in Markdown."""

import os
from collections.abc import Mapping, Sequence

from validation.evolution.contest import CONTROLLERS, SEARCHES, TASKS, Effort, Finish, Spread, equals
from validation.evolution.evolvability import MUTANTS, STEPS, Change
from validation.evolution.walkers import GOAL, MOST, Walker

HEAD = """# Evolution, measured

Made by `python -m validation.evolution` on a machine with {cores} cores, some of whose time others used. All creatures
are the quadruped that comes with gambol (the newt where they crawl, the eel where they swim), and only their control
evolves. Unless said otherwise a run has {generations} generations of {population} creatures that live for {seconds:g} s
in two trials, {lives} creatures in all, and numbers are medians of {seeds} seeds, with quartiles in brackets. Fitness
is that of the task, see `gambol.evolve.tasks`; most of it is speed in body lengths per second.
"""


def head(effort: Effort) -> str:
    """How it was measured."""
    lives = effort.population * effort.generations
    return HEAD.format(cores=os.cpu_count(), lives=lives, **vars(effort))


def walkers_told(found: Sequence[Walker]) -> str:
    """How soon quadrupeds walk."""
    walk = [one for one in found if one.walks]
    lines = [
        "## Time to walk",
        "",
        f"Default settings, each run stopped when a creature goes at least {GOAL:g} body lengths per second in every",
        f"quarter of its 8 s, or after {MOST:g} s. **{len(walk)} of {len(found)} runs have one in time**; wall time",
        f"{Spread(tuple(one.wall for one in found)).told} s, processor time of all threads",
        f"{Spread(tuple(one.processor for one in found)).told} s; the first run compiles.",
        "",
        "| seed | wall [s] | processor [s] | generations | speed |",
        "| --- | --- | --- | --- | --- |",
    ]
    for seed, one in enumerate(found):
        lines.append(f"| {seed} | {one.wall:.1f} | {one.processor:.1f} | {one.generations} | {one.speed:.2f} |")
    return "\n".join(lines) + "\n"


def searches_told(found: Mapping[tuple[str, str], Sequence[Finish]]) -> str:
    """Each search on each task."""
    lines = ["## Searches", "", f"| task | {' | '.join(SEARCHES)} |", "| --- |" + " --- |" * len(SEARCHES)]
    notes: list[str] = []
    for task in TASKS:
        spreads = {search: spread_of(found[task, search]) for search in SEARCHES}
        lines.append(f"| {task} | {' | '.join(spreads[search].told for search in SEARCHES)} |")
        notes.append(f"- {task}: {verdict(spreads)}")
    return "\n".join([*lines, "", *notes]) + "\n"


def controllers_told(found: Mapping[str, Sequence[Finish]]) -> str:
    """Each controller on the walk."""
    spreads = {kind: spread_of(found[kind]) for kind in CONTROLLERS}
    lines = ["## Controllers", "", "The task is to walk, the search is `es`.", ""]
    lines += ["| control | fitness | best run | marked lives |", "| --- | --- | --- | --- |"]
    for kind in CONTROLLERS:
        best, marked = (max(one.fitness for one in found[kind]), spread_of_marks(found[kind]).quantile(0.5))
        lines.append(f"| {kind} | {spreads[kind].told} | {best:.2f} | {marked:.1%} |")
    return "\n".join([*lines, "", f"- {verdict(spreads)}"]) + "\n"


def evolvability_told(found: Mapping[str, Sequence[Change]]) -> str:
    """How far behaviour goes with genes."""
    columns = [(kind, change) for kind, own in found.items() for change in own]
    lines = [
        "## Small steps, small changes",
        "",
        f"Medians and quartiles of |change of mean velocity| [body lengths/s] of {MUTANTS} mutants, from the best",
        "walker that the controller came to and from a random genotype. Steps are in what genes mutate by at first.",
        "",
        f"| step | {' | '.join(f'{kind}, {change.start}' for kind, change in columns)} |",
        "| --- |" + " --- |" * len(columns),
    ]
    for k, step in enumerate(STEPS):
        lines.append(f"| {step:.2g} | {' | '.join(change.spreads[k].told for _, change in columns)} |")
    return "\n".join(lines) + "\n"


def spread_of(finishes: Sequence[Finish]) -> Spread:
    """The spread of fitness over runs."""
    return Spread(tuple(one.fitness for one in finishes))


def spread_of_marks(finishes: Sequence[Finish]) -> Spread:
    """The spread of the parts of lives that were marked."""
    return Spread(tuple(one.marked for one in finishes))


def verdict(spreads: Mapping[str, Spread]) -> str:
    """Which is best, and which differ from it by less than the spread."""
    best, near = equals(dict(spreads))
    others = f"{', '.join(near)} within the spread (quartiles overlap)" if near else "no quartiles overlap with its own"
    return f"best {best}; {others}"
