"""The one way in which commands end: errors that a user can cure, full disks and interrupts are told in a line."""

import errno
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from gambol.cli.console import tell_error
from gambol.cli.interrupts import INTERRUPTED, exit_code, interruptible
from gambol.errors import GambolError

WRONG_INPUT = 2  # exit code, as click has it

OPTIONS = ((re.compile(r"leave_out=\['([^']*)'\]"), r"--leave-out \1"), (re.compile(r"\bmend=True\b"), "--mend"))
"""How readers and writers tell a cure to a program, and how it is told to a user."""

FULL = "make room, or write to another place"
CURES = {
    errno.ENOSPC: f"the disk is full; {FULL}",
    errno.EDQUOT: f"the disk is full, as far as it is yours; {FULL}",
    errno.EFBIG: f"a file became larger than it may be here; {FULL}",
    errno.EIO: "the disk, or what stands for it, fails; write to another place",
    errno.EROFS: "what lies there can only be read; write to another place",
    errno.EACCES: "that is not allowed; give another file, or change who may use it",
    errno.EPERM: "that is not allowed; give another file, or change who may use it",
    errno.ENAMETOOLONG: "the name is too long; give a shorter one",
    errno.ENOENT: "there is no such file; was it removed meanwhile?",
    errno.EEXIST: "something else is there already; give another name",
    errno.ENOTDIR: "part of the path is a file; give one whose folders are folders",
    errno.EISDIR: "it is a folder; give a file",
    errno.ELOOP: "its links go in circles; give another file",
    errno.EMFILE: "too many files are open; allow more of them (ulimit -n)",
    errno.ENOMEM: "memory does not suffice; ask for less",
}
"""What a system says of places and means that a user can change, and what to do."""


def guarded(work: Callable[[], int]) -> int:
    """Return the exit code of some work. Raises typer.Exit where it fails, after one line that says why.

    Ctrl-C and SIGTERM raise KeyboardInterrupt while it works; what is not for a user to cure comes through.
    """
    try:
        with interruptible:
            return work()
    except GambolError as error:
        message, code = str(error), WRONG_INPUT
        for pattern, option in OPTIONS:
            message = pattern.sub(option, message)
    except OSError as error:
        if error.errno not in CURES:
            raise
        where = f'"{error.filename}": ' if error.filename else ""
        message, code = f"{where}{CURES[error.errno]}", WRONG_INPUT
    except MemoryError:
        message, code = "memory does not suffice; give less time, fewer lanes, or a smaller file", WRONG_INPUT
    except KeyboardInterrupt:
        message, code = INTERRUPTED, exit_code()
    tell_error(message)
    raise typer.Exit(code)


class Commands(TyperGroup):
    """The group of all commands; tells wrong words of the command line in one line."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run the command that some words name, and end the process; see TyperGroup."""
        words = sys.argv[1:] if args is None else list(args)
        try:
            if any("\0" in word for word in words):
                raise GambolError("no word of a command can hold a null byte; leave it out")
            code = super().main(words, *rest, standalone_mode=False, **extra)
        except Exception as error:
            told = getattr(error, "format_message", None)  # of click, which is part of some versions of Typer
            if told is None and not isinstance(error, GambolError):
                raise
            tell_error(" ".join((told() if told else str(error)).split()))
            code = WRONG_INPUT
        sys.exit(code)
