"""Commands of the world: timing, gravity, and the ground."""

from typing import TYPE_CHECKING

import numpy as np

from gambol.collide import HeightGrid
from gambol.errors import GambolError, did_you_mean
from gambol.formats.heights import read_heights
from gambol.integrate import INTEGRATORS
from gambol.script import state_edits
from gambol.script.language.command import Definition, Values
from gambol.script.language.lines import path_inside
from gambol.script.world_spec import METHOD_NAMES, WorldSpec, transformed_grid

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter


def _addworld(interp: "Interpreter", values: Values) -> None:
    (name,) = values
    if name in interp.specs:
        raise GambolError(f'there is a world "{name}" already; give this one another name')
    interp.spec = interp.specs[name] = WorldSpec(name)
    interp.corpus = interp.gait = None


def _setworld(interp: "Interpreter", values: Values) -> None:
    if values[0] not in interp.specs:
        raise GambolError(f'there is no world "{values[0]}"; make it by addworld')
    interp.spec = interp.specs[values[0]]
    interp.corpus = next(iter(interp.spec.corpora.values()), None)
    interp.gait = interp.gaits.get(interp.corpus.name) if interp.corpus else None


def _check_positive(quantity: str, value: float) -> float:
    if value <= 0.0:
        raise GambolError(f"{quantity} is {value:g}; give more than 0")
    return value


def _iter(interp: "Interpreter", values: Values) -> None:
    interp.spec.iter = int(_check_positive("the number of frames", values[0]))


def _dt(interp: "Interpreter", values: Values) -> None:
    spec = interp.spec
    if values[0] is None:
        interp.print_line(f"dt {spec.dt:.10g}")
        return
    time = spec.time
    spec.dt = _check_positive("the time of a frame", values[0])
    _set_time(interp, time)


def _set_time(interp: "Interpreter", time: float) -> None:
    """Set the time of the current world, rounded to a frame."""
    spec = interp.spec
    spec.frame = spec.frame_at(time)
    for corpus in spec.corpora.values():
        if corpus.is_made:
            interp.edit_state(corpus, state_edits.set_frame(spec.frame))


def _time(interp: "Interpreter", values: Values) -> None:
    if values[0] is None:
        interp.print_line(f"time {interp.spec.time:.10g}")
    elif values[0] < 0.0:
        raise GambolError(f"the time cannot be {values[0]:g} s; give 0 or more")
    else:
        _set_time(interp, values[0])


def _h(interp: "Interpreter", values: Values) -> None:
    if values[0] is None:
        interp.print_line(f"h {interp.spec.h:.10g}")
        return
    interp.spec.h = _check_positive("the step", values[0])
    for corpus in interp.spec.corpora.values():
        if corpus.is_made:
            interp.edit_state(corpus, state_edits.set_step(interp.spec.h))


def _eps(interp: "Interpreter", values: Values) -> None:
    if values[0] is None:
        interp.print_line(f"eps {interp.spec.eps:.10g}")
    else:
        interp.spec.eps = _check_positive("the tolerance", values[0])


def _integration(interp: "Interpreter", values: Values) -> None:
    (name,) = values
    known = dict.fromkeys((*METHOD_NAMES, *INTEGRATORS))
    if not name:
        interp.print_line(f"integration {interp.spec.integration}")
    elif name not in known:
        raise GambolError(f'there is no integrator "{name[:40]}"; {did_you_mean(name, known)}')
    else:
        interp.spec.integration = name


def _setgrav(interp: "Interpreter", values: Values) -> None:
    interp.spec.gravity = values[0]


def _grav(interp: "Interpreter", values: Values) -> None:
    interp.spec.gravity_on = values[0] != "off"


def _ground(interp: "Interpreter", values: Values) -> None:
    interp.spec.ground_on = values[0] != "off"


def _groundtype(interp: "Interpreter", values: Values) -> None:
    if values[0] is None:
        interp.print_line(f"groundtype {interp.spec.groundtype}")
    else:
        interp.spec.groundtype = values[0]


def _groundz(interp: "Interpreter", values: Values) -> None:
    if values[0] is None:
        interp.print_line(f"groundz {interp.spec.z:.10g}")
    else:
        interp.spec.z = values[0]


def _groundgrip(interp: "Interpreter", values: Values) -> None:
    interp.spec.ground.grip = values[0]


def _groundscale(interp: "Interpreter", values: Values) -> None:
    interp.spec.ground.scale = values[0]


def _addtrigrid(interp: "Interpreter", values: Values) -> None:
    _, instance = values
    graphic = interp.graphic_object(instance)
    if not graphic.heights:
        raise GambolError(
            f'"{instance}" is a copy of "{graphic.instance}", not of heights; get it from a .csv or .npy file'
        )
    heights = read_heights(path_inside(interp.folder, graphic.heights, interp.where))
    interp.spec.grid = transformed_grid(graphic, HeightGrid(np.asarray(heights), 1.0))


