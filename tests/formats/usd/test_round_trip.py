"""Figures written as USD with physics and read back: the same masses, places and accelerations."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from beast import FIGURE as BEAST
from link_accelerations import accelerations
from pxr import Usd, UsdPhysics

from gambol.export import export_film, write_usd
from gambol.figure import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Figure,
    Hull,
    Joint,
    JointSpring,
    Link,
    Part,
    Sphere,
    random_figure,
    random_state,
    rotation_about,
)
from gambol.formats import Model, Motor, read_usd
from gambol.formats.model import MotorKind
from gambol.plan.pose.film import pose_film

KINDS = ("revolute", "prismatic", "spherical", "cylindrical", "universal", "planar", "fixed")
ROUNDING_TOLERANCE = 2e-6  # the files hold float32, exact to 6e-8; sums over some ten links and joints


def file_of(figure: Figure, q: list[float], path: Path, scale: float) -> Path:
    film = pose_film(figure, [0.0, 0.1], np.array([q, q]))
    return write_usd(film, path, figure=figure, scale=scale)


@pytest.mark.parametrize("seed", range(16))
def test_a_figure_that_is_written_comes_back(tmp_path: Path, seed: int):
    """Also in a file in centimetres, and in a pose besides rest."""
    figure = random_figure(seed, links=1 + seed // 2, kinds=KINDS, root="free" if seed % 2 else "revolute")
    q, v = random_state(figure, seed)
    model = read_usd(file_of(figure, q, tmp_path / "figure.usdc", (1.0, 100.0)[seed % 2]))
    assert (model.figure.nq, model.figure.nv, model.notes) == (figure.nq, figure.nv, ())
    for link in figure.links:
        mass, back = link.mass_properties, model.figure.link(link.name).mass_properties
        assert back.mass == pytest.approx(mass.mass, rel=1e-6)
        np.testing.assert_allclose(back.com, mass.com, atol=1e-6)
        np.testing.assert_allclose(back.inertia, mass.inertia, atol=3e-6 * np.abs(mass.inertia).max())
    v_back = np.zeros(figure.nv)
    for link in figure.links:
        own = model.figure.link(link.name)
        if link.joint.kind in ("cylindrical", "universal"):
            first = model.figure.links[own.parent_index - 1]  # the massless link: a slide, or the first turn
            v_back[[first.v.start, own.v.start]] = np.array(v)[link.v][:: -1 if link.joint.kind == "cylindrical" else 1]
        elif link.joint.kind == "planar":
            v = [0.0 if link.v.start <= k < link.v.stop else x for k, x in enumerate(v)]  # stated in other axes
        else:
            v_back[own.v] = v[link.v]
    before = accelerations(Model(figure, q=tuple(q), v=tuple(v)))
    after = accelerations(replace(model, v=tuple(v_back)))
    largest = max(9.81, *(np.abs(a).max() for a in before.values()))
    for name, a in before.items():
        np.testing.assert_allclose(after[name], a, atol=ROUNDING_TOLERANCE * largest)


def test_colours_and_shapes_come_back(tmp_path: Path):
    """Colliding shapes are exact but for the rounding of float32, with their friction and restitution."""
    tilt, hull = rotation_about((0.0, 0.6, 0.8), 0.7), Hull(((0, 0, 0), (0.1, 0, 0), (0, 0.2, 0), (0, 0, 0.3)))
    shapes = (
        Box((0.1, 0.2, 0.3)), Sphere(0.1), Ellipsoid((0.1, 0.2, 0.3)), Capsule(0.05, 0.2), Cylinder(0.1, 0.3), hull
    )  # fmt: skip
    parts = [
        Part(shape, (0.1 * k, 0.2, -0.3), tilt, friction=0.3 + 0.1 * k, restitution=0.5 - 0.05 * k, color="#8a4a1c")
        for k, shape in enumerate(shapes)
    ]
    parts.append(Part(Sphere(0.2), colliding=False))
    figure = Figure("shapes", (Link("body", None, Joint("free"), tuple(parts)),))
    model = read_usd(file_of(figure, [1.0, *[0.0] * 6], tmp_path / "figure.usda", 10.0))
    back = model.figure.root.parts
    assert len(back) == len(shapes)
    for part, own in zip(back, parts, strict=False):
        assert (part.shape.kind, part.color, part.colliding) == (own.shape.kind, own.color, True)
        surface = (own.friction, own.restitution)
        np.testing.assert_allclose((part.friction, part.restitution), surface, rtol=1e-6)
        np.testing.assert_allclose(outline(part), outline(own), atol=1e-6)


def outline(part: Part) -> np.ndarray:
    """The points of a part with their radii, in an order of their own."""
    return np.array(sorted((*np.round(p.position, 5), p.radius) for p in part.outline()))


SPRING = JointSpring(damping=0.3, friction=0.1, lower=-0.5, upper=1.2)


def chain(spring: JointSpring, motors: tuple[Motor, ...]) -> Model:
    """A thigh that turns and a foot that slides, both with the same numbers of their spring, and rotors."""
    links = tuple(
        replace(link, joint=replace(link.joint, rotor=0.02)) if link.name != "trunk" else link
        for link in BEAST.given_links[:3]
    )
    return Model(replace(BEAST, given_links=links), {"left thigh": spring, "left foot": spring}, motors)


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_limits_dampers_friction_and_rotors_come_back(tmp_path: Path, scale: float):
    model = chain(SPRING, ())
    film = pose_film(model.figure, [0.0], np.array([model.q]))
    back = read_usd(write_usd(film, tmp_path / "a.usdc", figure=model, scale=scale))
    for name in ("left_thigh", "left_foot"):
        spring = back.springs[name]
        for number in ("damping", "friction", "lower", "upper"):
            assert getattr(spring, number) == pytest.approx(getattr(SPRING, number), rel=1e-6)
        assert back.figure.link(name).joint.rotor == pytest.approx(0.02, rel=1e-6)
    assert back.motors == ()


@pytest.mark.parametrize("scale", [1.0, 100.0])
@pytest.mark.parametrize("kind", ["torque", "position", "velocity"])
def test_motors_come_back_as_drives(tmp_path: Path, scale: float, kind: MotorKind):
    """With the gear g, a target u of the joint gives g^2 gain u."""
    motors = tuple(
        Motor(f"{joint} drive", joint, kind, (-2.0,), 3.0, 0.5 * (kind == "position"), weakest=-4.0, strongest=4.0)
        for joint in ("left thigh", "left foot")
    )
    model = chain(SPRING, motors)
    film = pose_film(model.figure, [0.0], np.array([model.q]))
    back = read_usd(write_usd(film, tmp_path / "a.usdc", figure=model, scale=scale))
    assert [motor.joint for motor in back.motors] == ["left_thigh", "left_foot"]
    gain, damping = {"torque": (1.0, 0.0), "position": (12.0, 2.0), "velocity": (12.0, 0.0)}[kind]
    for motor in back.motors:
        assert motor.kind == kind
        assert (motor.gain, motor.damping) == (pytest.approx(gain, rel=1e-6), pytest.approx(damping, rel=1e-6))
        assert (motor.weakest, motor.strongest) == (pytest.approx(-8.0, rel=1e-6), pytest.approx(8.0, rel=1e-6))


def test_springs_become_drives_to_their_rest_position(tmp_path: Path):
    """In OpenUSD's units: N m per degree for turns; lengths are in centimetres here, so forces are 100 N."""
    spring = JointSpring(stiffness=7.0, alpha=0.5, beta=4.0, damping=0.3, rest=0.2)
    model = chain(spring, ())
    film = pose_film(model.figure, [0.0], np.array([model.q]))
    notes = export_film(film, tmp_path / "a.usda", figure=model, scale=100.0)
    assert "USD leaves out the exponential rise of springs; they have their stiffness at rest" in notes
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    for link, axis, per_unit, unit in (
        ("left_thigh", "angular", 1e4 * np.pi / 180.0, 180.0 / np.pi), ("left_foot", "linear", 1.0, 100.0)
    ):  # fmt: skip
        drive = UsdPhysics.DriveAPI(stage.GetPrimAtPath(f"/Creature/{link}_joint"), axis)
        assert drive.GetTypeAttr().Get() == "force"
        assert drive.GetStiffnessAttr().Get() == pytest.approx(9.0 * per_unit, rel=1e-6)
        assert drive.GetDampingAttr().Get() == pytest.approx(0.3 * per_unit, rel=1e-6)
        assert drive.GetTargetPositionAttr().Get() == pytest.approx(0.2 * unit, rel=1e-6)


