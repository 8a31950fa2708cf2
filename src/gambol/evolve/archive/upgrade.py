"""Upgrades of the tables of an earlier gambol: no individual changes, and new columns are computed from them.

Version 1 stored the distance between the quartiles of a generation; version 2 stores both.
"""

from collections.abc import Callable

from sqlalchemy import Connection, select, text, update

from gambol.evolve.archive.columns import INDIVIDUAL_LIMIT, number, whole
from gambol.evolve.archive.records import stored_number
from gambol.evolve.archive.schema import ABOUT, GENERATION, INDIVIDUAL
from gambol.evolve.archive.summary import summary_of


def upgrade(connection: Connection, schema: int) -> None:
    """Upgrade tables from one version to the last, in a transaction that writes, unless another process did so.

    schema: the version, one of those in UPGRADES. Raises EvolveError for invalid values in columns.
    """
    about = (
        select(ABOUT.c.value).where(ABOUT.c.name == "schema").with_for_update()
    )  # other processes wait, and then find the new version
    stored = int(connection.execute(about).scalar_one())
    while stored == schema and schema in UPGRADES:
        UPGRADES[schema](connection)
        schema = stored = schema + 1
        connection.execute(update(ABOUT).where(ABOUT.c.name == "schema").values(value=str(schema)))


def _with_quartiles(connection: Connection) -> None:
    for change in ("ADD COLUMN lower DOUBLE PRECISION", "ADD COLUMN upper DOUBLE PRECISION", "DROP COLUMN spread"):
        connection.execute(text(f"ALTER TABLE {GENERATION.name} {change}"))
    valid = (INDIVIDUAL.c.marked == "") & INDIVIDUAL.c.fitness.is_not(None)
    columns = (GENERATION.c.run, GENERATION.c.generation, GENERATION.c.first, GENERATION.c.size)
    for run, generation, begin, count in connection.execute(select(*columns)).all():
        name = f"generation {generation} of run {run}"
        first, size = (
            whole(begin, f"{name}: first", below=INDIVIDUAL_LIMIT),
            whole(count, f"{name}: size", 1, INDIVIDUAL_LIMIT),
        )
        in_generation = (INDIVIDUAL.c.run == run) & INDIVIDUAL.c.number.between(first, first + size - 1)
        fitness = connection.scalars(select(INDIVIDUAL.c.fitness).where(in_generation & valid)).all()
        summary = summary_of([number(value, f"a fitness of {name}") for value in fitness])
        this_generation = (GENERATION.c.run == run) & (GENERATION.c.generation == generation)
        quartiles = {name: stored_number(summary[name]) for name in ("lower", "upper")}
        connection.execute(update(GENERATION).where(this_generation).values(quartiles))


UPGRADES: dict[int, Callable[[Connection], None]] = {1: _with_quartiles}
"""The functions that upgrade tables of a version to the next one."""
