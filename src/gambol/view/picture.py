"""A picture of a motion: its filmstrip above its stepping pattern."""

import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.view.camera import Camera
from gambol.view.filmstrip import Filmstrip, filmstrip
from gambol.view.opengl import RenderWarning, can_render
from gambol.view.pattern import draw_pattern
from gambol.view.scene import look
from gambol.view.scene.framing import require_drawable
from gambol.view.scene.legs import STEPPING
from gambol.world.film import Film

COLUMNS = 4
SHEET_WIDTH = 12.8  # [in] width of the sheet
FRAME_HEIGHT, PATTERN_HEIGHT, TITLE_HEIGHT = (
    2.06,
    2.5,
    0.4,
)  # [in] heights of a row of frames, of the pattern and of the title


def write_picture(
    film: Film, path: str | Path, *, world: int = 0, whole: bool = False, camera: Camera | None = None
) -> Path:
    """Write a picture (.png): eight rendered frames of a stride (or of the whole film) above the stepping pattern.

    film: the film; path: path of the file; world: index of the world; whole: True to spread the frames over the whole
    film; False does so only for a film that is not a steady walk; camera: as for write_video(). Without OpenGL the
    frames are left out with a RenderWarning; without a signal "stepping" the pattern is left out. Returns the path.
    Raises GambolError for a film with nothing to draw, or a folder that cannot be written to.
    """
    require_drawable(film)
    strip = None
    if can_render():
        strip = filmstrip(film, world=world, whole=whole, camera=camera)
    else:
        warnings.warn(f"{Path(path).name}: no OpenGL here, so the rendered frames are left out", RenderWarning, 2)
    if strip is None and STEPPING not in film.signals:
        raise GambolError(f'no picture to make: film "{film.name}" has no signal "{STEPPING}" and there is no OpenGL')
    figure = _draw_sheet(film, strip, world)
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=150)
    return Path(path)


def _draw_sheet(film: Film, strip: Filmstrip | None, world: int) -> Any:
    rows = 0 if strip is None else -(-len(strip.images) // COLUMNS)
    has_pattern = STEPPING in film.signals
    heights = [FRAME_HEIGHT * rows] * (rows > 0) + [PATTERN_HEIGHT] * has_pattern
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(SHEET_WIDTH, sum(heights) + TITLE_HEIGHT), facecolor="white", layout="constrained"
    )
    figure.suptitle(
        printable(film.name), x=0.008, ha="left", fontsize=14, fontweight="bold", color=look.INK, parse_math=False
    )
    subfigures = iter(figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0])
    if strip is not None:
        axes = next(subfigures).subplots(rows, COLUMNS, squeeze=False).flat
        for i, panel in enumerate(axes):
            panel.set_axis_off()
            if i < len(strip.images):
                _draw_frame(panel, strip, i)
    if has_pattern:
        axes = next(subfigures).add_subplot()
        draw_pattern(axes, film, world)
        axes.set_title("stepping pattern: stance black, step white", loc="left", fontsize=10, color=look.INK)
    engine: Any = figure.get_layout_engine()
    engine.set(w_pad=0.03, h_pad=0.03, wspace=0.0, hspace=0.0)
    return figure


def _draw_frame(axes: Any, strip: Filmstrip, i: int) -> None:
    image = strip.images[i]
    axes.imshow(image)
    height, width = image.shape[:2]
    label = f"{(strip.times[i] - strip.times[0]) * 1e3:.0f} ms" if i else f"t = {strip.times[0]:.3f} s"
    axes.text(0.03 * width, 0.09 * height, label, fontsize=9, color=look.INK)
    if i == 0:
        draw_scale_bar(axes, strip.pixels_per_metre, width, height)


def draw_scale_bar(axes: Any, pixels_per_metre: float, width: int, height: int) -> None:
    """Draw a scale bar of a round length in the lower right corner of axes that show a picture.

    pixels_per_metre: scale at the distance of the figure; width, height: width and height of the picture [pixels].
    """
    length = look.round_length(0.25 * width / pixels_per_metre)
    right, y, pixels = 0.96 * width, 0.93 * height, length * pixels_per_metre
    axes.plot([right - pixels, right], [y, y], color=look.INK, linewidth=2.5, solid_capstyle="butt")
    axes.text(right - pixels / 2, y - 0.03 * height, look.length_text(length), ha="center", fontsize=9, color=look.INK)
