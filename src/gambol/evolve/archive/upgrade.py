"""Upgrades of the tables of earlier versions: individuals stay the same, and new columns are computed from them.

Version 1 stored the distance between the two quartiles of a generation; version 2 stores the quartiles.
"""

from collections.abc import Callable

from sqlalchemy import Connection, select, text, update

from gambol.evolve.archive.columns import INDIVIDUAL_LIMIT, integer, number
from gambol.evolve.archive.records import stored_number, summary_of
from gambol.evolve.archive.schema import ARCHIVE_INFO, GENERATION, INDIVIDUAL


def upgrade(connection: Connection, schema: int) -> None:
    """Upgrade tables to the current version, unless another process has done so.

    connection: in a transaction that writes. schema: the version of the tables, a key of UPGRADES. Raises EvolveError
    for invalid values in columns.
    """
    # the row is locked: other processes wait, and then read the new version
    version_query = select(ARCHIVE_INFO.c.value).where(ARCHIVE_INFO.c.name == "schema").with_for_update()
    stored_version = int(connection.execute(version_query).scalar_one())
    while stored_version == schema and schema in UPGRADES:
        UPGRADES[schema](connection)
        schema = stored_version = schema + 1
        connection.execute(update(ARCHIVE_INFO).where(ARCHIVE_INFO.c.name == "schema").values(value=str(schema)))


def _add_quartiles(connection: Connection) -> None:
    """Replace the column spread by lower and upper, the quartiles of the valid fitness."""
    for change in ("ADD COLUMN lower DOUBLE PRECISION", "ADD COLUMN upper DOUBLE PRECISION", "DROP COLUMN spread"):
        connection.execute(text(f"ALTER TABLE {GENERATION.name} {change}"))
    valid = (INDIVIDUAL.c.marked == "") & INDIVIDUAL.c.fitness.is_not(None)
    columns = (GENERATION.c.run, GENERATION.c.generation, GENERATION.c.first, GENERATION.c.size)
    for run, generation, begin, count in connection.execute(select(*columns)).all():
        name = f"generation {generation} of run {run}"
        first, size = (
            integer(begin, f"{name}: first", limit=INDIVIDUAL_LIMIT),
            integer(count, f"{name}: size", 1, INDIVIDUAL_LIMIT),
        )
        in_generation = (INDIVIDUAL.c.run == run) & INDIVIDUAL.c.number.between(first, first + size - 1)
        fitness = connection.scalars(select(INDIVIDUAL.c.fitness).where(in_generation & valid)).all()
        summary = summary_of([number(value, f"a fitness of {name}") for value in fitness])
        this_generation = (GENERATION.c.run == run) & (GENERATION.c.generation == generation)
        quartiles = {name: stored_number(summary[name]) for name in ("lower", "upper")}
        connection.execute(update(GENERATION).where(this_generation).values(quartiles))


UPGRADES: dict[int, Callable[[Connection], None]] = {1: _add_quartiles}
"""Functions that upgrade tables to the next version, by the version that they start from."""
