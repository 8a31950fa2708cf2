"""Pictures of courses seen from above: where the roaches went."""

import math
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

from gambol.formats import atomic_write
from validation.courses.course import Walked, headings

COLUMNS = 4
POINTS, ARROWS = 300, 10
"""Smallest number of points of a trail, and of its arrows, which show the heading."""

INK, LOST, COURSE = "#2c5f8a", "#c0392b", "#b8b8b8"


def write_trails(walked: Walked, file: Path, scale: float) -> None:
    """Write a picture with one panel for each course: trail of the trunk, headings, and the path.

    scale: units of the picture in a metre, 100 for cm and 1 for m.
    """
    count = len(walked.outcomes)
    figure, panels = plt.subplots(
        math.ceil(count / COLUMNS), COLUMNS, figsize=(9.0, 2.1 * math.ceil(count / COLUMNS)), squeeze=False
    )
    thin = slice(None, None, max(1, len(walked.film.time) // POINTS))
    place, heading = walked.film.position[thin, :, 0, :2] * scale, headings(walked.film)[thin]
    every = max(1, len(place) // ARROWS)
    for k, outcome in enumerate(walked.outcomes):
        panel = panels.flat[k]
        if walked.lines:
            panel.plot(*(np.asarray(walked.lines[k]).T * scale), color=COURSE, linewidth=4.0)
        x, y = place[:, k].T
        panel.plot(x, y, color=INK if outcome.walked else LOST, linewidth=1.2)
        panel.quiver(
            x[::every], y[::every], np.cos(heading[::every, k]), np.sin(heading[::every, k]),
            color=INK if outcome.walked else LOST, angles="xy", scale=18, width=0.008, headwidth=3,
        )  # fmt: skip
        panel.set_aspect("equal", adjustable="datalim")
        panel.set_title(f"{k}: {outcome.failure or 'walked'}", fontsize=7)
        panel.tick_params(labelsize=6)
    figure.supxlabel({100.0: "cm", 1.0: "m"}[scale], fontsize=7)
    figure.tight_layout()
    with atomic_write(file) as beside:
        figure.savefig(beside, format="svg", metadata={"Date": None})
    plt.close(figure)
