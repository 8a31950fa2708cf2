"""Parsing the lines of a script into commands; every word is checked before any command is executed."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from gambol.script.commands import COMMANDS
from gambol.script.language.command import Argument, Command, Definition, Duration, TimedCommand
from gambol.script.language.lines import Line, ScriptError, warn

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
MAX_NUMBER, MIN_NUMBER = 1e12, 1e-15
"""Bounds of the magnitude of numbers other than 0, in SI units."""

MAX_DEPTH = 8  # levels of nested commands

PROGRAM_COMMANDS = ("motor", "timer", "!", "time")
"""The commands allowed in a motor program."""

NOT_NESTED = ("go", "read", "procom", "retcom", "dt", "iter", "setworld", "addworld", "setrootmatrix")
"""Commands that cannot be nested in an alarm or timer."""

MISPRINTS = {"address": "addroach"}
"""Misprints of the printed script [McKenna 1990, appendix C], and their corrections."""


class IncompleteError(ScriptError):
    """A script ends within a command of several lines."""


@dataclass(slots=True)
class Reader:
    """Reads the lines of a script. next_index: index of the next line. in_program: True inside a motor program."""

    lines: list[Line]
    next_index: int = 0
    in_program: bool = False

    def next_line(self, expected: str, where: str) -> Line:
        """Return the next line, and advance.

        expected: expected kind of line, for the error message. where: file and line of the command before.
        """
        if self.next_index >= len(self.lines):
            raise IncompleteError(f"{where}: the script ends where {expected} should follow")
        self.next_index += 1
        return self.lines[self.next_index - 1]


def parse_commands(lines: list[Line]) -> list[Command]:
    """Return the commands of a script. Raises ScriptError for a line that is not a valid command."""
    reader = Reader(lines)
    commands: list[Command] = []
    while reader.next_index < len(lines):
        line = reader.next_line("a command", "")
        commands.append(_parse_command(reader, line.text, line.where, 0))
    return commands


def _parse_command(reader: Reader, words: str, where: str, depth: int) -> Command:
    """Parse a command. where: file and line. depth: number of commands that contain it."""
    definition, rest = _find_definition(reader, words, where)
    if depth > MAX_DEPTH:
        raise ScriptError(f"{where}: commands are nested {depth} deep; at most {MAX_DEPTH} levels are allowed")
    if depth and definition.name in NOT_NESTED:
        raise ScriptError(f'{where}: "{definition.name}" must be a separate line; no alarm or timer can contain it')
    if reader.in_program and definition.name not in PROGRAM_COMMANDS:
        allowed = ", ".join(PROGRAM_COMMANDS)
        raise ScriptError(
            f'{where}: "{definition.name}" cannot be in a motor program; {allowed} can, and a line with . ends it'
        )
    return Command(definition, _parse_values(reader, definition, rest, where, depth), where)


def _find_definition(reader: Reader, words: str, where: str) -> tuple[Definition, str]:
    """Return the definition of the command at the beginning of a line, and the rest of the line."""
    if words.startswith("!"):
        echo = words[1:].strip()
        if reader.in_program and echo.split(" ")[0] in COMMANDS:
            warn(where, f'"{words}" looks like a command, but ! only echoes it')
        return COMMANDS["!"], echo
    name, _, rest = words.partition(" ")
    if name in MISPRINTS:
        warn(where, f'there is no command "{name}"; it is read as "{MISPRINTS[name]}"')
        name = MISPRINTS[name]
    if reader.in_program and name == "time" and any(word in COMMANDS for word in rest.split()[1:2]):
        warn(where, f'"time" takes no command; "{words}" is read as "timer"')
        name = "timer"
    if name not in COMMANDS:
        matches = get_close_matches(name, COMMANDS, n=1, cutoff=0.5)
        hint = f'did you mean "{matches[0]}"?' if matches else "the manual's page on scripts lists all commands"
        raise ScriptError(f'{where}: there is no command "{name[:40]}"; {hint}')
    return COMMANDS[name], rest


def _parse_values(reader: Reader, definition: Definition, rest: str, where: str, depth: int) -> tuple[Any, ...]:
    """Parse the arguments of a command."""
    words = rest.split()
    values: list[Any] = []
    for argument in definition.parse_arguments():
        if argument.kind in REST_PARSERS:
            values.append(REST_PARSERS[argument.kind](reader, definition, " ".join(words), where, depth))
            words = []
        elif argument.kind == "word" and argument.optional and (not words or words[0] not in argument.choices):
            values.append(None)
        elif words:
            values.append(_parse_value(reader, definition, argument, words.pop(0), where))
        elif argument.optional:
            values.append(None)
        else:
            raise ScriptError(
                f"{where}: {definition.name} needs a {argument.label} too; its form is: {definition.usage}"
            )
    if words:
        raise ScriptError(
            f'{where}: {definition.name} does not take "{words[0][:40]}"; its form is: {definition.usage}'
        )
    return tuple(values)


def _parse_value(reader: Reader, definition: Definition, argument: Argument, word: str, where: str) -> Any:
    """Parse one word as the value of an argument."""
    if argument.kind in ("name", "file"):
        return word
    if argument.kind == "word":
        return _parse_choice(definition, argument, word, where)
    if argument.kind == "time":
        return _parse_duration(reader, definition, word, where)
    number = _parse_number(definition, argument.label, word, where)
    if argument.kind == "count":
        if number != int(number) or number < 0.0:
            raise ScriptError(
                f'{where}: {definition.name}: {argument.label} is "{word}"; give a whole number, 0 or more'
            )
        return int(number)
    return number


def _parse_choice(definition: Definition, argument: Argument, word: str, where: str) -> str:
    if word not in argument.choices:
        matches = get_close_matches(word, argument.choices, n=1, cutoff=0.5)
        hint = f'did you mean "{matches[0]}"?' if matches else "it may be " + ", ".join(argument.choices)
        raise ScriptError(f'{where}: {definition.name}: {argument.label} cannot be "{word[:40]}"; {hint}')
    return word


def _parse_number(definition: Definition, label: str, word: str, where: str) -> float:
    value = float(word) if NUMBER.fullmatch(word) else math.nan
    if math.isnan(value):
        raise ScriptError(f'{where}: {definition.name}: {label} is "{word[:40]}"; it should be a number')
    if abs(value) > MAX_NUMBER or 0.0 < abs(value) < MIN_NUMBER:
        raise ScriptError(
            f"{where}: {definition.name}: {label} is {word[:40]}; numbers lie between {MIN_NUMBER} and {MAX_NUMBER}"
        )
    return value


def _parse_duration(reader: Reader, definition: Definition, word: str, where: str) -> Duration:
    """Parse a time: in a motor program a fraction of its duration, elsewhere seconds."""
    is_fraction = word.startswith("*")
    value = _parse_number(definition, "a time", word.removeprefix("*"), where)
    if is_fraction != reader.in_program:
        expected = "a part of the program's time, such as *0.5" if reader.in_program else "seconds, such as 0.05"
        raise ScriptError(f'{where}: {definition.name}: the time is "{word}"; give {expected}')
    if value < 0.0 or (is_fraction and value > 1.0):
        raise ScriptError(
            f'{where}: {definition.name}: the time is "{word}"; '
            f"it cannot be {'negative' if value < 0 else 'more than 1'}"
        )
    return Duration(value, is_fraction)


def _parse_text(reader: Reader, definition: Definition, rest: str, where: str, depth: int) -> str:
    return rest


def _parse_nested_command(reader: Reader, definition: Definition, rest: str, where: str, depth: int) -> Command:
    """Parse the nested command of an alarm or a timer."""
    if not rest:
        raise ScriptError(f"{where}: {definition.name} needs a command too; its form is: {definition.usage}")
    return _parse_command(reader, rest, where, depth + 1)


def _parse_program(
    reader: Reader, definition: Definition, rest: str, where: str, depth: int
) -> tuple[TimedCommand, ...]:
    """Parse the lines of a motor program, up to a line that contains only a dot."""
    if rest:
        raise ScriptError(
            f'{where}: {definition.name}: the commands begin on the next line; remove "{rest[:40]}" from this line'
        )
    timed_commands: list[TimedCommand] = []
    reader.in_program = True
    while (line := reader.next_line("the dot that ends this motor program", where)).text != ".":
        command, begins = _parse_command(reader, line.text, line.where, 0), 0.0
        while command.definition.name == "timer":
            delay, command = command.values
            begins += delay.value
        if begins > 1.0:
            raise ScriptError(f"{line.where}: timer: it begins after {begins:g} of the program's time; give 1 at most")
        timed_commands.append(TimedCommand(begins, command))
    reader.in_program = False
    return tuple(timed_commands)


def _parse_matrix(reader: Reader, definition: Definition, rest: str, where: str, depth: int) -> tuple[float, ...]:
    """Parse sixteen numbers, on this line or on four lines."""
    words = rest.split()
    while len(words) < 16:
        words += reader.next_line("a matrix of 16 numbers", where).text.split()
    if len(words) > 16:
        raise ScriptError(f"{where}: {definition.name} needs four lines of four numbers, not {len(words)}")
    return tuple(_parse_number(definition, "an entry", word, where) for word in words)


REST_PARSERS: dict[str, Callable[[Reader, Definition, str, str, int], Any]] = {
    "text": _parse_text,
    "command": _parse_nested_command,
    "program": _parse_program,
    "matrix": _parse_matrix,
}
"""Parsers, by kind, of arguments that take the rest of a line and possibly more lines."""
