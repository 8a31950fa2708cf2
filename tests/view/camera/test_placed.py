"""Cameras that stand, follow and go around, and the pixels at which points are seen."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.view.camera import (
    CAMERAS,
    CameraKey,
    FixedCamera,
    FollowCamera,
    KeyedCamera,
    OrbitCamera,
    Subject,
    read_camera,
)
from gambol.view.scene.framing import frame_film
from gambol.view.stage import Stage
from gambol.world import Film
from gambol.world.film import FilmShape

WIDTH, HEIGHT, RADIUS = 400, 300, 0.02


def ball_film(path, *, seconds=2.0, radius=RADIUS):
    """A red ball whose centre follows a path (F, 3) [m]."""
    shape = FilmShape(0, "sphere", (radius,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), "#d01010")
    position = np.array(path, float)[:, None, None]
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (len(position), 1, 1, 1))
    return Film("ball", np.linspace(0.0, seconds, len(position)), position, quaternion, ("ball",), (shape,))


def walk(frames=41):
    return ball_film(np.linspace((0.0, 0.0, 0.1), (1.0, 0.3, 0.1), frames))


def subject_of(film):
    return Subject(film, frame_film(film), WIDTH / HEIGHT)


def red_pixels(film, camera, frame=0):
    with Stage(film, WIDTH, HEIGHT, 0, camera) as stage:
        stage.pose(frame)
        stage.aim(frame)
        picture = stage.screenshot().astype(int)
    rows, columns = np.nonzero((picture[..., 0] > picture[..., 2] + 60) & (picture[..., 0] > picture[..., 1] + 60))
    return columns, rows


def pinhole(point, position, target, field_of_view):
    """Column and row of a point in a pinhole camera, with z up in the picture."""
    point, position, target = (np.array(x, float) for x in (point, position, target))
    ahead = (target - position) / np.linalg.norm(target - position)
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    up, focal = np.cross(right, ahead), HEIGHT / 2.0 / np.tan(np.radians(field_of_view) / 2.0)
    x, y, depth = (axis @ (point - position) for axis in (right, up, ahead))
    return WIDTH / 2.0 - 0.5 + focal * x / depth, HEIGHT / 2.0 - 0.5 - focal * y / depth


@pytest.mark.usefixtures("renderer")
@pytest.mark.parametrize(
    ("position", "target", "field_of_view"),
    [((1.0, -2.0, 0.8), (0.2, 0.1, 0.2), 22.0), ((-1.5, -0.5, 0.4), (-0.2, 0.1, 0.2), 40.0)],
)
def test_a_point_is_seen_at_the_pixel_of_the_pinhole_formula(position, target, field_of_view):
    """Within a pixel: the middle of a small sphere's outline is the image of its centre to second order in r / d."""
    point = (0.05, -0.1, 0.15)
    camera = KeyedCamera((CameraKey(0.0, position, target, field_of_view),))
    columns, rows = red_pixels(ball_film([point]), camera)
    assert (np.mean(columns), np.mean(rows)) == pytest.approx(pinhole(point, position, target, field_of_view), abs=1.0)
    fixed = FixedCamera(position, target, field_of_view=field_of_view)
    assert [np.mean(x) for x in red_pixels(ball_film([point]), fixed)] == [np.mean(columns), np.mean(rows)]


def test_an_orbit_closes_after_its_period_and_turns_anticlockwise():
    film = ball_film(np.tile((0.3, -0.2, 0.1), (41, 1)))
    track = OrbitCamera(period=1.0).track(subject_of(film))
    np.testing.assert_allclose(track.position[0], track.position[20], atol=1e-12)
    arms = track.position - track.target
    np.testing.assert_allclose(np.linalg.norm(arms, axis=1), np.linalg.norm(arms[0]), rtol=1e-12)
    np.testing.assert_allclose(arms[5, :2], (-arms[0, 1], arms[0, 0]), atol=1e-12)  # a quarter of a turn later
    whole = OrbitCamera().track(subject_of(film)).position
    np.testing.assert_allclose(whole[0], whole[-1], atol=1e-12)
    np.testing.assert_allclose(whole[20] + whole[0] - 2.0 * track.target[0], [0, 0, 2.0 * arms[0, 2]], atol=1e-12)


def test_the_distance_of_a_following_camera_is_constant():
    subject = subject_of(walk())
    track = FollowCamera(azimuth=90.0, elevation=0.0, distance=2.0).track(subject)
    np.testing.assert_allclose(track.position - track.target, np.tile((0.0, 2.0, 0.0), (41, 1)), atol=1e-12)
    np.testing.assert_allclose(track.target, subject.path, atol=1e-15)


@pytest.mark.usefixtures("renderer")
def test_a_fixed_camera_sees_all_of_the_motion():
    film = walk()
    track = FixedCamera().track(subject_of(film))
    assert not np.ptp(track.position, axis=0).any()
    for frame in (0, 20, 40):
        columns, rows = red_pixels(film, FixedCamera(), frame)
        assert columns.size
        assert 0 < columns.min() <= columns.max() < WIDTH - 1
        assert 0 < rows.min() <= rows.max() < HEIGHT - 1


def test_the_film_has_a_camera_unless_another_is_given():
    film = replace(walk(), signals={"camera": np.tile([1.0, 1.0, 1.0, 0.0, 0.0, 0.0], (41, 1, 1))})
    for camera, position in ((None, (1.0, 1.0, 1.0)), (FixedCamera((2.0, 0.0, 1.0)), (2.0, 0.0, 1.0))):
        with Stage(film, 40, 30, 0, camera) as stage:
            np.testing.assert_array_equal(stage.track.position[7], position)


def test_cameras_have_names(tmp_path):
    assert [type(read_camera(name)) for name in CAMERAS] == [FollowCamera, FixedCamera, OrbitCamera]
    assert read_camera("orbit:2.5") == OrbitCamera(2.5)
    for text, match in (
        ("orbti", 'did you mean "orbit"'),
        ("orbit:soon", "not a period"),
        ("orbit:0", "positive"),
        ("orbit:nan", "positive"),
        (str(tmp_path / "none.toml"), "there is no file of camera keys"),
    ):
        with pytest.raises(GambolError, match=match):
            read_camera(text)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: FollowCamera(elevation=91.0), "elevation"),
        (lambda: FollowCamera(azimuth=float("nan")), "azimuth"),
        (lambda: FollowCamera(distance=0.0), "distance"),
        (lambda: FollowCamera(field_of_view=180.0), "field of view"),
        (lambda: OrbitCamera(elevation=90.0), "orbit"),
        (lambda: FixedCamera((0.0, 0.0)), "three finite numbers"),
        (lambda: FixedCamera((0.0, 0.0, 1.0), (0.0, 0.0, 1.0)), "two different points"),
    ],
)
def test_an_impossible_camera_is_refused(make, match):
    with pytest.raises(GambolError, match=match):
        make()
