"""The responses of a stride's waves to commands of speed, turn and style, by inverse kinematics.

A foot at (x, y) of a trunk that moves at v and turns at w stands on the ground if it moves by -(v - w y, w x) in the
trunk's axes. The waves of many speeds and turns are fitted by the quadratic of gait/directed.py; without a command the
fit is exact.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.control.patterns import Balanced, BalancedWave, Wave
from gambol.dynamics import kinematics
from gambol.evolve.genotype.anatomy import placed_freedoms, segment_name
from gambol.evolve.genotype.body import Body, Limb, spines_of
from gambol.evolve.genotype.genotype import Control
from gambol.evolve.genotype.walking.control import pattern_of_waves
from gambol.evolve.genotype.walking.leg import Leg
from gambol.evolve.genotype.walking.stride import Stride
from gambol.evolve.genotype.walking.styles import LAME_DUTY, STYLES, Style, lame, styled, with_speed
from gambol.evolve.genotype.walking.walker import Walker, walker_of
from gambol.evolve.genotype.walking.waves import is_in_front, leg_waves, wave_without_foot
from gambol.gait.commanded_waves import Responses
from gambol.lanes import where
from gambol.spatial import Vector

SPEEDS = (0.4, 1.1)
"""The speed below which strides shrink, and the largest, as fractions of that of the walk. Above it most animals
fall."""

MAX_TURN_DISPLACEMENT = 0.04
"""The largest displacement of a foot during a stance that a turn may need, as a fraction of the trunk's height."""

FITTED_SPEEDS, FITTED_TURNS = (0.4, 0.55, 0.7, 0.85, 1.0, 1.1), (-1.0, -0.5, 0.0, 0.5, 1.0)
"""Speeds (as fractions of that of the walk) and rates of turn (as fractions of the largest) at which waves are
computed."""

LAME_NOD = 0.5
"""Amplitude of the head's motion above a sore foot, as a fraction of the reach of its joints."""

SMALL_ANGLE, MIN_RISE = 0.01, 0.02
"""A joint turns the end of a limb sideways, neither up nor down, if a rotation from -SMALL_ANGLE to SMALL_ANGLE [rad]
changes the height of the end by less than MIN_RISE SMALL_ANGLE h, where h is the height of the trunk."""

NO_STYLE = Style()


@dataclass(frozen=True)
class Command:
    """Commands, whose values may be arrays (W,).

    speed: as a fraction of that of the stride. turn: to the left, as a fraction of the largest rate of turn.
    """

    speed: Any = 1.0
    turn: Any = 0.0
    style: Style = NO_STYLE


def responses_of(body: Body, control: Control, turn: float = 1.0) -> Responses:
    """Return the responses of the waves of a body with a control of kind "stride".

    turn: largest rate of turn, as a fraction of that of MAX_TURN_DISPLACEMENT.
    """
    walker, stride = walker_of(body), Stride(*control.values)
    max_turn = turn * _max_turn(walker, stride)
    grid = [(v, w) for v in FITTED_SPEEDS for w in FITTED_TURNS if (v, w) != (1.0, 0.0)]
    commands = [Command(), *(Command(v, w) for v, w in grid), *(Command(style=style) for style in STYLES.values())]
    neutral, *numbers = _numbers(walker, stride, control, _stacked(commands), max_turn).T
    changes = np.array(numbers) - neutral
    terms = np.array([(v - 1.0, w, (v - 1.0) ** 2, (v - 1.0) * w, w * w) for v, w in grid])
    fit = np.linalg.pinv(terms) @ changes[: len(grid)]  # least squares
    rows = tuple(tuple(row) for row in np.concatenate([fit, changes[len(grid) :]]).tolist())
    return Responses(tuple(STYLES), rows, float(neutral[1]), *SPEEDS, max_turn)


def _stacked(commands: Sequence[Command]) -> Command:
    """Return several commands as one, with arrays."""
    columns = (np.array([getattr(command.style, item.name) for command in commands]) for item in fields(Style))
    return Command(
        np.array([command.speed for command in commands]),
        np.array([command.turn for command in commands]),
        Style(*columns),
    )


def _max_turn(walker: Walker, stride: Stride) -> float:
    """Return the largest rate of turn [rad/s], see MAX_TURN_DISPLACEMENT."""
    feet = [leg.foot(leg.middle).position for leg in walker.legs]
    reach = max(max(abs(float(foot.x)), abs(float(foot.y))) for foot in feet)
    return float(MAX_TURN_DISPLACEMENT * walker.height * stride.frequency / (stride.duty * reach))


