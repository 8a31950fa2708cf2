"""Definitions of commands, their arguments, and the commands of a script."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter

Values: TypeAlias = tuple[Any, ...]
"""The values of a command's arguments, in order; None for an optional one that was left out."""

KINDS = ("name", "number", "count", "time", "file", "text", "command", "program", "matrix")
"""The kinds of arguments, besides a choice of words separated by |."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument. label: its name in usage messages. kind: in KINDS, or "word". choices: of a word."""

    label: str
    kind: str
    choices: tuple[str, ...]
    optional: bool

    @staticmethod
    def read(text: str) -> "Argument":
        """Return the argument of a text: "axis:x|y|z", "angle:number", "mode:on|off?", or "body" for a name."""
        label, _, kind = text.removesuffix("?").partition(":")
        choices = tuple(filter(None, kind.split("|"))) if "|" in kind else ()
        return Argument(label, "word" if choices else kind or "name", choices, text.endswith("?"))

    def __str__(self) -> str:
        shown = "|".join(self.choices) if self.choices else self.label
        return f"[{shown}]" if self.optional else shown


@dataclass(frozen=True, slots=True)
class Definition:
    """A command of the language.

    name: of the command. arguments: in the notation of Argument.read. description: for the manual. act: executes it in
    an interpreter. is_extension: True where it is not in [McKenna 1990, appendices C and D].
    """

    name: str
    arguments: str
    description: str
    act: "Callable[[Interpreter, Values], None]"
    is_extension: bool = False

    def parse_arguments(self) -> tuple[Argument, ...]:
        """Return its arguments, in order."""
        return tuple(Argument.read(word) for word in self.arguments.split())

    @property
    def usage(self) -> str:
        """The command with its arguments, as written in a script."""
        return " ".join([self.name, *map(str, self.parse_arguments())])


@dataclass(frozen=True, slots=True)
class Duration:
    """A time in a script: seconds, or with is_fraction a fraction of the time of a motor program."""

    value: float
    is_fraction: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A parsed command of a script. where: file and line."""

    definition: Definition
    values: Values
    where: str


@dataclass(frozen=True, slots=True)
class PlannedDump:
    """A dump that a script will write, as known from the dry run. frame: at which; content: of the file."""

    frame: int
    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TimedCommand:
    """A command of a motor program. begins: fraction of the program's time after which it is executed."""

    begins: float
    command: Command
