"""Colours of shapes: in films, their files, pages, pictures and exported files."""

import base64
import gzip
import json
from dataclasses import replace

import numpy as np
import pytest
from films import hexapod_film
from matplotlib.image import imread

from gambol.errors import FigureError, GambolError
from gambol.export.clip import clip_of
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.figure.color import color_text, rgb_values
from gambol.view import posture_film, write_still
from gambol.view.page import encode_film
from gambol.view.scene.look import LEG, TRUNK, link_looks, shape_colors
from gambol.world import Film
from gambol.world.film import FilmShape

BLUE, GREEN = "#1030f0", "#10c020"


def box(link, color=None):
    return FilmShape(link, "box", (0.1, 0.1, 0.1), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), color)


def two_links(*shapes):
    """A film of one frame of a trunk and a leg."""
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (1, 1, 2, 1))
    position = np.array([[[[0.0, 0.0, 0.0], [0.3, 0.0, 0.0]]]])
    return Film("two", np.zeros(1), position, quaternion, ("trunk", "tibia_fl"), shapes, ("fl",))


def description(film):
    data = gzip.decompress(base64.b64decode(encode_film(film)))
    return json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])


def test_a_colour_is_rounded_to_bytes():
    assert color_text(1.0, 0.5, 0.0) == "#ff8000"
    assert rgb_values("#ff0033") == (1.0, 0.0, 0.2)
    with pytest.raises(FigureError, match=r"1\.5 green; give 0 to 1"):
        color_text(0.0, 1.5, 0.0)


def test_a_shape_without_a_colour_has_that_of_its_link():
    film = two_links(box(0), box(0, BLUE), box(1), box(1))
    assert shape_colors(film) == (TRUNK, BLUE, LEG, LEG)
    assert [each.color for each in link_looks(film)] == [BLUE, LEG]


def test_parts_that_differ_in_colour_are_equal_and_films_show_it():
    part = Part(Box((0.1, 0.1, 0.1)))
    assert part == replace(part, color=BLUE)
    film = posture_film(Figure("box", (Link("box", None, Joint("free"), (replace(part, color=BLUE),)),)))
    assert film.shapes[0].color == BLUE


def test_a_figure_refuses_a_word_as_a_colour():
    with pytest.raises(FigureError, match='has the colour "blue"; give one such as'):
        Figure("box", (Link("box", None, Joint("free"), (Part(Box((0.1, 0.1, 0.1)), color="blue"),)),))


def test_a_film_file_contains_colours_and_older_files_have_none(tmp_path):
    film = two_links(box(0, BLUE), box(1))
    assert Film.load(film.save(tmp_path / "film.npz")).shapes == film.shapes
    with np.load(tmp_path / "film.npz") as arrays:
        shapes = json.loads(arrays["about"].tobytes())["shapes"]
    assert "color" not in shapes[1]  # the same as in a file of before


def test_a_film_file_with_a_wrong_colour_is_refused(tmp_path):
    path = two_links(box(0, "url(x)")).save(tmp_path / "film.npz")
    with pytest.raises(GambolError, match=r'has the colour "url\(x\)"'):
        Film.load(path)


def test_a_page_holds_the_colours_of_shapes():
    shapes = description(two_links(box(0, BLUE), box(1)))["shapes"]
    assert [shape.get("color") for shape in shapes] == [BLUE, None]


def test_exported_clips_have_the_colours_of_shapes():
    clip = clip_of(two_links(box(0, BLUE), box(0), box(1, GREEN)))
    assert clip.drawn_colors == (rgb_values(BLUE), rgb_values(TRUNK), rgb_values(GREEN))
    assert clip.colors == (rgb_values(BLUE), rgb_values(GREEN))


@pytest.mark.usefixtures("renderer")
def test_a_picture_shows_the_colours(tmp_path):
    image = imread(write_still(two_links(box(0, BLUE), box(1, GREEN)), tmp_path / "two.png"))[..., :3]
    red, green, blue = image[..., 0], image[..., 1], image[..., 2]
    for own, others in ((blue, (red, green)), (green, (red, blue))):
        assert (own > np.maximum(*others) + 0.25).mean() > 0.01


@pytest.mark.usefixtures("renderer")
def test_a_stepping_leg_is_amber_whatever_its_colour(tmp_path):
    film = hexapod_film(seconds=0.1)
    film = replace(film, shapes=tuple(replace(shape, color=BLUE) for shape in film.shapes))
    image = imread(write_still(film, tmp_path / "walk.png"))[..., :3]
    assert ((image[..., 0] > image[..., 2] + 0.3) & (image[..., 0] > 0.5)).mean() > 5e-4
    assert (image[..., 2] > image[..., 0] + 0.3).mean() > 0.01
