"""Tendons that are springs: closed-form forces, and a book of energy that closes."""

import math
from dataclasses import replace

import numpy as np
import pytest
from worlds import mechanical

from gambol.actuation import ActuatorInput, SpringTendon
from gambol.actuation.muscle import PathPoint, PointPath, Pulley, PulleyPath
from gambol.control import ConstantLaw, FeedbackController
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.world import Engine, Timing, World, run, start

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
    """x = (v / w) sin(w t), w = sqrt(k / m): the cord pulls from a point far ahead, so that it is never slack.

    The trapezoidal rule of a large step keeps the amplitude, and turns the phase by 2 atan(w h / 2) in a step.
    """
    far, k, h = 100.0, 50.0, 1e-2 if contact == "stepping" else 1e-4
    path = PointPath((PathPoint(None, (far, 0.0, 0.0)), PathPoint("slide")))
    cord = SpringTendon(("slide",), path, k, shortest=far, longest=far)
    world = world_of(cord, contact, Timing(1e-2, h, "semi-implicit euler" if contact == "stepping" else "rk4"))
    state = start(world)
    state.v[:, 0] = 1.0
    film = run(world, state, 1.0, rate=100.0)
    w = math.sqrt(k / BALL.mass)
    phase = film.time / h * 2.0 * math.atan(0.5 * w * h) if contact == "stepping" else w * film.time
    np.testing.assert_allclose(film.position[:, 0, 0, 0], np.sin(phase) / w, atol=1e-9)
    assert np.abs(film.signals["unaccounted"]).max() < 1e-9
    assert np.abs(film.signals["numerical_damping"]).max() < 1e-9
    assert [m.name for m in film.matter] == ["cord"]


def world_of(tendon: SpringTendon, contact: str, timing: Timing) -> World:
    law = FeedbackController(ConstantLaw(()), {"cord": tendon})
    return World(FIGURE, controller=law, gravity=0.0, contact=contact, timing=timing)


@pytest.mark.parametrize("relative_stiffness", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("pulls_only", [True, False])
def test_a_large_step_loses_energy_only_where_a_spring_or_a_limit_begins_or_ends(relative_stiffness, pulls_only):
    """1/2 k x^2 is convex, so the force at the end of a step takes at least what the spring stores: no step gains.

    relative_stiffness: k h^2 / m. The ball flies between two limits, or between a limit and a cord.
    """
    h, length = 1e-3, 0.5
    k = relative_stiffness * BALL.mass / h**2
    limits = {"lower": 0.3, "upper": math.inf if pulls_only else 0.7, "limit_stiffness": k}
    tendon = SpringTendon(("slide",), LINE, k, shortest=0.4, longest=0.6, pulls_only=pulls_only, **limits)
    engine = Engine(world := world_of(tendon, "stepping", Timing(h, h)), lanes=1)
    state, rows = start(world, q=[length]), list[list[float]]()
    state.v[:, 0] = 2.7
    for step in range(1500):
        engine.advance(state, step)
        ledger = state.step_state.ledger
        values = state.q[0], state.v[0], mechanical(engine, state), ledger.numerical_damping
        rows.append([x.item() for x in values])
    q, v, energy, lost = np.array(rows).T
    rounding, losses = 1e-12 * energy.max(), np.diff(lost)
    np.testing.assert_allclose(energy + lost, 0.5 * BALL.mass * 2.7**2, atol=100.0 * rounding)
    assert losses.min() > -rounding
    assert losses.max() > 1e-9 * energy.max()
    start_side, predicted, end_side = (
        np.searchsorted([0.3, 0.4, 0.6, 0.7], x) for x in (q[:-1], q[:-1] + h * v[:-1], q[1:])
    )
    stays = (start_side == predicted) & (start_side == end_side)
    assert stays.sum() > 100
    assert losses[stays].max() < rounding


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
