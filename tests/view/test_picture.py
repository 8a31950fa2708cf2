"""The picture has eight different frames and a pattern; without OpenGL it has the pattern and a warning."""

from dataclasses import replace

import matplotlib.image
import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.view import RenderWarning, opengl, picture, write_picture
from gambol.view.filmstrip import HEIGHT, WIDTH, filmstrip
from gambol.view.scene import look


def rgb(color):
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])


@pytest.fixture
def no_opengl(monkeypatch):
    """A machine whose renderer ends its process, as VTK's does without OpenGL."""
    monkeypatch.setattr(opengl, "PROBE", "import os; os.abort()")
    opengl.can_render.cache_clear()
    yield
    opengl.can_render.cache_clear()


@pytest.mark.usefixtures("renderer")
def test_a_filmstrip_shows_a_stride_of_a_brown_creature_on_light_ground(film):
    strip = filmstrip(film, frames=3)
    np.testing.assert_allclose(np.diff(strip.times), 0.1 / 3, atol=2 / 1200)
    assert [image.shape for image in strip.images] == [(HEIGHT, WIDTH, 3)] * 3
    first, second, _ = (image.astype(int) for image in strip.images)
    assert np.abs(first - second).max() > 60  # it moves
    middle = first[HEIGHT // 2 - 20 : HEIGHT // 2 + 20, WIDTH // 2 - 40 : WIDTH // 2 + 40]
    edge = first[:20]
    assert edge.mean() > 180 > 140 > middle.mean()
    red, green, blue = middle.reshape(-1, 3).mean(axis=0)
    assert red > green > blue


@pytest.mark.usefixtures("renderer")
def test_the_scale_bar_is_true_to_the_figure(film):
    strip = filmstrip(film, frames=1)
    amber = np.abs(strip.images[0].astype(int) - rgb(look.GROUND)).max(axis=-1) > 60
    columns = np.flatnonzero(amber.any(axis=0))
    across = (columns[-1] - columns[0]) / strip.pixels_per_metre
    assert 0.025 < across < 0.05  # 3.7 cm of figure seen aslant, with its shadow


@pytest.mark.usefixtures("renderer")
def test_the_picture_is_one_sheet(film, tmp_path):
    image = matplotlib.image.imread(write_picture(film, tmp_path / "roach.png"))
    assert image.shape[1] == 1920
    assert [p.name for p in tmp_path.iterdir()] == ["roach.png"]


@pytest.mark.usefixtures("no_opengl")
def test_without_opengl_the_frames_are_left_out_with_a_warning(film, tmp_path):
    with pytest.warns(RenderWarning, match="no OpenGL"):
        path = write_picture(film, tmp_path / "roach.png")
    height, width, _ = matplotlib.image.imread(path).shape
    assert 0 < height < width / 3


@pytest.mark.usefixtures("no_opengl")
def test_without_opengl_and_steps_there_is_no_picture(film, tmp_path):
    with pytest.warns(RenderWarning), pytest.raises(GambolError, match="no picture to make"):
        write_picture(replace(film, signals={}), tmp_path / "roach.png")
    with pytest.raises(GambolError, match="needs OpenGL"):
        filmstrip(film)


def test_a_folder_that_cannot_be_written_is_named(film, tmp_path, monkeypatch):
    monkeypatch.setattr(picture, "can_render", lambda: False)
    (tmp_path / "file").write_text("in the way")
    with pytest.warns(RenderWarning), pytest.raises(GambolError, match="file"):
        write_picture(film, tmp_path / "file" / "roach.png")


def test_the_title_of_a_picture_is_no_mathematics(film, tmp_path, monkeypatch):
    monkeypatch.setattr(picture, "can_render", lambda: False)
    with pytest.warns(RenderWarning):
        path = write_picture(replace(film, name="$\\frac$ \x1b[2J"), tmp_path / "picture.png")
    assert path.stat().st_size > 1000
