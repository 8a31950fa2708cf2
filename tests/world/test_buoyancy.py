"""Buoyancy of a medium: Archimedes' forces in closed form, forces from an energy, and ledgers that close."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from worlds import body, energy_balance, moved

from gambol import Engine, External, JointSpring, Medium, NoGround, Timing, World, start
from gambol.contact.medium import DragBox
from gambol.errors import WorldError
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.spatial import Vector

SIDES, WATER = (0.4, 0.2, 0.1), 1000.0
METHODS = ("stepping", "penalty", "impulse", "constraint")


def floating(density, medium, gravity=9.81, **options):
    """A box without a ground."""
    return World(
        body(Box(SIDES).mass_properties(density)),
        ground=NoGround(),
        external=External(medium=medium),
        gravity=gravity,
        **options,
    )


def boxed(turn, offset):
    """The box of a link with an inertia that is turned and offset."""
    return DragBox.of(Box(SIDES).mass_properties(600.0).placed(turn, offset))


def energy(box, turn, depth_of_origin):
    """The potential energy of the eight boxes for rho |g| = 1 [m4], by its formula."""
    axes = turn @ np.array([list(column) for column in box.axes.columns], float).T
    u, sides = axes[2], np.array(list(box.sides), float)
    e = np.sqrt(np.sum((sides * u) ** 2) / 16.0)
    centre = depth_of_origin - (turn @ np.array(list(box.centre), float))[2]
    total = 0.0
    for signs in product((-0.25, 0.25), repeat=3):
        d = centre - u @ (np.array(signs) * sides)
        total += 0.0 if d < -e else d if d > e else (d + e) ** 2 / (4.0 * e)
    return total * float(np.prod(sides)) / 8.0


@pytest.mark.parametrize("seed", range(6))
def test_the_force_is_the_slope_of_an_energy(seed):
    """For boxes in any posture at the surface: force and moment are differences of the energy of the formula."""
    rng = np.random.default_rng(seed)
    inner, turn = Rotation.random(random_state=seed), Rotation.random(random_state=seed + 100).as_matrix()
    box = boxed(tuple(map(tuple, inner.as_matrix())), tuple(rng.normal(scale=0.05, size=3)))
    depth, step = float(rng.uniform(-0.1, 0.1)), 1e-6
    lift = box.immersion(Vector(*turn[2]), depth).lift
    force, moment = np.array(list(lift.f), float), np.array(list(lift.n), float)
    slope = (energy(box, turn, depth + step) - energy(box, turn, depth - step)) / (2.0 * step)
    np.testing.assert_allclose(force, turn[2] * slope, atol=1e-10)
    for axis in np.eye(3):
        ahead, behind = (turn @ Rotation.from_rotvec(s * step * axis).as_matrix() for s in (1.0, -1.0))
        slope = (energy(box, ahead, depth) - energy(box, behind, depth)) / (2.0 * step)
        assert moment @ axis == pytest.approx(-slope, abs=1e-10)


@pytest.mark.parametrize("contact", METHODS)
def test_a_light_box_rises_at_its_terminal_speed(contact):
    """(rho - rho_b) V g = rho b_x b_y v^2 / 2 in a medium without a surface."""
    world = floating(600.0, Medium(WATER, buoyancy=1.0), contact=contact)
    state = start(world)
    Engine(world, lanes=1).advance(state, round(5.0 / world.timing.control_step))
    speed = np.sqrt((WATER - 600.0) * SIDES[2] * 9.81 / (0.5 * WATER))
    np.testing.assert_allclose(state.v[0, 3:6], [0.0, 0.0, speed], atol=1e-6)


def test_a_box_of_the_density_of_water_stays_where_it_is():
    world = floating(WATER, Medium(WATER, buoyancy=1.0))
    state = start(world)
    Engine(world, lanes=1).advance(state, 1000)
    np.testing.assert_allclose(state.q[0, 4:], 0.0, atol=1e-12)
    sinking = floating(WATER, Medium(WATER, buoyancy=0.0))
    state = start(sinking)
    Engine(sinking, lanes=1).advance(state, 1000)
    assert state.q[0, 6] < -0.1


@pytest.mark.parametrize("tilt", [0.0, 0.3])
def test_a_box_floats_level_at_the_depth_of_archimedes(tilt):
    """Also in a world whose gravity is a vector, and dropped askew: the surface is across gravity."""
    g, surface, density = 9.81, 0.3, 700.0
    up = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    gravity = g if tilt == 0.0 else tuple(-g * up)
    world = floating(density, Medium(WATER, 5.0, buoyancy=1.0, surface=surface), gravity)
    state = start(world)
    state.q[0, 4:7] = 0.4 * up
    state.q[0, :4] = Rotation.from_euler("yx", [tilt + 0.2, 0.3]).as_quat(scalar_first=True)
    engine = Engine(world, lanes=1)
    engine.advance(state, round(60.0 / world.timing.control_step))
    place = state.q[0, 4:7]
    assert place @ up == pytest.approx(surface + SIDES[2] * (0.5 - density / WATER), abs=1e-4)
    vertical = Rotation.from_quat(state.q[0, :4], scalar_first=True).as_matrix()[:, 2]
    assert vertical @ up == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("contact", ["stepping", "penalty"])
def test_the_ledger_of_a_chain_that_swims_closes(contact):
    """The work of buoyancy is work from outside; nothing is left over but the error of the steps."""
    part = (Part(Box((0.2, 0.1, 0.05)), density=500.0),)
    links = (
        Link("a", None, Joint("free"), part),
        Link("b", "a", Joint("revolute", (0.0, 1.0, 0.0), position=(0.2, 0.0, 0.0)), part),
    )
    world = World(
        Figure("chain", links),
        {"b": JointSpring(stiffness=0.5, damping=1e-3)},
        ground=NoGround(),
        external=External(medium=Medium(WATER, buoyancy=1.0, surface=0.0)),
        contact=contact,
    )
    errors = []
    for h in (2e-3, 1e-3):
        fine = replace(world, timing=Timing(0.01, h) if contact == "stepping" else Timing(0.01, h, "rk4"))
        state, engine = start(fine, position=(0.0, 0.0, 0.1)), Engine(fine, lanes=1)
        state.v[0, 6] = 3.0
        begun, after = energy_balance(engine, state), moved(engine, state, 0.5)
        moved_energy = abs(float(after.step_state.ledger.outside[0]))
        errors.append(abs(float((energy_balance(engine, after) - begun)[0])) / moved_energy)
    assert errors[1] < 0.6 * errors[0] or errors[1] < 1e-9  # of first order at least
    assert errors[1] < 0.02


def test_a_buoyancy_below_0_is_refused_and_a_surface_is_not():
    with pytest.raises(WorldError, match="the medium has a buoyancy of -1"):
        Medium(1000.0, buoyancy=-1.0)
    assert Medium(1000.0, surface=-1.0).numbers()["surface"] == -1.0


def test_a_medium_without_buoyancy_has_the_inputs_of_before():
    assert Medium(1000.0).numbers() == {"density": 1000.0, "viscosity": 0.0}
    assert Medium(1000.0).structure() is True
