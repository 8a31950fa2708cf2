"""USD files beside USD's own validators and its evaluation of transforms, masses and joints."""

from pathlib import Path

import numpy as np
import pytest
from beast import FIGURE
from pxr import Gf, Usd, UsdGeom, UsdPhysics, UsdValidation

from gambol.errors import GambolError
from gambol.export import export_film, usd, write_usd
from gambol.export.usd import prim_paths
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.formats import Model
from gambol.plan.pose.film import pose_film
from gambol.world import Film


def errors(path: Path) -> list[str]:
    """Return what USD's validators find in a file."""
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    stage = Usd.Stage.Open(str(path))
    found = UsdValidation.ValidationContext(validators).Validate(stage)
    return [f"{error.GetName()}: {error.GetMessage()}" for error in found]


@pytest.mark.parametrize("ending", [".usda", ".usdc", ".usdz"])
def test_the_validators_find_nothing(film: Film, tmp_path: Path, ending: str):
    assert errors(write_usd(film, tmp_path / f"beast{ending}", figure=FIGURE)) == []


def test_links_are_where_the_film_has_them(film: Film, tmp_path: Path):
    stage = Usd.Stage.Open(str(write_usd(film, tmp_path / "beast.usdc", scale=10.0)))
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    assert UsdGeom.GetStageMetersPerUnit(stage) == pytest.approx(0.1)
    assert stage.GetEndTimeCode() == len(film.time) - 1
    for frame in (0, 33, 100):
        cache = UsdGeom.XformCache(frame)
        for k, name in enumerate(film.link_names):
            pose = cache.GetLocalToWorldTransform(stage.GetPrimAtPath(f"/Creature/{name.replace(' ', '_')}"))
            np.testing.assert_allclose(pose.ExtractTranslation(), 10.0 * film.position[frame, 0, k], atol=1e-12)
            turn = pose.ExtractRotationQuat()
            q = np.array([turn.GetReal(), *turn.GetImaginary()])
            np.testing.assert_allclose(abs(q @ film.quaternion[frame, 0, k]), 1.0, atol=1e-6)  # stored as float32


@pytest.mark.parametrize("ending", [".usda", ".usdc", ".usdz"])
def test_a_film_that_is_saved_in_pieces_is_the_same(
    film: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
):
    whole = Usd.Stage.Open(str(write_usd(film, tmp_path / f"whole{ending}", figure=FIGURE)))
    monkeypatch.setattr(usd, "PIECE", 7)  # 15 saves for each link that moves
    pieces = Usd.Stage.Open(str(write_usd(film, tmp_path / f"pieces{ending}", figure=FIGURE)))
    assert pieces.GetRootLayer().ExportToString() == whole.GetRootLayer().ExportToString()
    moving = pieces.GetPrimAtPath(f"/Creature/{film.link_names[0].replace(' ', '_')}")
    assert len(UsdGeom.Xformable(moving).GetTimeSamples()) == len(film.time)


def joint_frame(stage: Usd.Stage, joint: UsdPhysics.Joint, side: int, frame: int) -> Gf.Matrix4d:
    """Return the frame of a joint on one of its bodies, in the world."""
    target = getattr(joint, f"GetBody{side}Rel")().GetTargets()
    turn, place = (getattr(joint, f"GetLocal{part}{side}Attr")().Get() for part in ("Rot", "Pos"))
    local = Gf.Matrix4d().SetRotate(Gf.Quatd(turn)) * Gf.Matrix4d().SetTranslate(Gf.Vec3d(place))
    return local * UsdGeom.XformCache(frame).GetLocalToWorldTransform(stage.GetPrimAtPath(target[0]))


def test_joints_hold_their_bodies_together_in_every_frame(film: Film, tmp_path: Path):
    """The frames of a joint on both bodies have one place, but for a slide, and one axis."""
    stage = Usd.Stage.Open(str(write_usd(film, tmp_path / "beast.usda", figure=FIGURE, scale=2.0)))
    joints = [UsdPhysics.Joint(prim) for prim in stage.Traverse() if prim.IsA(UsdPhysics.Joint)]
    assert len(joints) == 3
    for joint in joints:
        for frame in (0, 17, 60):
            a, b = (joint_frame(stage, joint, side, frame) for side in (0, 1))
            apart = np.array(b.ExtractTranslation() - a.ExtractTranslation())
            axes = np.array(a.TransformDir(Gf.Vec3d.XAxis())), np.array(b.TransformDir(Gf.Vec3d.XAxis()))
            if joint.GetPrim().IsA(UsdPhysics.PrismaticJoint):
                apart = apart - (apart @ axes[0]) * axes[0]
            if not joint.GetPrim().IsA(UsdPhysics.SphericalJoint):
                np.testing.assert_allclose(*axes, atol=3e-6)
            np.testing.assert_allclose(apart, 0.0, atol=3e-6)  # rotations of float32


def test_masses_are_those_of_the_figure(film: Film, tmp_path: Path):
    stage = Usd.Stage.Open(str(write_usd(film, tmp_path / "beast.usda", figure=FIGURE, scale=10.0)))
    for link in FIGURE.links:
        mass = UsdPhysics.MassAPI(stage.GetPrimAtPath(f"/Creature/{link.name.replace(' ', '_')}"))
        assert mass.GetMassAttr().Get() == pytest.approx(link.mass_properties.mass, rel=1e-6)
        turn = np.array(Gf.Matrix3d(Gf.Rotation(Gf.Quatd(mass.GetPrincipalAxesAttr().Get())))).T
        inertia = turn @ np.diag(mass.GetDiagonalInertiaAttr().Get()) @ turn.T
        largest = np.abs(link.mass_properties.inertia).max()
        np.testing.assert_allclose(inertia / 100.0, link.mass_properties.inertia, atol=3e-6 * largest)


def test_names_become_paths_each_once():
    names = ("1 leg", "leg", "leg!", "bein\N{LATIN SMALL LETTER E WITH ACUTE}", "leg")
    assert prim_paths(names) == [f"/Creature/{name}" for name in ("_1_leg", "leg", "leg_", "bein_", "leg_1")]


def test_other_figures_and_endings_are_refused(film: Film, tmp_path: Path):
    with pytest.raises(GambolError, match="USD files end in"):
        write_usd(film, tmp_path / "beast.usd")
    with pytest.raises(GambolError, match="other links than the film"):
        write_usd(
            film.of_worlds([0]),
            tmp_path / "b.usda",
            figure=Figure("other", (Link("trunk", None, Joint("free"), (Part(Sphere(0.1)),)),)),
        )


def test_a_link_without_mass_validates(tmp_path: Path):
    """As sensors of URDF, and the links between the joints of evolved creatures."""
    sensor = Link("sensor", "body", Joint("fixed"))
    figure = Figure("robot", (Link("body", None, Joint("free"), (Part(Sphere(0.1)),)), sensor))
    film = pose_film(figure, [0.0], np.array([[1.0, *[0.0] * 6]]))
    path = tmp_path / "robot.usda"
    notes = export_film(film, path, figure=Model(figure))
    assert errors(path) == []
    assert any("zero mass of sensor" in note for note in notes)
