"""Pipes, height fields and discs in files: kept in figure files and films, drawn; reported if a format has none."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.figure import Cylinder, Figure, HeightField, Joint, Link, MassProperties, Part, Pipe
from gambol.formats import Model, read_figure, read_mjcf, read_urdf, write_figure, write_mjcf, write_urdf
from gambol.view import posture_film, write_page
from gambol.view.scene.meshes import shape_mesh
from gambol.world import Film

PIPE = Pipe(0.2, 0.3, 1.5)
STAIR = HeightField(((0.0, 0.1, 0.3), (0.0, 0.2, 0.5)), 0.5, 0.2)
BODY = MassProperties(1.0, inertia=((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)))


def figure(*parts: Part) -> Figure:
    return Figure("thing", (Link("thing", None, Joint("free"), parts, BODY),))


HOLLOW = figure(Part(PIPE), Part(STAIR, (1.0, 0.0, 0.0)))


def test_a_figure_file_contains_them(tmp_path: Path):
    given = figure(Part(PIPE), Part(STAIR), Part(Cylinder(0.1, 0.0)))
    write_figure(Model(given), tmp_path / "thing.toml")
    assert read_figure(tmp_path / "thing.toml").figure == given


def test_a_bad_height_is_reported_with_its_line(tmp_path: Path):
    write_figure(Model(HOLLOW), tmp_path / "thing.toml")
    text = (tmp_path / "thing.toml").read_text().replace("0.3]", '"high"]', 1)
    (tmp_path / "thing.toml").write_text(text)
    with pytest.raises(GambolError, match=r"thing.toml.*heights"):
        read_figure(tmp_path / "thing.toml")


def test_a_film_contains_and_draws_them(tmp_path: Path):
    film = posture_film(HOLLOW, [1.0, *[0.0] * 6])
    film.save(tmp_path / "film.npz")
    back = Film.load(tmp_path / "film.npz")
    assert back.shapes == film.shapes
    page = write_page(back, tmp_path / "film.html")
    assert page.stat().st_size > 10_000
    for shape, solid, most in zip(back.shapes, (PIPE, STAIR), (0.02, 1e-12), strict=True):
        a, b, c = shape_mesh(shape).corners.reshape(-1, 3, 3).transpose(1, 0, 2)
        volume = np.einsum("ti,ti->", a, np.cross(b, c)) / 6.0
        np.testing.assert_allclose(volume, solid.volume, rtol=most)


def test_a_film_with_a_wrong_number_of_heights_is_refused(tmp_path: Path):
    film = posture_film(HOLLOW, [1.0, *[0.0] * 6])
    object.__setattr__(film.shapes[1], "size", film.shapes[1].size[:-1])
    film.save(tmp_path / "film.npz")
    with pytest.raises(GambolError, match="numbers; a height_field has 8"):
        Film.load(tmp_path / "film.npz")


WRITERS: list[tuple[str, Any, Any]] = [(".xml", write_mjcf, read_mjcf), (".urdf", write_urdf, read_urdf)]


@pytest.mark.parametrize(("ending", "write", "read"), WRITERS)
def test_formats_without_hollow_shapes_have_a_note(tmp_path: Path, ending: str, write: Any, read: Any):
    file = tmp_path / f"thing{ending}"
    with pytest.raises(GambolError, match=r"leave_out=\['hollow shapes'\] writes the file without it"):
        write(Model(HOLLOW), file)
    notes = write(Model(HOLLOW), file, leave_out=["hollow shapes"])
    assert any("Left out" in note for note in notes)
    assert not read(file).figure.root.parts


@pytest.mark.parametrize(("ending", "write", "read"), WRITERS)
def test_a_disc_becomes_a_thin_cylinder(tmp_path: Path, ending: str, write: Any, read: Any):
    file = tmp_path / f"thing{ending}"
    notes = write(Model(figure(Part(Cylinder(0.2, 0.0)))), file)
    assert "Discs become cylinders whose length is a thousandth of their radius." in notes
    shape = read(file).figure.root.parts[0].shape
    np.testing.assert_allclose(shape.sizes, (0.2, 2e-4), rtol=1e-12)
