"""A video has the right length, size and format."""

import subprocess

import imageio_ffmpeg
import numpy as np
import pytest
from full_disk import files_of_at_most

from gambol.errors import GambolError
from gambol.view import write_video


@pytest.mark.usefixtures("renderer")
def test_a_video_is_slowed_even_sized_and_moves(film, tmp_path):
    told = []
    path = write_video(
        film.between(0.0, 0.1), tmp_path / "walk.mp4", size=(201, 121), progress=lambda *done: told.append(done)
    )
    decode = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    decoded = subprocess.run(decode, capture_output=True, check=True)
    frames = np.frombuffer(decoded.stdout, np.uint8).reshape(-1, 122, 202, 3)
    source = next(line for line in decoded.stderr.decode().splitlines() if "Video:" in line)
    assert told == [(i, 31) for i in range(1, 32)]  # 0.1 s at a tenth of real time is 1 s of 30 frames and the last
    assert len(frames) == 31
    assert all(word in source for word in ("h264", "yuv420p", "202x122", "30 fps"))
    assert np.abs(frames[0].astype(int) - frames[8]).max() > 60
    assert [p.name for p in tmp_path.iterdir()] == ["walk.mp4"]


def test_what_is_no_video_is_refused(film, tmp_path):
    with pytest.raises(GambolError, match=r"\.mp4"):
        write_video(film, tmp_path / "walk.avi")
    with pytest.raises(GambolError, match="playback"):
        write_video(film, tmp_path / "walk.mp4", playback=-1.0)


@pytest.mark.usefixtures("renderer")
def test_a_folder_that_cannot_be_written_is_named(film, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(GambolError, match="file"):
        write_video(film, tmp_path / "file" / "walk.mp4")


@pytest.mark.usefixtures("renderer")
@pytest.mark.parametrize("size", [100, 2000])
def test_a_video_for_which_the_disk_has_no_room_is_an_error_and_leaves_nothing(film, tmp_path, size):
    """The smaller limit ends ffmpeg before it has all frames; ffmpeg alone would report neither."""
    with files_of_at_most(size), pytest.raises(GambolError, match=r"walk\.mp4: the video is incomplete"):
        write_video(film.between(0.0, 0.05), tmp_path / "walk.mp4", size=(200, 120))
    assert not list(tmp_path.iterdir())
