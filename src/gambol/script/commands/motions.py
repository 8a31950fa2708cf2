"""Commands that let time pass, and that wait for their time."""

from typing import TYPE_CHECKING

from gambol.errors import GambolError
from gambol.script.language.row import Row, Values

if TYPE_CHECKING:
    from gambol.script.stage import Stage


def _go(stage: "Stage", values: Values) -> None:
    stage.go(1 if values[0] is None else values[0])


def _alarm(stage: "Stage", values: Values) -> None:
    time, command = values
    stage.wait(time, command)


def _timer(stage: "Stage", values: Values) -> None:
    span, command = values
    stage.wait(stage.setting.time + span.value, command)


def _timerflush(stage: "Stage", values: Values) -> None:
    stage.ring()


def _echo(stage: "Stage", values: Values) -> None:
    stage.say(values[0])


def _read(stage: "Stage", values: Values) -> None:
    raise GambolError("it stands on a line of its own, with the name of a file")


ROWS = (
    Row("go", "frames:count?", "simulates some frames, or one", _go),
    Row("alarm", "time:number command:command", "gives a command at a time [s]", _alarm),
    Row(
        "timer",
        "time:time command:command",
        "gives a command after a while [s]; in motor programs a part, as *0.5",
        _timer,
    ),
    Row("timerflush", "", "gives the commands of all alarms and timers that are due", _timerflush),
    Row("!", "words:text", "says the rest of the line", _echo),
    Row("read", "file:file?", "reads in another script of the same folder", _read, ours=True),
)
