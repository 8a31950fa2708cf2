"""Errors about figures, with the file and line that caused them."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import numpy as np

from gambol.errors import FigureError


@contextmanager
def located_errors(file: str, locations: Mapping[str, str], hints: Mapping[str, str] | None = None) -> Generator[None]:
    """Prefix each FigureError of a block with the location of the first known name that its message quotes.

    file: name of the file, the prefix if the message quotes no known name. locations: file and line of each known name.
    hints: text to append to a message, by a phrase of the message. Numeric overflow, division by zero and singular
    matrices in the block become FigureErrors too.
    """
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            yield
    except FigureError as error:
        message = str(error)
        location = next((locations[name] for name in re.findall(r'"([^"]*)"', message) if name in locations), file)
        hint = "".join(hint for phrase, hint in (hints or {}).items() if phrase in message)
        raise FigureError(f"{location}: {message}{hint}") from error
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise FigureError(f"{file}: its numbers are too large or too small for a figure") from error
