"""Walk cycles of motions whose period, travel and gap are known."""

from dataclasses import replace

import numpy as np
import pytest
from walkers import PERIOD, SPEED, TURN, walker

from gambol.errors import GambolError
from gambol.export import walk_cycle


def test_strides_of_films_without_limbs_begin_where_the_ground_pushes_on_a_foot_again():
    """As in films of evolved creatures."""
    film = walker()
    push = 9.0 * (1.0 - film.signals["stepping"])
    other = replace(film, limb_names=(), signals={"push": push}, axes={"feet": ("foot",)})
    first, second = walk_cycle(film, in_place=True), walk_cycle(other, in_place=True)
    np.testing.assert_array_equal(second.film.position, first.film.position)
    assert (second.start, second.period, second.gap) == (first.start, first.period, first.gap)
    with pytest.raises(GambolError, match='no signal "stepping" of limbs or "push" of feet'):
        walk_cycle(replace(other, signals={}))


def test_a_periodic_walk_is_cut_as_it_is():
    cycle = walk_cycle(walker(), frames=50)
    assert cycle.period == pytest.approx(PERIOD, abs=1e-9)
    assert cycle.turn == pytest.approx(TURN * PERIOD, abs=1e-9)
    radius = SPEED / TURN
    assert np.hypot(*cycle.travel) == pytest.approx(2.0 * radius * np.sin(TURN * PERIOD / 2), abs=1e-5)
    # the root goes along an arc, the cycle along its chord at even speed: its sagitta is r (1 - cos(turn / 4))
    assert cycle.gap < 1e-9
    assert cycle.gap_angle < 1e-9


def test_a_cycle_loops_and_in_place_it_stays():
    for drift in (0.0, 0.05):
        cycle = walk_cycle(walker(drift), in_place=True)
        film = cycle.film
        np.testing.assert_allclose(film.position[-1], film.position[0], atol=1e-12)
        np.testing.assert_allclose(film.position[0, 0, 0, :2], 0.0, atol=1e-12)
        np.testing.assert_allclose(np.abs(np.sum(film.quaternion[-1] * film.quaternion[0], axis=-1)), 1.0, atol=1e-12)
        assert cycle.gap == pytest.approx(drift * PERIOD, abs=1e-9)


def test_a_travelling_cycle_continues_where_it_ends():
    """The second round is the first one, moved and turned by the travel and the turn of a stride."""
    cycle = walk_cycle(walker(0.05))
    first, last = cycle.film.position[0, 0], cycle.film.position[-1, 0]
    c, s = np.cos(cycle.turn), np.sin(cycle.turn)
    turned = (first - first[0]) @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]).T
    np.testing.assert_allclose(last, turned + first[0] + [*cycle.travel, 0.0], atol=1e-12)


def test_no_frame_changes_by_more_than_the_gap():
    film = walker(0.05)
    cycle = walk_cycle(film)
    original = film.at_times(np.linspace(cycle.start, cycle.start + cycle.period, 61))
    arc = 2.0 * SPEED / TURN * (1.0 - np.cos(TURN * PERIOD / 4.0)) + 0.1 * TURN * PERIOD
    assert np.linalg.norm(cycle.film.position - original.position, axis=-1).max() <= cycle.gap + arc


def test_what_has_no_stride_is_refused():
    film = walker()
    with pytest.raises(GambolError, match="has no limb"):
        walk_cycle(film, limb="fooot")
    with pytest.raises(GambolError, match=r"touchdowns after 3\.8 s"):
        walk_cycle(film, after=3.8)
    with pytest.raises(GambolError, match='no signal "stepping" of limbs'):
        walk_cycle(replace(film, signals={}))
    with pytest.raises(GambolError, match="2 or more"):
        walk_cycle(film, frames=1)
