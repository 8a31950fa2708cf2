"""Visuals in figure files: meshes beside them, shapes, and what is refused."""

import numpy as np
import pytest
import trimesh

from gambol.errors import GambolError
from gambol.figure import Sphere
from gambol.formats import read_figure, write_figure

HEAD = 'format = "gambol figure 1"\nname = "bone"\n[[links]]\nname = "femur"\njoint = { kind = "free" }\nmass = { mass = 1.0, inertia = [1, 1, 1] }\n'  # noqa: E501


def figure(folder, visual):
    folder.mkdir(exist_ok=True)
    trimesh.creation.box((1, 2, 3)).export(folder / "femur.glb")
    trimesh.creation.box((1, 2, 3)).export(folder / "femur.obj")
    path = folder / "bone.toml"
    path.write_text(f"{HEAD}[[links.visuals]]\n{visual}\n")
    return path


@pytest.mark.parametrize(("name", "edges"), [("femur.glb", (0.1, 0.3, 0.2)), ("femur.obj", (0.1, 0.2, 0.3))])
def test_a_mesh_is_read_beside_the_figure_file(tmp_path, name, edges):
    """glTF's y axis becomes z; the axes of OBJ stay."""
    text = f'mesh = "{name}"\nscale = 0.1\nposition = [1, 2, 3]\ncolor = "#102030"\nopacity = 0.5'
    (visual,) = read_figure(figure(tmp_path / "bones", text)).figure.links[0].visuals
    np.testing.assert_allclose(np.ptp(visual.shape.submeshes[0].points, axis=0), edges, rtol=1e-6)
    assert (visual.position, visual.material.color, visual.material.opacity) == ((1.0, 2.0, 3.0), "#102030", 0.5)


@pytest.mark.parametrize(
    "text",
    ['mesh = "femur.glb"\nscale = [0.1, 0.2, 0.3]\nturns_deg = [["x", 90]]\nopacity = 0.25',
     'shape = "sphere"\nradius = 0.5\ncolor = "#102030"'],
)  # fmt: skip
def test_what_is_written_reads_back_from_another_folder(tmp_path, text):
    model = read_figure(figure(tmp_path / "bones", text))
    (tmp_path / "other").mkdir()
    write_figure(model, tmp_path / "other" / "copy.toml")
    assert str(tmp_path) not in (tmp_path / "other" / "copy.toml").read_text()
    (first,), (second,) = (m.figure.links[0].visuals for m in (model, read_figure(tmp_path / "other" / "copy.toml")))
    assert (first.position, first.rotation, first.material) == (second.position, second.rotation, second.material)
    if isinstance(first.shape, Sphere):
        assert first.shape == second.shape
    else:
        np.testing.assert_array_equal(first.shape.submeshes[0].points, second.shape.submeshes[0].points)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ('mesh = "tibia.glb"', r'bone\.toml, .*mesh.*"tibia\.glb" cannot be read|tibia\.glb" cannot be read'),
        ('mesh = "bone.toml"', "a format that cannot be drawn"),
        ('mesh = "femur.glb"\nshape = "box"', "give one of them"),
        ('color = "#102030"', "give one of them"),
        ('mesh = "femur.glb"\nscale = [1, 2]', "has 2 numbers; give one, or one each"),
        ('mesh = "femur.glb"\nscale = 0', "give finite factors other than 0"),
        ('mesh = "femur.glb"\nopacity = 2', "an opacity of 2; give 0 to 1"),
        ('mesh = "femur.glb"\ncolor = "red"', 'the colour "red"'),
        ('mesh = "femur.glb"\nradius = 1', "radius"),
    ],
)
def test_wrong_visuals_are_refused(tmp_path, text, match):
    with pytest.raises(GambolError, match=match):
        read_figure(figure(tmp_path / "bones", text))
