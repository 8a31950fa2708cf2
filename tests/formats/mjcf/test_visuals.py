"""Visual geoms of MJCF: which are drawn, where, in which colour and with which texture; beside MuJoCo's own model."""

import re

import mujoco
import numpy as np
import pytest
import trimesh
from gltf_files import issues
from panels import RIGHT, UP, UV, image, points
from PIL import Image

from benchmarks.robots import DATA, FOLDERS
from gambol.cli.figures.sources import ReadOptions, read_model
from gambol.dynamics import kinematics
from gambol.export import write_gltf
from gambol.figure import Finish, Material, Sphere, VisualMesh
from gambol.formats import read_figure, read_mjcf, read_urdf, write_figure
from gambol.formats.mjcf import figure_state
from gambol.formats.mjcf import visuals as mjcf_visuals
from gambol.formats.visuals import image_pixels, read_visual_mesh
from gambol.view import posture_film

LAIKAGO = FOLDERS[DATA]() / "laikago_description"
ROUNDING_TOLERANCE = 1e-13  # [m]: of lengths below 10 m, after some ten roundings
LOOK = 'contype="0" conaffinity="0" group="2"'


@pytest.fixture(scope="module")
def laikago(tmp_path_factory):
    """The path of the robot as MJCF, by MuJoCo's own converter: visuals in group 1, what collides in group 0."""
    text = re.sub('package://[^"]*/', "", (LAIKAGO / "urdf/laikago.urdf").read_text())
    compiler = f'<mujoco><compiler meshdir="{LAIKAGO}/meshes" discardvisual="false" fusestatic="false"/></mujoco>'
    spec = mujoco.MjSpec.from_string(re.sub("(<robot[^>]*>)", rf"\1{compiler}", text, count=1))
    spec.compile()
    path = tmp_path_factory.mktemp("laikago") / "laikago.xml"
    path.write_text(spec.to_xml())
    return path


def corners_in_world(figure, state):
    """Yield link name, and the corners of all triangles (T, 3, 3) in the world, of each visual mesh."""
    for link in figure.links:
        pose = state.poses[link.index]
        R, p = np.array(pose.rotation.rows), np.array(list(pose.position))
        for visual in (each for each in link.visuals if isinstance(each.shape, VisualMesh)):
            for mesh in visual.shape.submeshes:
                corners = mesh.points.astype(float)[mesh.triangles] @ np.array(visual.rotation).T + visual.position
                yield link.name, corners @ R.T + p


def assert_meshes_lie_as_mujocos(path, seed):
    """Compare each corner of each visual mesh, at random coordinates, with MuJoCo's geoms. Returns the number."""
    model, result = mujoco.MjModel.from_xml_path(str(path)), read_mjcf(path)
    data, rng = mujoco.MjData(model), np.random.default_rng(seed)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 1.0)
    mujoco.mj_kinematics(model, data)
    q, v = figure_state(model, data.qpos, np.zeros(model.nv))
    expected = []
    for geom in range(model.ngeom):
        touches = model.geom_contype[geom] or model.geom_conaffinity[geom]
        if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH and model.geom_group[geom] < 3 and not touches:
            mesh = model.geom_dataid[geom]
            vertices = model.mesh_vert[model.mesh_vertadr[mesh] :][: model.mesh_vertnum[mesh]].astype(float)
            faces = model.mesh_face[model.mesh_faceadr[mesh] :][: model.mesh_facenum[mesh]]
            placed = vertices @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
            expected.append((model.body(model.geom_bodyid[geom]).name, placed[faces]))
    found = list(corners_in_world(result.figure, kinematics(result.figure, list(q), list(v))))
    assert len(found) == len(expected)
    for (name, corners), (body, placed) in zip(found, expected, strict=True):
        assert name == body
        np.testing.assert_allclose(corners, placed, rtol=0.0, atol=ROUNDING_TOLERANCE)
    return len(found)


@pytest.mark.parametrize("seed", range(3))
def test_every_corner_of_a_robots_meshes_lies_where_mujoco_has_it(laikago, seed):
    assert assert_meshes_lie_as_mujocos(laikago, seed) == 13


def test_legs_from_mjcf_lie_as_from_urdf(laikago):
    """The same triangles by our own reader of URDF and OBJ, bent; MuJoCo moves its meshes as float32 below 1 m."""
    ours, other = read_mjcf(laikago).figure, read_urdf(LAIKAGO / "urdf/laikago.urdf", "fixed").figure
    q = np.linspace(-1.0, 1.0, 12)
    names = [link.name for link in ours.links if link.q.stop > link.q.start]
    coordinates = [0.0] * 12
    for k, name in enumerate(names):
        coordinates[other.link(name).q.start] = q[k]
    seen = corners_in_world(ours, kinematics(ours, list(q), [0.0] * 12))
    expected = corners_in_world(other, kinematics(other, coordinates, [0.0] * 12))
    placed = dict(expected)
    found = {name: corners for name, corners in seen if name in names}
    assert sorted(found) == sorted(names)
    for name, corners in found.items():
        np.testing.assert_allclose(corners, placed[name], rtol=0.0, atol=4e-7)


