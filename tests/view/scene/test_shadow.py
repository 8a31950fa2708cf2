"""Shadows lie where the sun's rays through the figure meet the ground."""

import numpy as np
from films import hexapod_film

from gambol.view.scene.meshes import shape_mesh
from gambol.view.scene.shadow import Shadow, heights_at, level_of
from gambol.world.film import Film, FilmGround, FilmShape

LEVEL = FilmGround()


def ball_film(height, ground=LEVEL):
    shape = FilmShape(0, "sphere", (0.1,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    q = np.array([1.0, 0.0, 0.0, 0.0]).reshape(1, 1, 1, 4)
    p = np.array([0.0, 0.0, height]).reshape(1, 1, 1, 3)
    return Film("ball", np.zeros(1), p, q, ("ball",), (shape,), ground=ground)


def test_a_ball_under_a_low_sun_casts_an_ellipse():
    sun = np.array([-1.0, 0.0, 1.0])
    landed = Shadow(ball_film(0.5), 0).corners(0, sun)
    corners = shape_mesh(ball_film(0.5).shapes[0]).corners + np.array([0.0, 0.0, 0.5])
    np.testing.assert_allclose(landed, corners * [1, 1, 0] + corners[:, 2:] * [1.0, 0.0, 0.0], atol=1e-12)


def test_on_a_slope_the_ray_ends_on_the_slope():
    i, _ = np.indices((41, 3))
    slope = FilmGround(0.2 * 0.1 * (i - 20.0), -2.0, -0.1, 0.1)
    landed = Shadow(ball_film(0.5, slope), 0).corners(0, np.array([-1.0, 0.0, 2.0]))
    # the ray through the centre: z = 0.5 - 2 x meets z = 0.2 x at x = 0.5 / 2.2
    assert abs((landed[:, 0].max() + landed[:, 0].min()) / 2 - 0.5 / 2.2) < 1e-3
    np.testing.assert_allclose(landed[:, 2], 0.2 * landed[:, 0], atol=1e-9)


def test_a_level_ground_of_any_height_is_level_beyond_its_edges_too():
    flat = FilmGround(np.full((2, 2), -0.3), 0.0, 0.0, 0.01)
    assert (level_of(flat), level_of(LEVEL), level_of(FilmGround(np.eye(2)))) == (-0.3, 0.0, None)
    shadow = Shadow(ball_film(0.5, flat), 0).corners(0, np.array([-1.0, 0.0, 1.0]))
    assert len(shadow) == len(shape_mesh(ball_film(0.5).shapes[0]).corners)
    np.testing.assert_allclose(shadow[:, 2], -0.3)


def test_heights_are_bilinear_and_level_beyond_the_edges():
    ground = FilmGround(np.array([[0.0, 1.0], [2.0, 5.0]]), 10.0, 20.0, 2.0)
    at = np.array([[11.0, 21.0], [10.0, 20.0], [12.0, 22.0], [99.0, 99.0], [-9.0, 21.0]])
    np.testing.assert_allclose(heights_at(ground, at), [2.0, 0.0, 5.0, 5.0, 0.5])


def test_the_hexapods_shadow_stays_under_it():
    film = hexapod_film(seconds=0.05)
    landed = Shadow(film, 0).corners(30, np.array([0.0, 0.0, 1.0]))
    body = film.position[30, 0]
    assert np.abs(landed[:, 2]).max() == 0.0
    assert np.all(landed.min(axis=0)[:2] < body.min(axis=0)[:2])
    assert np.all(landed.max(axis=0)[:2] > body.max(axis=0)[:2])
