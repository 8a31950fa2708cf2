"""A picture of a planned motion: its poses beside each other, above its torques and contact forces over time."""

import warnings
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import printable
from gambol.formats import atomic_write
from gambol.view.camera import FollowCamera
from gambol.view.opengl import RenderWarning, can_render
from gambol.view.scene import look
from gambol.view.stage import Image, Stage
from gambol.view.strobe import strobe
from gambol.world.film import Film

WIDTH, HEIGHT = 1920, 560  # pixels of the poses
SHEET_WIDTH, PLOT_HEIGHT, TITLE_HEIGHT = 12.8, 2.4, 0.4  # [in]
CAMERA = FollowCamera(-90.0, 10.0, nearest=0.5)  # from the right, a little above, near enough to fill the picture
MAX_NAMES = 12
"""Maximum number of lines with a name in the legend of a plot; with more lines the legend would be taller than the
plot."""


def write_effort_picture(film: Film, path: str | Path, names: Sequence[str] = (), contacts: Sequence[str] = ()) -> Path:
    """Write a picture (.png): poses of the first world with arrows of forces, and plots of the forces over time.

    film: film with the signals "torques" (F, W, freedoms) [N m or N] and, with ground contact, "contact_forces" (F, W,
    contacts, 3) [N]. If there are two worlds, the second is the simulation, drawn with thin lines. names: names of the
    freedoms; torques that are always 0 are left out. contacts: names of the points of contact. Without OpenGL the poses
    are left out, with a RenderWarning. Returns the path. Raises GambolError for a film with nothing to draw.
    """
    image = None
    if can_render():
        image = _poses(film)
    else:
        warnings.warn(f"{Path(path).name}: no OpenGL here, so the poses are left out", RenderWarning, 2)
    plots = [row for row in (_torques(film, names), _ground_forces(film, contacts)) if row[1]]
    heights = [SHEET_WIDTH * HEIGHT / WIDTH] * (image is not None) + [PLOT_HEIGHT] * len(plots)
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(SHEET_WIDTH, sum(heights) + TITLE_HEIGHT), facecolor="white", layout="constrained"
    )
    title: dict[str, Any] = {"fontsize": 14, "fontweight": "bold", "color": look.INK, "parse_math": False}
    figure.suptitle(printable(film.name), x=0.008, ha="left", **title)
    axes = iter(figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0]) if heights else iter(())
    if image is not None:
        panel = next(axes)
        panel.set_axis_off()
        panel.imshow(image)
    for label, lines in plots:
        _draw(next(axes), film.time, label, lines)
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=150)
    return Path(path)


def _poses(film: Film) -> Image:
    with Stage(strobe(film), WIDTH, HEIGHT, camera=CAMERA) as stage:
        stage.pose(0)
        stage.aim(0)
        return stage.screenshot()


Line = tuple[str, NDArray[np.float64]]


def _torques(film: Film, names: Sequence[str]) -> tuple[str, list[Line]]:
    """Return the label and the lines (F, W) of the torques that are not always 0."""
    torques = film.signals.get("torques", np.zeros((len(film.time), film.worlds, 0)))
    used = [k for k in range(torques.shape[2]) if torques[..., k].any()]
    lines = [(names[k] if k < len(names) else f"freedom {k}", torques[..., k]) for k in used]
    return "torques and forces of motors [N m, N]", lines


def _ground_forces(film: Film, names: Sequence[str]) -> tuple[str, list[Line]]:
    """Return the label and the lines (F, W) of the vertical forces of contact."""
    forces = film.signals.get("contact_forces", np.zeros((len(film.time), film.worlds, 0, 3)))
    count = forces.shape[2]
    lines = [(names[k] if k < len(names) else f"contact {k}", forces[..., k, 2]) for k in range(count)]
    return "upward forces of the ground [N]", lines


def _draw(axes: Any, time: NDArray[np.float64], label: str, lines: Sequence[Line]) -> None:
    for k, (name, values) in enumerate(lines):
        color = f"C{k % 10}"
        axes.plot(time, values[:, 0], color=color, linewidth=1.6, label=printable(name))
        for world in range(1, values.shape[1]):
            axes.plot(time, values[:, world], color=color, linewidth=0.7, alpha=0.7)
    axes.axhline(0.0, color=look.GRID, linewidth=0.8, zorder=0)
    axes.set_xlim(time[0], time[-1])
    axes.set_title(label, loc="left", fontsize=10, color=look.INK)
    axes.set_xlabel("time [s]")
    if len(lines) <= MAX_NAMES:
        axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
