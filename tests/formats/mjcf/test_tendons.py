"""Tendons and laws of motors: read, written to MJCF and figure files, and back with the same numbers."""

from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from muscle_models import ARM

from gambol.errors import FigureError, GambolError
from gambol.figure.springs import STOP_HERTZ
from gambol.formats import combine_models, read_model, write_model
from gambol.formats.motor_law import MotorLaw
from gambol.formats.tendon import Tendon, TendonPulley, TendonSite, TendonWrap


@pytest.fixture
def arm(tmp_path: Path):
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    return read_model(path)


def test_every_kind_of_tendon_is_read(arm):
    tendons = {tendon.name: tendon for tendon in arm.tendons}
    assert list(tendons) == ["SF", "SE", "BF", "EE", "P", "F"]
    assert tendons["F"].joints == (("upper", 0.3), ("lower", -0.7))
    first, cylinder, _ = tendons["SE"].path
    assert first == TendonSite(None, (-0.15, 0.0, 0.0))
    assert (cylinder.kind, cylinder.link, cylinder.radius) == ("cylinder", "upper", 0.1)
    assert cylinder.side == TendonSite(None, (0.0, -0.15, 0.0))
    assert (tendons["SE"].stiffness, tendons["SE"].damping) == (30.0, 2.0)
    assert (tendons["SE"].shortest, tendons["SE"].longest) == (0.2, 0.25)
    assert [e.divisor for e in tendons["P"].path if isinstance(e, TendonPulley)] == [2.0, 4.0]
    assert [e.kind for e in tendons["EE"].path if isinstance(e, TendonWrap)] == ["sphere"]
    # the joint of "lower" is anchored 1 cm from its body's origin, and links lie at their joints
    assert tendons["EE"].path[-1] == TendonSite("lower", (pytest.approx(0.10), -0.05, 0.0))


def test_laws_are_read_with_the_peak_force_that_mujoco_uses(arm):
    motors = {motor.name: motor for motor in arm.motors}
    peer = mujoco.MjModel.from_xml_string(ARM)
    law = motors["BF"].law
    assert (law.dynamics, law.gain, law.bias) == ("muscle", "muscle", "muscle")
    assert law.gain_parameters[2] == 300.0 / peer.actuator_acc0[2]
    assert law.gain_parameters == (0.75, 1.05, law.gain_parameters[2], 0.4, 1.7, 2.0, 1.4, 1.3)
    assert (law.shortest, law.longest) == (0.6, 0.8)
    assert motors["G"].law.gain_parameters == (-200.0, 10.0, -3.0)
    assert (motors["M"].kind, motors["M"].tendon, motors["M"].joint) == ("torque", "F", "")


@pytest.mark.parametrize("name", ["arm2.xml", "arm2.toml"])
def test_what_is_written_is_read_again(arm, tmp_path: Path, name: str):
    write_model(arm, tmp_path / name)
    again = read_model(tmp_path / name)
    if name.endswith(".toml"):
        assert (again.tendons, again.motors) == (arm.tendons, arm.motors)
    # MJCF has quaternions, of which rotations have rounding errors
    assert flat(again.tendons) == pytest.approx(flat(arm.tendons), abs=1e-12)
    assert repr(again.motors) == repr(arm.motors)


def flat(value: Any) -> list[float]:
    """Return all numbers of nested data; texts as their hashes."""
    if is_dataclass(value):
        return flat([getattr(value, f.name) for f in fields(value)])
    if isinstance(value, (list, tuple)):
        return [x for each in value for x in flat(each)]
    return [float(value)] if isinstance(value, (int, float)) else [float(hash(value))]


def test_mujoco_gives_the_same_forces_from_the_written_file(arm, tmp_path: Path):
    write_model(arm, tmp_path / "arm2.xml")
    peers = [mujoco.MjModel.from_xml_string(ARM), mujoco.MjModel.from_xml_path(str(tmp_path / "arm2.xml"))]
    forces = []
    for peer in peers:
        data = mujoco.MjData(peer)
        data.qpos[:], data.qvel[:], data.act[:] = (0.5, 0.9), (1.0, -2.0), 0.3
        data.ctrl[:] = 0.2
        mujoco.mj_forward(peer, data)
        forces.append(data.qfrc_actuator + data.qfrc_passive)
    np.testing.assert_allclose(forces[0], forces[1], rtol=1e-12)


def test_limits_become_stops_of_the_mass_along_the_tendon(tmp_path: Path):
    text = ARM.replace('<fixed name="F" damping=".5">', '<fixed name="F" damping=".5" limited="true" range="-1 .2">')
    path = tmp_path / "limited.xml"
    path.write_text(text)
    model = read_model(path)
    tendon = model.tendons[-1]
    peer = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(peer)
    mujoco.mj_forward(peer, data)
    M, J = np.zeros((2, 2)), np.array([0.3, -0.7])
    mujoco.mj_fullM(peer, data, M)
    mass = 1.0 / (J @ np.linalg.solve(M, J))
    assert (tendon.lower, tendon.upper) == (-1.0, 0.2)
    assert tendon.limit_stiffness == pytest.approx(mass * (2.0 * np.pi * STOP_HERTZ) ** 2, rel=1e-9)
    assert any("Limits of tendons" in note for note in model.notes)


def test_members_of_a_forest_have_their_tendons(arm):
    both = combine_models("two", {"left": arm, "right": arm})
    assert [t.name for t in both.tendons][:2] == ["left/SF", "left/SE"]
    right = next(motor for motor in both.motors if motor.name == "right/SF")
    assert right.tendon == "right/SF"
    assert next(t for t in both.tendons if t.name == "right/F").joints[0][0] == "right/upper"


def test_urdf_cannot_hold_springs_of_tendons(arm, tmp_path: Path):
    with pytest.raises(GambolError, match=r"leave_out=\['tendons'\]"):
        write_model(replace(arm, motors=()), tmp_path / "arm.urdf")


@pytest.mark.parametrize(
    ("tendon", "text"),
    [
        (Tendon("t"), "either a path or joints"),
        (Tendon("t", (TendonSite(None, (0.0, 0.0, 0.0)),)), "does not run from a point to another point"),
        (Tendon("t", joints=(("upper", 1.0),), lower=0.1), "limit_stiffness"),
        (Tendon("t", joints=(("uper", 1.0),)), 'did you mean "upper"'),
    ],
)
def test_impossible_tendons_are_refused(arm, tendon, text):
    with pytest.raises(FigureError, match=text):
        replace(arm, motors=(), tendons=(tendon,))


def test_a_motor_along_no_tendon_is_refused(arm):
    with pytest.raises(FigureError, match='pulls at the tendon "SX"; did you mean "SF"'):
        replace(arm, motors=(replace(arm.motors[0], tendon="SX"),))


def test_impossible_laws_are_refused():
    with pytest.raises(FigureError, match="give 3 finite numbers"):
        MotorLaw(gain="affine")
    muscle = (0.75, 1.05, 100.0, 0.5, 1.6, 1.5, 1.3, 1.2)
    with pytest.raises(FigureError, match="the second must be larger"):
        MotorLaw("muscle", "muscle", "none", (0.01, 0.04, 0.0), muscle, shortest=0.3, longest=0.3)
