"""A format of figure files and a writer of films from outside the package, as docs/extend/exporter.md adds them."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages import restored, run_page

from gambol.dynamics import kinematics
from gambol.errors import GambolError
from gambol.export import EXPORTERS, export_film
from gambol.figure import JointSpring, random_figure
from gambol.formats import FORMATS, FileFormat, Model, read_model, write_figure, write_model
from gambol.world.film import Film


@pytest.fixture(autouse=True)
def page() -> Iterator[dict[str, Any]]:
    with restored(FORMATS), restored(EXPORTERS):
        yield run_page("extend/exporter.md")


@pytest.mark.parametrize("seed", range(3))
def test_the_table_holds_masses_and_positions_at_rest(seed: int, tmp_path: Path):
    model = Model(random_figure(seed, 6))
    assert write_model(model, tmp_path / "figure.csv") == ()
    rows = list(csv.DictReader((tmp_path / "figure.csv").read_text().splitlines()))
    state = kinematics(model.figure, model.q, model.v)
    assert [row["link"] for row in rows] == [link.name for link in model.figure.links]
    for row, link in zip(rows, model.figure.links, strict=True):
        assert float(row["mass"]) == link.mass_properties.mass
        place = [float(row[axis]) for axis in "xyz"]
        np.testing.assert_allclose(place, list(state.poses[link.index].position), atol=1e-12)


def test_what_it_lacks_is_an_error_or_left_out_by_name(tmp_path: Path):
    figure = random_figure(1, 3, kinds=("revolute",))
    model = Model(figure, {"link1": JointSpring(stiffness=1.0)})
    with pytest.raises(GambolError, match=r"link1.* has a spring, which the table of links cannot hold"):
        write_model(model, tmp_path / "figure.csv")
    assert not (tmp_path / "figure.csv").exists()
    (note,) = write_model(model, tmp_path / "figure.csv", leave_out=("springs",))
    assert note == 'Left out: a spring of the joint of "link1".'
    with pytest.raises(GambolError, match=r"table of links \(.csv\) can only be written"):
        read_model(tmp_path / "figure.csv")


def test_gambol_convert_writes_it(tmp_path: Path):
    from gambol.cli.figures.sources import ReadOptions, convert_file

    write_figure(Model(random_figure(2, 4)), tmp_path / "figure.toml")
    convert_file(tmp_path / "figure.toml", tmp_path / "figure.csv")
    assert (tmp_path / "figure.csv").read_text().startswith("link,parent,joint")
    with pytest.raises(GambolError, match=r'--base is for URDF files only; "figure.csv" is not a URDF file'):
        convert_file(tmp_path / "figure.csv", tmp_path / "other.toml", ReadOptions("free"))


def test_a_format_that_is_only_read_is_refused_in_writing(tmp_path: Path):
    model = Model(random_figure(2, 4))
    FORMATS[".still"] = FileFormat("still", read=lambda path: model)
    (tmp_path / "a.still").touch()
    assert read_model(tmp_path / "a.still") == model
    with pytest.raises(GambolError, match=r"give one of \.toml, \.xml, \.urdf, \.csv$"):
        write_model(model, tmp_path / "b.still")
    (tmp_path / "a.dae").touch()
    with pytest.raises(GambolError, match=r"figure files end in .*, \.csv, \.still, \.mjcf, .*\.corpus"):
        read_model(tmp_path / "a.dae")


def test_a_film_is_written(tmp_path: Path):
    random = np.random.default_rng(1)
    quaternion = random.normal(size=(5, 2, 1, 4))
    quaternion /= np.linalg.norm(quaternion, axis=-1, keepdims=True)
    film = Film("film", np.arange(5) / 30.0, random.normal(size=(5, 2, 1, 3)), quaternion, ("a",), ())
    assert export_film(film.of_worlds([1]), tmp_path / "film.keys") == []
    read = json.loads((tmp_path / "film.keys").read_text())
    np.testing.assert_array_equal(read["links"]["a"]["position"], film.position[:, 1, 0])
    np.testing.assert_array_equal(read["links"]["a"]["quaternion"], film.quaternion[:, 1, 0])
    assert read["seconds"] == film.time.tolist()
