"""The motion of a walk as arrays, and its whole strides."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import GambolError
from gambol.gait.natural.steady_gait import SteadyGait
from gambol.gait.stances import MIN_DURATION, beginnings, without_brief_changes

Array = NDArray[np.float64]

MIN_STRIDES = 2
"""Minimum number of whole strides from which a gait is measured."""

STANDING_SPEED = 0.4
"""A foot stands, although nothing pushes it, only if it moves over the ground more slowly than this multiple of the
speed of the walk: the threshold with which the feet of the reference dog were found to stand."""

MAX_PAIR_DISTANCE = 0.1
"""Two feet are a pair if their mean positions along the path differ by less than this fraction of the height."""


@dataclass(frozen=True)
class WalkMotion:
    """The motion of a walk over level ground. F frames, feet of n links; vectors in world axes.

    name: for errors. time (F,) [s]. root (F, 3): position of the root link [m]. centre (F, 3): centre of mass [m].
    trunk (F, 3, 3): rotation of the root link. links: rotations (F, 3, 3) of links by name. feet: names of the links.
    foot_positions (F, n, 3): lowest point of each foot [m]. load (F, n): normal force of the ground [N]. weight [N].
    reach: height below which a slow foot stands although nothing pushes it, as a fraction of the height of the trunk
    above the ground; 0: only feet that are pushed stand. slid (F - 1, n): distance that the material of each foot moved
    along the ground from each frame to the next [m]; power (F,): positive power of all motors [W]; force (F, n, 3):
    force of the ground on each foot [N]; each None if not known.
    """

    name: str
    time: Array
    root: Array
    centre: Array
    trunk: Array
    links: Mapping[str, Array]
    feet: tuple[str, ...]
    foot_positions: Array
    load: Array
    weight: float
    reach: float = 0.0
    slid: Array | None = None
    power: Array | None = None
    force: Array | None = None


def whole_strides(motion: WalkMotion) -> SteadyGait:
    """Return the whole strides of a walk.

    Strides begin with the landings of the foot that lands most regularly, mostly the hindmost left foot. Raises
    GambolError for a motion without a foot that bears weight, with the trunk below the feet, and for fewer than two
    whole strides.
    """
    total = motion.load.sum()
    if not total > 0.0:
        raise GambolError(f'film "{motion.name}" shows no foot that bears weight, so it has no strides')
    ground = float((motion.foot_positions[..., 2] * motion.load).sum() / total)
    height = float(motion.root[:, 2].mean()) - ground
    if not height > 0.0:
        raise GambolError(f'film "{motion.name}" shows a trunk below its feet, so its gait cannot be measured')
    brief = MIN_DURATION * (height / STANDARD_GRAVITY) ** 0.5
    stands = (motion.load > 0.0) | _rests(motion, ground, height)
    stance = np.stack([without_brief_changes(on, motion.time, brief) for on in stands.T], axis=1)
    axes = _axes_of_path(motion.centre)
    mean_positions = ((motion.foot_positions - motion.centre[:, None]) @ axes.T).mean(axis=0)
    edges = _edges(motion, stance, mean_positions)
    return _strides(motion, axes, stance, edges, mean_positions, height)


def _rests(motion: WalkMotion, ground: float, height: float) -> NDArray[np.bool_]:
    """Return True for feet that are near the ground and slow (F, n). ground, height: of the trunk above it [m]."""
    if not motion.reach:
        return np.zeros(motion.load.shape, np.bool_)
    velocity = np.gradient(motion.foot_positions[..., :2], motion.time, axis=0)
    way = motion.centre[-1, :2] - motion.centre[0, :2]
    speed = float(np.hypot(*way)) / float(motion.time[-1] - motion.time[0])
    near = motion.foot_positions[..., 2] - ground < motion.reach * height
    return near & (np.linalg.norm(velocity, axis=-1) < STANDING_SPEED * speed)


def _axes_of_path(centre: Array) -> Array:
    """Return axes along the direction from start to end, to the left, and up, as rows (3, 3). centre (F, 3) [m]."""
    x, y = centre[-1, :2] - centre[0, :2]
    length = float(np.hypot(x, y)) or 1.0
    c, s = x / length, y / length
    return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


def _edges(motion: WalkMotion, stance: NDArray[np.bool_], mean_positions: Array) -> NDArray[np.intp]:
    """Return the landings of the foot that lands most regularly; of equally regular feet, of the hindmost left foot.

    mean_positions (n, 3): mean positions of the feet relative to the centre of mass, in axes of the path [m].
    """
    landings = [beginnings(stance[:, k]) for k in range(len(mean_positions))]
    most = max(map(len, landings))
    if most <= MIN_STRIDES:
        raise GambolError(
            f'film "{motion.name}" has {max(0, most - 1)} whole strides after its first quarter; a gait is measured of '
            f"{MIN_STRIDES} or more: film it for longer"
        )

    def irregularity(k: int) -> tuple[float, bool, float]:
        periods = np.diff(motion.time[landings[k]])
        return round(float(periods.std() / periods.mean()), 2), mean_positions[k, 1] < 0.0, float(mean_positions[k, 0])

    return landings[min((k for k in range(len(landings)) if len(landings[k]) > MIN_STRIDES), key=irregularity)]


def _strides(
    motion: WalkMotion,
    axes: Array,
    stance: NDArray[np.bool_],
    edges: NDArray[np.intp],
    mean_positions: Array,
    height: float,
) -> SteadyGait:
    """Return the strides between the first and the last edge."""
    part = slice(int(edges[0]), int(edges[-1]) + 1)
    stands = stance[part]
    return SteadyGait(
        time=motion.time[part],
        centre=motion.centre[part] @ axes.T,
        trunk=axes @ motion.trunk[part],
        links={name: axes @ R[part] for name, R in motion.links.items()},
        feet=motion.feet,
        foot_positions=motion.foot_positions[part] @ axes.T,
        stance=stands,
        load=motion.load[part],
        slide=None
        if motion.slid is None
        else _slides(motion.slid[part.start : part.stop - 1], stands & (motion.load[part] > 0.0)),
        power=None if motion.power is None else motion.power[part],
        force=None if motion.force is None else motion.force[part] @ axes.T,
        edges=edges - edges[0],
        pairs=_pairs(mean_positions, height),
        weight=motion.weight,
        height=height,
    )


def _slides(slid: Array, pushed: NDArray[np.bool_]) -> Array:
    """Return the distance that each foot slid while the ground pushed it (n,) [m].

    slid (F - 1, n): motion between frames [m]. pushed (F, n): True for a foot that stands and is pushed.
    """
    return np.where(pushed[1:] & pushed[:-1], slid, 0.0).sum(axis=0)


def _pairs(mean_positions: Array, height: float) -> tuple[tuple[int, ...], ...]:
    """Return the indices of the feet of each pair from the front to the back, left before right.

    mean_positions (n, 3): mean positions of the feet relative to the centre of mass, in axes of the path [m].
    """
    order = sorted(range(len(mean_positions)), key=lambda k: -float(mean_positions[k, 0]))
    pairs: list[list[int]] = []
    for k in order:
        near = pairs and mean_positions[pairs[-1][0], 0] - mean_positions[k, 0] < MAX_PAIR_DISTANCE * height
        if near and len(pairs[-1]) < 2 and mean_positions[pairs[-1][0], 1] * mean_positions[k, 1] < 0.0:
            pairs[-1].append(k)
        else:
            pairs.append([k])
    return tuple(tuple(sorted(pair, key=lambda k: -float(mean_positions[k, 1]))) for pair in pairs)
