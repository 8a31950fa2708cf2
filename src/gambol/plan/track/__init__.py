"""A plan in the simulation: its film, a controller that follows it, and the tracking error."""

from gambol.plan.track.controller import Weights, tracking_pattern
from gambol.plan.track.deviation import Scales, scales_of, tracking_errors
from gambol.plan.track.film import trajectory_film
from gambol.plan.track.interpolation import sampled
from gambol.plan.track.linearisation import Surroundings, linearised
from gambol.plan.track.pattern import Reference, TrackingPattern
from gambol.plan.track.task import TrackingTask, tracking_world
from gambol.plan.track.track import Tracking, track, tracking_task

__all__ = [
    "Reference",
    "Scales",
    "Surroundings",
    "Tracking",
    "TrackingPattern",
    "TrackingTask",
    "Weights",
    "linearised",
    "sampled",
    "scales_of",
    "track",
    "tracking_errors",
    "tracking_pattern",
    "tracking_task",
    "tracking_world",
    "trajectory_film",
]