TIP = points().mean(axis=0) - np.cross(RIGHT, UP)  # behind the panel: MuJoCo's meshes have a volume
OBJ = "".join(f"v {x} {y} {z}\n" for x, y, z in [*(points() + 0.5), TIP + 0.5])
OBJ += "".join(f"vt {u} {v}\n" for u, v in [*UV, (0.5, 0.5)])
FACES = "".join(f"f {a}/{a} {b}/{b} {c}/{c}\n" for a, b, c in ("123", "134", "215", "325", "435", "145"))
TEXTURED = """<mujoco><compiler meshdir="." texturedir="."/>
<default><default class="visual"><geom contype="0" conaffinity="0" group="2"/></default>
<default class="collision"><geom group="3"/></default></default>
<asset><texture name="paint" type="2d" file="image.png"/><material name="painted" texture="paint" rgba="1 .5 1 .75"/>
<texture name="flat" type="cube" builtin="flat" rgb1="1 .5 0" rgb2="1 .5 0" width="8" height="8"/>
<material name="orange" texture="flat" rgba="1 1 .5 1"/>
<texture name="tiles" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="8" height="8"/>
<material name="tiled" texture="tiles"/>
<material name="repeated" texture="tiles" texrepeat="2 3"/>
<material name="uniform" texture="tiles" texrepeat="2 3" texuniform="true"/>
<material name="lamp" rgba="1 1 0 1" emission=".5" roughness=".25" metallic=".75"/>
<material name="matt" rgba="1 1 0 1" specular="0"/><material name="glossy" rgba="1 1 0 1" shininess="1"/>
<mesh name="ball" file="ball.stl" scale=".1 .2 .3"/><mesh name="panel" file="panel.obj" refpos=".1 .2 .3"/>
<mesh name="box" file="box.stl"/></asset>
<worldbody>{}</worldbody></mujoco>"""
PANEL = '<geom class="visual" type="mesh" mesh="panel" material="painted" pos=".1 .2 .3" euler="10 20 30"/>'
COLLISION = '<geom class="collision" size=".5"/>'


def written(folder, world):
    """The path of a model with the assets of TEXTURED."""
    (folder / "panel.obj").write_text(OBJ + FACES)
    Image.fromarray(image()).save(folder / "image.png")
    trimesh.creation.icosphere(subdivisions=1).export(folder / "ball.stl")
    trimesh.creation.box((1, 2, 3)).export(folder / "box.stl")
    path = folder / "model.xml"
    path.write_text(TEXTURED.format(world))
    return path


def body(geoms, inside=""):
    return f'<body name="b"><freejoint/>{geoms}<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{inside}</body>'


def visuals(folder, geoms):
    model = read_mjcf(written(folder, body(geoms)))
    return model.figure.link("b").visuals, model.notes


def test_corners_of_scaled_and_shifted_meshes_on_joints_lie_where_mujoco_has_them(tmp_path):
    """Links whose frames lie at anchors off the bodies' origins; one mesh on two geoms, and one with a texture."""
    ball = f'<geom {LOOK} type="mesh" mesh="ball" pos="0 0 {{}}" quat="1 2 3 4"/>'
    arm = f'<body name="arm" pos="0 1 2" euler="5 6 7"><joint axis="1 2 3" pos=".3 .2 .1"/>{COLLISION}'
    arm += ball.format(0.5) + ball.format(-0.5) + "</body>"
    path = written(tmp_path, body(PANEL + COLLISION, arm))
    assert assert_meshes_lie_as_mujocos(path, 0) == 3
    first, second = read_mjcf(path).figure.link("arm").visuals
    assert first.shape is second.shape


def test_a_texture_has_the_pixels_of_its_file_and_lies_as_our_reader_of_obj_has_it(tmp_path):
    (visual,), notes = visuals(tmp_path, PANEL + COLLISION)
    (mesh,) = visual.shape.submeshes
    assert mesh.material.texture.name == "paint.png"
    np.testing.assert_array_equal(image_pixels(mesh.material.texture)[..., :3], image())
    assert (visual.material.color, visual.material.opacity) == ("#ff80ff", 0.75)
    (tmp_path / "panel.mtl").write_text("newmtl m\nmap_Kd image.png\n")
    (tmp_path / "panel.obj").write_text("mtllib panel.mtl\nusemtl m\n" + (tmp_path / "panel.obj").read_text())
    (other,) = read_visual_mesh(tmp_path / "panel.obj").submeshes
    np.testing.assert_allclose(mesh.uv[mesh.triangles], other.uv[other.triangles], atol=1e-7)
    assert not any("texture" in note for note in notes)


