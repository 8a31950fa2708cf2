"""The log messages and warnings of the library, shown on the console of a command."""

import logging
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

ShowInBar = Callable[[str | None, float | None], None]
"""The type of ConsoleLog.show_in_bar."""


class ConsoleLog(logging.Handler):
    """A log handler that prints warnings, and also progress messages if the console is not a terminal.

    show_in_bar(activity, seconds): on a terminal, shows the current activity and its expected duration [s] in the
    progress bar; either may be None.
    """

    def __init__(self, console: Console) -> None:
        super().__init__()
        self.console = console
        self.show_in_bar: ShowInBar | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Show a message."""
        message, seconds = record.getMessage(), getattr(record, "seconds", None)
        activity = message if record.levelno == logging.INFO else None
        if record.levelno >= logging.WARNING or (activity and not self.console.is_terminal):
            self.console.print(Text(message), soft_wrap=True)
        if self.show_in_bar is not None:
            self.show_in_bar(activity, seconds)


def log_to(console: Console) -> ConsoleLog:
    """Send all log messages of gambol to a console, through a new handler, and return the handler."""
    log = logging.getLogger("gambol")
    log.handlers = [handler := ConsoleLog(console)]
    log.setLevel(logging.DEBUG)
    log.propagate = False
    return handler


@contextmanager
def collected_warnings() -> Generator[list[str]]:
    """Yield a list. The warnings of the block are added to it, and are not printed."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            yield notes
        finally:
            notes += [str(w.message) for w in caught if issubclass(w.category, UserWarning)]
