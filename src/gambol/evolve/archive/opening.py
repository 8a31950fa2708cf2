"""Opening a database: its address, pragmas that keep it consistent, and the check that it is an archive."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from gambol.errors import EvolveError
from gambol.evolve.archive.address import parse_address, printable
from gambol.evolve.archive.faults import database_errors
from gambol.evolve.archive.schema import ABOUT, SCHEMA, TABLES
from gambol.evolve.archive.upgrade import UPGRADES, upgrade

WAIT = 30_000
"""How long a process waits for others that write to the same file [ms]: a thousand times what a generation takes."""

LOG = 4000
"""Pages of 4 kB in SQLite's log before they are moved to the file, which waits for the disk: some 30 generations."""

PARAMETERS = "its parameters cannot be used; see the names and values after the ? of the address"

MEMORY = ":memory:"
"""SQLite's name of a database that is in no file."""


def url_of(where: str | Path) -> URL:
    """Return the address of a database: a file of SQLite, or any that SQLAlchemy supports.

    Raises EvolveError for what is neither.
    """
    url = parse_address(where)
    if url.get_backend_name() == "sqlite":
        _check_file(url)
    return url


def _check_file(url: URL) -> None:
    """Raise EvolveError where no file of SQLite could be."""
    name = url.database or ""
    path = Path(name)
    if not name or name == MEMORY:
        given = "sqlite://" if url.database is None else name
        raise EvolveError(f'"{given}" names no file, so nothing would be kept; name one, such as evolve.db')
    if path.is_dir():
        raise EvolveError(f"{path}: it is a folder; name a file in it, such as {path / 'evolve.db'}")
    if not path.parent.is_dir():
        raise EvolveError(f"{path}: the folder {path.parent} does not exist; make it first")


def engine_of(url: URL) -> Engine:
    """Return connections to a database, made when needed. Raises EvolveError when a package for it is not installed."""
    try:
        engine = create_engine(_readable(url), pool_pre_ping=True)
    except NoSuchModuleError:
        raise EvolveError(
            f"{url.drivername}: SQLAlchemy knows no such database; take sqlite or postgresql+psycopg, without plugin="
        ) from None  # its text may hold what stands in the address
    except ModuleNotFoundError as error:
        raise EvolveError(f"{url.drivername}: the package {error.name} is missing; pip install {error.name}") from error
    except (ArgumentError, TypeError, ValueError):
        raise EvolveError(f"{printable(url)}: {PARAMETERS}") from None  # its text may hold what stands in the address
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin_transaction)
    return engine


def _readable(url: URL) -> URL:
    """Return the address for reading a file in a folder without write permission: immutable, without files beside it.

    Otherwise SQLite would refuse, for its readers write there. A log of another writer must not be left out.
    """
    path = Path(url.database or "")
    log = path.with_name(f"{path.name}-wal") if path.name else path
    free = os.access(path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    if url.get_backend_name() != "sqlite" or free or not path.is_file() or (log.exists() and log.stat().st_size):
        return url
    return url.set(database=f"file:{quote(str(path.absolute()))}", query={"immutable": "1", "uri": "true"})


def writing(engine: Engine) -> Engine:
    """Return the same connections for transactions that write: SQLite takes the writers' lock when these begin."""
    return engine.execution_options(writes=True)


def prepare(engine: Engine, place: str, gambol: str, make: bool) -> None:
    """Check that a database is an archive of this version, or upgrade an earlier one.

    engine: of the database. place: its name in errors. gambol: its version, for errors about another schema. make: True
    where an empty database is made into an archive. Raises EvolveError for everything else.
    """
    with database_errors(place, engine.url), engine.connect() as connection:
        names = inspect(connection).get_table_names()
    if ABOUT.name not in names and not make:
        what = f'it is a database of something else (it has "{names[0]}")' if names else "it is empty"
        raise EvolveError(f"{place}: {what}; begin a run there, as with `gambol evolve --db`, or give another place")
    if ABOUT.name not in names:
        with database_errors(place, engine.url), writing(engine).begin() as connection:
            _make(connection, gambol, place)
    if engine.url.get_backend_name() == "sqlite":
        with database_errors(place, engine.url), engine.connect() as connection:
            driver: Any = connection.connection.dbapi_connection  # outside any transaction, as this must be
            with suppress(sqlite3.Error):  # one that may not be written can be read as it is
                driver.execute("PRAGMA journal_mode = WAL")  # readers and a writer do not wait for each other
    about = _about(engine, place)
    if about.get("schema", "none") in map(str, UPGRADES):
        what = f"{place}, whose tables of version {about['schema']} are to be brought to version {SCHEMA}"
        try:
            with database_errors(what, engine.url), writing(engine).begin() as connection:
                upgrade(connection, int(about["schema"]))
        except EvolveError as error:
            raise error if str(error).startswith(place) else EvolveError(f"{what}: {error}") from error
        about = _about(engine, place)
    if about.get("schema") != str(SCHEMA):
        raise EvolveError(
            f"{place}: its tables are of version {about.get('schema', 'none')}, made by gambol "
            f"{about.get('gambol', '?')}, "
            f"and this gambol ({gambol}) knows version {SCHEMA}; use that gambol, or begin another archive"
        )


def _about(engine: Engine, place: str) -> dict[str, str]:
    """Return an archive's description of itself."""
    with database_errors(place, engine.url), engine.connect() as connection:
        return {row.name: row.value for row in connection.execute(select(ABOUT))}


def _make(connection: Connection, gambol: str, place: str) -> None:
    """Make the tables, all in one transaction, unless another process was faster."""
    names = inspect(connection).get_table_names()
    if ABOUT.name in names:
        return
    if names and connection.dialect.name == "sqlite":
        raise EvolveError(f'{place}: it is a database of something else (it has "{names[0]}"); give another file')
    TABLES.create_all(connection)
    connection.execute(insert(ABOUT), [{"name": "schema", "value": str(SCHEMA)}, {"name": "gambol", "value": gambol}])


def _set_pragmas(connection: Any, _record: Any) -> None:
    """Let SQLAlchemy begin transactions, and wait for other writers.

    Commits do not wait for the disk ("NORMAL"): what is committed outlives a process killed at any moment, but a power
    failure may take the last generations with it; the file is consistent in any case.
    """
    connection.isolation_level = None
    pragmas = {"busy_timeout": WAIT, "synchronous": "NORMAL", "wal_autocheckpoint": LOG, "foreign_keys": "ON"}
    for name, value in pragmas.items():
        connection.execute(f"PRAGMA {name} = {value}")


def _begin_transaction(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")
