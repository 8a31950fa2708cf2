"""Animals in MuJoCo: actuators have the limits of muscles, grounds have their heights, and the hound walks on."""

import json

import mujoco
import numpy as np
import pytest

import gambol
from gambol.actuation import HillServo
from gambol.actuation.actuator import ActuatorInput
from gambol.collide import Plane
from gambol.collide.hills import random_hills
from gambol.creatures.animals import ANIMALS, TROTTERS
from validation.transfer.__main__ import PAGE, STORED, WANTED, fraction, page
from validation.transfer.lives import life_in_mujoco
from validation.transfer.mujoco_walk import MujocoWalk

FAR = 1e3
"""An error of a servo so large that its force is at its limit [rad]."""


@pytest.fixture(scope="module")
def hound() -> MujocoWalk:
    return MujocoWalk("hound", gambol.make_world("hound"), 0.9)


def test_the_limits_in_mujoco_are_those_of_the_servos(hound: MujocoWalk):
    """By the forces of servos with a large error, driving and braking, up to twice the speed of no force."""
    rng = np.random.default_rng(1)
    v = rng.uniform(-2.0, 2.0, len(hound.top)) * hound.top
    limits = hound.limits(v)
    for actuator, speed, found in zip(hound.controller.actuators.values(), v, limits, strict=True):
        assert isinstance(actuator, HillServo)
        for target, limit in zip((-FAR, FAR), found, strict=True):
            at = ActuatorInput(0.0, q=[0.0], v=[float(speed)], commands=[target])
            assert actuator.force(actuator.numbers(), at)[0] == pytest.approx(limit, rel=1e-9, abs=1e-9)


def test_the_ground_in_mujoco_has_the_heights_of_the_grid():
    """At the nodes, by rays from above; MuJoCo stores heights in float32."""
    grid = random_hills(0.1, wavelength=1.0, half_width=3.0, seed=2)
    walk = MujocoWalk("hound", gambol.make_world("hound", ground=grid), 0.9)
    mujoco.mj_forward(walk.model, walk.data)
    ground = walk.model.geom("ground").id
    for i, j in ((3, 7), (20, 11), (30, 41)):
        start = np.array([grid.x0 + i * grid.spacing, grid.y0 + j * grid.spacing, 5.0])
        down = np.array([0.0, 0.0, -1.0])
        distance = mujoco.mj_rayHfield(walk.model, walk.data, ground, start, down, None)
        assert 5.0 - distance == pytest.approx(grid.heights[i, j], abs=1e-6)


def test_the_hound_walks_on_in_mujoco():
    """Two integrators and two methods of contact: its speed is the same within a twentieth."""
    own = json.loads((STORED / "hound.json").read_text())["own speed"]
    life = life_in_mujoco("hound", Plane(), 0)
    assert not life.fell
    assert life.speed == pytest.approx(own, rel=0.05)


def test_the_page_is_that_of_the_stored_lives():
    results = {name: json.loads((STORED / f"{name}.json").read_text()) for name in (*ANIMALS, *TROTTERS)}
    assert PAGE.read_text() == page(results)
    assert sum(fraction(found, "MuJoCo, level") >= WANTED for found in results.values()) >= 0.8 * len(results)
