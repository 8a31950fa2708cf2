"""The video of a command: its options checked, and its progress."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from time import perf_counter

from gambol.cli.output import VideoRequest
from gambol.errors import GambolError
from gambol.view.camera import Camera, read_camera
from gambol.view.render_options import RenderOptions
from gambol.view.video import render_video
from gambol.world import Film

BAR_WIDTH = 24  # characters


def check_video(request: VideoRequest, worlds: int) -> None:
    """Raise GambolError for options that are not possible. worlds: number of worlds of the film."""
    options = render_options(request)
    options.check_video()
    options.check_takes(len(take_indices(request, worlds)))
    for field in fields(request)[2:]:
        if request.path is None and getattr(request, field.name) is not None:
            raise GambolError(f"--video-{field.name} needs --video FILE.mp4")


def camera_of(request: VideoRequest) -> Camera | None:
    """Return the camera, None if none is given. Raises GambolError for an unknown one."""
    if request.camera is None:
        return None
    try:
        return read_camera(request.camera)
    except GambolError as error:
        raise GambolError(f"--camera: {error}") from error


def render_options(request: VideoRequest) -> RenderOptions:
    """Return the options for rendering. Raises GambolError for options that are not possible."""
    camera, size = camera_of(request), _size(request.size)
    default = RenderOptions()
    fps = default.fps if request.fps is None else request.fps
    quality, layout = request.quality or default.quality, request.layout or default.layout
    try:
        return RenderOptions(size or default.size, camera, fps, request.speed, quality, layout)
    except GambolError as error:
        raise GambolError(f"--video: {error}") from error


def take_indices(request: VideoRequest, worlds: int) -> list[int]:
    """Return the indices of the worlds that a video shows. Raises GambolError for an invalid option."""
    if request.worlds is None or request.worlds == "all":
        return list(range(worlds)) if request.worlds else [0]
    words = [word.strip() for word in request.worlds.split(",")]
    for word in words:
        if not (word.isdecimal() and len(word) < 10 and int(word) < worlds):
            known = "the only world is 0" if worlds == 1 else f"they are 0 to {worlds - 1}"
            raise GambolError(f'--video-worlds: there is no world "{word}"; {known}, or give all')
    return [int(word) for word in words]


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal() and len(text) < 20):
        raise GambolError(f'--video-size: "{text}" is not a size; give pixels, such as 1280x720')
    return int(width), int(height)


def write_video_of(film: Film, request: VideoRequest, show: Callable[[str], None]) -> Path:
    """Write a film's video, and return its path. show(text): called with the progress."""
    return write_video_takes([film.of_worlds([k]) for k in take_indices(request, film.worlds)], request, show)


def write_video_takes(takes: Sequence[Film], request: VideoRequest, show: Callable[[str], None]) -> Path:
    """Write a video of takes, and return its path. show(text): called with the progress."""
    assert request.path is not None
    return render_video(takes, request.path, render_options(request), VideoProgress(request.path, show))


class VideoProgress:
    """Shows the progress of a video as a text: a bar, its rate, and the time that is left."""

    def __init__(self, path: Path, show: Callable[[str], None]) -> None:
        self._path, self._show, self._started = path, show, perf_counter()

    def __call__(self, done: int, frames: int) -> None:
        """Show how many frames are done."""
        rate = done / max(perf_counter() - self._started, 1e-9)
        full = BAR_WIDTH * done // frames
        minutes, seconds = divmod(round((frames - done) / rate), 60)
        self._show(
            f"{self._path} {'━' * full}{'─' * (BAR_WIDTH - full)} frame {done} of {frames}, {rate:.1f} frames/s, "
            f"{minutes}:{seconds:02} left"
        )
