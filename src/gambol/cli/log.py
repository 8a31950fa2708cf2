"""What the library logs while it works, such as what it compiles, shown on a command's console."""

import logging
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

Show = Callable[[str], None]


class ConsoleLog(logging.Handler):
    """A handler that prints warnings, and all else where nobody sees a bar: in a file or another program.

    in_bar: on a terminal, shows a message that is no warning in the bar of the work that is being done.
    """

    def __init__(self, console: Console) -> None:
        super().__init__()
        self.console = console
        self.in_bar: Show | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Show a message."""
        message = record.getMessage()
        if record.levelno >= logging.WARNING or not self.console.is_terminal:
            self.console.print(Text(message), soft_wrap=True)
        elif self.in_bar is not None:
            self.in_bar(message)


def shown_log(console: Console) -> ConsoleLog:
    """The only handler of what gambol logs from now on, on a console."""
    log = logging.getLogger("gambol")
    log.handlers = [handler := ConsoleLog(console)]
    log.setLevel(logging.INFO)
    log.propagate = False
    return handler