@pytest.mark.parametrize(
    ("attributes", "material"),
    [
        ("", Material()),
        ('rgba="1 .5 0 .25"', Material("#ff8000", 0.25)),
        ('material="orange"', Material("#ff7f00")),  # a cube of one colour, cut to whole 255ths by MuJoCo
        ('material="lamp"', Material("#ffff00", finish=Finish(0.25, 0.75, "#808000"))),
        ('material="matt"', Material("#ffff00", finish=Finish(1.0))),
        ('material="glossy"', Material("#ffff00", finish=Finish(0.352))),  # (2 / (128 + 2))^(1/4)
    ],
)
def test_shapes_have_their_own_colour_or_that_of_their_material(tmp_path, attributes, material):
    (visual,), notes = visuals(tmp_path, f'<geom class="visual" size=".1" {attributes}/>{COLLISION}')
    assert visual.material == material
    assert not any("texture" in note for note in notes)


@pytest.mark.parametrize(("name", "kinds"), [("painted", 4), ("tiled", 2)])
@pytest.mark.parametrize("geom", ['size=".1"', 'type="box" size=".1 .1 .1"', 'type="mesh" mesh="box"'])
def test_shapes_and_meshes_without_texture_coordinates_have_the_image_of_their_material(tmp_path, name, kinds, geom):
    """All colours of the image are at corners of triangles, or near them."""
    (visual,), _ = visuals(tmp_path, f'<geom class="visual" {geom} material="{name}"/>{COLLISION}')
    (mesh,) = visual.shape.submeshes
    pixels = image_pixels(mesh.material.texture)[..., :3]
    places = np.concatenate([mesh.uv[mesh.triangles].mean(axis=1), 0.9 * mesh.uv + 0.05])
    rows, columns = (
        ((1.0 - places[:, 1]) % 1.0 * len(pixels)).astype(int),
        (places[:, 0] % 1.0 * len(pixels)).astype(int),
    )
    assert len(np.unique(pixels[rows, columns], axis=0)) == kinds


def test_a_texture_is_repeated_by_times_or_by_metres(tmp_path):
    """Along x and y of a box of 0.2 m: 2 and 3 times, or as often in each two metres."""
    for name, times in (("repeated", (2.0, 3.0)), ("uniform", (0.2, 0.3))):
        (visual,), _ = visuals(
            tmp_path, f'<geom class="visual" type="box" size=".1 .1 .1" material="{name}"/>{COLLISION}'
        )
        np.testing.assert_allclose(np.ptp(visual.shape.submeshes[0].uv, axis=0), times, atol=1e-6)


@pytest.mark.parametrize(
    ("geoms", "shown"),
    [
        (COLLISION, []),
        (f'<geom size=".1"/><geom {LOOK} size=".2"/>', [0.2]),
        ('<geom size=".1"/><geom contype="0" conaffinity="0" size=".2" rgba="1 0 0 .5"/>', [0.1, 0.2]),
        ('<geom size=".1"/><geom contype="0" conaffinity="0" size=".2"/>', []),  # as the parts
        ('<geom size=".1"/><geom contype="0" conaffinity="0" group="4" size=".2"/>', [0.1]),
        (f'<geom size=".1"/><geom {LOOK} size=".2" rgba="1 1 1 0"/>', [0.1]),
        (f'<geom size=".1" group="2"/><geom {LOOK} size=".2" rgba="1 1 1 0"/><geom {LOOK} size=".3"/>', [0.1, 0.3]),
    ],
)
def test_geoms_that_do_not_collide_are_drawn_with_those_of_their_groups(tmp_path, geoms, shown):
    """In the groups that MuJoCo shows at first, 0 to 2, and if they are not transparent."""
    assert [visual.shape.radius for visual in visuals(tmp_path, geoms)[0]] == shown


def test_a_link_whose_geoms_all_collide_is_drawn_with_its_meshes(tmp_path):
    """In groups that MuJoCo shows; the pyramid behind the panel collides as its hull, and is drawn with its texture."""
    panel = PANEL.replace('class="visual" ', "")
    (mesh, ball), _ = visuals(tmp_path, panel + '<geom size=".1"/>' + COLLISION)
    assert isinstance(mesh.shape, VisualMesh)
    assert mesh.shape.submeshes[0].material.texture is not None
    assert ball.shape == Sphere(0.1)
    hidden = panel.replace("<geom", '<geom group="3"')
    assert visuals(tmp_path, hidden)[0] == ()


