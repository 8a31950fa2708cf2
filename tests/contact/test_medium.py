"""Drag of a medium: MuJoCo's passive forces, terminal velocities in closed form, and ledgers that close."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from worlds import body, diagonal, energy_balance, mechanical, moved

from gambol.contact import Medium
from gambol.contact.medium import DragBox
from gambol.creatures.models import world_of_model
from gambol.dynamics import kinematics, rnea
from gambol.errors import WorldError
from gambol.figure import Box, MassProperties
from gambol.formats import read_mjcf
from gambol.formats.mjcf.reading import figure_state
from gambol.world import Engine, External, Timing, World, start

SWIMMERS = """
<mujoco>
  <option density="900" viscosity="0.3" gravity="0 0 0"/>
  <worldbody>
    <body pos="0.1 0.2 1" euler="20 30 40">
      <freejoint/>
      <geom type="box" size="0.1 0.2 0.35" pos="0.05 0 0.1" euler="10 20 30"/>
      <body pos="0.3 0 0.1" euler="0 50 10">
        <joint type="hinge" axis="1 2 3" armature="0.1"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.05"/>
        <body pos="0.3 0 0">
          <joint type="ball"/>
          <geom type="ellipsoid" size="0.1 0.05 0.2" pos="0 0.1 0.1" euler="40 0 70"/>
          <geom type="sphere" size="0.07" pos="0.1 0 0.1"/>
          <body pos="0 0.2 0.1">
            <joint type="slide" axis="0 1 1"/>
            <geom type="capsule" fromto="0 0 0 0 0.2 0.3" size="0.04"/>
          </body>
        </body>
      </body>
      <body pos="-0.3 0 0">
        <joint type="hinge" axis="0 1 0" pos="0.1 0 0"/>
        <geom type="sphere" size="0.1" pos="0 0 -0.2"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("seed", range(5))
def test_the_drag_on_links_is_that_of_mujoco(tmp_path: Path, seed: int):
    """For bodies in any state, also for drag boxes with two or three equal sides, to rounding."""
    path = tmp_path / "swimmers.xml"
    path.write_text(SWIMMERS)
    specimen = read_mjcf(path)
    given: Any = mujoco
    model = given.MjModel.from_xml_path(str(path))
    data, rng = given.MjData(model), np.random.default_rng(seed)
    data.qpos[:] = rng.normal(size=model.nq)
    given.mj_normalizeQuat(model, data.qpos)
    data.qvel[:] = rng.normal(size=model.nv)
    given.mj_forward(model, data)
    q, v = figure_state(model, data.qpos, data.qvel)
    world = world_of_model(specimen)
    state = kinematics(specimen.figure, q, v)
    assert world.external.medium
    numbers = world.external.medium.numbers()
    f_ext = {link: box.drag(numbers, state.velocities[link]) for link, box in world.drag_boxes.items()}
    tau, _ = rnea(state.at_rest(), [0.0] * model.nv, f_ext=f_ext, gravity=0.0)
    expected = data.qfrc_passive.copy()
    turn = np.zeros(9)
    given.mju_quat2Mat(turn, data.qpos[3:7])
    expected[:3], expected[3:6] = data.qfrc_passive[3:6], turn.reshape(3, 3).T @ data.qfrc_passive[:3]
    np.testing.assert_allclose(-np.array(tau), expected, atol=1e-9 * abs(expected).max())


SIDES = (0.4, 0.2, 0.1)
PLATE = Box(SIDES).mass_properties(2000.0)
WATER = Medium(1000.0, 0.5)


def falling(contact: str, medium: Medium, step: float = 1e-3) -> World:
    method = {"penalty": "rkf45", "constraint": "rkf45"}.get(contact, "semi-implicit euler")
    return World(
        body(PLATE), external=External(medium=medium), contact=contact, timing=Timing(0.01, step, method, 1e-8)
    )


