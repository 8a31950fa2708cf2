"""Animals by name: bodies of the animals' plans, with walks that evolved in the task natural.

Genotypes are those of gambol.evolve.zoo, and worlds those of its rollouts: without commands an animal walks as it
evolved. Commands of speed, turn and style change its waves, see gait/directed.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from gambol.collide import Ground, Plane
from gambol.contact import Stepping
from gambol.control import Drive
from gambol.control.patterns import Balanced
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.inclined import ground_of
from gambol.gait import Directed, GroundPath, HeadingHold, PathFollowing, Responses, TimedValue
from gambol.world import External, Push, World
from gambol.world.external import InitialState
from gambol.world.observe import depth_of

if TYPE_CHECKING:
    from gambol.evolve.genotype import Phenotype

SIDES = ("left", "right")
FALL_HEIGHT_FRACTION = 0.5
"""An animal has fallen if its trunk is lower than this fraction of its standing height."""

X, Y, HEIGHT = 4, 5, 6
"""Indices of the trunk's position among the coordinates."""

SECONDS = 8.0
"""Default duration of a walk [s], as of the rollouts in which the animals evolved."""

ITERATIONS = 24
"""Iterations of the contact solver, more than in rollouts, since one animal alone is computed fast enough."""

HEADING_LAG = 1.5
"""Time constant of the heading's correction [strides]: with a shorter one the legs, which lag, do not follow."""


@dataclass(frozen=True, slots=True)
class Animal:
    """A row of ANIMALS.

    summary: description. height: standing height of the trunk [m]. legs: names of the pairs of legs of its body plan,
    the hindmost first. segments: number of segments of a leg.
    """

    summary: str
    height: float
    legs: tuple[str, ...] = ("hind", "fore")
    segments: int = 2


ANIMALS = {
    "hound": Animal("a dog of 15 kg", 0.418),
    "cat": Animal("a cat of 4.5 kg", 0.264),
    "horse": Animal("a horse of 300 kg", 1.241),
    "lizard": Animal("a lizard of 1.6 kg", 0.123),
    "monkey": Animal("a monkey of 8 kg on all fours", 0.422, ("leg", "arm")),
    "bird": Animal("a running bird of 5.5 kg", 0.319, ("leg",), 3),
    "beetle": Animal("a beetle of 2 kg", 0.132, ("hind leg", "middle leg", "front leg")),
}
"""The animals by name."""


def animal_world(
    name: str,
    *,
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
    """Return the world of an animal that walks along x, or along a path.

    name: in ANIMALS. speed [m/s], turn: rate of turn to the left [rad/s]: a number, or pairs of time [s] and value;
    None: the speed of its walk, in the style's pace. style: a name in STYLES, or amounts from 0 to 1 by name. path: a
    path to follow, or its points, see GroundPath. hold: True if the heading should follow the rate of turn. variation:
    standard deviation of stride times, as a fraction; seed: of the variation. ground: None for level ground. slope:
    upward slope ahead [rad]. push: a push on the trunk. Raises WorldError for values out of their ranges, for a slope
    of more than 45 degrees, and for a ground with a slope.
    """
    creature, world, responses = _evolved(name)
    styles = {style: 1.0} if isinstance(style, str) and style else dict(style or {})
    speeds = _relative(speed, styles, responses)
    waves = creature.pattern
    assert isinstance(waves, Balanced)
    pattern = Directed(waves, responses, speeds, turn, styles, variation, seed)
    pattern = replace(pattern, **_guidance(pattern, creature.length, path, hold))
    q = list(creature.q)
    if pattern.following:
        course = pattern.following.path
        q[0], q[3] = math.cos(0.5 * course.heading[0]), math.sin(0.5 * course.heading[0])
        q[X], q[Y] = course.x[0], course.y[0]
    world = replace(
        world,
        controller=Drive(pattern, creature.actuators, creature.feet),
        external=External(push=push or Push()),
        ground=ground_of(ground, slope),
    )
    if not isinstance(world.ground, Plane):
        q[HEIGHT] += depth_of(world, q) - depth_of(replace(world, ground=Plane()), q)
    return replace(world, initial=InitialState(q=tuple(q)))


@lru_cache(maxsize=len(ANIMALS))
def _evolved(name: str) -> tuple[Phenotype, World, Responses]:
    """Return the grown creature of an animal, its world without commands, and the responses of its waves."""
    from gambol.evolve.evaluate.batch_world import world_of  # imports databases
    from gambol.evolve.evaluate.options import task_of
    from gambol.evolve.genotype import grow
    from gambol.evolve.genotype.drawn_figure import drawn_figure
    from gambol.evolve.genotype.walking.directions import responses_of
    from gambol.evolve.zoo import zoo_creature

    evolved = zoo_creature(name)
    body, control = evolved.genotype.body, evolved.genotype.control
    creature = grow(evolved.genotype, name)
    world = world_of(creature, task_of(evolved.settings))
    assert isinstance(world.contact, Stepping)
    contact, drawn = replace(world.contact, iterations=ITERATIONS), drawn_figure(creature.figure, body)
    return creature, replace(world, figure=drawn, contact=contact), responses_of(body, control)


def _relative(
    speed: TimedValue | None, styles: Mapping[str, float], responses: Responses
) -> tuple[tuple[float, float], ...]:
    """Return times [s] and speeds, as fractions of that of the walk. speed [m/s]; None: the pace of the styles."""
    if speed is None:
        from gambol.evolve.genotype.walking.styles import STYLES

        paces = (1.0 - amount * (1.0 - STYLES[name].pace) for name, amount in styles.items() if name in STYLES)
        return ((0.0, min(math.prod(paces), responses.speeds[1])),)
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


def _entry(name: str, animal: Animal) -> CreatureEntry:
    """Return the row of an animal in the table of creatures."""
    limbs = {f"{leg} {side}": (f"{leg} {side} {animal.segments}",) for leg in animal.legs for side in SIDES}
    return CreatureEntry(
        name,
        f"{animal.summary}, whose walk evolved",
        partial(animal_world, name),
        SECONDS,
        limbs,
        "trunk",
        FALL_HEIGHT_FRACTION * animal.height,
        animal.height,
        stride_limb=f"{animal.legs[0]} left",
    )


ANIMAL_ENTRIES = tuple(_entry(name, animal) for name, animal in ANIMALS.items())
"""The rows of the animals in the table of creatures."""
