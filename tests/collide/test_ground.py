"""Level ground."""

import math

import pytest

from gambol.collide import Plane
from gambol.errors import WorldError


def test_depth_below_a_plane_is_the_height_missing():
    plane = Plane(0.3)
    surface = plane.surface(plane.numbers(), plane.table(), 12.0, -7.0)
    assert list(surface.normal) == [0.0, 0.0, 1.0]
    assert surface.depth(0.1) == pytest.approx(0.2)
    assert surface.depth(0.5) == pytest.approx(-0.2)
    assert plane.highest(plane.numbers(), None, 0.0, 0.0, 5.0) == 0.3


@pytest.mark.parametrize("height", [math.nan, math.inf])
def test_a_plane_nowhere_is_refused(height: float):
    with pytest.raises(WorldError, match="height"):
        Plane(height)