@pytest.mark.parametrize("contact", ["penalty", "stepping", "impulse", "constraint"])
def test_a_plate_falls_at_its_terminal_velocity(contact: str):
    """At terminal velocity A v^2 + B v = m g, with A = rho b_x b_y / 2 and B = 3 pi beta d."""
    engine = Engine(falling(contact, WATER))
    after = moved(engine, start(engine.world), 3.0)
    A, B = 500.0 * SIDES[0] * SIDES[1], 3.0 * math.pi * 0.5 * sum(SIDES) / 3.0
    weight = PLATE.mass * 9.81
    v = (math.sqrt(B * B + 4.0 * A * weight) - B) / (2.0 * A)
    np.testing.assert_allclose(after.v[0], [0.0, 0.0, 0.0, 0.0, 0.0, -v], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("contact", ["penalty", "constraint"])
def test_a_plate_without_weight_slows_as_one_over_time(contact: str):
    """v = v0 / (1 + c v0 t) with c = rho b_x b_y / (2 m), and the lost energy is booked as damping."""
    engine = Engine(replace(falling(contact, Medium(1000.0)), gravity=0.0))
    state = start(engine.world)
    state.v[0, 5] = 2.0
    begun = mechanical(engine, state)
    after = moved(engine, state, 0.5)
    c = 500.0 * SIDES[0] * SIDES[1] / PLATE.mass
    assert float(after.v[0, 5]) == pytest.approx(2.0 / (1.0 + c * 2.0 * 0.5), rel=1e-5)
    np.testing.assert_allclose(after.step_state.ledger.damping, begun - mechanical(engine, after), rtol=1e-5)


@pytest.mark.parametrize(("contact", "left"), [("penalty", 1e-6), ("stepping", 2e-3), ("constraint", 1e-6)])
def test_the_book_of_a_plate_that_tumbles_and_falls_closes(contact: str, left: float):
    """The error of tumbling in large steps is of first order, that of the drag's own work is rounding."""
    engine = Engine(falling(contact, WATER))
    state = start(engine.world)
    state.v[0] = (1.0, 2.0, 3.0, 0.5, 0.0, 1.0)
    before, after = energy_balance(engine, state), moved(engine, state, 1.0)
    lost = float(after.step_state.ledger.damping[0])
    assert lost > 100.0
    np.testing.assert_allclose(energy_balance(engine, after), before, atol=left * lost)


def test_no_step_is_too_long_for_the_thickest_medium():
    """A drag that would stop the plate a thousand times over in a step stops it once."""
    thick, timing = Medium(1e6, 1e6), Timing(0.1, 0.1)
    engine = Engine(World(body(PLATE), gravity=0.0, external=External(medium=thick), contact="stepping", timing=timing))
    state = start(engine.world)
    state.v[0] = (0.0, 0.0, 3.0, 0.5, 0.0, 1.0)
    after = moved(engine, state, 0.2)
    assert abs(after.v).max() < 1e-9


def test_a_box_is_its_own_box():
    np.testing.assert_allclose(sorted(DragBox.of(PLATE).sides), sorted(SIDES), rtol=1e-12)


def box_axes(inertia: np.ndarray) -> np.ndarray:
    """The axes of the box of a body of 1 kg, as columns."""
    return np.array(DragBox.of(MassProperties(1.0, (0.0, 0.0, 0.0), inertia.tolist())).axes.rows)


def test_boxes_of_symmetric_bodies_are_turned_least():
    """A rod along x has its own axes; a slanting one is turned about the horizontal; a ball has the body's axes."""
    axes = box_axes(np.diag([0.1, 1.0, 1.0]) + 1e-17)
    np.testing.assert_allclose(np.sort(abs(axes)), np.sort(np.eye(3)), atol=1e-12)
    n = np.array([0.6, 0.0, 0.8])
    axes = box_axes(np.eye(3) - 0.9 * np.outer(n, n))
    columns = sorted(axes.T.tolist())
    np.testing.assert_allclose(columns, [[0, 1, 0], [0.6, 0, 0.8], [0.8, 0, -0.6]], atol=1e-12)
    np.testing.assert_array_equal(box_axes(2.0 * np.eye(3) + 1e-12 * np.ones((3, 3))), np.eye(3))


def test_worlds_of_one_program_have_media_of_their_own():
    engine = Engine(falling("stepping", WATER))
    state = start(engine.world, 2)
    state.v[:, 5] = 1.0
    engine.advance(state, 1, engine.numbers(medium={"density": np.array([0.0, 1000.0]), "viscosity": 0.5}))
    assert state.v[0, 5] > state.v[1, 5]


def test_a_world_without_a_medium_has_the_program_that_it_had():
    bare = World(body(diagonal(1.0, 1.0, 1.0, 1.0)))
    assert "medium" not in bare.structure()
    assert bare.numbers()["medium"] is None


def test_impossible_media_are_refused():
    with pytest.raises(WorldError, match="density of -1"):
        Medium(-1.0)
    with pytest.raises(WorldError, match="viscosity of inf"):
        Medium(viscosity=math.inf)
