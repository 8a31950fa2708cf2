"""Commands that run the simulation, and that schedule other commands."""

from typing import TYPE_CHECKING

from gambol.errors import GambolError
from gambol.script.language.command import Definition, Values

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter


def _go(interp: "Interpreter", values: Values) -> None:
    interp.go(1 if values[0] is None else values[0])


def _alarm(interp: "Interpreter", values: Values) -> None:
    time, command = values
    interp.schedule(time, command)


def _timer(interp: "Interpreter", values: Values) -> None:
    duration, command = values
    interp.schedule(interp.spec.time + duration.value, command)


def _timerflush(interp: "Interpreter", values: Values) -> None:
    interp.run_due_alarms()


def _echo(interp: "Interpreter", values: Values) -> None:
    interp.print_line(values[0])


def _read(interp: "Interpreter", values: Values) -> None:
    raise GambolError("it must be a separate line, with the name of a file")


DEFINITIONS = (
    Definition(
        "go", "pictures:count?", "simulates for a number of pictures, each of iter frames; the default is 1", _go
    ),
    Definition("alarm", "time:number command:command", "executes a command at a time [s]", _alarm),
    Definition(
        "timer",
        "time:time command:command",
        "executes a command after a time [s]; in a motor program, after a fraction of its duration, such as *0.5",
        _timer,
    ),
    Definition("timerflush", "", "executes the commands of all alarms and timers that are due", _timerflush),
    Definition("!", "words:text", "prints the rest of the line", _echo),
    Definition("read", "file:file?", "inserts another script of the same folder", _read, is_extension=True),
)
