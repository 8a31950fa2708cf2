"""ffmpeg as a stream: it receives one image after another, and writes an .mp4 file."""

import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from gambol.errors import GambolError
from gambol.view.render_options import QUALITIES, RenderOptions
from gambol.view.stage import Image


class Encoder:
    """An ffmpeg process that encodes images (height, width, 3) to H.264 (yuv420p).

    It does not receive the terminal's Ctrl-C, so that it can complete the file. Raises GambolError without ffmpeg, and
    OSError in send() if ffmpeg has ended early, as on a full disk.
    """

    def __init__(self, path: Path, options: RenderOptions) -> None:
        crf, preset, _ = QUALITIES[options.quality]
        width, height = options.size
        source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(options.frame_rate)]
        target = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", str(crf), "-preset", preset]
        faststart = ["-movflags", "+faststart"]  # plays in a browser before it is fully loaded
        self._process = subprocess.Popen(
            [_ffmpeg(), "-y", "-v", "quiet", *source, "-i", "-", *target, *faststart, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def send(self, image: Image) -> None:
        """Encode an image."""
        assert self._process.stdin is not None
        self._process.stdin.write(np.ascontiguousarray(image).data)

    def close(self) -> None:
        """Complete the file; errors appear when its frames are read."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except OSError:  # ffmpeg has ended early
            pass
        finally:
            try:
                self._process.wait()
            except BaseException:  # a second Ctrl-C
                self._process.kill()
                self._process.wait()
                raise


def count_frames(video: Path) -> int:
    """Return the number of frames of a video; 0 for another kind of file."""
    ffmpeg: Any = import_module("imageio_ffmpeg")
    try:
        return int(ffmpeg.count_frames_and_secs(str(video))[0])
    except RuntimeError:
        return 0


def _ffmpeg() -> str:
    """Return the path of ffmpeg. Raises GambolError without one."""
    ffmpeg: Any = import_module("imageio_ffmpeg")
    try:
        return str(ffmpeg.get_ffmpeg_exe())
    except RuntimeError as error:
        raise GambolError(f"a video needs ffmpeg, and none was found ({error})") from error
