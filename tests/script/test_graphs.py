"""Graphs of quantities over the film of a script."""

import csv

import numpy as np
import pytest
from matplotlib.image import imread
from scripts import BALL, PENDULUM, read

from gambol import read_script
from gambol.script.interactive import InteractiveScript
from gambol.script.language.lines import ScriptError
from gambol.view import write_graph

OSCILLATOR = PENDULUM + "grav off\njoint arm k 1\njoint arm q 0.1\n"
INERTIA = 0.2 * ((0.5**2 + 0.02**2) / 12 + 0.25**2)
"""Of the rod of 0.2 kg about its hinge [kg m2]."""

FREQUENCY = INERTIA**-0.5
"""Of the rod on its spring of 1 N m/rad [rad/s]."""


def table(path):
    with path.open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, np.array(rows, float).T, strict=True))


def test_a_table_holds_the_motion_of_a_rod_on_a_spring(tmp_path):
    words = "arm.q arm.dq kinetic stored energy arm.z centre.x"
    read(tmp_path, OSCILLATOR + f"go 300\ngraph arm.csv {words}").run(tmp_path, echo=str)
    got = table(tmp_path / "arm.csv")
    assert list(got) == [
        "time [s]", "arm.q [rad]", "arm.dq [rad/s]", "kinetic [J]", "stored [J]", "energy [J]", "arm.z [m]",
        "centre.x [m]",
    ]  # fmt: skip
    t = got["time [s]"]
    assert len(t) == 301
    np.testing.assert_allclose(t, np.arange(301) * 1e-3, atol=1e-12)
    np.testing.assert_allclose(got["arm.q [rad]"], 0.1 * np.cos(FREQUENCY * t), atol=1e-5)  # eps 10: 1e-3, relative
    np.testing.assert_allclose(got["arm.dq [rad/s]"], -0.1 * FREQUENCY * np.sin(FREQUENCY * t), atol=1e-4)
    np.testing.assert_allclose(got["kinetic [J]"], 0.5 * INERTIA * got["arm.dq [rad/s]"] ** 2, rtol=1e-12, atol=1e-18)
    np.testing.assert_allclose(got["stored [J]"], 0.5 * got["arm.q [rad]"] ** 2, rtol=1e-12)
    np.testing.assert_allclose(got["energy [J]"], 0.5 * 0.1**2, rtol=1e-3)


def test_coordinates_of_a_free_root_are_those_of_a_throw(tmp_path):
    read(
        tmp_path,
        BALL + "ground off\naddv ball 1 0 2 0 0 0\ndt 0.01\ngo 50\ngraph a.csv ball.q4 ball.q6 ball.dq5 ball.x",
    ).run(tmp_path, echo=str)
    got = table(tmp_path / "a.csv")
    t = got["time [s]"]
    np.testing.assert_allclose(got["ball.q4 [m]"], got["ball.x [m]"], atol=1e-15)
    np.testing.assert_allclose(np.diff(got["ball.q6 [m]"])[0], 2.0 * 0.01 - 0.5 * 9.81 * 0.01**2, rtol=1e-6)
    np.testing.assert_allclose(got["ball.dq5 [m/s]"], 2.0 - 9.81 * t, atol=1e-9)


def test_a_graph_at_an_alarm_ends_there(tmp_path):
    read(tmp_path, OSCILLATOR + "alarm 0.05 graph half.csv arm.q\ngo 100").run(tmp_path, echo=str)
    assert table(tmp_path / "half.csv")["time [s]"][-1] == pytest.approx(0.05)


def test_films_of_scripts_without_graphs_have_no_coordinates(tmp_path):
    assert "q" not in read(tmp_path, OSCILLATOR + "go 2").run(tmp_path, echo=str).signals
    assert "q" in read(tmp_path, OSCILLATOR + "go 2\ngraph a.csv arm.q").run(tmp_path, echo=str).signals


def test_a_picture_is_drawn_and_may_be_drawn_again(tmp_path):
    script = read(tmp_path, OSCILLATOR + "go 20\ngraph arm.png arm.q arm.dq energy kinetic")
    for _ in range(2):
        script.run(tmp_path, echo=str, draw=write_graph)
    image = imread(tmp_path / "arm.png")
    assert image.shape[0] > 800  # three panels
    assert (image[..., :3].max(axis=-1) - image[..., :3].min(axis=-1) > 0.3).mean() > 5e-4  # coloured lines


def test_a_picture_without_a_function_that_draws_is_refused(tmp_path):
    with pytest.raises(ScriptError, match=r"arm.png. needs a function that draws it: draw="):
        read(tmp_path, OSCILLATOR + "go 2\ngraph arm.png arm.q").run(tmp_path, echo=str)


def test_another_file_is_not_overwritten(tmp_path):
    (tmp_path / "notes.csv").write_text("a,b\n")
    with pytest.raises(ScriptError, match="exists already and is not a graph"):
        read(tmp_path, OSCILLATOR + "go 2\ngraph notes.csv arm.q").run(tmp_path, echo=str)


def test_the_name_of_the_picture_of_the_run_is_refused_before_the_run(tmp_path):
    file = tmp_path / "swing.corpus"
    file.write_text(OSCILLATOR + "go 2\ngraph swing.png arm.q")
    with pytest.raises(ScriptError, match=r"swing.corpus:\d+: graph: .swing.png. is the name of the picture"):
        read_script(file)
    file.write_text(OSCILLATOR + "go 2\ngraph swing.csv arm.q")
    assert read_script(file).dry_run().frames_done


def test_an_interactive_script_draws_what_was_simulated(tmp_path):
    script = InteractiveScript(tmp_path, tmp_path, str, draw=write_graph)
    for line in (OSCILLATOR + "go 5").strip().splitlines():
        script.give(line)
    script.give("graph now.csv arm.q")
    script.give("graph now.png arm.q")
    assert len(table(tmp_path / "now.csv")["time [s]"]) == 6
    assert (tmp_path / "now.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("graph a.csv", "name a quantity or more"),
        ("graph a.txt arm.q", "a graph is a picture"),
        ("graph a.csv amr.q", 'has a body "amr"; did you mean "arm"'),
        ("graph a.csv arm.p", '"arm" has no "p"; it has x, y, z, and its joint q and dq'),
        ("graph a.csv arm.q1", 'the joint of "arm" has no "q1"; it has q'),
        ("graph a.csv foot.dq", 'the joint of "foot" has no "dq"; it has no dq'),
        ("graph a.csv kinetik", 'there is no quantity "kinetik"; did you mean "kinetic"'),
        ("graph ../a.csv arm.q", "a.csv"),
    ],
)
def test_a_wrong_graph_is_found_by_the_dry_run(tmp_path, command, message):
    with pytest.raises(ScriptError, match=r"^it.corpus:\d+: .*" + message):
        read(tmp_path, PENDULUM + "go 1\n" + command)


def test_a_graph_before_the_first_simulation_is_refused(tmp_path):
    with pytest.raises(ScriptError, match="nothing is simulated yet; give graph after go"):
        read(tmp_path, PENDULUM + "graph a.csv arm.q\ngo 1")
