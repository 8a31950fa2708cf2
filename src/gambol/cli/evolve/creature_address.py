"""The address of a stored creature as one word: ARCHIVE:RUN:ID, such as out/evolve.db:1:17.

ARCHIVE is an SQLite file or the address of a database, as for --db. RUN and ID are as for `gambol replay`: RUN is a
number or "last", ID is a number or "best". `out/evolve.db:1` is the best creature of run 1, `out/evolve.db` is the best
creature of the last run.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from gambol.cli.defaults import OUT
from gambol.cli.evolve.archive_lookup import LAST, find_creature, find_run, genotype_of, open_archive
from gambol.errors import GambolError
from gambol.evolve.genotype import VERSION
from gambol.evolve.runs import ArchivedIndividual, load_individual

BEST = "best"
"""Name of the creature of a run with the highest fitness."""

SUFFIXES = (".db", ".sqlite", ".sqlite3")
"""Suffixes of files that are read as archives."""

ADDRESS = re.compile(rf"(?P<db>.+?)(?::(?P<run>\d+|{LAST})(?::(?P<creature>\d+|{BEST}))?)?", re.DOTALL)
WRONG_ADDRESS = re.compile(r"\.(?:db|sqlite3?):[^/]*$", re.IGNORECASE)
URL = re.compile(r"([a-z]\w*(?:\+\w+)?):/(?=[^/])")
"""Matches the beginning of the address of a database from which pathlib has removed one slash of "://"."""


@dataclass(frozen=True, slots=True)
class CreatureAddress:
    """The archive, the run and the number of a creature, as given by the user; None for a part that was not given."""

    db: str
    run: str | None = None
    creature: str | None = None

    @classmethod
    def of(cls, word: str | Path) -> Self | None:
        """Return the address in a word, or None if the word names a file of another kind.

        Raises GambolError if the name of an archive is followed by something other than a run and a creature.
        """
        match = ADDRESS.fullmatch(URL.sub(r"\1://", str(word), count=1))
        if match is None or not (match["db"].lower().endswith(SUFFIXES) or "://" in match["db"]):
            if WRONG_ADDRESS.search(str(word)):
                raise GambolError(
                    f'"{word}" is not a creature of an archive; give ARCHIVE:RUN:ID, such as out/evolve.db:1:17 or '
                    "out/evolve.db:last:best"
                )
            return None
        return cls(match["db"], match["run"], match["creature"])

    @property
    def name(self) -> str:
        """Common name of the files about the creature, such as evolve-1-17."""
        stem = (
            Path(self.db).stem if self.db.lower().endswith(SUFFIXES) else self.db.rpartition("/")[2].partition("?")[0]
        )
        return "-".join([stem or "evolve", *filter(None, (self.run, self.creature))])

    def read(self) -> ArchivedIndividual:
        """Return the creature with the settings of its run.

        Issues a VersionWarning if it was stored by other versions. Raises GambolError for an archive that cannot be
        read, and for unknown runs and creatures.
        """
        with open_archive(self.db, OUT) as archive:
            run = find_run(archive, self.run or LAST, with_generations=True)
            number = find_creature(archive, run, self.creature or BEST).number
            archived = load_individual(archive, run, number, {"genotype": str(VERSION)})
            genotype_of(archive, run, archived.individual)
            return archived
