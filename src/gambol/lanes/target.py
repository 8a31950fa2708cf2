"""The interface of targets: the machines for which programs are compiled."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from gambol.lanes.ops import Precision
from gambol.lanes.trace import Body

Entry = Callable[[Any, Any, int, int], None]
"""An entry point: entry(arrays, tables, first, last) computes the blocks first to last - 1.

arrays: address, bytes per row and bytes per block of each array, inputs before outputs. tables: address and length of
each table. Both are ctypes arrays of 64-bit integers.
"""


class ObjectError(Exception):
    """An object file is incomplete, or does not belong to a program."""


class Target(Protocol):
    """A machine for which programs are compiled."""

    @property
    def vector_bytes(self) -> int:
        """The size of its largest vector registers [bytes]."""
        ...

    @property
    def key(self) -> tuple[Any, ...]:
        """The parts of a program's key in the object cache besides its text, such as the processor."""
        ...

    def text(self, body: Body, precision: Precision, lanes: int, rows: tuple[Sequence[int], Sequence[int]]) -> str:
        """Return the text of a program, such as assembly.

        body: the traced program. lanes: worlds per instruction. rows: the number of rows of each input, and of each
        output.
        """
        ...

    def object_code(self, text: str, name: str, reason: str) -> bytes:
        """Compile the text of a program to object code.

        name: name of the program; reason: the reason for its size; both are for messages. Raises GambolError if the
        program cannot be compiled.
        """
        ...

    def load(self, code: bytes) -> tuple[Entry, Any]:
        """Return the entry point of object code, and an object that must stay alive with it. Raises ObjectError."""
        ...

    def run_with_stack(self, entries: Sequence[Entry], work: Callable[[Sequence[Entry]], None]) -> None:
        """Run a function that calls entry points many times, in a thread with enough stack memory for all of them.

        entries: the entry points. work: takes the entry points to call, and calls them in the thread that it runs in.
        """
        ...
