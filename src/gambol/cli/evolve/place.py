"""Where archives are, and which of their runs and creatures a command means."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from gambol.cli.targets import check_folder
from gambol.errors import GambolError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.archive.address import shown
from gambol.evolve.genotype import Genotype, of_json
from gambol.evolve.run.vintage import installed

OUT = Path("out")
NAME = "evolve.db"
LONGEST = 18
"""Digits of a number of a run or a creature: so many always fit into an archive."""

LAST = "last"
"""The word for the run that began last."""


def opened(db: str | None, out: Path, *, make: bool = False) -> Archive:
    """The archive of a command: that of its option, or the one in its folder, which is made if it is to be.

    Raises GambolError where there is none, and where it cannot be.
    """
    if db is None:
        if make:
            check_folder(out, "--out")
            out.mkdir(parents=True, exist_ok=True)
        elif not (out / NAME).is_file():
            raise GambolError(
                f"--db: there is no {out / NAME}; begin a run with `gambol evolve`, or say where its archive is"
            )
    return Archive(out / NAME if db is None else db, gambol=installed("gambol"), make=make)


def told(db: str | None, out: Path) -> str:
    """Return the words that name the same archive to another command, with a blank before them, for a shell.

    Nothing secret of a database's address is among them.
    """
    if db is None:
        return "" if out == OUT else f" --db {shlex.quote(str(out / NAME))}"
    return f" --db {shlex.quote(shown(db))}"


def run_named(archive: Archive, word: str, *, lived: bool = False) -> int:
    """The number of a run: a number, or "last". Raises GambolError for other words, and where there is no such run.

    lived: whether only runs that have generations are meant; "last" is then the last of these.
    """
    runs = archive.runs()
    if not runs:
        raise GambolError(f"{archive.place}: it holds no run yet; begin one with `gambol evolve`")
    meant = [run for run in runs if run.generations > 0 or not lived]
    if word == LAST:
        if not meant:
            raise GambolError(f"{archive.place}: no run has lived a generation yet; go on with {runs[-1].id}")
        return meant[-1].id
    run = archive.run(_number(word, "RUN", LAST))
    if run not in meant:
        others = ", ".join(str(one.id) for one in meant) or "none"
        raise GambolError(f"{archive.place}: run {run.id} has lived no generation yet; those that have: {others}")
    return run.id


def creature_named(archive: Archive, run: int, word: str) -> IndividualRecord:
    """A creature of a run: by its number, or "best". Raises GambolError for other words, and where there is none."""
    if word != "best":
        return archive.individual(run, _number(word, "ID", "best"))
    best: Sequence[IndividualRecord] = archive.best(run)
    if not best:
        raise GambolError(f"run {run} has no creature whose fitness counts; look at one by its number")
    return best[0]


def genotype_named(archive: Archive, run: int, one: IndividualRecord) -> Genotype:
    """The genotype of a creature of a run. Raises GambolError, naming both, for what is none."""
    return of_json(one.genotype, f"{archive.place}: run {run}: individual {one.number}: genotype")


def _number(word: str, what: str, other: str) -> int:
    if not word.isdecimal():
        raise GambolError(f'{what}: "{word}" is no number; give one, or "{other}"')
    if len(word) > LONGEST:
        raise GambolError(f'{what}: "{word[:LONGEST]}..." is larger than any number of a run or a creature; give one')
    return int(word)
