"""Evolved creatures that follow commands of speed, turn and style, see gait/directed.py.

Their worlds are those of their rollouts: without commands a creature walks as it evolved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from gambol.collide import Ground, Plane
from gambol.contact import Stepping
from gambol.control import Drive
from gambol.control.patterns import Balanced
from gambol.creatures.changing_gait import (
    TimedGait,
    changes_of,
    gait_names,
    gaits_by_speed,
    range_of,
    relative_speeds,
    timed_number,
)
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.inclined import ground_of
from gambol.errors import WorldError, did_you_mean
from gambol.gait import (
    Directed,
    GroundPath,
    HeadingHold,
    PathFollowing,
    Responses,
    TimedValue,
)
from gambol.gait.animals import TROT, WALK
from gambol.gait.commanded_waves import CHANGE_STRIDES, NextGait
from gambol.gait.directed import HEADING_LAG
from gambol.gait.steering import check_timed
from gambol.world import External, Push, World
from gambol.world.external import InitialState
from gambol.world.observe import depth_of

if TYPE_CHECKING:
    from gambol.evolve.genotype import Genotype, Phenotype
    from gambol.evolve.runs import Settings

STRIDES = ("stride", "trot")
"""The kinds of control whose waves respond to commands."""

TRUNK = "trunk"
FALL_HEIGHT_FRACTION = 0.5
"""A creature has fallen if its trunk is lower than this fraction of its standing height."""

X, Y, HEIGHT = 4, 5, 6
"""Indices of the trunk's position among the coordinates."""

SECONDS = 8.0
"""Default duration of a walk [s], as of the rollouts in which the animals evolved."""

ITERATIONS = 24
"""Iterations of the contact solver, more than in rollouts, since one creature alone is computed fast enough."""


@dataclass(frozen=True, slots=True)
class DirectedCreature:
    """An evolved creature.

    phenotype: grown from the genotype; world: without commands; responses: of its waves to commands. strides: durations
    of a change to this gait, and of one back, see NextGait.
    """

    genotype: Genotype
    phenotype: Phenotype
    world: World
    responses: Responses
    strides: tuple[float, float] = CHANGE_STRIDES


def directed_creature(
    genotype: Genotype,
    settings: Settings,
    name: str,
    yields: tuple[float, float] = (1.0, 1.0),
    largest_turn: float = 1.0,
) -> DirectedCreature:
    """Return the creature of a genotype, in the world of the rollouts with these settings.

    name: name of its figure. yields: achieved speed and rate of turn, as fractions of those of the kinematics: below 1
    if feet slip and joints yield. largest_turn: largest rate of turn that is commanded, as a fraction of that of other
    creatures, whose feet move by 0.04 of the trunk's height for it. Raises WorldError for a genotype whose control is
    not a stride.
    """
    from gambol.evolve.evaluate.batch_world import world_of  # imports databases
    from gambol.evolve.evaluate.options import task_of
    from gambol.evolve.genotype import grow
    from gambol.evolve.genotype.drawn_figure import drawn_figure
    from gambol.evolve.genotype.walking.directions import responses_of

    body, control = genotype.body, genotype.control
    if control.kind not in STRIDES:
        raise WorldError(
            f'{name} cannot be directed: its control is "{control.kind}", and only those of kind '
            f"{' and '.join(STRIDES)} follow commands; evolve one by gambol evolve natural"
        )
    phenotype = grow(genotype, name)
    world = world_of(phenotype, task_of(settings))
    assert isinstance(world.contact, Stepping)
    contact, drawn = replace(world.contact, iterations=ITERATIONS), drawn_figure(phenotype.figure, body)
    ideal, (speed, turn) = responses_of(body, control, largest_turn), yields
    responses = replace(ideal, speed=speed * ideal.speed, top_turn=turn * ideal.top_turn)
    return DirectedCreature(genotype, phenotype, replace(world, figure=drawn, contact=contact), responses)


