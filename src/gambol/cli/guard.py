"""Runs commands, and reports user errors, full disks and interrupts in one line."""

import errno
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from gambol.cli.console import print_error
from gambol.cli.interrupts import INTERRUPTED, exit_code, interruptible
from gambol.errors import GambolError

WRONG_INPUT = 2  # exit code, the same as click's

OPTION_NAMES = (
    (re.compile(r"leave_out=\['([^']*)'\]"), r"--leave-out \1"),
    (re.compile(r"\b(?:mend|fix_inertia)=True\b"), "--mend"),
)
"""Patterns of arguments in messages of readers and writers, and the command-line options that replace them."""

MAKE_ROOM = "make room, or write to another place"
OS_ERROR_HINTS = {
    errno.ENOSPC: f"the disk is full; {MAKE_ROOM}",
    errno.EDQUOT: f"your disk quota is full; {MAKE_ROOM}",
    errno.EFBIG: f"the file would exceed the largest file size allowed here; {MAKE_ROOM}",
    errno.EIO: "input/output error of the disk; write to another place",
    errno.EROFS: "the file system is read-only; write to another place",
    errno.EACCES: "permission denied; give another file, or change its permissions",
    errno.EPERM: "permission denied; give another file, or change its permissions",
    errno.ENAMETOOLONG: "the name is too long; give a shorter one",
    errno.ENOENT: "there is no such file; was it removed meanwhile?",
    errno.EEXIST: "a file of this name exists already; give another name",
    errno.ENOTDIR: "a folder of the path is a file; give another path",
    errno.EISDIR: "it is a folder; give a file",
    errno.ELOOP: "its symbolic links form a loop; give another file",
    errno.EMFILE: "too many files are open; allow more of them (ulimit -n)",
    errno.ENOMEM: "not enough memory; give less time, fewer lanes, or a smaller file",
}
"""Messages, with a remedy, for the operating-system errors that a user can fix."""


def run_command(work: Callable[[], int]) -> int:
    """Return the exit code of work(). On failure print the reason in one line and raise typer.Exit.

    Ctrl-C and SIGTERM raise KeyboardInterrupt in work(). Errors that a user cannot fix are raised unchanged.
    """
    try:
        with interruptible:
            return work()
    except GambolError as error:
        message, code = str(error), WRONG_INPUT
        for pattern, option in OPTION_NAMES:
            message = pattern.sub(option, message)
    except OSError as error:
        if error.errno not in OS_ERROR_HINTS:
            raise
        prefix = f'"{error.filename}": ' if error.filename else ""
        message, code = f"{prefix}{OS_ERROR_HINTS[error.errno]}", WRONG_INPUT
    except MemoryError:
        message, code = "not enough memory; give less time, fewer lanes, or a smaller file", WRONG_INPUT
    except KeyboardInterrupt as interrupt:
        message, code = "; ".join(filter(None, (INTERRUPTED, str(interrupt)))), exit_code()
    print_error(message)
    raise typer.Exit(code)


class CommandGroup(TyperGroup):
    """The group of all commands; reports usage errors in one line."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run the command given by args, and exit with its code; see TyperGroup."""
        words = sys.argv[1:] if args is None else list(args)
        try:
            if any("\0" in word for word in words):
                raise GambolError("an argument contains a null byte; leave it out")
            code = super().main(words, *rest, standalone_mode=False, **extra)
        except Exception as error:
            format_message = getattr(
                error, "format_message", None
            )  # of click's errors; some versions of Typer bundle click
            if format_message is None and not isinstance(error, GambolError):
                raise
            print_error(" ".join((format_message() if format_message else str(error)).split()))
            code = WRONG_INPUT
        sys.exit(code)
