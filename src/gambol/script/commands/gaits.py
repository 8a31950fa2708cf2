"""Commands of the gait: its times and speeds, the legs' motor programs, and their reflexes."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from gambol.errors import GambolError, did_you_mean
from gambol.gait import STEP
from gambol.gait.righting import Righting
from gambol.gait.steering import heading_of
from gambol.script import state_edits
from gambol.script.drawn_path import read_ground_path
from gambol.script.gait_spec import GaitSpec
from gambol.script.language.command import Definition, TimedCommand, Values
from gambol.script.language.lines import ScriptError, path_inside

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter

MAX_LEGS = 100
"""Maximum number of legs; they are numbered from 0."""


def _addroach(interp: "Interpreter", values: Values) -> None:
    corpus = interp.spec.corpus(values[0])
    interp.gait = interp.gaits[corpus.name] = GaitSpec(corpus)


def _setroach(interp: "Interpreter", values: Values) -> None:
    corpus = interp.spec.corpus(values[0])
    if corpus.name not in interp.gaits:
        raise GambolError(f'corpus "{corpus.name}" has no gait yet; make one by addroach')
    interp.gait = interp.gaits[corpus.name]


def _check_positive(quantity: str, value: float) -> float:
    if value <= 0.0:
        raise GambolError(f"{quantity} is {value:g} s; give more than 0")
    return value


def _metabolism(interp: "Interpreter", values: Values) -> None:
    gait = interp.current_gait()
    gait.protraction = gait.retraction = gait.delay = _check_positive("the time of a step", values[0])


def _prottime(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().protraction = _check_positive("the time of a step", values[0])


def _rettime(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().retraction = _check_positive("the time of a stance", values[0])


def _cycletime(interp: "Interpreter", values: Values) -> None:
    gait = interp.current_gait()
    if values[0] <= gait.protraction:
        raise GambolError(f"a cycle of {values[0]:g} s ends before a step of {gait.protraction:g} s; give more")
    gait.retraction = values[0] - gait.protraction


def _dlegtime(interp: "Interpreter", values: Values) -> None:
    if values[0] < 0.0:
        raise GambolError(f"a delay of {values[0]:g} s is not possible; give 0 or more")
    interp.current_gait().delay = values[0]


def _check_factor(value: float) -> float:
    if value < 1.0:
        raise GambolError(f"a speed factor of {value:g} is faster than the tripod gait; give 1 or more")
    return value


def _speed(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().speed = _check_factor(values[0])


def _deltaspeed(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().delta = values[0]


def _incrspeed(interp: "Interpreter", values: Values) -> None:
    gait = interp.current_gait()
    gait.speed = min(max(gait.speed - gait.delta, gait.top), max(gait.bottom, gait.top))


def _topspeed(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().top = _check_factor(values[0])


def _bottomspeed(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().bottom = _check_factor(values[0])


def _gaitgo(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().start_time = interp.spec.time


def _gaitinit(interp: "Interpreter", values: Values) -> None:
    gait = interp.current_gait()
    if gait.corpus.is_made:
        interp.edit_state(gait.corpus, state_edits.reset_gait)


def _check_leg_number(number: int) -> int:
    if number >= MAX_LEGS:
        raise GambolError(f"there is no leg {number}; legs are 0 (front left), 1 (front right) and so on, below 100")
    return number


def _check_program(interp: "Interpreter", program: tuple[TimedCommand, ...]) -> tuple[TimedCommand, ...]:
    """Return a motor program. Raises ScriptError if it moves a joint without a spring."""
    corpus = interp.current_gait().corpus
    for timed_command in program:
        if timed_command.command.definition.name == "motor":
            name, where = timed_command.command.values[0], timed_command.command.where
            if name not in corpus.bodies:
                hint = did_you_mean(name, corpus.bodies)
                raise ScriptError(f'{where}: motor: corpus "{corpus.name}" has no body "{name}"; {hint}')
            if corpus.body(name).spring() is None:
                raise ScriptError(f'{where}: motor: the joint of "{name}" has no spring whose rest angle can be moved')
    return program


def _procom(interp: "Interpreter", values: Values) -> None:
    number, program = values
    interp.current_gait().programs(_check_leg_number(number)).step = _check_program(interp, program)


def _retcom(interp: "Interpreter", values: Values) -> None:
    number, program = values
    interp.current_gait().programs(_check_leg_number(number)).stance = _check_program(interp, program)


def _stepreflex(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().step_reflex = values[0] == "on"


def _loadreflex(interp: "Interpreter", values: Values) -> None:
    interp.current_gait().load_reflex = values[0] == "on"


def _legstepreflex(interp: "Interpreter", values: Values) -> None:
    number, body, angle, direction = values
    gait = interp.current_gait()
    name = gait.corpus.body(body).name
    programs = gait.programs(_check_leg_number(number))
    programs.bend_trigger, programs.lines["step"] = (name, angle, 1.0 if direction == "+" else -1.0), interp.where


def _legloadreflex(interp: "Interpreter", values: Values) -> None:
    number, body, force = values
    gait = interp.current_gait()
    name = gait.corpus.body(body).name
    programs = gait.programs(_check_leg_number(number))
    programs.load_trigger, programs.lines["load"] = (name, abs(force)), interp.where


def _rightingreflex(interp: "Interpreter", values: Values) -> None:
    body, bend, ramp, held, period = values
    gait = interp.current_gait()
    gait.righting = Righting(gait.corpus.body(body).name, bend, ramp, held, period)


def _steered_gait(interp: "Interpreter") -> GaitSpec:
    """Return the current gait. Raises GambolError for a figure with a fixed root."""
    gait = interp.current_gait()
    if gait.corpus.base != "free":
        raise GambolError(f'"{gait.corpus.name}" has a fixed root, so it cannot be steered')
    return gait


def _steer(interp: "Interpreter", values: Values) -> None:
    command, value = values
    gait = _steered_gait(interp)
    if command == "yield" and value <= 0.0:
        raise GambolError(f"a yield of {value:g} is not possible; give more than 0, 1 for feet that do not slip")
    gait.steering["turn_yield" if command == "yield" else command] = value


def _followpath(interp: "Interpreter", values: Values) -> None:
    file, speed, width = values
    gait = _steered_gait(interp)
    if speed <= 0.0:
        raise GambolError(f"a speed of {speed:g} m/s is not possible; give more than 0")
    gait.path = read_ground_path(path_inside(interp.folder, file, interp.where), width), speed


def _pathfromhere(interp: "Interpreter", values: Values) -> None:
    _followpath(interp, values)
    gait = interp.current_gait()
    assert gait.path is not None
    if not interp.is_dry_run:
        path, speed = gait.path
        q, sign = interp.corpus_state(gait.corpus).q, math.copysign(1.0, gait.steering.get("stroke", 1.0))
        gait.path = path.moved_to(q[4], q[5], heading_of(q[:4], sign)), speed


def _legstatus(interp: "Interpreter", values: Values) -> None:
    gait, number = interp.current_gait(), values[0]
    if number not in gait.leg_numbers:
        raise GambolError(f"there is no leg {number}; there are {', '.join(map(str, gait.leg_numbers)) or 'none'}")
    if interp.is_dry_run:
        return
    memory = interp.corpus_state(gait.corpus).gait_memory
    k = gait.leg_numbers.index(number)
    action = "steps" if float(memory.state[k][0]) > STEP - 0.5 else "stands"
    interp.print_line(f"leg {number}, {gait.name(number)}: {action}")


Act = Callable[["Interpreter", Values], None]


def _time_definition(name: str, action: str, act: Act) -> Definition:
    return Definition(name, "time:number", action, act)


DEFINITIONS = (
    Definition("addroach", "corpus", "gives a figure a gait, and makes it the current one", _addroach),
    Definition("setroach", "corpus", "makes the gait of a figure the current one", _setroach),
    _time_definition(
        "metabolism", "sets the times of step, stance and delay at top speed to one value [s]", _metabolism
    ),
    _time_definition("prottime", "sets the time of a step (protraction) [s]", _prottime),
    _time_definition("rettime", "sets the time of a stance (retraction) at top speed [s]", _rettime),
    _time_definition("cycletime", "sets the time of step and stance together at top speed [s]", _cycletime),
    _time_definition("dlegtime", "sets the delay between a leg's step and that of the leg in front [s]", _dlegtime),
    Definition(
        "speed", "factor:number", "sets the speed factor: 1 is top speed, 2 is half as many strides per second", _speed
    ),
    Definition("deltaspeed", "factor:number", "sets the change of the speed factor by incrspeed", _deltaspeed),
    Definition(
        "incrspeed",
        "",
        "increases the speed: subtracts the change from the speed factor, within topspeed and bottomspeed",
        _incrspeed,
    ),
    Definition("topspeed", "factor:number", "sets the smallest speed factor for incrspeed", _topspeed),
    Definition("bottomspeed", "factor:number", "sets the largest speed factor for incrspeed", _bottomspeed),
    Definition("gaitinit", "", "resets the gait to its state before the first step", _gaitinit),
    Definition("gaitgo", "", "starts the oscillators", _gaitgo),
    Definition(
        "procom",
        "leg:count commands:program",
        "sets the motor program of a leg's step; a line with a dot ends it",
        _procom,
    ),
    Definition(
        "retcom",
        "leg:count commands:program",
        "sets the motor program of a leg's stance; a line with a dot ends it",
        _retcom,
    ),
    Definition("stepreflex", "switch:on|off", "switches the step reflex of all legs on or off", _stepreflex),
    Definition(
        "legstepreflex",
        "leg:count body angle:number direction:+|-",
        "sets the angle of any joint of the figure beyond which a leg steps [rad or m]",
        _legstepreflex,
    ),
    Definition("loadreflex", "switch:on|off", "switches the load-bearing reflex of all legs on or off", _loadreflex),
    Definition(
        "legloadreflex",
        "leg:count body force:number",
        "sets the spring's torque at any joint of the figure above which a leg does not step [N m or N]",
        _legloadreflex,
    ),
    Definition(
        "rightingreflex",
        "body bend:number ramp:number held:number period:number",
        "on its back the figure bends the joint of a trunk's body to an angle [rad] in a time [s], straightens it "
        "after another [s], and tries again after a period [s]",
        _rightingreflex,
        is_extension=True,
    ),
    Definition(
        "steer",
        "command:turn|sideways|stroke|lean|yield value:number",
        "steers the gait: rate of turn to the left [rad/s], velocity to the left [m/s], length of strokes (1; -1 is "
        "backward), or lean of the trunk, its left side up [rad]; yield: the part of a rate of turn that is achieved",
        _steer,
        is_extension=True,
    ),
    Definition(
        "followpath",
        "file:file speed:number width:number?",
        "lets the gait follow a path on the ground, drawn in a file (.csv, .svg); speed: that of the figure at speed "
        "factor 1 [m/s]; width: of a drawing [m]",
        _followpath,
        is_extension=True,
    ),
    Definition(
        "pathfromhere",
        "file:file speed:number width:number?",
        "the same as followpath, but the path begins where the figure is, in the direction in which it faces",
        _pathfromhere,
        is_extension=True,
    ),
    Definition("legstatus", "leg:count", "outputs whether a leg steps or stands", _legstatus),
)
