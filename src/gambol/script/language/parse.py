"""From the lines of a script to its commands: every word is checked before any of them is done."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from gambol.script.commands import COMMANDS
from gambol.script.language.lines import Line, ScriptError, warn
from gambol.script.language.row import Argument, Command, Row, Span, Timed

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
LARGEST, SMALLEST = 1e12, 1e-15
"""Bounds of numbers but 0: nothing in metres, kilograms and seconds that walks is told by others."""

DEEPEST = 8  # commands inside commands

IN_PROGRAMS = ("motor", "timer", "!", "time")
"""What a motor program may consist of."""

ON_ITS_OWN = ("go", "read", "procom", "retcom", "dt", "iter", "setworld", "addworld", "setrootmatrix")
"""Commands that no alarm can give."""

MEANT = {"address": "addroach"}
"""Slips of the printed script [McKenna 1990, appendix C]: what it says, and what it means."""


@dataclass(slots=True)
class Reader:
    """The lines of a script, and the one that comes next; program: whether they are those of a motor program."""

    lines: list[Line]
    next: int = 0
    program: bool = False

    def line(self, what: str, where: str) -> Line:
        """The next line; what: it should be, for the error where there is none."""
        if self.next >= len(self.lines):
            raise ScriptError(f"{where}: the script ends where {what} should follow")
        self.next += 1
        return self.lines[self.next - 1]


def parsed(lines: list[Line]) -> list[Command]:
    """The commands of a script. Raises ScriptError for what is none."""
    reader = Reader(lines)
    commands: list[Command] = []
    while reader.next < len(lines):
        line = reader.line("a command", "")
        commands.append(_command(reader, line.words, line.where, 0))
    return commands


def _command(reader: Reader, words: str, where: str, depth: int) -> Command:
    """One command; depth: how many others it stands in."""
    row, rest = _row(reader, words, where)
    if depth > DEEPEST:
        raise ScriptError(f"{where}: commands stand inside each other {depth} deep; {DEEPEST} may")
    if depth and row.name in ON_ITS_OWN:
        raise ScriptError(f'{where}: "{row.name}" stands on a line of its own; no alarm or timer can give it')
    if reader.program and row.name not in IN_PROGRAMS:
        allowed = ", ".join(IN_PROGRAMS)
        raise ScriptError(
            f'{where}: "{row.name}" cannot stand in a motor program; there may be {allowed}, and . ends it'
        )
    return Command(row, _values(reader, row, rest, where, depth), where)


def _row(reader: Reader, words: str, where: str) -> tuple[Row, str]:
    """The command that a line begins with, and the rest of the line."""
    if words.startswith("!"):
        echo = words[1:].strip()
        if reader.program and echo.split(" ")[0] in COMMANDS:
            warn(where, f'"{words}" looks like a command, but ! only echoes it')
        return COMMANDS["!"], echo
    name, _, rest = words.partition(" ")
    if name in MEANT:
        warn(where, f'there is no command "{name}"; it is read as "{MEANT[name]}"')
        name = MEANT[name]
    if reader.program and name == "time" and any(word in COMMANDS for word in rest.split()[1:2]):
        warn(where, f'"time" takes no command; "{words}" is read as "timer"')
        name = "timer"
    if name not in COMMANDS:
        near = get_close_matches(name, COMMANDS, n=1, cutoff=0.5)
        cure = f'did you mean "{near[0]}"?' if near else "the manual's page on scripts lists all commands"
        raise ScriptError(f'{where}: there is no command "{name[:40]}"; {cure}')
    return COMMANDS[name], rest


def _values(reader: Reader, row: Row, rest: str, where: str, depth: int) -> tuple[Any, ...]:
    """What a command was given, as its row asks for."""
    words = rest.split()
    values: list[Any] = []
    for argument in row.takes():
        if argument.kind in WHOLE:
            values.append(WHOLE[argument.kind](reader, row, " ".join(words), where, depth))
            words = []
        elif argument.kind == "word" and argument.optional and (not words or words[0] not in argument.words):
            values.append(None)
        elif words:
            values.append(_value(reader, row, argument, words.pop(0), where))
        elif argument.optional:
            values.append(None)
        else:
            raise ScriptError(f"{where}: {row.name} wants a {argument.label} too; it is written: {row.usage}")
    if words:
        raise ScriptError(f'{where}: {row.name} does not take "{words[0][:40]}"; it is written: {row.usage}')
    return tuple(values)


def _value(reader: Reader, row: Row, argument: Argument, word: str, where: str) -> Any:
    """One word as the argument that it is."""
    if argument.kind in ("name", "file"):
        return word
    if argument.kind == "word":
        return _among(row, argument, word, where)
    if argument.kind == "time":
        return _span(reader, row, word, where)
    number = _number(row, argument.label, word, where)
    if argument.kind == "count":
        if number != int(number) or number < 0.0:
            raise ScriptError(f'{where}: {row.name}: {argument.label} is "{word}"; give a whole number, 0 or more')
        return int(number)
    return number


def _among(row: Row, argument: Argument, word: str, where: str) -> str:
    if word not in argument.words:
        near = get_close_matches(word, argument.words, n=1, cutoff=0.5)
        cure = f'did you mean "{near[0]}"?' if near else "it may be " + ", ".join(argument.words)
        raise ScriptError(f'{where}: {row.name}: {argument.label} cannot be "{word[:40]}"; {cure}')
    return word


def _number(row: Row, label: str, word: str, where: str) -> float:
    value = float(word) if NUMBER.fullmatch(word) else math.nan
    if math.isnan(value):
        raise ScriptError(f'{where}: {row.name}: {label} is "{word[:40]}"; it should be a number')
    if abs(value) > LARGEST or 0.0 < abs(value) < SMALLEST:
        raise ScriptError(f"{where}: {row.name}: {label} is {word[:40]}; numbers lie between {SMALLEST} and {LARGEST}")
    return value


def _span(reader: Reader, row: Row, word: str, where: str) -> Span:
    """A time: seconds outside of motor programs, and a part of the program's time in them."""
    part = word.startswith("*")
    value = _number(row, "a time", word.removeprefix("*"), where)
    if part != reader.program:
        wanted = "a part of the program's time, such as *0.5" if reader.program else "seconds, such as 0.05"
        raise ScriptError(f'{where}: {row.name}: the time is "{word}"; give {wanted}')
    if value < 0.0 or (part and value > 1.0):
        raise ScriptError(
            f'{where}: {row.name}: the time is "{word}"; it cannot be {"negative" if value < 0 else "more"}'
        )
    return Span(value, part)


