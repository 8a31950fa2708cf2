"""Files in Blender itself, as a Python module of its own process: joints are where the film has them."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from walkers import walker

from gambol.export import export_film, walk_cycle
from gambol.export.clip import clip_of
from gambol.export.matter_surfaces import moving_surfaces
from gambol.export.morphs import POSITION_TOLERANCE
from gambol.figure.color import linear_rgb, rgb_values
from gambol.world import Film

SCRIPT = Path(__file__).with_name("blender_joints.py")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [("a.glb", {}), ("skin.glb", {"skin": True}), ("a.usda", {}), ("a.usdc", {}), ("a.bvh", {"scale": 100.0})],
)
def test_blender_sees_every_joint_within_a_hundred_thousandth_of_the_size(
    film: Film, tmp_path: Path, name: str, options: dict
):
    export_film(film, tmp_path / name, **options)
    clip = clip_of(film, scale=options.get("scale", 1.0))
    np.savez(tmp_path / "reference.npz", names=clip.links, places=clip.position, rate=clip.rate)
    words = [sys.executable, str(SCRIPT), str(tmp_path / name), str(tmp_path / "reference.npz")]
    message = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300).stdout
    seen, worst = next(line.split()[1:] for line in message.splitlines() if line.startswith("JOINTS"))
    assert int(seen) == 12 * len(clip.links)
    assert float(worst) < 1e-5 * np.ptp(clip.position.reshape(-1, 3), axis=0).max()


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".glb", ".usda", ".usdc", ".usdz"])
def test_blender_shows_the_colours_of_links(film: Film, tmp_path: Path, ending: str):
    """As base colours of materials, which are linear RGB."""
    colors = ("#8a4a1c", "#102030", "#ffffff", "#00ff7f")
    shapes = tuple(replace(shape, color=color) for shape, color in zip(film.shapes, colors, strict=True))
    export_film(replace(film, shapes=shapes), tmp_path / f"a{ending}")
    script, target = SCRIPT.with_name("blender_colors.py"), tmp_path / "colors.json"
    words = [sys.executable, str(script), str(tmp_path / f"a{ending}"), str(target)]
    subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    found = json.loads(target.read_text())
    for shape, color in zip(shapes, colors, strict=True):
        name = film.link_names[shape.link]
        seen = found.get(name) or found[name.replace(" ", "_")]
        np.testing.assert_allclose(seen, linear_rgb(rgb_values(color)), atol=1e-6)


@pytest.mark.slow
def test_blender_sees_a_cycle_end_as_it_begins(tmp_path: Path):
    """In place, so that it loops: the last frame beside the first, in the poses of all links."""
    cycle = walk_cycle(walker(), in_place=True)
    export_film(cycle.film, tmp_path / "a.glb")
    clip = clip_of(cycle.film)
    first = np.broadcast_to(clip.position[0], clip.position.shape)
    last = len(first) - 1
    np.savez(tmp_path / "reference.npz", names=clip.links, places=first[:: last or 1], rate=clip.rate / last)
    words = [sys.executable, str(SCRIPT), str(tmp_path / "a.glb"), str(tmp_path / "reference.npz"), str(1)]
    message = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300).stdout
    seen, worst = next(line.split()[1:] for line in message.splitlines() if line.startswith("JOINTS"))
    assert int(seen) == 2 * len(clip.links)
    assert float(worst) < 1e-5 * np.ptp(clip.position.reshape(-1, 3), axis=0).max()


@pytest.mark.slow
def test_a_skin_has_no_tears_in_blender(film: Film, tmp_path: Path):
    """Its mesh is closed, and points that are one at rest, with normals of their own, stay one in every frame."""
    path = tmp_path / "skin.glb"
    export_film(film, path, skin=True)
    (mesh,) = trimesh.load_scene(path, process=False).geometry.values()
    _, point = np.unique(np.round(mesh.vertices, 7), axis=0, return_inverse=True)
    edges = np.sort(point[mesh.faces][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    assert set(np.unique(edges, axis=0, return_counts=True)[1]) == {2}
    rate, frames = clip_of(film).rate, len(film.time)
    script, target = SCRIPT.with_name("blender_points.py"), tmp_path / "points.npz"
    words = [sys.executable, str(script), str(path), str(target), str(rate), str(frames), "skin"]
    subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    with np.load(target) as data:
        points = data["skin"]
    assert points.shape == (frames, len(mesh.vertices), 3)
    size = np.ptp(points[0], axis=0).max()
    for frame in points:
        middle = np.stack([np.bincount(point, frame[:, k]) / np.bincount(point) for k in range(3)], axis=-1)
        assert np.abs(frame - middle[point]).max() < 1e-6 * size  # rounding of float32
    assert np.ptp(points[:, 0], axis=0).max() > 0.1 * size  # it moves


@pytest.mark.slow
def test_blender_sees_cloth_ropes_and_muscles_move_as_in_the_film(gale: Film, tmp_path: Path):
    export_film(gale, tmp_path / "gale.glb")
    expected = {surface.name: surface.points for surface in moving_surfaces(clip_of(gale).matter)}
    script, target = SCRIPT.with_name("blender_points.py"), tmp_path / "points.npz"
    rate, frames = clip_of(gale).rate, len(clip_of(gale).time)
    words = [sys.executable, str(script), str(tmp_path / "gale.glb"), str(target), str(rate), str(frames), *expected]
    subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    with np.load(target) as data:
        for name, points in expected.items():
            extent = np.linalg.norm(np.ptp(points.reshape(-1, 3), axis=0))
            np.testing.assert_allclose(data[name], points, atol=(POSITION_TOLERANCE + 1e-5) * extent, rtol=0.0)


@pytest.mark.slow
def test_blender_writes_fbx_and_alembic_of_a_glb_file(film: Film, tmp_path: Path):
    """As docs/use/exports.md says; the meshes are where they were, within a hundred-thousandth of the motion's size."""
    export_film(film, tmp_path / "a.glb")
    words = [sys.executable, str(SCRIPT.with_name("blender_others.py")), str(tmp_path / "a.glb"), str(tmp_path)]
    message = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300).stdout
    found = {line.split()[1]: line.split()[2] for line in message.splitlines() if line.startswith("DIFFERENCE")}
    assert found.keys() == {".fbx", ".abc"}
    size = np.ptp(film.position.reshape(-1, 3), axis=0).max()
    for number in found.values():
        assert float(number) < 1e-5 * size
