"""The commands that take a file: run, inspect and convert, as their user meets them."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from model_files import HOPPER
from typer.testing import CliRunner

from gambol.cli import app as command
from gambol.cli.figures import commands, inspection
from gambol.cli.guard import WRONG_INPUT
from gambol.dynamics import METHODS
from gambol.integrate import INTEGRATORS
from gambol.view import opengl, picture
from gambol.world import Film

PENDULUM = """format = "gambol figure 1"
name = "pendulum"

[[links]]
name = "rod"
joint = { kind = "revolute", axis = [0, 1, 0] }
mass = { mass = 2.0, com = [0, 0, -0.5] }

[start.q]
rod = 0.2
"""
APART = """
[[constraints]]
kind = "point"
link = "rod"
position = [0, 0, -1]
other_position = [5, 0, 0]

"""
ROBOT = """<robot name="arm">
<link name="base"/>
<link name="arm"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="{}" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hip" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="0.5" upper="1" effort="1" velocity="1"/></joint></robot>"""
BASE = """<link name="base"><inertial><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
BALL = """format = "gambol figure 1"
name = "ball"

[[links]]
name = "ball"
joint = { kind = "free" }
parts = [{ shape = "sphere", radius = 0.1, density = 500 }]

[start.q]
ball = [1, 0, 0, 0, 0, 0, 0.3]
"""
SCRIPTS = Path(__file__).parents[3] / "examples" / "scripts"


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """An empty folder with two figures, on a machine without OpenGL, with a plain terminal."""
    for name in ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(picture, "can_render", lambda: False)
    monkeypatch.setattr(opengl, "can_render", lambda: False)
    monkeypatch.chdir(tmp_path)
    Path("pendulum.toml").write_text(PENDULUM)
    Path("hopper.toml").write_text(HOPPER)
    return tmp_path


def gambol(*words: str):
    return CliRunner().invoke(command.app, words)


def reported(name: str = "pendulum") -> dict:
    return json.loads(Path(f"out/{name}.json").read_text())


def test_a_run_writes_page_film_and_measures():
    result = gambol("run", "pendulum.toml", "--seconds", "1")
    assert result.exit_code == 0, result.output
    assert {"pendulum.html", "pendulum.npz", "pendulum.json"} <= {path.name for path in Path("out").iterdir()}
    film = Film.load("out/pendulum.npz")
    assert (film.duration, {shape.kind for shape in film.shapes}) == (pytest.approx(1.0), {"capsule", "sphere"})
    for words in ("kinetic energy", "momentum", "unaccounted energy", "steps taken"):
        assert words in result.output


def test_the_measures_are_those_of_the_motion():
    gambol("run", "pendulum.toml", "--seconds", "1")
    found = reported()
    q, v = found["end"]["q"][0], found["end"]["v"][0]
    weight, inertia = 2.0 * 9.81 * 0.5, 2.0 * 0.5**2
    assert found["figure"] == {
        "name": "pendulum",
        "links": 1,
        "degrees_of_freedom": 1,
        "constraints": 0,
        "mass_kg": 2.0,
        "size_m": 1.0,
    }
    assert found["start"]["potential_j"] == pytest.approx(-weight * math.cos(0.2))
    assert found["end"]["kinetic_j"] == pytest.approx(0.5 * inertia * v * v, rel=1e-12)
    np.testing.assert_allclose(found["end"]["momentum_ns"], [-math.cos(q) * v, 0.0, math.sin(q) * v], atol=1e-12)
    assert found["end"]["angular_momentum_nms"][1] == pytest.approx(inertia * v)
    # a pendulum of 0.2 rad swings by (1 + 0.2^2 / 16) of the small period, to its fourth power
    period = 2 * math.pi * math.sqrt(0.5 / 9.81) * (1 + 0.2**2 / 16 + 11 / 3072 * 0.2**4)
    assert q == pytest.approx(0.2 * math.cos(2 * math.pi / period), abs=2e-4)
    assert found["unaccounted_fraction"] < 1e-6
    assert found["steps_taken"] > 100
    assert found["end"]["links"]["rod"]["position_m"] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "words",
    [
        ("--integrator", "implicit midpoint", "--step", "0.001", "--method", "crba"),
        ("--integrator", "semi-implicit euler", "--step", "0.0001", "--method", "lagrangian"),
        ("--precision", "float32", "--tolerance", "0.001"),
    ],
)
def test_other_methods_give_nearly_the_same_result(words):
    gambol("run", "pendulum.toml", "--seconds", "0.5")
    expected = reported()["end"]["q"]
    result = gambol("run", "pendulum.toml", "--seconds", "0.5", *words)
    assert result.exit_code == 0, result.output
    np.testing.assert_allclose(reported()["end"]["q"], expected, atol=2e-4)


def test_an_accuracy_chooses_the_steps():
    """The motion is near that of the default tolerance of 1e-7, in sizes of the pendulum, 1 m."""
    gambol("run", "pendulum.toml", "--seconds", "0.5", "--film")
    expected = reported()["end"]["q"]
    result = gambol("run", "pendulum.toml", "--seconds", "0.5", "--accuracy", "0.001", "--film")
    assert result.exit_code == 0, result.output
    np.testing.assert_allclose(reported()["end"]["q"], expected, atol=1e-3)
    assert "--accuracy: a tolerance of" in " ".join(result.stderr.split())
    result = gambol("run", "hopper.toml", "--seconds", "0.5", "--accuracy", "0.01", "--film")
    assert result.exit_code == 0, result.output
    assert "iterations of stepping" in " ".join(result.stderr.split())


def test_several_errors_are_printed_one_by_one():
    result = gambol("run", "pendulum.toml", "--seconds", "0.1", "--lanes", "3", "--seed", "4")
    assert result.exit_code == 0, result.output
    ends = [world["end"]["q"][0] for world in reported()["worlds"]]
    assert len(set(ends)) == 3
    assert "3 x pendulum: 0.10 s; the first world:" in result.output


def test_a_figure_on_hills_of_its_own_size_stays_above_them():
    level = gambol("run", "hopper.toml", "--seconds", "0.1", "--ground", "flat", "--film")
    assert "On uneven ground" not in " ".join(level.output.split())
    result = gambol("run", "hopper.toml", "--seconds", "0.1", "--ground", "hills", "--film")
    assert "On uneven ground, parts with edges have contacts at some points only" in " ".join(result.output.split())
    assert result.exit_code == 0, result.output
    assert "Note: The motors are off" in result.stderr
    assert Film.load("out/hopper.npz").ground.heights is not None


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("run", "pendulun.toml"), 'there is no file "pendulun.toml"; did you mean "pendulum.toml"?'),
        (("run", "pendulum.toml", "--seconds", "0"), "--seconds: 0 is not possible"),
        (("run", "pendulum.toml", "--method", "abba"), 'did you mean "aba"'),
        (("run", "pendulum.toml", "--integrator", "rk5"), "is unknown; did you mean"),
        (("run", "pendulum.toml", "--contact", "stepin"), '--contact: "stepin" is unknown; did you mean "stepping"?'),
        (("run", "pendulum.toml", "--contact", "stepping", "--integrator", "rk4"), "chooses its own large steps"),
        (("run", "pendulum.toml", "--contact", "impulse", "--tolerance", "1e-6"), "chooses its own large steps"),
        (("run", "pendulum.toml", "--contact", "constraint", "--integrator", "implicit euler"), "take one of"),
        (("run", "pendulum.toml", "--ground", "hils"), 'did you mean "hills"?'),
        (("run", "pendulum.toml", "--step", "1"), "--step: 1 s is not possible"),
        (("run", "pendulum.toml", "--integrator", "rk4", "--tolerance", "1"), 'rk4" has a fixed step'),
        (("run", "pendulum.toml", "--video", "a.avi"), "a video needs the suffix .mp4"),
        (("run", "pendulum.toml", "--precision", "float32", "--tolerance", "1e-9"), "cannot be reached in float32"),
        (("run", "pendulum.toml", "--base", "free"), "--base is for URDF files"),
        (("run", "script.corpus", "--method", "crba"), '--method: "script.corpus" is a script, which sets this itself'),
        (("run", "pendulum.toml", "--accuracy", "0"), "an accuracy of 0.0 is not possible; give 1e-6 to 0.1"),
        (("run", "pendulum.toml", "--accuracy", "0.01", "--step", "0.001"), "leave out --step and --tolerance"),
        (("run", "script.corpus", "--accuracy", "0.01"), '--accuracy: "script.corpus" is a script'),
        (("run", "pendulum.toml", "--tolerance", "-1"), "--tolerance: -1 is not possible"),
        (("run", "apart.toml"), "apart.toml: figure"),
        (("run", "disc.urdf"), "--mend makes it possible"),
        (("run", "free.urdf", "--base", "free"), 'free.urdf: figure "arm" has a singular mass matrix'),
        (("run", "."), '"." is a folder'),
        (("inspect", "none.toml"), "there is no file"),
        (("inspect", "pendulum.toml", "--picture", "a.toml"), "a picture needs the suffix .png"),
        (("convert", "pendulum.toml", "pendulum.stl"), "a suffix that cannot be written"),
    ],
)
def test_errors_are_single_lines(words, why):
    Path("script.corpus").write_text((SCRIPTS / "arm.corpus").read_text())
    Path("apart.toml").write_text(PENDULUM.replace("[start.q]", APART + "[start.q]"))
    Path("disc.urdf").write_text(ROBOT.format("0.5"))
    Path("free.urdf").write_text(ROBOT.format("0.1"))
    result = gambol(*words)
    assert result.exit_code == WRONG_INPUT
    assert why in result.stderr
    assert len(result.stderr.strip().splitlines()) <= 2
    assert not Path("out").exists()


def test_help_names_every_method_and_integrator():
    assert set(re.split(", | or ", commands.METHODS)) <= METHODS.keys()
    assert set(re.split(", | or ", commands.INTEGRATORS)) == set(INTEGRATORS)


def test_changes_and_surprises_are_notes():
    Path("arm.urdf").write_text(ROBOT.format("0.1"))
    result = gambol("run", "arm.urdf", "--seconds", "0.1", "--ground", "flat")
    assert result.exit_code == 0, result.output
    for words in (
        "Note: These joints start beyond their limits, and were moved to them: arm.",
        "Note: The motors are off",
        "Note: Its root is fixed to the world, the default of URDF; --base free releases it.",
        "Note: It has no shapes that could touch the ground.",
    ):
        assert words in result.stderr
    assert "Its root is fixed" not in gambol("run", "arm.urdf", "--seconds", "0.1", "--base", "fixed").stderr
    Path("arm.urdf").write_text(ROBOT.format("0.1").replace('<link name="base"/>', BASE))
    assert "There is no ground" in gambol("run", "arm.urdf", "--seconds", "0.1", "--base", "free").stderr


def test_a_run_that_cannot_be_trusted_is_a_warning():
    result = gambol("run", "pendulum.toml", "--integrator", "explicit euler", "--step", "0.004", "--seconds", "2")
    assert "Warning: energy does not balance in lane 0" in result.stderr
    assert any("gained" in note and "without a source" in note for note in reported()["notes"])
    assert reported()["unaccounted_fraction"] > 0.01


@pytest.mark.parametrize("contact", ["stepping", "impulse", "constraint", "penalty"])
def test_a_ball_comes_to_rest_by_every_contact_method(contact):
    Path("ball.toml").write_text(BALL)
    result = gambol("run", "ball.toml", "--ground", "flat", "--contact", contact, "--seconds", "1")
    assert result.exit_code == 0, result.output
    found = reported("ball")
    size = found["figure"]["size_m"]
    sunk = 1e-3 * size if contact == "penalty" else 0.0  # see specimens; there it swings by as much for a while
    assert found["end"]["q"][6] == pytest.approx(0.1 - sunk, abs=sunk + 2e-5 * size)
    # the step that lands books the way of its weight by mean velocities: h v / 2 = 1 mm of 0.2 m at 2 m/s
    assert found["unaccounted_fraction"] < 0.0052
    assert found["contact"] == contact
    assert ("contacts did not converge" in result.output) == (contact != "penalty")


def test_contact_methods_fit_their_integrators():
    Path("ball.toml").write_text(BALL)
    short = ("run", "ball.toml", "--seconds", "0.05", "--ground")
    for words, contact in (
        (("flat",), "stepping"),
        (("flat", "--integrator", "rk4"), "penalty"),
        (("none",), "penalty"),
    ):
        assert gambol(*short, *words).exit_code == 0
        assert reported("ball")["contact"] == contact


def test_stiff_friction_is_explained():
    springs, moving = "springs = { friction = 50.0, creep = 1e-5 }\n", "[start.v]\nrod = 1.0\n"
    Path("stuck.toml").write_text(PENDULUM.replace("[start.q]", springs + "[start.q]") + moving)
    result = gambol("run", "stuck.toml", "--seconds", "0.02")
    assert "microseconds long" in result.stderr
    assert "microseconds" not in gambol("run", "stuck.toml", "--seconds", "0.02", "--integrator", "rosenbrock").stderr


def test_a_run_without_motion_has_a_note():
    Path("still.toml").write_text(PENDULUM.replace("rod = 0.2", "rod = 0.0"))
    assert "Nothing moved" in gambol("run", "still.toml", "--seconds", "0.1").stderr


def test_a_script_is_performed():
    Path("arm.corpus").write_text("! hello\n" + (SCRIPTS / "arm.corpus").read_text())
    result = gambol("run", "arm.corpus", "--seconds", "0.1")
    assert result.exit_code == 0, result.output
    assert "hello" in result.output
    film = Film.load("out/arm.npz")
    assert film.duration == pytest.approx(0.1)
    assert film.ground.heights is not None  # it says `ground off`: there would be a floor below a hanging body
    assert film.ground.heights.max() < film.position[..., 2].min()
    assert reported("arm")["asked"]["file"] == "arm.corpus"


def test_an_inspection_shows_the_tree(monkeypatch):
    written: list[Path] = []
    monkeypatch.setattr(inspection, "write_still", lambda film, path: written.append(path))
    result = gambol("inspect", "hopper.toml")
    assert result.exit_code == 0, result.output
    for words in (
        "9 (10 coordinates)",
        "thigh  revolute about (0, 1, 0) at (0, 0, -0.05)  1.5 kg",
        "limits -1 to 0.5 rad, spring 3 N m/rad, rest at 0 rad",
        "coordinate 2: friction 2 N per kg of mass",
        'point: "thigh" to "hand"',
        'coupling: q of "thigh" = 0.1',
        "hip   thigh  position",
    ):
        assert words in result.output
    assert written == [Path("out/hopper.png")]


@pytest.mark.parametrize("columns", ["40", "160"])
def test_lines_in_a_file_are_not_wrapped(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(inspection, "write_still", lambda film, path: path)
    assert "thigh  revolute about (0, 1, 0) at (0, 0, -0.05)  1.5 kg" in gambol("inspect", "hopper.toml").output


def test_inspect_lists_parts_that_may_touch_and_the_reason_for_the_others(monkeypatch):
    monkeypatch.setattr(inspection, "write_still", lambda film, path: path)
    ball = '<geom type="sphere" size="0.1"/>'
    hinge = '<joint type="hinge" axis="0 1 0"/>'
    shin = f'<body name="shin" pos="0 0 -0.25">{hinge}{ball}</body>'
    thigh = f'<body name="thigh" pos="0 0 -0.3">{hinge}{ball}{shin}</body>'
    eye = '<body name="eye"><geom type="sphere" size="0.01" contype="0" conaffinity="0"/></body>'
    Path("leg.xml").write_text(
        f'<mujoco><worldbody><body name="trunk"><freejoint/>{ball}{thigh}{eye}</body></worldbody></mujoco>'
    )
    lines = [line.strip() for line in gambol("inspect", "leg.xml").output.splitlines()]
    first = lines.index("collisions between parts")
    assert lines[first + 1 : first + 8] == [
        "colliding",
        "trunk: shin",
        "not colliding, because the figure holds them apart",
        "trunk: thigh",
        "thigh: shin",
        "not colliding, because none of their parts may collide",
        "eye",
    ]


def test_inspect_without_opengl_notes_that_there_is_no_picture():
    result = gambol("inspect", "pendulum.toml")
    assert "revolute about (0, 1, 0)" in result.output
    assert "OpenGL" in result.stderr


def test_a_figure_is_converted_and_losses_are_notes():
    assert gambol("convert", "pendulum.toml", "other.toml").exit_code == 0
    result = gambol("convert", "pendulum.toml", "pendulum.urdf")
    assert result.exit_code == 0, result.output
    assert "Note: " in result.stderr
    assert "<robot" in Path("pendulum.urdf").read_text()
    result = gambol("convert", "hopper.toml", "hopper.urdf")
    assert result.exit_code == WRONG_INPUT
    assert "URDF cannot hold; --leave-out motors writes the file without it" in result.stderr
    without = ("motors", "springs", "closures", "couplings")
    result = gambol(
        "convert", "hopper.toml", "hopper.urdf", *(word for name in without for word in ("--leave-out", name))
    )
    assert result.exit_code == 0, result.output
    assert "Left out: a closure" in result.stderr


def test_what_both_formats_lack_cannot_be_left_out():
    Path("arm.urdf").write_text(ROBOT.format("0.1").replace("<limit", "<spam/><limit"))
    assert "--leave-out spam reads the file without it" in gambol("convert", "arm.urdf", "arm.xml").stderr
    assert gambol("convert", "arm.urdf", "arm.xml", "--leave-out", "spam", "--leave-out", "rotors").exit_code == 0
    result = gambol("convert", "pendulum.toml", "other.toml", "--leave-out", "motors")
    assert result.exit_code == WRONG_INPUT
