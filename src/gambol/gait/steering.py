"""Steering: rate of turn, length and direction of the strokes, walking sideways, and a leaning trunk, in any mixture.

A sum of changes is added to every target of a motor command, see stroke.py. Strokes are scaled about their middles;
with a negative factor the creature walks backward. Turns and steps sideways move the ends of the strokes by the legs'
Jacobians, so that legs on the inner side of a turn have shorter strokes. When walking backward, the wave of steps runs
from front to hind.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeAlias

from gambol.errors import WorldError
from gambol.gait.ground_path import GroundPath, arc_length_beside, following_turn, path_errors, path_point, wrapped
from gambol.gait.modifier import GaitModifier, ModifierInput
from gambol.gait.oscillator import GaitTimes
from gambol.gait.stroke import Changes
from gambol.lanes import Scalar, atan2, clamp, minimum, where

TimedValue: TypeAlias = float | tuple[tuple[float, float], ...]
"""A number, or pairs of time [s] and value, between which it changes linearly."""

COMMANDS = ("stroke", "sideways", "turn", "lean", "slowness")
"""The commands of steering, in the order of its memory."""


@dataclass(frozen=True, slots=True)
class PathFollowing:
    """Following of a path by a figure with a free root.

    root: index of the root's first coordinate. speed: speed of the creature in its fastest gait [m/s]. reach: distance
    in which an error of position should vanish [m]. lag: time in which an error of heading should vanish [s]: at least
    a stride. turn: largest requested rate of turn [rad/s]. bank: angle by which the trunk leans inward, per rate of
    turn [s]; bank_limit: largest such angle [rad].
    """

    path: GroundPath
    root: int = 0
    speed: float = 0.1
    reach: float = 0.03
    lag: float = 0.2
    turn: float = 2.0
    bank: float = 0.02
    bank_limit: float = 0.05

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that may differ between worlds."""
        names = ("speed", "reach", "lag", "turn", "bank", "bank_limit")
        return {"path": self.path.numbers()} | {name: getattr(self, name) for name in names}

    def commands(self, numbers: Mapping[str, Any], own: Mapping[str, Scalar], q: Sequence[Scalar]) -> dict[str, Scalar]:
        """Return the rate of turn, the lean and the slowness that follow the path, and the position on it.

        numbers: in the structure of numbers(). own: the stroke, and the position in the control step before. q:
        coordinates of the figure. The position consists of along: arc length [m]; left: distance to the left of the
        path [m]; astray: heading minus the heading of the path [rad]. When walking backward, the heading is the
        direction of motion. The path's curvature is taken at the position of the creature after half the lag.
        """
        sign = where(own["stroke"] < 0.0, -1.0, 1.0)
        x, y = q[self.root + 4 : self.root + 6]
        return self.at(numbers, own["along"], (x, y), heading_of(q[self.root : self.root + 4], sign))

    def at(
        self, numbers: Mapping[str, Any], along: Scalar, place: tuple[Scalar, Scalar], heading: Scalar
    ) -> dict[str, Scalar]:
        """Return the same as commands().

        along: arc length in the control step before [m]. place: position [m]. heading: direction of motion [rad].
        """
        along = arc_length_beside(numbers["path"], along, *place)
        near = path_point(numbers["path"], along)
        left, astray = path_errors(near, *place, heading)
        ahead = minimum(along + 0.5 * numbers["lag"] * numbers["speed"], numbers["path"]["length"])
        bend = path_point(numbers["path"], ahead).curvature
        turn = following_turn(replace(near, curvature=bend), (left, astray), numbers)
        lean = -clamp(numbers["bank"] * turn, -numbers["bank_limit"], numbers["bank_limit"])
        slowness = 1.0 / near.speed
        if self.path.stops:
            ended = along >= numbers["path"]["length"]
            turn, lean, slowness = where(ended, 0.0, turn), where(ended, 0.0, lean), where(ended, STANDSTILL, slowness)
        return {"turn": turn, "lean": lean, "slowness": slowness, "along": along, "left": left, "astray": astray}


STANDSTILL = 1e6
"""Factor of the cycle with which no leg steps for hours."""

FAR = 1e3
"""A length that no stroke reaches [m]."""

PLACE = ("along", "left", "astray")
"""The memory of steering, besides commands, if it follows a path."""


