"""Initial velocities, limits and drives of spherical joints, and collision groups of USD files."""

import math
from pathlib import Path

import numpy as np
import pytest
from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics
from usd_stages import WORLD, body, collider, joint, stage_at

from gambol.dynamics import kinematics
from gambol.formats import Model, read_usd

A, B, C = (f"{WORLD}/{name}" for name in "abc")


def read(stage: Usd.Stage) -> Model:
    stage.Save()
    return read_usd(stage.GetRootLayer().realPath)


def set_velocity(stage: Usd.Stage, path: str, linear: np.ndarray, angular: np.ndarray) -> None:
    api = UsdPhysics.RigidBodyAPI(stage.GetPrimAtPath(path))
    api.CreateVelocityAttr(Gf.Vec3f(*np.array(linear, float).tolist()))
    api.CreateAngularVelocityAttr(Gf.Vec3f(*np.degrees(angular).tolist()))


def assert_moves(model: Model, link: str, point: tuple, linear: np.ndarray, angular: np.ndarray) -> None:
    """By differences of poses: the velocity of a point of a link that is given at rest in the world, and its spin."""
    h, poses = 1e-6, []
    for sign in (-1.0, 1.0):
        q = [x + sign * h * rate for x, rate in zip(model.q, model.v, strict=True)]
        poses.append(kinematics(model.figure, q, [0.0] * len(model.v)).poses[model.figure.link(link).index])
    start = kinematics(model.figure, list(model.q), list(model.v)).poses[model.figure.link(link).index]
    own = np.array(start.rotation.rows).T @ (np.array(point) - list(start.position))
    ends = [np.array(pose.rotation.rows) @ own + list(pose.position) for pose in poses]
    np.testing.assert_allclose((ends[1] - ends[0]) / (2.0 * h), linear, atol=1e-6)
    R = [np.array(pose.rotation.rows) for pose in poses]
    W = (R[1] - R[0]) / (2.0 * h) @ np.array(start.rotation.rows).T
    np.testing.assert_allclose([W[2, 1], W[0, 2], W[1, 0]], angular, atol=1e-6)


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("up", ["Y", "Z"])
def test_bodies_of_a_chain_start_with_the_velocities_of_the_file(tmp_path: Path, is_reversed: bool, up: str):
    """A hinge on a slide of the world, in centimetres; the file has the velocities of the centres of mass."""
    stage = stage_at(tmp_path / "a.usda", meters=0.01, up=up)
    body(stage, A, (10.0, 0.0, 0.0))
    body(stage, B, (10.0, 20.0, 0.0))
    slide = joint(stage, UsdPhysics.PrismaticJoint, "slide", ("", A))
    slide.CreateAxisAttr("X")
    ends = ((B, A), ((0.0, -20.0, 0.0), (0.0, 0.0, 0.0))) if is_reversed else ((A, B), ((0, 0, 0), (0.0, -20.0, 0.0)))
    joint(stage, UsdPhysics.RevoluteJoint, "hinge", *ends).CreateAxisAttr("Z")
    v, w = np.array([3.0, 0.0, 0.0]), np.array([0.0, 0.0, 2.0])
    set_velocity(stage, A, v, np.zeros(3))
    set_velocity(stage, B, v + np.cross(w, (0.0, 20.0, 0.0)), w)
    model = read(stage)
    turn = np.eye(3) if up == "Z" else np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    assert_moves(model, "a", tuple(turn @ (0.1, 0.0, 0.0)), turn @ v / 100.0, np.zeros(3))
    speed = turn @ (v + np.cross(w, (0.0, 20.0, 0.0))) / 100.0
    assert_moves(model, "b", tuple(turn @ (0.1, 0.2, 0.0)), speed, turn @ w)
    assert not any("velocit" in note for note in model.notes)


def test_a_free_body_starts_with_its_velocity_in_its_own_axes(tmp_path: Path):
    stage = stage_at(tmp_path / "a.usda")
    body(stage, A, (0.0, 0.0, 1.0))
    set_velocity(stage, A, np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, 0.3]))
    assert read(stage).v == pytest.approx((0.1, 0.2, 0.3, 1.0, 2.0, 3.0), abs=1e-6)


def test_a_velocity_that_a_joint_does_not_allow_is_noted(tmp_path: Path):
    stage = stage_at(tmp_path / "a.usda")
    body(stage, A, (0.0, 0.0, 0.0))
    joint(stage, UsdPhysics.PrismaticJoint, "slide", ("", A)).CreateAxisAttr("X")
    set_velocity(stage, A, np.array([1.0, 2.0, 0.0]), np.zeros(3))
    model = read(stage)
    assert model.v == pytest.approx((1.0,))
    assert any('"a" starts with a velocity that its joint allows' in note for note in model.notes)


