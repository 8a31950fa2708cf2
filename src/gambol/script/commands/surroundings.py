"""Commands of the world: how time passes, gravity, and the ground."""

from typing import TYPE_CHECKING

import numpy as np

from gambol.collide import HeightGrid
from gambol.errors import GambolError, did_you_mean
from gambol.formats.heights import read_heights
from gambol.integrate import INTEGRATORS
from gambol.script import carry
from gambol.script.language.lines import inside
from gambol.script.language.row import Row, Values
from gambol.script.setting import METHODS, Setting, grid_of

if TYPE_CHECKING:
    from gambol.script.stage import Stage


def _addworld(stage: "Stage", values: Values) -> None:
    (name,) = values
    if name in stage.settings:
        raise GambolError(f'there is a world "{name}" already; give this one another name')
    stage.setting = stage.settings[name] = Setting(name)
    stage.corpus = stage.walker = None


def _setworld(stage: "Stage", values: Values) -> None:
    if values[0] not in stage.settings:
        raise GambolError(f'there is no world "{values[0]}"; make it by addworld')
    stage.setting = stage.settings[values[0]]
    stage.corpus = next(iter(stage.setting.corpora.values()), None)
    stage.walker = stage.walkers.get(stage.corpus.name) if stage.corpus else None


def _positive(what: str, value: float) -> float:
    if value <= 0.0:
        raise GambolError(f"{what} is {value:g}; give more than 0")
    return value


def _iter(stage: "Stage", values: Values) -> None:
    stage.setting.iter = int(_positive("the number of loops", values[0]))


def _dt(stage: "Stage", values: Values) -> None:
    setting = stage.setting
    if values[0] is None:
        stage.say(f"dt {setting.dt:.10g}")
        return
    time = setting.time
    setting.dt = _positive("the time of a frame", values[0])
    _at(stage, time)


def _at(stage: "Stage", time: float) -> None:
    """Set the time of the current world, to a whole frame."""
    setting = stage.setting
    setting.frame = setting.frame_at(time)
    for corpus in setting.corpora.values():
        if corpus.ready:
            stage.edit(corpus, carry.clock_at(setting.frame))


def _time(stage: "Stage", values: Values) -> None:
    if values[0] is None:
        stage.say(f"time {stage.setting.time:.10g}")
    elif values[0] < 0.0:
        raise GambolError(f"the time cannot be {values[0]:g} s; give 0 or more")
    else:
        _at(stage, values[0])


def _h(stage: "Stage", values: Values) -> None:
    if values[0] is None:
        stage.say(f"h {stage.setting.h:.10g}")
        return
    stage.setting.h = _positive("the step", values[0])
    for corpus in stage.setting.corpora.values():
        if corpus.ready:
            stage.edit(corpus, carry.step_of(stage.setting.h))


def _eps(stage: "Stage", values: Values) -> None:
    if values[0] is None:
        stage.say(f"eps {stage.setting.eps:.10g}")
    else:
        stage.setting.eps = _positive("the tolerance", values[0])


def _integration(stage: "Stage", values: Values) -> None:
    (name,) = values
    known = dict.fromkeys((*METHODS, *INTEGRATORS))
    if not name:
        stage.say(f"integration {stage.setting.integration}")
    elif name not in known:
        raise GambolError(f'there is no integrator "{name[:40]}"; {did_you_mean(name, known)}')
    else:
        stage.setting.integration = name


def _setgrav(stage: "Stage", values: Values) -> None:
    stage.setting.gravity = values[0]


def _grav(stage: "Stage", values: Values) -> None:
    stage.setting.heavy = values[0] != "off"


def _ground(stage: "Stage", values: Values) -> None:
    stage.setting.solid = values[0] != "off"


def _groundtype(stage: "Stage", values: Values) -> None:
    if values[0] is None:
        stage.say(f"groundtype {stage.setting.groundtype}")
    else:
        stage.setting.groundtype = values[0]


def _groundz(stage: "Stage", values: Values) -> None:
    if values[0] is None:
        stage.say(f"groundz {stage.setting.z:.10g}")
    else:
        stage.setting.z = values[0]


def _groundscale(stage: "Stage", values: Values) -> None:
    stage.setting.ground.scale = values[0]


def _addtrigrid(stage: "Stage", values: Values) -> None:
    _, instance = values
    thing = stage.thing(instance)
    if not thing.heights:
        raise GambolError(
            f'"{instance}" is a copy of "{thing.instance}", not of heights; get it from a .csv or .npy file'
        )
    heights = read_heights(inside(stage.folder, thing.heights, stage.where))
    stage.setting.grid = grid_of(thing, HeightGrid(np.asarray(heights), 1.0))