def directed_world(
    creature: Callable[[str], DirectedCreature],
    gaits: tuple[str, ...] = (WALK,),
    *,
    gait: TimedGait | None = None,
    speed: TimedValue | None = None,
    turn: TimedValue = 0.0,
    style: str | Mapping[str, float] = "",
    path: GroundPath | ArrayLike | None = None,
    hold: bool = False,
    variation: float = 0.0,
    seed: int = 0,
    ground: Ground | None = None,
    slope: float = 0.0,
    push: Push | None = None,
) -> World:
    """Return the world of a creature that walks along x, or along a path.

    creature: function that returns the creature in a gait; it is called only when a world is made. gaits: the names of
    its gaits. gait: WALK or TROT, for creatures that have both; "walk:trot", which changes every CHANGE_INTERVAL; or
    pairs of time [s] and gait, and the gait is then an input of the program. None: by the speed. speed [m/s]; turn:
    rate of turn to the left [rad/s]; each is a number, or pairs of time [s] and value. Without a speed, that of the
    gait, multiplied by the paces of the styles. style: a name in STYLES, or amounts from 0 to 1 by name. path: a path,
    or its points, see GroundPath. hold: True if the heading should follow the rate of turn. variation: standard
    deviation of stride times, as a fraction; seed: of the variation. ground: None for level ground. slope: upward slope
    ahead [rad]. push: a push on the trunk. Raises WorldError for values out of their ranges, for a slope of more than
    45 degrees, and for a ground with a slope.
    """
    styles = {style: 1.0} if isinstance(style, str) and style else dict(style or {})
    evolved, own = _in_gaits(creature, gaits, gait, speed, styles)
    phenotype, waves = evolved.phenotype, evolved.phenotype.pattern
    assert isinstance(waves, Balanced)
    pattern = Directed(waves, evolved.responses, turn=turn, styles=styles, variation=variation, seed=seed, **own)
    pattern = replace(pattern, **_guidance(pattern, phenotype.length, path, hold))
    q = list(phenotype.q)
    if pattern.following:
        course = pattern.following.path
        q[0], q[3] = math.cos(0.5 * course.heading[0]), math.sin(0.5 * course.heading[0])
        q[X], q[Y] = course.x[0], course.y[0]
    world = replace(
        evolved.world,
        controller=Drive(pattern, phenotype.actuators, phenotype.feet),
        external=External(push=push or Push()),
        ground=ground_of(ground, slope),
    )
    if not isinstance(world.ground, Plane):
        q[HEIGHT] += depth_of(world, q) - depth_of(replace(world, ground=Plane()), q)
    return replace(world, initial=InitialState(q=tuple(q)))


def _in_gaits(
    creature: Callable[[str], DirectedCreature],
    gaits: tuple[str, ...],
    gait: TimedGait | None,
    speed: TimedValue | None,
    styles: Mapping[str, float],
) -> tuple[DirectedCreature, dict[str, Any]]:
    """Return the creature in its only or first gait, and the fields of Directed for speed and gait."""
    for name in () if gait is None else gait_names(gait):
        if name not in gaits:
            raise WorldError(f'the creature has no gait "{name}"; {did_you_mean(name, gaits)}')
    if gait is None:
        gait = _by_speed(creature, gaits, speed)
    if isinstance(gait, str) and ":" not in gait:
        evolved = creature(gait)
        return evolved, {"speed": _relative(speed, styles, evolved.responses)}
    changes, walk, trot = changes_of(gait), creature(WALK), creature(TROT)
    both = range_of(walk.responses), range_of(trot.responses)
    after = next_gait(walk, trot)
    own: dict[str, Any] = {"gait": timed_number(changes), "next_gait": after}
    if speed is None:
        return walk, own | {"speed": _relative(None, styles, walk.responses)}
    pairs = speed if isinstance(speed, tuple) else ((0.0, speed),)
    assert isinstance(walk.phenotype.pattern, Balanced)
    forth, back = (strides / walk.phenotype.pattern.frequency for strides in after.strides)
    return walk, own | {"speed": relative_speeds(pairs, changes, both, (forth, back))}


