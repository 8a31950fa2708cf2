"""Bad USD files: a word that names the file and the prim, before any work; no other file is opened unseen."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pxr import Gf, Usd, UsdGeom, UsdPhysics
from usd_stages import WORLD, body, joint, stage_at

from gambol.errors import GambolError
from gambol.formats import read_usd

A, B = f"{WORLD}/a", f"{WORLD}/b"


def pair(path: Path) -> tuple[Usd.Stage, UsdPhysics.Joint]:
    stage = stage_at(path)
    for each in (A, B):
        body(stage, each)
    return stage, joint(stage, UsdPhysics.RevoluteJoint, "hinge", (A, B))


def refusal(stage: Usd.Stage) -> str:
    stage.Save()
    with pytest.raises(GambolError) as caught:
        read_usd(stage.GetRootLayer().realPath)
    return str(caught.value)


def test_joints_without_bodies_with_one_or_with_wrong_limits(tmp_path: Path):
    stage, hinge = pair(tmp_path / "bad.usda")
    hinge.GetBody1Rel().SetTargets([f"{WORLD}/nobody"])
    assert refusal(stage) == 'bad.usda: joint "/World/hinge" has the body "/World/nobody", which does not exist'
    hinge.GetBody1Rel().SetTargets([A])
    assert 'connects "/World/a" to itself' in refusal(stage)
    hinge.GetBody1Rel().SetTargets([B])
    hinge.CreateLowerLimitAttr(10.0)
    hinge.CreateUpperLimitAttr(-10.0)
    assert '"/World/hinge" has limits 10 to -10; swap them' in refusal(stage)


def test_masses_that_are_negative_missing_or_impossible(tmp_path: Path):
    stage, _ = pair(tmp_path / "bad.usda")
    mass = UsdPhysics.MassAPI(stage.GetPrimAtPath(B))
    mass.GetMassAttr().Set(-1.0)
    assert '"/World/b" has a mass of -1' in refusal(stage)
    mass.GetMassAttr().Set(0.0)
    mass.GetDiagonalInertiaAttr().Set(Gf.Vec3f(0.0))
    assert '"b"' in refusal(stage)
    assert "no mass" in refusal(stage)
    mass.GetMassAttr().Set(1.0)
    mass.GetDiagonalInertiaAttr().Set(Gf.Vec3f(1.0, 1.0, 5.0))
    assert 'link "b" has an inertia that no body can have' in refusal(stage)


def test_stages_without_bodies_flat_ones_and_wrong_units(tmp_path: Path):
    assert "no rigid body that moves" in refusal(stage_at(tmp_path / "empty.usda"))
    stage, _ = pair(tmp_path / "flat.usda")
    UsdGeom.Xformable(stage.GetPrimAtPath(B)).AddScaleOp().Set(Gf.Vec3f(1.0, 0.0, 1.0))
    assert '"/World/b" has a scale of 0' in refusal(stage)
    stage, _ = pair(tmp_path / "units.usda")
    UsdGeom.SetStageMetersPerUnit(stage, 0.0)
    assert "both must be positive" in refusal(stage)


def test_unknown_joints_can_be_left_out(tmp_path: Path):
    stage, _ = pair(tmp_path / "gear.usda")
    stage.DefinePrim(f"{WORLD}/gear", "PhysxPhysicsGearJoint")
    assert 'joint "/World/gear" is of type PhysxPhysicsGearJoint' in refusal(stage)
    model = read_usd(tmp_path / "gear.usda", leave_out=["joints"])
    assert 'Left out: joint "/World/gear" of type PhysxPhysicsGearJoint.' in model.notes
    stage.RemovePrim(f"{WORLD}/gear")
    joint(stage, UsdPhysics.DistanceJoint, "rope", (A, B)).CreateMaxDistanceAttr(2.0)
    assert 'joint "/World/rope" closes a loop, or bounds a distance' in refusal(stage)
    with pytest.raises(GambolError, match='"ropes" cannot be left out'):
        read_usd(tmp_path / "gear.usda", leave_out=["ropes"])


def test_references_stay_below_the_folder_of_the_file(tmp_path: Path):
    """Also through symbolic links, payloads, sublayers and variants; what is missing is told."""
    inner = tmp_path / "robots"
    (inner / "parts").mkdir(parents=True)
    outside, _ = pair(tmp_path / "secret.usda")
    outside.Save()
    below, _ = pair(inner / "parts" / "robot.usda")
    below.Save()
    (inner / "link.usda").symlink_to(tmp_path / "secret.usda")

    def robot(name: str, reference: str) -> Path:
        prim = f'def Xform "r" (references = @{reference}@</World>) {{}}'
        (inner / name).write_text(f"#usda 1.0\n{prim}\n")
        return inner / name

    assert read_usd(robot("good.usda", "./parts/robot.usda")).figure.nv == 7
    for reference in ("../secret.usda", str(tmp_path / "secret.usda"), "./link.usda"):
        with pytest.raises(GambolError, match="outside its folder; copy this file below the folder"):
            read_usd(robot("bad.usda", reference))
    variant = 'variantSet "v" = {\n"x" (payload = @../secret.usda@) {}\n}'
    variants = f'def "r" (variantSets = "v") {{\n{variant}\n}}'
    for content in (variants, "(subLayers = [@../secret.usda@])"):
        text = f"#usda 1.0\n{content}\n"
        (inner / "bad.usda").write_text(text)
        with pytest.raises(GambolError, match=r"bad\.usda: it refers to .*outside its folder"):
            read_usd(inner / "bad.usda")
    path = robot("missing.usda", "./parts/robot.usda")
    path.write_text(path.read_text() + 'def "more" (references = @./no.usda@) {}\n')
    assert "Files that do not exist: ./no.usda." in read_usd(path).notes


def test_an_error_of_text_names_file_and_line(tmp_path: Path):
    (tmp_path / "bad.usda").write_text("#usda 1.0\ndef Xform {\n")
    with pytest.raises(GambolError, match=r"^bad\.usda: bad\.usda:2:"):
        read_usd(tmp_path / "bad.usda")


def test_text_that_is_not_utf8_is_an_error(tmp_path: Path):
    (tmp_path / "bad.usda").write_bytes(b"#usda 1.0\ndef Xform \xff\xfe {\n")
    with pytest.raises(GambolError, match=r"^bad\.usda: its text is not UTF-8"):
        read_usd(tmp_path / "bad.usda")


def test_value_clips_and_devices_are_refused(tmp_path: Path):
    clips = 'def "r" (clips = { dictionary default = { asset[] assetPaths = [@/dev/zero@] } }) {}'
    (tmp_path / "clips.usda").write_text(f"#usda 1.0\n{clips}\n")
    with pytest.raises(GambolError, match="has value clips"):
        read_usd(tmp_path / "clips.usda")
    os.mkfifo(tmp_path / "pipe.usda")
    with pytest.raises(GambolError, match="device, pipe or socket"):
        read_usd(tmp_path / "pipe.usda")
    (tmp_path / "text.usda").write_text("#usda 1.0\n(references = @./pipe.usda@)\n")
    with pytest.raises(GambolError, match=r"text\.usda"):
        read_usd(tmp_path / "text.usda")
    (tmp_path / "sub.usda").write_text("#usda 1.0\n(subLayers = [@./pipe.usda@])\n")
    with pytest.raises(GambolError, match="is not a USD file"):
        read_usd(tmp_path / "sub.usda")


def test_damaged_binary_files_are_errors_and_the_next_file_is_read(tmp_path: Path):
    """Cut short, or with bytes changed: OpenUSD may end its own process, never ours."""
    stage, _ = pair(tmp_path / "good.usda")
    stage.Export(str(tmp_path / "good.usdc"))
    data = (tmp_path / "good.usdc").read_bytes()
    path = tmp_path / "bad.usdc"
    for k in range(20):
        size = len(data) * (k + 1) // 21
        path.write_bytes(data[:size] if k % 2 else data[:size] + bytes([255 - 12 * k]) * 16 + data[size + 16 :])
        with contextlib.suppress(GambolError):
            read_usd(path)
    assert read_usd(tmp_path / "good.usdc").figure.nv == 7


def test_our_process_never_loads_openusd(tmp_path: Path):
    stage, _ = pair(tmp_path / "good.usda")
    stage.Save()
    code = "import sys; from gambol import read_usd; read_usd(sys.argv[1]); print('pxr' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "good.usda"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
