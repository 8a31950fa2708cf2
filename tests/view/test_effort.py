"""Pictures of planned motions: poses beside each other, arrows of forces, and plots."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.image import imread

from gambol.errors import GambolError
from gambol.view import opengl, write_effort_picture
from gambol.view.effort import RenderWarning
from gambol.view.strobe import FORCE, HEAD_LENGTH, MIN_POSE_DISTANCE, strobe
from gambol.world.film import Film, FilmShape

BALL = FilmShape(0, "sphere", (0.1,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def hop(travel: float) -> Film:
    """A ball that is pushed obliquely beside it, flies, and lands; travel along x [m]."""
    t = np.linspace(0.0, 1.0, 101)
    flying = (t > 0.25) & (t < 0.75)
    position = np.stack([travel * t, 0.0 * t, np.where(flying, 0.1 + (t - 0.25) * (0.75 - t), 0.1)], axis=1)
    forces = np.where(flying[:, None], 0.0, (6.0, 0.0, 8.0))
    return Film(
        "hop",
        t,
        position[:, None, None],
        np.broadcast_to([1.0, 0.0, 0.0, 0.0], (101, 1, 1, 4)).copy(),
        ("ball",),
        (BALL,),
        signals={
            "torques": np.stack([np.sin(t), 0.0 * t], axis=1)[:, None],
            "contact_forces": forces[:, None, None],
            "contact_points": (position - (0.0, 0.15, 0.1))[:, None, None],
        },
    )


def test_poses_stand_beside_each_other_as_they_were():
    """In place they are MIN_POSE_DISTANCE sizes from each other; a motion that travels further is not moved at all."""
    still, far = strobe(hop(0.0), 6), strobe(hop(10.0), 6)
    np.testing.assert_allclose(np.diff(still.position[0, 0, :6, 0]), MIN_POSE_DISTANCE * 0.2, atol=1e-12)
    np.testing.assert_allclose(far.position[0, 0, :6, 0], 10.0 * np.linspace(0.0, 1.0, 6), atol=1e-12)
    heights = hop(0.0).at_times(np.linspace(0.0, 1.0, 6)).position[:, 0, 0, 2]
    np.testing.assert_allclose(still.position[0, 0, :6, 2], heights, atol=1e-12)


def test_arrows_begin_where_forces_act_and_point_along_them():
    film = strobe(hop(2.0), 5)  # at 0, 0.25, 0.5, 0.75 and 1 s; two of them in contact besides the borders
    arrows = [k for k, name in enumerate(film.link_names) if name.startswith(FORCE)]
    assert len(arrows) == 4
    w, x, y, z = film.quaternion[0, 0, arrows[0]]
    along = (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))  # the third column of its rotation
    np.testing.assert_allclose(along, (0.6, 0.0, 0.8), atol=1e-12)
    np.testing.assert_allclose(
        film.position[0, 0, arrows], [[0, -0.15, 0], [0.5, -0.15, 0], [1.5, -0.15, 0], [2, -0.15, 0]], atol=1e-12
    )
    head = [shape for shape in film.shapes if shape.link == arrows[0]][1]
    assert head.size[2] == pytest.approx(HEAD_LENGTH * 0.2)


def test_a_downward_force_is_drawn_too():
    film = hop(0.0)
    film.signals["contact_forces"][...] = (0.0, 0.0, -1.0)
    turned = strobe(film, 2).quaternion[0, 0, -1]
    np.testing.assert_allclose(np.abs(turned), (0.0, 1.0, 0.0, 0.0), atol=1e-6)


@pytest.mark.usefixtures("renderer")
def test_the_picture_shows_poses_arrows_and_plots(tmp_path):
    """Brown balls, amber arrows, and the blue line of the first torque."""
    pixels = imread(write_effort_picture(hop(2.0), tmp_path / "hop.png", ["hip"], ["sole"]))[..., :3]
    red, green, blue = np.moveaxis(pixels, -1, 0)
    assert ((red > 0.3) & (red < 0.7) & (blue < 0.2) & (green < 0.4)).sum() > 1000
    assert ((red > 0.8) & (green > 0.5) & (blue < 0.4)).sum() > 200
    assert ((blue > 0.6) & (red < 0.3)).sum() > 500


def test_without_opengl_the_plots_remain(tmp_path, monkeypatch):
    monkeypatch.setattr(opengl, "can_render", lambda: False)
    monkeypatch.setattr("gambol.view.effort.can_render", lambda: False)
    with pytest.warns(RenderWarning, match="the poses are left out"):
        path = write_effort_picture(hop(1.0), tmp_path / "hop.png")
    assert imread(path).shape[0] < 900


def test_a_film_without_shapes_is_an_error(tmp_path):
    with pytest.raises(GambolError, match="0 shapes"):
        strobe(replace(hop(1.0), shapes=()))