@dataclass(frozen=True, slots=True)
class HeadingHold:
    """Steering by a compass: the heading of a figure with a free root follows the commanded rate of turn.

    root: index of the root's first coordinate. lag: time in which an error of heading should vanish [s]: at least a
    stride. turn: largest rate of turn to correct an error [rad/s].
    """

    root: int = 0
    lag: float = 0.2
    turn: float = 1.5

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that may differ between worlds."""
        return {"lag": self.lag, "turn": self.turn}

    def commands(
        self, numbers: Mapping[str, Any], own: Mapping[str, Scalar], q: Sequence[Scalar], turn: Scalar, dt: Scalar
    ) -> dict[str, Scalar]:
        """Return the rate of turn, and the target heading.

        numbers: in the structure of numbers(). own: the target heading in the control step before; "walking" is True
        once the gait has begun: until then, the target is the present heading. q: coordinates of the figure. turn:
        commanded rate of turn [rad/s]. dt: length of the control step [s].
        """
        heading = heading_of(q[self.root : self.root + 4], 1.0)
        target = where(own["walking"], own["heading"] + turn * dt, heading)
        correction = clamp(wrapped(target - heading) / numbers["lag"], -numbers["turn"], numbers["turn"])
        return {"turn": turn + correction, "heading": target}


def heading_of(quaternion: Sequence[Scalar], sign: Scalar) -> Scalar:
    """Return the direction of a root's x axis on the ground [rad]; sign: -1 for the opposite direction, else 1."""
    w, i, j, k = quaternion
    return atan2(sign * 2.0 * (i * j + w * k), sign * (1.0 - 2.0 * (j * j + k * k)))


@dataclass(frozen=True)
class Steering(GaitModifier):
    """Steering of a gait.

    changes: changes of the targets of all commands, see command_changes(). stroke: length of the strokes, as a multiple
    of that of the motor programs; -1 is backward. sideways: velocity to the left [m/s]; turn: rate of turn to the left
    [rad/s]; lean: angle of the trunk about its x axis, its left side up [rad]. slowness: factor of the cycle, at least
    1. turn_yield, spot_turn_yield, backward_turn_yield, sideways_yield: achieved rate / commanded rate, by which
    commands are divided; that of turns is linear in the stroke between backward, on the spot and forward, and by
    default the same. It is 1 if feet do not slip and joints do not yield. turn_limit [rad], sideways_limit [m]: largest
    changes of the strokes in a stance. holding: holding of the heading, or None. following: following of a path, which
    adds to the commands, or None. Raises WorldError for impossible values.
    """

    changes: Changes
    stroke: TimedValue = 1.0
    sideways: TimedValue = 0.0
    turn: TimedValue = 0.0
    lean: TimedValue = 0.0
    slowness: TimedValue = 1.0
    turn_yield: float = 1.0
    spot_turn_yield: float | None = None
    backward_turn_yield: float | None = None
    sideways_yield: float = 1.0
    turn_limit: float = 0.5
    sideways_limit: float = math.inf
    holding: HeadingHold | None = None
    following: PathFollowing | None = None

    def __post_init__(self) -> None:
        for name in COMMANDS:
            check_timed(f"the {name} of steering", getattr(self, name))
        if min(knots(self.slowness)["values"]) < 1.0:
            raise WorldError(f"a slowness of {self.slowness} means steps faster than the tripod gait; give 1 or more")
        names = (
            "turn_yield",
            "spot_turn_yield",
            "backward_turn_yield",
            "sideways_yield",
            "turn_limit",
            "sideways_limit",
        )
        for name in names:
            if getattr(self, name) is not None and not getattr(self, name) > 0.0:
                raise WorldError(f"the {name} of steering is {getattr(self, name)}; give more than 0")

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The coordinates of the figure, to hold a heading or follow a path."""
        return ("q",) if self.following or self.holding else ()

    def with_root(self, root: int) -> "Steering":
        """Return the same steering of a figure in a forest; root: index of its root's first coordinate."""
        holding, following = (one and replace(one, root=root) for one in (self.holding, self.following))
        return replace(self, holding=holding, following=following)

    def numbers(self) -> dict[str, Any]:
        """Return the commands as times and values, the changes of targets, and the numbers of the path."""
        commands = {name: knots(getattr(self, name)) for name in COMMANDS}
        following = {"following": self.following.numbers()} if self.following else {}
        following |= {"holding": self.holding.numbers()} if self.holding else {}
        turn_yields = (self.backward_turn_yield, self.spot_turn_yield, self.turn_yield)
        scales = {
            "turn": {"yields": [y or self.turn_yield for y in turn_yields], "limit": self.turn_limit},
            "sideways": {"yields": [self.sideways_yield] * 3, "limit": min(self.sideways_limit, FAR)},
        }
        return {"commands": commands, "changes": _columns(self.changes), "scales": scales, **following}

    def memory(self) -> dict[str, Scalar]:
        """Return the commands at the start by name, and the position on the path."""
        commands: dict[str, Scalar] = {name: knots(getattr(self, name))["values"][0] for name in COMMANDS}
        held: dict[str, Scalar] = {"heading": 0.0} if self.holding else {}
        return commands | held | (dict.fromkeys(PLACE, 0.0) if self.following else {})

    def structure(self) -> tuple[Any, ...]:
        """Return its name, the counts of timed values of the commands, and the number of samples of the path."""
        one = self.following
        following = (one.root, len(one.path.x), *(["stops"] if one.path.stops else [])) if one else ()
        holding = self.holding.root if self.holding else None
        return ("steering", holding, [len(knots(getattr(self, name))["values"]) for name in COMMANDS], following)

    def remembered(self, now: ModifierInput) -> dict[str, Scalar]:
        """Return the commands now, by name, and the position on the path."""
        commands = {name: value_at(now.numbers["commands"][name], now.senses.time) for name in COMMANDS}
        if self.holding:
            own = now.own | {"walking": now.walking}
            commands |= self.holding.commands(now.numbers["holding"], own, now.senses.q, commands["turn"], now.dt)
        if not self.following:
            return commands
        own = now.own | {"stroke": commands["stroke"]}
        for name, value in self.following.commands(now.numbers["following"], own, now.senses.q).items():
            commands[name] = value if name in PLACE else COMBINED[name](commands[name], value)
        return commands

    def times(self, now: ModifierInput) -> GaitTimes:
        """Return the times of the gait, with longer cycles if it is slowed down."""
        return replace(now.times, cycle=now.times.cycle * now.own["slowness"])

    def phase(self, now: ModifierInput, leg: int, phase: Scalar) -> Scalar:
        """Return the phase of a leg's oscillator; when walking backward, the front leg steps first."""
        ranks, rank = 1 + max(each.rank for each in now.legs), now.legs[leg].rank
        backward = clamp(0.5 * (1.0 - now.own["stroke"]), 0.0, 1.0)
        return phase + backward * float(ranks - 1 - 2 * rank) * now.times.delay / now.times.cycle

    def target(self, now: ModifierInput, leg: int, program: str, command: int, goal: Scalar) -> Scalar:
        """Return the target of a motor command with all changes."""
        change, own = now.numbers["changes"][program][leg][command], now.own
        return (
            goal
            + change[0] * (own["stroke"] - 1.0)
            + change[1] * self._in_stance(now, "sideways")
            + change[2] * self._in_stance(now, "turn")
            + change[3] * own["lean"]
        )

    def _in_stance(self, now: ModifierInput, command: str) -> Scalar:
        """Return the distance [m] or angle [rad] by which feet should move in a stance, within its limit."""
        scale = now.numbers["scales"][command]
        backward, spot, forward = scale["yields"]
        stroke = clamp(now.own["stroke"], -1.0, 1.0)
        achieved = spot + where(stroke > 0.0, stroke * (forward - spot), -stroke * (backward - spot))
        displacement = now.own[command] / achieved * now.times.stance
        return clamp(displacement, -scale["limit"], scale["limit"])


