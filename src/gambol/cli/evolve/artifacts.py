"""The files of a creature: its genotype, a page that plays its motion, pictures, and a video."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from rich.console import Group
from rich.table import Table
from rich.text import Text

from gambol.cli.evolve.genes import gene_settings
from gambol.cli.evolve.progress import fitness_text
from gambol.cli.film_files import write_exports, write_plots
from gambol.cli.output import Output
from gambol.cli.pages import FilmPageWarning, LiveSimulation, film_only_reason, write_simulation_page
from gambol.cli.targets import Targets
from gambol.cli.video import camera_of, write_video_of
from gambol.creatures.contests import film_contest, is_contest
from gambol.evolve.archive import IndividualRecord
from gambol.evolve.evaluate import film_rollout, start_of_rollout
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.genotype import model_of, of_json, write_genotype
from gambol.evolve.outcome import Outcome
from gambol.evolve.runs import Settings
from gambol.view import RenderWarning, opengl, write_picture
from gambol.world import Film, State

SUFFIXES = (".toml", ".html", ".png")

PICTURE_SECONDS = 1.1
"""Duration of the last part of a film, which the picture shows [s]: a few strides.

It is not a whole number: whole seconds may be a multiple of the stride's period, and then all frames look the same.
"""


@dataclass(frozen=True)
class Artifacts:
    """Output paths of a creature.

    output: folder of the files. name: common name of the files. trial: index of the trial to film. source: source of
    the page, see source_of(), or None.
    """

    output: Output
    name: str
    trial: int = 0
    source: Mapping[str, Any] | None = None

    @property
    def _targets(self) -> Targets:
        return Targets.of(self.output, self.name.replace(":", "-"))  # a task of one's own is called "module:name"

    def check(self) -> None:
        """Raise GambolError if a file cannot be written, before any file is created."""
        self._targets.check_files(SUFFIXES)

    def file(self, suffix: str) -> Path:
        """Return the path of the file with a suffix, such as ".toml"."""
        return self._targets.file(suffix)

    def write(
        self, settings: Settings, title: str, individual: IndividualRecord, show_progress: Callable[[str], None]
    ) -> list[Path]:
        """Simulate a creature again and write all files; return their paths.

        title: title of the film. show_progress(text): called for each file.
        """
        self.output.folder.mkdir(parents=True, exist_ok=True)
        targets, page, picture = self._targets, self.file(".html"), self.file(".png")
        camera = camera_of(targets.video)
        genotype = of_json(individual.genotype)
        write_genotype(genotype, self.file(".toml"))
        show_progress("filming the creature")
        film = film_individual(settings, title, individual, self.trial)
        show_progress(f"writing {page}")
        note = trials_note(settings, self.trial)
        page_film = replace(film, name=f"{film.name} ({note})") if note else film
        first = start_of_rollout(settings, individual.genotype, individual.seed, self.trial)
        genes = gene_settings(settings, individual.genotype, first[0])
        simulation = LiveSimulation(*first, self.source, genes, repeats=False)
        if (reason := write_simulation_page(page_film, page, simulation, targets)) is not None:
            warnings.warn(reason, FilmPageWarning, stacklevel=2)
        paths = [self.file(".toml"), page]
        if opengl.can_render():
            show_progress(f"writing {picture}")
            strides = film.between(film.time[-1] - PICTURE_SECONDS, film.time[-1])
            paths.append(write_picture(strides, picture, camera=camera))
        else:
            warnings.warn(f"{picture.name}: no OpenGL here, so there is no picture", RenderWarning, stacklevel=2)

        def show_file(text: str) -> None:
            show_progress(f"writing {text}")

        paths += write_exports(film, targets.exports, show_file, model_of(genotype, self.name))
        paths += write_plots(film, targets, show_file)
        if targets.video.path is not None:  # the last, since it takes longest and may be interrupted
            paths.append(write_video_of(film, targets.video, show_file))
        return paths


def film_individual(settings: Settings, title: str, individual: IndividualRecord, trial: int = 0) -> Film:
    """Film a trial of a creature. title: title of the film; the fitness is added to it."""
    title = f"{title}, fitness {fitness_text(individual.outcome.fitness)}" + (f", trial {trial}" if trial else "")
    if is_contest(settings):
        return replace(film_contest(settings, individual.genotype, trial), name=title)
    return replace(film_rollout(settings, individual.genotype, individual.seed, trial), name=title)


def live_start(
    settings: Settings, genotype: Mapping[str, Any], film: Film, seed: int = 0
) -> tuple[tuple[State, NDArray[Any]] | None, str]:
    """Return the first state and the inputs of a creature's first trial, for pages of several creatures, and "".

    If the page should only play the film, return None, and a text with the reason. genotype: as plain data; film: film
    of that trial; seed: seed of its rollouts.
    """
    if is_contest(settings):
        return None, "plays the film of the contest with its opponent; gambol replay writes a live page"
    first = start_of_rollout(settings, genotype, seed)
    reason = film_only_reason(film, LiveSimulation(*first))
    return (first, "") if reason is None else (None, f"plays a film: {reason}")


def film_title(settings: Settings, run: int, individual: IndividualRecord) -> str:
    """Return the title of a creature of a run."""
    return f"{settings.task}, {settings.body}: creature {individual.number} of run {run}"


def trials_of(settings: Settings) -> int:
    """Return the number of trials of a rollout or a contest."""
    return settings.trials if is_contest(settings) else task_of(settings).trials


def trials_suffix(settings: Settings) -> str:
    """Return the text " in N trials", to append to a duration; "" for a task with one trial."""
    trials = trials_of(settings)
    return "" if trials == 1 else f" in {trials} trials"


def trials_note(settings: Settings, trial: int = 0) -> str:
    """Return a note that says which trial gave the terms and which trial a film shows; "" for a task with one trial."""
    trials = trials_of(settings)
    if trials == 1:
        return ""
    filmed_trial = f"trial {trial}" if trial or is_contest(settings) else "the undisturbed one"
    return f"terms: the {'worse' if trials == 2 else 'worst'} of {trials} trials; film: {filmed_trial}"


def outcome_table(outcome: Outcome, note: str = "") -> Group:
    """Return a table of the fitness and the terms of an outcome, with a note below it."""
    table: Any = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_row("fitness", fitness_text(outcome.fitness), style="bold")
    for name, value in outcome.terms.items():
        table.add_row(name, fitness_text(value))
    return Group(table, Text(note, style="dim")) if note else Group(table)
