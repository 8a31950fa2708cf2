"""Tendons that are springs: closed-form forces, and a book of energy that closes."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol.actuation import ActuatorInput, SpringTendon
from gambol.actuation.muscle import PathPoint, PointPath, Pulley, PulleyPath
from gambol.control import ConstantLaw, FeedbackController
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.world import Timing, World, run, start

LINE = PulleyPath((Pulley(-1.0),), 0.0)
TENDON = SpringTendon(("slide",), LINE, 10.0, 2.0, 0.3, 0.5, 0.1, 0.8, 1000.0, 20.0)
BALL = MassProperties(2.0, (0.0, 0.0, 0.0), ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)))
FIGURE = Figure("ball on a slide", (Link("slide", None, Joint("prismatic", (1.0, 0.0, 0.0)), (), BALL),))


@pytest.mark.parametrize(
    ("x", "v", "force"),
    [
        (0.4, 0.5, -2.0 * 0.5),  # slack
        (0.6, 0.5, -10.0 * 0.1 - 1.0),
        (0.2, 0.0, 10.0 * 0.1),
        (0.9, 0.0, -10.0 * 0.4 - 1000.0 * 0.1),
        (0.9, 1.0, -10.0 * 0.4 - 1000.0 * 0.1 - 20.0 - 2.0),
        (0.81, -100.0, -10.0 * 0.31 + 200.0),  # the stop does not pull back
        (0.05, 0.0, 10.0 * 0.25 + 1000.0 * 0.05),
    ],
)
def test_forces_are_those_of_the_formula(x, v, force):
    at = ActuatorInput(0.0, [x], [v], (), {}, FIGURE.links)
    assert TENDON.force(TENDON.numbers(), at) == [pytest.approx(force, rel=1e-12)]
    assert TENDON.heat(TENDON.numbers(), at) >= 0.0


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_a_weight_on_a_cord_swings_with_its_closed_form(contact):
    """x = (v / w) sin(w t), w = sqrt(k / m): the cord pulls from a point far ahead, so that it is never slack."""
    far, k = 100.0, 50.0
    path = PointPath((PathPoint(None, (far, 0.0, 0.0)), PathPoint("slide")))
    cord = SpringTendon(("slide",), path, k, shortest=far, longest=far)
    world = World(
        FIGURE, controller=FeedbackController(ConstantLaw(()), {"cord": cord}), gravity=(0.0, 0.0, 0.0),
        contact=contact, timing=Timing(1e-2, 1e-4, "semi-implicit euler" if contact == "stepping" else "rk4"),
    )  # fmt: skip
    state = start(world)
    state.v[:, 0] = 1.0
    film = run(world, state, 1.0, rate=100.0)
    w = math.sqrt(k / BALL.mass)
    expected = np.sin(w * film.time) / w
    # a step of h of the implicit Euler method damps by w^2 h / 2 per second: 1.25e-3 over the second
    np.testing.assert_allclose(film.position[:, 0, 0, 0], expected, atol=1e-9 if contact == "penalty" else 1.3e-3 / w)
    if contact == "penalty":
        assert np.abs(film.signals["unaccounted"]).max() < 1e-9
    assert [m.name for m in film.matter] == ["cord"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"stiffness": -1.0}, "stiffness is -1.0; it must be 0 or more"),
        ({"shortest": 1.0}, "lower end above their upper end"),
        ({"lower": 1.0, "upper": 1.0}, "lower end above their upper end"),
    ],
)
def test_impossible_numbers_are_refused(options, text):
    with pytest.raises(WorldError, match=text):
        SpringTendon(("slide",), LINE, **options)


def test_one_that_only_pulls_never_pushes():
    tendon = SpringTendon(
        ("slide",), PulleyPath((Pulley(1.0),), length=0.3), 1000.0, 10.0, longest=0.25, pulls_only=True
    )
    numbers = tendon.numbers()
    for q, v, force in ((0.0, 0.0, 50.0), (0.0, -2.0, 70.0), (0.0, 6.0, 0.0), (0.1, -2.0, 0.0)):
        at = ActuatorInput(0.0, [q], [v], (), {}, FIGURE.links)
        assert tendon.outputs(numbers, at)["force"] == pytest.approx(force, abs=1e-9)
        assert tendon.heat(numbers, at) >= 0.0
    with pytest.raises(WorldError, match="length of its own"):
        replace(tendon, path=PulleyPath((Pulley(0.05),)))
