"""The address of a database for printing: what locates the database, and none of its secrets."""

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, quote_plus

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from gambol.errors import EvolveError

MASK = "***"

LOCATING = ("host", "hostaddr", "port", "dbname", "service")
"""Parameters of an address that locate a database. The values of all others are masked."""

PLAIN = re.compile(r"[^@?=&;%\s]*")
"""A host or a database name that cannot be the rest of a password with an @ or a ? in it."""

MISTYPED = re.compile(r"\s*(postgres|postgresql|mysql|mariadb|oracle|mssql|sqlite)(\+\w+)?:|.*\b(ssl)?password\s*=")
"""Text without :// that was meant as an address or as a connection string of libpq, and is no file."""

SHORTEST_PIECE = 4
"""The length of the shortest part of a secret that is masked where it stands alone; a whole secret always is."""


def parse_address(where: str | Path) -> URL:
    """Return the address that a text with :// gives, or the address of a file of SQLite.

    Raises EvolveError, in which nothing of a text that is no address is repeated but the kind of its database.
    """
    text = str(where)
    if isinstance(where, str) and "://" in text:
        try:
            return make_url(text)
        except (ArgumentError, ValueError):
            pass
        raise EvolveError(f"{_kind(text)}://{MASK} is no address of a database; give KIND://USER@HOST:PORT/NAME")
    if isinstance(where, str) and MISTYPED.match(text) and not Path(text).is_file():
        raise EvolveError(
            "what was given is neither a file nor an address of a database; give a file, such as evolve.db, or an "
            "address such as postgresql+psycopg://USER@HOST/NAME"
        )
    return URL.create("sqlite", database=text)


def printable(where: str | Path | URL) -> str:
    """Return a database's location for printing: a file as it is; of an address its kind, user, host, port and name.

    Passwords and the values of parameters are replaced by ***, except for the parameters that locate the database.
    Where a part may belong to a password, such as a host name with an @, nothing is shown.
    """
    try:
        url = where if isinstance(where, URL) else parse_address(where)
    except EvolveError:
        return f"{_kind(str(where))}://{MASK}"
    if url.get_backend_name() == "sqlite":
        return str(url.database or f"{url.drivername}://")
    if _doubtful(url):
        return f"{url.drivername}://{MASK}"
    query = "&".join(
        f"{name}={quote(value, safe='/:,') if name in LOCATING else MASK}" for name, value in _parameters(url)
    )
    user = f"{quote(url.username, safe='')}{f':{MASK}' if url.password else ''}@" if url.username else ""
    host = f"[{url.host}]" if url.host and ":" in url.host else url.host or ""
    port = f":{url.port}" if url.port else ""
    name = f"/{url.database}" if url.database else "/" if query else ""
    return f"{url.drivername}://{user}{host}{port}{name}{f'?{query}' if query else ''}"


def mask_secrets(text: str, url: URL) -> str:
    """Return a text, such as a driver's error, with all secrets of an address masked."""
    if _doubtful(url):
        return MASK
    secrets = _secrets(url)
    whole = {form for secret in secrets for form in (secret, quote(secret), quote_plus(secret)) if form.strip()}
    for form in sorted(whole, key=len, reverse=True):
        text = text.replace(form, MASK)
    pieces = {piece for secret in secrets for piece in re.findall(r"\w+", secret) if len(piece) >= SHORTEST_PIECE}
    for piece in sorted(pieces, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(piece)}\b", MASK, text)
    return text


def has_secrets(url: URL) -> bool:
    """Return True where an address holds secrets, so that no exception about it may be shown whole."""
    return _doubtful(url) or bool(_secrets(url))


def _secrets(url: URL) -> list[str]:
    """Return the password and the values of all parameters that do not locate the database."""
    hidden = [value for name, value in _parameters(url) if name not in LOCATING]
    return [*([str(url.password)] if url.password else []), *hidden]


def _doubtful(url: URL) -> bool:
    """Return True where parts of an address may be the rest of a password that has an @ or a / in it."""
    if url.get_backend_name() == "sqlite":
        return False
    located: Iterable[str] = (value for name, value in _parameters(url) if name in LOCATING)
    return not all(PLAIN.fullmatch(part) for part in (url.username or "", url.host or "", url.database or "", *located))


def _parameters(url: URL) -> list[tuple[str, str]]:
    """Return names and values of an address's parameters, one pair for each value."""
    pairs = ((name, (value,) if isinstance(value, str) else value) for name, value in url.query.items())
    return [(name, value) for name, values in pairs for value in values]


def _kind(text: str) -> str:
    """Return the kind of database at the beginning of a text, or DATABASE where there is none."""
    kind = text.partition(":")[0]
    return kind if re.fullmatch(r"[a-z][a-z0-9]*(\+[a-z0-9]+)?", kind) else "DATABASE"
