"""The stepping pattern shows every stance, with legs in their order on the body."""

from dataclasses import replace

import numpy as np
import pytest
from films import hexapod_film

from gambol.errors import GambolError
from gambol.view import write_pattern
from gambol.view.scene.legs import legs_by_side, middle_stride, stance_spans, stepping_of
from gambol.world.film import Film


def test_legs_are_ordered_from_left_front_to_right_back(film):
    assert [film.limb_names[i] for i in legs_by_side(film)] == ["fl", "ml", "bl", "fr", "mr", "br"]


def test_order_follows_the_body_not_the_names(film):
    shuffled = replace(
        film, limb_names=tuple(reversed(film.limb_names)), signals={"stepping": film.signals["stepping"][:, :, ::-1]}
    )
    assert [shuffled.limb_names[i] for i in legs_by_side(shuffled)] == ["fl", "ml", "bl", "fr", "mr", "br"]


def test_legs_without_known_links_have_their_order(film):
    assert legs_by_side(replace(film, limb_names=("one", "two", "three", "four", "five", "six"))) == list(range(6))


def test_stances_last_half_of_each_tripod_stride(film):
    spans = stance_spans(film.time, stepping_of(film)[:, 0])
    np.testing.assert_allclose(spans, [(0.05, 0.05), (0.15, 0.05), (0.25, 0.05)], atol=2 / 1200)


def test_a_leg_that_never_stands_or_always_does():
    time = np.array([0.0, 1.0, 2.0])
    assert stance_spans(time, np.ones(3)) == []
    assert stance_spans(time, np.zeros(3)) == [(0.0, 2.0)]


def test_the_middle_stride_is_one_stride_long():
    start, end = middle_stride(hexapod_film(seconds=1.0, stride=0.1))
    assert end - start == pytest.approx(0.1, abs=2 / 1200)
    assert abs((start + end) / 2 - 0.5) <= 0.1


def rolling_over(film: Film) -> Film:
    """Return a film whose first link rolls over after 0.8 s."""
    late = np.maximum(0.0, film.time - 0.8)[:, None, None]
    quaternion = film.quaternion.copy()
    quaternion[:, :, 0] = np.concatenate([np.cos(10.0 * late), np.sin(10.0 * late), 0.0 * late, 0.0 * late], axis=-1)
    return replace(film, quaternion=quaternion)


def in_a_scene(film: Film) -> Film:
    """Return a film with a link "world" that does not move before the others."""
    extended = ((0, 0), (0, 0), (1, 0), (0, 0))
    quaternion = np.pad(film.quaternion, extended)
    quaternion[:, :, 0, 0] = 1.0
    return replace(
        film,
        position=np.pad(film.position, extended),
        quaternion=quaternion,
        link_names=("world", *film.link_names),
        parents=(-1, *(0 for _ in film.link_names)),
        shapes=tuple(replace(shape, link=shape.link + 1) for shape in film.shapes),
    )


def test_a_film_in_which_the_root_falls_over_is_no_steady_walk():
    film = hexapod_film(seconds=1.0, stride=0.1)
    assert middle_stride(rolling_over(film)) == (0.0, 1.0)


def test_a_film_of_several_figures_in_which_one_falls_over_is_no_steady_walk():
    film = hexapod_film(seconds=1.0, stride=0.1)
    assert middle_stride(in_a_scene(film)) == middle_stride(film)
    assert middle_stride(in_a_scene(rolling_over(film))) == (0.0, 1.0)


def test_a_film_that_steps_in_a_small_part_of_it_is_no_steady_walk():
    film = hexapod_film(seconds=1.0, stride=0.1)
    stepping = film.signals["stepping"] * (film.time < 0.3)[:, None, None]
    assert middle_stride(replace(film, signals={"stepping": stepping})) == (0.0, 1.0)


def test_the_middle_stride_of_a_film_without_steps_is_all_of_it(film):
    assert middle_stride(replace(film, signals={})) == (0.0, 0.3)


def test_the_pattern_is_written(film, tmp_path):
    assert write_pattern(film, tmp_path / "pattern.svg").read_text().startswith("<?xml")
    with pytest.raises(GambolError, match='no signal "stepping"'):
        write_pattern(replace(film, signals={}), tmp_path / "pattern.png")


@pytest.mark.parametrize("name", ["$\\frac$ {{film}}", "a $b$ c", "\x1b[2J\x07\u202e"])
def test_a_name_is_drawn_literally(film, tmp_path, name):
    """matplotlib would read text between dollars as mathematics, and warn of control characters."""
    renamed = replace(film, name=name, limb_names=tuple(f"{name} {leg}" for leg in film.limb_names))
    assert write_pattern(renamed, tmp_path / "pattern.png").stat().st_size > 1000
