"""USD files built with OpenUSD's own interface: units, axes, scales, masses, shapes, joints, drives, loops, pairs."""

import math
from pathlib import Path

import numpy as np
import pytest
from pxr import Gf, Usd, UsdGeom, UsdPhysics
from usd_stages import WORLD, body, collider, joint, stage_at

from gambol.dynamics import kinematics
from gambol.figure import Box, Capsule, Closure, Cylinder, Ellipsoid, Frustum, Hull, Sphere
from gambol.formats import Model, read_model, read_usd
from gambol.spatial import Vector

A, B, C = (f"{WORLD}/{name}" for name in "abc")


def read(stage: Usd.Stage, **options: list[str]) -> Model:
    stage.Save()
    return read_usd(stage.GetRootLayer().realPath, **options)


def pendulum(path: Path, **units: float | str) -> Usd.Stage:
    """Return a body of 2 units of mass that hangs 30 units of length below a hinge of the world, about x."""
    stage = stage_at(path, **units)
    up = (0.0, 0.0, 1.0) if units.get("up", "Z") == "Z" else (0.0, 1.0, 0.0)
    body(stage, A, tuple(-30.0 * x for x in up), mass=2.0)
    joint(stage, UsdPhysics.RevoluteJoint, "hinge", ("", A), ((0.0, 0.0, 0.0), tuple(30.0 * x for x in up)))
    return stage


@pytest.mark.parametrize("up", ["Y", "Z"])
def test_units_and_axes_become_si_with_z_up(tmp_path: Path, up: str):
    """A pendulum in centimetres and grams."""
    stage = pendulum(tmp_path / "p.usda", meters=0.01, kilograms=0.001, up=up)
    hinge = UsdPhysics.RevoluteJoint(stage.GetPrimAtPath(f"{WORLD}/hinge"))
    hinge.CreateLowerLimitAttr(-90.0)
    hinge.CreateUpperLimitAttr(45.0)
    model = read(stage)
    (link,) = model.figure.links
    assert link.mass_properties.mass == pytest.approx(0.002)
    assert np.diag(link.mass_properties.inertia) == pytest.approx([0.2 * 1e-7] * 3)
    com = kinematics(model.figure, [0.0], [0.0]).poses[link.index] @ Vector(*link.mass_properties.com)
    assert [com.x, com.y, com.z] == pytest.approx([0.0, 0.0, -0.3])
    assert (model.springs["a"].lower, model.springs["a"].upper) == pytest.approx((-math.pi / 2, math.pi / 4))
    assert model.gravity == (0.0, 0.0, -9.81)


def test_a_drive_becomes_a_motor_in_si_units(tmp_path: Path):
    stage = pendulum(tmp_path / "p.usda", meters=0.01, kilograms=1.0)
    drive = UsdPhysics.DriveAPI.Apply(stage.GetPrimAtPath(f"{WORLD}/hinge"), "angular")
    drive.CreateStiffnessAttr(1000.0)
    drive.CreateDampingAttr(10.0)
    drive.CreateMaxForceAttr(5000.0)
    (motor,) = read(stage).motors
    assert (motor.name, motor.joint, motor.kind) == ("hinge", "a", "position")
    degree = math.pi / 180.0
    assert (motor.gain, motor.damping) == pytest.approx((0.1 / degree, 0.001 / degree))
    assert (motor.weakest, motor.strongest) == pytest.approx((-0.5, 0.5))
    drive.GetStiffnessAttr().Set(0.0)
    assert read(stage).motors[0].kind == "velocity"
    drive.GetDampingAttr().Set(0.0)
    assert read(stage).motors[0].kind == "torque"


def test_a_joint_stated_the_other_way_round_moves_as_it_does(tmp_path: Path):
    """The coordinate is that of the file: body 1 relative to body 0."""
    stage = stage_at(tmp_path / "s.usda")
    body(stage, A, (0.0, 0.0, 0.3))
    slide = joint(stage, UsdPhysics.PrismaticJoint, "slide", (A, ""))
    slide.CreateAxisAttr("Z")
    slide.CreateLowerLimitAttr(-1.0)
    slide.CreateUpperLimitAttr(0.5)
    model = read(stage)
    assert model.q == pytest.approx((-0.3,))
    assert model.springs["a"].upper == 0.5
    pose = kinematics(model.figure, [0.4], [0.0]).poses[1]
    assert pose.position.z == pytest.approx(-0.4)


