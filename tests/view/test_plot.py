"""Plots of signals: speed of a circle in closed form, the numbers as CSV, pictures, and what is refused."""

import csv
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from films import hexapod_film
from matplotlib.image import imread

import gambol
from gambol.errors import GambolError
from gambol.view.plot import write_plot
from gambol.world import Film
from gambol.world.film.quantities import check_names, quantities_of

RATE, OMEGA, RADIUS = 100.0, 3.0, 0.5


@pytest.fixture(scope="module")
def film() -> Film:
    """A hexapod whose centre of mass goes round a circle, in two worlds."""
    film = hexapod_film(seconds=1.0, rate=RATE, worlds=2)
    angle = OMEGA * film.time
    circle = RADIUS * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=-1)
    energies = {"kinetic": np.stack([film.time, 2.0 * film.time], axis=1), "potential": np.ones((len(angle), 2))}
    centre = np.stack([circle, 2.0 * circle], axis=1)
    return replace(film, signals=film.signals | energies | {"centre": centre, "stored": 0.5 * energies["kinetic"]})


def test_the_speed_on_a_circle_is_that_of_its_chords(film: Film):
    (panel,) = quantities_of(film, ["speed"])
    chord = RADIUS * np.sin(OMEGA / RATE) * RATE  # the chord over two frames, through their time
    assert panel.unit == "m/s"
    np.testing.assert_allclose(panel.lines["speed"][1:-1], np.tile([chord, 2.0 * chord], (99, 1)), rtol=1e-9)


def test_energy_is_the_sum_of_motion_gravity_and_springs(film: Film):
    (panel,) = quantities_of(film, ["energy"])
    np.testing.assert_allclose(panel.lines["energy"][:, 0], 1.5 * film.time + 1.0)
    np.testing.assert_allclose(panel.lines["energy"][:, 1], 3.0 * film.time + 1.0)


def test_names_are_of_signals_parts_links_and_their_coordinates(film: Film):
    centre, height, head, z = quantities_of(film, ["centre", "centre.z", "head", "tibia_fl.z"])
    assert list(centre.lines) == ["centre.x", "centre.y", "centre.z"]
    assert (list(height.lines), height.unit) == (["centre.z"], "m")
    assert (list(head.lines), head.unit) == (["head.x", "head.y", "head.z"], "m")
    link = film.link_names.index("tibia_fl")
    np.testing.assert_array_equal(z.lines["tibia_fl.z"], film.position[:, :, link, 2])


def test_the_numbers_of_a_plot_are_a_table_with_units(film: Film, tmp_path: Path):
    with write_plot(film, tmp_path / "a.csv", ["energy", "centre.x"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time [s]", "energy [J]", "centre.x [m]"]
    numbers = np.array(rows[1:], float)
    np.testing.assert_array_equal(numbers[:, 0], film.time)
    np.testing.assert_array_equal(numbers[:, 2], film.signals["centre"][:, 0, 0])


def test_pictures_have_a_panel_for_each_name(film: Film, tmp_path: Path):
    one = imread(gambol.write_plot(film, tmp_path / "one.png", ["speed"]))
    three = imread(write_plot(film, tmp_path / "three.png", ["speed", "stepping", "centre"]))
    assert one.shape[1] == three.shape[1]
    assert three.shape[0] > 2 * one.shape[0]
    assert np.ptp(one[..., :3]) > 0.5
    svg = ET.parse(write_plot(film, tmp_path / "a.svg", ["centre"])).getroot()
    assert svg.tag.endswith("svg")
    assert len([e for e in svg.iter() if e.get("id", "").startswith("line2d")]) >= 6  # three parts in two worlds


def test_a_film_of_one_frame_has_a_plot(film: Film, tmp_path: Path):
    assert imread(write_plot(film.between(0.0, 0.0), tmp_path / "a.png", ["speed", "centre", "stepping"])).size


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("speeed", '"speed"'),
        ("kinetik", '"kinetic"'),
        ("head.w", "no signal"),
        ("time", "no signal"),
        ("", "no signal"),
    ],
)
def test_the_error_of_a_missing_signal_names_the_nearest(film: Film, name: str, message: str):
    with pytest.raises(GambolError, match=message):
        quantities_of(film, [name])


def test_what_no_film_has_is_refused_without_a_film():
    check_names(["speed", "centre.z", "head.z", "actuator vastus force", "sensor eye", "contact_force.0.x"])
    for name, message in (("speeed", '"speed"'), ("", "no signal"), (".z", "no signal"), ("steppin", '"stepping"')):
        with pytest.raises(GambolError, match=message):
            check_names([name])
    with pytest.raises(GambolError, match="nothing to plot"):
        check_names([])


def test_what_cannot_be_written_is_refused(film: Film, tmp_path: Path):
    with pytest.raises(GambolError, match=r"must be one of \.png"):
        write_plot(film, tmp_path / "a.gif", ["speed"])
    with pytest.raises(GambolError, match="nothing to plot"):
        write_plot(film, tmp_path / "a.png", [])
    with pytest.raises(GambolError, match="no frames"):
        write_plot(film.between(5.0, 6.0), tmp_path / "a.png", ["speed"])
    assert not list(tmp_path.iterdir())
