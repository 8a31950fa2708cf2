"""Attachments: springs between bodies and the world that oscillate, lose energy and break."""

import math
from dataclasses import replace

import numpy as np
import pytest
from worlds import Array, body, diagonal, energy_balance, mechanical, moved

from gambol.contact import Attachment
from gambol.errors import FigureError, WorldError
from gambol.figure import Figure, Joint, Link
from gambol.world import Engine, External, State, Timing, World, start

K, M = 40.0, 0.5  # N/m, kg
CENTRE = (0.0, 0.0, 0.0)
SPRING = Attachment("body", None, CENTRE, CENTRE, stiffness=K)
TIMING = Timing(control_step=0.005, step=1e-3, tolerance=1e-9)


def tied(attachment: Attachment, worlds: int = 1) -> tuple[Engine, State]:
    world = World(
        body(diagonal(M, 0.1, 0.2, 0.3)), external=External(attachments=(attachment,)), gravity=0.0, timing=TIMING
    )
    return Engine(world), start(world, worlds, position=(0.1, 0.0, 0.0))


def test_a_body_on_a_spring_swings_at_its_frequency():
    engine, state = tied(SPRING)
    w = math.sqrt(K / M)
    for _ in range(5):
        state = moved(engine, state, 0.25)
        t = float(state.time[0])
        np.testing.assert_allclose(state.q[0, 4:7], (0.1 * math.cos(w * t), 0.0, 0.0), atol=1e-6)


def test_two_bodies_pull_on_each_other():
    """A mass that slides on a free one: they oscillate with their reduced mass, and their momentum is constant."""
    links = (
        Link("left", None, Joint("free"), (), diagonal(1.0, 0.1, 0.1, 0.1)),
        Link("right", "left", Joint("prismatic", (1.0, 0.0, 0.0)), (), diagonal(3.0, 0.1, 0.1, 0.1)),
    )
    spring = Attachment("right", "left", CENTRE, CENTRE, stiffness=K)
    world = World(Figure("pair", links), external=External(attachments=(spring,)), gravity=0.0, timing=TIMING)
    engine, state = Engine(world), start(world, angles={"right": 0.1})
    after = moved(engine, state, 0.7)
    w = math.sqrt(K / 0.75)
    assert after.q[0, 7] == pytest.approx(0.1 * math.cos(w * 0.7), abs=1e-6)
    assert 1.0 * after.v[0, 3] + 3.0 * (after.v[0, 3] + after.v[0, 6]) == pytest.approx(0.0, abs=1e-9)


def test_an_exponential_spring_conserves_energy():
    engine, state = tied(replace(SPRING, stiffness=0.0, alpha=0.5, beta=20.0))
    np.testing.assert_allclose(mechanical(engine, moved(engine, state, 1.0)), mechanical(engine, state), rtol=1e-5)


def test_restitution_leaves_its_part_of_the_energy_at_each_pass():
    """Released from rest, the points meet with e of the energy; then the spring stores all of it."""
    engine, state = tied(replace(SPRING, restitution=0.5, approach_speed=1e-4))
    begun = mechanical(engine, state)
    turns: list[Array] = []
    while len(turns) < 2:
        before = state.q[0, 4]
        state = moved(engine, state, 0.005)
        turns += [mechanical(engine, state)] if before > 0.0 >= state.q[0, 4] or before < 0.0 <= state.q[0, 4] else []
    # the switch of restitution over 1e-4 m/s, of speeds near 0.6 m/s, is worth less than a thousandth
    np.testing.assert_allclose(turns[0], 0.5 * begun, rtol=2e-3)
    np.testing.assert_allclose(turns[1], 0.25 * begun, rtol=2e-3)
    np.testing.assert_allclose(energy_balance(engine, state), begun, rtol=1e-5)


def test_an_attachment_breaks_at_its_length_for_good():
    engine, state = tied(replace(SPRING, breaks_at=0.2), worlds=2)
    state.v[:, 3] = (0.5, 3.0)  # the first turns back at sqrt(0.1^2 + 0.5^2 M / K) = 0.115
    begun = energy_balance(engine, state)
    after = moved(engine, state, 1.0)
    assert after.step_state.memory.intact[0].tolist() == [1.0, 0.0]
    np.testing.assert_allclose(energy_balance(engine, after), begun, rtol=1e-5)
    escape = math.sqrt(3.0**2 + K / M * (0.1**2 - 0.2**2))  # what is left where it breaks, within a step of there
    assert after.v[1, 3] == pytest.approx(escape, rel=0.03)
    later = moved(engine, after, 0.5)
    np.testing.assert_allclose(later.v[1], after.v[1], rtol=1e-12)
    np.testing.assert_allclose(later.q[1, 4] - after.q[1, 4], 0.5 * after.v[1, 3], rtol=1e-9)


@pytest.mark.parametrize("contact", ["stepping", "impulse", "constraint"])
def test_an_attachment_breaks_under_every_contact_method(contact: str):
    """Large steps are of first order: the energy errs by w h / 2, the phase of the spring in half a step."""
    h = 1e-3
    timing = Timing(control_step=0.005, step=h, method="rk4")
    spring = replace(SPRING, breaks_at=0.2)
    world = World(
        body(diagonal(M, 0.1, 0.2, 0.3)), external=External(attachments=(spring,)), gravity=0.0, contact=contact,
        timing=timing,
    )  # fmt: skip
    engine, state = Engine(world), start(world, 2, position=(0.1, 0.0, 0.0))
    state.v[:, 3] = (0.5, 3.0)
    begun = energy_balance(engine, state)
    after = moved(engine, state, 1.0)
    assert after.step_state.memory.intact[0].tolist() == [1.0, 0.0]
    np.testing.assert_allclose(energy_balance(engine, after), begun, rtol=0.5 * math.sqrt(K / M) * h)
    assert after.v[1, 3] == pytest.approx(math.sqrt(3.0**2 + K / M * (0.1**2 - 0.2**2)), rel=0.03)
    later = moved(engine, after, 0.5)
    np.testing.assert_allclose(later.v[1], after.v[1], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(
    ("name", "value"),
    [("beta", 0.0), ("approach_speed", 0.0), ("breaks_at", 0.0), ("breaks_at", math.nan), ("stiffness", -1.0),
     ("alpha", math.nan), ("restitution", -0.1), ("point", (0.0, math.nan, 0.0))],
)  # fmt: skip
def test_impossible_attachments_are_refused(name: str, value: object):
    with pytest.raises(WorldError, match='"body"'):
        replace(SPRING, **{name: value})


@pytest.mark.parametrize("names", [("bodi", None), ("body", "bodi")])
def test_attachments_of_missing_links_are_refused(names: tuple[str, str | None]):
    with pytest.raises(FigureError, match='did you mean "body"'):
        tied(replace(SPRING, link=names[0], other=names[1]))
