"""The consoles through which every command prints; they take control characters out of all that they are given."""

import re
import warnings
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from gambol.errors import printable

LONG = re.compile(r"(\S{60})\S{200,}(\S{20})")
"""A word that fills lines: what was given may be of any length."""


class PlainConsole(Console):
    """A console that prints text as it is, without markup, emoji codes or control characters.

    Names come from files: a terminal must not obey what is in them. The console's own colours and cursor movements
    are no text of its segments, so they stay.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of something to be printed, their text without control characters."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text), style, control)


def output() -> Console:
    """The console of what was asked for: standard output."""
    return PlainConsole()


def errors() -> Console:
    """The console of progress, warnings and errors: standard error."""
    return PlainConsole(stderr=True)


def tell_error(message: str) -> None:
    """Print an error in one line; of words that fill lines, only the beginning and the end."""
    errors().print(Text.assemble(("Error: ", "bold red"), LONG.sub(r"\1...\2", message)), soft_wrap=True)


def tell_warnings() -> None:
    """Let warnings that no command collects be printed as notes to a user, not as lines of code."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        errors().print(Text.assemble(("Warning: ", "bold yellow"), str(message)), soft_wrap=True)

    warnings.showwarning = show
