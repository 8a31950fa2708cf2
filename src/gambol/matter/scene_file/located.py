"""Errors of a table in a figure file, with file and line."""

from collections.abc import Generator
from contextlib import contextmanager

from gambol.errors import GambolError, WorldError
from gambol.formats import Table


@contextmanager
def located(row: Table) -> Generator[None]:
    """Add the file and the line of a table to the errors of a block, unless the message already contains a location."""
    try:
        yield
    except GambolError as error:
        file = row.where.partition(": ")[0]
        if str(error).startswith(file):
            raise
        raise WorldError(f"{row.location()}: {error}") from error
