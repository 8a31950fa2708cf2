"""Worlds whose contacts collide one after the other: known answers, energy, and a creature that walks."""

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from worlds import ball, block, bounces, check_lanes, check_widths, energy_balance, mechanical, moved, quadruped, touch

from gambol.collide import Plane
from gambol.collide.broad import allowed_pairs
from gambol.contact import Impulse, SurfaceProperties
from gambol.creatures import roach, standing_state, world_of
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, MassProperties, Part, Sphere, make_forest
from gambol.lanes import Precision
from gambol.world import Engine, Timing, World, run, start
from gambol.world.events.convergence import RestitutionWarning

G = 9.81
H = 1e-3


def impulsive(
    figure: Figure, *, friction: float = 0.5, restitution: float = 0.0, hypothesis: str = "stronge", **changes: Any
) -> World:
    given = touch(friction=friction, restitution=restitution)
    return World(
        figure,
        surface=SurfaceProperties(given),
        contact=Impulse(hypothesis),
        **{"timing": Timing(control_step=H, step=H), **changes},
    )


@pytest.mark.parametrize(
    ("e", "times"), [(0.8, [0.4515236409857309, 1.1739614665629003, 1.7519117270246358]), (1.0, [0.4515236, 1.3545709])]
)
def test_ball_bounces_when_it_should_and_never_gains_energy(e: float, times: list[float]):
    world = impulsive(ball(0.1), restitution=e, friction=0.0)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 1.1))
    result, energies = bounces(engine, state, 1.8)
    np.testing.assert_allclose(result[: len(times)], times, atol=1.5 * H)
    assert np.diff(energies).max() < 1e-12 * energies[0]


@pytest.mark.parametrize("hypothesis", ["stronge", "poisson", "newton"])
@pytest.mark.parametrize(
    ("before", "e", "mu", "after"),
    [
        ((1.0, -2.0), 0.8, 0.3, (0.7142857142857143, 1.6, -0.7142857142857142)),
        ((3.0, -1.0), 0.8, 0.1, (2.82, 0.8, -0.45)),
    ],
)
def test_oblique_impact_sticks_or_slips(
    before: tuple[float, float], e: float, mu: float, after: tuple[float, float, float], hypothesis: str
):
    world = impulsive(ball(1.0), friction=mu, restitution=e, gravity=0.0, hypothesis=hypothesis)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 1.0 + 0.5 * H))
    state.v[0, 3], state.v[0, 5] = before
    hit = moved(engine, state, H).v[0]
    # A ball's velocity is in its own axes, which have turned by a few thousandths since the impact.
    np.testing.assert_allclose(hit[[3, 5]], after[:2], atol=H)
    np.testing.assert_allclose((np.hypot(hit[3], hit[5]), -hit[1]), (np.hypot(*after[:2]), after[2]), atol=1e-9)


def test_sliding_block_stops_where_friction_stops_it():
    world = impulsive(block(), friction=0.5)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.01))
    state.v[0, 3] = 2.0
    before = energy_balance(engine, state)
    after = moved(engine, state, 0.5)
    # It stops somewhere within a step, at the end of which it has moved by the mean of its speeds.
    np.testing.assert_allclose(after.q[0, 4], 2.0**2 / (2.0 * 0.5 * G), atol=0.125 * 0.5 * G * H * H + 1e-9)
    np.testing.assert_allclose(after.v[0], 0.0, atol=1e-9)
    np.testing.assert_allclose(energy_balance(engine, after), before, atol=1e-12)


@pytest.mark.parametrize(("degrees", "mu"), [(20.0, 0.3), (20.0, 0.4), (30.0, 0.5), (30.0, 0.6)])
def test_block_on_a_slope_slides_above_the_critical_angle_only(degrees: float, mu: float):
    s, c = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    world = impulsive(block(), friction=mu, gravity=(G * s, 0.0, -G * c))
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.01))
    after = moved(engine, state, 1.0)
    down = G * max(s - mu * c, 0.0)
    np.testing.assert_allclose(after.v[0, 3], down, rtol=1e-4, atol=1e-9)
    np.testing.assert_allclose(after.q[0, 4], 0.5 * down, rtol=2e-3, atol=1e-8)


def test_billiard_ball_comes_to_roll():
    world = impulsive(ball(0.1), friction=0.2)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.1))
    state.v[0, 3] = 2.0
    after = moved(engine, state, 0.4)
    np.testing.assert_allclose(np.linalg.norm(after.v[0, 3:]), 10.0 / 7.0, rtol=1e-9)
    np.testing.assert_allclose(after.v[0, 1] * 0.1, 10.0 / 7.0, rtol=1e-9)


def test_standing_quadruped_does_not_creep():
    world = impulsive(quadruped(), friction=0.8)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.25))
    settled = moved(engine, state, 0.1)
    after = moved(engine, settled, 1.9)
    assert np.abs(after.q - settled.q).max() < 1e-9
    assert np.abs(after.v).max() < 1e-9
    np.testing.assert_allclose(energy_balance(engine, after), energy_balance(engine, state), atol=1e-9)


