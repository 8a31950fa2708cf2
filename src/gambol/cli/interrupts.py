"""Handlers of Ctrl-C (SIGINT) and SIGTERM: they end a command with one line and exit code 130 or 143, as in a shell.

While a command works, they raise KeyboardInterrupt, so that the command can save its results. Before and after that
there is nothing to save, and the process exits at once.
"""

import os
import signal
import sys

TYPE_CHECKING = False  # importing it from typing takes time, in which Ctrl-C would print a traceback
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = "interrupted; files not yet written are unchanged"


class Terminated(KeyboardInterrupt):
    """Raised on SIGTERM; code that handles Ctrl-C also handles it."""


class Interruptible:
    """A context in which signals raise KeyboardInterrupt; for the main thread.

    working: True while a command works. last_signal: number of the latest signal.
    """

    def __init__(self) -> None:
        self.working = False
        self.last_signal = int(signal.SIGINT)

    def __enter__(self) -> None:
        self.working = True

    def __exit__(self, *_: object) -> None:
        self.working = False

    def receive(self, number: int, frame: "FrameType | None") -> None:
        """Handle a signal. number: number of the signal; frame: unused."""
        self.last_signal = number
        if self.working:
            raise KeyboardInterrupt if number == signal.SIGINT else Terminated
        try:
            os.write(2, b"Error: interrupted\n")
        finally:
            os._exit(exit_code())


interruptible = Interruptible()
"""The instance of this process."""


def handle_signals() -> None:
    """Install handlers of SIGINT and SIGTERM, except for signals that the parent process set to be ignored."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interruptible.receive)
    sys.unraisablehook = _handle_unraisable


def exit_code() -> int:
    """Return the exit code of an interrupted command: 130 for SIGINT, 143 for SIGTERM."""
    return 128 + interruptible.last_signal


def terminated() -> bool:
    """True if the latest signal was SIGTERM."""
    return interruptible.last_signal == signal.SIGTERM


def _handle_unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """Send a signal again 10 ms later, if it arrived where Python could not raise an error, such as in a destructor."""
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    from threading import Timer, main_thread

    def resend() -> None:
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(main_thread().ident or 0, interruptible.last_signal)  # also ends a blocking call
        else:
            signal.raise_signal(interruptible.last_signal)

    Timer(0.01, resend).start()
