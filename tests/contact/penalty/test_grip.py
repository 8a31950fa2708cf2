"""Bristles at all points: whatever touches the ground slides and sticks by Coulomb's law; and the thesis' own law."""

from dataclasses import replace

import numpy as np
import pytest
from worlds import Array, block, energy_balance, moved, touch

from gambol.contact import ContactParameters, SurfaceProperties
from gambol.contact.penalty.law import spring_damper_force, unsoftened
from gambol.errors import WorldError
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.world import Engine, State, Timing, World, start

G, MU = 9.81, 0.5
SOFT = touch(friction=MU, damping=100.0, bristle_stiffness=1e4, bristle_damping=50.0, skid_damping=10.0)
"""The ground of a block of 1 kg: each of 4 corners sinks 0.25 mm, and skids at 0.12 m/s under mu m g / 4."""


def sledge() -> Figure:
    """A trunk of 1 kg on two shins that are links of their own, and a foot that hangs in the air."""
    box, shin = Part(Box((0.4, 0.4, 0.02)), density=300.0), Part(Box((0.3, 0.02, 0.02)), density=500.0)
    links = [Link("trunk", None, Joint("free"), (box,))]
    links += [
        Link(f"shin{k}", "trunk", Joint("fixed", position=(0.0, y, -0.02)), (shin,))
        for k, y in enumerate((-0.15, 0.15))
    ]
    links.append(Link("foot", "trunk", Joint("fixed", position=(0.0, 0.0, 0.05)), (Part(Box((0.02, 0.02, 0.02))),)))
    return Figure("sledge", tuple(links))


def sliding(grip: str, speed: float, slope: float = 0.0, friction: float = MU) -> tuple[World, State]:
    """A sledge at rest on its shins, and then given a speed down a slope [rad]: gravity is tilted."""
    gravity = (G * np.sin(slope), 0.0, -G * np.cos(slope))
    surface = SurfaceProperties(replace(SOFT, friction=friction), feet=("foot",), grip=grip)
    world = World(sledge(), surface=surface, gravity=gravity, timing=Timing(0.01, 1e-4, "rkf45", 1e-7))
    level = replace(world, gravity=G)
    state = moved(Engine(level), start(level, position=(0.0, 0.0, 0.03)), 1.0)
    state = State(world, state.rows)
    state.v[0, 3] = speed
    return world, state


def way(world: World, state: State, seconds: float) -> tuple[float, float]:
    """Return how far the trunk went [m], and its speed at the end [m/s]."""
    after = moved(Engine(world), state, seconds)
    return float(after.q[0, 4] - state.q[0, 4]), float(after.v[0, 3])


def test_a_body_on_its_shins_slows_down_by_mu_g_and_stops():
    """The way is v^2 / (2 mu g), up to the bend of the bristles, mu N / k < 0.2 mm for each of 8 corners."""
    world, state = sliding("all", 1.0)
    assert way(world, state, 0.1)[1] == pytest.approx(1.0 - MU * G * 0.1, abs=2e-3)
    distance, speed = way(world, state, 1.0)
    assert distance == pytest.approx(1.0 / (2.0 * MU * G), abs=5e-4)
    assert abs(speed) < 1e-6


def test_without_bristles_the_same_body_creeps_down_every_slope():
    """Eight corners with a skid damping of c each move at m g sin(slope) / (8 c)."""
    slope = 0.2 * np.arctan(MU)
    world, state = sliding("feet", 0.0, slope)
    expected = world.figure.mass * G * np.sin(slope) / (8.0 * SOFT.skid_damping)
    assert way(world, state, 1.0)[1] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("share", [0.9, 0.99])
def test_below_the_friction_angle_it_stays(share: float):
    world, state = sliding("all", 0.0, share * np.arctan(MU))
    engine, first = Engine(world), moved(Engine(world), state, 2.0)
    assert float(moved(engine, first, 2.0).q[0, 4] - first.q[0, 4]) == pytest.approx(0.0, abs=1e-6)


