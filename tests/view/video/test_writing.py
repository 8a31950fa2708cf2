"""A video has the size, rate, length and frames that were asked for, by a reader of its own."""

import re
import subprocess
from dataclasses import replace

import imageio_ffmpeg
import numpy as np
import pytest
from full_disk import files_of_at_most

from gambol.errors import GambolError
from gambol.view import write_video
from gambol.view.camera import CameraKey, KeyedCamera, OrbitCamera
from gambol.view.stage import Stage
from gambol.world import Film
from gambol.world.film import FilmShape


def read_video(path):
    """Return ffmpeg's data of a video (codec, format, frames/s, length [s]), and its frames (F, height, width, 3)."""
    decode = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo"]
    decoded = subprocess.run([*decode, "-pix_fmt", "rgb24", "-"], capture_output=True, check=True)
    text = decoded.stderr.decode()
    source = re.search(r"Video: (\w+).*?, (yuv\w+)\b.*, (\d+)x(\d+).*, ([\d.]+) fps", text)
    hours, minutes, seconds = re.search(r"Duration: (\d+):(\d+):([\d.]+)", text).groups()
    width, height = int(source[3]), int(source[4])
    about = (source[1], source[2], float(source[5]), 3600 * int(hours) + 60 * int(minutes) + float(seconds))
    return about, np.frombuffer(decoded.stdout, np.uint8).reshape(-1, height, width, 3)


def ball_film(*, color="#d01010", seconds=1.0, name="ball"):
    """A red ball of 10 cm that moves by 1 m along x, seen from far away by a camera at rest."""
    shape = FilmShape(0, "sphere", (0.1,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), color)
    position = np.linspace((0.0, 0.0, 0.1), (1.0, 0.0, 0.1), 11)[:, None, None]
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (11, 1, 1, 1))
    return Film(name, np.linspace(0.0, seconds, 11), position, quaternion, ("ball",), (shape,))


SIDE = KeyedCamera((CameraKey(0.0, (0.5, -3.0, 0.1), (0.5, 0.0, 0.1)),))


def red_columns(frame):
    """Columns of the pixels of the ball."""
    colors = frame.astype(int)
    return np.nonzero((colors[..., 0] > colors[..., 2] + 60) & (colors[..., 0] > colors[..., 1] + 60))[1]


@pytest.mark.usefixtures("renderer")
def test_a_video_is_slowed_by_the_size_of_the_figure_and_moves(film, tmp_path):
    progress = []
    path = write_video(
        film.between(0.0, 0.1), tmp_path / "walk.mp4", size=(200, 120), progress=lambda *done: progress.append(done)
    )
    about, frames = read_video(path)
    assert progress == [(i, 31) for i in range(1, 32)]  # 0.1 s at a tenth of real time is 1 s of 30 frames and the last
    assert frames.shape == (31, 120, 200, 3)
    assert about == ("h264", "yuv420p", 30.0, pytest.approx(31 / 30, abs=0.01))
    assert np.abs(frames[0].astype(int) - frames[8]).max() > 60
    assert [p.name for p in tmp_path.iterdir()] == ["walk.mp4"]


@pytest.mark.usefixtures("renderer")
@pytest.mark.parametrize(
    ("fps", "speed", "frames"),
    [(30.0, 0.5, 61), (12.0, 2.0, 7), (30000 / 1001, 1.0, 30), (60.0, 4.0, 16)],
)
def test_size_rate_and_speed_are_the_requested_ones(tmp_path, fps, speed, frames):
    """The ball takes 1 s; the video has all times up to its end in steps of speed / fps, and the ball is there then."""
    path = write_video(ball_film(), tmp_path / "a.mp4", size=(320, 120), fps=fps, speed=speed, camera=SIDE)
    about, images = read_video(path)
    assert images.shape == (frames, 120, 320, 3)
    assert about[2:] == pytest.approx((fps, frames / fps), abs=0.01)
    pixels = 60.0 / np.tan(np.radians(11.0)) / 3.0  # of a metre at 3 m
    for k in (0, frames - 1):
        x = min(k * speed / fps, 1.0)
        assert np.mean(red_columns(images[k])) == pytest.approx(159.5 + (x - 0.5) * pixels, abs=1.0)


