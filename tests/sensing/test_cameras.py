"""Depth cameras and height scans against planes and spheres, whose distances are known."""

import math
from typing import Any

import numpy as np
import pytest

from gambol.collide import Ground, HeightGrid, NoGround, Plane
from gambol.dynamics import kinematics
from gambol.errors import FigureError, WorldError
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere, rotation_about
from gambol.figure.forest import make_forest
from gambol.sensing import CameraPose, DepthCamera, HeightScan, Sensor, SensorInput

BALL = Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(0.1)),)),))
OBSTACLES = {
    "wall": Part(Box((0.2, 20.0, 20.0)), inertial=False),
    "globe": Part(Sphere(0.5), inertial=False),
}


def room(obstacle: str) -> Figure:
    """Return a ball and an obstacle, 2 m away along x."""
    joint = Joint("fixed", position=(2.0, 0.0, 0.0))
    return make_forest(
        "room", {"ball": BALL, "thing": Figure("thing", (Link("thing", None, joint, (OBSTACLES[obstacle],)),))}
    )


def reading(
    sensor: Sensor, q: list[float], figure: Figure = BALL, ground: Ground | None = None
) -> np.ndarray[Any, Any]:
    state, ground = kinematics(figure, q, [0.0] * figure.nv), ground or NoGround()
    sensor.check("eye", figure, ground)
    at = SensorInput(state, ground, ground.numbers(), ground.table(), [], {}, 0.0)
    return np.array(sensor.read(sensor.numbers(), at), float)


ALONG_X = ((0.0, 0.0, -1.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
"""Rotation of a camera that looks along x of its link, upright: its columns are -y, z, and -x."""
AT_ORIGIN = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_a_wall_across_the_axis_has_one_depth():
    """The depth is along the axis, so it is the same for all pixels; the wall begins at 1.9 m."""
    camera = DepthCamera("ball", (0.1, 0.0, 0.0), ALONG_X, width=5, height=3)
    np.testing.assert_allclose(reading(camera, AT_ORIGIN, room("wall")), 1.8, rtol=1e-12)
    near = DepthCamera("ball", (0.1, 0.0, 0.0), ALONG_X, width=5, height=3, reach=1.5)
    np.testing.assert_allclose(reading(near, AT_ORIGIN, room("wall")), 1.5, rtol=1e-12)


def test_a_globe_is_seen_where_it_is():
    """Depth of a sphere of radius r at distance d: (d - sqrt(d^2 - (1 + t^2)(d^2 - r^2))) / (1 + t^2) for tan t."""
    camera = DepthCamera("ball", rotation=ALONG_X, width=9, height=7, field_of_view=1.0, reach=9.0)
    image = reading(camera, AT_ORIGIN, room("globe")).reshape(7, 9)
    pixel = 2.0 * math.tan(0.5) / 7
    t2 = np.square(pixel * (np.arange(9) - 4.0)) + np.square(pixel * (np.arange(7) - 3.0))[:, None]
    root = 4.0 - (1.0 + t2) * (4.0 - 0.25)
    expected = np.where(root > 0.0, (2.0 - np.sqrt(np.maximum(root, 0.0))) / (1.0 + t2), 9.0)
    np.testing.assert_allclose(image, expected, rtol=1e-9)
    assert (image == 9.0).any()
    assert image.min() == pytest.approx(1.5)


def test_the_first_pixel_is_above_on_the_left():
    """A camera at 1 m above the ground that looks along x sees the ground only in its lower rows."""
    camera = DepthCamera("ball", rotation=ALONG_X, width=2, height=4, field_of_view=1.0, reach=50.0)
    image = reading(camera, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], ground=Plane()).reshape(4, 2)
    slopes = math.tan(0.5) * np.array([0.25, 0.75])
    np.testing.assert_allclose(image[:2], 50.0)
    np.testing.assert_allclose(image[2:], np.repeat(1.0 / slopes[:, None], 2, axis=1), rtol=1e-12)
    turned = DepthCamera("ball", rotation=ALONG_X, width=2, height=1, sees=("thing",), reach=50.0)
    aside = [math.cos(0.1), 0.0, 0.0, math.sin(0.1), 0.0, 0.0, 0.0]  # 0.2 rad to the left: the globe is on the right
    left, right = reading(turned, aside, room("globe"))
    assert left == 50.0
    assert right < 2.1


def test_the_pose_of_a_camera_is_that_of_its_link_and_mount():
    half = math.sqrt(0.5)
    pose = reading(CameraPose("ball", (0.5, 0.0, 0.0)), [half, 0.0, 0.0, half, 1.0, 2.0, 3.0])
    turned = rotation_about("z", math.pi / 2.0)
    np.testing.assert_allclose(np.array(turned) @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=1e-15)
    # the position of a free joint is in the world, so the mount is 0.5 m along y
    np.testing.assert_allclose(pose, [1.0, 2.5, 3.0, half, 0.0, 0.0, half], atol=1e-12)


def test_a_height_scan_turns_with_the_heading_and_stays_level():
    """On the slope z = 0.1 x + 0.2 y, from 3 m, at 90 degrees of heading and some roll."""
    x = -2.0 + 0.5 * np.arange(11)
    ground = HeightGrid(0.1 * x[:, None] + 0.2 * x[None, :], 0.5, -2.0, -2.0)
    flat = ground.surface(ground.numbers(), ground.table(), 1.0, 0.0).height
    assert flat == pytest.approx(0.1)
    half, roll = math.sqrt(0.5), 0.3
    c, s = math.cos(roll / 2.0), math.sin(roll / 2.0)
    q = [half * c, half * s, half * s, half * c, 0.2, 0.1, 3.0]  # heading, then roll about the link's x
    scan = HeightScan("ball", points=((0.0, 0.0), (1.0, 0.0), (0.0, 0.5)))
    expected = [3.0 - (0.02 + 0.02), 3.0 - (0.02 + 0.22), 3.0 - (-0.03 + 0.02)]
    np.testing.assert_allclose(reading(scan, q, ground=ground), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: DepthCamera("ball", width=0), WorldError, "cannot have 0 x 6 pixels; give 1 to 1024"),
        (lambda: DepthCamera("ball", width=100, height=100), WorldError, "cannot have 100 x 100 pixels"),
        (lambda: DepthCamera("ball", field_of_view=4.0), WorldError, "field of view of 4.0 rad"),
        (lambda: DepthCamera("ball", reach=0.0), WorldError, "not 0.0 m"),
        (lambda: HeightScan("ball", points=()), WorldError, "1 to 1024 points, not 0"),
        (lambda: HeightScan("ball", points=((math.nan, 0.0),)), WorldError, "must be finite"),
        (lambda: reading(HeightScan("ball"), AT_ORIGIN), WorldError, "scans the ground, and the world has none"),
        (lambda: reading(DepthCamera("ball", sees=("wal",)), AT_ORIGIN, room("wall")), FigureError, '"wal"'),
    ],
)
def test_impossible_cameras_and_scans_are_refused(make: Any, error: type[Exception], text: str):
    with pytest.raises(error, match=text):
        make()
