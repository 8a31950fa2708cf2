"""The one family of errors that gambol raises at its border, and how they name what was probably meant."""

import difflib
import re
from collections.abc import Iterable

CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""C0 but newlines, DEL, C1, and what overrides the direction of a text: a terminal would obey these."""

LONGEST = 2000  # characters of a message: a name or a number in a file may have millions
MOST_NAMES, LONGEST_NAME = 2000, 100  # that are compared with a name, which takes long
MOST_SHOWN = 30


class GambolError(ValueError):
    """Something the caller gave cannot be used; the message names it, says where it is and what would be right.

    Of messages longer than 2000 characters the middle is left out.
    """

    def __init__(self, message: str) -> None:
        half = LONGEST // 2
        super().__init__(message if len(message) <= LONGEST else f"{message[:half]} ... {message[-half:]}")


class FigureError(GambolError):
    """A figure that cannot exist: a missing parent, two links of one name, an inertia that no body can have."""


class WorldError(GambolError):
    """A world that cannot be run: a non-finite start, a tolerance that the precision cannot meet, a bad ground."""


class EvolveError(GambolError):
    """A search, a run or an archive that cannot be: no population, unknown settings, results of another search."""


class TraceError(TypeError):
    """Code that was being traced did what a traced value cannot do, such as asking it for its truth."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error about an unknown name: the nearest known one, or all of them when none is near.

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
    """Return a text, which may come from a file, without its control characters; newlines stay."""
    return CONTROLS.sub("", text)
