"""Finds the archive, the run and the creature that the options of a command specify."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from gambol.cli.defaults import OUT
from gambol.cli.targets import check_folder
from gambol.errors import GambolError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.archive.address import printable
from gambol.evolve.genotype import Genotype, of_json
from gambol.evolve.runs.run import installed_version

ARCHIVE_NAME = "evolve.db"
MAX_DIGITS = 18
"""Maximum number of digits of a run or creature number; larger numbers may not fit into an archive."""

LAST = "last"
"""Name of the latest run."""


def open_archive(db: str | None, out: Path, *, create: bool = False) -> Archive:
    """Open the archive of a command.

    db: file or address from --db; None: evolve.db in the folder out. create: True to create a missing archive. Raises
    GambolError for an archive that does not exist or cannot be created.
    """
    if db is None:
        if create:
            check_folder(out, "--out")
            out.mkdir(parents=True, exist_ok=True)
        elif not (out / ARCHIVE_NAME).is_file():
            raise GambolError(
                f"--db: there is no {out / ARCHIVE_NAME}; begin a run with `gambol evolve`, "
                "or give the address of its archive"
            )
    return Archive(out / ARCHIVE_NAME if db is None else db, gambol=installed_version("gambol"), create=create)


def archive_option(db: str | None, out: Path) -> str:
    """Return the --db option that opens the same archive, quoted for a shell, with a leading space.

    A password in the address is left out.
    """
    if db is None:
        return "" if out == OUT else f" --db {shlex.quote(str(out / ARCHIVE_NAME))}"
    return f" --db {shlex.quote(printable(db))}"


def device_option(device: str) -> str:
    """Return the --device option of a command that continues a run, with a leading space; none for the default."""
    return "" if device == "cpu" else f" --device {shlex.quote(device)}"


def find_run(archive: Archive, word: str, *, with_generations: bool = False) -> int:
    """Return the number of a run given as a number or "last". Raises GambolError for other words and unknown runs.

    with_generations: consider only runs that have completed a generation.
    """
    runs = archive.runs()
    if not runs:
        raise GambolError(f"{archive.location}: the archive has no run yet; begin one with `gambol evolve`")
    candidates = [run for run in runs if run.generations > 0 or not with_generations]
    if word == LAST:
        if not candidates:
            raise GambolError(f"{archive.location}: no run has completed a generation yet; resume run {runs[-1].id}")
        return candidates[-1].id
    run = archive.run(_parse_number(word, "RUN", LAST))
    if run not in candidates:
        others = ", ".join(str(candidate.id) for candidate in candidates) or "none"
        raise GambolError(
            f"{archive.location}: run {run.id} has not completed a generation yet; runs that have: {others}"
        )
    return run.id


def find_creature(archive: Archive, run: int, word: str) -> IndividualRecord:
    """Return a creature of a run, by number or "best". Raises GambolError for other words and unknown creatures."""
    if word != "best":
        return archive.individual(run, _parse_number(word, "ID", "best"))
    best: Sequence[IndividualRecord] = archive.best(run)
    if not best:
        raise GambolError(f"run {run} has no creature with a valid fitness; give the number of a creature")
    return best[0]


def genotype_of(archive: Archive, run: int, individual: IndividualRecord) -> Genotype:
    """Return the genotype of a creature. Raises GambolError, naming the run and the creature, if it is invalid."""
    return of_json(individual.genotype, genotype_name(archive, run, individual))


def genotype_name(archive: Archive, run: int, individual: IndividualRecord) -> str:
    """Return the name of a stored genotype, for errors."""
    return f"{archive.location}: run {run}: individual {individual.number}: genotype"


def _parse_number(word: str, argument: str, other: str) -> int:
    """Return a value as a number.

    argument: name of the argument; other: the word that is accepted instead of a number; both are for the error
    message.
    """
    if not word.isdecimal():
        raise GambolError(f'{argument}: "{word}" is not a number; give one, or "{other}"')
    if len(word) > MAX_DIGITS:
        raise GambolError(
            f'{argument}: "{word[:MAX_DIGITS]}..." is larger than any number of a run or a creature; give a smaller one'
        )
    return int(word)
