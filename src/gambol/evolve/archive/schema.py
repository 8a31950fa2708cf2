"""The tables of an archive: runs, their generations, and every evaluated individual.

Nested data (genotypes, terms, settings) stand in columns of text as JSON, because text is the one type that every
database gives back to the last digit. A number that is not finite is NULL there and null in JSON.
"""

from sqlalchemy import BigInteger, Column, Double, ForeignKey, ForeignKeyConstraint, Integer, MetaData, Table, Text

SCHEMA = 2
"""Version of these tables. It goes up whenever what is below changes its meaning, even by one column: then
upgrade.py learns to bring the last one here."""

TABLES = MetaData()

ABOUT = Table(
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
    Column("seed", Text, nullable=False),  # as digits: a seed may be larger than any integer of a database
    Column("versions", Text, nullable=False),
    Column("made", Text, nullable=False),
)

GENERATION = Table(
    "gambol_generation",
    TABLES,
    Column("run", Integer, ForeignKey(RUN.c.id), primary_key=True),
    Column("generation", Integer, primary_key=True, autoincrement=False),
    Column("first", BigInteger, nullable=False),  # the number of its first individual; the others follow it
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

CLOCKED = ("made", "seconds")
"""Columns with times and durations: all others are the same however often a run was interrupted and resumed."""
