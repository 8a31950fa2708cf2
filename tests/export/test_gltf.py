"""glTF files beside Khronos' validator, and beside trimesh, which reads their nodes and meshes."""

from pathlib import Path

import numpy as np
import pygltflib
import pytest
import trimesh
from gltf_files import issues, turned

from gambol.errors import GambolError
from gambol.export import write_gltf
from gambol.export.clip import clip_of
from gambol.export.indexed import placed_mesh
from gambol.export.skin import skin_of
from gambol.world import Film


@pytest.mark.parametrize("options", [{}, {"skin": True}, {"scale": 100.0, "rate": 24.0}])
def test_the_validator_finds_nothing_to_remark(film: Film, tmp_path: Path, options: dict):
    found = issues(write_gltf(film, tmp_path / "beast.glb", **options))
    assert found["messages"] == []


def test_the_validator_finds_errors_where_there_are_some(film: Film, tmp_path: Path):
    path = write_gltf(film, tmp_path / "beast.glb")
    broken = pygltflib.GLTF2().load(str(path))
    broken.accessors[0].count += 10_000_000
    broken.save(str(path))
    assert issues(path)["numErrors"] > 0


def world_points(film: Film, frame: int, shape_index: int) -> np.ndarray:
    """Return the corners of a shape in the world in a frame of a film."""
    shape = film.shapes[shape_index]
    w, x, y, z = film.quaternion[frame, 0, shape.link]
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return placed_mesh(shape).corners @ rotation.T + film.position[frame, 0, shape.link]


def test_another_program_sees_the_shapes_where_the_film_has_them(film: Film, tmp_path: Path):
    scene = trimesh.load(write_gltf(film, tmp_path / "beast.glb", scale=10.0))
    boxes = []
    for node in scene.graph.nodes_geometry:
        pose, geometry = scene.graph[node]
        boxes.append(trimesh.transform_points(scene.geometry[geometry].vertices, pose))
    expected = [turned(10.0 * world_points(film, 0, k)) for k in range(len(film.shapes))]
    bounds = sorted((points.min(0).tolist() + points.max(0).tolist()) for points in boxes)
    for box, wanted in zip(bounds, sorted(p.min(0).tolist() + p.max(0).tolist() for p in expected), strict=True):
        np.testing.assert_allclose(box, wanted, atol=10.0 * 1e-6)  # float32 of lengths up to 10 units


def animated(gltf: pygltflib.GLTF2, animation: int, frame: int) -> list[np.ndarray]:
    """Return the pose (4, 4) of each node in the world in a frame, from the bytes of the file alone."""
    blob = gltf.binary_blob()

    def values(accessor: int) -> np.ndarray:
        a = gltf.accessors[accessor]
        view = gltf.bufferViews[a.bufferView]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a.type]
        return np.frombuffer(blob, "<f4", a.count * width, view.byteOffset).reshape(a.count, width)

    local = {
        k: {"translation": n.translation or [0, 0, 0], "rotation": n.rotation or [0, 0, 0, 1]}
        for k, n in enumerate(gltf.nodes)
    }
    for channel in gltf.animations[animation].channels:
        sampler = gltf.animations[animation].samplers[channel.sampler]
        local[channel.target.node][channel.target.path] = values(sampler.output)[frame]
    poses: dict[int, np.ndarray] = {}

    def walk(node: int, parent: np.ndarray) -> None:
        x, y, z, w = local[node]["rotation"]
        matrix = trimesh.transformations.quaternion_matrix([w, x, y, z])
        matrix[:3, 3] = local[node]["translation"]
        poses[node] = parent @ matrix
        for child in gltf.nodes[node].children:
            walk(child, poses[node])

    for root in gltf.scenes[0].nodes:
        walk(root, np.eye(4))
    return [poses[k] for k in range(len(gltf.nodes))]


@pytest.mark.parametrize("root_motion", [False, True])
def test_every_frame_has_the_poses_of_the_film(film: Film, tmp_path: Path, root_motion: bool):
    gltf = pygltflib.GLTF2().load(str(write_gltf(film, tmp_path / "beast.glb", root_motion=root_motion)))
    for frame in range(0, len(film.time), 7):
        poses = animated(gltf, 0, frame)
        for k, link in enumerate(film.link_names):
            assert gltf.nodes[k].name == link
            np.testing.assert_allclose(poses[k][:3, 3], turned(film.position[frame, :1, k])[0], atol=1e-6)
            for shape_index, shape in enumerate(film.shapes):
                if shape.link == k:
                    corners = placed_mesh(shape).corners
                    np.testing.assert_allclose(
                        trimesh.transform_points(corners, poses[k]),
                        turned(world_points(film, frame, shape_index)),
                        atol=2e-6,  # float32 rotations of four links in a row
                    )


def test_root_motion_carries_the_way_on_the_ground(film: Film, tmp_path: Path):
    """The root node lies below the trunk; the trunk's own node only goes up and down."""
    gltf = pygltflib.GLTF2().load(str(write_gltf(film, tmp_path / "beast.glb", root_motion=True)))
    root = len(film.link_names)
    for frame in (0, 40, 100):
        x, y, z = film.position[frame, 0, 0]
        poses = animated(gltf, 0, frame)
        np.testing.assert_allclose(poses[root][:3, 3], (x, 0.0, -y), atol=1e-6)
        np.testing.assert_allclose(np.linalg.inv(poses[root]) @ poses[0][:, 3], (0.0, 0.0, z, 1.0), atol=1e-6)


def test_takes_are_clips_by_name(film: Film, tmp_path: Path):
    gltf = pygltflib.GLTF2().load(str(write_gltf([film, film.between(0.0, 1.0)], tmp_path / "beast.glb")))
    assert [animation.name for animation in gltf.animations] == ["beast 1", "beast 2"]
    with pytest.raises(GambolError, match="other links"):
        write_gltf(
            [film, Film("x", film.time, film.position[:, :, :1], film.quaternion[:, :, :1], ("x",), ())],
            tmp_path / "b.glb",
        )


def test_a_skin_is_one_closed_mesh_that_moves_with_the_links(film: Film):
    skin = skin_of(clip_of(film))
    mesh = trimesh.Trimesh(skin.mesh.points, skin.mesh.indices.reshape(-1, 3), process=False)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    np.testing.assert_allclose(skin.weights.sum(axis=1), 1.0, atol=1e-6)
    shapes = np.concatenate([world_points(film, 0, k) for k in range(len(film.shapes))])
    # the smooth minimum of n equal distances lies b log(n) outside, here at most all four links; a corner is cut by
    # less than the diagonal of a cell, a third of the thinnest link
    grown, cell = 0.25 * np.median([0.1, 0.06, 0.08, 0.16]) * np.log(4.0), 0.06 / 3.0
    np.testing.assert_array_less(mesh.bounds[1], shapes.max(axis=0) + grown + cell)
    np.testing.assert_array_less(shapes.min(axis=0) - grown - cell, mesh.bounds[0])
    np.testing.assert_array_less(
        np.abs(mesh.bounds - [shapes.min(axis=0), shapes.max(axis=0)]), grown + np.sqrt(3.0) * cell
    )


def test_clips_of_nothing_are_refused(film: Film, tmp_path: Path):
    for options, text in (
        ({"rate": 0.0}, "0.0 frames per second"),
        ({"scale": -1.0}, "scale of -1.0"),
    ):
        with pytest.raises(GambolError, match=text):
            write_gltf(film, tmp_path / "beast.glb", **options)
    assert not list(tmp_path.iterdir())
