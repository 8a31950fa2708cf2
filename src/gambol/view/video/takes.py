"""The images of a video: takes in panels beside each other, or one take after another."""

import math
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from gambol.errors import GambolError, printable
from gambol.view.render_options import QUALITIES, RenderOptions
from gambol.view.scene import look
from gambol.view.scene.framing import frame_film
from gambol.view.stage import Image, Stage
from gambol.world.film import Film

MAX_FRAMES = 1_000_000  # of a video
PANEL_ASPECT = 1.6  # width divided by height that panels come near to


@dataclass(frozen=True)
class Panel:
    """The part of an image that shows a take: its left and upper edge, width and height [pixels]."""

    left: int
    top: int
    width: int
    height: int


def panels(count: int, size: tuple[int, int]) -> list[Panel]:
    """Return equal panels in rows, with shapes near PANEL_ASPECT; size: size of the image [pixels]."""
    width, height = size

    def flatness(columns: int) -> float:
        rows = -(-count // columns)
        return abs(math.log(width / columns * rows / height / PANEL_ASPECT))

    columns = min(range(count, 0, -1), key=flatness)
    w, h = width // columns, height // -(-count // columns)
    return [Panel(k % columns * w, k // columns * h, w, h) for k in range(count)]


@dataclass(frozen=True)
class Takes:
    """The takes of a video, sampled at the times of its frames.

    films: films of one world each. captions: text before the time, one for each film. options: options of the video.
    """

    films: tuple[Film, ...]
    captions: tuple[str, ...]
    options: RenderOptions

    @staticmethod
    def of(films: Sequence[Film], options: RenderOptions) -> "Takes":
        """Return the takes of films of one world each. Raises GambolError for too many films, or too many frames."""
        options.check_takes(len(films))
        speed = options.speed or look.playback_rate(max(frame_film(film).size for film in films))
        rate = float(options.frame_rate) / speed
        if (frames := sum(film.duration for film in films) * rate) > MAX_FRAMES:
            raise GambolError(
                f"a video of {frames:.3g} frames is too long; at most {MAX_FRAMES} are possible: give a higher speed, "
                "or fewer frames per second"
            )
        names = [printable(film.name) for film in films]
        same_name = len(set(names)) == 1
        labels = [f"take {k}" if same_name else name for k, name in enumerate(names, start=1)]
        captions = [f"{f'{label}    ' if len(films) > 1 else ''}{look.rate_text(speed)}" for label in labels]
        return Takes(tuple(film.at_rate(rate) for film in films), tuple(captions), options)

    @property
    def frames(self) -> int:
        """Number of frames of the video; for takes beside each other, frames of the longest take."""
        lengths = [len(film.time) for film in self.films]
        return max(lengths) if self.options.layout == "beside" else sum(lengths)

    def images(self) -> Generator[Image]:
        """Yield the images of the video, each (height, width, 3)."""
        if self.options.layout == "beside":
            yield from self._beside(range(len(self.films)))
        else:
            for k in range(len(self.films)):
                yield from self._beside([k])

    def _beside(self, takes: Sequence[int]) -> Generator[Image]:
        """Yield the images of some takes beside each other; shorter takes stop at their end."""
        width, height = self.options.size
        sky: Any = import_module("matplotlib.colors").to_rgb(look.SKY)
        canvas = np.empty((height, width, 3), np.uint8)
        canvas[:] = np.rint(255.0 * np.array(sky))
        samples = QUALITIES[self.options.quality][2]
        panel_list = panels(len(takes), self.options.size)
        with ExitStack() as stack:
            stages = [
                stack.enter_context(Stage(self.films[k], p.width, p.height, 0, self.options.camera, samples))
                for k, p in zip(takes, panel_list, strict=True)
            ]
            for frame in range(max(len(self.films[k].time) for k in takes)):
                for k, panel, stage in zip(takes, panel_list, stages, strict=True):
                    image = self._image(stage, k, frame)
                    canvas[panel.top : panel.top + panel.height, panel.left : panel.left + panel.width] = image
                yield canvas

    def _image(self, stage: Stage, take: int, frame: int) -> Image:
        times = self.films[take].time
        shown = min(frame, len(times) - 1)
        stage.pose(shown)
        stage.aim(shown)
        stage.caption(f"{self.captions[take]}    t = {times[shown]:.3f} s")
        return stage.screenshot()
