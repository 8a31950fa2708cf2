"""Contour lines of uneven ground: round distances apart, and none where ground is level at 0."""

import numpy as np
import pytest

from gambol.view.scene.look import MIN_CONTOURS, contour_levels, contour_step


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.004), (-0.3, 1.7), (5.0, 6.0), (-12.0, -11.9)])
def test_contour_lines_are_evenly_spread_between_the_lowest_and_the_highest_point(low, high):
    levels = contour_levels(low, high)
    assert MIN_CONTOURS - 1 <= len(levels) <= 3 * MIN_CONTOURS
    np.testing.assert_allclose(np.diff(levels), contour_step(low, high))
    assert low < min(levels)
    assert max(levels) < high
    assert min(abs(level) for level in levels) > 0.4 * contour_step(low, high)
