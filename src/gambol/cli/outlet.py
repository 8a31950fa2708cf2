"""Standard output that may be closed by whoever reads it: the command goes on, and writes its files."""

import os
import sys
from io import TextIOWrapper
from typing import Any, TextIO, cast


class Outlet:
    """A text stream that loses what is written once its reader has gone, as `head` does when it has seen enough."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text, or lose it."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._drain()
            return len(text)

    def flush(self) -> None:
        """Pass on what was written, or lose it."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._drain()

    def _drain(self) -> None:
        """Lead the stream to nowhere, with what it still holds."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def outlive_readers() -> None:
    """Let standard output and standard error be closed by those who read them; and let them take any text.

    Letters that they cannot encode, as in names of files that are no Unicode, are written as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = cast(TextIO, Outlet(sys.stdout)), cast(TextIO, Outlet(sys.stderr))
