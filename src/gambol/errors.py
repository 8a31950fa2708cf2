"""The exceptions that gambol raises for wrong input, and suggestions for misspelt names."""

import difflib
import re
from collections.abc import Iterable

CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters that a terminal would execute: C0 except newline, DEL, C1, and text-direction overrides."""

LONGEST = 2000  # characters of a message: a name or a number in a file may have millions
MOST_NAMES, LONGEST_NAME = 2000, 100  # names compared with an unknown name, and their length: comparing is slow
MOST_SHOWN = 30


class GambolError(ValueError):
    """Wrong input; the message names it, says where it is and what would be right.

    The middle of messages longer than 2000 characters is left out.
    """

    def __init__(self, message: str) -> None:
        half = LONGEST // 2
        super().__init__(message if len(message) <= LONGEST else f"{message[:half]} ... {message[-half:]}")


class FigureError(GambolError):
    """A figure that cannot exist: a missing parent, two links of one name, an inertia that no body can have."""


class WorldError(GambolError):
    """A world that cannot be run: a non-finite start, a tolerance that the precision cannot meet, a bad ground."""


class EvolveError(GambolError):
    """An impossible search, run or archive: no population, unknown settings, results of another search."""


class TraceError(TypeError):
    """Traced code used a traced value in an unsupported way, such as a branch on its truth value."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of an error message about an unknown name: the nearest known name, or all if none is near.

    Of very many or very long names, only the first are compared and shown.
    """
    names = list(known)
    compared = [other for other in names[:MOST_NAMES] if len(other) <= LONGEST_NAME]
    near = difflib.get_close_matches(name[: LONGEST_NAME + 1], compared, n=1, cutoff=0.5)
    if near:
        return f'did you mean "{near[0]}"?'
    if not names:
        return "there are none"
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return "there are: " + ", ".join(f'"{other[:LONGEST_NAME]}"' for other in names[:MOST_SHOWN]) + more


def printable(text: str) -> str:
    """Return a text without its control characters; newlines stay. For text from files."""
    return CONTROLS.sub("", text)
