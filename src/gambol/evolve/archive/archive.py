"""The archive: every individual of every run, in a database that is consistent at any moment.

A generation is stored in one transaction: if the process ends meanwhile (kill -9, a full disk), all earlier generations
remain, and nothing of this one is stored.
"""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, cast

from sqlalchemy import Select, func, insert, select, update

from gambol.errors import EvolveError
from gambol.evolve.archive.address import printable
from gambol.evolve.archive.columns import CHANGED, WHOLE_LIMIT
from gambol.evolve.archive.exact import text_of
from gambol.evolve.archive.faults import database_errors
from gambol.evolve.archive.opening import engine_of, prepare, url_of, writing
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
"""Limit of the individuals in one query: some databases take no more than 999 values."""


class Archive:
    """An open database of runs. Any number of processes may read and write it, one process per run.

    where: a file of SQLite, made if absent, or an address such as postgresql+psycopg://HOST/NAME. gambol: the version,
    for errors about archives that cannot be read. make: True to create the archive in an absent file or an empty
    database. An archive of an earlier version is upgraded, once, which needs permission to write. Raises EvolveError
    for a database that cannot be opened, is damaged, is not an archive, or is one of a later version; every method
    raises it when the database fails, and then has changed nothing.
    """

    def __init__(self, where: str | Path, *, gambol: str = "", make: bool = True) -> None:
        url = url_of(where)
        if not make and url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
            raise EvolveError(
                f"{url.database}: there is no such file; give the archive that was named when the run began"
            )
        self.place: str = printable(url)
        self._engine = engine_of(url)
        try:
            prepare(self._engine, self.place, gambol, make)
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

        settings: plain data. seed: of the run. versions: by name.
        """
        row = {
            "settings": text_of(settings, "settings"),
            "seed": str(seed),
            "versions": text_of(versions, "versions"),
            "made": now(),
        }
        with database_errors(self.place, self._engine.url), writing(self._engine).begin() as connection:
            return int(connection.execute(insert(RUN).returning(RUN.c.id), row).scalar_one())

    def update_settings(self, run: int, settings: Mapping[str, Any]) -> None:
        """Store changed settings of a run, such as more generations."""
        with database_errors(self.place, self._engine.url), writing(self._engine).begin() as connection:
            connection.execute(update(RUN).where(RUN.c.id == run).values(settings=text_of(settings, "settings")))

    def add(
        self, run: int, individuals: Sequence[IndividualRecord], summary: Mapping[str, float], seconds: float
    ) -> None:
        """Store a generation, whole or not at all.

        run: its number. individuals: at least one, all of one generation, in order of their numbers, without gaps.
        summary: best, median, lower and upper quartile of their fitness. seconds: duration of
        their evaluation.
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
        place = f"{self.place}, generation {individuals[0].generation} of run {run}"
        with database_errors(place, self._engine.url), writing(self._engine).begin() as connection:
            connection.execute(insert(GENERATION), generation)
            connection.execute(insert(INDIVIDUAL), rows)

    def runs(self) -> list[RunRecord]:
        """Return all runs, in the order in which they began."""
        counted = select(GENERATION.c.run, func.count().label("generations")).group_by(GENERATION.c.run).subquery()
        query = select(RUN, func.coalesce(counted.c.generations, 0).label("generations"))
        rows = self._rows(query.outerjoin(counted, RUN.c.id == counted.c.run).order_by(RUN.c.id))
        return [run_of(row, self.place) for row in rows]

    def run(self, run: int) -> RunRecord:
        """Return one run. Raises EvolveError where there is none of that number."""
        runs = self.runs()
        for record in runs:
            if record.id == run:
                return record
        known = ", ".join(str(record.id) for record in runs) or "none"
        raise EvolveError(f"{self.place}: there is no run {run}; there are: {known}")

    def generations(self, run: int) -> list[GenerationRecord]:
        """Return all stored generations of a run, in order. Raises EvolveError where one is missing."""
        query = select(GENERATION).where(GENERATION.c.run == run).order_by(GENERATION.c.generation)
        records = [generation_of(row, f"{self.place}: run {run}") for row in self._rows(query)]
        first = 0
        for expected, record in enumerate(records):
            if record.generation != expected:
                raise EvolveError(f"{self.place}: generation {expected} of run {run} is missing; restore a copy")
            if record.first != first:
                problem = f"begins with individual {record.first} instead of {first}"
                raise EvolveError(f"{self.place}: generation {expected} of run {run} {problem}: {CHANGED}")
            first += record.size
        return records

    def individuals(self, run: int, generation: int) -> list[IndividualRecord]:
        """Return all individuals of a generation, in order. Raises EvolveError where their stored data was changed."""
        in_generation = (GENERATION.c.run == run) & (GENERATION.c.generation == generation)
        stored = self._rows(select(GENERATION).where(in_generation))
        if not stored:
            raise EvolveError(
                f"{self.place}: run {run} has no generation {generation}; it has {self.run(run).generations}"
            )
        record = generation_of(stored[0], f"{self.place}: run {run}")
        first, size = record.first, record.size
        in_range = (INDIVIDUAL.c.run == run) & INDIVIDUAL.c.number.between(first, first + size - 1)
        rows = self._rows(select(INDIVIDUAL).where(in_range).order_by(INDIVIDUAL.c.number))
        if digest_of(rows) != stored[0]["digest"]:
            raise EvolveError(
                f"{self.place}: generation {generation} of run {run} is not what was stored: it is damaged, "
                "or was changed; restore a copy of the archive"
            )
        individuals = [individual_of(row, f"{self.place}: run {run}") for row in rows]
        if [(individual.number, individual.place, individual.generation) for individual in individuals] != [
            (first + place, place, generation) for place in range(min(size, len(individuals) + 1))
        ]:
            raise EvolveError(
                f"{self.place}: generation {generation} of run {run} should have the individuals {first} to "
                f"{first + size - 1}, in their places, and has others: {CHANGED}"
            )
        return individuals

    def individual(self, run: int, number: int) -> IndividualRecord:
        """Return one individual of a run. Raises EvolveError where there is none of that number."""
        return self.individuals_by_number(run, [number])[number]

    def individuals_by_number(self, run: int, numbers: Iterable[int]) -> dict[int, IndividualRecord]:
        """Return individuals of a run by their numbers, in few queries. Raises EvolveError for an unknown number."""
        wanted = sorted(set(numbers))
        for number in wanted:
            if not 0 <= number < WHOLE_LIMIT:
                raise self._missing_individual(run, number)
        individuals: dict[int, IndividualRecord] = {}
        for begin in range(0, len(wanted), MAX_QUERY_SIZE):
            in_part = (INDIVIDUAL.c.run == run) & INDIVIDUAL.c.number.in_(wanted[begin : begin + MAX_QUERY_SIZE])
            rows = self._rows(select(INDIVIDUAL).where(in_part))
            individuals |= {
                record.number: record for record in (individual_of(row, f"{self.place}: run {run}") for row in rows)
            }
        for number in wanted:
            if number not in individuals:
                raise self._missing_individual(run, number)
        return individuals

    def parents(self, run: int, children: Iterable[IndividualRecord]) -> dict[int, IndividualRecord]:
        """Return the parents of individuals of a run, by the parents' numbers, in few queries.

        Raises EvolveError where one is missing, or not of an earlier generation than its child.
        """
        child_list = list(children)
        parents = self.individuals_by_number(run, (number for child in child_list for number in child.parents))
        for child in child_list:
            if late := [number for number in child.parents if parents[number].generation >= child.generation]:
                raise EvolveError(
                    f"{self.place}: run {run}: individual {child.number} of generation {child.generation} has a parent "
                    f"of generation {parents[late[0]].generation}, {late[0]}: {CHANGED}"
                )
        return parents

    def _missing_individual(self, run: int, number: int) -> EvolveError:
        """Return the error about a missing individual."""
        self.run(run)
        stored = self.generations(run)
        existing = f"it has 0 to {stored[-1].first + stored[-1].size - 1}" if stored else "it has none yet"
        return EvolveError(f"{self.place}: run {run} has no individual {number}; {existing}")

    def best(self, run: int, count: int = 1) -> list[IndividualRecord]:
        """Return the fittest valid individuals of a run, fittest first; of equally fit ones the earlier first."""
        has_best = (GENERATION.c.run == run) & GENERATION.c.best.is_not(None)
        generations = self._rows(
            select(GENERATION.c.generation).where(has_best).order_by(GENERATION.c.best.desc()).limit(count)
        )
        in_generations = (INDIVIDUAL.c.run == run) & INDIVIDUAL.c.generation.in_(
            [row["generation"] for row in generations]
        )
        valid = (INDIVIDUAL.c.marked == "") & INDIVIDUAL.c.fitness.is_not(None)
        order = (INDIVIDUAL.c.fitness.desc(), INDIVIDUAL.c.number)
        rows = self._rows(select(INDIVIDUAL).where(in_generations & valid).order_by(*order).limit(count))
        return [individual_of(row, f"{self.place}: run {run}") for row in rows]

    def _rows(self, query: Select[Any]) -> Sequence[Mapping[str, Any]]:
        with database_errors(self.place, self._engine.url), self._engine.connect() as connection:
            return cast("Sequence[Mapping[str, Any]]", connection.execute(query).mappings().all())


def now() -> str:
    """Return the time, in UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
