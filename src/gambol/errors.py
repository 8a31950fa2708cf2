"""The exceptions that gambol raises for wrong input, and suggestions for misspelt names."""

import difflib
import re
from collections.abc import Iterable

CONTROL_CHARACTERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters that a terminal would execute: C0 except newline, DEL, C1, and text-direction overrides."""

MAX_MESSAGE_LENGTH = 2000  # characters: a name or a number in a file may have millions
MAX_COMPARED_NAMES, MAX_NAME_LENGTH = 2000, 100  # of known names: comparing is slow
MAX_SHOWN_NAMES = 30


class GambolError(ValueError):
    """Wrong input. The message says what is wrong, where, and what would be valid.

    The middle of messages longer than 2000 characters is left out.
    """

    def __init__(self, message: str) -> None:
        half = MAX_MESSAGE_LENGTH // 2
        super().__init__(message if len(message) <= MAX_MESSAGE_LENGTH else f"{message[:half]} ... {message[-half:]}")


class FigureError(GambolError):
    """An impossible figure: a missing parent, two links with one name, an impossible inertia."""


class WorldError(GambolError):
    """A world that cannot be run: a non-finite initial state, a tolerance below the precision, an invalid ground."""


class EvolveError(GambolError):
    """An invalid search, run or archive: no population, unknown settings, results of another search."""


class PlanError(GambolError):
    """An impossible plan: goals out of order or reach, contradictory phases, degrees of freedom without constraint."""


class TraceError(TypeError):
    """Traced code used a traced value in an unsupported way, such as a branch on its truth value."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of an error message about an unknown name: the nearest known name, or all if none is near.

    name: the unknown name. known: the valid names; only the first 2000 are compared, and only the first 30 shown.
    """
    names = list(known)
    compared = [other for other in names[:MAX_COMPARED_NAMES] if len(other) <= MAX_NAME_LENGTH]
    near = difflib.get_close_matches(name[: MAX_NAME_LENGTH + 1], compared, n=1, cutoff=0.5)
    if near:
        return f'did you mean "{near[0]}"?'
    if not names:
        return "there are none"
    more = f" and {len(names) - MAX_SHOWN_NAMES} more" if len(names) > MAX_SHOWN_NAMES else ""
    return "there are: " + ", ".join(f'"{other[:MAX_NAME_LENGTH]}"' for other in names[:MAX_SHOWN_NAMES]) + more


def printable(text: str) -> str:
    """Return a text without its control characters; newlines stay. It is for texts from files."""
    return CONTROL_CHARACTERS.sub("", text)
