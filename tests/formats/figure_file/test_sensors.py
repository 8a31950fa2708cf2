"""Sensors in figure files: read, written, and measured in the world of a file."""

from pathlib import Path

import mujoco
import pytest

import gambol
from gambol.errors import GambolError, WorldError
from gambol.figure import Box
from gambol.formats import combine_models, read_figure, read_mjcf, write_figure
from gambol.formats.figure_file.reading import parse_figure
from gambol.formats.mjcf.unsupported import UNSUPPORTED
from gambol.sensing import ForceTorque, Touch, sensors_of
from gambol.sensing.sensor import link_of

BLOCK = """format = "gambol figure 1"
name = "block"
ground = true

[[links]]
name = "block"
joint = { kind = "free" }
parts = [{ shape = "box", size = [0.4, 0.3, 0.2] }]
"""

SENSORS = """
[[sensors]]
name = "load"
kind = "force_torque"
link = "block"
position = [0.1, 0, 0]
turns_deg = [["z", 90]]
parts = ["force"]

[[sensors]]
name = "sole"
kind = "touch"
link = "block"
zone = { shape = "box", size = [1, 1, 0.3] }
noise = 0.5
seed = 4
delay = 0.01
rate = 120
"""


def test_sensors_of_a_file_are_those_of_its_world(tmp_path: Path):
    path = tmp_path / "block.toml"
    path.write_text(BLOCK + SENSORS, encoding="utf-8")
    model = read_figure(path)
    quarter = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert sensors_of(model) == {
        "load": ForceTorque("block", (0.1, 0.0, 0.0), quarter, parts=("force",)),
        "sole": Touch("block", zone=Box((1.0, 1.0, 0.3)), noise=0.5, seed=4, delay=0.01, rate=120.0),
    }
    assert set(gambol.make_world(path).sensors) == {"load", "sole"}
    write_figure(model, tmp_path / "again.toml")
    assert sensors_of(read_figure(tmp_path / "again.toml")) == sensors_of(model)


def test_sensors_of_mujocos_model_survive_a_figure_file(tmp_path: Path):
    model = read_mjcf(Path(mujoco.__file__).parent / "testdata" / "model.xml", leave_out=UNSUPPORTED)
    assert len(model.sensors) > 0
    write_figure(model, tmp_path / "model.toml")
    assert sensors_of(read_figure(tmp_path / "model.toml")) == sensors_of(model)


def test_sensors_of_combined_models_have_their_links():
    one, two = (parse_figure(BLOCK + SENSORS, "block.toml") for _ in range(2))
    both = combine_models("pair", {"left": one, "right": two})
    sensors = sensors_of(both)
    assert list(sensors) == ["left/load", "left/sole", "right/load", "right/sole"]
    assert {link_of(sensor) for sensor in sensors.values()} == {link.name for link in both.figure.links if link.parts}


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        (('kind = "touch"', 'kind = "tuch"'), WorldError, '"sole" is of kind "tuch"; did you mean "touch"'),
        (("noise = 0.5", "nois = 0.5"), WorldError, '"sole" of kind touch has no "nois"; did you mean "noise"'),
        (("noise = 0.5", 'noise = "much"'), WorldError, "has noise = 'much'"),
        (('link = "block"\nzone', "zone"), WorldError, 'the sensor "sole" of kind touch lacks "link"'),
        (("seed = 4", "seed = 1.5"), WorldError, "has seed = 1.5, not whole number"),
        (('name = "sole"', 'name = "load"'), GambolError, '"load" is defined twice'),
        (('shape = "box", size = [1, 1, 0.3]', 'shape = "bx"'), GambolError, 'did you mean "box"'),
        (("position = [0.1, 0, 0]", "position = { x = 1 }"), GambolError, "is a table or a date"),
        (("position = [0.1, 0, 0]", "position = [1, 2]"), WorldError, r"has position = \(1, 2\)"),
    ],
)
def test_impossible_sensors_in_files_are_refused_by_name(change: tuple[str, str], error: type[Exception], text: str):
    with pytest.raises(error, match=text):
        gambol.make_world(parse_figure(BLOCK + SENSORS.replace(*change), "block.toml"))
