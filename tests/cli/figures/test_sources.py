"""The choice of the reader for a file."""

from pathlib import Path

import pytest
from model_files import HOPPER, random_model
from typer.testing import CliRunner

from gambol.cli import app as command
from gambol.cli.figures.sources import ReadOptions, convert_file, read_model
from gambol.errors import GambolError
from gambol.formats import write_figure
from gambol.formats.file_format import file_format

ROBOT = """<?xml version="1.0"?><!-- <mujoco> is not what this is -->
<robot name="ball"><link name="ball"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.toml", "", ".toml"),
        ("a.corpus", "", ".corpus"),
        ("a.xml", "<mujoco/>", ".xml"),
        ("a.mjcf", "<mujoco/>", ".xml"),
        ("a.xml", ROBOT, ".urdf"),
        ("a.urdf", ROBOT, ".urdf"),
        ("a.urdf", "<mujoco/>", ".xml"),
        ("a.urdf", "no tag at all", ".urdf"),
        ("a.XML", "", ".xml"),
        ("a.usdc", "", ".usda"),
        ("a.usdz", "", ".usda"),
    ],
)
def test_files_are_known_by_their_ending_and_by_what_they_hold(tmp_path: Path, name: str, text: str, kind: str):
    (tmp_path / name).write_text(text)
    assert file_format(tmp_path / name) == kind


def test_the_error_of_missing_or_unknown_files_names_a_remedy(tmp_path: Path):
    (tmp_path / "hopper.toml").write_text(HOPPER)
    (tmp_path / "hopper.dae").write_text("")
    with pytest.raises(GambolError, match=r'there is no file .*did you mean "hopper\.toml"'):
        file_format(tmp_path / "hoper.toml")
    with pytest.raises(GambolError, match=r'"hopper\.dae" has an unknown suffix; .*\.toml, \.xml, \.urdf'):
        file_format(tmp_path / "hopper.dae")


def test_a_robot_is_read_with_the_requested_base(tmp_path: Path):
    (tmp_path / "ball.xml").write_text(ROBOT)
    assert read_model(tmp_path / "ball.xml").figure.root.joint.kind == "fixed"
    assert read_model(tmp_path / "ball.xml", ReadOptions("free")).figure.root.joint.kind == "free"


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (ReadOptions("free"), "--base is for URDF"),
        (ReadOptions(mend=True), "--mend is for URDF"),
        (ReadOptions(leave_out=("x",)), "--leave-out"),
    ],
)
def test_options_for_other_formats_are_refused(tmp_path: Path, how: ReadOptions, why: str):
    (tmp_path / "hopper.toml").write_text(HOPPER)
    with pytest.raises(GambolError, match=why):
        read_model(tmp_path / "hopper.toml", how)


def test_a_script_is_no_specimen(tmp_path: Path):
    (tmp_path / "a.corpus").write_text("")
    with pytest.raises(GambolError, match="is a script"):
        read_model(tmp_path / "a.corpus")


def test_what_is_written_is_read_back_by_the_same_ending(tmp_path: Path):
    model = random_model(2)
    write_figure(model, tmp_path / "a.toml")
    assert convert_file(tmp_path / "a.toml", tmp_path / "b.toml") == model.notes
    assert read_model(tmp_path / "b.toml") == model
    assert (tmp_path / "b.toml").read_bytes() == (tmp_path / "a.toml").read_bytes()
    with pytest.raises(GambolError, match=r'"a\.stl" has a suffix that cannot be written'):
        convert_file(tmp_path / "a.toml", tmp_path / "a.stl")


def test_usd_of_another_program_is_inspected_run_and_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    ant = Path(__file__).parents[2] / "formats" / "usd" / "ant.usda"
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(command.app, ["inspect", str(ant)])
    assert result.exit_code == 0
    assert "front_left_foot" in result.stdout
    result = CliRunner().invoke(command.app, ["run", str(ant), "--seconds", "0.1", "--ground", "flat", "--film"])
    assert result.exit_code == 0, result.stderr
    assert "TensorPhysicsArticulationRootAPI" in result.stderr
    notes = convert_file(ant, tmp_path / "ant.xml", ReadOptions())
    assert any("Left out" in note for note in notes)
    assert read_model(tmp_path / "ant.xml").figure.mass == pytest.approx(read_model(ant).figure.mass)
    with pytest.raises(GambolError, match="has a suffix that cannot be written"):
        convert_file(ant, tmp_path / "other.usda")
    with pytest.raises(GambolError, match=r'--base is for URDF files only; "ant\.usda" is not a URDF file'):
        read_model(ant, ReadOptions("free"))
