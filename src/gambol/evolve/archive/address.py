"""Addresses (URLs) of databases, and their printable form without passwords and other secrets."""

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, quote_plus

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from gambol.errors import EvolveError

MASK = "***"

LOCATION_PARAMETERS = ("host", "hostaddr", "port", "dbname", "service")
"""URL parameters that locate a database. The values of all other parameters are masked in printable()."""

UNAMBIGUOUS = re.compile(r"[^@?=&;%\s]*")
"""Matches a user, host or database name without separators.

If a password contains an @, / or ? that is not percent-encoded, its rest becomes part of such a name, with a separator.
"""

ADDRESS_WITHOUT_SLASHES = re.compile(
    r"\s*(postgres|postgresql|mysql|mariadb|oracle|mssql|sqlite)(\+\w+)?:|.*\b(ssl)?password\s*="
)
"""Matches a text without :// that is meant as a URL or as a connection string of libpq, not as a file."""

MIN_MASKED_LENGTH = 4
"""Minimum length of a single word of a secret that is masked. The complete secret is always masked."""


def parse_address(address: str | Path) -> URL:
    """Return the URL in a text with ://; any other text or path is a file of SQLite.

    Raises EvolveError for an invalid URL, and for a URL without ://. The error repeats at most the kind of database,
    since the text may contain a secret.
    """
    text = str(address)
    if isinstance(address, str) and "://" in text:
        try:
            return make_url(text)
        except (ArgumentError, ValueError):
            pass
        raise EvolveError(
            f"{_database_kind(text)}://{MASK} is not the address of a database; give KIND://USER@HOST:PORT/NAME"
        )
    if isinstance(address, str) and ADDRESS_WITHOUT_SLASHES.match(text) and not Path(text).is_file():
        raise EvolveError(
            "the archive is neither a file nor an address of a database; give a file, such as evolve.db, or an "
            "address such as postgresql+psycopg://USER@HOST/NAME"
        )
    return URL.create("sqlite", database=text)


def printable(address: str | Path | URL) -> str:
    """Return the location of a database without secrets: the path of a file, or a URL with masked values.

    Passwords and the values of parameters are replaced by ***, except for LOCATION_PARAMETERS. If another part may
    belong to a password, such as a host name with an @, everything after :// is masked.
    """
    try:
        url = address if isinstance(address, URL) else parse_address(address)
    except EvolveError:
        return f"{_database_kind(str(address))}://{MASK}"
    if url.get_backend_name() == "sqlite":
        return str(url.database or f"{url.drivername}://")
    if _is_ambiguous(url):
        return f"{url.drivername}://{MASK}"
    query = "&".join(
        f"{name}={quote(value, safe='/:,') if name in LOCATION_PARAMETERS else MASK}"
        for name, value in _parameters(url)
    )
    user = f"{quote(url.username, safe='')}{f':{MASK}' if url.password else ''}@" if url.username else ""
    host = f"[{url.host}]" if url.host and ":" in url.host else url.host or ""
    port = f":{url.port}" if url.port else ""
    name = f"/{url.database}" if url.database else "/" if query else ""
    return f"{url.drivername}://{user}{host}{port}{name}{f'?{query}' if query else ''}"


def mask_secrets(text: str, url: URL) -> str:
    """Return a text, such as a driver's error message, with all secrets of a URL masked."""
    if _is_ambiguous(url):
        return MASK
    secrets = _secrets(url)
    encodings = {form for secret in secrets for form in (secret, quote(secret), quote_plus(secret)) if form.strip()}
    for form in sorted(encodings, key=len, reverse=True):
        text = text.replace(form, MASK)
    words = {word for secret in secrets for word in re.findall(r"\w+", secret) if len(word) >= MIN_MASKED_LENGTH}
    for word in sorted(words, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(word)}\b", MASK, text)
    return text


def has_secrets(url: URL) -> bool:
    """Return True if a URL contains secrets; an exception about such a URL must not be shown unmasked."""
    return _is_ambiguous(url) or bool(_secrets(url))


def _secrets(url: URL) -> list[str]:
    """Return the password and the values of all parameters that do not locate the database."""
    values = [value for name, value in _parameters(url) if name not in LOCATION_PARAMETERS]
    return [*([str(url.password)] if url.password else []), *values]


def _is_ambiguous(url: URL) -> bool:
    """Return True if a name in a URL may contain the rest of a password: see UNAMBIGUOUS."""
    if url.get_backend_name() == "sqlite":
        return False
    locations: Iterable[str] = (value for name, value in _parameters(url) if name in LOCATION_PARAMETERS)
    return not all(
        UNAMBIGUOUS.fullmatch(part) for part in (url.username or "", url.host or "", url.database or "", *locations)
    )


def _parameters(url: URL) -> list[tuple[str, str]]:
    """Return the parameters of a URL as pairs of name and value, one pair for each value."""
    pairs = ((name, (value,) if isinstance(value, str) else value) for name, value in url.query.items())
    return [(name, value) for name, values in pairs for value in values]


def _database_kind(text: str) -> str:
    """Return the kind of database at the beginning of a text, such as postgresql, or DATABASE by default."""
    kind = text.partition(":")[0]
    return kind if re.fullmatch(r"[a-z][a-z0-9]*(\+[a-z0-9]+)?", kind) else "DATABASE"
