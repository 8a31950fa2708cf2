"""The archive: a database of every individual of every run, consistent at any moment.

A generation is stored in one transaction. If the transaction is interrupted (kill -9, a full disk), nothing of this
generation is stored, and all earlier generations remain.
"""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, cast

from sqlalchemy import Select, func, insert, select, update

from gambol.errors import EvolveError
from gambol.evolve.archive.address import printable
from gambol.evolve.archive.columns import CHANGED, INTEGER_LIMIT
from gambol.evolve.archive.exact import to_json
from gambol.evolve.archive.faults import database_errors
from gambol.evolve.archive.opening import engine_of, prepare, url_of, write_engine
from gambol.evolve.archive.records import (
    GenerationRecord,
    IndividualRecord,
    RunRecord,
    digest_of,
    generation_of,
    individual_of,
    row_of,
    run_of,
    stored_number,
)
from gambol.evolve.archive.schema import GENERATION, INDIVIDUAL, RUN

MAX_QUERY_SIZE = 500
"""The largest number of individuals in one query: some databases accept at most 999 values in a statement."""


class Archive:
    """An open database of runs. Any number of processes may read and write it, one process per run.

    address: a file of SQLite, or a URL such as postgresql+psycopg://HOST/NAME. gambol: the version of this library; a
    new archive stores it, and errors about versions name it. create: True to create the archive in an absent file or an
    empty database. An archive of an earlier version is upgraded once, which needs permission to write. Raises
    EvolveError for a database that cannot be opened, is damaged, is not an archive, or is an archive of a later
    version. Every method raises EvolveError when the database fails, and then has changed nothing.
    """

    def __init__(self, address: str | Path, *, gambol: str = "", create: bool = True) -> None:
        url = url_of(address)
        if not create and url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
            raise EvolveError(
                f"{url.database}: there is no such file; give the archive that was named when the run began"
            )
        self.location: str = printable(url)
        self._engine = engine_of(url)
        try:
            prepare(self._engine, self.location, gambol, create)
        except BaseException:
            self._engine.dispose()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def begin(self, settings: Mapping[str, Any], seed: int, versions: Mapping[str, str]) -> int:
        """Store a new run and return its number in the archive.

        settings: plain data. seed: seed of the run. versions: versions of the libraries, by name.
        """
        row = {
            "settings": to_json(settings, "settings"),
            "seed": str(seed),
            "versions": to_json(versions, "versions"),
            "made": now(),
        }
        with database_errors(self.location, self._engine.url), write_engine(self._engine).begin() as connection:
            return int(connection.execute(insert(RUN).returning(RUN.c.id), row).scalar_one())

    def update_settings(self, run: int, settings: Mapping[str, Any]) -> None:
        """Store changed settings of a run, such as more generations."""
        with database_errors(self.location, self._engine.url), write_engine(self._engine).begin() as connection:
            connection.execute(update(RUN).where(RUN.c.id == run).values(settings=to_json(settings, "settings")))

    def add(
        self, run: int, individuals: Sequence[IndividualRecord], summary: Mapping[str, float], seconds: float
    ) -> None:
        """Store a generation, either completely or not at all.

        run: number of the run. individuals: at least one, all of one generation, in order of their numbers, without
        gaps. summary: best, median, lower and upper quartile of their fitness. seconds: duration of proposal and
        evaluation [s].
        """
        rows = [row_of(run, individual) for individual in individuals]
        generation = {
            "run": run,
            "generation": individuals[0].generation,
            "first": individuals[0].number,
            "size": len(rows),
            "digest": digest_of(rows),
            "made": now(),
            "seconds": seconds,
            **{name: stored_number(value) for name, value in summary.items()},
        }
        location = f"{self.location}, generation {individuals[0].generation} of run {run}"
        with database_errors(location, self._engine.url), write_engine(self._engine).begin() as connection:
            connection.execute(insert(GENERATION), generation)
            connection.execute(insert(INDIVIDUAL), rows)

    def runs(self) -> list[RunRecord]:
        """Return all runs, the oldest first."""
        counted = select(GENERATION.c.run, func.count().label("generations")).group_by(GENERATION.c.run).subquery()
        query = select(RUN, func.coalesce(counted.c.generations, 0).label("generations"))
        rows = self._rows(query.outerjoin(counted, RUN.c.id == counted.c.run).order_by(RUN.c.id))
        return [run_of(row, self.location) for row in rows]

    def run(self, run: int) -> RunRecord:
        """Return the run of this number. Raises EvolveError if it does not exist."""
        runs = self.runs()
        for record in runs:
            if record.id == run:
                return record
        known = ", ".join(str(record.id) for record in runs) or "none"
        raise EvolveError(f"{self.location}: there is no run {run}; there are: {known}")

    def generations(self, run: int) -> list[GenerationRecord]:
        """Return all stored generations of a run, in order. Raises EvolveError if one is missing."""
        query = select(GENERATION).where(GENERATION.c.run == run).order_by(GENERATION.c.generation)
        records = [generation_of(row, f"{self.location}: run {run}") for row in self._rows(query)]
        first = 0
        for expected, record in enumerate(records):
            if record.generation != expected:
                raise EvolveError(f"{self.location}: generation {expected} of run {run} is missing; restore a copy")
            if record.first != first:
                problem = f"begins with individual {record.first} instead of {first}"
                raise EvolveError(f"{self.location}: generation {expected} of run {run} {problem}: {CHANGED}")
            first += record.size
        return records

    def individuals(self, run: int, generation: int) -> list[IndividualRecord]:
        """Return all individuals of a generation, in order. Raises EvolveError if their stored data was changed."""
        in_generation = (GENERATION.c.run == run) & (GENERATION.c.generation == generation)
        stored = self._rows(select(GENERATION).where(in_generation))
        if not stored:
            raise EvolveError(
                f"{self.location}: run {run} has no generation {generation}; it has {self.run(run).generations}"
            )
        record = generation_of(stored[0], f"{self.location}: run {run}")
        first, size = record.first, record.size
        in_range = (INDIVIDUAL.c.run == run) & INDIVIDUAL.c.number.between(first, first + size - 1)
        rows = self._rows(select(INDIVIDUAL).where(in_range).order_by(INDIVIDUAL.c.number))
        if digest_of(rows) != stored[0]["digest"]:
            raise EvolveError(
                f"{self.location}: generation {generation} of run {run} is not what was stored: it is damaged, "
                "or was changed; restore a copy of the archive"
            )
        individuals = [individual_of(row, f"{self.location}: run {run}") for row in rows]
        # a damaged size may be huge: a list longer than that of the individuals by one differs from it anyway
        if [(individual.number, individual.place, individual.generation) for individual in individuals] != [
            (first + place, place, generation) for place in range(min(size, len(individuals) + 1))
        ]:
            raise EvolveError(
                f"{self.location}: generation {generation} of run {run} should have the individuals {first} to "
                f"{first + size - 1}, in this order, but has others: {CHANGED}"
            )
        return individuals

    def individual(self, run: int, number: int) -> IndividualRecord:
        """Return the individual of this number in a run. Raises EvolveError if it does not exist."""
        return self.individuals_by_number(run, [number])[number]

    def individuals_by_number(self, run: int, numbers: Iterable[int]) -> dict[int, IndividualRecord]:
        """Return individuals of a run by their numbers, in few queries. Raises EvolveError for an unknown number."""
        sorted_numbers = sorted(set(numbers))
        for number in sorted_numbers:
            if not 0 <= number < INTEGER_LIMIT:
                raise self._missing_individual(run, number)
        individuals: dict[int, IndividualRecord] = {}
        for start in range(0, len(sorted_numbers), MAX_QUERY_SIZE):
            in_chunk = (INDIVIDUAL.c.run == run) & INDIVIDUAL.c.number.in_(
                sorted_numbers[start : start + MAX_QUERY_SIZE]
            )
            rows = self._rows(select(INDIVIDUAL).where(in_chunk))
            individuals |= {
                record.number: record for record in (individual_of(row, f"{self.location}: run {run}") for row in rows)
            }
        for number in sorted_numbers:
            if number not in individuals:
                raise self._missing_individual(run, number)
        return individuals

    def parents(self, run: int, children: Iterable[IndividualRecord]) -> dict[int, IndividualRecord]:
        """Return the parents of individuals of a run, by the parents' numbers, in few queries.

        Raises EvolveError if a parent is missing, or is not of an earlier generation than its child.
        """
        child_list = list(children)
        parents = self.individuals_by_number(run, (number for child in child_list for number in child.parents))
        for child in child_list:
            if too_late := [number for number in child.parents if parents[number].generation >= child.generation]:
                raise EvolveError(
                    f"{self.location}: run {run}: individual {child.number} of generation {child.generation} has a "
                    f"parent of generation {parents[too_late[0]].generation}, {too_late[0]}: {CHANGED}"
                )
        return parents

    def _missing_individual(self, run: int, number: int) -> EvolveError:
        """Return the error about a missing individual. Raises EvolveError if the run itself is missing."""
        self.run(run)
        stored = self.generations(run)
        existing = f"it has 0 to {stored[-1].first + stored[-1].size - 1}" if stored else "it has none yet"
        return EvolveError(f"{self.location}: run {run} has no individual {number}; {existing}")

    def best(self, run: int, count: int = 1) -> list[IndividualRecord]:
        """Return the `count` fittest valid individuals of a run, best first; ties are in the order of their numbers."""
        # the `count` fittest individuals are in the `count` generations with the best fitness
        has_best = (GENERATION.c.run == run) & GENERATION.c.best.is_not(None)
        first = (GENERATION.c.best.desc(), GENERATION.c.generation)
        generations = self._rows(select(GENERATION.c.generation).where(has_best).order_by(*first).limit(count))
        in_generations = (INDIVIDUAL.c.run == run) & INDIVIDUAL.c.generation.in_(
            [row["generation"] for row in generations]
        )
        valid = (INDIVIDUAL.c.marked == "") & INDIVIDUAL.c.fitness.is_not(None)
        order = (INDIVIDUAL.c.fitness.desc(), INDIVIDUAL.c.number)
        rows = self._rows(select(INDIVIDUAL).where(in_generations & valid).order_by(*order).limit(count))
        return [individual_of(row, f"{self.location}: run {run}") for row in rows]

    def _rows(self, query: Select[Any]) -> Sequence[Mapping[str, Any]]:
        with database_errors(self.location, self._engine.url), self._engine.connect() as connection:
            return cast("Sequence[Mapping[str, Any]]", connection.execute(query).mappings().all())


def now() -> str:
    """Return the current time in UTC, in ISO 8601, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