def _text(reader: Reader, row: Row, rest: str, where: str, depth: int) -> str:
    return rest


def _inner(reader: Reader, row: Row, rest: str, where: str, depth: int) -> Command:
    """The command that an alarm or a timer gives."""
    if not rest:
        raise ScriptError(f"{where}: {row.name} wants a command too; it is written: {row.usage}")
    return _command(reader, rest, where, depth + 1)


def _program(reader: Reader, row: Row, rest: str, where: str, depth: int) -> tuple[Timed, ...]:
    """The lines of a motor program, up to a line that is only a dot."""
    if rest:
        raise ScriptError(f'{where}: {row.name}: the commands begin on the next line; "{rest[:40]}" cannot stand here')
    timed: list[Timed] = []
    reader.program = True
    while (line := reader.line("the dot that ends this motor program", where)).words != ".":
        command, begins = _command(reader, line.words, line.where, 0), 0.0
        while command.row.name == "timer":
            span, command = command.values
            begins += span.value
        if begins > 1.0:
            raise ScriptError(f"{line.where}: timer: after {begins:g} of its time the program is over; give 1 at most")
        timed.append(Timed(begins, command))
    reader.program = False
    return tuple(timed)


def _matrix(reader: Reader, row: Row, rest: str, where: str, depth: int) -> tuple[float, ...]:
    """Sixteen numbers, on this line or on four lines."""
    words = rest.split()
    while len(words) < 16:
        words += reader.line("a matrix of 16 numbers", where).words.split()
    if len(words) > 16:
        raise ScriptError(f"{where}: {row.name} wants four lines of four numbers, not {len(words)}")
    return tuple(_number(row, "an entry", word, where) for word in words)


WHOLE: dict[str, Callable[[Reader, Row, str, str, int], Any]] = {
    "text": _text,
    "command": _inner,
    "program": _program,
    "matrix": _matrix,
}
"""Arguments that take all that is left of a line, and maybe lines after it."""
