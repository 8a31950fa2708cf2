"""Phases of a plan from a film: which points touch the ground, and when."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from gambol.dynamics import kinematics
from gambol.figure import Figure
from gambol.plan.motion.guesses.film_motion import trajectory_of_film
from gambol.plan.motion.spec.phases import Phase, Point
from gambol.plan.motion.transcription.points import place_point
from gambol.world import Film


def phases_of_film(
    figure: Figure, film: Film, points: Sequence[Point], *, height: float = 0.0, tolerance: float = 1e-3, world: int = 0
) -> tuple[Phase, ...]:
    """Return the phases of a walk, with the points that touch level ground in each.

    figure: the figure of the film. points: the points that may touch. height: of the ground [m]. tolerance: distance
    from the ground below which a point touches it [m]. world: index of the film's world. A phase lasts from its first
    frame to the first one of the next. Phases are named by their number from 1. Raises PlanError as
    trajectory_of_film() does.
    """
    q = trajectory_of_film(figure, film, world).q
    state = kinematics(figure, list(q.T), [0.0] * figure.nv)
    placed = [place_point(figure, points, point.name) for point in points]
    heights = [np.broadcast_to(point.place(state).z, len(q)) - point.radius - height for point in placed]
    touching = [tuple(frame) for frame in (np.array(heights).T[:-1] < tolerance)]
    runs = [(contacts, len(list(frames))) for contacts, frames in groupby(touching)]
    ends = film.time[np.cumsum([0, *(count for _, count in runs)])]
    return tuple(
        Phase(str(k + 1), float(seconds), tuple(p.name for p, is_on in zip(points, contacts, strict=True) if is_on))
        for k, ((contacts, _), seconds) in enumerate(zip(runs, np.diff(ends), strict=True))
    )
