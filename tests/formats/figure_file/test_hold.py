"""The keys `hold` of a figure file and `delay` of its motors: the figure holds its pose as with the option."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gambol
from gambol.cli.figures.run_request import RunRequest
from gambol.cli.figures.running import prepare_run
from gambol.control import FeedbackController
from gambol.errors import GambolError
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.formats import Model, Motor, read_figure, write_figure

ROD = Part(Box((0.04, 0.04, 0.4)), (0.0, 0.0, -0.2), density=1000.0)
LINKS = (Link("post", None, Joint("fixed")), Link("arm", "post", Joint("revolute", (0.0, 1.0, 0.0)), (ROD,)))
ARM = Model(Figure("arm", LINKS), motors=(Motor("left knee", "arm", delay=0.02),), q=(0.5,))
GAINS = (40.0, 4.0)
WEIGHT = 1000.0 * 0.04 * 0.04 * 0.4 * 9.81


@pytest.mark.parametrize("hold", [False, True, GAINS, {"left knee": GAINS}])
def test_what_is_written_is_read(tmp_path: Path, hold: gambol.formats.model.Hold):
    path = tmp_path / "arm.toml"
    write_figure(replace(ARM, hold=hold), path)
    assert read_figure(path) == replace(ARM, hold=hold)


@pytest.mark.parametrize("hold", [GAINS, {"left knee": GAINS}])
def test_a_file_holds_its_pose_with_its_gains(tmp_path: Path, hold: gambol.formats.model.Hold):
    """At rest the servo carries the weight: k (q_ref - q) = m g (l / 2) sin q."""
    path = tmp_path / "arm.toml"
    write_figure(replace(ARM, hold=hold), path)
    world = gambol.make_world(path, contact="stepping")
    q = float(gambol.run(world, gambol.start(world), 3.0, rate=10.0, coordinates=True).signals["q"][-1, 0, 0])
    assert GAINS[0] * (0.5 - q) == pytest.approx(WEIGHT * 0.2 * np.sin(q), rel=1e-4)  # at rest to e^(-c t / I) < 1e-5
    film = prepare_run(RunRequest(path, 3.0), tmp_path, print, coordinates=True).film(lambda done, total: None)
    assert float(film.signals["q"][-1, 0, 0]) == pytest.approx(q, abs=1e-4)


def test_commands_of_a_motor_are_late_by_its_delay():
    world = gambol.make_world(ARM, hold=True, contact="stepping")
    assert isinstance(world.controller, FeedbackController)
    assert world.controller.delays is not None
    assert world.controller.delays.seconds == {"left knee": 0.02}
    other = gambol.make_world(ARM, hold=True, contact="stepping", delays={"left knee": 0.01})
    assert other.controller.delays.seconds == {"left knee": 0.01}  # type: ignore[union-attr]
    passive = gambol.make_world(replace(ARM, hold=True), actuators=True)
    assert passive.actuators.keys() == {"left knee"}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('hold = "yes"', "hold"),
        ("[hold]\nknee = [40.0, 4.0]", 'did you mean "left knee"'),
        ('[hold]\n"left knee" = [40.0]', "left knee"),
    ],
)
def test_wrong_gains_are_refused(tmp_path: Path, line: str, text: str):
    path = tmp_path / "arm.toml"
    write_figure(ARM, path)
    top, rest = path.read_text().split("\n", 1)
    lines = f"{top}\n{line}\n{rest}" if line.startswith("hold") else f"{top}\n{rest}\n{line}\n"
    path.write_text(lines)
    with pytest.raises(GambolError, match=text):
        gambol.make_world(path)
