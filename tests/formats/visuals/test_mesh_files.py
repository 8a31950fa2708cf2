"""Meshes to draw: COLLADA, glTF, OBJ, PLY and STL files, against trimesh and coal, which read and write them too."""

import json
import struct
import zlib

import coal
import numpy as np
import pytest
import trimesh
from panels import CORNERS, UV, image, points
from PIL import Image

from benchmarks.robots import DATA, FOLDERS
from gambol.errors import GambolError
from gambol.formats.visuals import corner_normals, image_pixels, png_texture, read_texture, read_visual_mesh

ROBOTS = FOLDERS[DATA]()
BOX = """<geometry id="box"><mesh>
<source id="p"><float_array>0 0 0  1 0 0  1 1 0  0 1 0</float_array>
<technique_common><accessor stride="3"/></technique_common></source>
<source id="t"><float_array>0 0  1 0  1 1  0 1</float_array>
<technique_common><accessor stride="2"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{surface}</mesh></geometry>"""
POLYLIST = """<polylist material="m" count="1"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="TEXCOORD" source="#t" offset="1"/><vcount>4</vcount><p>0 0 1 1 2 2 3 3</p></polylist>"""
MATERIAL = """<image id="i"><init_from>panel.png</init_from></image>
<effect id="e"><profile_COMMON><newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="q"><sampler2D><source>s</source></sampler2D></newparam><technique><lambert><diffuse>{diffuse}</diffuse>
{more}</lambert></technique></profile_COMMON></effect><material id="mat"><instance_effect url="#e"/></material>"""
BIND = '<bind_material><instance_material symbol="m" target="#mat"/></bind_material>'


def collada(folder, nodes=None, surface=POLYLIST, unit=1.0, diffuse='<texture texture="q"/>', more=""):
    nodes = nodes or f'<node><instance_geometry url="#box">{BIND}</instance_geometry></node>'
    path = folder / "panel.dae"
    path.write_text(
        f'<COLLADA><asset><unit meter="{unit}"/><up_axis>Y_UP</up_axis></asset>'
        f"<library_geometries>{BOX.format(surface=surface)}</library_geometries>"
        f"<library_effects>{MATERIAL.format(diffuse=diffuse, more=more)}</library_effects>"
        f'<library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#scene"/></scene></COLLADA>'
    )
    Image.fromarray(image()).save(folder / "panel.png")
    return path


def corners(mesh):
    """All corners of the triangles of a mesh, in a fixed order."""
    rows = np.concatenate([each.points[each.triangles].reshape(-1, 9) for each in mesh.submeshes]).astype(float)
    return rows[np.lexsort(rows.T)]


def area_and_volume(triangles):
    a, b, c = triangles.reshape(-1, 3, 3).transpose(1, 0, 2)
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2, np.sum(np.cross(a, b) * c) / 6


def textured():
    """The panel as a mesh of trimesh."""
    picture = Image.fromarray(image())
    material = trimesh.visual.material.PBRMaterial(baseColorTexture=picture, baseColorFactor=(255,) * 4)
    visual = trimesh.visual.TextureVisuals(uv=UV, material=material)
    return trimesh.Trimesh(points(), CORNERS, visual=visual, process=False)


@pytest.mark.parametrize(
    "name", ["panda_description/meshes/visual/link0.dae", "go2_description/collisions/base_convex.stl"]
)
def test_meshes_of_robots_have_the_area_and_volume_that_assimp_finds(name):
    path = ROBOTS / name
    other = coal.MeshLoader().load(str(path), np.ones(3))
    index = np.array([[other.tri_indices(k)[i] for i in range(3)] for k in range(other.num_tris)])
    expected = area_and_volume(np.array(other.vertices())[index])
    mesh = read_visual_mesh(path)
    # single precision in both, and assimp leaves triangles without area out
    np.testing.assert_allclose(area_and_volume(corners(mesh)), expected, rtol=1e-5, atol=1e-9)
    assert all(np.abs(np.linalg.norm(each.normals, axis=1) - 1.0).max() < 1e-5 for each in mesh.submeshes)


