"""A video of motions: H.264 in an .mp4, encoded while it is rendered."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from gambol.errors import GambolError
from gambol.formats import atomic_write
from gambol.view.camera import Camera
from gambol.view.opengl import require_render
from gambol.view.render_options import RenderOptions
from gambol.view.video.encoder import Encoder, count_frames
from gambol.view.video.takes import Takes
from gambol.world.film import Film

INCOMPLETE_VIDEO = "the video is incomplete; check the free space of the disk, or write to another folder"
Progress = Callable[[int, int], None]  # arguments: number of frames done, number of all frames


def write_video(
    films: Film | Sequence[Film],
    path: str | Path,
    *,
    size: tuple[int, int] = (960, 600),
    fps: float = 30.0,
    speed: float | None = None,
    camera: Camera | None = None,
    quality: str = "standard",
    layout: str = "beside",
    world: int = 0,
    progress: Progress | None = None,
) -> Path:
    """Write motions as an .mp4 (H.264, yuv420p). Returns the path.

    films: a film, or several takes; path: path of the file; size: width and height [pixels], even; fps: frames per
    second; speed: 1 for real time, 0.1 for ten times slower (None: from the figure's size); camera: None for the film's
    signal "camera" or, without it, a FollowCamera; quality: "draft", "standard" or "high"; layout: "beside" for takes
    beside each other, "after" for one after another; world: index of the world; progress: called after every frame with
    the number of frames done and of all frames. Ctrl-C completes the file with the frames so far, and raises
    KeyboardInterrupt with their number. Raises GambolError without OpenGL or ffmpeg, for a path that does not end in
    .mp4, impossible options, a film with nothing to draw, a folder that cannot be written to, or a full disk.
    """
    takes = [films] if isinstance(films, Film) else films
    options = RenderOptions(size, camera, fps, speed, quality, layout)
    return render_video([film.of_worlds([world]) for film in takes], path, options, progress)


def render_video(
    takes: Sequence[Film], path: str | Path, options: RenderOptions, progress: Progress | None = None
) -> Path:
    """Write the first worlds of takes as an .mp4; see write_video()."""
    path = Path(path)
    if path.suffix.lower() != ".mp4":
        raise GambolError(f'a video is written as .mp4; "{path.name}" is not')
    options.check_video()
    sampled = Takes.of(takes, options)
    require_render("a video")
    with atomic_write(path) as temporary:
        try:
            interrupted = _record(sampled, temporary, progress)
        except OSError as error:  # ffmpeg has ended early
            raise GambolError(f"{path}: {INCOMPLETE_VIDEO}") from error
        done = count_frames(temporary)
        if interrupted and not done:
            raise KeyboardInterrupt(f"no frame of {path} was complete, so it is not written")
        if not interrupted and done != sampled.frames:
            raise GambolError(f"{path}: {INCOMPLETE_VIDEO}")
    if interrupted:
        raise KeyboardInterrupt(f"{path} has the first {done} of {sampled.frames} frames")
    return path


def _record(takes: Takes, path: Path, progress: Progress | None) -> bool:
    """Render and encode every frame; return True if Ctrl-C ended it. Raises OSError if ffmpeg ends early."""
    encoder = Encoder(path, takes.options)
    try:
        with closing(takes.images()) as images:
            for done, image in enumerate(images, start=1):
                encoder.send(image)
                if progress:
                    progress(done, takes.frames)
        return False
    except KeyboardInterrupt:
        return True
    finally:
        encoder.close()
