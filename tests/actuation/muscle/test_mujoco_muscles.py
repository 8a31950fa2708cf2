"""Muscles over points, spheres and cylinders, against MuJoCo: length, rate, moment arms, force and activation."""

from functools import cache
from typing import Any

import mujoco
import numpy as np
import pytest

from gambol.actuation.actuator import ActuatorInput
from gambol.actuation.muscle import (
    ACTIVATIONS,
    Branch,
    Muscle,
    PathPoint,
    PointPath,
    WrapCylinder,
    WrapSphere,
)
from gambol.dynamics import kinematics
from gambol.figure import Figure, Joint, Link, MassProperties

MJCF = """
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <site name="o" pos="0.02 0.03 0.45"/>
    <site name="p" pos="-0.05 0.01 0.2"/>
    <geom name="ball" type="sphere" size="0.06" pos="0.01 0 0.02" contype="0" conaffinity="0"/>
    <site name="front" pos="0.2 0.02 0.02"/>
    <body name="upper">
      <joint name="hip" type="ball"/>
      <inertial pos="0 0 -0.2" mass="1" diaginertia="0.02 0.02 0.01"/>
      <site name="a" pos="0.03 0.01 -0.15"/>
      <site name="b" pos="0.05 -0.02 -0.33"/>
      <geom name="pin" type="cylinder" size="0.04 0.1" pos="0 0 -0.4" euler="80 10 0" contype="0" conaffinity="0"/>
      <site name="kneecap" pos="0.15 0 -0.4"/>
      <body name="lower" pos="0 0 -0.4">
        <joint name="knee" type="hinge" axis="0 1 0"/>
        <inertial pos="0 0 -0.2" mass="0.5" diaginertia="0.01 0.01 0.005"/>
        <site name="c" pos="0.03 0.03 -0.12"/>
        <site name="d" pos="-0.02 0 -0.25"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="straight"><site site="o"/><site site="a"/><site site="b"/></spatial>
    <spatial name="sphere"><site site="o"/><geom geom="ball"/><site site="a"/></spatial>
    <spatial name="sided"><site site="o"/><geom geom="ball" sidesite="front"/><site site="a"/></spatial>
    <spatial name="cylinder"><site site="b"/><geom geom="pin"/><site site="c"/></spatial>
    <spatial name="kneecap">
      <site site="p"/><geom geom="ball"/><site site="b"/><geom geom="pin" sidesite="kneecap"/><site site="c"/>
    </spatial>
    <spatial name="branched">
      <site site="o"/><site site="a"/><pulley divisor="2"/><site site="a"/><site site="c"/>
      <pulley divisor="3"/><site site="a"/><site site="d"/>
    </spatial>
  </tendon>
  <actuator>
    <muscle tendon="straight" lengthrange="0.4 0.9" force="300"/>
    <muscle tendon="sphere" lengthrange="0.4 0.8" force="200" range="0.6 1.2" vmax="2" fvmax="1.4" fpmax="1.7"/>
    <muscle tendon="sided" lengthrange="0.4 0.8" force="200" lmin="0.4" lmax="1.8"/>
    <muscle tendon="cylinder" lengthrange="0.1 0.4" force="100"/>
    <muscle tendon="kneecap" lengthrange="0.2 1.2" force="500"/>
    <muscle tendon="branched" lengthrange="0.2 1.2" force="500" timeconst="0.02 0.07" tausmooth="0.3"/>
  </actuator>
</mujoco>
"""


@cache
def model() -> Any:
    return mujoco.MjModel.from_xml_string(MJCF)


def figure() -> Figure:
    """The figure of the model; masses are of no account here."""
    mass = MassProperties(1.0, (0.0, 0.0, -0.2), ((0.02, 0.0, 0.0), (0.0, 0.02, 0.0), (0.0, 0.0, 0.01)))
    upper = Link("upper", None, Joint("spherical"), (), mass)
    return Figure("leg", (upper, Link("lower", "upper", Joint("revolute", (0, 1, 0), position=(0, 0, -0.4)), (), mass)))


def site(name: str) -> PathPoint:
    m, body = model(), {0: None, 1: "upper", 2: "lower"}
    index = m.site(name).id
    return PathPoint(body[int(m.site_bodyid[index])], tuple(m.site_pos[index].tolist()))


def ball(side: str | None = None) -> WrapSphere:
    return WrapSphere(None, (0.01, 0.0, 0.02), 0.06, side and site(side))


def pin(side: str | None = None) -> WrapCylinder:
    index = model().geom("pin").id
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, model().geom_quat[index])
    axis = tuple(rotation.reshape(3, 3)[:, 2].tolist())
    return WrapCylinder("upper", (0.0, 0.0, -0.4), axis, 0.04, side and site(side))


