"""Keys of a camera: reproduced, smooth and without overshoot between; files of keys."""

import numpy as np
import pytest
from films import hexapod_film
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

from gambol.errors import GambolError
from gambol.view.camera import CameraKey, KeyedCamera, Subject, read_camera, read_camera_keys
from gambol.view.camera.keys import monotone_cubic
from gambol.view.scene.framing import frame_film

TOML = """
[[keys]]
time = 0
position = [0.5, -0.5, 0.3]
target = [0, 0, 0.1]

[[keys]]
time = 2
position = [0.5, 0.5, 0.3]
target = [0, 0, 0.2]
field_of_view = 40
"""
CSV = """time,x,y,z,target_x,target_y,target_z,field_of_view
0,0.5,-0.5,0.3,0,0,0.1,22
2,0.5,0.5,0.3,0,0,0.2,40
"""
KEYS = (
    CameraKey(0.0, (0.5, -0.5, 0.3), (0.0, 0.0, 0.1)),
    CameraKey(2.0, (0.5, 0.5, 0.3), (0.0, 0.0, 0.2), 40.0),
)


def test_the_curve_is_a_cubic_with_the_slopes_of_fritsch_and_butland():
    random = np.random.default_rng(3)
    times = np.cumsum(random.uniform(0.1, 1.0, 9))
    values = random.normal(size=(9, 4))
    slopes = PchipInterpolator(times, values).derivative()(times)
    slopes[[0, -1]] = 0.0  # the camera starts and stops
    at = np.linspace(times[0], times[-1], 500)
    np.testing.assert_allclose(
        monotone_cubic(times, values, at), CubicHermiteSpline(times, values, slopes)(at), atol=1e-13
    )
    np.testing.assert_allclose(monotone_cubic(times, values, times), values, atol=1e-15)


def test_it_rests_between_equal_keys_and_beyond_the_ends_and_never_overshoots():
    times, values = np.arange(5.0), np.array([[0.0], [1.0], [1.0], [3.0], [2.0]])
    at = monotone_cubic(times, values, np.linspace(-1.0, 6.0, 701))[:, 0]
    assert np.ptp(at[200:301]) == 0.0
    assert (at[0], at[-1]) == (0.0, 2.0)
    assert (np.diff(at[100:401]) >= -1e-15).all()
    assert (at.min(), at.max()) == (0.0, 3.0)


def test_a_track_passes_its_keys():
    film = hexapod_film(seconds=2.0, rate=10.0)
    track = KeyedCamera(KEYS).track(Subject(film, frame_film(film), 1.6))
    for key, frame in zip(KEYS, (0, 20), strict=True):
        np.testing.assert_allclose(track.position[frame], key.position, atol=1e-15)
        np.testing.assert_allclose(track.target[frame], key.target, atol=1e-15)
        assert track.field_of_view[frame] == key.field_of_view
    np.testing.assert_allclose(track.position[10], (0.5, 0.0, 0.3), atol=1e-15)  # half of the way in half of the time
    np.testing.assert_allclose(track.position[5], (0.5, -0.5 + 5.0 / 32.0, 0.3), atol=1e-15)  # 3 s^2 - 2 s^3 at 1/4


@pytest.mark.parametrize(("name", "text"), [("keys.toml", TOML), ("keys.csv", CSV)])
def test_files_hold_keys(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert read_camera_keys(tmp_path / name) == KeyedCamera(KEYS) == read_camera(str(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("a.toml", "", r"a\.toml: a camera needs at least one key"),
        ("a.csv", "", r"a\.csv: its first line must be time,x,y,z"),
        ("a.csv", CSV.splitlines()[0], r"a\.csv: a camera needs at least one key"),
        ("a.csv", CSV.replace("\n2,", "\n0,"), "at 0 s follows the one at 0 s; sort keys by time"),
        ("a.toml", TOML.replace("time = 2", "time = -1"), "at -1 s follows the one at 0 s"),
        ("a.toml", TOML.replace("target = [0, 0, 0.1]", ""), r'a\.toml, line 2: keys\.1: "target" is missing'),
        ("a.toml", TOML.replace("field_of_view", "fov"), 'key "fov" is not known here'),
        ("a.toml", TOML.replace("= 40", "= 400"), "field of view of 400"),
        ("a.toml", TOML.replace("[0.5, 0.5, 0.3]", "[0, 0, 0.2]"), "at the point that it looks at"),
        ("a.toml", "keys = [", "not readable as TOML"),
        ("a.csv", CSV.replace("40", "wide"), "row 3 is not numbers"),
        ("a.csv", CSV.replace("40", "nan"), "field of view of nan"),
        ("a.csv", CSV.replace("\n2,", "\ninf,"), "not finite"),
        ("a.csv", CSV.replace(",40", ""), "row 3 has 7 numbers; its header has 8"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name(tmp_path, name, text, match):
    (tmp_path / name).write_text(text)
    with pytest.raises(GambolError, match=match) as raised:
        read_camera_keys(tmp_path / name)
    assert name in str(raised.value)
