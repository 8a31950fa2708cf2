"""Changes of gait of directed creatures: when a creature walks and when it trots, as chosen or by its speed.

A creature trots where its walk is not fast enough: it changes to the trot at the largest speed of its walk, and back at
BACK of the speed of its walk, so that it does not change to and fro at one speed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from gambol.errors import WorldError, did_you_mean
from gambol.gait import Responses, TimedValue
from gambol.gait.animals import TROT, WALK

TimedGait: TypeAlias = str | tuple[tuple[float, str], ...]
"""Name of a gait; several with colons, which change every CHANGE_INTERVAL; or pairs of time [s] and name."""

GAITS = (WALK, TROT)

CHANGE_INTERVAL = 4.0
"""Time between the gaits of a word such as "walk:trot:walk" [s]."""

BACK = 0.95
"""Fraction of the speed of its walk at which a creature that slows down walks again."""

EDGE = 1e-3
"""Time in which the command of a gait changes [s]: shorter than a control step."""


@dataclass(frozen=True, slots=True)
class SpeedRange:
    """Speeds of a gait [m/s]. own: without commands; top: the largest that can be commanded."""

    own: float
    top: float


def range_of(responses: Responses) -> SpeedRange:
    """Return the speeds of a gait with these responses."""
    return SpeedRange(responses.speed, responses.fastest * responses.speed)


def gait_names(gait: TimedGait) -> list[str]:
    """Return the names in an option "gait": a name, names with colons, or pairs of time [s] and name.

    Raises WorldError for anything else.
    """
    if isinstance(gait, str):
        return gait.split(":")
    try:
        return [name for _, name in gait]
    except (TypeError, ValueError) as error:
        raise WorldError(f"a gait cannot be {gait!r}; give a name, or pairs of time [s] and name") from error


def changes_of(gait: TimedGait) -> tuple[tuple[float, str], ...]:
    """Return a gait that changes in time as pairs of time [s] and name.

    Raises WorldError for unknown gaits, and for times that do not rise from 0.
    """
    pairs = (
        tuple((CHANGE_INTERVAL * k, name) for k, name in enumerate(gait.split(":"))) if isinstance(gait, str) else gait
    )
    for _, name in pairs:
        if name not in GAITS:
            raise WorldError(f'there is no gait "{name}"; {did_you_mean(name, GAITS)}')
    times = [time for time, _ in pairs]
    if not times or times[0] != 0.0 or any(not a < b for a, b in pairwise(times)):
        raise WorldError(f"the gaits begin at {times} s; give times that rise from 0")
    return pairs


def gaits_by_speed(speeds: tuple[tuple[float, float], ...], walk: SpeedRange) -> tuple[tuple[float, str], ...]:
    """Return the gaits of a creature that follows commanded speeds, as pairs of time [s] and name.

    speeds: pairs of time [s] and speed [m/s], between which the speed changes linearly. walk: speeds of the walk.
    """
    trots = speeds[0][1] > walk.top
    changes = [(0.0, GAITS[trots])]
    for (begin, slow), (end, fast) in pairwise(speeds):
        limit = BACK * walk.own if trots else walk.top
        if (fast < limit) if trots else (fast > limit):
            trots = not trots
            changes.append((begin + (end - begin) * max(0.0, (limit - slow) / (fast - slow)), GAITS[trots]))
    if len(changes) > 1 and changes[1][0] <= 0.0:
        del changes[0]
    return tuple(changes)


def timed_number(changes: Sequence[tuple[float, str]]) -> TimedValue:
    """Return pairs of time [s] and name of a gait as a timed value: 0 for a walk, 1 for a trot."""
    (_, first), *others = changes
    value = float(GAITS.index(first))
    knots = [(0.0, value)]
    for time, name in others:
        after = float(GAITS.index(name))
        knots += [(time, value), (time + EDGE, after)] if after != value else []
        value = after
    return tuple(knots)


def relative_speeds(
    speeds: Sequence[tuple[float, float]],
    changes: Sequence[tuple[float, str]],
    ranges: tuple[SpeedRange, SpeedRange],
    durations: tuple[float, float],
) -> tuple[tuple[float, float], ...]:
    """Return pairs of time [s] and speed, as a multiple of the gait's own speed at that time.

    In a change of gait the own speed changes linearly from that of one gait to that of the other, and so does the
    largest speed, to which commands are limited then. speeds: commands, pairs of time [s] and speed [m/s]. changes:
    pairs of time [s] and name of the gait. ranges: of walk and trot. durations: of a change to the trot, and of one
    back [s]. Raises WorldError for speeds that a gait does not have.
    """
    times, values = [0.0], [float(GAITS.index(changes[0][1]))]
    for time, name in changes[1:]:
        now, goal = float(np.interp(time, times, values)), float(GAITS.index(name))
        keep = [k for k, each in enumerate(times) if each < time]
        times, values = [times[k] for k in keep], [values[k] for k in keep]
        times += [time, time + max(EDGE, durations[goal < now] * abs(goal - now))]
        values += [now, goal]
    begins, commanded = [time for time, _ in speeds], [speed for _, speed in speeds]
    for speed in commanded:
        _check(speed, max(each.top for each in ranges), TROT)
    moments = sorted({*begins, *times, *(0.5 * (a + b) for a, b in pairwise(times))})
    found = list[tuple[float, float]]()
    for moment in moments:
        s = float(np.interp(moment, times, values))
        speed = float(np.interp(moment, begins, commanded))
        own, top = ((1.0 - s) * getattr(ranges[0], name) + s * getattr(ranges[1], name) for name in ("own", "top"))
        if s in (0.0, 1.0):
            _check(speed, top, GAITS[int(s)])
        found.append((moment, min(max(speed, 0.0), top) / own))
    return tuple(found)


def _check(speed: float, top: float, gait: str) -> None:
    if not -1e-9 <= speed <= top + 1e-9:
        raise WorldError(f"a speed of {speed:.3g} m/s is not possible; give 0 to {top:.3g} in a {gait}")
