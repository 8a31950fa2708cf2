"""Commands render videos of the size, rate, speed, camera and takes that are asked for, and show their progress."""

import os
import re
import subprocess
from itertools import count
from pathlib import Path

import imageio_ffmpeg
import pytest
from typer.testing import CliRunner

from gambol.cli import app as command
from gambol.cli import video
from gambol.cli.output import VideoRequest
from gambol.cli.video import VideoProgress, check_video, take_indices
from gambol.errors import GambolError

BALL = """format = "gambol figure 1"
name = "ball"

[[links]]
name = "ball"
joint = { kind = "free" }
parts = [{ shape = "sphere", radius = 0.1, density = 500 }]

[start.q]
ball = [1, 0, 0, 0, 0, 0, 0.3]
"""
KEYS = "time,x,y,z,target_x,target_y,target_z\n0,0,-3,0.5,0,0,0.2\n0.5,1,-3,0.5,0,0,0.2\n"


@pytest.mark.parametrize(
    ("worlds", "text", "takes"), [(3, None, [0]), (3, "all", [0, 1, 2]), (3, "2, 0", [2, 0]), (1, "all", [0])]
)
def test_worlds_of_a_film_are_takes(worlds, text, takes):
    assert take_indices(VideoRequest(worlds=text), worlds) == takes


@pytest.fixture
def no_wait(monkeypatch):
    """Half a second passes between two looks at the clock."""
    times = count(0.0, 0.5)
    monkeypatch.setattr(video, "perf_counter", lambda: next(times))


@pytest.mark.usefixtures("no_wait")
def test_the_progress_shows_frames_rate_and_time_left():
    texts = []
    progress = VideoProgress(Path("a.mp4"), texts.append)
    progress(2, 320)
    assert re.fullmatch(r"a\.mp4 ─{24} frame 2 of 320, 4\.0 frames/s, 1:20 left", texts[0])  # 2 in half a second
    progress(160, 320)
    assert "━" * 12 + "─" * 12 + " frame 160 of 320, 160.0 frames/s, 0:01 left" in texts[1]


@pytest.mark.parametrize(
    ("request_", "match"),
    [
        (VideoRequest(Path("a.mp4"), size="12"), '--video-size: "12" is not a size'),
        (VideoRequest(Path("a.mp4"), size="1e3x100"), "is not a size"),
        (VideoRequest(Path("a.mp4"), size="99999x100"), "--video: a picture cannot be 99999 x 100"),
        (VideoRequest(Path("a.mp4"), worlds="1,2"), 'no world "2"; they are 0 to 1'),
        (VideoRequest(Path("a.mp4"), worlds=""), 'no world ""'),
        (VideoRequest(Path("a.mp4"), camera="keys.csv"), '--camera: there is no file of camera keys "keys.csv"'),
        (VideoRequest(layout="after"), "--video-layout needs --video"),
    ],
)
def test_impossible_options_are_errors(request_, match):
    with pytest.raises(GambolError, match=re.escape(match)):
        check_video(request_, 2)


def test_two_worlds_are_filmed_by_a_camera_with_keys(monkeypatch, tmp_path):
    if os.environ.get("GAMBOL_TEST_OPENGL") == "none":
        pytest.skip("GAMBOL_TEST_OPENGL=none: nothing was rendered")
    monkeypatch.chdir(tmp_path)
    Path("ball.toml").write_text(BALL)
    Path("keys.csv").write_text(KEYS)
    words = ["run", "ball.toml", "--seconds", "0.5", "--lanes", "2", "--ground", "flat", "--video", "ball.mp4"]
    words += ["--camera", "keys.csv", "--video-size", "320x120", "--video-fps", "12", "--video-speed", "0.5"]
    result = CliRunner().invoke(command.app, [*words, "--video-worlds", "all", "--video-quality", "draft"])
    assert result.exit_code == 0, result.output
    assert "ball.mp4" in result.output
    frames, seconds = imageio_ffmpeg.count_frames_and_secs("ball.mp4")
    assert (frames, seconds) == (13, pytest.approx(13 / 12, abs=0.01))
    reported = subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), "-i", "ball.mp4"], capture_output=True, check=False)
    assert re.search(rb"h264.*320x120.* 12 fps", reported.stderr)
