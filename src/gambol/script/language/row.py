"""A row of the table of commands: its name, what it takes, what it does, and the function that does it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from gambol.script.stage import Stage

Values: TypeAlias = tuple[Any, ...]
"""What a command was given, one for each of its arguments; None where an optional one was left out."""

KINDS = ("name", "number", "count", "time", "file", "text", "command", "program", "matrix")
"""What an argument may be, besides one of a few words that are told apart by |."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: what it is called, its kind or the words it may be, and whether it may be left out."""

    label: str
    kind: str
    words: tuple[str, ...]
    optional: bool

    @staticmethod
    def read(text: str) -> "Argument":
        """An argument as written in a row: "axis:x|y|z", "angle:number", "mode:on|off?", or "body" for a name."""
        label, _, kind = text.removesuffix("?").partition(":")
        words = tuple(filter(None, kind.split("|"))) if "|" in kind else ()
        return Argument(label, "word" if words else kind or "name", words, text.endswith("?"))

    def __str__(self) -> str:
        shown = "|".join(self.words) if self.words else self.label
        return f"[{shown}]" if self.optional else shown


@dataclass(frozen=True, slots=True)
class Row:
    """A command of the language.

    name, arguments: as in a script, see Argument. does: in words, for the manual and for errors. act: does it to a
    stage. ours: whether gambol added it to those of [McKenna 1990, appendices C and D].
    """

    name: str
    arguments: str
    does: str
    act: "Callable[[Stage, Values], None]"
    ours: bool = False

    def takes(self) -> tuple[Argument, ...]:
        """Its arguments, in order."""
        return tuple(Argument.read(word) for word in self.arguments.split())

    @property
    def usage(self) -> str:
        """How it is written."""
        return " ".join([self.name, *map(str, self.takes())])


@dataclass(frozen=True, slots=True)
class Span:
    """A time as a script gives it: seconds, or (part) a part of the time that a motor program lasts."""

    value: float
    part: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command of one script, ready to be done; where: file and line."""

    row: Row
    values: Values
    where: str


@dataclass(frozen=True, slots=True)
class Planned:
    """A dump that a rehearsed script will have written: at which frame, and what it says."""

    frame: int
    about: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Timed:
    """A line of a motor program: a command, and the part of the program's time after which it is given."""

    begins: float
    command: Command
