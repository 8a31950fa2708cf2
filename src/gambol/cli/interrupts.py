"""What Ctrl-C (SIGINT) and SIGTERM do: they end a command with one line, and with exit code 130 or 143 as in a shell.

While a command works, they raise KeyboardInterrupt, so that it can keep what was done. Before and after that there is
nothing to keep: the process ends at once.
"""

import os
import signal
import sys

TYPE_CHECKING = False  # that of typing takes time to import, in which Ctrl-C cannot yet be told in a line
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = "interrupted; files that were not yet written are as they were before"


class Terminated(KeyboardInterrupt):
    """SIGTERM has come; whoever heeds Ctrl-C heeds it too."""


class Interruptible:
    """The time in which signals raise KeyboardInterrupt; use it as a context, in the main thread.

    last: the signal that came last.
    """

    def __init__(self) -> None:
        self.working = False
        self.last = int(signal.SIGINT)

    def __enter__(self) -> None:
        self.working = True

    def __exit__(self, *_: object) -> None:
        self.working = False

    def receive(self, number: int, frame: "FrameType | None") -> None:
        """Handle a signal."""
        self.last = number
        if self.working:
            raise KeyboardInterrupt if number == signal.SIGINT else Terminated
        try:
            os.write(2, b"Error: interrupted\n")
        finally:
            os._exit(exit_code())


interruptible = Interruptible()
"""That of this process."""


def watch() -> None:
    """Handle SIGINT and SIGTERM from now on, unless whoever started this process had them ignored."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interruptible.receive)
    sys.unraisablehook = _unraisable


def exit_code() -> int:
    """The exit code of a command that a signal has ended: 130 for SIGINT, 143 for SIGTERM."""
    return 128 + interruptible.last


def terminated() -> bool:
    """Whether SIGTERM has come."""
    return interruptible.last == signal.SIGTERM


def _unraisable(problem: "sys.UnraisableHookArgs") -> None:
    """Send a signal again that came where Python could not raise an error, as in a destructor."""
    if not isinstance(problem.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(problem)
        return
    from threading import Timer, main_thread

    def again() -> None:
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(main_thread().ident or 0, interruptible.last)  # wakes it, too
        else:
            signal.raise_signal(interruptible.last)

    Timer(0.01, again).start()
