"""The command `gambol lineage`: a creature's ancestors, back to random ones, read from an archive into a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.text import Text

from gambol.cli.evolve.keepsake import film_of, trials_told, tried_told, whose_life
from gambol.cli.evolve.place import creature_named, genotype_named, opened, run_named
from gambol.cli.evolve.traits import reader_of
from gambol.cli.evolve.watching import figures
from gambol.cli.session import DONE, Session
from gambol.cli.targets import check_target
from gambol.cli.walk import noted
from gambol.errors import GambolError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.run import Settings, settings_of
from gambol.view.lineage import Generation, Lineage, Person, write_lineage
from gambol.world import Film

BESIDE = 8
"""Ancestors of a generation that are shown beside the line of descent: the fittest."""

MOST = 2000
"""Ancestors that a page shows beside the line of descent."""


OF_ARCHIVE = " --db ARCHIVE, where the run is kept"
"""What a page says of an archive that is not in its usual place: pages are shared, and addresses are not."""


@dataclass
class Tree:
    """The ancestors of a creature, as far as they are shown.

    line: in a straight line, from a random one to the creature itself; everybody's fittest parent. beside: others, and
    how many are left out.
    """

    archive: Archive
    run: int
    line: list[IndividualRecord] = field(default_factory=list[IndividualRecord])
    beside: list[IndividualRecord] = field(default_factory=list[IndividualRecord])
    left_out: int = 0

    def grow(self, last: IndividualRecord, tell: Callable[[str], None]) -> None:
        """Find the ancestors of a creature, generation by generation from the last to the first, each in one query."""
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
        """Those of a generation whose own ancestors are looked for: who is in the line, and the fittest beside it."""
        straight = self.line[0].number
        beside = [one for one in here if one.number != straight]
        shown = beside[: max(0, min(BESIDE, MOST - len(self.beside)))]
        self.beside += shown
        self.left_out += len(beside) - len(shown)
        return [*(one for one in here if one.number == straight), *shown]


def fitness_order(one: IndividualRecord) -> tuple[float, int]:
    """Sorts the fittest to the front, and of equals the earlier."""
    return -one.outcome.worth, one.number


@dataclass(frozen=True)
class Descent:
    """What one command does. run, creature: as words; films: how many of the line of descent are filmed, at most."""

    run: str
    creature: str
    films: int
    db: str | None
    out: Path
    page: Path

    def go(self, session: Session) -> int:
        """Write the page; the command's exit code. GambolError before any work."""
        if self.films < 0:
            raise GambolError(f"--films: {self.films} films cannot be in a page; give 0 or more")
        check_target(self.page, "--out", ".html", "a lineage")
        with opened(self.db, self.out) as archive, session.errors.status("reading the archive") as status:
            run = run_named(archive, self.run, lived=True)
            last = creature_named(archive, run, self.creature)
            archive.generations(run)
            tree = Tree(archive, run)
            tree.grow(last, lambda words: status.update(Text(words)))
            for one in (*tree.line, *tree.beside):
                genotype_named(archive, run, one)
            with noted() as notes:
                films = self._filmed(tree, settings_of(archive, run), lambda words: status.update(Text(words)))
                lineage = self._lineage(tree, last, films)
                self.page.parent.mkdir(parents=True, exist_ok=True)
                write_lineage(lineage, self.page)
        session.warn(notes_once(notes))
        line = f"{len(tree.line)} in the line of descent of creature {last.number}, {len(films)} of them filmed"
        session.console.print(Text(f"{line}, and {len(tree.beside)} others"), soft_wrap=True)
        if lineage.trials:
            session.console.print(Text(lineage.trials, style="dim"), soft_wrap=True)
        session.console.print(Text(f"wrote {self.page}"), soft_wrap=True)
        return DONE

    def _filmed(self, tree: Tree, settings: Settings, tell: Callable[[str], None]) -> dict[int, Film]:
        """Films of some in the line of descent, the first and the last among them, by their numbers."""
        chosen = spread_over(tree.line, self.films)
        films: dict[int, Film] = {}
        for k, one in enumerate(chosen, start=1):
            tell(f"filming creature {one.number}, {k} of {len(chosen)}")
            films[one.number] = film_of(settings, whose_life(settings, tree.run, one), one)
        return films

    def _lineage(self, tree: Tree, last: IndividualRecord, films: dict[int, Film]) -> Lineage:
        archive, run = tree.archive, tree.run
        settings, record = settings_of(archive, run), archive.run(run)
        stored = archive.generations(run)
        read = reader_of(settings)
        people = tuple(person_of(one, *read(one.genotype), films.get(one.number)) for one in (*tree.line, *tree.beside))
        left_out = [
            (len(tree.line) - len(films), f"films of the line of descent (more with --films, which is {self.films})"),
            (
                tree.left_out,
                f"ancestors beside the {BESIDE} fittest of their generation, and who only they descend from",
            ),
            (
                sum(one.size for one in stored) - len(people) - tree.left_out,
                "creatures that are no ancestors, or only of those",
            ),
        ]
        return Lineage(
            title=f"{settings.task}, {settings.body}: how creature {last.number} of run {run} came to be",
            about={
                "fitness": figures(last.outcome.fitness),
                "search": settings.search,
                "control": settings.control,
                "lives": f"{settings.population} x {len(stored)} of {settings.seconds:g} s{tried_told(settings)}",
                "seed": str(settings.seed),
                "begun": record.made.replace("T", " ").replace("+00:00", " UTC"),
                "gambol": record.versions.get("gambol", "?"),
            },
            generations=tuple(Generation(one.best, one.median, one.lower, one.upper) for one in stored),
            people=people,
            line=tuple(one.number for one in tree.line),
            left_out=tuple(f"Not in this page: {count:,} {what}." for count, what in left_out if count > 0),
            again=f"See it with: gambol replay {run} NUMBER{OF_ARCHIVE if self.db is not None else ''}",
            trials=trials_told(settings),
        )


def person_of(one: IndividualRecord, traits: Any, values: Any, film: Film | None) -> Person:
    """A creature of an archive as a page tells it."""
    outcome = one.outcome
    return Person(
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


def spread_over(line: Sequence[IndividualRecord], count: int) -> list[IndividualRecord]:
    """So many of a line, evenly spread over it, the last always among them."""
    if count == 0:
        return []
    step = (len(line) - 1) / max(1, min(count, len(line)) - 1)
    places = {len(line) - 1 - round(k * step) for k in range(min(count, len(line)))}
    return [line[k] for k in sorted(places)]


def notes_once(notes: Sequence[str]) -> list[str]:
    """Warnings of many films: the first, and how many more there were."""
    return [*notes[:1], f"and {len(notes) - 1} more like this, of other creatures"] if len(notes) > 1 else list(notes)
