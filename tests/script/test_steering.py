"""Steered scripts: the changes of strokes are those of a steered creature, and the roach turns to both sides."""

from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
from scripts import BALL, LEG, PENDULUM, dry_run

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


CIRCLE = "".join(f"{0.05 * np.sin(a):.6f}, {0.05 * (1 - np.cos(a)):.6f}\n" for a in np.linspace(0.0, 2.0, 9))


def test_the_roach_follows_a_path_that_is_drawn(tmp_path):
    """The path curves to the left by a radius of 5 cm: straight on, the roach would be 40 mm off it in the end."""
    text = "steer yield 0.4\nfollowpath curve.csv 0.11\nspeed 1\ngaitgo\ngo 96\n"
    copytree(SCRIPTS, tmp_path / "scripts")
    (tmp_path / "scripts" / "curve.csv").write_text(CIRCLE, encoding="utf-8")
    film = script_of(tmp_path, text).run(tmp_path / "out", echo=lambda _: None)
    x, y = film.position[:, 0, film.link_names.index("abdomen"), :2].T
    x, y = x - x[0], y - y[0]
    off = np.abs(np.hypot(x, y - 0.05) - 0.05)
    assert np.hypot(x, y)[-1] > 0.055
    assert off.max() < 0.008
    assert y[-1] > 0.02


def test_at_the_end_of_its_path_the_roach_stops(tmp_path):
    """A straight path of 4 cm takes 0.4 s of 1 s. A stride is 2 cm."""
    copytree(SCRIPTS, tmp_path / "scripts")
    (tmp_path / "scripts" / "line.csv").write_text("0, 0\n0.02, 0\n0.04, 0\n", encoding="utf-8")
    text = "steer yield 0.4\nfollowpath line.csv 0.11\nspeed 1\ngaitgo\ngo 120\n"
    film = script_of(tmp_path, text).run(tmp_path / "out", echo=lambda _: None)
    x, late = film.position[:, 0, film.link_names.index("abdomen"), 0], film.time > film.time[-1] - 0.3
    assert 0.03 < x[-1] - x[0] < 0.06
    assert np.ptp(x[late]) < 0.003
    assert not film.signals["stepping"][late].any()


def test_a_path_can_begin_where_the_figure_is(tmp_path):
    """It walks for 0.25 s, turned by 30 degrees from x, and then follows the arc of a circle to its left."""
    copytree(SCRIPTS, tmp_path / "scripts")
    (tmp_path / "scripts" / "curve.csv").write_text(CIRCLE, encoding="utf-8")
    text = "rotate abdomen z 30\nsetrootpos\nsetdown\nspeed 1\ngaitgo\nsteer yield 0.4\n"
    text += "alarm 0.25 pathfromhere curve.csv 0.11\ngo 96\n"
    film = script_of(tmp_path, text).run(tmp_path / "out", echo=lambda _: None)
    k = film.link_names.index("abdomen")
    begins = int(np.argmin(np.abs(film.time - 0.25)))
    w, i, j, z = film.quaternion[begins, 0, k]
    heading = np.arctan2(2.0 * (w * z + i * j), 1.0 - 2.0 * (j * j + z * z))
    assert np.degrees(heading) == pytest.approx(30.0, abs=10.0)
    start, left = film.position[begins, 0, k, :2], np.array([-np.sin(heading), np.cos(heading)])
    off = np.linalg.norm(film.position[begins:, 0, k, :2] - start - 0.05 * left, axis=1) - 0.05
    assert np.hypot(*start) > 0.01
    assert np.abs(off).max() < 0.01
    assert np.hypot(*(film.position[-1, 0, k, :2] - start)) > 0.05


def test_a_path_is_that_of_the_file_and_of_a_drawing(tmp_path):
    copytree(SCRIPTS, tmp_path / "scripts")
    (tmp_path / "scripts" / "line.svg").write_text(
        '<svg><path transform="scale(1,-1)" d="M 5 5 l 30 10 l 0 0 l 10 30"/></svg>', encoding="utf-8"
    )
    (tmp_path / "scripts" / "line.csv").write_text("0, 0\n0.075, 0.025\n0.1, 0.1\n", encoding="utf-8")
    paths = []
    for command in ("followpath line.svg 0.1 0.1", "followpath line.csv 0.1"):
        following = steering_of(script_of(tmp_path, command + "\n").dry_run().build_world()).following
        assert following is not None
        assert following.speed == 0.1
        paths.append(following.path.points())
    np.testing.assert_allclose(paths[0], paths[1], atol=1e-9)
    np.testing.assert_allclose(paths[1][[0, -1]], [[0.0, 0.0], [0.1, 0.1]], atol=1e-9)


def test_a_second_figure_follows_by_its_own_root(tmp_path):
    (tmp_path / "line.csv").write_text("0, 0\n0.1, 0\n", encoding="utf-8")
    gait = "addroach bug\nprocom 0\nmotor a1 etarget 0.1 *1\n.\nfollowpath line.csv 0.1\n"
    text = BALL + LEG + "joint a0 k 0.001\njoint a1 k 0.001\n" + gait
    world = dry_run(tmp_path, text).build_world()
    following = steering_of(world).following
    assert following is not None
    assert following.root == world.figure.link("trunk").q.start > 0


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("followpath line.csv 0", "a speed of 0 m/s"),
        ("followpath line.svg 0.1", "give the width of the path"),
        ("followpath line.txt 0.1", "is not a path"),
        ("followpath point.svg 0.1 0.1", "no two points"),
        ("followpath ../line.csv 0.1", "lies outside the folder"),
        ("steer yield 0", "a yield of 0"),
    ],
)
def test_invalid_paths_are_errors(command, message, tmp_path):
    copytree(SCRIPTS, tmp_path / "scripts")
    for name, content in (
        ("line.csv", "0,0\n1,0\n"),
        ("line.txt", ""),
        ("line.svg", '<svg><path d="M0 0L1 0"/></svg>'),
        ("point.svg", '<svg><path d="M0 0"/></svg>'),
    ):
        (tmp_path / "scripts" / name).write_text(content, encoding="utf-8")
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(GambolError, match=message):
        script_of(tmp_path, command + "\n").dry_run()
