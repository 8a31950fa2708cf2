"""The options --controller and --control-rate of `gambol run`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from invoked import invoke

from gambol.cli.figures.controllers import control_step, film_rate
from gambol.creatures.models import CONTROL_STEP

ARM = """<robot name="arm"><link name="base"/>
<link name="bar"><inertial><origin xyz="0 0 -.2"/><mass value="1"/>
<inertia ixx=".01" iyy=".01" izz=".001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="bar"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="50" velocity="9"/></joint></robot>"""

LAW = """import numpy as np

def constant(time, q, v):
    return 9.81 * 0.2 * np.sin(q) + 0.05

def made(world):
    gain = 9.81 * 0.2 * world.figure.mass
    def law(time, q, v):
        return gain * np.sin(q) + 0.05
    return law

def fails(time, q, v):
    return q[3]

def pair(a, b):
    return a

def not_made(world):
    return 3

def scalar(time, q, v):
    from gambol.lanes import sin, where
    return [where(time < 10.0, 9.81 * 0.2 * sin(q[0]) + 0.05, 0.0)]

def branches(time, q, v):
    return [1.0 if q[0] > 0.0 else 0.0]

def two(time, q, v):
    return [0.0, 0.0]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "law.py").write_text(LAW)
    return tmp_path


@pytest.mark.parametrize("name", ["constant", "made"])
@pytest.mark.parametrize("lanes", [1, 3])
def test_a_law_that_carries_the_weight_leaves_a_constant_acceleration(folder: Path, name: str, lanes: int):
    """I q'' = tau - m g l sin q, so q = 0.05 t^2 / (2 I). The sine is at most one millisecond old, and q below 0.3."""
    options = ("--controller", f"law.py:{name}", "--control-rate", "1000", "--seconds", "0.5", "--lanes", str(lanes))
    result = invoke("run", "arm.urdf", *options)
    assert result.exit_code == 0, result.output
    q = 0.05 * 0.5**2 / (2 * 0.05)
    late = 9.81 * 0.2 / 0.05 * 0.5 * 1e-3 * 0.5**2 / 2  # of a torque that lags by h with a rate of at most q' = 0.5
    spread = 0.05 if lanes > 1 else 0.0  # of the initial angles: five standard deviations
    with np.load(folder / "out" / "arm.npz") as film:
        turned = 2.0 * np.arctan2(film["quaternion"][-1, :, -1, 2], film["quaternion"][-1, :, -1, 0])
    assert turned.shape == (lanes,)
    np.testing.assert_allclose(turned, q, atol=late + spread)
    assert json.loads((folder / "out" / "arm.json").read_text())["asked"]["control_rate"] == 1000.0


@pytest.mark.parametrize("lanes", [1, 3])
def test_a_compiled_law_moves_as_the_same_law_in_numpy(folder: Path, lanes: int):
    """The same formula at the same rate, so the motion differs by rounding; the sine of gambol has its own."""
    films: list[Any] = []
    for law in (("law.py:scalar", "--compile"), ("law.py:constant",)):
        options = ("--control-rate", "1000", "--seconds", "0.5", "--lanes", str(lanes))
        result = invoke("run", "arm.urdf", "--controller", *law, *options)
        assert result.exit_code == 0, result.output
        with np.load(folder / "out" / "arm.npz") as film:
            films.append((film["time"], film["quaternion"]))
    np.testing.assert_array_equal(films[0][0], films[1][0])
    np.testing.assert_allclose(films[0][1], films[1][1], atol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--compile",), "there is no --controller to compile"),
        (("--controller", "law.py:two", "--compile"), "1 command"),
        (("--controller", "law.py:branches", "--compile"), 'the control law "branches" cannot be compiled: TraceError'),
        (("--controller", "law.py:fails", "--compile"), '"fails" cannot be compiled: IndexError in line 13'),
        (("--controller", "law.py:scalar", "--compile", "--control-rate", "100"), "240 times per second or more"),
        (("--controller", "law.py:fails"), "raised IndexError in line 13 of"),
        (("--controller", "law.py:pair"), "law.py:pair takes (a, b); a control function takes (time, q, v)"),
        (("--controller", "law.py:not_made"), "law.py:not_made returned 3, not a function"),
        (("--controller", "law.py:constnt"), 'did you mean "constant"?'),
        (("--controller", "law.py:constant", "--control", "hinge=1"), "leave out --control"),
        (("--control-rate", "100"), "there is no --controller"),
        (("--controller", "law.py:constant", "--control-rate", "0"), "0 per second is not possible"),
    ],
)
def test_impossible_controls_are_errors_of_one_line(folder: Path, options: tuple[str, ...], message: str):
    result = invoke("run", "arm.urdf", "--seconds", "0.1", *options)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_a_figure_without_motors_is_refused(folder: Path):
    (folder / "arm.urdf").write_text(ARM.replace("revolute", "fixed"))
    result = invoke("run", "arm.urdf", "--controller", "law.py:constant")
    assert "no motor of this figure can be commanded" in " ".join(result.output.split())


@pytest.mark.parametrize("rate", [1.0, 50.0, 100.0, 240.0, 250.0, 500.0, 1000.0, 8000.0])
def test_control_steps_fit_into_calls_and_frames_into_control_steps(rate: float):
    step = control_step(rate)
    assert step <= CONTROL_STEP * (1.0 + 1e-9)
    for whole in (1.0 / (rate * step), 1.0 / (film_rate(step) * step)):
        assert abs(whole - round(whole)) < 1e-6
        assert round(whole) >= 1
    assert film_rate(step) >= 0.999 / CONTROL_STEP
