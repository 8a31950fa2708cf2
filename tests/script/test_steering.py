"""Steered scripts: the changes of strokes are those of a steered creature, and the roach turns to both sides."""

from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
from scripts import PENDULUM, dry_run

import gambol
from gambol.creatures import roach, world_of
from gambol.errors import GambolError
from gambol.gait import Steering

SCRIPTS = Path(gambol.__file__).parents[2] / "examples" / "scripts"
STANDING = "read roach.corpus\nread parts/tuned.corpus\nsetdown\niter 20\n"


def script_of(folder: Path, text: str):
    copytree(SCRIPTS, folder / "scripts", dirs_exist_ok=True)
    (folder / "scripts" / "steered.corpus").write_text(STANDING + text, encoding="utf-8")
    return gambol.read_script(folder / "scripts" / "steered.corpus")


def steering_of(world) -> Steering:
    (steering,) = (modifier for modifier in world.controller.modifiers if isinstance(modifier, Steering))
    return steering


def test_the_changes_of_strokes_are_those_of_the_creature(tmp_path):
    text = "steer turn 1.5\nsteer stroke 0.5\nsteer sideways 0.01\nsteer lean 0.02\n"
    mine = steering_of(script_of(tmp_path, text).dry_run().build_world())
    its = steering_of(world_of(roach(), turn=1.5, stroke=0.5, sideways=0.01, lean=0.02))
    assert {name: getattr(mine, name) for name in ("turn", "stroke", "sideways", "lean")} == {
        name: getattr(its, name) for name in ("turn", "stroke", "sideways", "lean")
    }
    for program, legs in mine.changes.items():
        for own, other in zip(legs, its.changes[program], strict=True):
            for a, b in zip(own, other, strict=True):
                np.testing.assert_allclose(
                    [a.stroke, a.sideways, a.turn, a.lean], [b.stroke, b.sideways, b.turn, b.lean], rtol=1e-6, atol=1e-9
                )


def test_the_roach_turns_to_the_side_that_an_alarm_commands(tmp_path):
    """Three strides to each side; a stride turns by up to 3 degrees even without steering."""
    turned = {}
    for turn in (4.0, -4.0):
        text = f"steer turn 0\nalarm 0.1 speed 1\nalarm 0.1 gaitgo\nalarm 0.15 steer turn {turn}\ngo 60\n"
        film = script_of(tmp_path, text).run(tmp_path / "out", echo=lambda _: None)
        w, x, y, z = film.quaternion[-1, 0, film.link_names.index("abdomen")]
        turned[turn] = np.degrees(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
    assert turned[4.0] > 10.0
    assert turned[-4.0] < -10.0


def test_a_figure_without_a_gait_cannot_be_steered(tmp_path):
    with pytest.raises(GambolError, match="there is no gait yet"):
        dry_run(tmp_path, PENDULUM + "steer turn 1\ngo 1")
