"""Errors of databases, and what a person can do about them."""

from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from gambol.errors import EvolveError
from gambol.evolve.archive.address import has_secrets, mask_secrets

KEPT = "the generations stored before are whole"

FULL = f"the disk is full, so nothing of this generation was stored, and {KEPT}; make room and resume the run"
REFUSED = "it may not be written; ask for the permission, or give another place"
DAMAGED = "it is damaged; restore a copy, or save what can be read with `sqlite3 FILE .recover`"
INCOMPLETE = "its tables are not those of an archive of gambol, or damaged; restore a copy, or begin another archive"
UNREACHABLE = (
    "the database cannot be reached, or lets nobody in; see that it is up and that its address, its name, the user and "
    f"the password are right (of a run, {KEPT}, and it can be resumed)"
)
TAKEN = "that was stored by somebody else meanwhile; let only one process at a time go on with a run, then resume it"

CAUSES = {
    "SQLITE_NOTADB": "it is no SQLite database; give another file, or move this one away",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_FULL": FULL,
    "SQLITE_IOERR": f"reading or writing failed; see that the disk has room and is sound ({KEPT}), then resume the run",
    "SQLITE_CANTOPEN": "it cannot be opened; see that its folder exists and you may write there",
    "SQLITE_READONLY": REFUSED,
    "SQLITE_PERM": REFUSED,
    "SQLITE_BUSY": f"another process keeps it locked; wait until that is done ({KEPT}), then resume the run",
    "SQLITE_ERROR": INCOMPLETE,
    "53100": FULL,
    "53": f"the database is out of memory or connections ({KEPT}); free some, then resume the run",
    "42501": REFUSED,
    "25006": REFUSED,
    "42": INCOMPLETE,
    "XX": DAMAGED,
}
"""The message for an error, by the longest prefix of its code: names of SQLite's, SQLSTATEs of other databases'."""


@contextmanager
def database_errors(place: str, url: URL) -> Generator[None]:
    """Raise a database's errors as an EvolveError that says what happened, where, and what to do.

    place: for printing. url: the address, whose secrets are masked in the driver's message; drivers repeat parts of it,
    so where it has secrets the driver's own exception is not shown as the cause.
    """
    try:
        with _decoded(place):
            yield
    except SQLAlchemyError as error:
        raise EvolveError(f"{place}: {message(error, url)}") from (None if has_secrets(url) else error)


def message(error: SQLAlchemyError, url: URL) -> str:
    """Return the message about an error of a database, with the database's own words in one line."""
    if isinstance(error, DBAPIError):
        what = TAKEN if isinstance(error, IntegrityError) else answer(error)
        return f"{what} ({mask_secrets(first_line(error), url)})"
    return f"it cannot be used: {mask_secrets(str(error), url)}"


@contextmanager
def _decoded(place: str) -> Generator[None]:
    """Raise SQLite's errors about a damaged file, where they are not even text, as an EvolveError."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise EvolveError(f"{place}: {DAMAGED} ({error})") from error


def answer(error: DBAPIError) -> str:
    """Return the message about an error of a database."""
    code = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None) or ""
    if not code and "decode to UTF-8" in str(error.orig):
        return DAMAGED
    fitting = [known for known in CAUSES if code.startswith(known)]
    return CAUSES[max(fitting, key=len)] if fitting else UNREACHABLE


def first_line(error: DBAPIError) -> str:
    """Return the first line of the database's own message."""
    return str(error.orig).strip().partition("\n")[0]
