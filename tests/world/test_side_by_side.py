"""Films of different figures as one: each keeps its motion, at its place and in its size."""

from dataclasses import replace

import numpy as np
import pytest

import gambol
from gambol.errors import GambolError
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from gambol.world import Film, World, run, start
from gambol.world.film.side_by_side import scaled_film, side_by_side


def falling(name: str, shape: Box | Sphere, seconds: float = 0.1) -> Film:
    body = Link("body", None, Joint("free"), (Part(shape, (0.1, 0.0, 0.0)),))
    arm = Link("arm", "body", Joint("revolute", (0.0, 1.0, 0.0)), (Part(shape),))
    world = World(Figure(name, (body, arm)))
    return run(world, start(world, position=(0.0, 0.0, 5.0)), seconds, rate=100.0)


@pytest.fixture(scope="module")
def films() -> dict[str, Film]:
    return {"box": falling("box", Box((0.2, 0.1, 0.1))), "ball": falling("ball", Sphere(0.1))}


def test_each_moves_as_it_does_alone(films: dict[str, Film]):
    film = side_by_side("both", films, [(1.0, 2.0), (-3.0, 0.0)])
    assert film.link_names == ("box/body", "box/arm", "ball/body", "ball/arm")
    assert film.parents == (-1, 0, -1, 2)
    np.testing.assert_array_equal(
        film.position[:, :, :2] - films["box"].position, np.full((11, 1, 2, 3), (1.0, 2.0, 0.0))
    )
    np.testing.assert_array_equal(film.quaternion[:, :, 2:], films["ball"].quaternion)
    assert [(shape.kind, shape.link) for shape in film.shapes] == [("box", 0), ("box", 1), ("sphere", 2), ("sphere", 3)]


def test_all_lengths_are_scaled_and_no_angles(films: dict[str, Film]):
    film = scaled_film(films["box"], 3.0)
    np.testing.assert_allclose(film.position, 3.0 * films["box"].position)
    np.testing.assert_array_equal(film.quaternion, films["box"].quaternion)
    assert film.shapes[0].size == pytest.approx((0.6, 0.3, 0.3))
    assert film.shapes[0].position == pytest.approx((0.3, 0.0, 0.0))


def test_other_films_are_refused(films: dict[str, Film]):
    box = films["box"]
    for wrong, message in (
        ({"box": box, "ball": falling("ball", Sphere(0.1), 0.2)}, "other times"),
        ({"box": replace(box, ground=gambol.world.film.FilmGround(np.zeros((2, 2))))}, "level ground"),
        ({}, "at least one"),
    ):
        with pytest.raises(GambolError, match=message):
            side_by_side("both", wrong, [(0.0, 0.0)] * len(wrong))
    with pytest.raises(GambolError, match="more than 0"):
        scaled_film(box, 0.0)