def test_limits_of_joints_with_two_axes_come_back(tmp_path: Path):
    joint = Joint("cylindrical", (0.0, 0.6, 0.8))
    figure = Figure("post", (Link("rod", None, joint, (Part(Cylinder(0.1, 1.0)),)),))
    springs = (JointSpring(lower=-0.5, upper=1.0), JointSpring(lower=-0.02, upper=0.03))
    model = Model(figure, {"rod": springs})
    film = pose_film(figure, [0.0], np.zeros((1, 2)))
    back = read_usd(write_usd(film, tmp_path / "a.usda", figure=model, scale=10.0))
    found = {back.figure.link(name).joint.kind: spring for name, spring in back.springs.items()}
    for kind, own in zip(("revolute", "prismatic"), springs, strict=True):
        assert (found[kind].lower, found[kind].upper) == pytest.approx((own.lower, own.upper), rel=1e-6)


def test_what_usd_physics_lacks_is_noted(tmp_path: Path):
    ball = {"head": JointSpring(stiffness=1.0), "left thigh": JointSpring(bias=1.0, stiffness=2.0)}
    model = Model(BEAST, ball, (Motor("a", "left thigh"), Motor("b", "left foot", "other", note="a winch")))
    film = pose_film(BEAST, [0.0], np.array([model.q]))
    reported = " ".join(export_film(film, tmp_path / "a.usda", figure=model))
    for text in ("velocity motors of one axis: b", "springs of joints with a motor",
                 "constant forces at joints", "springs and dampers of ball joints"):  # fmt: skip
        assert text in reported
