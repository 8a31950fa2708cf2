"""A filmstrip: a few rendered frames of a motion, each from the same side of the figure."""

from dataclasses import dataclass

import numpy as np

from gambol.view.camera import Camera
from gambol.view.opengl import require_render
from gambol.view.scene.legs import middle_stride
from gambol.view.stage import Image, Stage
from gambol.world.film import Film

FRAMES = 8
WIDTH, HEIGHT = 560, 360  # pixels of a frame


@dataclass(frozen=True)
class Filmstrip:
    """Rendered frames: times [s], an image (HEIGHT, WIDTH, 3) for each, and pixels per metre in the first frame, at the
    distance of the figure or of the point at which a camera looks.
    """

    times: tuple[float, ...]
    images: tuple[Image, ...]
    pixels_per_metre: float


def filmstrip(
    film: Film, *, world: int = 0, frames: int = FRAMES, whole: bool = False, camera: Camera | None = None
) -> Filmstrip:
    """Return rendered frames of a film, evenly spaced over the stride nearest its middle, or over the whole film.

    film: the film; world: index of the world; frames: number of frames; whole: True to use the whole film; False does
    so only for a film that is not a steady walk (see middle_stride). camera: as for write_video(). Raises GambolError
    without OpenGL, or for a film with nothing to draw.
    """
    require_render("a filmstrip")
    film_span = (float(film.time[0]), float(film.time[-1]))
    start, end = film_span if whole else middle_stride(film, world)
    # without the end of a stride, which looks like its start
    times = np.linspace(start, end, frames, endpoint=(start, end) == film_span)
    with Stage(film, WIDTH, HEIGHT, world, camera) as stage:
        images: list[Image] = []
        pixels_per_metre: list[float] = []  # differs between frames if the camera moves
        for t in times:
            frame = int(np.argmin(np.abs(film.time - t)))
            stage.pose(frame)
            stage.aim(frame)
            images.append(stage.screenshot())
            pixels_per_metre.append(stage.pixels_per_metre(HEIGHT))
        return Filmstrip(tuple(float(t) for t in times), tuple(images), pixels_per_metre[0])
