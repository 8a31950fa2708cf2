"""A video of a motion: H.264 in an .mp4, usually in slow motion; the camera follows the figure."""

from collections.abc import Callable, Generator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from gambol.errors import GambolError
from gambol.formats import atomic_write
from gambol.view.opengl import require_render
from gambol.view.scene import look
from gambol.view.scene.framing import frame_film
from gambol.view.stage import Image, Stage
from gambol.world.film import Film

INCOMPLETE_VIDEO = "the video is incomplete; check the free space of the disk, or write to another folder"
FRAME_RATE = 30  # [frames/s] of the video
Progress = Callable[[int, int], None]  # arguments: number of frames done, number of all frames


def write_video(
    film: Film,
    path: str | Path,
    *,
    world: int = 0,
    size: tuple[int, int] = (960, 600),
    playback: float | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write one world's motion as an .mp4 (H.264, yuv420p, 30 frames/s). Returns the path.

    film: the film; path: of the file; world: index of the world; size: width and height [pixels], made even if odd;
    playback: 1 for real time, 0.1 for ten times slower (None: from the figure's size); progress: called after every
    frame with the number of frames done and of all frames. Raises GambolError without OpenGL or ffmpeg, for a path that
    does not end in .mp4, a film with nothing to draw, a folder that cannot be written to, or a full disk.
    """
    path = Path(path)
    if path.suffix.lower() != ".mp4":
        raise GambolError(f'a video is written as .mp4; "{path.name}" is not')
    playback_rate = look.playback_rate(frame_film(film).size) if playback is None else playback
    if not playback_rate > 0.0:
        raise GambolError(f"playback is {playback_rate}; it must be positive (1 is real time)")
    require_render("a video")
    width, height = (2 * -(-pixels // 2) for pixels in size)
    with (
        atomic_write(path) as temporary,
        Stage(film.at_rate(FRAME_RATE / playback_rate), width, height, world) as stage,
    ):
        try:
            _record_frames(stage, _open_encoder(temporary, width, height), playback_rate, progress)
        except OSError as error:  # ffmpeg has terminated early
            raise GambolError(f"{path}: {INCOMPLETE_VIDEO}") from error
        _check_frame_count(temporary, path, len(stage.film.time))
    return path


def _check_frame_count(video: Path, path: Path, frames: int) -> None:
    """Raise GambolError if a video lacks frames; path: its final path, for the message."""
    ffmpeg: Any = import_module("imageio_ffmpeg")  # which does not report failures of ffmpeg
    try:
        count = ffmpeg.count_frames_and_secs(str(video))[0]
    except RuntimeError:
        count = 0
    if count != frames:
        raise GambolError(f"{path}: {INCOMPLETE_VIDEO}")


def _record_frames(
    stage: Stage, encoder: Generator[None, Image | None, None], playback_rate: float, progress: Progress | None
) -> None:
    """Render every frame of a stage's film and send it to the encoder."""
    frames, rate_text = len(stage.film.time), look.rate_text(playback_rate)
    try:
        for frame, t in enumerate(stage.film.time):
            stage.pose(frame)
            stage.aim(frame)
            stage.caption(f"{rate_text}    t = {t:.3f} s")
            encoder.send(stage.screenshot())
            if progress:
                progress(frame + 1, frames)
    finally:
        encoder.close()


def _open_encoder(path: Path, width: int, height: int) -> Generator[None, Image | None, None]:
    """Return a generator that accepts images and writes them to a video, ready for the first one."""
    ffmpeg: Any = import_module("imageio_ffmpeg")
    try:
        ffmpeg.get_ffmpeg_exe()
    except RuntimeError as error:
        raise GambolError(f"a video needs ffmpeg, and none was found ({error})") from error
    options: dict[str, Any] = {"codec": "libx264", "pix_fmt_out": "yuv420p", "macro_block_size": 2}
    options |= {"ffmpeg_log_level": "quiet"}  # its output file is checked instead
    output_options = [
        "-crf",
        "20",
        "-preset",
        "fast",
        "-movflags",
        "+faststart",
    ]  # plays in a browser before it is fully loaded
    encoder = ffmpeg.write_frames(
        str(path), (width, height), fps=FRAME_RATE, quality=None, output_params=output_options, **options
    )
    encoder.send(None)
    return cast("Generator[None, Image | None, None]", encoder)