def test_scales_apply_to_shapes_anchors_and_centres_of_mass(tmp_path: Path):
    """Nested: 2 along all axes above, 3 along z in the body; a shape turned by a right angle in it."""
    stage = stage_at(tmp_path / "s.usda")
    UsdGeom.Xformable(stage.GetDefaultPrim()).AddScaleOp().Set(Gf.Vec3f(2.0))
    xform = body(stage, A, (0.0, 0.0, 1.0))
    xform.AddRotateXOp().Set(90.0)
    xform.AddScaleOp().Set(Gf.Vec3f(1.0, 1.0, 3.0))
    UsdPhysics.MassAPI(xform.GetPrim()).CreateCenterOfMassAttr(Gf.Vec3f(0.1, 0.1, 0.1))
    cube = collider(UsdGeom.Cube.Define(stage, f"{A}/cube"))
    cube.AddTranslateOp().Set(Gf.Vec3d(0.0, 0.0, 1.0))
    cube.CreateSizeAttr(0.5)
    joint(stage, UsdPhysics.RevoluteJoint, "hinge", ("", A), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.5)))
    model = read(stage)
    (link,) = model.figure.links
    assert link.parts[0].shape == Box((1.0, 1.0, 3.0))
    assert link.parts[0].position == pytest.approx((0.0, 0.0, 3.0))  # 6 m from the body, 3 m from its anchor
    assert link.mass_properties.com == pytest.approx((0.2, 0.2, 0.6 - 3.0))


SHAPES = {
    "Cube": (lambda s: s.CreateSizeAttr(0.4), Box((0.4, 0.4, 0.4))),
    "Sphere": (lambda s: s.CreateRadiusAttr(0.3), Sphere(0.3)),
    "Capsule": (lambda s: (s.CreateRadiusAttr(0.1), s.CreateHeightAttr(0.5)), Capsule(0.1, 0.5)),
    "Cylinder": (lambda s: (s.CreateRadiusAttr(0.1), s.CreateHeightAttr(0.5)), Cylinder(0.1, 0.5)),
    "Cone": (lambda s: (s.CreateRadiusAttr(0.1), s.CreateHeightAttr(0.5)), Frustum(0.1, 0.0, 0.5)),
}


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
def test_the_mass_of_a_body_is_that_of_its_colliders(tmp_path: Path, kind: str, axis: str):
    """Of a density: the closed forms of the solids, turned to the axis of the shape."""
    stage, (sizes, expected) = stage_at(tmp_path / "m.usda"), SHAPES[kind]
    body(stage, A, mass=0.0)
    shape = collider(getattr(UsdGeom, kind).Define(stage, f"{A}/shape"))
    sizes(shape)
    if kind not in ("Cube", "Sphere"):
        shape.CreateAxisAttr(axis)
    UsdPhysics.MassAPI.Apply(stage.GetPrimAtPath(A)).CreateDensityAttr(500.0)
    (link,) = read(stage).figure.links
    assert link.parts[0].shape == expected
    solid = expected.mass_properties(500.0)
    assert link.mass_properties.mass == pytest.approx(solid.mass)
    moments = np.diag(solid.inertia)
    assert sorted(np.linalg.eigvalsh(link.mass_properties.inertia)) == pytest.approx(sorted(moments))
    assert link.mass_properties.inertia["XYZ".index(axis)]["XYZ".index(axis)] == pytest.approx(moments[2])
    tip = np.array(link.mass_properties.com)["XYZ".index(axis)]
    assert tip == pytest.approx(solid.com[2])


def test_masses_follow_openusds_order_of_precedence(tmp_path: Path):
    """Two unit cubes: one with a mass of its own, one of a material's density; then the body's own mass scales both."""
    stage = stage_at(tmp_path / "m.usda")
    xform = body(stage, A, mass=0.0)
    for name, x in (("own", -1.0), ("material", 1.0)):
        cube = collider(UsdGeom.Cube.Define(stage, f"{A}/{name}"))
        cube.CreateSizeAttr(1.0)
        cube.AddTranslateOp().Set(Gf.Vec3d(x, 0.0, 0.0))
    UsdPhysics.MassAPI.Apply(stage.GetPrimAtPath(f"{A}/own")).CreateMassAttr(300.0)
    mass = read(stage).figure.links[0].mass_properties
    assert mass.mass == pytest.approx(1300.0)
    assert mass.com == pytest.approx((700.0 / 1300.0, 0.0, 0.0))
    apart = 2.0**2 * 300.0 * 1000.0 / 1300.0
    assert np.diag(mass.inertia) == pytest.approx([1300 / 6, 1300 / 6 + apart, 1300 / 6 + apart])
    UsdPhysics.MassAPI.Apply(xform.GetPrim()).CreateMassAttr(13.0)
    scaled = read(stage).figure.links[0].mass_properties
    assert scaled.mass == pytest.approx(13.0)
    assert np.array(scaled.inertia) == pytest.approx(np.array(mass.inertia) / 100.0)


