"""The options --hold and --gains of `gambol run`."""

import json
from pathlib import Path

import pytest
from invoked import invoke

from gambol.cli.figures.holding import read_gains
from gambol.errors import GambolError

STOOL = """<robot name="stool"><link name="seat"><inertial><mass value="4"/>
<inertia ixx=".05" iyy=".05" izz=".08" ixy="0" ixz="0" iyz="0"/></inertial></link>{}</robot>"""
LEG = """<link name="{0}"><inertial><origin xyz="0 0 -.15"/><mass value=".3"/>
<inertia ixx=".003" iyy=".003" izz=".001" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0 0 -.3"/><geometry><sphere radius=".02"/></geometry></collision></link>
<joint name="{0} hip" type="revolute"><parent link="seat"/><child link="{0}"/><origin xyz="{1} {2} 0"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="30" velocity="9"/></joint>"""


@pytest.fixture
def stool(tmp_path: Path) -> Path:
    legs = [LEG.format(f"leg{k}", x, y) for k, (x, y) in enumerate([(0.2, 0.15), (0.2, -0.15), (-0.2, 0.0)])]
    path = tmp_path / "stool.urdf"
    path.write_text(STOOL.format("".join(legs)))
    return path


def run_of(stool: Path, *options: str) -> tuple[dict, str]:
    out = stool.parent / "out"
    result = invoke("run", stool, "--seconds", "1", "--film", "--out", out, *options)
    assert result.exit_code == 0, result.output
    return json.loads((out / "stool.json").read_text()), " ".join(result.output.split())


def test_a_stool_stands_with_a_free_base_on_flat_ground(stool: Path):
    results, output = run_of(stool, "--hold")
    seat = results["end"]["links"]["seat"]
    assert seat["position_m"][2] == pytest.approx(0.32, abs=0.01)
    assert seat["quaternion"][0] > 0.9999
    assert "Its base is free, since it holds a pose" in output
    assert "Servos hold 3 joints" in output
    assert "The motors are off" not in output


def test_gains_hold_too_and_a_fixed_base_stays(stool: Path):
    results, output = run_of(stool, "--gains", "50,5", "--base", "fixed")
    assert results["end"]["links"]["seat"]["position_m"] == [0.0, 0.0, 0.0]
    assert "a stiffness of 50 to 50 N m/rad" in output


def test_wrong_options_are_refused(stool: Path):
    for options, text in (
        (("--gains", "leg0=50,5"), 'no motor "leg0" holds a joint; did you mean "leg0 hip"'),
        (("--hold", "--actuators"), "--hold and --gains drive all motors"),
        (("--gains", "50"), '--gains: "50" is neither K,D nor NAME=K,D'),
        (("--gains", "0,5"), "give a stiffness of more than 0"),
    ):
        result = invoke("run", stool, *options)
        assert result.exit_code != 0
        assert text in " ".join(result.output.split())


def test_texts_of_gains():
    assert read_gains(()) is True
    assert read_gains(("80,4",)) == (80.0, 4.0)
    assert read_gains(("a=b=80,4", "c=1,0")) == {"a=b": (80.0, 4.0), "c": (1.0, 0.0)}
    for texts in (("a=1,2", "a=3,4"), ("1,2", "3,4")):
        with pytest.raises(GambolError, match="is given twice"):
            read_gains(texts)
    with pytest.raises(GambolError, match="one pair for all motors, or pairs by name"):
        read_gains(("1,2", "a=3,4"))
    for text in ("", "a", "a=", "1,2,3", "x,1"):
        with pytest.raises(GambolError, match="is neither K,D nor NAME=K,D"):
            read_gains((text,))
