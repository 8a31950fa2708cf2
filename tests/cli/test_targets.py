"""Valid and invalid paths of output files."""

from pathlib import Path

import pytest

from gambol.cli.output import VideoRequest
from gambol.cli.targets import Targets, check_target
from gambol.errors import GambolError


def test_looking_leaves_no_folder_behind(tmp_path):
    Targets(tmp_path / "a" / "b", "roach", VideoRequest(tmp_path / "c" / "roach.mp4")).check()
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_an_error():
    with pytest.raises(GambolError, match=r"--out: the folder .* cannot be written"):
        Targets(Path("/proc/nowhere/at/all"), "roach").check()


def test_a_picture_has_its_ending(tmp_path):
    check_target(tmp_path / "ant.png", "--picture", ".png", "a picture")
    with pytest.raises(GambolError, match=r'--picture: a picture needs the suffix .png, not that of ".*ant.toml"'):
        check_target(tmp_path / "ant.toml", "--picture", ".png", "a picture")


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(GambolError, match=r'--out: the folder ".*taken" cannot be written'):
        Targets(tmp_path / "taken", "roach").check()
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_folder_cannot_be_written_as_a_file(tmp_path):
    (tmp_path / "roach.html").mkdir()
    with pytest.raises(GambolError, match="is a folder"):
        Targets(tmp_path, "roach").check()


@pytest.mark.parametrize(
    ("video", "why"), [("walk.avi", "needs the suffix .mp4"), ("taken/walk.mp4", "cannot be written")]
)
def test_a_video_has_its_place_checked_too(tmp_path, video, why):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(GambolError, match=f"--video: .*{why}"):
        Targets(tmp_path, "roach", VideoRequest(tmp_path / video)).check()
