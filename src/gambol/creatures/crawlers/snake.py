"""The snake: lateral undulation, sidewinding, concertina and swimming by waves of yaw and pitch along its body.

Form, friction of the scales, servos and waves are ours, except in sidewinding: its delay of 0.58 rad from joint to
joint and a quarter turn between yaw and pitch are taken from a model of 14 joints [XiaoJian923/Snake_Robot_Gait].
Miller's snake consists of masses and springs [Miller 1988], ours of rigid segments with servos. Speeds of Miller's and
Hirose's snakes were not found.
"""

import math
from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from gambol.collide import Ground
from gambol.contact import ContactMethod
from gambol.creatures.colors import SNAKE_COLORS
from gambol.creatures.crawlers.body import Body, profile
from gambol.creatures.crawlers.crawler_entry import crawler_entry
from gambol.creatures.crawlers.crawler_world import (
    STEP,
    WATER,
    Strength,
    Surroundings,
    check_gait,
    crawler_world,
    period_at,
)
from gambol.creatures.crawlers.steered_waves import SteeredWaves
from gambol.creatures.crawlers.waves import Wave, WaveLaw
from gambol.errors import WorldError
from gambol.figure import AnisotropicFriction
from gambol.gait import GroundPath, TimedValue
from gambol.gait.course import CourseLimits, course_of
from gambol.world import Push, World

SEGMENTS = 16
LENGTH = 1.0
"""Length of the body [m], that of a grass snake."""

SCALES = AnisotropicFriction(forward=0.15, backward=0.3, sideways=0.6)
"""Friction of the belly, in ratios of 1 : 2 : 4, which are ours."""

RADIUS = 0.018
"""Half the width of the thickest part [m]; with the form below the snake weighs 0.7 kg."""

OUTLINE = profile([(0.0, 0.55 * RADIUS), (0.1, 0.7 * RADIUS), (0.35, RADIUS), (0.6, RADIUS), (1.0, 0.2 * RADIUS)])

BODY = Body(
    SEGMENTS,
    LENGTH,
    OUTLINE,
    SCALES,
    joints=("yaw", "pitch"),
    head=(1.6 * RADIUS, 0.95 * RADIUS, 0.6 * RADIUS),
    colors=SNAKE_COLORS,
)

SERVOS = {"yaw": Strength(12.0, 0.05), "pitch": Strength(12.0, 0.05)}
"""Servos so stiff that the body follows the waves within a tenth: the torque of friction at a joint is up to 0.5 N m.
"""


TOP_BEND = 0.12
"""Largest mean angle of the joints [rad]: a circle with 0.4 of a body length as its radius, at 0.9 of the speed."""

TURN_SHARE = 0.75
"""Largest commanded rate of turn, as a fraction of that at the largest mean angle; the rest corrects errors."""

CYCLES = 2.0
"""Time in which an error of heading should vanish [periods]: with a shorter one it reacts to its own waves."""


@dataclass(frozen=True, slots=True)
class SnakeGait:
    """A gait.

    waves: waves of yaw and pitch. period [s]. stride: measured distance per period [m]. swims: True in water. step:
    time step of its world [s]. bend: measured mean angle of the joints at which it turns by 1 rad/s in a period of 1 s;
    0 if it does not turn.
    """

    waves: tuple[Wave, ...]
    period: float
    stride: float
    swims: bool = False
    step: float = STEP
    bend: float = 0.0


STILL = Wave("pitch", 0.0, 0.0)

SNAKE_GAITS = {
    "lateral-undulation": SnakeGait((Wave("yaw", 0.55, 1.5), STILL), 1.0, 0.214, bend=0.173),
    "sidewinding": SnakeGait(
        (Wave("yaw", 0.5, 1.4), Wave("pitch", 0.12, 1.4, phase=0.5 * math.pi)), 1.5, 0.39, step=0.5 * STEP
    ),
    "concertina": SnakeGait((Wave("yaw", 1.1, -0.5, form="envelope", standing=2.0), STILL), 2.0, 0.034),
    "swim": SnakeGait((Wave("yaw", 0.35, 1.2), STILL), 0.8, 0.153, swims=True, bend=0.24),
}
"""The snake's gaits. Amplitudes are angles between neighbouring segments [rad]. Sidewinding lifts and lands segments;
its steps are shorter, since the unaccounted energy is proportional to them."""


def snake_world(
    *,
    gait: str = "lateral-undulation",
    speed: float | None = None,
    amplitude: float | None = None,
    waves: float | None = None,
    surroundings: Surroundings | None = None,
    body: Body = BODY,
    turn: TimedValue = 0.0,
    path: GroundPath | ArrayLike | None = None,
) -> World:
    """Return the world of a snake.

    gait: gait of SNAKE_GAITS. speed: requested speed [m/s], which sets the period; None: the speed of the gait's
    period. amplitude: amplitude of yaw [rad]; waves: number of waves on the body; None: the waves of the gait.
    surroundings: None for level ground. body: its form. turn: rate of turn to the left [rad/s]. path: a path to follow,
    or its points, see GroundPath; both are for lateral undulation and swimming. Raises WorldError for a gait that it
    does not have, and for impossible numbers.
    """
    check_gait("snake", gait, SNAKE_GAITS)
    row, around = SNAKE_GAITS[gait], surroundings or Surroundings()
    yaw, pitch = row.waves
    yaw = replace(yaw, amplitude=yaw.amplitude if amplitude is None else amplitude)
    if waves is not None:
        yaw = replace(yaw, waves=waves)
        pitch = replace(pitch, waves=waves if pitch.amplitude else 0.0)
    period = period_at(speed, row.period, row.stride)
    law: WaveLaw | SteeredWaves = WaveLaw((yaw, pitch), body.segments - 1, period)
    if row.bend:
        limits = CourseLimits(TURN_SHARE * TOP_BEND / (row.bend * period), 0.0, body.length, CYCLES * period)
        course = course_of(limits, row.stride / period, turn, path)
        law = SteeredWaves(law, body.middle, row.bend, TOP_BEND, CYCLES, course=course)
    elif turn != 0.0 or path is not None:
        turning = ", ".join(name for name, other in SNAKE_GAITS.items() if other.bend)
        raise WorldError(f"a snake does not turn in {gait}; gaits in which it turns are {turning}")
    if row.swims:
        around, body = replace(around, medium=around.medium or WATER), replace(body, flat=False)
    return crawler_world("snake", body, law, SERVOS, around, row.step)


def _make_snake(
    *,
    gait: str = "lateral-undulation",
    speed: float | None = None,
    ground: Ground | None = None,
    slope: float = 0.0,
    contact: ContactMethod | str = "stepping",
    push: Push | None = None,
    turn: TimedValue = 0.0,
    path: GroundPath | ArrayLike | None = None,
) -> World:
    around = Surroundings(ground, contact, push, slope)
    return snake_world(gait=gait, speed=speed, surroundings=around, turn=turn, path=path)


def _course_speed(world: World) -> float:
    law = getattr(world.controller, "law", None)
    assert isinstance(law, SteeredWaves)
    assert law.course.following is not None
    return law.course.following.speed


SNAKE = crawler_entry(
    "snake",
    "a snake of 16 segments with scales: waves of yaw and pitch along its body, after Miller and Hirose",
    _make_snake,
    BODY,
    gaits=tuple(SNAKE_GAITS),
    course_speed=_course_speed,
)
"""The row of the snake."""
