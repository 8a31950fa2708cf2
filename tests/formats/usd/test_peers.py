"""USD files of other programs beside the same robots as MJCF in MuJoCo: masses and accelerations."""

from pathlib import Path

import gymnasium
import mujoco
import numpy as np
import pytest

from gambol.dynamics import kinematics
from gambol.dynamics import method as dynamics
from gambol.formats import Model, read_usd
from gambol.spatial import Vector

FOLDER = Path(__file__).parent
OFF = mujoco.mjtDisableBit
FREE = mujoco.mjtJoint.mjJNT_FREE


def ant() -> mujoco.MjModel:
    """Newton's ant as MJCF, with the density of its USD file, and without the damping that this file lacks."""
    text = (FOLDER / "ant.xml").read_text()
    return mujoco.MjModel.from_xml_string(text.replace('density="5.0"', 'density="1"').replace(' damping="0.1"', ""))


def hopper() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_path(str(Path(gymnasium.__file__).parent / "envs/mujoco/assets/hopper.xml"))


def set_state(model: Model, peer: mujoco.MjModel, data: mujoco.MjData, seed: int) -> tuple[list[float], list[float]]:
    """Give MuJoCo a random state, and return the same one as q and v of the figure."""
    rng, figure = np.random.default_rng(seed), model.figure
    q, v = np.zeros(figure.nq), np.zeros(figure.nv)
    for k in range(peer.njnt):
        body, iq, iv = peer.jnt_bodyid[k], peer.jnt_qposadr[k], peer.jnt_dofadr[k]
        is_last = k == peer.body_jntadr[body] + peer.body_jntnum[body] - 1
        link = figure.link(peer.body(body).name if is_last else peer.joint(k).name)
        if peer.jnt_type[k] == FREE:
            quaternion = rng.normal(size=4)
            quaternion /= np.linalg.norm(quaternion)
            position, w, v_W = rng.normal(size=(3, 3))
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, quaternion)
            data.qpos[iq : iq + 7], data.qvel[iv : iv + 6] = [*position, *quaternion], [*v_W, *w]
            q[link.q], v[link.v] = [*quaternion, *position], [*w, *(R.reshape(3, 3).T @ v_W)]
        else:
            x, rate = rng.uniform(-1.0, 1.0, 2)
            data.qpos[iq], data.qvel[iv] = peer.qpos0[iq] + x, rate
            q[link.q], v[link.v] = x, rate
    return q.tolist(), v.tolist()


@pytest.mark.parametrize(("name", "make"), [("ant", ant), ("hopper", hopper)])
def test_a_file_of_another_program_moves_as_its_mjcf_does_in_mujoco(name: str, make):
    """The files hold float32: their numbers are exact to 6e-8, and light feet on heavy bodies multiply that."""
    model, peer = read_usd(FOLDER / f"{name}.usda"), make()
    peer.opt.disableflags |= OFF.mjDSBL_CONTACT | OFF.mjDSBL_LIMIT | OFF.mjDSBL_ACTUATION
    peer.opt.gravity[:] = model.gravity
    assert model.figure.mass == pytest.approx(peer.body_mass.sum(), rel=3e-7)
    figure, data = model.figure, mujoco.MjData(peer)
    hinges = [link for link in figure.links if link.joint.kind in ("revolute", "prismatic")]
    assert len(hinges) == peer.nv - 6 * (name == "ant")
    for seed in range(4):
        q, v = set_state(model, peer, data, seed)
        mujoco.mj_forward(peer, data)
        tau = np.zeros(figure.nv)
        for link in hinges:
            spring = model.springs.get(link.name)
            tau[link.v] = -(spring.damping if spring else 0.0) * v[link.v.start]
        a, _ = dynamics.accelerations("aba", kinematics(figure, q, v), tau.tolist(), gravity=Vector(*model.gravity))
        by_joint = {peer.jnt_bodyid[k]: peer.jnt_dofadr[k] for k in range(peer.njnt)}  # the last joint of each body
        for body, dof in by_joint.items():
            link = figure.link(peer.body(body).name)
            if link in hinges:
                error = abs(float(a[link.v.start]) - data.qacc[dof])
                assert error < 1e-5 * np.abs(data.qacc).max()


def test_gravity_limits_colours_and_motors_are_read():
    model = read_usd(FOLDER / "hopper.usda")
    assert model.ground
    assert model.gravity == pytest.approx((0.0, 0.0, -9.81), rel=1e-6)
    thigh = model.springs["thigh"]
    assert np.degrees([thigh.lower, thigh.upper]) == pytest.approx([-150.0, 0.0])
    peer = hopper()
    for motor, joint, gear, bounds in zip(
        model.motors, peer.actuator_trnid, peer.actuator_gear, peer.actuator_ctrlrange, strict=True
    ):
        assert (motor.kind, f"{motor.joint}_joint") == ("torque", peer.joint(joint[0]).name)
        assert (motor.gear, motor.gain, motor.lower, motor.upper) == ((gear[0],), 1.0, *bounds)
    assert {part.color for link in model.figure.links for part in link.parts} == {"#e7cbaa"}  # linear 0.8, 0.6, 0.4
    walker = read_usd(FOLDER / "ant.usda")
    assert [motor.kind for motor in walker.motors] == ["position"] * 8
    assert walker.motors[0].gain == pytest.approx(0.04 * 180.0 / np.pi, rel=1e-6)
    assert walker.q[4:7] == (0.0, 0.0, 1.0)
