"""Terms about paths and wanted speeds, for motions in closed form; heights are measured from uneven ground."""

from dataclasses import replace

import numpy as np
import pytest
from trajectories import moved, trajectory_of

from gambol.evolve.fitness.terms import TERMS

POINTS = ((2.0, 0.0), (2.0, 3.0))


def value(term, trajectory, **options):
    return float(TERMS[term](trajectory, **options)[0])


@pytest.mark.parametrize("v", [0.2, 0.5, 0.8])
def test_a_desired_speed_scores_one_and_standing_still_nothing(v):
    still = trajectory_of()
    walk = moved(still, v * still.time)
    assert value("at_speed", walk, wanted=0.5) == pytest.approx(1.0 - abs(v - 0.5) / 0.5, abs=1e-12)
    assert value("at_speed", still, wanted=0.5) == pytest.approx(0.0, abs=1e-12)
    halves = moved(still, np.where(still.time < 4.0, 0.0, 2.0 * v * (still.time - 4.0)))
    assert value("at_speed", halves, wanted=v) == pytest.approx(0.0, abs=0.01)  # pauses, then twice as fast


def test_progress_along_a_path_is_in_metres_and_distance_from_it_is_taken_off():
    still = trajectory_of()
    v = 4.0 / still.time[-1]
    s = v * still.time
    on = moved(still, np.minimum(s, 2.0), np.maximum(s - 2.0, 0.0))
    assert value("along_path", on, points=POINTS) == pytest.approx(4.0, abs=1e-9)
    beside = moved(still, np.minimum(s, 1.5), 0.25)
    assert value("along_path", beside, points=POINTS) == pytest.approx(1.25, abs=1e-9)


@pytest.mark.parametrize("factor", [0.0, 0.5, 1.0, 1.5])
def test_a_path_at_a_desired_speed_scores_most_at_that_speed(factor):
    """s = k v t is worth d - 2 mean |k - 1| v t = d (1 - |k - 1|), for d = v T below the path's length."""
    still = trajectory_of()
    d = 0.2 * still.time[-1]
    walk = moved(still, factor * 0.2 * still.time)
    worth = value("along_path", walk, points=((4.0, 0.0),), speed=0.2)
    assert worth == pytest.approx(d * (1.0 - abs(factor - 1.0)), abs=1e-9)


@pytest.mark.parametrize("term", ["height", "low", "landed", "leap", "bounce"])
def test_heights_are_measured_from_the_ground(term):
    """Walking on a slope is no fall; the same motion above level ground and above a slope is worth the same."""
    still = trajectory_of()
    hop = moved(still, 0.0, z=0.1 * np.maximum(np.sin(3.0 * still.time), 0.0))
    hop = replace(hop, pushes=np.where(np.sin(3.0 * still.time)[:, None, None] > 0.0, 0.0, hop.pushes))
    rise = -0.3 * still.time
    slope = replace(moved(hop, still.time, z=rise), ground=rise[:, None])
    assert value(term, slope) == pytest.approx(value(term, hop), abs=1e-12)
    assert value(term, replace(slope, ground=0.0 * slope.ground)) != pytest.approx(value(term, hop), abs=1e-3)
