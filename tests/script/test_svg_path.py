"""Paths of SVG files: their points lie on the curves of the standard, by closed forms."""

import cmath
import math

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.script.svg_path import CHORD_TOLERANCE, path_points


def points(text):
    return np.array(path_points(text, "c.svg, line 1"))


def test_lines():
    expected = [1 + 2j, 3 + 4j, 5 + 4j, 5 + 3j, 0, 1 - 1j, 9 - 1j, 9 + 8j, 1 + 2j]
    np.testing.assert_allclose(points("M1 2 3 4h2v-1L0,0l1-1H9V8z"), expected)


def test_a_quadratic_curve_is_a_parabola():
    """Control points (0, 0), (1, 2), (2, 0) with x linear in the parameter: y = x (2 - x)."""
    z = points("M0 0Q1 2 2 0")
    np.testing.assert_allclose(z.imag, z.real * (2.0 - z.real), atol=1e-12)
    x = np.linspace(0.0, 2.0, 1001)
    chords = np.interp(x, z.real, z.imag)
    assert np.abs(chords - x * (2.0 - x)).max() < CHORD_TOLERANCE * math.hypot(1.0, 2.0)


def test_a_cubic_curve_with_equidistant_controls_is_a_cubic_function():
    """x = 3 t, and y by Bernstein's polynomials, here of t^3 on [0, 1]: controls 0, 0, 0, 1."""
    z = points("M0,0c1,0,2,0,3,1")
    np.testing.assert_allclose(z.imag, (z.real / 3.0) ** 3, atol=1e-12)
    assert len(z) > 10


def test_smooth_commands_continue_with_the_reflected_control():
    np.testing.assert_allclose(points("M0 0C1 2 2 3 3 0S5-3 6 0"), points("M0 0C1 2 2 3 3 0C4 -3 5 -3 6 0"))
    np.testing.assert_allclose(points("M0 0q1 2 2 0t2 0t2 0"), points("M0 0Q1 2 2 0Q3 -2 4 0Q5 2 6 0"))
    np.testing.assert_allclose(points("M0 0L1 1T2 0"), points("M0 0L1 1Q1 1 2 0"))


@pytest.mark.parametrize("large", [0, 1])
@pytest.mark.parametrize("sweep", [0, 1])
def test_arcs_lie_on_their_ellipse(large: int, sweep: int):
    """The ellipse with radii 5 and 3, turned by 30 degrees, about an independent centre, between two of its points."""
    turn, centre = cmath.rect(1.0, math.radians(30.0)), 2.0 - 1.0j
    start, end = (centre + turn * complex(5.0 * math.cos(t), 3.0 * math.sin(t)) for t in (0.4, 2.0))
    z = points(f"M{start.real} {start.imag}A5 3 30 {large}{sweep}{end.real} {end.imag}")
    local = (z - centre) / turn
    radius = (local.real / 5.0) ** 2 + (local.imag / 3.0) ** 2
    is_on_it = (large, sweep) in ((0, 1), (1, 0))  # the other two arcs belong to the ellipse mirrored at the chord
    assert (np.abs(radius - 1.0).max() < 1e-9) == is_on_it
    other = start + end - centre
    mirrored = (z - other) / turn
    assert is_on_it or np.abs((mirrored.real / 5.0) ** 2 + (mirrored.imag / 3.0) ** 2 - 1.0).max() < 1e-9
    angles = np.unwrap(np.angle((local.real / 5.0) + 1j * (local.imag / 3.0)))
    span = angles[-1] - angles[0]
    if is_on_it:
        assert span == pytest.approx(1.6 if sweep else 1.6 - 2.0 * math.pi)


def test_an_arc_with_small_radii_is_a_half_ellipse():
    z = points("M0 0A1 1 0 0 1 6 0")
    np.testing.assert_allclose(np.abs(z - 3.0), 3.0, atol=1e-12)
    assert z.imag.min() == pytest.approx(-3.0, rel=1e-2)  # clockwise on a screen with y downward


def test_arcs_without_radius_are_lines():
    np.testing.assert_allclose(points("M0 0A0 1 0 0 1 6 2"), [0, 6 + 2j])


@pytest.mark.parametrize("text", ["1 2", "M0 0X1 2", "M0 0L1", "M0 0A1 1 0 2 0 3 3", "M0 0Z 4 5"])
def test_other_texts_are_errors(text: str):
    with pytest.raises(GambolError, match=r"c\.svg, line 1: the path has"):
        points(text)
