"""Margins of stability: the formula of wave gaits against polygons of support, and polygons against known ones."""

import numpy as np
import pytest

from gambol.errors import WorldError
from gambol.gait import longitudinal_margin, sequence_of, support_margin, wave_gait, wave_gait_margin
from gambol.gait.enumeration import is_creeping
from gambol.gait.stability import SAMPLES, convex_hull

CORNERS = ((0.5, 0.4), (-0.5, 0.4), (0.5, -0.4), (-0.5, -0.4))
"""Feet of a quadruped, of pitch 1: front left, hind left, front right, hind right."""


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("duty", [0.55, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95])
@pytest.mark.parametrize("stroke", [0.3, 1.0, 1.5, 2.0])
def test_the_formula_is_the_least_margin_of_the_polygons(ranks: int, duty: float, stroke: float):
    left, right = wave_gait(ranks, duty)
    ahead = [0.5 * (ranks - 1) - m for m in range(ranks)]
    feet = [(x, y) for y in (0.4, -0.4) for x in ahead]
    margin = longitudinal_margin(left + right, [duty] * (2 * ranks), feet, stroke / duty)
    formula = wave_gait_margin(ranks, duty, 1.0, stroke)
    if formula < 0.0:
        assert margin == -np.inf
    else:
        assert margin == pytest.approx(formula, abs=stroke / duty / SAMPLES)  # what a foot moves between two samples


def test_a_crawl_has_a_margin_of_its_duty_factor_less_three_quarters_of_a_stride():
    """McGhee and Frank 1968."""
    for duty in (0.8, 0.9):
        assert wave_gait_margin(2, duty, 1.0, duty * 0.5) == pytest.approx(0.5 * (duty - 0.75))


def test_no_creeping_gait_of_a_quadruped_is_more_stable_than_the_crawl():
    duty, stride, random = 0.8, 0.6, np.random.default_rng(2)
    best = wave_gait_margin(2, duty, 1.0, duty * stride)
    creeping = 0
    for _ in range(300):
        order, gaps = random.permutation(3) + 1, random.dirichlet(np.ones(4)) * (1.0 - 4.0 * (1.0 - duty))
        offsets = np.zeros(4)
        offsets[order] = np.cumsum(1.0 - duty + gaps[:3])
        creeping += is_creeping(sequence_of(offsets.tolist(), [duty] * 4))
        assert longitudinal_margin(offsets.tolist(), [duty] * 4, CORNERS, stride) <= best + stride / SAMPLES
    assert creeping == 300


def test_margins_of_poses():
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    assert support_margin(square, (0.5, 0.7)) == pytest.approx(0.3)
    assert support_margin(square, (2.0, 2.0)) == pytest.approx(-np.sqrt(2.0))
    assert support_margin(square[:2], (0.5, 0.2)) == pytest.approx(-0.2)
    assert support_margin(square[:1], (3.0, 4.0)) == pytest.approx(-5.0)
    assert support_margin([], (0.0, 0.0)) == -np.inf


def test_the_hull_has_all_points_on_its_left():
    points = np.random.default_rng(3).standard_normal((50, 2)).tolist()
    hull = np.array(convex_hull([(x, y) for x, y in points]))
    edges = np.roll(hull, -1, axis=0) - hull
    offsets = np.array(points)[:, None] - hull
    assert (edges[:, 0] * offsets[..., 1] - edges[:, 1] * offsets[..., 0] >= -1e-12).all()


def test_impossible_numbers_are_refused():
    with pytest.raises(WorldError, match="two or more pairs"):
        wave_gait(1, 0.8)
    with pytest.raises(WorldError, match="twice the pitch"):
        wave_gait_margin(3, 0.8, 1.0, 2.1)
    with pytest.raises(WorldError, match="as many feet"):
        longitudinal_margin([0.0, 0.5], [0.8, 0.8], CORNERS, 1.0)