def test_thrown_box_loses_energy_until_it_rests():
    world = impulsive(block((0.3, 0.2, 0.1)), friction=0.4, restitution=0.6)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.4))
    state.v[0] = (3.0, -5.0, 2.0, 1.0, 0.5, -1.0)
    before, energies = energy_balance(engine, state), [mechanical(engine, state).item()]
    for _ in range(150):
        state = moved(engine, state, 10 * H)
        energies.append(mechanical(engine, state).item())
    assert np.diff(energies).max() < 1e-3 * energies[0]  # an explicit turn of a tumbling box wavers by this much
    assert energies[-1] < 0.55
    lifted = state.step_state.ledger.stabilisation
    np.testing.assert_allclose(energy_balance(engine, state) - lifted, before, rtol=0.02)


def test_lanes_make_what_one_world_makes():
    check_lanes(impulsive(block((0.3, 0.2, 0.1)), friction=0.4, restitution=0.6))


def test_balls_in_a_row_pass_their_speed_on():
    cradle = make_forest("cradle", [ball(0.1)] * 3)
    world = impulsive(cradle, restitution=1.0, friction=0.0, gravity=0.0, pairs=allowed_pairs(cradle))
    places = {
        name: (0.2 * k - 0.05 * (k == 0), 0.0, 1.0) for k, name in enumerate(link.name for link in cradle.links[1:])
    }
    engine, state = Engine(world, lanes=1), start(world, position=places)
    state.v[0, 3] = 1.0
    after = moved(engine, state, 0.1)
    np.testing.assert_allclose(after.v[0, 3::6], (0.0, 0.0, 1.0), atol=1e-9)


@pytest.mark.parametrize(("precision", "threads"), [("float64", 2), ("float32", 1)])
def test_widths_and_threads_make_the_same(precision: Precision, threads: int):
    check_widths(impulsive(block((0.3, 0.2, 0.1)), friction=0.4, restitution=0.6), precision, threads)


def test_unknown_hypothesis_is_named():
    with pytest.raises(WorldError, match='did you mean "stronge"'):
        impulsive(ball(), hypothesis="strong")


@pytest.mark.filterwarnings("ignore:lane 0 had contacts that")  # one after the other comes near
def test_roach_walks_as_it_does_with_penalty():
    creature = roach()
    world = world_of(creature)
    world = replace(
        world,
        surface=replace(world.surface, parameters=replace(world.surface.parameters, restitution=0.0)),
        contact=Impulse(max_contacts=6),
        timing=replace(world.timing, step=world.timing.control_step),
    )
    film = run(world, standing_state(creature, world, 1), 1.3, rate=240.0)
    centre, first = film.signals["centre"][:, 0, :2], int(np.searchsorted(film.time, 0.5))
    speed = np.linalg.norm(centre[-1] - centre[first]) / (film.time[-1] - film.time[first])
    assert speed == pytest.approx(0.109, rel=0.15)


def kane() -> Figure:
    """Kane's double pendulum: two thin rods of 1 m and 1 kg. [Kane and Levinson 1985, section 5.8]"""
    rod = MassProperties(1.0, (0.0, 0.0, -0.5), ((1 / 12, 0.0, 0.0), (0.0, 1 / 12, 0.0), (0.0, 0.0, 0.0)))
    tip = Part(Sphere(0.01), (0.0, 0.0, -1.0), inertial=False)
    upper = Link("upper", None, Joint("revolute", axis=(0.0, 1.0, 0.0)), (), rod)
    joint = Joint("revolute", axis=(0.0, 1.0, 0.0), position=(0.0, 0.0, -1.0))
    return Figure("kane", (upper, Link("lower", "upper", joint, (tip,), rod)))


@pytest.mark.parametrize(("hypothesis", "warns"), [("newton", True), ("poisson", False), ("stronge", False)])
def test_restitution_that_would_add_energy_is_limited_with_a_warning(hypothesis: str, warns: bool):
    """By Newton's law Kane's pendulum would gain 0.14 J; one such step in 200 once gave no warning."""
    a, b = np.radians([20.0, 30.0])
    floor = Plane(-np.cos(a) - np.cos(b) - 0.01 - 1e-4)
    world = impulsive(kane(), friction=0.5, restitution=0.8, gravity=0.0, hypothesis=hypothesis, ground=floor)
    state = start(world)
    state.q[0], state.v[0] = (-a, a - b), (2.0, -0.5)
    with pytest.warns(RestitutionWarning, match='lane 0: in up to 1 steps .* "newton"') if warns else nullcontext():
        film = run(world, state, 0.2, rate=1000.0)
    assert film.signals["impact"][-1] + film.signals["sliding"][-1] > -1e-9
    assert (film.signals["unsolved"][-1] == 1.0) == warns
