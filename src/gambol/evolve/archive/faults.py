"""Messages about errors of databases, with advice for the user."""

from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from gambol.errors import EvolveError
from gambol.evolve.archive.address import has_secrets, mask_secrets

EARLIER_INTACT = "all generations stored before are intact"

DISK_FULL = (
    f"the disk is full, so nothing of this generation was stored, and {EARLIER_INTACT}; make room and resume the run"
)
NO_WRITE_PERMISSION = "it is not writable; ask for write permission, or give another location"
DAMAGED = "it is damaged; restore a copy, or save what can be read with `sqlite3 FILE .recover`"
INCOMPLETE = "its tables are not those of an archive of gambol, or damaged; restore a copy, or begin another archive"
UNREACHABLE = (
    "the database cannot be reached, or refuses the connection; see that it runs and that its address, name, user and "
    f"password are right ({EARLIER_INTACT}, and a run can be resumed)"
)
ALREADY_STORED = (
    "another process has stored this meanwhile; let only one process at a time continue a run, then resume it"
)

CAUSES = {
    "SQLITE_NOTADB": "it is not an SQLite database; give another file, or move this one away",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_FULL": DISK_FULL,
    "SQLITE_IOERR": (
        f"reading or writing failed; see that the disk has room and is sound ({EARLIER_INTACT}), then resume the run"
    ),
    "SQLITE_CANTOPEN": "it cannot be opened; see that its folder exists and you may write there",
    "SQLITE_READONLY": NO_WRITE_PERMISSION,
    "SQLITE_PERM": NO_WRITE_PERMISSION,
    "SQLITE_BUSY": f"another process keeps it locked; wait until that is done ({EARLIER_INTACT}), then resume the run",
    "SQLITE_ERROR": INCOMPLETE,
    "53100": DISK_FULL,
    "53": f"the database is out of memory or connections ({EARLIER_INTACT}); free some, then resume the run",
    "42501": NO_WRITE_PERMISSION,
    "25006": NO_WRITE_PERMISSION,
    "42": INCOMPLETE,
    "XX": DAMAGED,
}
"""The message about an error, by the longest matching prefix of its code: SQLite's error name, or the SQLSTATE."""


@contextmanager
def database_errors(location: str, url: URL) -> Generator[None]:
    """Re-raise errors of a database as EvolveError: what happened, where, and what to do.

    location: location of the database, for printing. url: url of the database; its secrets are masked in the driver's
    message. A driver may repeat parts of the URL, so its own exception is chained only if the URL has no secrets.
    """
    try:
        with _catch_decode_errors(location):
            yield
    except SQLAlchemyError as error:
        raise EvolveError(f"{location}: {message(error, url)}") from (None if has_secrets(url) else error)


def message(error: SQLAlchemyError, url: URL) -> str:
    """Return the message about an error: an explanation, then the first line of the driver's own message, masked."""
    if isinstance(error, DBAPIError):
        cause = ALREADY_STORED if isinstance(error, IntegrityError) else explanation(error)
        return f"{cause} ({mask_secrets(first_line(error), url)})"
    return f"it cannot be used: {mask_secrets(str(error), url)}"


@contextmanager
def _catch_decode_errors(location: str) -> Generator[None]:
    """Re-raise UnicodeDecodeError as EvolveError: SQLite's message about a damaged file may be invalid UTF-8."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise EvolveError(f"{location}: {DAMAGED} ({error})") from error


def explanation(error: DBAPIError) -> str:
    """Return the cause of an error and what to do, by the code of the error.

    psycopg gives no code when the connection fails, so an error without a code, or with one that is not in CAUSES,
    counts as UNREACHABLE. The exception is text in a damaged file that is not UTF-8: sqlite3 gives no code for it.
    """
    code = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None) or ""
    if not code and "decode to UTF-8" in str(error.orig):
        return DAMAGED
    prefixes = [prefix for prefix in CAUSES if code.startswith(prefix)]
    return CAUSES[max(prefixes, key=len)] if prefixes else UNREACHABLE


def first_line(error: DBAPIError) -> str:
    """Return the first line of the driver's message."""
    return str(error.orig).strip().partition("\n")[0]
