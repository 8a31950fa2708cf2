"""Contacts as arrays: their impulses change the momentum, their forces carry the weight, in every contact method."""

import math
from dataclasses import replace

import numpy as np
import pytest
from worlds import Array, ball, block, moved, touch

from gambol.collide.broad import allowed_pairs
from gambol.contact import HuntCrossley, SurfaceProperties
from gambol.errors import WorldError
from gambol.figure import Box, Cylinder, Figure, Joint, Link, Part, make_forest
from gambol.world import Engine, Film, Timing, World, contacts, run, start, step

G, H = 9.81, 1 / 240
LARGE = Timing(control_step=H, step=H)
SMOOTH = Timing(control_step=0.005, step=1e-3, tolerance=1e-8)
METHODS = {
    "penalty": SMOOTH,
    "constraint": replace(SMOOTH, step=0.005, method="rk4"),
    "stepping": LARGE,
    "impulse": LARGE,
}
DAMPED = touch(damping=200.0, restitution=1.0)


def world_of(figure: Figure, contact: str, feet: tuple[str, ...] = (), **options: object) -> World:
    parameters = DAMPED if contact == "penalty" else replace(DAMPED, restitution=0.0)
    surface = SurfaceProperties(parameters, feet)
    return World(figure, surface=surface, contact=contact, timing=METHODS[contact], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("contact", ["stepping", "impulse"])
@pytest.mark.parametrize("restitution", [0.0, 0.6])
@pytest.mark.parametrize(("figure", "error"), [(ball(), 1e-9), (block(), 5e-3)])
def test_impulses_of_a_run_are_the_change_of_momentum(contact: str, restitution: float, figure: Figure, error: float):
    """A body is thrown, turns, bounces and slides: each step changes m v by its impulses and by m g h.

    Position correction also turns a block, by 1 mm over 0.4 m, and its velocity of 2 m/s with it.
    """
    world = replace(world_of(figure, contact), surface=SurfaceProperties(touch(restitution=restitution)))
    state = start(world, 2, position=(0.0, 0.0, 0.3))
    state.v[:] = [[1.0, 2.0, 0.5, 1.0, 0.5, -1.0], [0.0, 0.0, 3.0, -2.0, 0.0, 0.0]]
    velocity, total = centre_velocity(state.q, state.v), np.zeros((2, 3))
    touched = 0
    for _ in range(240):
        state = step(world, state)
        seen = contacts(world, state)
        touched += len(seen)
        np.add.at(total, seen.lane, seen.impulse)
    gravity = np.array([0.0, 0.0, -G]) * 240 * H
    np.testing.assert_allclose(total + gravity, centre_velocity(state.q, state.v) - velocity, atol=error)
    assert touched > 50


def centre_velocity(q: Array, v: Array) -> Array:
    """The velocity of a free body's origin in the world (W, 3)."""
    w, r = q[:, :1], q[:, 1:4]
    t = 2.0 * np.cross(r, v[:, 3:])
    return v[:, 3:] + w * t + np.cross(r, t)


@pytest.mark.parametrize("contact", list(METHODS))
def test_a_resting_block_is_carried_by_its_corners(contact: str):
    world = world_of(block(), contact, feet=("block",))
    seen = contacts(world, moved(Engine(world), start(world, on_ground=(0.0, 0.0)), 2.0))
    np.testing.assert_allclose(seen.force.sum(axis=0), (0.0, 0.0, G), atol=1e-3)
    np.testing.assert_allclose(np.cross(seen.point, seen.force).sum(axis=0), 0.0, atol=1e-3)
    assert (seen.normal_force > 0.5).all()
    np.testing.assert_allclose(np.sort(np.abs(seen.point[:, :2]), axis=None), 0.2, rtol=1e-4)
    np.testing.assert_allclose(seen.normal, np.tile((0.0, 0.0, 1.0), (4, 1)), atol=1e-12)
    assert seen.names() == (("block", None),) * 4
    assert np.abs(seen.gap).max() < 1e-3
    assert (seen.duration == 0.0).all() == (contact == "penalty")


@pytest.mark.parametrize("contact", list(METHODS))
def test_friction_of_a_sliding_block_is_coulombs(contact: str):
    world = world_of(block((0.4, 0.4, 0.02)), contact)
    state = moved(Engine(world), start(world, on_ground=(0.0, 0.0)), 1.0)
    state.v[0, 3:5] = (3.0, -4.0)
    state = moved(Engine(world), state, 0.3)
    mu = world.surface.parameters.friction
    np.testing.assert_allclose(
        contacts(world, state).force.sum(axis=0), G * np.array([-0.6 * mu, 0.8 * mu, 1.0]), rtol=1e-3, atol=1e-3
    )


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_a_stack_passes_its_weight_on(contact: str):
    upper = Figure("upper", (Link("upper", None, Joint("free"), (Part(Box((0.1, 0.1, 0.1)), density=2000.0),)),))
    lower = Figure("lower", (Link("lower", None, Joint("free"), (Part(Box((0.2, 0.2, 0.1)), density=1000.0),)),))
    figure = make_forest("stack", [upper, lower])
    world = world_of(figure, contact, pairs=allowed_pairs(figure))
    state = start(world, position={"upper": (0.01, 0.0, 0.1502), "lower": (0.0, 0.0, 0.0501)})
    state = moved(Engine(world), state, 1.0)
    seen = contacts(world, state)
    below = seen.of("lower")
    on_top = below.selected(below.other >= 0)
    assert {name for pair in on_top.names() for name in pair} == {"upper", "lower"}
    np.testing.assert_allclose(on_top.force.sum(axis=0), (0.0, 0.0, -2.0 * G), atol=2e-3)
    np.testing.assert_allclose(below.force.sum(axis=0), (0.0, 0.0, 4.0 * G), atol=4e-3)
    np.testing.assert_allclose(seen.of("upper").force.sum(axis=0), (0.0, 0.0, 2.0 * G), atol=2e-3)
    # the load acts below the upper block's centre: moments about the lower centre
    moment = (on_top.point[:, 0] * on_top.force[:, 2]).sum() / on_top.force[:, 2].sum()
    assert moment == pytest.approx(float(state.q[0, state.world.figure.link("upper").q][4]), abs=1e-3)


@pytest.mark.parametrize("feet", [("can",), ()])
def test_a_round_part_of_compliant_ground_carries_its_weight(feet: tuple[str, ...]):
    can = Figure("can", (Link("can", None, Joint("free"), (Part(Cylinder(0.05, 0.1), density=1000.0),)),))
    world = world_of(can, "penalty", feet=feet)
    state = start(world, on_ground=(0.0, 0.0))
    state = moved(Engine(world), state, 1.0)
    np.testing.assert_allclose(contacts(world, state).force.sum(axis=0), (0, 0, G * can.mass), rtol=1e-4, atol=1e-4)


def test_compliant_impulses_are_the_integral_of_the_forces():
    """A ball that bounces on a Hertzian ground: the forces at 5 kHz, by the trapezoidal rule."""
    touch = HuntCrossley(1e5, dissipation=0.1)
    world = World(ball(), surface=SurfaceProperties(touch), timing=Timing(control_step=2e-4, step=1e-4, tolerance=1e-9))
    state = start(world, position=(0.0, 0.0, 0.06))
    state.v[0, 3:] = (0.5, 0.0, -1.0)
    v = state.v[0, 3:6].copy()
    film = run(world, state, 0.1, rate=5000.0, contacts=True)
    forces = np.array([film.contacts(k).force.sum(axis=0) for k in range(len(film.time))])
    impulse = np.trapezoid(forces, film.time, axis=0)
    change = centre_velocity(state.q, state.v)[0] - v + np.array([0.0, 0.0, 0.1 * G])
    np.testing.assert_allclose(impulse, change * world.figure.mass, atol=2e-3)
    assert impulse[2] > 1.0


def test_a_film_contains_its_contacts(tmp_path):
    world = world_of(block(), "stepping")
    state = start(world, 3, position=(0.0, 0.0, 0.1))
    film = run(world, state, 0.5, rate=240.0, contacts=True)
    loaded = Film.load(film.save(tmp_path / "film.npz"))
    for name in ("point", "normal", "gap", "force", "lane", "link", "other", "duration"):
        last = getattr(contacts(world, state), name)
        np.testing.assert_array_equal(getattr(loaded.contacts(-1), name), last)
    assert len(film.contacts(0)) == 0
    assert len(film.of_worlds([1]).contacts(-1)) == len(film.contacts(-1)) / 3
    plain = run(world, state, 0.1, rate=240.0)
    with pytest.raises(WorldError, match="contacts=True"):
        plain.contacts(0)


def test_a_world_without_contacts_has_none():
    world = World(block())
    assert len(contacts(world, start(world, 2))) == 0


def test_an_unknown_link_is_refused():
    world = world_of(block(), "stepping")
    with pytest.raises(WorldError, match='did you mean "block"'):
        contacts(world, start(world)).of("blok")


def test_forces_on_a_slope_hold_the_block():
    """Gravity 20 degrees from the normal, with friction of 0.5 > tan 20: the forces carry the weight."""
    tilt = math.radians(20.0)
    weight = G * np.array([math.sin(tilt), 0.0, -math.cos(tilt)])
    world = world_of(block(), "stepping", gravity=tuple(weight.tolist()))
    state = moved(Engine(world), start(world, on_ground=(0.0, 0.0)), 1.0)
    np.testing.assert_allclose(contacts(world, state).force.sum(axis=0), -weight, atol=1e-5)
