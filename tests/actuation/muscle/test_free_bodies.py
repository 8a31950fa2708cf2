"""Muscles and tendons between free bodies: their momentum is conserved, and the books of their energy close."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drives import ConstantPattern

import gambol
from gambol.actuation import Actuator, SpringTendon
from gambol.actuation.muscle import Muscle, PathPoint, PointPath
from gambol.control import Drive
from gambol.figure import Figure, Joint, Link, MassProperties, make_forest
from gambol.world import Engine, Timing, World, run, start

SECONDS = 0.4
TOLERANCE = 1e-10
"""Of adaptive steps. Their momentum errs by some ten of these in 100 to 200 steps."""

SMOOTH = Timing(1e-3, 1e-3, "rkf45", TOLERANCE)
METHODS = {"penalty": SMOOTH, "constraint": SMOOTH, "stepping": Timing(1e-3, 1e-3), "impulse": Timing(1e-3, 1e-3)}
PLACES = {"hammer": (0.0, 0.0, 1.0), "anvil": (0.5, 0.0, 1.0)}
PATH = PointPath((PathPoint("hammer", (0.05, 0.1, 0.0)), PathPoint("anvil", (-0.05, 0.0, 0.08))))
BOTH = ("hammer", "anvil")

PULLERS: dict[str, Actuator] = {
    "compliant muscle": Muscle(BOTH, PATH, 40.0, optimal_length=0.2, slack_length=0.25),
    "rigid muscle": Muscle(BOTH, PATH, 40.0, optimal_length=0.4, slack_length=0.05, rigid_tendon=True),
    "spring tendon": SpringTendon(BOTH, PATH, stiffness=50.0, damping=0.5, longest=0.3),
    "cord": SpringTendon(BOTH, PATH, stiffness=50.0, damping=0.5, longest=0.3, pulls_only=True),
}


def body(name: str, mass: float, inertia: tuple[float, float, float]) -> Figure:
    x, y, z = inertia
    properties = MassProperties(mass, (0.01, 0.0, 0.02), ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)))
    return Figure(name, (Link(name, None, Joint("free"), (), properties),))


def pair() -> Figure:
    """Two free bodies that no joint connects."""
    bodies = body("hammer", 2.0, (0.02, 0.03, 0.04)), body("anvil", 0.7, (0.005, 0.004, 0.006))
    return make_forest("pair", bodies)


def world_of(puller: Actuator, method: str, figure: Figure | None = None) -> World:
    drive = Drive(ConstantPattern((0.5,) * len(puller.commands)), {"puller": puller})
    return World(figure or pair(), controller=drive, gravity=0.0, contact=method, timing=METHODS[method])


def pulled(world: World, place: Any = PLACES) -> tuple[gambol.Momentum, float]:
    """Return the momentum in the end, and the largest momentum of a link [kg m/s]."""
    state, engine = start(world, position=place), Engine(world)
    engine.advance(state, round(SECONDS / world.timing.control_step), engine.numbers())
    q, v = state.q[0], state.v[0]
    sizes: list[float] = []
    for link in world.figure.links:
        alone = np.zeros_like(v)
        alone[link.v] = v[link.v]
        sizes.append(float(np.linalg.norm(gambol.momentum(world.figure, q, alone).linear)))
    return gambol.momentum(world.figure, q, v), max(sizes)


@pytest.mark.parametrize(
    ("name", "method"), [*((name, "penalty") for name in PULLERS), ("compliant muscle", "constraint")]
)
def test_momentum_of_free_bodies_is_conserved(name: str, method: str):
    """The pull acts on both ends along one line: neither the linear nor the angular momentum of the pair changes."""
    momentum, largest = pulled(world_of(PULLERS[name], method))
    assert largest > 0.3
    np.testing.assert_allclose(momentum.linear, 0.0, atol=100.0 * TOLERANCE * largest)
    np.testing.assert_allclose(momentum.angular_about_origin, 0.0, atol=100.0 * TOLERANCE * largest)


@pytest.mark.parametrize(
    ("name", "method"), [*((name, "stepping") for name in PULLERS), ("compliant muscle", "impulse")]
)
def test_momentum_errs_by_the_second_order_of_a_large_step(name: str, method: str):
    """Both bodies turn, so steps err by the square of the angle of a step; forces that differ at the two ends, as those
    of a damping matrix that is diagonal, would make it the first order: a quarter instead of a sixteenth.
    """
    world = world_of(PULLERS[name], method)
    coarse, fine = (pulled(replace(world, timing=Timing(h, h))) for h in (4e-3, 1e-3))
    for entry in ("linear", "angular_about_origin"):
        large, small = (np.linalg.norm(getattr(momentum, entry)) for momentum, _ in (coarse, fine))
        assert small < large / 12.0
        assert small < 1e-5 * fine[1]


@pytest.mark.parametrize("name", PULLERS)
def test_the_ledger_closes(name: str):
    """Adaptive steps err where a tendon becomes slack; large steps err by the second order.

    Their forces are means of both ends, or their ledger has what the step itself takes. At 1 ms they leave less than
    a hundredth of the 0.02 that forces at the end of the step leave without such an entry.
    """
    smooth = world_of(PULLERS[name], "penalty")
    film = run(smooth, start(smooth, position=PLACES), SECONDS, rate=100.0)
    assert film.signals["kinetic"][-1, 0] > 0.1
    assert abs(film.signals["unaccounted"][-1, 0]) < 1e-5 * film.signals["kinetic"][-1, 0]
    steps = world_of(PULLERS[name], "stepping")
    errors: list[float] = []
    for h in (1e-3, 2.5e-4):
        world = replace(steps, timing=Timing(1e-3, h))
        end = run(world, start(world, position=PLACES), SECONDS, rate=100.0).signals
        errors.append(abs(end["unaccounted"][-1, 0]) / end["kinetic"][-1, 0])
    assert max(errors) < 2e-4
    if name != "compliant muscle":  # whose errors change their sign
        assert errors[1] < errors[0] / 12.0


@pytest.mark.parametrize("method", ["penalty", "stepping"])
def test_a_muscle_between_a_free_body_and_the_world_turns_nothing_about_its_anchor(method: str):
    """The line of its pull passes through the anchor, about which the body's angular momentum stays 0."""
    path = PointPath((PathPoint(None), PathPoint("anvil", (0.0, 0.1, 0.0))))
    muscle = Muscle(("anvil",), path, 40.0, optimal_length=0.2, slack_length=0.25)
    world = world_of(muscle, method, body("anvil", 0.7, (0.005, 0.004, 0.006)))
    momentum, largest = pulled(world, (0.5, 0.0, 0.2))
    assert largest > 0.5
    bound = 100.0 * TOLERANCE if method == "penalty" else 1e-5
    np.testing.assert_allclose(momentum.angular_about_origin, 0.0, atol=bound * largest)


def test_the_ledger_of_a_slack_muscle_with_a_rigid_tendon_closes():
    """Its fibre rests at its least length, so that it neither stores nor takes up energy."""
    muscle = Muscle(BOTH, PATH, 40.0, optimal_length=0.2, slack_length=0.25, rigid_tendon=True)
    world = world_of(muscle, "penalty")
    signals = run(world, start(world, position=PLACES), SECONDS, rate=100.0).signals
    assert signals["stored"][-1, 0] == pytest.approx(signals["stored"][-10, 0], rel=1e-12)  # slack by then
    assert abs(signals["unaccounted"][-1, 0]) < 0.01 * signals["motors"][-1, 0]
