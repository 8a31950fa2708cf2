"""Paths on the ground that are drawn by hand: in a CSV file, or as a line in an SVG file."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats.heights import read_rectangle
from gambol.gait import GroundPath
from gambol.script.svg_curve import svg_points


def read_ground_path(path: Path, width: float | None) -> GroundPath:
    """Return the smooth curve through the points in a file.

    path: .csv, with rows of x, y [m] and perhaps the speed, see GroundPath; or .svg: its first polyline or path, in the
    order in which it was drawn, seen from above. width: extent of the curve along the wider of both directions, to
    which a drawing is scaled [m]; None for a CSV file. Its first point is then the origin. Raises GambolError for a
    file without such a curve.
    """
    if path.suffix.lower() == ".csv":
        return GroundPath.through(read_rectangle(path, "path file", "numbers, a row x, y for each point"))
    if path.suffix.lower() != ".svg":
        raise GambolError(f'"{path.name}" is not a path; give a .csv or .svg file')
    if width is None or not width > 0.0:
        raise GambolError(f'"{path.name}" has no units; give the width of the path [m]')
    points = _distinct(svg_points(path) * [1.0, -1.0])  # y is downwards in SVG
    extent = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    if extent == 0.0:
        raise GambolError(f'the path in "{path.name}" has no two points; draw a line')
    return GroundPath.through((points - points[0]) * (width / extent))


def _distinct(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points without repetitions of the one before."""
    return points[np.r_[True, (np.diff(points, axis=0) != 0.0).any(axis=1)]] if len(points) else points
