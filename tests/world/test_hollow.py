"""Balls that roll in pipes and bowls, and discs that roll and lie, under every contact method: known answers."""

from typing import Any

import numpy as np
import pytest
from worlds import touch

from gambol.collide import Plane
from gambol.collide.broad import allowed_pairs
from gambol.contact import CONTACT_METHODS, SurfaceProperties, contact_method
from gambol.figure import (
    Capsule,
    Cylinder,
    Figure,
    HeightField,
    Joint,
    Link,
    MassProperties,
    Part,
    Pipe,
    Sphere,
    make_forest,
    rotation_about,
)
from gambol.world import Timing, World, run, start

G, RATE = 9.81, 500.0
R, r = 0.5, 0.05
SWING = 0.1  # rad
PIPE = Part(Pipe(R, R + 0.1, 1.0), rotation=rotation_about("x", np.pi / 2.0), inertial=False)


def bowl(cells: int = 80) -> Part:
    """A spherical bowl of radius R, 0.6 m wide, as a height field."""
    grid = np.linspace(-0.3, 0.3, cells + 1)
    heights = -np.sqrt(R * R - grid[:, None] ** 2 - grid**2)
    return Part(HeightField(tuple(map(tuple, heights.tolist())), 0.6 / cells, 0.1), inertial=False)


def scene(hollow: Part, *parts: Part) -> Figure:
    """A hollow shape that is fixed to the world, and a free body."""
    still = Figure("hollow", (Link("hollow", None, Joint("fixed"), (hollow,)),))
    return make_forest("scene", [still, Figure("body", (Link("body", None, Joint("free"), parts),))])


def world(figure: Figure, contact: str, **changes: Any) -> World:
    """Return a world, stiff under penalty: a ball of half a kilogram sinks in by 0.05 mm."""
    large = CONTACT_METHODS[contact].scheme.fixed_step
    timing = Timing(1.0 / RATE, 5e-4, "semi-implicit euler") if large else Timing(1.0 / RATE, 1e-4, "rkf45", 1e-7)
    soft = touch(stiffness=1e5, damping=50.0, friction=0.8, restitution=0.0, restitution_speed=1.0, skid_damping=1e3)
    given: dict[str, Any] = {
        "surface": SurfaceProperties(soft),
        "timing": timing,
        "contact": contact_method(contact, iterations=30),
    }
    return World(figure, **{**given, "ground": Plane(-10.0), "pairs": allowed_pairs(figure), **changes})


@pytest.mark.parametrize("contact", CONTACT_METHODS)
@pytest.mark.parametrize(("hollow", "tolerance"), [(PIPE, 3e-4), (bowl(), 3e-3)], ids=["pipe", "bowl"])
def test_a_ball_rolls_to_and_fro_as_a_pendulum(hollow: Part, tolerance: float, contact: str):
    """w^2 = g / ((R - r) (1 + 2/5)), less SWING^2 / 8 of it; a bowl is made of 80 x 80 flat cells."""
    tested_world, length = world(scene(hollow, Part(Sphere(r))), contact), R - r
    assert len(tested_world.pairs) == 1
    state = start(tested_world)
    state.q[0, 4:] = length * np.sin(SWING), 0.0, -length * np.cos(SWING)
    film = run(tested_world, state, 2.0, rate=RATE)
    x, time = film.position[:, 0, -1, 0], film.time
    k = np.flatnonzero(x[1:] * x[:-1] < 0.0)
    crossings = time[k] - x[k] * (time[k + 1] - time[k]) / (x[k + 1] - x[k])
    found = np.pi / np.diff(crossings).mean()
    np.testing.assert_allclose(found, np.sqrt(5.0 * G / (7.0 * length)) * (1.0 - SWING**2 / 16.0), rtol=tolerance)
    np.testing.assert_allclose(np.abs(x[-300:]).max(), length * np.sin(SWING), rtol=5e-3)


LYING = [("capsule", name) for name in CONTACT_METHODS] + [("cylinder", "penalty"), ("cylinder", "stepping")]


@pytest.mark.parametrize(("kind", "contact"), LYING)
def test_what_lies_along_a_pipe_stays_there(kind: str, contact: str):
    """On two contacts, which under penalty sink in by half the weight over their stiffness."""
    shape = {"capsule": Capsule, "cylinder": Cylinder}[kind](r, 0.4)
    tested_world = world(scene(PIPE, Part(shape, rotation=rotation_about("x", np.pi / 2.0))), contact)
    state = start(tested_world)
    state.q[0, 6] = -(R - r)
    film = run(tested_world, state, 0.5, rate=RATE)
    sunk = shape.volume * 1000.0 * G / 2e5 if contact == "penalty" else 0.0
    np.testing.assert_allclose(film.position[-1, 0, -1], (0.0, 0.0, -(R - r) - sunk), atol=1e-6)


DISC = MassProperties(1.0, inertia=((0.01, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.02)))
COIN = Figure("coin", (Link("coin", None, Joint("free"), (Part(Cylinder(0.2, 0.0)),), DISC),))


@pytest.mark.parametrize("contact", CONTACT_METHODS)
def test_a_disc_that_is_dropped_lies_flat(contact: str):
    tested_world = world(COIN, contact, ground=Plane())
    state = start(tested_world)
    state.q[0, :4] = np.cos(0.2), np.sin(0.2), 0.0, 0.0
    state.q[0, 6] = 0.15
    film = run(tested_world, state, 2.0, rate=RATE)
    np.testing.assert_allclose(film.position[-1, 0, 0, 2], 0.0, atol=1e-4)
    np.testing.assert_allclose(film.quaternion[-1, 0, 0, 1:3], 0.0, atol=1e-3)


@pytest.mark.parametrize("contact", [name for name in CONTACT_METHODS if name != "penalty"])
def test_a_disc_rolls_on_its_rim(contact: str):
    """Upright, at 1 m/s. Under "penalty" it has eight corners."""
    tested_world = world(COIN, contact, ground=Plane())
    state = start(tested_world)
    state.q[0, :4] = np.cos(np.pi / 4.0), np.sin(np.pi / 4.0), 0.0, 0.0
    state.q[0, 6] = 0.2
    state.v[0, 2], state.v[0, 3] = -1.0 / 0.2, 1.0
    film = run(tested_world, state, 1.0, rate=RATE)
    np.testing.assert_allclose(film.position[-1, 0, 0], (1.0, 0.0, 0.2), atol=1e-3)
    np.testing.assert_allclose(film.signals["kinetic"][-1], 0.5 + 0.5 * 0.02 * 25.0, rtol=1e-3)