def _numbers(
    walker: Walker, stride: Stride, control: Control, command: Command, max_turn: float
) -> NDArray[np.float64]:
    """Return the numbers of the waves for commands (rows, W), in the order of Responses.rows.

    max_turn: the largest rate of turn [rad/s].
    """
    stride = styled(with_speed(stride, command.speed), command.style)
    left = _pattern(walker, stride, control, command.turn * max_turn, command.style).numbers()
    without_lameness = replace(command.style, lame=0.0 * command.turn)
    right = _pattern(walker, stride, control, -command.turn * max_turn, without_lameness).numbers()
    rows = [left["frequency"], left["speed"]]
    for k, is_left in enumerate(_is_left(walker.body)):
        side = left if is_left else right
        rows += [side["offset"][k], *side["sine"][k], *side["cosine"][k]]
    return np.array(np.broadcast_arrays(*rows), dtype=float)


def _is_left(body: Body) -> Iterator[bool]:
    """Yield True for each actuator on the left or in the middle, False for one on the right, in the order of links."""
    for limb in body.limbs:
        for side in limb.sides:
            for segment in limb.segments:
                yield from (side != "right" for _ in segment.freedoms)


def _pattern(walker: Walker, stride: Stride, control: Control, turn: Any, style: Style) -> Balanced:
    """Return the pattern of a body whose right legs would move like its left ones. turn: to the left [rad/s]."""
    last = len(walker.legs) - 1
    waves = {
        n: [_head_or_tail(walker, n, stride, style, joint) for joint in range(len(limb.freedoms))]
        for n, limb in enumerate(walker.body.limbs)
    }
    for number, leg in enumerate(walker.legs):
        leg_stride = lame(stride, style.lame) if number == last else stride
        waves[leg.limb] = leg_waves(walker, leg, number, *_turned(walker, leg, leg_stride, number, turn))
    return pattern_of_waves(walker, stride, control, waves)


def _turned(walker: Walker, leg: Leg, stride: Stride, number: int, turn: Any) -> tuple[Stride, Any]:
    """Return the stride of a left leg in a turn, and the displacement to the left of its foot during a stance [h].

    number: index of its pair, from the hindmost. turn: rate of turn of the trunk to the left [rad/s].
    """
    foot, h, stance = leg.foot(leg.middle).position, walker.height, stride.duty / stride.frequency
    x = float(foot.x) + h * (stride.shift + stride.spread * number / max(1, len(walker.legs) - 1))
    return replace(stride, travel=stride.travel - stance * turn * float(foot.y) / h), stance * turn * x / h


def _head_or_tail(walker: Walker, number: int, stride: Stride, style: Style, joint: int) -> BalancedWave:
    """Return the wave of a joint of a head or a tail in a style; a head rises while a sore foot stands.

    number: index of the limb; the wave of a spine has no style.
    """
    body, limb = walker.body, walker.body.limbs[number]
    unstyled = wave_without_foot(body, number, stride, joint)
    if number in spines_of(body):
        return unstyled
    is_head, lowering = is_in_front(body, limb), _lowering(walker, limb, joint)
    offset = unstyled.wave.offset + lowering * (style.head if is_head else style.tail)
    amplitudes, phases = unstyled.wave.amplitudes, unstyled.wave.phases
    if is_head and lowering:
        nods = style.lame > 0.0
        middle = (len(walker.legs) - 1) * stride.lag + 0.5 * (stride.duty - LAME_DUTY)
        amplitudes = (where(nods, LAME_NOD, amplitudes[0]), *amplitudes[1:])
        phases = (where(nods, 0.5 + 0.25 * lowering - middle, phases[0]), *phases[1:])
    return replace(unstyled, wave=Wave(offset, amplitudes, phases))


def _lowering(walker: Walker, limb: Limb, joint: int) -> float:
    """Return the sign of the signal of a joint that lowers the end of a limb, 0 for a joint that turns it sideways."""
    placed = [p for p in placed_freedoms(walker.body) if p.limb is limb][joint]
    figure = walker.creature.figure
    end = figure.link(segment_name(placed.chain, len(limb.segments) - 1)).index
    tip = Vector(0.0, 0.0, -float(limb.segments[-1].length))

    def height(angle: float) -> float:
        angles = dict(walker.creature.angles) | {placed.link: walker.creature.angles[placed.link] + angle}
        state = kinematics(figure, [*walker.creature.q[:7], *angles.values()], [0.0] * figure.nv)
        return float(state.point_position(end, tip).z)

    rise = height(SMALL_ANGLE) - height(-SMALL_ANGLE)
    return 0.0 if abs(rise) < MIN_RISE * SMALL_ANGLE * walker.height else math.copysign(1.0, -rise)
