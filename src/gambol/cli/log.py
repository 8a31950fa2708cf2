"""What the library logs while it works, such as what it compiles, shown on a command's console."""

import logging
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

InBar = Callable[[str | None, float | None], None]


class ConsoleLog(logging.Handler):
    """A handler that prints warnings, and what is going on where nobody sees a bar: in a file or another program.

    in_bar: on a terminal, shows in the bar of the work that is being done what is going on, and how long it is expected
    to take [s]; either may be None.
    """

    def __init__(self, console: Console) -> None:
        super().__init__()
        self.console = console
        self.in_bar: InBar | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Show a message."""
        message, seconds = record.getMessage(), getattr(record, "seconds", None)
        going_on = message if record.levelno == logging.INFO else None
        if record.levelno >= logging.WARNING or (going_on and not self.console.is_terminal):
            self.console.print(Text(message), soft_wrap=True)
        if self.in_bar is not None:
            self.in_bar(going_on, seconds)


def shown_log(console: Console) -> ConsoleLog:
    """Make a handler on a console the only one of what gambol logs from now on, and return it."""
    log = logging.getLogger("gambol")
    log.handlers = [handler := ConsoleLog(console)]
    log.setLevel(logging.DEBUG)
    log.propagate = False
    return handler