def _by_speed(
    creature: Callable[[str], DirectedCreature], gaits: tuple[str, ...], speed: TimedValue | None
) -> TimedGait:
    """Return the gait of a speed: the first one, unless a speed is above those of a walk."""
    first, *further = gaits
    if speed is None or not further:
        return first
    check_timed("the speed", speed)
    pairs = speed if isinstance(speed, tuple) else ((0.0, speed),)
    changes = gaits_by_speed(pairs, range_of(creature(WALK).responses))
    (_, first), *others = changes
    return changes if others else first


def next_gait(walk: DirectedCreature, trot: DirectedCreature) -> NextGait:
    """Return the trot of a creature as a gait to which its walk can change."""
    from gambol.evolve.genotype.walking.trots import half_way_pattern  # imports databases

    waves, half_way = trot.phenotype.pattern, half_way_pattern(walk.genotype, trot.genotype)
    assert isinstance(waves, Balanced)
    return NextGait((WALK, TROT), waves, half_way, trot.responses, trot.strides)


def directed_entry(creature: DirectedCreature, summary: str) -> CreatureEntry:
    """Return a row for the table of creatures. summary: description in one line."""
    phenotype = creature.phenotype
    limbs = {foot.rpartition(" ")[0]: (foot,) for foot in phenotype.standing_feet}
    make_world = partial(directed_world, lambda _: creature, (WALK,))
    lacks = {"gait": "it evolved in one gait"}
    return entry_of(phenotype.figure.name, summary, make_world, limbs, phenotype.height, lacks)


def entry_of(
    name: str,
    summary: str,
    make_world: partial[World],
    limbs: Mapping[str, tuple[str, ...]],
    height: float,
    lacks: Mapping[str, str] | None = None,
    gaits: tuple[str, ...] = (),
) -> CreatureEntry:
    """Return the row of a directed creature; strides begin with the first limb. See CreatureEntry."""
    fall_height, first = FALL_HEIGHT_FRACTION * height, next(iter(limbs))
    return CreatureEntry(
        name,
        summary,
        make_world,
        SECONDS,
        limbs,
        TRUNK,
        fall_height,
        height,
        stride_limb=first,
        course_speed=mean_speed,
        timed_speed=True,
        timed_gait=bool(gaits),
        lacks=lacks or {},
        gaits=gaits,
    )


def mean_speed(world: World) -> float:
    """Return the mean commanded speed of a directed creature, at least a tenth of that of its walk [m/s]."""
    pattern = getattr(world.controller, "pattern", None)
    assert isinstance(pattern, Directed)
    return max(pattern.mean_speed, 0.1 * pattern.responses.speed)


def _relative(
    speed: TimedValue | None, styles: Mapping[str, float], responses: Responses
) -> tuple[tuple[float, float], ...]:
    """Return times [s] and speeds, as fractions of that of the walk. speed [m/s]; None: the pace of the styles."""
    if speed is None:
        from gambol.evolve.genotype.walking.styles import STYLES

        paces = (1.0 - amount * (1.0 - STYLES[name].pace) for name, amount in styles.items() if name in STYLES)
        return ((0.0, min(math.prod(paces), responses.fastest)),)
    pairs = speed if isinstance(speed, tuple) else ((0.0, speed),)
    return tuple((time, x / responses.speed) for time, x in pairs)


def _guidance(pattern: Directed, length: float, path: GroundPath | ArrayLike | None, hold: bool) -> dict[str, Any]:
    """Return the fields `holding` and `following` of a pattern; length: length of the animal [m]."""
    lag, top = HEADING_LAG / pattern.waves.frequency, pattern.responses.top_turn
    holding = HeadingHold(lag=lag, turn=top) if hold else None
    if path is None:
        return {"holding": holding}
    course = path if isinstance(path, GroundPath) else GroundPath.through(path)
    following = PathFollowing(course, speed=pattern.responses.speed, reach=length, lag=lag, turn=top)
    return {"holding": holding, "following": following}
