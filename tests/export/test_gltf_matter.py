"""Cloth, ropes and muscles in glTF: the validator accepts them, and sums of morph targets are the film's points."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pygltflib
import pytest
from gltf_files import issues, turned

from gambol.errors import GambolError
from gambol.export import export_film, write_gltf
from gambol.export.matter_surfaces import SIDES, moving_surfaces
from gambol.export.morphs import MAX_FRAMES, POSITION_TOLERANCE, check_size, morphs_of
from gambol.view.scene.tube import tube
from gambol.world import Film

FRAMES = 7  # of the gale: a cloth that tears, a rope, sparks and a muscle


def numbers(gltf: pygltflib.GLTF2, index: int) -> np.ndarray:
    """Return the array of an accessor of float32."""
    accessor = gltf.accessors[index]
    view, width = gltf.bufferViews[accessor.bufferView], {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor.type]
    start = view.byteOffset + (accessor.byteOffset or 0)
    array = np.frombuffer(gltf.binary_blob(), np.float32, accessor.count * width, start)
    return array.reshape(-1, width).astype(float)


def seen_points(path: Path, name: str) -> np.ndarray:
    """Return where a viewer of glTF has the points of a mesh in the frames of each animation (A, F, n, 3), y up."""
    gltf = pygltflib.GLTF2().load(str(path))
    number, node = next((k, each) for k, each in enumerate(gltf.nodes) if each.name == name)
    x, y, z, w = node.rotation
    primitive = gltf.meshes[node.mesh].primitives[0]
    rest = numbers(gltf, primitive.attributes.POSITION)
    targets = np.array([numbers(gltf, target["POSITION"]) for target in primitive.targets])
    takes = []
    for animation in gltf.animations:
        channel = next(c for c in animation.channels if c.target.node == number)
        assert channel.target.path == "weights"
        weights = numbers(gltf, animation.samplers[channel.sampler].output).reshape(-1, len(targets))
        takes.append(rest + np.einsum("fk,knc->fnc", weights, targets))
    v, points = np.array([x, y, z]), np.array(takes)
    return points + 2.0 * np.cross(v, np.cross(v, points) + w * points)


def extent(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.ptp(points.reshape(-1, 3), axis=0)))


@pytest.mark.parametrize("options", [{}, {"scale": 100.0, "ground": True}, {"root_motion": True}])
def test_the_validator_finds_nothing_to_remark(gale: Film, tmp_path: Path, options: dict):
    for takes in (gale, [gale, replace(gale, name="two")]):
        found = issues(write_gltf(takes, tmp_path / "gale.glb", **options))["messages"]
        assert [each for each in found if each["code"] != "NODE_EMPTY"] == []  # the only link of this film has no shape


@pytest.mark.parametrize("root_motion", [False, True])
def test_the_points_of_matter_are_where_the_film_has_them(gale: Film, tmp_path: Path, root_motion: bool):
    path = write_gltf(gale, tmp_path / "gale.glb", scale=10.0, root_motion=root_motion)
    sheet, line, _, muscle = gale.matter
    cloth = seen_points(path, "sheet")[0]
    torn = ~sheet.visible.all(axis=0)
    assert 0 < torn.sum() < len(torn)
    kept = np.unique(sheet.triangles[~torn])  # points that a whole triangle uses come first, in their order
    rounding = 10.0 * 1e-6  # float32 of weights and shapes of up to 10 units, in sums of less than seven
    for f in range(FRAMES):
        expected = turned(10.0 * sheet.points[f].astype(float))
        limit = 10.0 * POSITION_TOLERANCE * extent(sheet.points) + rounding
        np.testing.assert_allclose(cloth[f, : len(kept)], expected[kept], atol=limit, rtol=0.0)
        corners = cloth[f, len(kept) :].reshape(-1, 3, 3)
        for mine, triangle, seen in zip(corners, sheet.triangles[torn], sheet.visible[f, torn], strict=True):
            at = expected[triangle] if seen else np.tile(expected[triangle].mean(axis=0), (3, 1))
            np.testing.assert_allclose(mine, at, atol=limit, rtol=0.0)
        circles = seen_points(path, "rope")[0][f].reshape(-1, SIDES, 3)
        limit = 10.0 * POSITION_TOLERANCE * 1.01 * extent(line.points) + rounding
        np.testing.assert_allclose(
            circles.mean(axis=1), turned(10.0 * line.points[f].astype(float)), atol=limit, rtol=0.0
        )
        radii = np.linalg.norm(circles - circles.mean(axis=1, keepdims=True), axis=-1)
        np.testing.assert_allclose(radii, 10.0 * line.thickness / 2.0, atol=2.0 * limit)
        belly = turned(10.0 * tube(muscle.points[f], muscle.width, float(muscle.force[f]))[0].reshape(-1, 3))
        limit = 10.0 * POSITION_TOLERANCE * extent(muscle.points) * 1.1 + rounding
        np.testing.assert_allclose(seen_points(path, "biceps")[0][f], belly, atol=limit, rtol=0.0)


def test_each_take_has_its_own_motion(gale: Film, tmp_path: Path):
    back = np.arange(FRAMES)[::-1].astype(np.intp)
    other = replace(gale, name="back", matter=tuple(each.of_frames(back) for each in gale.matter))
    there, again = seen_points(write_gltf([gale, other], tmp_path / "two.glb"), "sheet")
    np.testing.assert_allclose(again, there[::-1], atol=2.0 * POSITION_TOLERANCE * extent(gale.matter[0].points))
    assert extent(there[-1] - there[0]) > 0.1  # it moves


def test_takes_with_other_matter_are_refused_before_a_file_is_there(gale: Film, tmp_path: Path):
    with pytest.raises(GambolError, match='film "bare" has other cloth, ropes or muscles than "gale"'):
        write_gltf([gale, replace(gale, name="bare", matter=gale.matter[:1])], tmp_path / "two.glb")
    with pytest.raises(GambolError, match="give a lower rate"):
        check_size("sheet", MAX_FRAMES + 1, 4)
    assert not list(tmp_path.iterdir())


def test_what_stands_still_has_no_targets(gale: Film, tmp_path: Path):
    still = replace(gale, matter=tuple(each.of_frames(np.zeros(FRAMES, np.intp)) for each in gale.matter))
    gltf = pygltflib.GLTF2().load(str(write_gltf(still, tmp_path / "still.glb")))
    assert all(not primitive.targets for mesh in gltf.meshes for primitive in mesh.primitives)
    assert "weights" not in {channel.target.path for channel in gltf.animations[0].channels}


def test_a_motion_of_two_shapes_takes_two_shapes():
    rng = np.random.default_rng(3)
    t = np.linspace(0.0, 1.0, 40)[:, None, None]
    shapes = rng.normal(size=(2, 30, 3))
    points = (rng.normal(size=(30, 3)) + np.sin(7.0 * t) * shapes[0] + t * t * shapes[1]).astype(np.float32)
    normals = np.broadcast_to(np.array([0.0, 0.0, 1.0], np.float32), points.shape)
    morphs = morphs_of(points, normals)
    assert len(morphs.shapes) == 2
    assert morphs.weights.min() == 0.0
    assert morphs.weights.max() == 1.0
    np.testing.assert_allclose(morphs.normals, 0.0, atol=1e-6)
    sums = morphs.rest + np.einsum("fk,knc->fnc", morphs.weights, morphs.shapes)
    np.testing.assert_allclose(sums, points, atol=2.0 * POSITION_TOLERANCE * extent(points))


def test_particles_and_colours_of_muscles_are_noted_as_left_out(gale: Film, tmp_path: Path):
    notes = export_film(gale, tmp_path / "gale.glb")
    assert any("particles beyond 2,000 at a time" in note for note in notes)
    assert any("mean activation" in note for note in notes)
    assert not any("cloth" in note for note in notes)
    assert not any(
        "particles" in note for note in export_film(replace(gale, matter=gale.matter[:2]), tmp_path / "a.glb")
    )


def test_the_normals_of_a_sheet_are_those_of_its_plane(gale: Film):
    sheet = next(iter(moving_surfaces(gale.matter)))
    flat = replace(sheet, points=(sheet.points * np.array([1.0, 0.0, 1.0], np.float32)))
    normals = flat.normals()[0, np.unique(flat.triangles)]
    np.testing.assert_allclose(np.abs(normals), np.tile([0.0, 1.0, 0.0], (len(normals), 1)), atol=1e-6)
