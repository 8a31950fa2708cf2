"""Worlds whose contacts are held by forces between impacts: known answers, energy, and a creature that walks."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from worlds import ball, block, bounces, check_lanes, check_widths, energy_balance, mechanical, moved, quadruped, touch

from gambol.collide.broad import allowed_pairs
from gambol.contact import Constraint, SurfaceProperties
from gambol.creatures import roach, standing_state, world_of
from gambol.errors import GambolError, WorldError
from gambol.figure import Box, Figure, Joint, JointSpring, Link, Part, make_forest
from gambol.lanes import Precision
from gambol.world import Engine, Timing, World, run, start

G = 9.81
H = 1e-3

# When a ball that falls from 1 m with e = 0.8 hits the ground, for the first times.
IMPACTS = (0.4515236409857309, 1.1739614665629003, 1.7519117270246358)


def constrained(
    figure: Figure,
    *,
    friction: float = 0.5,
    restitution: float = 0.0,
    method: str = "rk4",
    solver: str = "newton",
    **changes: Any,
) -> World:
    given = touch(friction=friction, restitution=restitution)
    timing = Timing(control_step=H, step=H, method=method)
    return World(figure, surface=SurfaceProperties(given), contact=Constraint(solver), **{"timing": timing, **changes})


@pytest.mark.parametrize("method", ["midpoint", "velocity verlet", "rk4", "rkf45"])
def test_ball_bounces_when_it_should_and_never_gains_energy(method: str):
    world = constrained(ball(0.1), restitution=0.8, friction=0.0, method=method)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 1.1))
    times, energies = bounces(engine, state, 1.8)
    np.testing.assert_allclose(times, IMPACTS, atol=H)
    assert np.diff(energies).max() < 1e-12 * energies[0]


def test_infinitely_many_bounces_end():
    world = constrained(ball(0.1), restitution=0.5, friction=0.0)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 1.1))
    after = moved(engine, state, 1.5)
    assert 1.3545 < 1.5
    np.testing.assert_allclose(after.q[0, 6], 0.1, atol=2e-5 * world.size)
    np.testing.assert_allclose(after.v, 0.0, atol=1e-9)
    np.testing.assert_allclose(energy_balance(engine, after), energy_balance(engine, state), atol=1e-9)


@pytest.mark.parametrize(
    ("before", "e", "mu", "after"),
    [
        ((1.0, -2.0), 0.8, 0.3, (0.7142857142857143, 1.6, -0.7142857142857142)),
        ((3.0, -1.0), 0.8, 0.1, (2.82, 0.8, -0.45)),
    ],
)
def test_oblique_impact_sticks_or_slips(
    before: tuple[float, float], e: float, mu: float, after: tuple[float, float, float]
):
    world = constrained(ball(1.0), friction=mu, restitution=e, gravity=0.0)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 1.0 + 0.5 * H))
    state.v[0, 3], state.v[0, 5] = before
    hit = moved(engine, state, H).v[0]
    # A ball's velocity is in its own axes, which have turned by a few thousandths since the impact.
    np.testing.assert_allclose(hit[[3, 5]], after[:2], atol=H)
    np.testing.assert_allclose((np.hypot(hit[3], hit[5]), -hit[1]), (np.hypot(*after[:2]), after[2]), atol=1e-9)


def test_sliding_block_stops_where_friction_stops_it():
    world = constrained(block(), friction=0.5)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.01))
    state.v[0, 3] = 2.0
    after = moved(engine, state, 0.5)
    # The block comes to rest within a step, through which its force is constant.
    np.testing.assert_allclose(after.q[0, 4], 2.0**2 / (2.0 * 0.5 * G), atol=G * H * H)
    np.testing.assert_allclose(after.v[0], 0.0, atol=1e-9)
    np.testing.assert_allclose(energy_balance(engine, after), energy_balance(engine, state), atol=1e-9)


@pytest.mark.parametrize(("degrees", "mu"), [(20.0, 0.3), (20.0, 0.4), (30.0, 0.5), (30.0, 0.6)])
def test_block_on_a_slope_slides_above_the_critical_angle_only(degrees: float, mu: float):
    s, c = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    world = constrained(block(), friction=mu, gravity=(G * s, 0.0, -G * c))
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.01))
    after = moved(engine, state, 1.0)
    down = G * max(s - mu * c, 0.0)
    np.testing.assert_allclose(after.v[0, 3], down, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(after.q[0, 4], 0.5 * down, rtol=1e-6, atol=1e-9)


def test_billiard_ball_comes_to_roll():
    world = constrained(ball(0.1), friction=0.2)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.1))
    state.v[0, 3] = 2.0
    after = moved(engine, state, 0.4)
    np.testing.assert_allclose(np.linalg.norm(after.v[0, 3:]), 10.0 / 7.0, rtol=1e-9)
    np.testing.assert_allclose(after.v[0, 1] * 0.1, 10.0 / 7.0, rtol=1e-9)
    np.testing.assert_allclose(after.q[0, 4], 0.49928228172 + (0.4 - 0.29124799767) * 10.0 / 7.0, rtol=1e-5)


@pytest.mark.parametrize("solver", ["newton", "sweeps"])
def test_standing_quadruped_does_not_creep(solver: str):
    world = constrained(quadruped(), friction=0.8, method="semi-implicit euler", solver=solver)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.25))
    settled = moved(engine, state, 0.1)
    after = moved(engine, settled, 1.9)
    assert np.abs(after.q - settled.q).max() < 1e-9
    assert np.abs(after.v).max() < 1e-9
    weight = world.figure.mass * G * H
    np.testing.assert_allclose(sum(p[0] for p in after.step_state.memory.contact_cache.impulses), weight, rtol=1e-6)


def test_thrown_box_loses_energy_until_it_rests():
    world = constrained(block((0.3, 0.2, 0.1)), friction=0.4, restitution=0.6)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.4))
    state.v[0] = (3.0, -5.0, 2.0, 1.0, 0.5, -1.0)
    before, energies = energy_balance(engine, state), [mechanical(engine, state).item()]
    for _ in range(150):
        state = moved(engine, state, 10 * H)
        energies.append(mechanical(engine, state).item())
    assert np.diff(energies).max() < 1e-4 * energies[0]
    assert energies[-1] < 0.55
    lifted = state.step_state.ledger.stabilisation
    np.testing.assert_allclose(energy_balance(engine, state) - lifted, before, rtol=0.01)


def test_lanes_make_what_one_world_makes():
    check_lanes(constrained(block((0.3, 0.2, 0.1)), friction=0.4, restitution=0.6))


@pytest.mark.parametrize(("precision", "threads"), [("float64", 2), ("float32", 1)])
def test_widths_and_threads_make_the_same(precision: Precision, threads: int):
    check_widths(constrained(block((0.3, 0.2, 0.1)), friction=0.4, restitution=0.6), precision, threads)


def test_balls_in_a_row_rebound_at_once():
    cradle = make_forest("cradle", [ball(0.1)] * 3)
    world = constrained(cradle, restitution=1.0, friction=0.0, gravity=0.0, pairs=allowed_pairs(cradle))
    names = [link.name for link in cradle.links[1:]]
    positions = {name: (0.2 * k - 0.05 * (k == 0), 0.0, 1.0) for k, name in enumerate(names)}
    engine, state = Engine(world, lanes=1), start(world, position=positions)
    state.v[0, 3] = 1.0
    after = moved(engine, state, 0.1)
    # Newton's law for all contacts at once, which is not what balls that touch do: see test_impulse.
    np.testing.assert_allclose(after.v[0, 3::6], (-1 / 3, 2 / 3, 2 / 3), atol=1e-5)


def test_swinging_door_stops_at_its_limit():
    door = Figure(
        "door",
        (
            Link(
                "door",
                None,
                Joint("revolute", (0.0, 0.0, 1.0)),
                (Part(Box((1.0, 0.1, 1.0)), (0.5, 0.0, 0.0), density=10.0, colliding=False),),
            ),
        ),
    )
    stop = JointSpring(lower=-0.5, upper=0.5)
    world = constrained(door, springs={"door": stop}, gravity=0.0)
    engine, state = Engine(world, lanes=1), start(world)
    state.v[0, 0] = 2.0
    np.testing.assert_allclose(moved(engine, state, 0.2).q[0, 0], 0.4, rtol=1e-9)
    after = moved(engine, state, 0.5)
    np.testing.assert_allclose(after.q[0, 0], 0.5, atol=1e-4)
    np.testing.assert_allclose(after.v[0, 0], 0.0, atol=1e-12)
    np.testing.assert_allclose(energy_balance(engine, after), energy_balance(engine, state), atol=1e-12)


def test_unfit_integrators_and_solvers_are_named():
    with pytest.raises(WorldError, match='does not support the integrator "leapfrog"; take one of "explicit euler"'):
        constrained(ball(), method="leapfrog")
    with pytest.raises(GambolError, match='did you mean "newton"'):
        constrained(ball(), solver="neuton")


def test_the_roach_walks_with_rigid_contact():
    creature = roach()
    world = world_of(creature)
    world = replace(
        world,
        surface=replace(world.surface, parameters=replace(world.surface.parameters, restitution=0.0)),
        contact=Constraint(max_contacts=6),
    )
    film = run(world, standing_state(creature, world, 1), 1.3, rate=240.0)
    centre, first = film.signals["centre"][:, 0, :2], int(np.searchsorted(film.time, 0.5))
    speed = np.linalg.norm(centre[-1] - centre[first]) / (film.time[-1] - film.time[first])
    # Large steps tend to it as they shorten: 0.1103 m/s at 0.8 ms, 0.1138 at 0.2, 0.1152 at 0.05, 0.1159 at 0.0125.
    assert speed == pytest.approx(0.116, rel=0.02)
    lost = film.signals["unaccounted"][-1, 0] / film.signals["motors"][-1, 0]
    assert abs(lost) < 0.005
    # 0.06 ms is what its tolerance lets a step be; landings, some seventy, take a few tries each.
    assert film.signals["taken"][-1, 0] + film.signals["rejected"][-1, 0] < 25_000
