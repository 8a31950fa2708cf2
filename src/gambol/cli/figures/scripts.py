"""Runs of scripts, which create their world while they run, for `gambol run`."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from gambol.cli.figures import results
from gambol.cli.figures.run_request import SCRIPT_REASON, PreparedRun, RunRequest, check_unused_options, request_summary
from gambol.cli.pages import LiveSimulation
from gambol.script import Script, read_script
from gambol.script.segments import Segment
from gambol.view import with_floor, write_graph
from gambol.view.live import LiveSegment
from gambol.world import Film
from gambol.world.run import Progress

MAX_LABELS = 3
"""Largest number of commands that a page names for the beginning of a segment of a script."""


def prepare_script(request: RunRequest, out: Path, echo: Callable[[str], None], coordinates: bool) -> PreparedRun:
    """Return the run of a script, which contains its own simulation."""
    check_unused_options(request, SCRIPT_REASON)
    script: Script = read_script(request.file)

    dry_run, found = script.dry_run(seconds=request.seconds), list[Segment]()

    def simulate(progress: Progress) -> Film:
        film, segments = script.run_with_segments(out, request.seconds, progress, echo, write_graph, coordinates)
        found[:] = segments
        return film if dry_run.spec.ground_on or not is_drawable(film) else with_floor(film)

    return PreparedRun(
        request.file.stem,
        dry_run.max_seconds,
        simulate,
        lambda film: request_summary(request) | results.film_summary(film),
        "a script creates its world while it runs",
        later=lambda: script_simulation(found),
    )


def is_drawable(film: Film) -> bool:
    """True if the film has frames and shapes, and all positions are finite."""
    return bool(np.isfinite(film.position).all() and len(film.time) and film.drawn)


def script_simulation(found: Sequence[Segment]) -> LiveSimulation | str:
    """Return the simulation of a script's run for a live page, or the reason why there is none; found: its segments.

    Figures that are added or switched off during the run are not in all worlds: only the segments from the last of
    these changes on are simulated.
    """
    if not found:
        return "cloth and particles of scripts, and scripts that were interrupted, are shown in films only"
    links = [[link.name for link in each.start.world.figure.links] for each in found]
    first = next(k for k in range(len(found)) if all(names == links[-1] for names in links[k:]))
    segments = tuple(
        LiveSegment(each.start, each.begin, each.last_step, each.origin, _label(each) if k else "", each.numbers)
        for k, each in enumerate(found)
    )[first:]
    begin = segments[0].begin
    note = (
        f"the page simulates from {begin:.4g} s on, after a figure was added or left out; the film has the time before"
    )
    return LiveSimulation(segments[0].state, segments[0].numbers, note=note if first else "", segments=segments)


def _label(segment: Segment) -> str:
    """Return the first commands that began a segment, in words."""
    names = list(dict.fromkeys(segment.commands))
    return ", ".join(names[:MAX_LABELS]) + (" and more" if len(names) > MAX_LABELS else "")
