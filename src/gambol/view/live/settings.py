"""Settings of a live page: each sets some numbers of the world.

A setting x, whose first value is x0, sets each of its numbers from the number's first value b:

    b + slope (x - x0)        b (x / x0)^power        b if x is 1, "off" if x is 0

so the first value of a setting does not change any bit. The gravity g and the slope s of the ground together are a
vector, see tilted_gravity().
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from gambol.dynamics.bodies import gravity_scalar_or_vector
from gambol.errors import WorldError
from gambol.gait import Directed, GaitController, Steering
from gambol.gait.course import Course
from gambol.gait.leg import lifting_commands
from gambol.gait.reflex import UNREACHABLE
from gambol.spatial import Vector
from gambol.view.live.hills import HILLS, MAX_HEIGHT, SHAPE, SHAPES, size_of
from gambol.view.live.limbs import limbs_of
from gambol.world import World

Setting = dict[str, Any]
"""A setting as data of the page: name, label, unit, low, high, value, step (1 for a switch), group, and sets: a list of
the numbers that it sets, each with its name, its first value, and one of slope, power, off and table (of samples).
One with "choices", a list of names, has the index of a name as its value."""

MAX_SLOPE = math.radians(20.0)
"""Largest slope of the slider [rad]: figures slide on it if their coefficient of friction is below 0.36."""

MAX_CYCLE_FACTOR = 5.0
"""Largest factor of a gait's cycle: each leg of a hexapod then steps alone, as in the wave gait."""

MAX_TURN = 1.5
"""Largest rate of turn [rad/s]."""

MAX_STIFFNESS_FACTOR = 4.0
"""Largest factor of the stiffness of springs and servos; the smallest is its inverse."""

TILT = 1e-3
"""Component of gravity that makes gravity a vector in the program; the numbers of the page then do not contain it."""

WATER = 1000.0
"""Largest density of a medium [kg/m3], if the world has none."""

SPEED = re.compile(r"control\.law(\.\d+|\.gaits\[\d+\])?\.speed")
"""Names of the numbers that are the speed of a law on a course, of one of several laws, or of each of its gaits."""

LAWS = (
    ("control.law.speed", "speed", "m/s"),
    ("control.law.height", "height", "m"),
    ("control.law.period", "period", "s"),
)
"""Numbers of control laws with a slider: name, label, unit."""


def tilted_gravity(world: World) -> World:
    """Return the world with gravity as a vector, which can represent a slope.

    Worlds that are not level are returned unchanged.
    """
    strength = gravity_scalar_or_vector(world.gravity)
    if isinstance(strength, Vector) or not world.has_ground or not strength > 0.0:
        return world
    return replace(world, gravity=(TILT * float(strength), 0.0, -float(strength)))


def settings(world: World, values: Mapping[str, float]) -> list[Setting]:
    """Return the settings of a world's page. values: values of the world's numbers, by name."""
    found = [setting for make in KINDS for setting in make(world, values)]
    return [setting for setting in found if all(entry["name"] in values for entry in setting["sets"])]


def _slider(name: str, unit: str, bounds: tuple[float, float], value: float, sets: list[Setting]) -> Setting:
    low, high = bounds
    return {"name": name, "label": name, "unit": unit, "low": low, "high": high, "value": value, "sets": sets}


def _of_number(name: str, number: str, unit: str, value: float, low: float = 0.0) -> Setting:
    """Return the slider of one number, up to twice its first value."""
    sets = [{"name": number, "first": value, "slope": 1.0}]
    return _slider(name, unit, (low, 2.0 * value), value, sets)