@pytest.mark.usefixtures("renderer")
def test_takes_are_beside_each_other_or_after_each_other(tmp_path):
    red, grey = ball_film(seconds=0.2, name="red"), ball_film(color="#808080", seconds=0.4, name="grey")
    options = {"size": (320, 100), "fps": 10.0, "speed": 1.0, "camera": SIDE}
    _, beside = read_video(write_video([red, grey], tmp_path / "beside.mp4", **options))
    assert beside.shape == (5, 100, 320, 3)  # as long as the longer one
    assert red_columns(beside[-1]).size > 0
    assert red_columns(beside[-1]).max() < 160  # it stays at its end, in its half
    _, after = read_video(write_video([grey, red], tmp_path / "after.mp4", layout="after", **options))
    assert [red_columns(frame).size > 0 for frame in after] == [False] * 5 + [True] * 3


@pytest.mark.usefixtures("renderer")
def test_an_orbit_ends_where_it_began(tmp_path):
    """The first and the last frame show a box at rest alike, but for the encoding; others differ."""
    box = replace(ball_film(), shapes=(FilmShape(0, "box", (0.3, 0.1, 0.1), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)),))
    film = replace(box, position=np.broadcast_to((0.0, 0.0, 0.1), box.position.shape))
    path = write_video(film, tmp_path / "orbit.mp4", size=(160, 100), fps=8.0, camera=OrbitCamera(), quality="high")
    _, frames = read_video(path)
    first, quarter, last = (frames[k, :80].astype(float) for k in (0, len(frames) // 4, -1))  # without the caption
    assert np.abs(last - first).mean() < 1.0 < np.abs(quarter - first).mean()


@pytest.mark.usefixtures("renderer")
def test_a_better_quality_is_nearer_to_what_is_rendered(tmp_path):
    """The camera and the ball rest, so that all frames but the caption are the image of a stage."""
    film = replace(ball_film(seconds=0.1), position=np.broadcast_to((0.5, 0.0, 0.1), (11, 1, 1, 3)))
    errors = []
    for name, samples in (("draft", 0), ("standard", 4), ("high", 8)):
        with Stage(film, 320, 200, 0, SIDE, samples) as stage:
            stage.pose(0)
            stage.aim(0)
            expected = stage.screenshot()[:150].astype(int)
        path = write_video(film, tmp_path / f"{name}.mp4", size=(320, 200), speed=0.5, camera=SIDE, quality=name)
        errors.append(np.abs(read_video(path)[1][-1][:150] - expected).mean())
    assert errors == sorted(errors, reverse=True)


@pytest.mark.usefixtures("renderer")
@pytest.mark.parametrize("frames", [0, 4])
def test_an_interrupted_video_has_the_frames_so_far(tmp_path, frames):
    def interrupt(done, _):
        if done == frames:
            raise KeyboardInterrupt

    path, options = tmp_path / "a.mp4", {"size": (160, 100), "fps": 10.0, "speed": 1.0}
    if frames:
        with pytest.raises(KeyboardInterrupt, match=rf"a\.mp4 has the first {frames} of 11 frames"):
            write_video(ball_film(), path, progress=interrupt, **options)
        assert len(read_video(path)[1]) == frames
    else:

        class Interrupting:
            def track(self, subject):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt, match=r"no frame of .*a\.mp4 was complete"):
            write_video(ball_film(), path, camera=Interrupting(), **options)
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"size": (0, 100)}, "0 x 100 pixels"),
        ({"size": (201, 121)}, "two by two pixels; give even numbers, such as 202 x 122"),
        ({"size": (100_000, 100)}, "from 16 to 8192"),
        ({"fps": 0.0}, "0.0 frames/s"),
        ({"fps": float("nan")}, "nan frames/s"),
        ({"speed": -1.0}, "speed"),
        ({"speed": float("inf")}, "speed"),
        ({"speed": 1e-6}, "too long"),
        ({"quality": "hihg"}, 'did you mean "high"'),
        ({"layout": "above"}, 'no layout "above"'),
        ({"world": 3}, "no world 3"),
    ],
)
def test_options_that_no_video_has_are_refused(film, tmp_path, options, match):
    with pytest.raises(GambolError, match=match):
        write_video(film, tmp_path / "walk.mp4", **options)
    assert not list(tmp_path.iterdir())


def test_anything_but_a_video_is_refused(film, tmp_path):
    with pytest.raises(GambolError, match=r"\.mp4"):
        write_video(film, tmp_path / "walk.avi")
    for films, match in (([], "at least one film"), ([film] * 17, "17 takes are too many")):
        with pytest.raises(GambolError, match=match):
            write_video(films, tmp_path / "walk.mp4")


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
