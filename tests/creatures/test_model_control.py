"""Worlds of models whose motors and muscles are turned on."""

from pathlib import Path

import numpy as np
import pytest
from muscle_models import ARM

import gambol
from gambol.creatures.make_world import make_world
from gambol.errors import WorldError
from gambol.formats import read_model
from gambol.world import run, start

PLAIN = ARM.replace(' stiffness="30" damping="2" springlength="0.2 0.25"', "").replace(' stiffness="7"', "")
MUSCLES = PLAIN.replace(PLAIN[PLAIN.index('<muscle name="J"') : PLAIN.index("</actuator>")], "").replace(
    ' damping=".5"', ""
)


@pytest.fixture
def arm(tmp_path: Path):
    path = tmp_path / "arm.xml"
    path.write_text(MUSCLES.replace('<option timestep="0.002">', '<option gravity="0 0 0">'))
    return read_model(path)


def test_a_muscle_bends_the_elbow_only_if_it_is_on(arm):
    ends = []
    for options in ({}, {"actuators": True}, {"control": {"BF": 1.0}}):
        world = make_world(arm, **options)
        film = run(world, start(world), 0.15, rate=60.0)
        ends.append(float(film.quaternion[-1, 0, -1, 3]))
        assert bool(film.matter) == bool(options)
    resting, relaxed, bent = np.abs(ends)
    assert resting < 1e-3
    assert bent > relaxed + 0.05  # passive forces bend it, too


def test_controls_are_those_of_the_file(arm):
    world = make_world(arm, control={"BF": 0.25})
    assert dict(zip(world.actuators, world.controller.law.values, strict=True)) == {
        "SF": 0.0,
        "SE": 0.0,
        "BF": 0.25,
        "EE": 0.0,
    }
    with pytest.raises(WorldError, match='no motor "BG"; did you mean "BF"'):
        make_world(arm, control={"BG": 0.25})


def test_springs_of_tendons_act_without_motors(tmp_path: Path):
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    assert sorted(make_world(read_model(path)).actuators) == ["F spring", "P spring", "SE spring"]
    assert gambol.make_world is make_world
