"""Commands of the gait: its times and speeds, the legs' motor programs, and their reflexes."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gambol.control import STEP
from gambol.errors import GambolError, did_you_mean
from gambol.script import carry
from gambol.script.language.lines import ScriptError
from gambol.script.language.row import Row, Timed, Values
from gambol.script.walker import Walker

if TYPE_CHECKING:
    from gambol.script.stage import Stage

MOST_LEGS = 100
"""Legs are numbered from 0; a millipede may have so many."""


def _addroach(stage: "Stage", values: Values) -> None:
    corpus = stage.setting.corpus(values[0])
    stage.walker = stage.walkers[corpus.name] = Walker(corpus)


def _setroach(stage: "Stage", values: Values) -> None:
    corpus = stage.setting.corpus(values[0])
    if corpus.name not in stage.walkers:
        raise GambolError(f'corpus "{corpus.name}" has no gait yet; make one by addroach')
    stage.walker = stage.walkers[corpus.name]


def _positive(what: str, value: float) -> float:
    if value <= 0.0:
        raise GambolError(f"{what} is {value:g} s; give more than 0")
    return value


def _metabolism(stage: "Stage", values: Values) -> None:
    walker = stage.walking()
    walker.protraction = walker.retraction = walker.delay = _positive("the time of a step", values[0])


def _prottime(stage: "Stage", values: Values) -> None:
    stage.walking().protraction = _positive("the time of a step", values[0])


def _rettime(stage: "Stage", values: Values) -> None:
    stage.walking().retraction = _positive("the time of a stance", values[0])


def _cycletime(stage: "Stage", values: Values) -> None:
    walker = stage.walking()
    if values[0] <= walker.protraction:
        raise GambolError(f"a cycle of {values[0]:g} s ends before a step of {walker.protraction:g} s; give more")
    walker.retraction = values[0] - walker.protraction


def _dlegtime(stage: "Stage", values: Values) -> None:
    if values[0] < 0.0:
        raise GambolError(f"a delay of {values[0]:g} s cannot be; give 0 or more")
    stage.walking().delay = values[0]


def _factor(value: float) -> float:
    if value < 1.0:
        raise GambolError(f"a speed factor of {value:g} is faster than the tripod gait; give 1 or more")
    return value


def _speed(stage: "Stage", values: Values) -> None:
    stage.walking().speed = _factor(values[0])


def _deltaspeed(stage: "Stage", values: Values) -> None:
    stage.walking().delta = values[0]


def _incrspeed(stage: "Stage", values: Values) -> None:
    walker = stage.walking()
    walker.speed = min(max(walker.speed - walker.delta, walker.top), max(walker.bottom, walker.top))


def _topspeed(stage: "Stage", values: Values) -> None:
    stage.walking().top = _factor(values[0])


def _bottomspeed(stage: "Stage", values: Values) -> None:
    stage.walking().bottom = _factor(values[0])


def _gaitgo(stage: "Stage", values: Values) -> None:
    stage.walking().began = stage.setting.time


def _gaitinit(stage: "Stage", values: Values) -> None:
    walker = stage.walking()
    if walker.corpus.ready:
        stage.edit(walker.corpus, carry.stand)


def _leg_number(number: int) -> int:
    if number >= MOST_LEGS:
        raise GambolError(f"there is no leg {number}; legs are 0 (front left), 1 (front right) and so on, below 100")
    return number


def _check(stage: "Stage", timed: tuple[Timed, ...]) -> tuple[Timed, ...]:
    """The program, once all joints that it moves are known to have springs."""
    corpus = stage.walking().corpus
    for line in timed:
        if line.command.row.name == "motor":
            name, where = line.command.values[0], line.command.where
            if name not in corpus.bodies:
                cure = did_you_mean(name, corpus.bodies)
                raise ScriptError(f'{where}: motor: corpus "{corpus.name}" has no body "{name}"; {cure}')
            if corpus.body(name).spring() is None:
                raise ScriptError(f'{where}: motor: the joint of "{name}" has no spring whose rest angle can be moved')
    return timed


def _procom(stage: "Stage", values: Values) -> None:
    number, timed = values
    stage.walking().programs(_leg_number(number)).step = _check(stage, timed)


def _retcom(stage: "Stage", values: Values) -> None:
    number, timed = values
    stage.walking().programs(_leg_number(number)).stance = _check(stage, timed)


def _stepreflex(stage: "Stage", values: Values) -> None:
    stage.walking().step_reflex = values[0] == "on"


def _loadreflex(stage: "Stage", values: Values) -> None:
    stage.walking().load_reflex = values[0] == "on"


def _legstepreflex(stage: "Stage", values: Values) -> None:
    number, body, angle, direction = values
    walker = stage.walking()
    name = walker.corpus.body(body).name
    programs = walker.programs(_leg_number(number))
    programs.bends, programs.lines["step"] = (name, angle, 1.0 if direction == "+" else -1.0), stage.where


def _legloadreflex(stage: "Stage", values: Values) -> None:
    number, body, force = values
    walker = stage.walking()
    name = walker.corpus.body(body).name
    programs = walker.programs(_leg_number(number))
    programs.bears, programs.lines["load"] = (name, abs(force)), stage.where


def _legstatus(stage: "Stage", values: Values) -> None:
    walker, number = stage.walking(), values[0]
    if number not in walker.numbers:
        raise GambolError(f"there is no leg {number}; there are {', '.join(map(str, walker.numbers)) or 'none'}")
    if stage.rehearsing:
        return
    gait = stage.live().living.memory.control
    assert gait is not None
    k = walker.numbers.index(number)
    does = "steps" if float(gait.state[k][0]) > STEP - 0.5 else "stands"
    stage.say(f"leg {number}, {walker.name(number)}: {does}")


Act = Callable[["Stage", Values], None]


def _time(name: str, does: str, act: Act) -> Row:
    return Row(name, "time:number", does, act)


ROWS = (
    Row("addroach", "corpus", "gives a figure a gait, and makes it the current one", _addroach),
    Row("setroach", "corpus", "makes the gait of a figure the current one", _setroach),
    _time("metabolism", "sets the times of step, stance and delay at top speed at once [s]", _metabolism),
    _time("prottime", "sets the time of a step, its protraction [s]", _prottime),
    _time("rettime", "sets the time of a stance at top speed, its retraction [s]", _rettime),
    _time("cycletime", "sets the time of step and stance together at top speed [s]", _cycletime),
    _time("dlegtime", "sets the delay between a leg's step and that of the leg in front [s]", _dlegtime),
    Row("speed", "factor:number", "sets the speed: 1 is top speed, 2 has half as many strides in a time", _speed),
    Row("deltaspeed", "factor:number", "sets by how much incrspeed changes the factor", _deltaspeed),
    Row(
        "incrspeed",
        "",
        "goes faster: takes the change off the factor, as far as top and bottom speed allow",
        _incrspeed,
    ),
    Row("topspeed", "factor:number", "sets the least factor that incrspeed leads to", _topspeed),
    Row("bottomspeed", "factor:number", "sets the largest factor that incrspeed leads to", _bottomspeed),
    Row("gaitinit", "", "brings the gait back to before its first step", _gaitinit),
    Row("gaitgo", "", "starts the oscillators", _gaitgo),
    Row(
        "procom",
        "leg:count commands:program",
        "sets the motor program of a leg's step; a line with a dot ends it",
        _procom,
    ),
    Row("retcom", "leg:count commands:program", "sets the motor program of a leg's stance, likewise", _retcom),
    Row("stepreflex", "switch:on|off", "switches the step reflex of all legs", _stepreflex),
    Row(
        "legstepreflex",
        "leg:count body angle:number direction:+|-",
        "a leg steps when its upper joint is beyond an angle [rad]",
        _legstepreflex,
    ),
    Row("loadreflex", "switch:on|off", "switches the load-bearing reflex of all legs", _loadreflex),
    Row(
        "legloadreflex",
        "leg:count body force:number",
        "a leg stands while its second joint bears more than a torque [N m]",
        _legloadreflex,
    ),
    Row("legstatus", "leg:count", "tells whether a leg steps or stands", _legstatus),
)
