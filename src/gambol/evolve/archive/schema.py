"""The tables of an archive: runs, their generations, and every evaluated individual.

Nested data (genotypes, terms, settings) is stored as JSON in columns of text, since text is the only type that every
database returns exactly. A number that is not finite is stored as NULL in a column and as null in JSON.
"""

from sqlalchemy import BigInteger, Column, Double, ForeignKey, ForeignKeyConstraint, Integer, MetaData, Table, Text

SCHEMA_VERSION = 2
"""The version of these tables. Increase it whenever the meaning of any column below changes, and add an upgrade from
the previous version to upgrade.py."""

TABLES = MetaData()

ARCHIVE_INFO = Table(
    "gambol_archive",
    TABLES,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

RUN = Table(
    "gambol_run",
    TABLES,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("settings", Text, nullable=False),
    Column("seed", Text, nullable=False),  # in digits: a seed may exceed the range of integers in a database
    Column("versions", Text, nullable=False),
    Column("made", Text, nullable=False),
)

GENERATION = Table(
    "gambol_generation",
    TABLES,
    Column("run", Integer, ForeignKey(RUN.c.id), primary_key=True),
    Column("generation", Integer, primary_key=True, autoincrement=False),
    Column("first", BigInteger, nullable=False),  # the number of its first individual; all others have the next numbers
    Column("size", Integer, nullable=False),
    Column("best", Double),
    Column("median", Double),
    Column("lower", Double),
    Column("upper", Double),
    Column("digest", Text, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("made", Text, nullable=False),
)

INDIVIDUAL = Table(
    "gambol_individual",
    TABLES,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("generation", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("parents", Text, nullable=False),
    Column("origin", Text, nullable=False),
    Column("strategy", Text, nullable=False),
    Column("genotype", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("fitness", Double),
    Column("terms", Text, nullable=False),
    Column("behaviour", Text, nullable=False),
    Column("marked", Text, nullable=False),
    ForeignKeyConstraint(["run", "generation"], [GENERATION.c.run, GENERATION.c.generation]),
)

TIME_COLUMNS = ("made", "seconds")
"""Columns with times and durations; all others are the same in a run that was interrupted and resumed."""
