"""The command `gambol zoo`: simulates the creatures, and writes the pages and pictures of the site."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar
from rich.text import Text

from gambol.cli.interrupts import exit_code
from gambol.cli.log import collected_warnings
from gambol.cli.pages import write_simulation_page
from gambol.cli.session import DONE, Session
from gambol.cli.targets import Targets, check_targets
from gambol.cli.zoo.creatures import SiteCreature, site_creatures
from gambol.errors import GambolError
from gambol.view import opengl, write_still
from gambol.view.zoo import ZooEntry, write_zoo
from gambol.world import Film, was_interrupted

INDEX = "index.html"
"""Name of the first page's file."""

PICTURE_SIZE = (640, 400)
"""Size of the pictures of the first page [pixels], for screens of high density."""


@dataclass(frozen=True)
class ZooRequest:
    """The options of the command.

    names: names of creatures, empty for all. seconds: simulated time [s], None for the default of each.
    """

    folder: Path
    names: tuple[str, ...] = ()
    seconds: float | None = None


def build_zoo(session: Session, request: ZooRequest) -> int:
    """Write the site; return the exit code. Raises GambolError before any work.

    Ctrl-C ends the simulation of a creature; the site contains all creatures up to it.
    """
    if request.seconds is not None and not 0.0 < request.seconds < math.inf:
        raise GambolError(f"--seconds: {request.seconds:g} is not possible; give more than 0")
    creatures = site_creatures(request.names)
    files = [INDEX, *(f"{creature.name}{suffix}" for creature in creatures for suffix in (".html", ".png"))]
    check_targets(request.folder, [request.folder / name for name in files])
    if not opengl.can_render():
        session.note(["no OpenGL here, so the site has no pictures"])
    entries, interrupted = _write_pages(session, creatures, request)
    write_zoo("The zoo of gambol", entries, request.folder / INDEX)
    session.print_line(f"wrote {request.folder / INDEX} and the pages of {len(entries)} creatures")
    return exit_code() if interrupted else DONE


def _write_pages(session: Session, creatures: list[SiteCreature], request: ZooRequest) -> tuple[list[ZooEntry], bool]:
    """Write the page and the picture of each creature; return the entries, and True if the work was interrupted."""
    entries: list[ZooEntry] = []
    console = session.error_console
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with ProgressBar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=len(creatures))
        for k, creature in enumerate(creatures):
            if not console.is_terminal:
                console.print(Text(f"{k + 1} of {len(creatures)}: {creature.name}"))
            bar.update(task, description=f"{creature.name}: {k + 1} of {len(creatures)}")

            def progress(done: int, frames: int, k: int = k) -> None:
                bar.update(task, completed=k + 0.8 * done / frames)

            with collected_warnings() as notes:
                film, simulation = creature.film(request.seconds, progress)
                targets = Targets(request.folder, creature.name)
                page = targets.file(".html")
                reason = write_simulation_page(
                    replace(film, name=f"{creature.name}: {creature.summary}"), page, simulation, targets
                )
                entries.append(_entry(creature, film, targets, reason))
            session.warn([f"{creature.name}: {note}" for note in notes])
            if was_interrupted(film):
                return entries, True
    return entries, False


def _entry(creature: SiteCreature, film: Film, targets: Targets, reason: str | None) -> ZooEntry:
    """Write the picture of a creature, if that is possible; return its entry.

    reason: why its page is not live, or None.
    """
    page, picture = targets.file(".html"), targets.file(".png")
    size = f"{page.stat().st_size / 1e6:.1f} MB"
    note = f"simulates, {size}" if reason is None else f"plays a film, {size}: {reason.partition(': ')[2]}"
    if not opengl.can_render():
        return ZooEntry(creature.name, creature.summary, creature.group, page.name, note)
    write_still(replace(film, name=""), picture, frame=len(film.time) // 2, size=PICTURE_SIZE)
    return ZooEntry(creature.name, creature.summary, creature.group, page.name, note, picture.name)