def test_a_collada_file_has_its_texture_and_its_place(tmp_path):
    turned = "<rotate>0 0 1 90</rotate><translate>1 0 0</translate><scale>2 1 1</scale>"
    node = f'<node>{turned}<instance_geometry url="#box">{BIND}</instance_geometry></node>'
    (mesh,) = read_visual_mesh(collada(tmp_path, node, unit=0.01)).submeshes
    assert mesh.material.texture.data == (tmp_path / "panel.png").read_bytes()
    order = np.lexsort(mesh.uv.T)
    # (x, y) -> (1 + 2 x, y) -> a quarter turn: (-y, 1 + 2 x), in centimetres; the file's Y_UP does not turn it
    expected = 0.01 * np.array([[0, 1, 0], [0, 3, 0], [-1, 1, 0], [-1, 3, 0]])
    np.testing.assert_allclose(mesh.points[order], expected, atol=1e-9)
    np.testing.assert_allclose(mesh.uv[order], [[0, 0], [1, 0], [0, 1], [1, 1]])
    np.testing.assert_allclose(mesh.normals, np.tile([0.0, 0.0, 1.0], (4, 1)), atol=1e-6)


def test_a_mirrored_node_turns_its_triangles_over(tmp_path):
    node = f'<node><scale>-1 1 1</scale><instance_geometry url="#box">{BIND}</instance_geometry></node>'
    (mesh,) = read_visual_mesh(collada(tmp_path, node)).submeshes
    np.testing.assert_allclose(mesh.normals[:, 2], 1.0)


@pytest.mark.parametrize(
    ("more", "opacity"),
    [("", 1.0), ("<transparency><float>0.25</float></transparency>", 0.25),
     ('<transparent opaque="RGB_ZERO"><color>0.6 0.6 0.6 1</color></transparent>', 0.4),
     ("<transparent><color>1 1 1 1</color></transparent><transparency><float>0</float></transparency>", 1.0)],
)  # fmt: skip
def test_colours_and_opacity_of_collada(tmp_path, more, opacity):
    (mesh,) = read_visual_mesh(collada(tmp_path, diffuse="<color>1 0.5 0 1</color>", more=more)).submeshes
    assert mesh.material.color == "#ff8000"
    assert mesh.material.opacity == pytest.approx(opacity)
    assert not len(mesh.uv)


def test_an_obj_file_that_trimesh_writes_reads_back(tmp_path):
    textured().export(tmp_path / "panel.obj")
    (mesh,) = read_visual_mesh(tmp_path / "panel.obj").submeshes
    np.testing.assert_array_equal(image_pixels(mesh.material.texture)[..., :3], image())
    known = {tuple(np.round(p, 5)): uv for p, uv in zip(points(), UV, strict=True)}
    for point, uv in zip(mesh.points, mesh.uv, strict=True):
        np.testing.assert_allclose(uv, known[tuple(np.round(point.astype(float), 5))], atol=1e-6)


def test_a_glb_file_that_trimesh_writes_reads_back_with_z_up(tmp_path):
    textured().export(tmp_path / "panel.glb")
    (mesh,) = read_visual_mesh(tmp_path / "panel.glb", 2.0).submeshes
    np.testing.assert_array_equal(image_pixels(mesh.material.texture)[..., :3], image())
    turned = 2.0 * points() @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # y -> z, z -> -y
    known = {tuple(np.round(p, 4) + 0.0): uv for p, uv in zip(turned, UV, strict=True)}
    assert len(mesh.points) == 4
    for point, uv in zip(mesh.points, mesh.uv, strict=True):
        np.testing.assert_allclose(uv, known[tuple(np.round(point.astype(float), 4) + 0.0)], atol=1e-6)


