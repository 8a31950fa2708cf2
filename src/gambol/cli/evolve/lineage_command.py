"""The command `gambol lineage`: a page of a creature's ancestors, back to the random ones, from an archive."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.text import Text

from gambol.cli.evolve.archive_lookup import find_creature, find_run, genotype_of, open_archive
from gambol.cli.evolve.artifacts import film_of, film_title, trials_note, trials_suffix
from gambol.cli.evolve.genes import gene_reader
from gambol.cli.evolve.progress import fitness_text
from gambol.cli.session import DONE, Session
from gambol.cli.targets import check_target
from gambol.cli.walk import collected_warnings
from gambol.errors import GambolError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.run import Settings, settings_of
from gambol.view.lineage import Generation, Individual, Lineage, write_lineage
from gambol.world import Film

MAX_PER_GENERATION = 8
"""Number of ancestors of a generation that are shown beside the line of descent: the fittest."""

MAX_BESIDE = 2000
"""Number of ancestors that a page shows beside the line of descent."""


ARCHIVE_HINT = " --db ARCHIVE, where the run is stored"
"""Text on a page for an archive given by --db: the address itself is left out, since pages are shared."""


@dataclass
class AncestorTree:
    """The ancestors of a creature that a page shows.

    line: the line of descent, from a random creature to the creature itself, through the fittest parent of each.
    beside: other ancestors; left_out: how many more there are.
    """

    archive: Archive
    run: int
    line: list[IndividualRecord] = field(default_factory=list[IndividualRecord])
    beside: list[IndividualRecord] = field(default_factory=list[IndividualRecord])
    left_out: int = 0

    def grow(self, last: IndividualRecord, tell: Callable[[str], None]) -> None:
        """Read the ancestors of a creature, one generation per query, from the last; tell(text) reports."""
        self.line = [last]
        waiting: dict[int, IndividualRecord] = {last.number: last}
        while waiting:
            latest = max(one.generation for one in waiting.values())
            tell(f"looking for ancestors: generation {latest}")
            here = sorted((one for one in waiting.values() if one.generation == latest), key=fitness_order)
            kept = self._kept(here)
            waiting |= self.archive.parents(self.run, kept)
            waiting = {number: one for number, one in waiting.items() if one.generation < latest}
            if self.line[0].generation == latest:
                parents = [waiting[number] for number in self.line[0].parents if number in waiting]
                self.line[:0] = sorted(parents, key=fitness_order)[:1]

    def _kept(self, here: Sequence[IndividualRecord]) -> list[IndividualRecord]:
        """Return the creatures of a generation whose parents are read next: in the line, or the fittest others."""
        straight = self.line[0].number
        beside = [one for one in here if one.number != straight]
        shown = beside[: max(0, min(MAX_PER_GENERATION, MAX_BESIDE - len(self.beside)))]
        self.beside += shown
        self.left_out += len(beside) - len(shown)
        return [*(one for one in here if one.number == straight), *shown]


def fitness_order(one: IndividualRecord) -> tuple[float, int]:
    """Return the sort key that puts the fittest first, and of equals the earlier."""
    return -one.outcome.score, one.number


@dataclass(frozen=True)
class LineageCommand:
    """The options of the command. films: the largest number of creatures of the line of descent to film."""

    run: str
    creature: str
    films: int
    db: str | None
    out: Path
    page: Path

    def execute(self, session: Session) -> int:
        """Write the page; return the exit code. Raises GambolError before any work."""
        if self.films < 0:
            raise GambolError(f"--films: {self.films} films cannot be in a page; give 0 or more")
        check_target(self.page, "--out", ".html", "a lineage")
        with open_archive(self.db, self.out) as archive, session.errors.status("reading the archive") as status:
            run = find_run(archive, self.run, with_generations=True)
            last = find_creature(archive, run, self.creature)
            archive.generations(run)
            tree = AncestorTree(archive, run)
            tree.grow(last, lambda words: status.update(Text(words)))
            for one in (*tree.line, *tree.beside):
                genotype_of(archive, run, one)
            with collected_warnings() as notes:
                films = self._films(tree, settings_of(archive, run), lambda words: status.update(Text(words)))
                lineage = self._lineage(tree, last, films)
                self.page.parent.mkdir(parents=True, exist_ok=True)
                write_lineage(lineage, self.page)
        session.warn(first_note_and_count(notes))
        line = f"{len(tree.line)} in the line of descent of creature {last.number}, {len(films)} of them filmed"
        session.console.print(Text(f"{line}, and {len(tree.beside)} others"), soft_wrap=True)
        if lineage.trials:
            session.console.print(Text(lineage.trials, style="dim"), soft_wrap=True)
        session.console.print(Text(f"wrote {self.page}"), soft_wrap=True)
        return DONE

    def _films(self, tree: AncestorTree, settings: Settings, tell: Callable[[str], None]) -> dict[int, Film]:
        """Return films of creatures evenly spaced in the line of descent, with the first and the last, by number."""
        chosen = evenly_spaced(tree.line, self.films)
        films: dict[int, Film] = {}
        for k, one in enumerate(chosen, start=1):
            tell(f"filming creature {one.number}, {k} of {len(chosen)}")
            films[one.number] = film_of(settings, film_title(settings, tree.run, one), one)
        return films

    def _lineage(self, tree: AncestorTree, last: IndividualRecord, films: dict[int, Film]) -> Lineage:
        archive, run = tree.archive, tree.run
        settings, record = settings_of(archive, run), archive.run(run)
        stored = archive.generations(run)
        read = gene_reader(settings)
        individuals = tuple(
            page_individual(one, *read(one.genotype), films.get(one.number)) for one in (*tree.line, *tree.beside)
        )
        left_out = [
            (len(tree.line) - len(films), f"films of the line of descent (more with --films, which is {self.films})"),
            (
                tree.left_out,
                f"ancestors beside the {MAX_PER_GENERATION} fittest of their generation, and all their own ancestors",
            ),
            (
                sum(one.size for one in stored) - len(individuals) - tree.left_out,
                "creatures that are no ancestors, or only of those",
            ),
        ]
        return Lineage(
            title=f"{settings.task}, {settings.body}: how creature {last.number} of run {run} came to be",
            about={
                "fitness": fitness_text(last.outcome.fitness),
                "search": settings.search,
                "control": settings.control,
                "lives": f"{settings.population} x {len(stored)} of {settings.seconds:g} s{trials_suffix(settings)}",
                "seed": str(settings.seed),
                "begun": record.made.replace("T", " ").replace("+00:00", " UTC"),
                "gambol": record.versions.get("gambol", "?"),
            },
            generations=tuple(Generation(one.best, one.median, one.lower, one.upper) for one in stored),
            individuals=individuals,
            line=tuple(one.number for one in tree.line),
            left_out=tuple(f"Not in this page: {count:,} {what}." for count, what in left_out if count > 0),
            again=f"See it with: gambol replay {run} NUMBER{ARCHIVE_HINT if self.db is not None else ''}",
            trials=trials_note(settings),
        )


def page_individual(one: IndividualRecord, traits: Any, values: Any, film: Film | None) -> Individual:
    """Return a creature of an archive as data of the page."""
    outcome = one.outcome
    return Individual(
        one.number,
        one.generation,
        one.parents,
        one.origin,
        outcome.fitness,
        outcome.marked,
        outcome.terms,
        traits,
        values,
        film,
    )


def evenly_spaced(line: Sequence[IndividualRecord], count: int) -> list[IndividualRecord]:
    """Return count creatures evenly spaced in a line, always with the last."""
    if count == 0:
        return []
    step = (len(line) - 1) / max(1, min(count, len(line)) - 1)
    places = {len(line) - 1 - round(k * step) for k in range(min(count, len(line)))}
    return [line[k] for k in sorted(places)]


def first_note_and_count(notes: Sequence[str]) -> list[str]:
    """Return the first of many notes, and the number of the others."""
    return [*notes[:1], f"and {len(notes) - 1} more like this, of other creatures"] if len(notes) > 1 else list(notes)
