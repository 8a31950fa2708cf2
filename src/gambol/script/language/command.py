"""Definitions of commands and their arguments, and the parsed commands of a script."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

Values: TypeAlias = tuple[Any, ...]
"""The values of a command's arguments, in order; None for an omitted optional one."""

KINDS = ("name", "number", "count", "time", "file", "text", "command", "program", "matrix")
"""The kinds of arguments. A further kind is a choice of words, separated by |."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument. label: its name in usage messages. kind: a key of KINDS, or "word". choices: the valid words."""

    label: str
    kind: str
    choices: tuple[str, ...]
    optional: bool

    @staticmethod
    def read(text: str) -> "Argument":
        """Parse a definition: "axis:x|y|z", "angle:number", "mode:on|off?" (optional), or "body" (a name)."""
        label, _, kind = text.removesuffix("?").partition(":")
        choices = tuple(filter(None, kind.split("|"))) if "|" in kind else ()
        return Argument(label, "word" if choices else kind or "name", choices, text.endswith("?"))

    def __str__(self) -> str:
        shown = "|".join(self.choices) if self.choices else self.label
        return f"[{shown}]" if self.optional else shown


NOT_IN_MOTION = (
    "!",
    "go",
    "alarm",
    "timer",
    "timerflush",
    "read",
    "help",
    "camera",
    "light",
    "graph",
    "color",
    "totalmass",
)
"""Commands that only print, draw, or execute others, besides those whose names begin with dump or end with status."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A command of the language.

    name: name of the command. arguments: definitions as for Argument.read, separated by spaces. description:
    description in the manual. act(interpreter, values): executes the command. is_extension: True if it is not in
    [McKenna 1990, appendix C or D].
    """

    name: str
    arguments: str
    description: str
    act: Callable[[Any, Values], None]
    is_extension: bool = False

    def parse_arguments(self) -> tuple[Argument, ...]:
        """Return the arguments of the command, in order."""
        return tuple(Argument.read(word) for word in self.arguments.split())

    @property
    def changes_motion(self) -> bool:
        """True for a command that may change the world or the state."""
        return not (self.name in NOT_IN_MOTION or self.name.startswith("dump") or self.name.endswith("status"))

    @property
    def usage(self) -> str:
        """The command with its arguments, as written in a script."""
        return " ".join([self.name, *map(str, self.parse_arguments())])


@dataclass(frozen=True, slots=True)
class Duration:
    """A time in a script. value: seconds or, if is_fraction, a fraction of the duration of a motor program."""

    value: float
    is_fraction: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A parsed command of a script. values: values of its arguments. where: file and line."""

    definition: Definition
    values: Values
    where: str


@dataclass(frozen=True, slots=True)
class PlannedDump:
    """A dump that a script will write, found by the dry run.

    frame: number of elapsed frames. content: content of the file.
    """

    frame: int
    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TimedCommand:
    """A command of a motor program. begins: fraction of the program's duration after which it is executed."""

    begins: float
    command: Command