def test_an_obj_file_has_a_mesh_for_each_material(tmp_path):
    (tmp_path / "two.obj").write_text(
        "mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
        "usemtl red\nf 1 2 3\nusemtl glass\nf -4 -2 -1 # a comment\n"
    )
    text = "newmtl red\nKd 1 0 0\nnewmtl glass\nKd 0 0 1\nd 0.5\nnewmtl unused\nmap_Kd none.png\n"
    (tmp_path / "two.mtl").write_text(text)
    first, second = read_visual_mesh(tmp_path / "two.obj").submeshes
    assert (first.material.color, second.material.color, second.material.opacity) == ("#ff0000", "#0000ff", 0.5)
    np.testing.assert_array_equal(first.points[first.triangles[0]], [[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    np.testing.assert_array_equal(second.points[second.triangles[0]], [[0, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize("suffix", ["stl", "ply", "obj", "glb"])
def test_a_ball_of_every_format_is_smooth(tmp_path, suffix):
    ball = trimesh.creation.icosphere(2, 0.5)
    ball.export(tmp_path / f"ball.{suffix}")
    mesh = read_visual_mesh(tmp_path / f"ball.{suffix}")
    (sub,) = mesh.submeshes
    assert len(sub.triangles) == len(ball.faces)
    assert len(sub.points) == len(ball.vertices)  # each corner once, since normals are the same
    np.testing.assert_allclose(area_and_volume(corners(mesh)), (ball.area, ball.volume), rtol=1e-5)
    np.testing.assert_allclose(sub.normals, sub.points / 0.5, atol=0.05)  # of a polyhedron of 320 sides


def test_the_edges_of_a_box_are_sharp():
    normals = corner_normals(np.asarray(trimesh.creation.box((1, 2, 3)).triangles))
    assert set(np.abs(normals).max(axis=1)) == {1.0}


def test_a_scale_below_zero_mirrors(tmp_path):
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "box.stl")
    mesh = read_visual_mesh(tmp_path / "box.stl", (-1.0, 1.0, 2.0))
    assert area_and_volume(corners(mesh))[1] == pytest.approx(12.0)  # positive: seen from outside
    sub = mesh.submeshes[0]
    assert (np.sum(sub.normals * sub.points, axis=1) > 0.0).all()


def test_a_texture_that_is_missing_is_an_error_or_a_note(tmp_path):
    path = collada(tmp_path)
    (tmp_path / "panel.png").unlink()
    with pytest.raises(
        GambolError, match=r'the texture "panel.png" of "panel.dae" does not exist; put it into the folder'
    ):
        read_visual_mesh(path)
    notes = set()
    assert read_visual_mesh(path, 1.0, notes).submeshes[0].material.texture is None
    assert notes == {'Left out: the texture "panel.png" of "panel.dae" does not exist.'}


def test_anything_but_an_image_is_refused(tmp_path):
    for name, data in (("a.png", b"<svg/>"), ("b.png", png_texture("", image()).data[:-40]), ("c.jpg", b"")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(GambolError, match=f'"{name}" is not a readable image; give a PNG or JPEG'):
            read_texture(tmp_path / name)


def test_an_image_of_absurd_size_is_refused_before_it_is_decoded(tmp_path):
    data = bytearray(png_texture("", image()).data)
    data[16:24] = struct.pack(">II", 60_000, 60_000)
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    (tmp_path / "huge.png").write_bytes(data)
    with pytest.raises(GambolError, match=r'"huge\.png" has more than 67108864 pixels'):
        read_texture(tmp_path / "huge.png")


def glb(path, change):
    """Write a triangle as .glb, with its JSON changed."""
    binary = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes()
    content = {
        "asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36}],
    }  # fmt: skip
    change(content)
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)
    return path


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda c: c.update(extensionsRequired=["KHR_draco_mesh_compression"]), "needs the extensions KHR_draco"),
        (lambda c: c["accessors"][0].update(count=10**9), "accessor 0 is longer than its buffer"),
        (lambda c: c["bufferViews"][0].update(byteLength=10**9), "lies outside it"),
        (lambda c: c["accessors"][0].update(sparse={}), "sparse numbers"),
        (lambda c: c["meshes"][0]["primitives"][0].update(mode=1), "export it as triangles"),
        (lambda c: c["nodes"][0].update(children=[0]), "has no triangles"),
        (lambda c: c.update(scenes=[{"nodes": [0]}], nodes=[{"mesh": 0, "children": [0]}]), "nodes in a circle"),
        (lambda c: c.update(scenes=[{"nodes": [0, 0]}]), "node 0 in two places"),
        (lambda c: c.pop("nodes"), "is not a glTF 2.0 file"),
        (lambda c: c["nodes"][0].pop("mesh"), "has no triangles"),
        (lambda c: c["buffers"][0].update(uri="../../secret.bin"), r"secret\.bin.* cannot be read"),
    ],
)
def test_a_wrong_gltf_file_is_refused(tmp_path, change, match):
    assert len(read_visual_mesh(glb(tmp_path / "good.glb", lambda c: None)).submeshes) == 1
    with pytest.raises(GambolError, match=match):
        read_visual_mesh(glb(tmp_path / "bad.glb", change))


def test_a_child_in_a_gltf_file_without_scenes_is_read_once_in_its_parents_frame(tmp_path):
    nodes = [{"children": [1], "translation": [1.0, 0.0, 0.0]}, {"mesh": 0}]
    (submesh,) = read_visual_mesh(glb(tmp_path / "child.glb", lambda c: c.update(nodes=nodes))).submeshes
    (alone,) = read_visual_mesh(glb(tmp_path / "alone.glb", lambda c: None)).submeshes
    moved = alone.points[alone.triangles[0]] + [1.0, 0.0, 0.0]  # points may be stored in another order
    np.testing.assert_array_equal(submesh.points[submesh.triangles[0]], moved)


@pytest.mark.parametrize(
    ("nodes", "surface", "match"),
    [
        ('<node id="a"><instance_node url="#a"/></node>', POLYLIST, "more than 100 deep"),
        ('<node><instance_geometry url="#other"/></node>', POLYLIST, "numbers or names that do not fit"),
        (None, POLYLIST.replace("3 3<", "9 3<"), "a corner has the POSITION 9, but there are only 4"),
        (None, POLYLIST.replace("<vcount>4", "<vcount>400"), "polygons need 400 corners"),
        (None, POLYLIST.replace("0 0 1", "a b c"), "do not fit"),
        ("<node/>", POLYLIST, "has no triangles"),
        ("<node><matrix>1 0</matrix></node>", POLYLIST, "<matrix> has 2 numbers"),
    ],
)
def test_a_wrong_collada_file_is_refused(tmp_path, nodes, surface, match):
    with pytest.raises(GambolError, match=match):
        read_visual_mesh(collada(tmp_path, nodes, surface))


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("a.obj", "v 0 0 0\nf 1 2 3\n", r'"a.obj", line 2: 2 is beyond the 1 lines of v'),
        ("a.obj", "v 0 0\n", "line 1: v needs 3 numbers"),
        ("a.obj", "v 0 0 0\n", "has no triangles"),
        ("a.obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n", "a point that is not finite"),
        ("a.dae", '<!DOCTYPE x [<!ENTITY e "x">]><COLLADA/>', "may define entities"),
        ("a.dae", "<robot/>", "begins with <COLLADA>"),
        ("a.blend", "", "a format that cannot be drawn"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path, name, text, match):
    (tmp_path / name).write_text(text)
    with pytest.raises(GambolError, match=match):
        read_visual_mesh(tmp_path / name)


def test_a_zero_scale_is_refused(tmp_path):
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "box.stl")
    with pytest.raises(GambolError, match=r"a scale of 0\.0; give finite factors other than 0"):
        read_visual_mesh(tmp_path / "box.stl", 0.0)
