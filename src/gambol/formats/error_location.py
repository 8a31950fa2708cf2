"""Errors about figures, with the file and line that caused them."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import numpy as np

from gambol.errors import FigureError


@contextmanager
def located_errors(file: str, places: Mapping[str, str], hints: Mapping[str, str] | None = None) -> Generator[None]:
    """Raise the FigureErrors of a block again with a location: that of the first known name that the message quotes.

    file: name of the file, the location for unknown names. places: file and line by name. hints: text to append to a
    message, by a phrase that the message contains. Numeric overflow inside the block becomes a FigureError too.
    """
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            yield
    except FigureError as error:
        message = str(error)
        location = next((places[name] for name in re.findall(r'"([^"]*)"', message) if name in places), file)
        hint = "".join(hint for phrase, hint in (hints or {}).items() if phrase in message)
        raise FigureError(f"{location}: {message}{hint}") from error
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise FigureError(f"{file}: its numbers are too large or too small to make a figure of") from error
