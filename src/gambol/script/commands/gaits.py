"""Commands of the gait: its times and speeds, the legs' motor programs, and their reflexes."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gambol.control import STEP
from gambol.errors import GambolError, did_you_mean
from gambol.script import state_edits
from gambol.script.gait_spec import GaitSpec
from gambol.script.language.command import Definition, TimedCommand, Values
from gambol.script.language.lines import ScriptError

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter

MAX_LEGS = 100
"""Limit of the number of legs, which are numbered from 0."""


def _addroach(interp: "Interpreter", values: Values) -> None:
    corpus = interp.spec.corpus(values[0])
    interp.gait = interp.gaits[corpus.name] = GaitSpec(corpus)


def _setroach(interp: "Interpreter", values: Values) -> None:
    corpus = interp.spec.corpus(values[0])
    if corpus.name not in interp.gaits:
        raise GambolError(f'corpus "{corpus.name}" has no gait yet; make one by addroach')
    interp.gait = interp.gaits[corpus.name]


def _positive(what: str, value: float) -> float:
    if value <= 0.0:
        raise GambolError(f"{what} is {value:g} s; give more than 0")
    return value


def _metabolism(interp: "Interpreter", values: Values) -> None:
    gait = interp.current_gait()
    gait.protraction = gait.retraction = gait.delay = _positive("the time of a step", values[0])


def _prottime(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().protraction = _positive("the time of a step", values[0])


def _rettime(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().retraction = _positive("the time of a stance", values[0])


def _cycletime(interp: "Interpreter", values: Values) -> None:
    gait = interp.current_gait()
    if values[0] <= gait.protraction:
        raise GambolError(f"a cycle of {values[0]:g} s ends before a step of {gait.protraction:g} s; give more")
    gait.retraction = values[0] - gait.protraction


def _dlegtime(interp: "Interpreter", values: Values) -> None:
    if values[0] < 0.0:
        raise GambolError(f"a delay of {values[0]:g} s cannot be; give 0 or more")
    interp.current_gait().delay = values[0]


def _factor(value: float) -> float:
    if value < 1.0:
        raise GambolError(f"a speed factor of {value:g} is faster than the tripod gait; give 1 or more")
    return value


def _speed(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().speed = _factor(values[0])


def _deltaspeed(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().delta = values[0]


def _incrspeed(interp: "Interpreter", values: Values) -> None:
    gait = interp.current_gait()
    gait.speed = min(max(gait.speed - gait.delta, gait.top), max(gait.bottom, gait.top))


def _topspeed(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().top = _factor(values[0])


def _bottomspeed(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().bottom = _factor(values[0])


def _gaitgo(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().start_time = interp.spec.time


def _gaitinit(interp: "Interpreter", values: Values) -> None:
    gait = interp.current_gait()
    if gait.corpus.is_made:
        interp.edit_state(gait.corpus, state_edits.reset_gait)


def _leg_number(number: int) -> int:
    if number >= MAX_LEGS:
        raise GambolError(f"there is no leg {number}; legs are 0 (front left), 1 (front right) and so on, below 100")
    return number


def _checked(interp: "Interpreter", program: tuple[TimedCommand, ...]) -> tuple[TimedCommand, ...]:
    """Return a motor program; ScriptError where it moves a joint without spring."""
    corpus = interp.current_gait().corpus
    for line in program:
        if line.command.definition.name == "motor":
            name, where = line.command.values[0], line.command.where
            if name not in corpus.bodies:
                hint = did_you_mean(name, corpus.bodies)
                raise ScriptError(f'{where}: motor: corpus "{corpus.name}" has no body "{name}"; {hint}')
            if corpus.body(name).spring() is None:
                raise ScriptError(f'{where}: motor: the joint of "{name}" has no spring whose rest angle can be moved')
    return program


def _procom(interp: "Interpreter", values: Values) -> None:
    number, program = values
    interp.current_gait().programs(_leg_number(number)).step = _checked(interp, program)


def _retcom(interp: "Interpreter", values: Values) -> None:
    number, program = values
    interp.current_gait().programs(_leg_number(number)).stance = _checked(interp, program)


def _stepreflex(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().step_reflex = values[0] == "on"


def _loadreflex(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().load_reflex = values[0] == "on"


def _legstepreflex(interp: "Interpreter", values: Values) -> None:
    number, body, angle, direction = values
    gait = interp.current_gait()
    name = gait.corpus.body(body).name
    programs = gait.programs(_leg_number(number))
    programs.bend_trigger, programs.lines["step"] = (name, angle, 1.0 if direction == "+" else -1.0), interp.where


def _legloadreflex(interp: "Interpreter", values: Values) -> None:
    number, body, force = values
    gait = interp.current_gait()
    name = gait.corpus.body(body).name
    programs = gait.programs(_leg_number(number))
    programs.load_trigger, programs.lines["load"] = (name, abs(force)), interp.where


def _legstatus(interp: "Interpreter", values: Values) -> None:
    gait, number = interp.current_gait(), values[0]
    if number not in gait.leg_numbers:
        raise GambolError(f"there is no leg {number}; there are {', '.join(map(str, gait.leg_numbers)) or 'none'}")
    if interp.is_dry_run:
        return
    memory = interp.current_state().step_state.memory.control
    assert memory is not None
    k = gait.leg_numbers.index(number)
    action = "steps" if float(memory.state[k][0]) > STEP - 0.5 else "stands"
    interp.say(f"leg {number}, {gait.name(number)}: {action}")


Act = Callable[["Interpreter", Values], None]


def _time(name: str, action: str, act: Act) -> Definition:
    return Definition(name, "time:number", action, act)


DEFINITIONS = (
    Definition("addroach", "corpus", "gives a figure a gait, and makes it the current one", _addroach),
    Definition("setroach", "corpus", "makes the gait of a figure the current one", _setroach),
    _time("metabolism", "sets the times of step, stance and delay at top speed at once [s]", _metabolism),
    _time("prottime", "sets the time of a step, its protraction [s]", _prottime),
    _time("rettime", "sets the time of a stance at top speed, its retraction [s]", _rettime),
    _time("cycletime", "sets the time of step and stance together at top speed [s]", _cycletime),
    _time("dlegtime", "sets the delay between a leg's step and that of the leg in front [s]", _dlegtime),
    Definition(
        "speed", "factor:number", "sets the speed: 1 is top speed, 2 has half as many strides in a time", _speed
    ),
    Definition("deltaspeed", "factor:number", "sets by how much incrspeed changes the factor", _deltaspeed),
    Definition(
        "incrspeed",
        "",
        "goes faster: takes the change off the factor, as far as top and bottom speed allow",
        _incrspeed,
    ),
    Definition("topspeed", "factor:number", "sets the least factor that incrspeed leads to", _topspeed),
    Definition("bottomspeed", "factor:number", "sets the largest factor that incrspeed leads to", _bottomspeed),
    Definition("gaitinit", "", "brings the gait back to before its first step", _gaitinit),
    Definition("gaitgo", "", "starts the oscillators", _gaitgo),
    Definition(
        "procom",
        "leg:count commands:program",
        "sets the motor program of a leg's step; a line with a dot ends it",
        _procom,
    ),
    Definition("retcom", "leg:count commands:program", "sets the motor program of a leg's stance, likewise", _retcom),
    Definition("stepreflex", "switch:on|off", "switches the step reflex of all legs", _stepreflex),
    Definition(
        "legstepreflex",
        "leg:count body angle:number direction:+|-",
        "a leg steps when its upper joint is beyond an angle [rad]",
        _legstepreflex,
    ),
    Definition("loadreflex", "switch:on|off", "switches the load-bearing reflex of all legs", _loadreflex),
    Definition(
        "legloadreflex",
        "leg:count body force:number",
        "a leg stands while its second joint bears more than a torque [N m]",
        _legloadreflex,
    ),
    Definition("legstatus", "leg:count", "tells whether a leg steps or stands", _legstatus),
)
