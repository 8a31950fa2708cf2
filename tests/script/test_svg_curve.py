"""Transforms of SVG files: the matrices of the standard, composed from the outermost element inward."""

import numpy as np
import pytest

from gambol.script.svg_curve import svg_points

SQUARE = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)])


def transformed(tmp_path, outer: str, inner: str = "") -> np.ndarray:
    path = tmp_path / "c.svg"
    path.write_text(
        f'<svg><g transform="{outer}"><g/><polyline transform="{inner}" points="0,0 2,0 2,1"/></g></svg>',
        encoding="utf-8",
    )
    return svg_points(path)


# The examples of CSS Transforms 1 and SVG 1.1, section 7.5: rotate(90) takes (1, 0) to (0, 1), downwards.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(0, 0), (2, 0), (2, 1)]),
        ("translate(5)", [(5, 0), (7, 0), (7, 1)]),
        ("translate(5, -3)", [(5, -3), (7, -3), (7, -2)]),
        ("scale(2)", [(0, 0), (4, 0), (4, 2)]),
        ("scale(-1 3)", [(0, 0), (-2, 0), (-2, 3)]),
        ("rotate(90)", [(0, 0), (0, 2), (-1, 2)]),
        ("rotate(90, 1 1)", [(2, 0), (2, 2), (1, 2)]),
        ("skewX(45)", [(0, 0), (2, 0), (3, 1)]),
        ("skewY(45)", [(0, 0), (2, 2), (2, 3)]),
        ("matrix(1 2 3 4 5 6)", [(5, 6), (7, 10), (10, 14)]),
        ("translate(50,90), rotate(90) scale(2)", [(50, 90), (50, 94), (48, 94)]),
    ],
)
def test_transforms_are_those_of_the_standard(text, expected, tmp_path):
    np.testing.assert_allclose(transformed(tmp_path, text), expected, atol=1e-12)
    np.testing.assert_allclose(transformed(tmp_path, "", text), expected, atol=1e-12)


def test_the_outer_transform_acts_last(tmp_path):
    np.testing.assert_allclose(
        transformed(tmp_path, "translate(10)", "scale(3)"), SQUARE * 3.0 + np.array([10.0, 0.0]), atol=1e-12
    )
    np.testing.assert_allclose(
        transformed(tmp_path, "scale(3)", "translate(10)"), (SQUARE + np.array([10.0, 0.0])) * 3.0, atol=1e-12
    )
