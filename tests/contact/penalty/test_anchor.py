"""Anchors of feet: bristles that give way, sticky holds that break."""

import pytest
from worlds import touch

from gambol.collide import Surface
from gambol.contact import Anchor, StickyFoot
from gambol.contact.penalty.anchor import updated_bristle, updated_hold
from gambol.spatial import Vector

LEVEL = Surface(0.0, Vector(0.0, 0.0, 1.0))
STICK = StickyFoot(alpha=0.4, beta=3000.0, damping=0.0, restitution=1.0, return_speed=0.1, reach=4e-4)
INSIDE = Vector(0.3, 0.2, -1e-4)
STANDS, STEPS = 1.0, 0.0


def test_a_bristle_takes_root_where_its_point_first_touches():
    anchor, let_go = updated_bristle(touch(), LEVEL, Anchor(), INSIDE, 1.0)
    assert list(anchor.position) == list(INSIDE)
    assert (anchor.held, let_go) == (1.0, 0.0)


def test_a_bristle_within_the_cone_has_a_fixed_anchor():
    root = Anchor(0.3 - 1e-6, 0.2, -1e-4, 1.0)
    anchor, let_go = updated_bristle(touch(friction=0.5), LEVEL, root, INSIDE, 1.0)
    assert list(anchor.position) == pytest.approx(list(root.position), abs=1e-15)
    assert let_go == pytest.approx(0.0, abs=1e-15)


def test_a_bristle_beyond_the_cone_is_dragged_and_dissipates():
    k, mu, push = 1e5, 0.5, 1.0
    root = Anchor(0.3 - 1e-4, 0.2, -1e-4, 1.0)
    anchor, let_go = updated_bristle(touch(friction=mu), LEVEL, root, INSIDE, push)
    most = mu * push / k
    assert 0.3 - anchor.x == pytest.approx(most)
    assert let_go == pytest.approx(0.5 * k * (1e-4**2 - most**2))


def test_a_bristle_ends_with_touch():
    anchor, let_go = updated_bristle(touch(), LEVEL, Anchor(0.3, 0.2, 0.0, 1.0), Vector(0.3, 0.2 + 1e-5, 0.01), 0.0)
    assert anchor.held == 0.0
    assert let_go == pytest.approx(0.5 * 1e5 * 1e-5**2)


def test_a_hold_begins_in_stance_only():
    assert updated_hold(STICK, LEVEL, Anchor(), INSIDE, STANDS)[0].held == 1.0
    assert updated_hold(STICK, LEVEL, Anchor(), INSIDE, STEPS)[0].held == 0.0
    assert updated_hold(STICK, LEVEL, Anchor(), Vector(0.0, 0.0, 1e-4), STANDS)[0].held == 0.0


def test_a_hold_stays_in_the_air_within_its_reach():
    root = Anchor(0.3, 0.2, 0.0, 1.0)
    anchor, ended = updated_hold(STICK, LEVEL, root, Vector(0.3, 0.2, 3.9e-4), STANDS)
    assert (list(anchor.position), anchor.held, ended) == ([0.3, 0.2, 0.0], 1.0, 0.0)
    anchor, ended = updated_hold(STICK, LEVEL, root, Vector(0.3, 0.2, 4.1e-4), STANDS)
    assert (anchor.held, ended) == (0.0, 1.0)


def test_a_hold_that_breaks_on_the_ground_takes_hold_again():
    anchor, ended = updated_hold(STICK, LEVEL, Anchor(0.0, 0.2, 0.0, 1.0), INSIDE, STANDS)
    assert (list(anchor.position), anchor.held, ended) == (list(INSIDE), 1.0, 1.0)


def test_a_step_releases_the_foot():
    anchor, ended = updated_hold(STICK, LEVEL, Anchor(0.3, 0.2, 0.0, 1.0), INSIDE, STEPS)
    assert (anchor.held, ended) == (0.0, 1.0)
