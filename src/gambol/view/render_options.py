"""Options of rendered pictures and videos."""

import math
from dataclasses import dataclass
from fractions import Fraction

from gambol.errors import GambolError, did_you_mean
from gambol.view.camera import Camera

QUALITIES: dict[str, tuple[int, str, int]] = {
    "draft": (30, "ultrafast", 0),
    "standard": (20, "fast", 4),
    "high": (14, "slow", 8),
}
"""Qualities of a video: constant rate factor of x264 (smaller is better), its preset, and samples of a pixel."""

LAYOUTS = ("beside", "after")
"""Layouts of several takes in a video: beside each other, or one after another."""

MIN_SIZE, MAX_SIZE = 16, 8192  # [pixels] of width and height
MIN_FPS, MAX_FPS = 1.0, 240.0  # [frames/s]
MAX_TAKES = 16  # beside each other
MAX_DENOMINATOR = 1001  # of frames per second: 30000/1001 is 29.97


@dataclass(frozen=True)
class RenderOptions:
    """Options of rendered pictures and videos; pictures use the size and the camera.

    size: width and height [pixels]. camera: None for the film's signal "camera" or, without it, a FollowCamera. fps:
    frames per second of a video. speed: 1 for real time, 0.1 for ten times slower, 10 for ten times faster; None for a
    speed that suits the figure's size. quality: a name of QUALITIES. layout: layout of several takes, one of LAYOUTS.
    Raises GambolError for impossible options of a picture or video.
    """

    size: tuple[int, int] = (960, 600)
    camera: Camera | None = None
    fps: float = 30.0
    speed: float | None = None
    quality: str = "standard"
    layout: str = "beside"

    def __post_init__(self) -> None:
        if len(self.size) != 2 or not all(MIN_SIZE <= pixels <= MAX_SIZE for pixels in self.size):
            raise GambolError(
                f"a picture cannot be {' x '.join(map(str, self.size))} pixels large; give width and height from "
                f"{MIN_SIZE} to {MAX_SIZE}"
            )
        if not MIN_FPS <= self.fps <= MAX_FPS:
            raise GambolError(f"a video cannot have {self.fps} frames/s; give {MIN_FPS:g} to {MAX_FPS:g}")
        if self.speed is not None and not 0.0 < self.speed < math.inf:
            raise GambolError(f"the speed of a video is {self.speed}; it must be positive (1 is real time)")
        for name, known in (("quality", QUALITIES), ("layout", LAYOUTS)):
            if (given := getattr(self, name)) not in known:
                raise GambolError(f'there is no {name} "{given}"; {did_you_mean(given, known)}')

    @property
    def frame_rate(self) -> Fraction:
        """Frames per second as a fraction, so that 29.97 is 30000/1001."""
        return Fraction(self.fps).limit_denominator(MAX_DENOMINATOR)

    def check_video(self) -> None:
        """Raise GambolError for a size that a video cannot have."""
        if any(pixels % 2 for pixels in self.size):
            width, height = (pixels + pixels % 2 for pixels in self.size)
            raise GambolError(
                f"a video of {self.size[0]} x {self.size[1]} pixels cannot be encoded, since H.264 stores colours for "
                f"two by two pixels; give even numbers, such as {width} x {height}"
            )

    def check_takes(self, count: int) -> None:
        """Raise GambolError for a number of takes that a video cannot show."""
        if not count:
            raise GambolError("a video needs at least one film")
        if self.layout == "beside" and count > MAX_TAKES:
            raise GambolError(
                f'{count} takes are too many beside each other; give at most {MAX_TAKES}, or the layout "after"'
            )
