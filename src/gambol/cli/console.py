"""The consoles through which every command prints. They remove control characters from the text."""

import re
import warnings
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from gambol.errors import printable

LONG_WORD = re.compile(r"(\S{60})\S{200,}(\S{20})")
"""Matches a word that would fill several lines; errors show its beginning and end only."""


class PlainConsole(Console):
    """A console that prints text literally: without markup, emoji codes or control characters.

    Names come from files, and a terminal must not execute control sequences in them. The console's own colours and
    cursor movements are control segments, not text, so they stay.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Return the segments of a renderable object, with control characters removed from their text."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text), style, control)


def output_console() -> Console:
    """Return the console for results, which writes to standard output."""
    return PlainConsole()


def error_console() -> Console:
    """Return the console for progress, warnings and errors, which writes to standard error."""
    return PlainConsole(stderr=True)


def print_error(message: str) -> None:
    """Print an error in one line; very long words are shortened to their beginning and end."""
    error_console().print(Text.assemble(("Error: ", "bold red"), LONG_WORD.sub(r"\1...\2", message)), soft_wrap=True)


def print_warnings() -> None:
    """Print Python's warnings as one line for the user, without the line of code that issued them."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        error_console().print(Text.assemble(("Warning: ", "bold yellow"), str(message)), soft_wrap=True)

    warnings.showwarning = show
