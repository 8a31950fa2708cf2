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
    interp.say(values[0])


def _read(interp: "Interpreter", values: Values) -> None:
    raise GambolError("it stands on a line of its own, with the name of a file")


DEFINITIONS = (
    Definition("go", "frames:count?", "simulates some frames, or one", _go),
    Definition("alarm", "time:number command:command", "runs a command at a time [s]", _alarm),
    Definition(
        "timer",
        "time:time command:command",
        "runs a command after a time [s]; in motor programs after a part of their time, such as *0.5",
        _timer,
    ),
    Definition("timerflush", "", "runs the commands of all alarms and timers that are due", _timerflush),
    Definition("!", "words:text", "prints the rest of the line", _echo),
    Definition("read", "file:file?", "reads in another script of the same folder", _read, is_extension=True),
)