def test_above_the_friction_angle_it_slides_as_it_should():
    slope = 1.2 * np.arctan(MU)
    world, state = sliding("all", 0.2, slope)
    expected = G * (np.sin(slope) - MU * np.cos(slope))
    assert way(world, state, 0.5)[1] == pytest.approx(0.2 + 0.5 * expected, abs=3e-3)


def test_what_bristles_take_is_in_the_ledger():
    world, state = sliding("all", 1.0)
    engine = Engine(world)
    after = moved(engine, state, 0.5)
    assert float(energy_balance(engine, after)[0]) == pytest.approx(float(energy_balance(engine, state)[0]), abs=1e-4)
    assert float(after.step_state.ledger.sliding[0]) == pytest.approx(0.5 * world.figure.mass, rel=0.02)


def corner_fall(parameters: ContactParameters, z: Array, seconds: float, h: float) -> tuple[Array, Array]:
    """Integrate a block that falls flat, as one point mass on four equal springs, with semi-implicit Euler in NumPy."""
    v = np.zeros_like(z)
    for _ in range(round(seconds / h)):
        spring = parameters.stiffness * np.maximum(-z, 0.0)
        v = v + h * (4.0 * np.where(v > 0.0, parameters.restitution, 1.0) * spring - G)
        z = z + h * v
    return z, v


def test_the_unsoftened_law_loses_the_energy_that_restitution_predicts():
    """The spring pushes back with e times its force, so it returns e of its energy. [McKenna 1990, section 4.4]

    From a height h it sinks to d, where 4 k d^2 / 2 = m g (h + d), and rises to h', where e (h + d) = h' + d.
    """
    law = unsoftened(touch(restitution=0.5, friction=0.0, damping=0.0))
    world = World(
        block(), surface=SurfaceProperties(law, grip="none"), timing=Timing(0.001, 1e-5, "semi-implicit euler")
    )
    state = start(world, position=(0.0, 0.0, 0.01 + 0.05))
    heights = [float((state := moved(Engine(world), state, 0.001)).q[0, 6] - 0.01) for _ in range(260)]
    landed = next(k for k, z in enumerate(heights) if z < 0.0)
    weight, k, h = G, 4e4, 0.05
    sunk = (weight + np.sqrt(weight**2 + 2.0 * k * weight * h)) / k
    assert max(heights[landed:]) == pytest.approx(
        0.5 * (h + sunk) - sunk, abs=1e-5
    )  # rises are seen to within g t^2 / 8
    numpy_z, _ = corner_fall(law, np.array([0.05]), 0.15, 1e-5)
    assert heights[149] == pytest.approx(float(numpy_z[0]), abs=2e-5)


def test_the_unsoftened_law_switches():
    law = unsoftened(touch(restitution=0.5, friction=0.7, damping=0.0))
    loading, leaving = (float(spring_damper_force(law, 1e-3, v).force) for v in (-1e-6, 1e-6))
    assert (loading, leaving) == (pytest.approx(10.0), pytest.approx(5.0))


def test_the_unsoftened_law_slows_down_by_mu_g_from_any_speed():
    law = unsoftened(replace(SOFT, damping=100.0))
    surface = SurfaceProperties(law, grip="none")
    world = World(block(), surface=surface, timing=Timing(0.001, 1e-5, "corpus euler"))
    state = moved(Engine(world), start(world, position=(0.0, 0.0, 0.01)), 0.2)
    for speed in (1.0, 1e-2):
        state.v[0, 3] = speed
        seconds = 0.9 * speed / (MU * G)
        if seconds < 0.001:
            continue
        seconds = np.floor(seconds * 1000.0) / 1000.0
        assert way(world, state, seconds)[1] == pytest.approx(speed - MU * G * seconds, rel=0.01)


def test_a_missing_grip_is_refused():
    with pytest.raises(WorldError, match='grip cannot be "shins"'):
        SurfaceProperties(SOFT, grip="shins")  # type: ignore[arg-type]
    with pytest.raises(WorldError, match="compliant"):
        World(block(), surface=SurfaceProperties(SOFT, grip="none"), contact="stepping")