def test_scaled_spheres_and_meshes(tmp_path: Path):
    stage = stage_at(tmp_path / "m.usda")
    body(stage, A)
    ball = collider(UsdGeom.Sphere.Define(stage, f"{A}/ball"))
    ball.CreateRadiusAttr(0.5)
    ball.AddScaleOp().Set(Gf.Vec3f(1.0, 2.0, -4.0))
    mesh = collider(UsdGeom.Mesh.Define(stage, f"{A}/mesh"))
    mesh.CreatePointsAttr([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    mesh.AddScaleOp().Set(Gf.Vec3f(2.0, 2.0, -2.0))
    cone = collider(UsdGeom.Cone.Define(stage, f"{A}/cone"))
    cone.AddScaleOp().Set(Gf.Vec3f(1.0, 1.0, -1.0))
    ellipsoid, hull, frustum = read(stage).figure.links[0].parts
    assert ellipsoid.shape == Ellipsoid((0.5, 1.0, 2.0))
    assert isinstance(hull.shape, Hull)
    placed = sorted(tuple(np.round(np.add(hull.position, x), 12) + 0.0) for x in hull.shape.vertices)
    assert placed == [(0.0, 0.0, -2.0), (0.0, 0.0, 0.0), (0.0, 2.0, 0.0), (2.0, 0.0, 0.0)]
    points = [point.position for point in frustum.outline()]
    assert min(points, key=lambda p: math.hypot(p[0], p[1]))[2] == pytest.approx(-1.0)  # the tip points down


def test_a_loop_is_closed_by_a_closure(tmp_path: Path):
    """A four-bar: three bars on two hinges of the world. Breadth first, the far one of the middle joints closes it."""
    stage = stage_at(tmp_path / "bars.usda")
    for path, x in ((A, 0.0), (B, 0.5), (C, 1.0)):
        body(stage, path, (x, 0.0, 0.5))
    down, up = (0.0, 0.0, -0.5), (0.0, 0.0, 0.5)
    joint(stage, UsdPhysics.RevoluteJoint, "left", ("", A), ((0.0, 0.0, 0.0), down)).CreateAxisAttr("Y")
    joint(stage, UsdPhysics.RevoluteJoint, "right", ("", C), ((1.0, 0.0, 0.0), down)).CreateAxisAttr("Y")
    joint(stage, UsdPhysics.RevoluteJoint, "one", (A, B), (up, (-0.5, 0.0, 0.5))).CreateAxisAttr("Y")
    joint(stage, UsdPhysics.RevoluteJoint, "two", (B, C), ((0.5, 0.0, 0.5), up)).CreateAxisAttr("Y")
    model = read(stage)
    (closure,) = model.figure.constraints
    assert isinstance(closure, Closure)
    assert (closure.kind, {closure.link, closure.other}) == ("hinge", {"b", "c"})
    poses = kinematics(model.figure, list(model.q), [0.0] * 3).poses
    ends = []
    for name, anchor, R in (
        (closure.link, closure.position, closure.rotation),
        (closure.other, closure.other_position, closure.other_rotation),
    ):
        pose = poses[model.figure.link(name).index]
        point = pose @ Vector(*anchor)
        axis = np.array([list(row) for row in pose.rotation.rows], float) @ np.array(R)[:, 2]
        ends.append([point.x, point.y, point.z, *axis])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-12)
    np.testing.assert_allclose(ends[0], [1.0, 0.0, 1.0, 0.0, 1.0, 0.0], atol=1e-7)


def test_a_joint_excluded_from_the_articulation_closes_the_loop(tmp_path: Path):
    stage = stage_at(tmp_path / "bars.usda")
    for path in (A, B):
        body(stage, path)
    joint(stage, UsdPhysics.FixedJoint, "weld", ("", A))
    excluded = joint(stage, UsdPhysics.SphericalJoint, "first", (A, B))
    excluded.CreateExcludeFromArticulationAttr(True)
    joint(stage, UsdPhysics.SphericalJoint, "second", (A, B))
    model = read(stage)
    assert [link.joint.kind for link in model.figure.links] == ["fixed", "spherical"]
    assert [constraint.kind for constraint in model.figure.constraints] == ["point"]


def test_a_joint_of_six_axes_has_the_freedoms_that_its_limits_leave(tmp_path: Path):
    stage = stage_at(tmp_path / "d6.usda")
    body(stage, A)
    joint(stage, UsdPhysics.FixedJoint, "weld", ("", A))
    body(stage, B, (0.0, 0.25, 0.0))
    general = joint(stage, UsdPhysics.Joint, "general", (A, B)).GetPrim()
    for axis in ("transX", "transZ", "rotY", "rotZ"):
        limit = UsdPhysics.LimitAPI.Apply(general, axis)
        limit.CreateLowAttr(1.0)
        limit.CreateHighAttr(-1.0)
    limit = UsdPhysics.LimitAPI.Apply(general, "rotX")
    limit.CreateLowAttr(-30.0)
    limit.CreateHighAttr(60.0)
    model = read(stage)
    assert [(link.name, link.joint.kind) for link in model.figure.links[1:]] == [
        ("general transY", "prismatic"), ("b", "revolute"),
    ]  # fmt: skip
    assert [link.joint.axis for link in model.figure.links[1:]] == [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0)]
    assert model.q == pytest.approx((0.25, 0.0))
    assert model.springs["b"].upper == pytest.approx(math.pi / 3)