PATHS = {
    "straight": (site("o"), site("a"), site("b")),
    "sphere": (site("o"), ball(), site("a")),
    "sided": (site("o"), ball("front"), site("a")),
    "cylinder": (site("b"), pin(), site("c")),
    "kneecap": (site("p"), ball(), site("b"), pin("kneecap"), site("c")),
    "branched": (site("o"), site("a"), Branch(2.0), site("a"), site("c"), Branch(3.0), site("a"), site("d")),
}


def muscle(name: str) -> Muscle:
    """The muscle on a tendon of the model, with the model's own numbers: L0 and the tendon follow from lengthrange."""
    index = list(PATHS).index(name)
    lower, upper, force, _, low, high, vmax, fpmax, fvmax = model().actuator_gainprm[index, :9]
    low_length, high_length = model().actuator_lengthrange[index]
    L0 = (high_length - low_length) / (upper - lower)
    rise, fall, smoothing = model().actuator_dynprm[index, :3]
    return Muscle(
        joints=("upper", "lower"),
        path=PointPath(PATHS[name]),
        max_force=force,
        optimal_length=L0,
        slack_length=low_length - lower * L0,
        max_velocity=vmax,
        curves="mujoco",
        curve_numbers={"shortest": low, "longest": high, "passive_max": fpmax, "eccentric": fvmax},
        activation_numbers={"rise": rise, "fall": fall, "smoothing": smoothing},
        rigid_tendon=True,
    )


def poses(count: int) -> Any:
    """Yield random positions, velocities, activations and excitations, legs hanging down and bent."""
    rng = np.random.default_rng(5)
    for _ in range(count):
        axis, angle = rng.normal(size=3), rng.uniform(0.0, 1.2)
        quaternion = np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * axis / np.linalg.norm(axis)])
        q = [*quaternion, rng.uniform(-1.5, 1.5)]
        yield q, rng.normal(size=4), rng.uniform(), rng.uniform(-0.2, 1.2)


def at_pose(actuator: Muscle, q: Any, v: Any, a: float, u: float) -> ActuatorInput:
    legs = figure()
    q, v = [float(x) for x in q], [float(x) for x in v]
    return ActuatorInput(0.0, q, v, [u], {"activation": a}, legs.links, lambda q, v: kinematics(legs, list(q), list(v)))


@pytest.mark.parametrize("name", list(PATHS))
def test_length_rate_moment_arms_force_and_activation_are_mujocos(name: str):
    """MuJoCo's own arcs come from acos, which has half its digits for short ones."""
    data, index, actuator = mujoco.MjData(model()), list(PATHS).index(name), muscle(name)
    numbers, wraps = actuator.numbers(), 0
    for q, v, a, u in poses(60):
        data.qpos[:], data.qvel[:], data.act[:], data.ctrl[:] = q, v, a, u
        mujoco.mj_forward(model(), data)
        at = at_pose(actuator, q, v, a, u)
        seen = actuator.outputs(numbers, at)
        assert seen["length"] == pytest.approx(data.actuator_length[index], abs=1e-9)
        assert seen["velocity"] == pytest.approx(data.actuator_velocity[index], abs=1e-9)
        moment = np.zeros((model().nu, model().nv))
        mujoco.mju_sparse2dense(
            moment, data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind
        )
        np.testing.assert_allclose(actuator.path.arms(numbers["path"], at), -moment[index], atol=1e-9)
        assert seen["force"] == pytest.approx(-data.actuator_force[index], abs=1e-9 * actuator.max_force)
        np.testing.assert_allclose(actuator.force(numbers, at), moment[index] * data.actuator_force[index], atol=1e-6)
        assert actuator.derivative(numbers, at)["activation"] == pytest.approx(data.act_dot[index], rel=1e-12)
        wraps += int(data.ten_wrapnum[index] > len([e for e in PATHS[name] if isinstance(e, PathPoint)]))
    assert wraps > 5 or name in ("straight", "branched")


def test_arms_are_the_derivatives_of_length():
    """By differences of length along each velocity, a route without any of the path's rates."""
    for name in PATHS:
        actuator = muscle(name)
        path, numbers = actuator.path, actuator.numbers()["path"]
        for q, _, a, u in poses(6):
            at = at_pose(actuator, q, np.zeros(4), a, u)
            arms, h = path.arms(numbers, at), 1e-6
            for k, arm in enumerate(arms):
                ends = [at.moved([s * h if j == k else 0.0 for j in range(4)], 1.0) for s in (1.0, -1.0)]
                lengths = [path.motion(numbers, end)[0] for end in ends]
                assert -(lengths[0] - lengths[1]) / (2.0 * h) == pytest.approx(arm, abs=1e-8)


def test_mujocos_muscles_have_no_other_activation_than_its_row():
    assert Muscle.__dataclass_fields__["activation_dynamics"].default is None
    assert muscle("straight").dynamics is ACTIVATIONS["mujoco"]
