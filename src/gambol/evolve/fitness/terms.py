"""The terms of fitness: functions that return one number for each rollout of a trajectory; lengths in body lengths.

A term depends on the motion only, never on the genes. Motion before the first sample does not count.
"""

from collections.abc import Callable

import numpy as np

from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.fitness.natural import NATURAL_TERMS, at_froude
from gambol.evolve.fitness.paths import along, along_path
from gambol.evolve.fitness.trajectory import Array, Trajectory

Term = Callable[..., Array]

MIN_FULL_CRAWL_LOAD = 0.3
"""Minimum load on links other than the feet at which crawl() counts the full speed, as a fraction of the weight."""

MAX_OVERLAP = 0.25
"""Overlap above which limbs count as intersecting, as a fraction of the thinner limb's radius; smaller overlaps are
allowed, since flesh is soft."""

MAX_AIRBORNE_LOAD = 1e-3
"""Load below which a creature counts as airborne, as a fraction of its weight."""

MAX_LOAD_CORRECTION = 2.0
"""The largest factor by which the sampled loads of a rollout are corrected: sampling errors are not larger."""

LANDING_SECONDS = 0.5
"""The duration at the end of a rollout in which the landing of a leap is measured [s]."""


def distance(trajectory: Trajectory) -> Array:
    """Return the distance covered along x, the initial heading [body lengths]."""
    return trajectory.path[-1, :, 0]


def speed(trajectory: Trajectory) -> Array:
    """Return the mean speed along the initial heading in the slowest quarter of the rollout [body lengths/s]."""
    return trajectory.quarter_speeds.min(axis=0)


def pace(trajectory: Trajectory) -> Array:
    """Return the mean speed along the initial heading [body lengths/s]."""
    return distance(trajectory) / trajectory.duration


def at_speed(trajectory: Trajectory, *, wanted: float) -> Array:
    """Return a score of the speed along the initial heading: 1 if it always is the desired speed, 0 at rest.

    wanted: desired speed [m/s]. The score is 1 - mean |v - wanted| / wanted, over the mean speeds v in the quarters of
    the rollout.
    """
    speeds = trajectory.quarter_speeds * trajectory.length
    return 1.0 - np.ascontiguousarray(np.abs(speeds - wanted).T).mean(axis=1) / wanted


def straightness(trajectory: Trajectory) -> Array:
    """Return distance from start to end / length of the path: 1 on a straight line, 0 on a closed path.

    The path is sampled once in a second, so swaying within a stride does not count.
    """
    samples_per_second = max(1, round(1.0 / float(trajectory.time[1] - trajectory.time[0])))
    points = trajectory.path[::samples_per_second]
    path_length = np.linalg.norm(np.diff(points, axis=0), axis=2).sum(axis=0)
    chord = np.linalg.norm(points[-1] - points[0], axis=1)
    return chord / np.maximum(path_length, 1e-9)


def ahead(trajectory: Trajectory) -> Array:
    """Return the mean cosine between the trunk's x axis and the initial heading."""
    return trajectory.forward[..., 0].mean(axis=0)


def upright(trajectory: Trajectory) -> Array:
    """Return the mean cosine between the trunk's z axis and the vertical."""
    return trajectory.up[..., 2].mean(axis=0)


def height(trajectory: Trajectory) -> Array:
    """Return the mean height of the trunk above the ground, relative to its standing height."""
    return (trajectory.root_height / trajectory.standing_height).mean(axis=0)


def leap(trajectory: Trajectory) -> Array:
    """Return the maximal rise of the centre of mass above the ground since the start [body lengths]."""
    return (trajectory.centre_height.max(axis=0) - trajectory.centre_height[0]) / trajectory.length


def landed(trajectory: Trajectory) -> Array:
    """Return the mean of (trunk height / standing height) times the cosine of the tilt, in the last half second.

    1: it stands; 0: it lies on its back or side; in between: it crouches. Earlier leaps do not matter.
    """
    in_landing = trajectory.time > trajectory.time[-1] - LANDING_SECONDS
    height = np.clip(trajectory.root_height[in_landing] / trajectory.standing_height, 0.0, 1.0)
    return (height * np.maximum(trajectory.up[in_landing][..., 2], 0.0)).mean(axis=0)


def low(trajectory: Trajectory) -> Array:
    """Return the mean of max(1 - trunk height / standing height, 0): 0 for standing, near 1 for lying."""
    return np.maximum(1.0 - trajectory.root_height / trajectory.standing_height, 0.0).mean(axis=0)


def flight(trajectory: Trajectory) -> Array:
    """Return the fraction of time in which the creature does not touch the ground.

    It is counted at the samples. For hops, a count at 30 samples a second differs from a count at every control step by
    0.01 (rms), at most by 0.035.
    """
    load = trajectory.pushes.sum(axis=2) + trajectory.elsewhere
    return (load < MAX_AIRBORNE_LOAD * trajectory.mass * STANDARD_GRAVITY).mean(axis=0)


