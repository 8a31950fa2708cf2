"""Curves over time that are drawn by hand: in a CSV file, or as a line in an SVG file."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats.heights import read_rectangle
from gambol.script.svg_curve import svg_points

MAX_POINTS = 2000
"""Maximum number of points of a curve; each becomes a command."""


@dataclass(frozen=True)
class DrawnCurve:
    """A curve of straight pieces. time (N,) [s], from 0 and increasing; value (N,)."""

    time: NDArray[np.float64]
    value: NDArray[np.float64]

    def staircase(self, steps: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the starts [s] of equal steps, and the mean of the curve in each step, so that the integral is exact.

        steps: number of steps.
        """
        edges = np.asarray(np.linspace(0.0, self.time[-1], steps + 1), np.float64)
        times = np.union1d(edges, self.time)
        values = np.asarray(np.interp(times, self.time, self.value), np.float64)
        pieces = 0.5 * (times[1:] - times[:-1]) * (values[1:] + values[:-1])
        integral = np.asarray(np.interp(edges, times, np.concatenate([[0.0], np.cumsum(pieces)])), np.float64)
        return edges[:-1], (integral[1:] - integral[:-1]) / (edges[1:] - edges[:-1])


def read_curve(path: Path, seconds: float | None, low: float | None, high: float | None) -> DrawnCurve:
    """Return the curve in a file.

    path: .csv, with rows of time [s] and value; or .svg: its first polyline or path is the curve, in time from left to
    right. seconds, low, high: duration [s], smallest and largest value to which the curve is scaled; an SVG file needs
    them, and for a CSV file they may be None. Raises GambolError for a file without such a curve.
    """
    if path.suffix.lower() == ".svg":
        if seconds is None or low is None or high is None:
            raise GambolError(f'"{path.name}" has no units; give the duration [s], the smallest and the largest value')
        points = svg_points(path)
        x, y = points[:, 0], -points[:, 1]  # y is downwards in SVG
        if len(x) and x[-1] < x[0]:
            x, y = x[::-1], y[::-1]  # drawn from right to left
    elif path.suffix.lower() == ".csv":
        rows = read_rectangle(path, "curve file", "numbers, a row of time [s] and value for each point")
        if rows.shape[1] != 2:
            raise GambolError(f'"{path.name}" has {rows.shape[1]} columns; give two, time [s] and value')
        x, y = rows[:, 0], rows[:, 1]
    else:
        raise GambolError(f'"{path.name}" is not a curve; give a .csv or .svg file')
    if not 2 <= len(x) <= MAX_POINTS or not (np.diff(x) > 0.0).all():
        raise GambolError(
            f'the curve in "{path.name}" has {len(x)} points; give 2 to {MAX_POINTS}, each later than the one before'
        )
    time = (x - x[0]) * (1.0 if seconds is None else seconds / (x[-1] - x[0]))
    return DrawnCurve(time, _scaled(y, low, high))


def _scaled(values: NDArray[np.float64], low: float | None, high: float | None) -> NDArray[np.float64]:
    """Return values scaled to a range.

    Without a range they are unchanged; if all are equal, they become the middle of the range.
    """
    if low is None or high is None:
        return values
    span = float(values.max() - values.min())
    return low + (high - low) * ((values - values.min()) / span if span else np.full(len(values), 0.5))