@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
def test_limits_of_a_spherical_joint_bound_its_axis_and_leave_its_twist_free(tmp_path: Path, axis: str):
    """At the limit of one angle the axis has turned by this angle, whatever the twist."""
    stage = stage_at(tmp_path / "a.usda")
    body(stage, A, (0.0, 0.0, 0.0))
    ball = joint(stage, UsdPhysics.SphericalJoint, "ball", ("", A))
    ball.CreateAxisAttr(axis)
    ball.CreateConeAngle0LimitAttr(30.0)
    ball.CreateConeAngle1LimitAttr(20.0)
    model = read(stage)
    k = "XYZ".index(axis)
    names = [f"ball rot{'XYZ'[(k + n) % 3]}" for n in (0, 1)] + ["a"]
    assert [link.name for link in model.figure.links] == names
    assert model.q == pytest.approx((0.0, 0.0, 0.0))
    assert "ball rot" + axis not in model.springs or math.isinf(model.springs["ball rot" + axis].upper)
    for name, limit in zip(names[1:], (30.0, 20.0), strict=True):
        assert (model.springs[name].lower, model.springs[name].upper) == pytest.approx(
            (-math.radians(limit), math.radians(limit))
        )
        q = [0.7, 0.0, 0.0]
        q[names.index(name)] = math.radians(limit)
        R = np.array(kinematics(model.figure, q, [0.0] * 3).poses[-1].rotation.rows)
        assert math.degrees(math.acos(R[k, k])) == pytest.approx(limit)
    assert any("cones" in note for note in model.notes)


def test_drives_of_a_spherical_joint_are_motors_of_its_turns(tmp_path: Path):
    stage = stage_at(tmp_path / "a.usda")
    body(stage, A, (0.0, 0.0, 0.0))
    ball = joint(stage, UsdPhysics.SphericalJoint, "ball", ("", A))
    for axis in ("rotX", "rotZ"):
        UsdPhysics.DriveAPI.Apply(ball.GetPrim(), axis).CreateStiffnessAttr(math.radians(5.0))
    model = read(stage)
    assert [(motor.name, motor.joint, motor.kind, motor.gain) for motor in model.motors] == [
        ("ball rotX", "ball rotX", "position", pytest.approx(5.0)), ("ball rotZ", "a", "position", pytest.approx(5.0)),
    ]  # fmt: skip


def test_collision_groups_that_are_filtered_do_not_touch(tmp_path: Path):
    """a and b are in the group of legs, c in that of tails; legs touch neither each other nor tails nor the ground."""
    stage = stage_at(tmp_path / "a.usda")
    for k, path in enumerate((A, B, C)):
        body(stage, path, (3.0 * k, 0.0, 1.0))
        collider(UsdGeom.Sphere.Define(stage, f"{path}/ball"))
    groups = {name: UsdPhysics.CollisionGroup.Define(stage, f"{WORLD}/{name}") for name in ("legs", "tails")}
    for name, paths in (("legs", (A, B)), ("tails", (C,))):
        for path in paths:
            groups[name].GetCollidersCollectionAPI().CreateIncludesRel().AddTarget(path)
    for other in groups.values():
        groups["legs"].CreateFilteredGroupsRel().AddTarget(other.GetPath())
    model = read(stage)
    assert model.figure.apart == (("a", "b"), ("a", "c"), ("b", "c"))
    groups["legs"].GetFilteredGroupsRel().SetTargets([groups["tails"].GetPath()])
    assert read(stage).figure.apart == (("a", "c"), ("b", "c"))
    assert not any("group" in note.lower() for note in model.notes)


@pytest.mark.parametrize(("attributes", "expected"), [
    ({}, ("torque", 1.0, 0.0, -math.inf)),
    ({"gainPrm": [7.0], "ctrlRange:min": -2.0, "ctrlRange:max": 3.0}, ("torque", 7.0, 0.0, -2.0)),
    ({"gainPrm": [7.0], "biasType": "affine", "biasPrm": [0.0, -7.0, -0.5]}, ("position", 7.0, 0.5, -math.inf)),
    ({"ctrlLimited": "false", "ctrlRange:min": -2.0, "ctrlRange:max": 3.0}, ("torque", 1.0, 0.0, -math.inf)),
    ({"dynType": "integrator"}, None), ({"biasType": "affine", "biasPrm": [1.0]}, None),
])  # fmt: skip
def test_actuators_of_mujocos_converter_are_motors(tmp_path: Path, attributes: dict, expected: tuple | None):
    """Those for torque and position; the others are noted."""
    stage = stage_at(tmp_path / "a.usda")
    body(stage, A, (0.0, 0.0, 0.0))
    hinge = joint(stage, UsdPhysics.RevoluteJoint, "hinge", ("", A))
    prim = stage.DefinePrim(f"{WORLD}/servo", "MjcActuator")
    prim.CreateRelationship("mjc:target").AddTarget(hinge.GetPath())
    kinds = {str: Sdf.ValueTypeNames.Token, float: Sdf.ValueTypeNames.Double, list: Sdf.ValueTypeNames.DoubleArray}
    for name, value in attributes.items():
        prim.CreateAttribute(f"mjc:{name}", kinds[type(value)]).Set(value)
    model = read(stage)
    found = [(m.kind, m.gain, m.damping, m.lower) for m in model.motors]
    assert found == ([] if expected is None else [expected])
    assert any("actuators of MuJoCo" in note for note in model.notes) == (expected is None)
