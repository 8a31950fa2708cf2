"""The oscillators of a gait during a motion: stepping pattern, dials of the oscillators, and two views of the figure.

The layout is that of the diagrams in McKenna's film [McKenna 1990, figure 12 and animations 2 to 4].
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.view.camera import FollowCamera
from gambol.view.filmstrip import HEIGHT, WIDTH
from gambol.view.opengl import require_render
from gambol.view.pattern import draw_pattern
from gambol.view.scene import look
from gambol.view.scene.legs import legs_by_side, stepping_of
from gambol.view.stage import Image, Stage
from gambol.world.film import Film

Array = NDArray[np.float64]

FLASH = 0.12
"""Time for which a dial is white after its oscillator has triggered a step, as a fraction of the cycle."""

VIEWS = ((-90.0, 12.0), (0.0, 62.0))
"""Azimuth from the heading and elevation of the two cameras [deg]: from the right, and from the front and above."""

SHEET = (12.0, 7.2)
"""Width and height of a picture [in]."""

DIAL_GAP, DIAL_RADIUS = 2.4, 0.9
"""Distance of neighbouring dials, and their radius."""


def step_phases(time: Array, steps: Array) -> Array:
    """Return the phase of a leg's cycle in each frame [cycles]: a whole number whenever the leg begins a step.

    time (F,): times of the frames [s]. steps (F,): 1 while the leg steps. Between two steps the phase grows at a
    constant rate; before the first and after the last step at the rate of the nearest cycle. NaN for a leg that steps
    less than twice.
    """
    begins = np.flatnonzero((steps[1:] > 0.5) & (steps[:-1] < 0.5)) + 1
    if len(begins) < 2:
        return np.full(len(time), np.nan)
    knots = time[begins]
    phase = np.interp(time, knots, np.arange(len(knots), dtype=float))
    before, after = time < knots[0], time > knots[-1]
    phase[before] = (time[before] - knots[0]) / (knots[1] - knots[0])
    phase[after] = len(knots) - 1 + (time[after] - knots[-1]) / (knots[-1] - knots[-2])
    return phase


def write_oscillator_picture(film: Film, path: str | Path, *, times: Sequence[float], world: int = 0) -> Path:
    """Write a picture (.png) of the oscillators during a motion, with one sheet below the other. Returns the path.

    Each sheet shows an instant: at the upper left the stepping pattern with a red line at the instant, at the upper
    right a dial for each oscillator, below the figure from the right and from the front. A hand makes one turn in each
    cycle and points up when its leg begins a step; then the dial is white for a moment. Neighbours in the chain of
    oscillators are joined by lines.

    film: film with the signal "stepping". times: times of the sheets [s]. world: index of the world. Raises GambolError
    without OpenGL, without times, and for a film without steps.
    """
    if not len(times):
        raise GambolError("there are no times to draw; give some within the film")
    phases = _phases(film, world)
    require_render("a picture of oscillators")
    frames = [int(np.argmin(np.abs(film.time - t))) for t in times]
    views = [_views(film, world, direction, frames) for direction in VIEWS]
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(SHEET[0], SHEET[1] * len(frames)), facecolor="white", layout="constrained"
    )
    sheets: Any = figure.subfigures(len(frames), 1, squeeze=False)[:, 0]
    for k, (sheet, frame) in enumerate(zip(sheets, frames, strict=True)):
        _draw_sheet(sheet, film, world, phases, frame, [view[k] for view in views])
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=110)
    return Path(path)


def _phases(film: Film, world: int) -> Array:
    """Return the phases of all legs (F, legs). Raises GambolError if no leg steps twice."""
    steps = stepping_of(film, world)
    phases = np.stack([step_phases(film.time, steps[:, leg]) for leg in range(steps.shape[1])], axis=1)
    if np.isnan(phases).all():
        raise GambolError(f'no leg of the film "{film.name}" steps twice, so there are no oscillations to draw')
    return phases


def _views(film: Film, world: int, direction: tuple[float, float], frames: Sequence[int]) -> list[Image]:
    """Return rendered frames of a film from one side."""
    images: list[Image] = []
    with Stage(film, WIDTH, HEIGHT, world, FollowCamera(*direction)) as stage:
        for frame in frames:
            stage.pose(frame)
            stage.aim(frame)
            images.append(stage.screenshot())
    return images


def _draw_sheet(sheet: Any, film: Film, world: int, phases: Array, frame: int, images: Sequence[Image]) -> None:
    upper, lower = sheet.subfigures(2, 1, height_ratios=(3.0, 4.2))
    pattern, dials = upper.subplots(1, 2, width_ratios=(3.0, 1.2))
    draw_pattern(pattern, film, world)
    pattern.axvline(film.time[frame], color=look.FORCE, linewidth=1.5)
    title = f"{printable(film.name)}, t = {film.time[frame]:.3f} s: stance black, step white"
    pattern.set_title(title, loc="left", fontsize=10, color=look.INK, parse_math=False)
    _draw_dials(dials, film, phases[frame])
    for panel, image in zip(lower.subplots(1, len(images), squeeze=False).flat, images, strict=True):
        panel.imshow(image)
        panel.set_axis_off()


def _draw_dials(axes: Any, film: Film, phases: Array) -> None:
    """Draw a dial for each leg at its position on the body, which is seen from above with the head up."""
    order = legs_by_side(film)
    ranks = -(-len(order) // 2)
    positions = {leg: (DIAL_GAP * (k // ranks), -DIAL_GAP * (k % ranks)) for k, leg in enumerate(order)}
    for k, leg in enumerate(order):
        below = [order[k + 1]] if (k + 1) % ranks and k + 1 < len(order) else []
        across = [order[k + ranks]] if k + ranks < len(order) else []
        for other in (*below, *across):
            (x, y), (u, v) = positions[leg], positions[other]
            axes.plot([x, u], [y, v], color=look.GRID, linewidth=3.0, zorder=1)
    circle: Any = import_module("matplotlib.patches").Circle
    for leg, (x, y) in positions.items():
        phase = float(phases[leg])
        is_flashing = phase % 1.0 < FLASH
        colours = (look.STEP_BAR, look.INK) if is_flashing else (look.STANCE_BAR, look.STEPPING)
        axes.add_patch(circle((x, y), DIAL_RADIUS, facecolor=colours[0], edgecolor=look.INK, linewidth=1.5, zorder=2))
        if np.isfinite(phase):
            angle = 2.0 * np.pi * phase
            tip = (x + 0.8 * DIAL_RADIUS * np.sin(angle), y + 0.8 * DIAL_RADIUS * np.cos(angle))
            axes.plot([x, tip[0]], [y, tip[1]], color=colours[1], linewidth=3.0, zorder=3)
    axes.set(xlim=(-1.2, DIAL_GAP + 1.2), ylim=(-DIAL_GAP * (ranks - 1) - 1.2, 1.2), aspect="equal")
    axes.set_title("oscillators, head up", fontsize=10, color=look.INK)
    axes.set_axis_off()