def _surroundings(world: World, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield gravity, slope and friction."""
    if "gravity.z" in values:
        yield _slider("gravity", "m/s2", (0.0, -2.0 * values["gravity.z"]), -values["gravity.z"], [])
        yield _slider("slope", "deg", (-math.degrees(MAX_SLOPE), math.degrees(MAX_SLOPE)), 0.0, [])
    elif values.get("gravity", 0.0) > 0.0:
        yield _of_number("gravity", "gravity", "m/s2", values["gravity"])
    friction = values.get("touch.friction", 0.0)
    if friction > 0.0 and world.has_ground:
        sets = [{"name": "touch.friction", "first": friction, "slope": 1.0}]
        yield _slider("touch.friction", "", (0.0, 2.0 * friction), friction, sets) | {"label": "friction"}


def _ground_and_medium(world: World, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield the height of hills, and density, depth and buoyancy of a medium: water has 1000 kg/m3."""
    if HILLS in values:
        top = MAX_HEIGHT * size_of(world, values)
        yield _slider(HILLS, "m", (0.0, top), 0.0, [{"name": HILLS, "first": 0.0, "slope": 1.0}])
        sets, names = [{"name": SHAPE, "first": 0.0, "slope": 1.0}], [name for name, _ in SHAPES]
        yield _slider(SHAPE, "", (0.0, len(names) - 1.0), 0.0, sets) | {"label": "shape of hills", "choices": names}
    if "medium.density" in values:
        first = values["medium.density"]
        sets = [{"name": "medium.density", "first": first, "slope": 1.0}]
        yield _slider("medium", "kg/m3", (0.0, max(WATER, 2.0 * first)), first, sets) | {"label": "medium, water"}
    for number, label, unit in (("surface", "depth of it", "m"), ("buoyancy", "buoyancy of it", "x")):
        if (name := f"medium.{number}") in values:
            first = values[name]
            sets = [{"name": name, "first": first, "slope": 1.0}]
            yield _slider(name, unit, (0.0, max(first, 1.0 if unit == "x" else 0.0)), first, sets) | {"label": label}


def _stiffness(world: World, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield the factor of the stiffness of all springs and servos.

    Damping grows with its square root, like critical damping.
    """
    powers = {"alpha": 1.0, "stiffness": 1.0, "damping": 0.5}
    sets = [
        {"name": name, "first": value, "power": powers[name.rpartition(".")[2]]}
        for name, value in values.items()
        if name.startswith(("springs.", "actuators.")) and name.rpartition(".")[2] in powers and value > 0.0
    ]
    if any(entry["power"] == 1.0 for entry in sets):
        yield _slider("stiffness", "x", (1.0 / MAX_STIFFNESS_FACTOR, MAX_STIFFNESS_FACTOR), 1.0, sets)


def _laws(world: World, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield the commands of control laws of some creatures, besides those of a course."""
    on_course = {entry["name"] for setting in _course(world, values) for entry in setting["sets"]}
    for number, name, unit in LAWS:
        if number not in on_course and (value := values.get(number, 0.0)) > 0.0:
            yield _of_number(name, number, unit, value, 0.5 * value if unit == "s" else 0.0)


def _pace(world: World, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield the settings of a gait: its speed factor, called slowness on the page, and the height of steps."""
    gait = world.controller
    if not isinstance(gait, GaitController) or not gait.legs:
        return
    sets = [{"name": f"control.{name}", "first": gait.end_speed, "slope": 1.0} for name in ("speed", "speed_after")]
    yield _slider("slowness", "x", (1.0, max(MAX_CYCLE_FACTOR, gait.end_speed)), gait.end_speed, sets)
    if lifts := list(_lifts(gait, values)):
        yield _slider("step height", "x", (0.2, 2.0), 1.0, lifts)


def _lifts(gait: GaitController, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield the targets that lift legs: the factor scales their distance to the lowering targets."""
    for i, leg in enumerate(gait.legs):
        try:
            lift, lower = (f"control.step[{i}][{k}]" for k in lifting_commands(leg))
        except WorldError:  # its step program does not lift it
            continue
        yield {"name": lift, "first": values[lift], "slope": values[lift] - values[lower]}


def _steering(world: World, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield the constant commands of steering, which the arrow keys set."""
    gait = world.controller
    for k, modifier in enumerate(gait.modifiers if isinstance(gait, GaitController) else ()):
        if not isinstance(modifier, Steering) or modifier.following:
            continue
        for command, unit, low, high in (("stroke", "x", -1.0, 1.5), ("turn", "rad/s", -MAX_TURN, MAX_TURN)):
            number = f"control.modifiers[{k}].commands.{command}.values[0]"
            value = values.get(number, 0.0)
            if number.replace("[0]", "[1]") not in values:
                yield _slider(command, unit, (low, high), value, [{"name": number, "first": value, "slope": 1.0}])


def _direction(world: World, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield the constant commands of a directed creature: speed and turn, which the arrow keys set, gait and styles."""
    pattern = getattr(world.controller, "pattern", None)
    if not isinstance(pattern, Directed) or pattern.following:
        return
    responses, prefix = pattern.responses, "control.pattern.commands"
    top = pattern.top_turn
    for command, unit, bounds in (("speed", "x", (0.0, responses.fastest)), ("turn", "rad/s", (-top, top))):
        number = f"{prefix}.{command}.values[0]"
        if number.replace("[0]", "[1]") not in values:
            value = values.get(number, 0.0)
            yield _slider(command, unit, bounds, value, [{"name": number, "first": value, "slope": 1.0}])
    number = f"{prefix}.gait.values[0]"
    if pattern.next_gait and number.replace("[0]", "[1]") not in values:
        sets = [{"name": number, "first": values[number], "slope": 1.0}]
        yield _slider("gait", "", (0.0, 1.0), values[number], sets) | {"choices": list(pattern.next_gait.names)}
    for style in responses.styles:
        number = f"{prefix}.styles.{style}"
        value = values.get(number, 0.0)
        yield _slider(style, "", (0.0, 1.0), value, [{"name": number, "first": value, "slope": 1.0}])


def _course(world: World, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield the constant commands of laws that follow a course: speed and turn, which the arrow keys set, and sideways.

    The laws of the legs of one creature have the same commands.
    """
    law = getattr(world.controller, "law", None)
    course = getattr(law, "course", None)
    if not isinstance(course, Course) or not course.steerable or course.limits is None:
        return
    limits = course.limits
    speeds = [name for name in values if SPEED.fullmatch(name)]
    first = {values[name] for name in speeds}
    if len(first) == 1 and limits.backward:
        yield _joint_slider("speed", "m/s", (-limits.backward, max(2.0 * first.pop(), limits.backward)), speeds, values)
    for command, unit, top in (("turn", "rad/s", limits.turn), ("sideways", "m/s", limits.sideways)):
        names = [name for name in values if name.endswith(f".course.{command}.values[0]")]
        if top and names and names[0].replace("[0]", "[1]") not in values:
            yield _joint_slider(command, unit, (-top, top), names, values)


def _joint_slider(
    name: str, unit: str, bounds: tuple[float, float], numbers: list[str], values: Mapping[str, float]
) -> Setting:
    """Return the slider of numbers that are the same."""
    sets = [{"name": number, "first": values[number], "slope": 1.0} for number in numbers]
    return _slider(name, unit, bounds, values[numbers[0]], sets)


def _reflexes(world: World, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield the switch of a gait's reflexes, and a switch for each leg that can be made lame."""
    gait = world.controller
    if not isinstance(gait, GaitController):
        return
    legs = range(len(gait.legs))
    if gait.reflexes:
        numbers = [f"control.{name}[{i}]" for name in ("bent_back", "load") for i in legs]
        yield _switch("reflexes", "reflexes", [(number, UNREACHABLE) for number in numbers], values)
    for i, leg in enumerate(gait.legs):
        springs = [name for name in values if name.startswith(tuple(f"springs.{link}[" for link in leg.links))]
        limp = [(name, 0.0) for name in springs if name.endswith((".alpha", ".stiffness"))]
        if limp:
            yield _switch(f"leg {leg.name}", leg.name, [*limp, *_without_steps(i)], values) | {
                "group": "active legs (off: lame)"
            }


def _limbs(world: World, values: Mapping[str, float]) -> Iterator[Setting]:
    """Yield a switch for each limb that can be cut off. A leg of a gait that is cut off never steps."""
    gait = world.controller
    legs = [leg.name for leg in gait.legs] if isinstance(gait, GaitController) else []
    for name, link in limbs_of(world).items():
        if link in world.external.cuts and values[f"cuts.{link}"] < 0.5:  # else a script has cut it off
            idle = _without_steps(legs.index(name)) if name in legs else []
            off = [(f"cuts.{link}", 1.0), *idle]
            yield _switch(f"attached {name}", name, off, values) | {"group": "attached limbs (off: cut off)"}


def _without_steps(i: int) -> list[tuple[str, float]]:
    """Return names and values of numbers of a gait with which leg i never steps."""
    return [(f"control.bent_back[{i}]", UNREACHABLE), (f"control.load[{i}]", -1.0)]


def _switch(name: str, label: str, off: list[tuple[str, float]], values: Mapping[str, float]) -> Setting:
    """Return a switch, which is on at first. off: names of its numbers, and their values when it is off."""
    sets = [{"name": number, "first": values[number], "off": value} for number, value in off]
    return {"name": name, "label": label, "unit": "", "low": 0, "high": 1, "value": 1, "step": 1, "sets": sets}


KINDS = (_surroundings, _ground_and_medium, _pace, _steering, _direction, _course, _stiffness, _laws, _reflexes, _limbs)
"""The kinds of settings, in the order of the page."""