def _number(name: str, does: str, field: str, highest: float = np.inf, lowest: float = 0.0, ours: bool = False) -> Row:
    """A command that sets, or without a number tells, one number of the ground."""

    def act(stage: "Stage", values: Values) -> None:
        ground = stage.setting.ground
        if values[0] is None:
            shown = getattr(ground, field)
            stage.say(f"{name} {'not set' if shown is None else format(shown, '.10g')}")
        elif not lowest <= values[0] <= highest:
            raise GambolError(f"{values[0]:g} cannot be; give a number from {lowest:g} to {highest:g}")
        else:
            setattr(ground, field, values[0])

    return Row(name, "value:number?", does, act, ours)


def _noted(name: str, arguments: str, does: str) -> Row:
    """A command whose word is kept, but that has no effect yet."""

    def act(stage: "Stage", values: Values) -> None:
        if values and values[-1] != "off":
            stage.warn(f"{name} is noted, but bodies of gambol do not collide with each other; only the ground touches")

    return Row(name, arguments, f"noted only: {does}", act)


TINY = 1e-12
"""Some numbers of the ground divide; they must be more than 0."""

ROWS = (
    Row("addworld", "world", "begins a world, and makes it the current one", _addworld),
    Row("setworld", "world", "makes a world the current one", _setworld),
    Row("iter", "loops:count", "sets how often each frame is looped over: pictures are that many dt apart", _iter),
    Row("dt", "time:number?", "sets the time of a frame [s]: when gait, alarms and timers decide", _dt),
    Row("h", "time:number?", "sets the integrator's step, the first one or the only one [s]", _h),
    Row(
        "eps",
        "tolerance:number?",
        "sets the tolerance of rkf; 10 is a thousandth, of lengths of the figure's size",
        _eps,
    ),
    Row("time", "time:number?", "sets the time, or tells it [s]", _time),
    Row(
        "integration",
        "method:text",
        "chooses the integrator: rkf, euler, ..., or one of gambol's",
        _integration,
    ),
    Row("setgrav", "strength:number", "sets gravity, along -z [m/s2]", _setgrav),
    Row("grav", "switch:on|off?", "switches gravity", _grav),
    Row("ground", "switch:on|off?", "switches the ground", _ground),
    Row("groundtype", "type:flat|trigrid?", "chooses level ground or a grid of triangles", _groundtype),
    Row("groundz", "height:number?", "sets the height of level ground [m]", _groundz),
    Row(
        "groundscale",
        "scale:mass|none",
        "whether the ground's forces are per kilogram of the figure",
        _groundscale,
        True,
    ),
    _number("groundk", "spring of the ground [N/m, per kg]", "k"),
    _number("groundb", "damper of the ground [N s/m, per kg]", "b"),
    _number("groundkrf", "velocity-dependent reaction of the ground: added to its damper [N s/m, per kg]", "krf"),
    _number("groundea", "strength of the ground's exponential spring [N, per kg]", "ea"),
    _number("groundeB", "rise of the ground's exponential spring [1/m]", "eB"),
    _number("groundemaxz", "depth beyond which the ground's force grows no more [m]", "emaxz", lowest=TINY),
    _number("grounde", "what is left of the ground's force while a point leaves it", "e", 1.0),
    _number("groundfric", "coefficient of friction", "fric"),
    _number("groundfric2", "coefficient of the second friction model, a bristle; 0: that of the first", "fric2"),
    _number("groundfric2k", "spring of a bristle [N/m, per kg]", "fric2k", lowest=TINY),
    _number("groundfric2e", "restitution of a bristle; worked out as a damper", "fric2e", 1.0),
    _number("groundstickeA", "strength of sticky feet's hold [N, per kg]", "stickeA"),
    _number("groundstickeB", "rise of sticky feet's hold [1/m]", "stickeB", lowest=TINY),
    _number("groundstickemaxz", "stretch at which a hold breaks [m]", "stickemaxz", lowest=TINY),
    _number("groundsticke", "what is left of a hold's force while the point returns", "sticke", 1.0),
    _number("groundstickb", "damper of sticky feet's hold [N s/m, per kg]", "stickb", ours=True),
    _number("groundbristleb", "damper of a bristle [N s/m, per kg]", "bristleb", ours=True),
    _number("groundskid", "damper of points that slide slowly [N s/m, per kg]", "skid", ours=True),
    _number("groundswitch", "speed over which restitution takes hold [m/s]", "switch", lowest=TINY, ours=True),
    Row("addtrigrid", "grid obj", "makes an object of heights the uneven ground, where it stands", _addtrigrid),
    Row("addrigrd", "grid obj", "the same, as the thesis prints it", _addtrigrid),
    _noted("collide", "body1 body2", "collisions between two bodies"),
    _noted("collision", "switch:on|off?", "collisions between bodies"),
    _noted("collisionanalysis", "switch:on|off?", "collisions resolved by impulses"),
    _noted("collisone", "value:number?", "restitution of collisions"),
    _noted("collisionfric", "value:number?", "friction of collisions"),
    _noted("collisonea", "value:number?", "exponential spring of collisions"),
    _noted("collisoneB", "value:number?", "its rise"),
    _noted("collisionemaxz", "value:number?", "its greatest depth"),
)