def _ground_definition(
    name: str, description: str, field: str, highest: float = np.inf, lowest: float = 0.0, is_extension: bool = False
) -> Definition:
    """Return the definition of a command that sets a parameter of the ground or, without a value, outputs it.

    name, description, is_extension: name, description and extension of the command. field: field of GroundParameters.
    highest, lowest: bounds of the value.
    """

    def act(interp: "Interpreter", values: Values) -> None:
        ground = interp.spec.ground
        if values[0] is None:
            current = getattr(ground, field)
            interp.print_line(f"{name} {'not set' if current is None else format(current, '.10g')}")
        elif not lowest <= values[0] <= highest:
            raise GambolError(f"{values[0]:g} is not possible; give a number from {lowest:g} to {highest:g}")
        else:
            setattr(ground, field, values[0])

    return Definition(name, "value:number?", description, act, is_extension)


MIN_DIVISOR = 1e-12
"""Minimum value of the ground parameters that are divisors."""

DEFINITIONS = (
    Definition("addworld", "world", "makes a new world, which becomes the current one", _addworld),
    Definition("setworld", "world", "makes a world the current one", _setworld),
    Definition("iter", "loops:count", "sets the number of frames between pictures", _iter),
    Definition("dt", "time:number?", "sets the time of a frame [s]; gait, alarms and timers act once in a frame", _dt),
    Definition(
        "h", "time:number?", "sets the step of the integrator [s]; of an adaptive integrator the first step", _h
    ),
    Definition(
        "eps",
        "tolerance:number?",
        "sets the tolerance of rkf; 10 is a relative error of 0.001, for lengths relative to the figure's size",
        _eps,
    ),
    Definition("time", "time:number?", "sets or outputs the time [s]", _time),
    Definition(
        "integration",
        "method:text",
        "sets the integrator: rkfixed, rkvar, rkf, euler, or an integrator of gambol",
        _integration,
    ),
    Definition("setgrav", "strength:number", "sets gravity, along -z [m/s2]", _setgrav),
    Definition("grav", "switch:on|off?", "switches gravity on or off", _grav),
    Definition("ground", "switch:on|off?", "switches the ground on or off", _ground),
    Definition("groundtype", "type:flat|trigrid?", "chooses level ground or a grid of triangles", _groundtype),
    Definition("groundz", "height:number?", "sets the height of level ground [m]", _groundz),
    Definition(
        "groundscale",
        "scale:mass|none",
        "sets whether the ground's forces are per kilogram of the figure",
        _groundscale,
        True,
    ),
    Definition(
        "groundgrip",
        "grip:feet|all",
        "sets which bodies static friction can hold: only feet, or all bodies",
        _groundgrip,
        True,
    ),
    _ground_definition("groundk", "spring of the ground [N/m, per kg]", "k"),
    _ground_definition("groundb", "damper of the ground [N s/m, per kg]", "b"),
    _ground_definition(
        "groundkrf", "velocity-dependent reaction of the ground: added to its damper [N s/m, per kg]", "krf"
    ),
    _ground_definition("groundea", "strength of the ground's exponential spring [N, per kg]", "ea"),
    _ground_definition("groundeB", "rise of the ground's exponential spring [1/m]", "eB"),
    _ground_definition(
        "groundemaxz", "depth beyond which the ground's force does not increase [m]", "emaxz", lowest=MIN_DIVISOR
    ),
    _ground_definition(
        "grounde", "factor of the ground's force while a point leaves the ground; above 1 it adds energy", "e"
    ),
    _ground_definition("groundfric", "coefficient of friction", "fric"),
    _ground_definition(
        "groundfric2", "coefficient of friction of the second model, a bristle; 0: that of the first model", "fric2"
    ),
    _ground_definition("groundfric2k", "spring of a bristle [N/m, per kg]", "fric2k", lowest=MIN_DIVISOR),
    _ground_definition("groundfric2e", "restitution of a bristle; converted to a damping", "fric2e", 1.0),
    _ground_definition("groundstickeA", "strength of sticky feet's hold [N, per kg]", "stickeA"),
    _ground_definition("groundstickeB", "rise of sticky feet's hold [1/m]", "stickeB", lowest=MIN_DIVISOR),
    _ground_definition("groundstickemaxz", "stretch at which a hold breaks [m]", "stickemaxz", lowest=MIN_DIVISOR),
    _ground_definition("groundsticke", "factor of a hold's force while the point returns", "sticke", 1.0),
    _ground_definition("groundstickb", "damper of sticky feet's hold [N s/m, per kg]", "stickb", is_extension=True),
    _ground_definition("groundbristleb", "damper of a bristle [N s/m, per kg]", "bristleb", is_extension=True),
    _ground_definition("groundskid", "damper of points that slide slowly [N s/m, per kg]", "skid", is_extension=True),
    _ground_definition(
        "groundswitch",
        "speed over which restitution rises to its full effect [m/s]",
        "switch",
        lowest=MIN_DIVISOR,
        is_extension=True,
    ),
    Definition(
        "addtrigrid",
        "grid obj",
        "makes an object of heights the uneven ground, with the object's transform",
        _addtrigrid,
    ),
    Definition("addrigrd", "grid obj", "the same as addtrigrid; the thesis prints this name", _addtrigrid),
)
