"""Framing measures the figure, follows it smoothly, and places worlds side by side only if they would overlap."""

from dataclasses import replace

import numpy as np
import pytest
from films import hexapod_film

from gambol.errors import GambolError
from gambol.view.scene.framing import frame_film, near_path
from gambol.view.scene.look import leg_of, length_text, playback_rate, rate_text, round_length
from gambol.world.film import Film, FilmShape


def test_the_hexapod_is_nearly_three_centimetres_long():
    framing = frame_film(hexapod_film(seconds=0.1))
    assert framing.length == pytest.approx(0.0297, abs=2e-4)  # head's front edge minus abdomen's end, in tests/films.py
    assert framing.size > framing.length
    np.testing.assert_allclose(framing.heading, [1.0, 0.0, 0.0], atol=1e-12)


def test_the_followed_point_moves_at_walking_speed_without_sway():
    film = hexapod_film(seconds=1.0, speed=0.08)
    path = frame_film(film).path[:, 0]
    inner = slice(200, -200)
    np.testing.assert_allclose(np.diff(path[inner, 0]) * 1200.0, 0.08, rtol=0.05)
    assert np.ptp(path[inner, 1]) < 0.1 * np.ptp(film.position[:, 0, 0, 1])


def test_worlds_that_start_apart_stay_where_they_are():
    assert not frame_film(hexapod_film(seconds=0.05, worlds=3)).offsets.any()


def test_worlds_that_start_in_one_place_are_set_side_by_side():
    film = hexapod_film(seconds=0.05, worlds=3)
    framing = frame_film(replace(film, position=film.position - film.position[:1, :, :1]))
    gaps = np.diff(framing.offsets[:, 1])
    assert np.all(gaps > framing.size)
    assert framing.offsets[1].tolist() == [0.0, 0.0, 0.0]


def test_a_ground_is_cut_to_the_figures_path():
    film = hexapod_film(seconds=0.1, hills=True)
    framing = frame_film(film)
    near = near_path(film.ground, framing, 1.0)
    assert near.heights.size < film.ground.heights.size
    i = round((near.x0 - film.ground.x0) / near.spacing)
    j = round((near.y0 - film.ground.y0) / near.spacing)
    rows, columns = near.heights.shape
    np.testing.assert_array_equal(near.heights, film.ground.heights[i : i + rows, j : j + columns])


def test_what_cannot_be_drawn_is_named():
    film = hexapod_film(seconds=0.05, worlds=2)
    with pytest.raises(GambolError, match="0 shapes"):
        frame_film(replace(film, shapes=()))
    film.position[30:, 1, 4] = np.nan
    with pytest.raises(GambolError, match=r"world 1 is not finite from t = 0\.025 s"):
        frame_film(film)


@pytest.mark.parametrize(("link", "leg"), [("leg_fl0", 0), ("leg_br4", 1), ("tibia back right", 1), ("back", None)])
def test_the_leg_of_a_link_is_found_by_words_or_initials(link, leg):
    assert leg_of(link, ("front left", "back right")) == leg


def test_numbered_legs_are_distinguished():
    assert [leg_of(link, ("L1", "L2")) for link in ("femur_L1", "femur_L2", "femur_L")] == [0, 1, None]


@pytest.mark.parametrize(
    ("link", "leg"), [("tibia_fl", 0), ("leg_fl3", 0), ("FL_tibia", 0), ("flank", None), ("thorax", None), ("br", 1)]
)
def test_the_leg_of_a_link_is_found_by_name(link, leg):
    assert leg_of(link, ("fl", "br")) == leg


def test_small_figures_are_shown_slowly():
    assert [playback_rate(size) for size in (0.03, 0.3, 2.0)] == [0.1, 1.0, 1.0]
    assert [rate_text(r) for r in (0.1, 1.0, 2.0)] == ["1/10 real time", "real time", "2 x real time"]


def test_lengths_are_round():
    assert [round_length(x) for x in (0.0145, 0.01, 0.06, 3.0)] == pytest.approx([0.01, 0.01, 0.05, 2.0])
    assert [length_text(x) for x in (0.01, 0.005, 2.0, 0.0297)] == ["1 cm", "5 mm", "2 m", "2.97 cm"]


def test_a_figure_whose_root_stays_is_watched_from_one_place():
    turning = np.linspace(0.0, np.pi, 31)
    quaternion = np.stack([np.cos(turning / 2), 0 * turning, np.sin(turning / 2), 0 * turning], axis=-1)[:, None, None]
    rod = FilmShape(0, "capsule", (0.05, 1.0), (0.0, 0.0, -0.5), (1.0, 0.0, 0.0, 0.0))
    film = Film("rod", turning / 30, np.zeros((31, 1, 1, 3)), quaternion, ("rod",), (rod,))
    framing = frame_film(film)
    assert np.ptp(framing.path[:, 0], axis=0) == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(framing.path[0, 0], [-0.5, 0.0, 0.0], atol=0.02)  # swings from below through -x to above
    assert framing.size == pytest.approx(2.1)
