"""A picture of a figure in one posture, without a simulation."""

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from gambol.dynamics import kinematics
from gambol.errors import printable
from gambol.figure import JOINTS, Figure
from gambol.formats import atomic_write
from gambol.spatial.rotation import quaternion_of
from gambol.view.camera import Camera
from gambol.view.opengl import require_render
from gambol.view.picture import draw_scale_bar
from gambol.view.render_options import RenderOptions
from gambol.view.scene import look
from gambol.view.scene.bones import bones
from gambol.view.scene.framing import frame_film, lowest_height
from gambol.view.stage import FLOOR_HALF_WIDTH, Stage
from gambol.world.film import Film, FilmGround
from gambol.world.record import film_shapes, film_visuals

SIZE = (1280, 960)  # pixels
FLOOR_GAP = 0.15  # of the figure's size: distance from the floor of with_floor up to the lowest shape


def posture_film(figure: Figure, q: Sequence[float] = ()) -> Film:
    """Return a film of one frame: a figure in a posture, with bones for links without shapes.

    q (nq): coordinates; empty: every joint at its rest position.
    """
    rest = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    poses = kinematics(figure, [float(x) for x in q] or rest, [0.0] * figure.nv).poses[1:]
    return Film(
        figure.name,
        np.zeros(1),
        np.array([[[[*X.position] for X in poses]]], float),
        np.array([[[quaternion_of(X.rotation) for X in poses]]], float),
        tuple(link.name for link in figure.links),
        (*(shape for link in figure.links for shape in film_shapes(link)), *bones(figure)),
        parents=tuple(link.parent_index - 1 for link in figure.links),
        visuals=tuple(visual for link in figure.links for visual in film_visuals(link)),
    )


def with_floor(film: Film) -> Film:
    """Return the film with another ground: a level floor a little below all shapes."""
    framing = frame_film(film)
    height = lowest_height(film) - FLOOR_GAP * framing.size
    middle = framing.path.reshape(-1, 3).mean(axis=0)
    edge = float(np.ptp(framing.path.reshape(-1, 3), axis=0).max()) + 2.0 * FLOOR_HALF_WIDTH * framing.size
    ground = FilmGround(np.full((2, 2), height), float(middle[0]) - edge / 2, float(middle[1]) - edge / 2, edge)
    return replace(film, ground=ground)


def write_still(
    film: Film, path: str | Path, *, frame: int = 0, size: tuple[int, int] = SIZE, camera: Camera | None = None
) -> Path:
    """Write one frame of a film as a picture (.png) with a scale bar. Returns the path.

    film: the film; path: path of the file; frame: index of the frame; size: width and height [pixels]; camera: as for
    write_video(). Raises GambolError without OpenGL, or for a film with nothing to draw.
    """
    width, height = RenderOptions(size, camera).size
    require_render("a picture of a figure")
    with Stage(film, width, height, 0, camera) as stage:
        stage.pose(frame)
        stage.aim(frame)
        image, pixels_per_metre = stage.screenshot(), stage.pixels_per_metre(height)
    figure: Any = import_module("matplotlib.figure").Figure(figsize=(width / 160, height / 160), facecolor=look.SKY)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.imshow(image, aspect="auto")
    title: dict[str, Any] = {"fontsize": 12, "fontweight": "bold", "color": look.INK, "parse_math": False}
    axes.text(0.02 * width, 0.05 * height, printable(film.name), **title)
    draw_scale_bar(axes, pixels_per_metre, width, height)
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=160)
    return Path(path)
