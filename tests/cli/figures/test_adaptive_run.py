"""The command `gambol run` with adaptive dynamics."""

import json
from pathlib import Path

import pytest
from invoked import invoke

from gambol import Capsule, Figure, Joint, Link, Model, Part, write_figure


@pytest.fixture
def rope(tmp_path: Path) -> Path:
    """A file of a rope of capsules that leaves its straight posture, since its hinges are not parallel to gravity."""
    part = Part(Capsule(0.03, 0.06), position=(0.05, 0.0, 0.0), rotation=((0, 0, 1), (0, 1, 0), (-1, 0, 0)))
    joints = [Joint("revolute", (0.0, 1.0, 0.0), position=(0.1 if k else 0.0, 0.0, 0.0)) for k in range(12)]
    links = [Link(f"l{k}", f"l{k - 1}" if k else None, joint, (part,)) for k, joint in enumerate(joints)]
    path = tmp_path / "rope.toml"
    write_figure(Model(Figure("rope", tuple(links))), path)
    return path


def test_the_results_tell_active_joints_and_error(rope: Path) -> None:
    result = invoke("run", str(rope), "--active-joints", "3", "--seconds", "0.2", "--film", "--out", str(rope.parent))
    assert result.exit_code == 0, result.output
    told = json.loads((rope.parent / "rope.json").read_text())["adaptive"]
    assert told["joints"] == 11
    assert told["mean_active_joints"] <= 4.0  # all at first, then three
    assert told["largest_held_error"] > 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--active-joints", "12"), "12 joints cannot be active; the figure has 11 besides that of its root"),
        (("--adaptive", "-1"), "an error bound cannot be -1"),
        (("--adaptive", "0.1", "--lanes", "4"), "--lanes: adaptive dynamics does not use it"),
        (("--adaptive", "0.1", "--contact", "impulse"), "--contact: adaptive dynamics does not use it"),
    ],
)
def test_what_adaptive_dynamics_cannot_do_is_refused(rope: Path, options: tuple[str, ...], message: str) -> None:
    result = invoke("run", str(rope), *options, "--out", str(rope.parent))
    assert result.exit_code != 0
    assert message in " ".join(result.output.split())


def test_an_error_bound_of_zero_is_told(rope: Path) -> None:
    result = invoke("run", str(rope), "--adaptive", "0", "--seconds", "0.05", "--out", str(rope.parent))
    assert result.exit_code == 0, result.output
    assert "all joints are active" in " ".join(result.output.split())


def test_a_bound_that_would_save_no_time_is_told(rope: Path) -> None:
    result = invoke("run", str(rope), "--adaptive", "0.1", "--seconds", "0.05", "--out", str(rope.parent))
    assert result.exit_code == 0, result.output
    assert "so small that a bound would save no time" in " ".join(result.output.split())


def test_rigid_contacts_are_those_of_stepping(rope: Path) -> None:
    arguments = ("--active-joints", "3", "--contact", "stepping", "--ground", "flat", "--seconds", "0.2")
    result = invoke("run", str(rope), *arguments, "--out", str(rope.parent))
    assert result.exit_code == 0, result.output
    told = json.loads((rope.parent / "rope.json").read_text())
    assert told["adaptive"]["mean_active_joints"] <= 4.0
