"""Cameras and lights that films say: in pictures and videos."""

from dataclasses import replace

import numpy as np
import pytest
from scripts import BALL, read

from gambol.errors import GambolError
from gambol.script.language.lines import ScriptError
from gambol.view.scene.look import GRID, GROUND
from gambol.view.stage import FLOOR_AMBIENT, FLOOR_DIFFUSE, Stage
from gambol.world import Film
from gambol.world.film import FilmShape
from gambol.world.film.shots import with_keys

RED = "#d01010"


def ball_film(*, at=(0.0, 0.0, 0.1), frames=5):
    """A red ball of 10 cm that rests for 1 s, with its centre at a point."""
    shape = FilmShape(0, "sphere", (0.1,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), RED)
    position = np.broadcast_to(np.array(at), (frames, 1, 1, 3)).copy()
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1, 1, 1))
    return Film("ball", np.linspace(0.0, 1.0, frames), position, quaternion, ("ball",), (shape,))


def image(film, frame=0):
    with Stage(film, 400, 300) as stage:
        stage.pose(frame)
        stage.aim(frame)
        return stage.screenshot().astype(float)


def red(picture):
    """Columns and rows of the ball's pixels."""
    rows, columns = np.nonzero((picture[..., 0] > picture[..., 2] + 60) & (picture[..., 0] > picture[..., 1] + 60))
    return columns, rows


def test_keys_are_linear_between_and_constant_outside():
    film = with_keys(ball_film(), "light", [(0.75, (0.0, 2.0, 4.0)), (0.25, (0.0, 0.0, 2.0))])
    np.testing.assert_allclose(
        film.signals["light"][:, 0], [[0, 0, 2], [0, 0, 2], [0, 1, 3], [0, 2, 4], [0, 2, 4]], atol=1e-15
    )
    between = film.at_times([0.375]).signals["light"]
    np.testing.assert_allclose(between, [[[0.0, 0.5, 2.5]]], atol=1e-15)
    assert with_keys(film, "camera", []) is film


def test_other_signals_end_with_their_last_value():
    film = replace(ball_film(), signals={"stepping": np.arange(5.0)[:, None, None]})
    assert film.at_times([0.3]).signals["stepping"].item() == 1.0


@pytest.mark.usefixtures("renderer")
def test_the_drawn_width_of_a_ball_follows_from_the_distance():
    """Its silhouette has the half angle asin(r / d), and the field of view is 22 degrees over the picture's height."""
    for distance in (1.0, 2.0):
        film = with_keys(ball_film(), "camera", [(0.0, (0.0, -distance, 0.1, 0.0, 0.0, 0.1))])
        columns, _ = red(image(film))
        expected = 300.0 * np.tan(np.arcsin(0.1 / distance)) / np.tan(np.radians(11.0))
        assert np.ptp(columns) + 1 == pytest.approx(expected, rel=0.03)  # its faces are flat, and its edges blurred
        assert (columns.min() + columns.max()) / 2 == pytest.approx(199.5, abs=1.5)


@pytest.mark.usefixtures("renderer")
def test_a_camera_moves_with_time_and_may_look_aside():
    keys = [(0.0, (0.0, -2.0, 0.1, 0.0, 0.0, 0.1)), (1.0, (0.2, -2.0, 0.1, 0.2, 0.0, 0.1))]
    film = with_keys(ball_film(), "camera", keys)
    middle = [np.mean(red(image(film, frame))[0]) for frame in (0, 4)]
    pixels = 150.0 / (2.0 * np.tan(np.radians(11.0)))  # of a metre at 2 m
    assert middle[1] - middle[0] == pytest.approx(-0.2 * pixels, abs=3.0)


@pytest.mark.usefixtures("renderer")
def test_a_camera_may_look_straight_down():
    film = with_keys(ball_film(), "camera", [(0.0, (0.0, 0.0, 2.0, 0.0, 0.0, 0.1))])
    columns, rows = red(image(film))
    assert np.ptp(columns) == pytest.approx(np.ptp(rows), rel=0.05)
    assert np.isfinite(image(film)).all()


@pytest.mark.usefixtures("renderer")
def test_the_shadow_lies_opposite_to_the_light():
    film = with_keys(ball_film(at=(0.0, 0.0, 0.5)), "camera", [(0.0, (0.0, 0.0, 6.0, 0.0, 0.0, 0.0))])
    shadows = []
    for x in (-1.0, 1.0):
        picture = image(with_keys(film, "light", [(0.0, (x, 0.0, 1.0))]))
        grey = (picture.max(axis=-1) - picture.min(axis=-1) < 40) & (picture.max(axis=-1) < 190)
        shadows.append(np.mean(np.nonzero(grey), axis=1))
    assert np.abs(shadows[0] - shadows[1]).max() > 20  # pixels; 2 h = 1 m between the shadows


@pytest.mark.usefixtures("renderer")
def test_the_floor_has_the_colour_that_opengl_would_give_it():
    """The same two lamps, for each pixel, in OpenGL: within a step of 256 by rounding."""
    film = with_keys(ball_film(), "light", [(0.0, (1.0, 0.5, 0.7))])
    with Stage(film, 200, 150) as stage:
        stage.pose(0)
        stage.aim(0)
        computed = stage.screenshot().astype(int)
        for actor, color in zip(stage._floor_actors, (GROUND, GRID), strict=True):
            actor.prop.lighting, actor.prop.color = True, color
            actor.prop.ambient, actor.prop.diffuse = FLOOR_AMBIENT, FLOOR_DIFFUSE
        lit = stage.screenshot().astype(int)
    assert np.abs(lit - computed).max() <= 1
    assert np.ptp(lit[..., 2]) > 60  # the ball, its shadow and the grid are there


@pytest.mark.usefixtures("renderer")
def test_a_signal_of_another_shape_is_refused():
    film = replace(ball_film(), signals={"camera": np.zeros((5, 1, 3))})
    with pytest.raises(GambolError, match='"camera" of a film has 6 finite numbers'), Stage(film, 40, 30):
        pass


def test_a_script_sets_camera_and_light(tmp_path):
    commands = "ground off\ndt 0.01\nlight 0 0 0 1\ncamera 0 1 0 0 0 0 0\ngo 10\ncamera 0.1 2 0 0 0 0 0\n"
    signals = read(tmp_path, BALL + commands).run(tmp_path, echo=str).signals
    np.testing.assert_allclose(signals["camera"][:, 0, 0], np.linspace(1.0, 2.0, 11), atol=1e-12)
    assert signals["light"].shape == (11, 1, 3)


@pytest.mark.parametrize(
    ("command", "message"),
    [("camera 0 1 1 1 1 1 1", "give two different points"), ("light 0 1 0 0", "the light comes from below")],
)
def test_a_wrong_camera_or_light_is_refused(tmp_path, command, message):
    with pytest.raises(ScriptError, match=message):
        read(tmp_path, BALL + command)
