"""Opening of a database: its URL, the pragmas that keep it consistent, and the check that it is an archive."""

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
from gambol.evolve.archive.schema import ARCHIVE_INFO, SCHEMA_VERSION, TABLES
from gambol.evolve.archive.upgrade import UPGRADES, upgrade

BUSY_TIMEOUT_MS = 30_000
"""The time that a process waits for another that writes to the file [ms]; storing a generation takes about 30 ms."""

CHECKPOINT_PAGES = 4000
"""The number of pages (4 kB) in the write-ahead log at which SQLite moves them to the file: about 30 generations.

Moving pages is slow, so it must be rare.
"""

INVALID_PARAMETERS = "its parameters cannot be used; see the names and values after the ? of the address"

MEMORY = ":memory:"
"""SQLite's name of a database that is not in a file."""


def url_of(address: str | Path) -> URL:
    """Return the URL of a database: of a file of SQLite, or of any database that SQLAlchemy supports.

    Raises EvolveError for an invalid URL, and for a path at which no file can be.
    """
    url = parse_address(address)
    if url.get_backend_name() == "sqlite":
        _check_file(url)
    return url


def _check_file(url: URL) -> None:
    """Raise EvolveError for a URL with a path that cannot be a file of SQLite."""
    name = url.database or ""
    path = Path(name)
    if not name or name == MEMORY:
        shown_name = "sqlite://" if url.database is None else name
        raise EvolveError(
            f'"{shown_name}" is not the name of a file, so the archive would be lost; give one, such as evolve.db'
        )
    if path.is_dir():
        raise EvolveError(f"{path}: it is a folder; name a file in it, such as {path / 'evolve.db'}")
    if not path.parent.is_dir():
        raise EvolveError(f"{path}: the folder {path.parent} does not exist; make it first")


def engine_of(url: URL) -> Engine:
    """Return the SQLAlchemy engine of a database. Raises EvolveError if its driver is missing or rejects the URL."""
    try:
        engine = create_engine(_read_only_url(url), pool_pre_ping=True)
    except NoSuchModuleError:
        raise EvolveError(
            f"{url.drivername}: SQLAlchemy knows no such database; take sqlite or postgresql+psycopg, without plugin="
        ) from None  # the text of the error may repeat secrets
    except ModuleNotFoundError as error:
        raise EvolveError(f"{url.drivername}: the package {error.name} is missing; pip install {error.name}") from error
    except (ArgumentError, TypeError, ValueError):
        raise EvolveError(f"{printable(url)}: {INVALID_PARAMETERS}") from None  # as above
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin_transaction)
    return engine


def _read_only_url(url: URL) -> URL:
    """Return the URL that opens a file as immutable, if its folder is not writable; else the same URL.

    Readers of SQLite write files beside the database, unless it is immutable. Readers of an immutable file skip the log
    of another writer, so a file with a log keeps its URL.
    """
    path = Path(url.database or "")
    log = path.with_name(f"{path.name}-wal") if path.name else path
    writable = os.access(path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    if url.get_backend_name() != "sqlite" or writable or not path.is_file() or (log.exists() and log.stat().st_size):
        return url
    return url.set(database=f"file:{quote(str(path.absolute()))}", query={"immutable": "1", "uri": "true"})


def write_engine(engine: Engine) -> Engine:
    """Return the engine for transactions that write: SQLite locks the file when they begin, not at the first write."""
    return engine.execution_options(writes=True)


def prepare(engine: Engine, location: str, gambol: str, create: bool) -> None:
    """Check that a database is an archive of this version; upgrade a database of an earlier version.

    engine: engine of the database. location: name of the database in errors. gambol: version of this library, for
    errors. create: True to make an empty database into an archive. Raises EvolveError if the database is not an archive
    of a known version.
    """
    with database_errors(location, engine.url), engine.connect() as connection:
        names = inspect(connection).get_table_names()
    if ARCHIVE_INFO.name not in names and not create:
        problem = f'it is a database of something else (it has "{names[0]}")' if names else "it is empty"
        raise EvolveError(
            f"{location}: {problem}; begin a run there, as with `gambol evolve --db`, or give another place"
        )
    if ARCHIVE_INFO.name not in names:
        with database_errors(location, engine.url), write_engine(engine).begin() as connection:
            _create_tables(connection, gambol, location)
    if engine.url.get_backend_name() == "sqlite":
        with database_errors(location, engine.url), engine.connect() as connection:
            driver: Any = connection.connection.dbapi_connection  # this pragma must be outside of any transaction
            with suppress(sqlite3.Error):  # a file that must not be written can still be read
                driver.execute("PRAGMA journal_mode = WAL")  # readers and a writer do not block each other
    info = _read_info(engine, location)
    if info.get("schema", "none") in map(str, UPGRADES):
        upgrade_location = (
            f"{location}, whose tables of version {info['schema']} are to be brought to version {SCHEMA_VERSION}"
        )
        try:
            with database_errors(upgrade_location, engine.url), write_engine(engine).begin() as connection:
                upgrade(connection, int(info["schema"]))
        except EvolveError as error:
            raise error if str(error).startswith(location) else EvolveError(f"{upgrade_location}: {error}") from error
        info = _read_info(engine, location)
    if info.get("schema") != str(SCHEMA_VERSION):
        raise EvolveError(
            f"{location}: its tables are of version {info.get('schema', 'none')}, made by gambol "
            f"{info.get('gambol', '?')}, "
            f"and this gambol ({gambol}) reads version {SCHEMA_VERSION}; use that gambol, or begin another archive"
        )


def _read_info(engine: Engine, location: str) -> dict[str, str]:
    """Return the versions of schema and library that an archive was created with."""
    with database_errors(location, engine.url), engine.connect() as connection:
        return {row.name: row.value for row in connection.execute(select(ARCHIVE_INFO))}


def _create_tables(connection: Connection, gambol: str, location: str) -> None:
    """Create the tables of an archive in one transaction, unless another process has done so."""
    names = inspect(connection).get_table_names()
    if ARCHIVE_INFO.name in names:
        return
    if names and connection.dialect.name == "sqlite":
        raise EvolveError(f'{location}: it is a database of something else (it has "{names[0]}"); give another file')
    TABLES.create_all(connection)
    connection.execute(
        insert(ARCHIVE_INFO), [{"name": "schema", "value": str(SCHEMA_VERSION)}, {"name": "gambol", "value": gambol}]
    )


def _set_pragmas(connection: Any, _record: Any) -> None:
    """Set the pragmas of a new connection: SQLAlchemy begins transactions, and they wait for other writers.

    Commits do not wait for the disk ("NORMAL"). Committed data survives if the process is killed at any time; a power
    failure may lose the last generations, but leaves the file consistent.
    """
    connection.isolation_level = None
    pragmas = {
        "busy_timeout": BUSY_TIMEOUT_MS,
        "synchronous": "NORMAL",
        "wal_autocheckpoint": CHECKPOINT_PAGES,
        "foreign_keys": "ON",
    }
    for name, value in pragmas.items():
        connection.execute(f"PRAGMA {name} = {value}")


def _begin_transaction(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")
