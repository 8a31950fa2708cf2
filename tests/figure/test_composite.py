"""Composite bodies: all links that a joint carries, as one body."""

import math

import numpy as np
import pytest

from gambol.errors import FigureError
from gambol.figure import Box, Figure, Joint, Link, Part, composite_bodies, rotation_about

HALF = (Part(Box((0.2, 0.5, 0.5)), position=(0.1, 0.0, 0.0)),)


def test_two_halves_at_rest_are_carried_as_the_whole():
    """The second half is attached back to front to the first one's face, and turned about its own axis."""
    turn = rotation_about("x", math.pi / 2)
    figure = Figure(
        "bar",
        (
            Link("front", None, Joint("free", position=(3.0, 0.0, 0.0)), HALF),
            Link("back", "front", Joint("revolute", (1.0, 0.0, 0.0), turn, (0.2, 0.0, 0.0)), HALF),
        ),
    )
    carried, whole = composite_bodies(figure.links)[1], Box((0.4, 0.5, 0.5)).mass_properties(1000.0)
    assert carried.mass == pytest.approx(whole.mass)
    assert carried.com == pytest.approx((0.2, 0.0, 0.0))
    np.testing.assert_allclose(carried.inertia, whole.inertia, atol=1e-14 * whole.mass)
    assert composite_bodies(figure.links)[2] == figure.link("back").mass_properties


def test_a_fixed_link_may_mark_a_place_without_mass():
    links = (Link("bar", None, Joint("free"), HALF), Link("tip", "bar", Joint("fixed", position=(0.2, 0.0, 0.0))))
    assert Figure("bar", links).mass == Figure("bar", links[:1]).mass
    with pytest.raises(FigureError, match="no mass"):
        Figure("bar", (links[0], Link("tip", "bar", Joint("revolute"))))
    assert Figure("nothing", (Link("a", None, Joint("fixed")), Link("b", "a", Joint("fixed")))).mass == 0.0
