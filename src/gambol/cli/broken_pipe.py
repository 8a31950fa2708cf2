"""Output streams that tolerate a closed pipe: the command continues and writes its files."""

import os
import sys
from io import TextIOWrapper
from typing import Any, TextIO, cast


class BrokenPipeStream:
    """A text stream that discards its output after the reader, such as `head`, has closed the pipe."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text, or discard it if the pipe is broken; return its length."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._discard_rest()
            return len(text)

    def flush(self) -> None:
        """Flush the stream, or discard its output if the pipe is broken."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._discard_rest()

    def _discard_rest(self) -> None:
        """Redirect the stream, and the text still in its buffer, to the null device."""
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, self._stream.fileno())
        os.close(null_device)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def tolerate_broken_pipes() -> None:
    """Make standard output and standard error tolerate broken pipes and any text.

    Characters that cannot be encoded, such as in file names that are not Unicode, are written as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = cast(TextIO, BrokenPipeStream(sys.stdout)), cast(TextIO, BrokenPipeStream(sys.stderr))