def test_normals_are_those_of_the_file_or_of_sharp_edges(tmp_path):
    """A box of STL, whose normals MuJoCo makes, has those of its faces; one of OBJ has the tilted ones of the file."""
    geoms = f'<geom {LOOK} type="mesh" mesh="{{}}"/>{COLLISION}'
    (flat,) = visuals(tmp_path, geoms.format("box"))[0]
    np.testing.assert_allclose(np.sort(np.abs(flat.shape.submeshes[0].normals), axis=1), [[0, 0, 1]] * 24, atol=1e-6)
    (tmp_path / "tilted").mkdir()  # MuJoCo keeps a file that it read less than a second before it is changed
    path = written(tmp_path / "tilted", body(geoms.format("panel")))
    tilted = re.sub(r"f (\S+) (\S+) (\S+)", r"f \1/1 \2/2 \3/3", FACES)
    (path.parent / "panel.obj").write_text(f"{OBJ}vn 0.6 0 0.8\nvn 0 0.6 0.8\nvn 0 0 1\n{tilted}")
    (visual,) = read_mjcf(path).figure.link("b").visuals
    (mesh,), (other,) = visual.shape.submeshes, read_visual_mesh(path.parent / "panel.obj").submeshes
    turned = mesh.normals[mesh.triangles] @ np.array(visual.rotation, np.float32).T
    np.testing.assert_allclose(turned, other.normals[other.triangles], atol=1e-6)


def test_visuals_change_nothing_else(laikago):
    """Parts, masses, springs, motors and notes with and without them; by option of the command, too."""
    seen, plain = read_mjcf(laikago), read_mjcf(laikago, visuals=False)
    assert (plain.figure, plain.springs, plain.motors, plain.notes) == (
        seen.figure, seen.springs, seen.motors, seen.notes,
    )  # fmt: skip
    assert not any(link.visuals for link in plain.figure.links)
    assert not any(link.visuals for link in read_model(laikago, ReadOptions(no_visuals=True)).figure.links)
    assert sum(len(link.visuals) for link in read_model(laikago).figure.links) == 17


@pytest.mark.parametrize(
    ("limit", "note"),
    [("max_triangles", "Not drawn: visual meshes, since"), ("max_bytes", "Left out: textures of more than")],
)
def test_what_exceeds_a_limit_is_noted(tmp_path, monkeypatch, limit, note):
    monkeypatch.setitem(mjcf_visuals.VISUAL_LIMITS, limit, 1)
    found, notes = visuals(tmp_path, PANEL + COLLISION)
    assert any(each.startswith(note) for each in notes)
    assert [each.shape.submeshes[0].material.texture for each in found] == ([] if limit == "max_triangles" else [None])


def test_other_layers_of_materials_are_noted(tmp_path):
    path = written(tmp_path, body(PANEL + COLLISION))
    layers = '<material name="painted"><layer texture="paint" role="rgb"/><layer texture="paint" role="normal"/>'
    path.write_text(re.sub('<material name="painted"[^>]*>', layers + "</material>", path.read_text()))
    model = read_mjcf(path)
    assert model.figure.link("b").visuals[0].shape.submeshes[0].material.texture is not None
    assert "Left out: textures of materials for properties other than colour, such as roughness." in model.notes


@pytest.mark.parametrize(("obstacle", "count"), [("", 0), ('<geom size=".1" pos="3 0 0" group="3"/>', 1)])
def test_visuals_of_the_world_are_drawn_where_it_is_a_link(tmp_path, obstacle, count):
    model = read_mjcf(written(tmp_path, PANEL + obstacle + body(COLLISION)))
    note = "Not drawn: shapes that are fixed to the world and touch nothing."
    assert (len(model.figure.links[0].visuals), note in model.notes) == (count, not count)


def test_an_exported_model_has_its_meshes_and_validates(tmp_path):
    figure = read_mjcf(written(tmp_path, body(PANEL + f'<geom {LOOK} size=".1" rgba="1 0 0 .5"/>' + COLLISION))).figure
    path = write_gltf(posture_film(figure), tmp_path / "model.glb")
    assert issues(path)["messages"] == []
    scene = trimesh.load_scene(path)
    materials = [geometry.visual.material for geometry in scene.geometry.values()]
    pictures = [np.asarray(m.baseColorTexture.convert("RGB")) for m in materials if m.baseColorTexture is not None]
    np.testing.assert_array_equal(pictures, [image()])


def test_meshes_of_mjcf_become_files_of_a_figure_file(tmp_path):
    seen = read_mjcf(written(tmp_path, body(PANEL + f'<geom {LOOK} size=".1"/>' + COLLISION)))
    assert write_figure(seen, tmp_path / "b.toml") is None
    panel, ball = read_figure(tmp_path / "b.toml").figure.link("b").visuals
    assert ball.shape == Sphere(0.1)
    texture = panel.shape.submeshes[0].material.texture
    np.testing.assert_array_equal(image_pixels(texture)[..., :3], image())