COMBINED: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
    "turn": lambda given, path: given + path,
    "lean": lambda given, path: given + path,
    "slowness": lambda given, path: given * path,
}
"""The functions that combine a given command with the command of a path."""


def value_at(timed: Mapping[str, Sequence[Scalar]], time: Scalar) -> Scalar:
    """Return a timed value at a time [s]. timed: result of knots()."""
    times, values = timed["times"], timed["values"]
    value = values[0]
    for k in range(1, len(values)):
        passed = clamp((time - times[k - 1]) / (times[k] - times[k - 1]), 0.0, 1.0)
        value = value + passed * (values[k] - values[k - 1])
    return value


def check_timed(subject: str, value: TimedValue) -> None:
    """Raise WorldError for a command that is not finite, or with times that do not increase. subject: its name."""
    pairs = knots(value)
    if not pairs["values"]:
        raise WorldError(f"{subject} has no values; give a number, or pairs of time and value")
    if not all(math.isfinite(x) for x in (*pairs["times"], *pairs["values"])):
        raise WorldError(f"{subject} is {value}; give finite numbers")
    if any(later <= earlier for earlier, later in pairwise(pairs["times"])):
        raise WorldError(f"the times of {subject} are {pairs['times']} s; each must be later than the one before")


def knots(value: TimedValue) -> dict[str, list[float]]:
    """Return the times and the values of a timed value, as inputs of a program."""
    pairs = value if isinstance(value, tuple) else ((0.0, value),)
    return {"times": [t for t, _ in pairs], "values": [x for _, x in pairs]}


def _columns(changes: Changes) -> dict[str, Any]:
    return {
        program: [[[c.stroke, c.sideways, c.turn, c.lean] for c in commands] for commands in legs]
        for program, legs in changes.items()
    }
