"""Errors about figures, told with the place in the file that is to blame."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import numpy as np

from gambol.errors import FigureError


@contextmanager
def blamed(file: str, places: Mapping[str, str], cures: Mapping[str, str] | None = None) -> Generator[None]:
    """Raise errors of what is made inside with their place: where the first thing stands that the error has in quotes.

    places: file and line of things, by name; the file alone is told for others. cures: what to add to an error that has
    some words. Numbers so large or small that nothing can be made of them are a FigureError, too.
    """
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            yield
    except FigureError as error:
        message = str(error)
        named = next((places[name] for name in re.findall(r'"([^"]*)"', message) if name in places), file)
        cure = "".join(cure for words, cure in (cures or {}).items() if words in message)
        raise FigureError(f"{named}: {message}{cure}") from error
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise FigureError(f"{file}: its numbers are too large or too small to make a figure of") from error
