"""The uneven ground of a task: plain data that a run stores, the same ground from it, and errors for other data."""

import math
from dataclasses import replace

import numpy as np
import orjson
import pytest

from gambol.errors import EvolveError
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import Task, task_named
from gambol.evolve.tasks.terrain import MAX_HEIGHTS, Heights, Hills, Slope, grid_of

BUMPS = np.random.default_rng(1).uniform(0.0, 0.1, (40, 30))
DATA = [
    {"slope": math.radians(10.0)},
    {"hills": 0.1, "wavelength": 0.6, "seed": 3},
    {"heights": BUMPS.tolist(), "spacing": 0.25, "name": "bumps.csv"},
]


@pytest.mark.parametrize("data", DATA, ids=lambda data: next(iter(data)))
def test_a_run_stores_the_ground_exactly(data):
    settings = Settings(options={"task": {"ground": data, "start": [0.5, -1.0, 0.3]}})
    stored = task_of(Settings.of_plain(orjson.loads(orjson.dumps(settings.plain()))))
    task = task_of(settings)
    assert stored == task
    assert repr(stored) == repr(task)
    assert task.start == (0.5, -1.0, 0.3)
    assert Task.from_data(orjson.loads(orjson.dumps(task.as_data()))) == task
    np.testing.assert_array_equal(grid_of(stored.ground).heights, task.ground.grid().heights)


def test_a_slope_rises_by_its_angle_and_heights_lie_around_the_origin():
    slope = Slope(math.radians(10.0)).grid()
    point = slope.surface(slope.numbers(), slope.table(), 3.0, 1.0)
    assert point.height == pytest.approx(3.0 * math.tan(math.radians(10.0)), rel=1e-12)
    grid = Heights(BUMPS, 0.25).grid()
    assert grid.surface(grid.numbers(), grid.table(), -39 * 0.125, 29 * 0.125).height == pytest.approx(BUMPS[0, -1])
    hills = Hills(0.1, 0.6, 3).grid()
    assert hills.heights.max() == 0.1
    assert hills.surface(hills.numbers(), hills.table(), 0.2, 0.1).height == 0.0


def test_rollouts_on_other_heights_are_cached_apart():
    """Thousands of heights differ in one: equality and the text of the cache see it."""
    high = np.zeros((60, 60))
    high[59, 59] = 1e-9
    one, other = Heights(np.zeros((60, 60)), 0.1), Heights(high, 0.1)
    assert one != other
    assert repr(one) != repr(other)
    assert one == Heights([[0.0] * 60] * 60, 0.1)
    assert hash(one) == hash(Heights([[0.0] * 60] * 60, 0.1))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ground": {"slope": 1.0}}, "a slope of 57.2958 degrees is too steep; give -45 to 45"),
        ({"ground": {"slope": "steep"}}, 'the ground of task "walk"'),
        ({"ground": {"hills": -0.1, "wavelength": 0.6}}, "hills cannot have a height of -0.1 m; give more than 0"),
        ({"ground": {"hills": 0.1}}, "missing 1 required positional argument: 'wavelength'"),
        ({"ground": {"heights": [[0.0, 1.0]], "spacing": 0.1}}, "at least 2 x 2 heights"),
        ({"ground": {"heights": [[0.0, 1.0], [0.0]], "spacing": 0.1}}, 'the ground of task "walk"'),
        ({"ground": {"heights": np.zeros((2, 1 + MAX_HEIGHTS // 2)), "spacing": 0.1}}, "is too large for a run"),
        ({"ground": {"dunes": 1}}, 'has a ground of dunes; give {"slope": 0.2}'),
        ({"ground": "hills"}, "has the ground 'hills'; give"),
        ({"start": [0.0, 1.0]}, "starts at \\[0.0, 1.0\\]; give x and y in metres and a heading in radians"),
        ({"start": [0.0, 1.0, math.nan]}, "starts at"),
    ],
)
def test_an_invalid_ground_is_an_error(changes, message):
    with pytest.raises(EvolveError, match=message):
        task_named("walk", **changes)


def test_creatures_that_float_have_no_ground():
    with pytest.raises(EvolveError, match="has a medium, in which creatures float; leave out its ground"):
        replace(task_named("swim"), ground=Slope(0.1))