def test_ground_obstacles_gravity_and_pairs(tmp_path: Path):
    stage = stage_at(tmp_path / "scene.usda", up="Y")
    scene = UsdPhysics.Scene.Define(stage, "/scene")
    scene.CreateGravityDirectionAttr(Gf.Vec3f(0.0, -1.0, 0.0))
    scene.CreateGravityMagnitudeAttr(1.62)
    plane = collider(UsdGeom.Plane.Define(stage, f"{WORLD}/ground"))
    plane.CreateAxisAttr("Y")
    collider(UsdGeom.Cube.Define(stage, f"{WORLD}/rock")).AddTranslateOp().Set(Gf.Vec3d(5.0, 1.0, 0.0))
    body(stage, A, (0.0, 3.0, 0.0))
    body(stage, B, (0.0, 4.0, 0.0))
    UsdPhysics.FilteredPairsAPI.Apply(stage.GetPrimAtPath(A)).CreateFilteredPairsRel().SetTargets([B])
    model = read(stage)
    assert model.ground
    assert model.gravity == pytest.approx((0.0, 0.0, -1.62))
    assert model.figure.root.name == "world"
    assert model.figure.root.parts[0].position == pytest.approx((5.0, 0.0, 1.0))
    assert model.figure.apart == (("a", "b"),)
    assert model.q[4:7] == pytest.approx((0.0, 0.0, 3.0))


def test_what_is_left_out_is_noted(tmp_path: Path):
    stage = pendulum(tmp_path / "p.usda")
    UsdGeom.BasisCurves.Define(stage, f"{WORLD}/rope")
    still = body(stage, B)
    UsdPhysics.RigidBodyAPI(still.GetPrim()).CreateKinematicEnabledAttr(True)
    stage.GetPrimAtPath(A).AddAppliedSchema("PhysxForceAPI")
    disabled = joint(stage, UsdPhysics.FixedJoint, "off", (A, B))
    disabled.CreateJointEnabledAttr(False)
    notes = " ".join(read(stage).notes)
    for text in ("BasisCurves (1)", "Kinematic bodies stay", "PhysxForceAPI", 'joint "/World/off"'):
        assert text in notes


@pytest.mark.parametrize("suffix", [".usd", ".usda", ".usdc", ".usdz"])
def test_every_ending_is_read_as_any_figure_file(tmp_path: Path, suffix: str):
    stage = pendulum(tmp_path / "first.usdc")
    stage.Save()
    path = tmp_path / f"pendulum{suffix}"
    if suffix == ".usdz":
        from pxr import UsdUtils

        assert UsdUtils.CreateNewUsdzPackage(str(tmp_path / "first.usdc"), str(path))
    else:
        stage.Export(str(path))
    assert read_model(path).figure.nv == 1
