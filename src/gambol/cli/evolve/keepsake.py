"""What is kept of a creature: its genotype, a page that plays its life, pictures of it, and a video."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from gambol.cli.evolve.watching import figures
from gambol.cli.targets import check_target, check_targets
from gambol.evolve.archive import IndividualRecord
from gambol.evolve.genotype import of_json, write_genotype
from gambol.evolve.life import filmed
from gambol.evolve.life.asked import task_of
from gambol.evolve.outcome import Outcome
from gambol.evolve.run import Settings
from gambol.view import RenderWarning, opengl, write_page, write_picture, write_video
from gambol.world import Film

KINDS = (".toml", ".html", ".png")

SHOWN = 1.1
"""The end of a life that a picture shows [s]: a few strides, and not a whole number of seconds, of which a fast stride
takes a part, so that all frames would look alike.
"""


@dataclass(frozen=True)
class Keepsake:
    """Where a creature's files go. name: of the files; video: an .mp4 that was asked for; trial: that is filmed."""

    folder: Path
    name: str
    video: Path | None = None
    trial: int = 0

    def check(self) -> None:
        """Raise GambolError where one of its files could not be put, before any is made."""
        if self.video is not None:
            opengl.require_render("a video")
            check_target(self.video, "--video", ".mp4", "a video")
        check_targets(self.folder, [self.file(kind) for kind in KINDS])

    def file(self, kind: str) -> Path:
        """Its file of a kind, such as ".toml"."""
        return self.folder / f"{self.name}{kind}"

    def write(self, settings: Settings, whose: str, one: IndividualRecord, tell: Callable[[str], None]) -> list[Path]:
        """Live a life once more and write all files; tell(words) says what is being done. Returns their paths.

        whose: its title.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        page, picture = self.file(".html"), self.file(".png")
        write_genotype(of_json(one.genotype), self.file(".toml"))
        tell("filming the creature")
        film = film_of(settings, whose, one, self.trial)
        tell(f"writing {page}")
        noted = trials_told(settings, self.trial)
        titled = replace(film, name=f"{film.name} ({noted})") if noted else film
        paths = [self.file(".toml"), write_page(titled, page)]
        if opengl.can_render():
            tell(f"writing {picture}")
            paths.append(write_picture(film.between(film.time[-1] - SHOWN, film.time[-1]), picture))
        else:
            warnings.warn(f"{picture.name}: no OpenGL here, so there is no picture", RenderWarning, stacklevel=2)
        if self.video is not None:
            path = self.video
            paths.append(write_video(film, path, progress=lambda k, n: tell(f"writing {path}: frame {k} of {n}")))
        return paths


def film_of(settings: Settings, whose: str, one: IndividualRecord, trial: int = 0) -> Film:
    """The film of a trial of a creature's life, with a title that says whose, and how fit it is."""
    title = f"{whose}, fitness {figures(one.outcome.fitness)}" + (f", trial {trial}" if trial else "")
    return replace(filmed(settings, one.genotype, one.seed, trial), name=title)


def whose_life(settings: Settings, run: int, one: IndividualRecord) -> str:
    """The title of a creature of a run."""
    return f"{settings.task}, {settings.body}: creature {one.number} of run {run}"


def tried_told(settings: Settings) -> str:
    """How many trials a life has, after how long it lasts; "" where there is only one."""
    trials = task_of(settings).trials
    return "" if trials == 1 else f" in {trials} trials"


def trials_told(settings: Settings, trial: int = 0) -> str:
    """Which trial of a life its terms are of, and which one a film shows; "" where there is only one."""
    trials = task_of(settings).trials
    if trials == 1:
        return ""
    shown = f"trial {trial}" if trial else "the one that nothing disturbs"
    return f"terms: the {'worse' if trials == 2 else 'worst'} of {trials} trials; film: {shown}"


def outcome_table(outcome: Outcome, note: str = "") -> Group:
    """The terms of a fitness, and below them a note, or nothing."""
    table: Any = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_row("fitness", figures(outcome.fitness), style="bold")
    for name, value in outcome.terms.items():
        table.add_row(name, figures(value))
    return Group(table, Text(note, style="dim")) if note else Group(table)
