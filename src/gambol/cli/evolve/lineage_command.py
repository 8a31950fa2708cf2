"""The command `gambol lineage`: writes a page of a creature's ancestors, back to the first, random generation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.text import Text

from gambol.cli.evolve.archive_lookup import find_creature, find_run, genotype_name, open_archive
from gambol.cli.evolve.artifacts import film_individual, film_title, live_start, trials_note, trials_suffix
from gambol.cli.evolve.contest_runs import check_stored, genes_reader_of
from gambol.cli.evolve.genes import gene_settings
from gambol.cli.evolve.progress import fitness_text
from gambol.cli.log import collected_warnings
from gambol.cli.session import DONE, Session
from gambol.cli.targets import check_plot_files, check_target
from gambol.errors import GambolError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.runs import Settings, settings_of
from gambol.view.lineage import Generation, Individual, Lineage, write_fitness_plot, write_lineage
from gambol.view.live.gene_settings import NO_GENES
from gambol.world import Film

MAX_PER_GENERATION = 8
"""Maximum number of ancestors of a generation on the page, besides the line of descent; the fittest are shown."""

MAX_OTHERS = 2000
"""Maximum number of ancestors on the page, besides the line of descent."""


ARCHIVE_HINT = " --db ARCHIVE, where the run is stored"
"""Text on a page for an archive given by --db. The address is left out, because pages are shared."""


@dataclass
class AncestorTree:
    """The ancestors of a creature that the page shows.

    line: the line of descent, from a random creature through the fittest parents to the creature itself.
    others: other ancestors; left_out: number of ancestors that are not shown.
    """

    archive: Archive
    run: int
    line: list[IndividualRecord] = field(default_factory=list[IndividualRecord])
    others: list[IndividualRecord] = field(default_factory=list[IndividualRecord])
    left_out: int = 0

    def read_ancestors(self, descendant: IndividualRecord, show_progress: Callable[[str], None]) -> None:
        """Read the ancestors of a creature, one generation per query, from the latest to the first.

        show_progress(text): called for each generation.
        """
        self.line = [descendant]
        pending: dict[int, IndividualRecord] = {descendant.number: descendant}
        while pending:
            latest = max(individual.generation for individual in pending.values())
            show_progress(f"looking for ancestors: generation {latest}")
            generation = sorted(
                (individual for individual in pending.values() if individual.generation == latest), key=fitness_order
            )
            selected = self._select(generation)
            pending |= self.archive.parents(self.run, selected)
            pending = {number: individual for number, individual in pending.items() if individual.generation < latest}
            if self.line[0].generation == latest:
                parents = [pending[number] for number in self.line[0].parents if number in pending]
                self.line[:0] = sorted(parents, key=fitness_order)[:1]

    def _select(self, generation: Sequence[IndividualRecord]) -> list[IndividualRecord]:
        """Return the creatures of a generation to show: the one in the line of descent, and the fittest others."""
        number_in_line = self.line[0].number
        others = [individual for individual in generation if individual.number != number_in_line]
        shown = others[: max(0, min(MAX_PER_GENERATION, MAX_OTHERS - len(self.others)))]
        self.others += shown
        self.left_out += len(others) - len(shown)
        return [*(individual for individual in generation if individual.number == number_in_line), *shown]


def fitness_order(individual: IndividualRecord) -> tuple[float, int]:
    """Return the sort key for the fittest first; equally fit individuals are sorted by number."""
    return -individual.outcome.score, individual.number


@dataclass(frozen=True)
class LineageCommand:
    """The options of the command.

    films: maximum number of creatures to film in the line of descent. plots: files of fitness over generations.
    """

    run: str
    creature: str
    films: int
    db: str | None
    out: Path
    page: Path
    plots: tuple[Path, ...] = ()

    def execute(self, session: Session) -> int:
        """Write the page; return the exit code. Raises GambolError before any work."""
        if self.films < 0:
            raise GambolError(f"--films: {self.films} is not possible; give 0 or more")
        check_target(self.page, "--out", ".html", "a lineage")
        check_plot_files(self.plots)
        with open_archive(self.db, self.out) as archive, session.error_console.status("reading the archive") as status:
            run = find_run(archive, self.run, with_generations=True)
            creature = find_creature(archive, run, self.creature)
            archive.generations(run)
            tree = AncestorTree(archive, run)
            tree.read_ancestors(creature, lambda text: status.update(Text(text)))
            settings = settings_of(archive, run)
            for individual in (*tree.line, *tree.others):
                check_stored(settings, individual.genotype, genotype_name(archive, run, individual))
            with collected_warnings() as notes:
                films = self._films(tree, settings, lambda text: status.update(Text(text)))
                lineage = self._lineage(tree, creature, films)
                self.page.parent.mkdir(parents=True, exist_ok=True)
                write_lineage(lineage, self.page)
                for path in self.plots:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    write_fitness_plot(lineage.generations, path, film_title(settings, run, creature))
        session.warn(first_note_and_count(notes))
        summary = f"{len(tree.line)} in the line of descent of creature {creature.number}, {len(films)} of them filmed"
        session.console.print(Text(f"{summary}, and {len(tree.others)} others"), soft_wrap=True)
        if lineage.trials:
            session.console.print(Text(lineage.trials, style="dim"), soft_wrap=True)
        session.console.print(Text("wrote " + ", ".join(map(str, (self.page, *self.plots)))), soft_wrap=True)
        return DONE

    def _films(self, tree: AncestorTree, settings: Settings, show_progress: Callable[[str], None]) -> dict[int, Film]:
        """Return films, by number, of evenly spaced creatures of the line of descent, with the first and the last."""
        chosen = evenly_spaced(tree.line, self.films)
        films: dict[int, Film] = {}
        for k, individual in enumerate(chosen, start=1):
            show_progress(f"filming creature {individual.number}, {k} of {len(chosen)}")
            films[individual.number] = film_individual(settings, film_title(settings, tree.run, individual), individual)
        return films

    def _lineage(self, tree: AncestorTree, creature: IndividualRecord, films: dict[int, Film]) -> Lineage:
        archive, run = tree.archive, tree.run
        settings, record = settings_of(archive, run), archive.run(run)
        history = archive.generations(run)
        read = genes_reader_of(settings)
        individuals = tuple(
            page_individual(settings, individual, *read(individual.genotype), films.get(individual.number))
            for individual in (*tree.line, *tree.others)
        )
        left_out = [
            (len(tree.line) - len(films), f"films of the line of descent (more with --films, which is {self.films})"),
            (
                tree.left_out,
                f"ancestors not among the {MAX_PER_GENERATION} fittest of their generation",
            ),
            (
                sum(generation.size for generation in history) - len(individuals) - tree.left_out,
                "creatures that are not ancestors of the creatures shown",
            ),
        ]
        rollouts = f"{settings.population} x {len(history)}"
        return Lineage(
            title=f"{settings.task}, {settings.body}: the ancestors of creature {creature.number} of run {run}",
            about={
                "fitness": fitness_text(creature.outcome.fitness),
                "search": settings.search,
                "control": settings.control,
                "rollouts": f"{rollouts} of {settings.seconds:g} s{trials_suffix(settings)}",
                "seed": str(settings.seed),
                "begun": record.made.replace("T", " ").replace("+00:00", " UTC"),
                "gambol": record.versions.get("gambol", "?"),
            },
            generations=tuple(Generation(g.best, g.median, g.lower, g.upper) for g in history),
            individuals=individuals,
            line=tuple(individual.number for individual in tree.line),
            left_out=tuple(f"Not on this page: {count:,} {items}." for count, items in left_out if count > 0),
            film_command=f"See it with: gambol replay {run} NUMBER{ARCHIVE_HINT if self.db is not None else ''}",
            trials=trials_note(settings),
        )


def page_individual(
    settings: Settings, individual: IndividualRecord, genes: Any, values: Any, film: Film | None
) -> Individual:
    """Return a creature of an archive as data of the page. settings: those of its run; film: its film, or None."""
    outcome = individual.outcome
    start, motion_note = (
        (None, "") if film is None else live_start(settings, individual.genotype, film, individual.seed)
    )
    return Individual(
        individual.number,
        individual.generation,
        individual.parents,
        individual.origin,
        outcome.fitness,
        outcome.marked,
        outcome.terms,
        genes,
        values,
        film,
        start,
        motion_note,
        NO_GENES if start is None else gene_settings(settings, individual.genotype, start[0]),
    )


def evenly_spaced(line: Sequence[IndividualRecord], count: int) -> list[IndividualRecord]:
    """Return count evenly spaced creatures of a line of descent, always including the last."""
    if count == 0:
        return []
    step = (len(line) - 1) / max(1, min(count, len(line)) - 1)
    indices = {len(line) - 1 - round(k * step) for k in range(min(count, len(line)))}
    return [line[k] for k in sorted(indices)]


def first_note_and_count(notes: Sequence[str]) -> list[str]:
    """Return the first note, and a sentence with the number of the others."""
    return (
        [*notes[:1], f"and {len(notes) - 1} similar warnings about other creatures"] if len(notes) > 1 else list(notes)
    )