def bounce(trajectory: Trajectory) -> Array:
    """Return the mean over time of the height gained in flights [body lengths].

    The height in the air is counted from the mean height of the centre of mass while the creature loads the ground;
    without a flight, the result is 0. This distinguishes high hops from many short flights with the same total time: a
    flight of T seconds rises by g T^2 / 8.
    """
    load = trajectory.pushes.sum(axis=2) + trajectory.elsewhere
    loaded = load >= MAX_AIRBORNE_LOAD * trajectory.mass * STANDARD_GRAVITY
    height = trajectory.centre_height
    standing = np.where(loaded, height, 0.0).sum(axis=0) / np.maximum(loaded.sum(axis=0), 1)
    gained = np.where(loaded, 0.0, np.maximum(height - standing, 0.0)).mean(axis=0)
    return np.where(loaded.any(axis=0), gained, 0.0) / trajectory.length


def dragging(trajectory: Trajectory) -> Array:
    """Return the mean load on links other than the feet, as a fraction of the weight."""
    return _load_on_other_links(trajectory).mean(axis=0)


def crawl(trajectory: Trajectory) -> Array:
    """Return the mean speed along x, counted only while links other than the feet bear weight [body lengths/s].

    At loads above MIN_FULL_CRAWL_LOAD the full speed counts, below it a proportional part. Lying still, and walking
    before a fall, count 0.
    """
    fraction = np.clip(_load_on_other_links(trajectory) / MIN_FULL_CRAWL_LOAD, 0.0, 1.0)
    steps = np.diff(trajectory.path[..., 0], axis=0)
    return (steps * 0.5 * (fraction[1:] + fraction[:-1])).sum(axis=0) / trajectory.duration


def _load_on_other_links(trajectory: Trajectory) -> Array:
    """Return the load on links other than the feet, as a fraction of the weight (T, W).

    Samples are instantaneous loads; their mean over a rollout is 0.6 to 1.3 times the true mean. So loads are scaled to
    the mean that follows from the motion of the centre of mass, m (g + (v1 - v0) / t): v0 and v1 are its vertical
    velocities between the first two and the last two samples, t is the time from v0 to v1. The error of the fraction
    that the feet bear remains; it is a half to a seventh of the original error.
    """
    weight = trajectory.mass * STANDARD_GRAVITY
    mean_sampled = (trajectory.pushes.sum(axis=2) + trajectory.elsewhere)[1:-1].mean(axis=0) / weight
    vertical_speed = np.diff(trajectory.centre[..., 2], axis=0) / np.diff(trajectory.time)[:, None]
    acceleration = (vertical_speed[-1] - vertical_speed[0]) / (
        0.5 * (trajectory.time[-1] + trajectory.time[-2] - trajectory.time[1] - trajectory.time[0])
    )
    true_mean = 1.0 + acceleration / STANDARD_GRAVITY
    return (
        trajectory.elsewhere
        / weight
        * np.clip(
            true_mean / np.maximum(mean_sampled, MAX_AIRBORNE_LOAD), 1.0 / MAX_LOAD_CORRECTION, MAX_LOAD_CORRECTION
        )
    )


def slip(trajectory: Trajectory) -> Array:
    """Return the work of friction / (friction coefficient x weight x distance covered).

    It is 1 for a body that is dragged along on its belly, and 0 for wheels. Distances below a tenth of a body length
    count as a tenth.
    """
    slid = trajectory.ledger_change("sliding") / np.maximum(
        trajectory.friction * trajectory.mass * STANDARD_GRAVITY, 1e-12
    )
    return slid / np.maximum(np.abs(distance(trajectory)) * trajectory.length, 0.1 * trajectory.length)


def transport(trajectory: Trajectory) -> Array:
    """Return the cost of transport: work of the motors / (weight x distance).

    Distances below a tenth of a body length count as a tenth.
    """
    covered = np.maximum(distance(trajectory), 0.1) * trajectory.length
    return trajectory.ledger_change("motors") / (trajectory.mass * STANDARD_GRAVITY * covered)


def tangle(trajectory: Trajectory) -> Array:
    """Return the fraction of time in which limbs overlap by more than a quarter of the thinner limb's radius."""
    return (trajectory.limb_overlap > MAX_OVERLAP).mean(axis=0)


TERMS: dict[str, Term] = {
    "at_speed": at_speed,
    "distance": distance,
    "speed": speed,
    "pace": pace,
    "straightness": straightness,
    "ahead": ahead,
    "upright": upright,
    "height": height,
    "leap": leap,
    "landed": landed,
    "low": low,
    "flight": flight,
    "bounce": bounce,
    "dragging": dragging,
    "crawl": crawl,
    "slip": slip,
    "transport": transport,
    "tangle": tangle,
    "along": along,
    "along_path": along_path,
    "at_froude": at_froude,
    **NATURAL_TERMS,
}
"""All terms of gambol by name."""
