"""The animator's day: three takes of an evolved creature in one file, opened by other programs."""

import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pygltflib
import pytest
import trimesh
from export.test_gltf_matter import numbers

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("blender_clips.py")
TAKES = {"over the dunes", "over the dunes again", "on level ground"}
LEGS = {f"{place} leg {side}" for place in ("front", "middle", "hind") for side in ("left", "right")}


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that the example writes, in an empty folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder := tmp_path_factory.mktemp("day"))
        runpy.run_path(str(ROOT / "examples" / "animators_day.py"), run_name="__main__")
    return folder / "out" / "animators_day" / "day.glb"


def test_it_has_three_clips_of_one_creature_with_six_legs_and_the_dunes(day: Path):
    """trimesh reads nodes and meshes; heights of the dunes are those of the formula, from 0 to 3 cm."""
    file, scene = pygltflib.GLTF2().load(str(day)), trimesh.load(day)
    assert {animation.name for animation in file.animations} == TAKES
    assert {leg for leg in LEGS for name in scene.graph.nodes if name.startswith(leg)} == LEGS
    pose, geometry = scene.graph["ground"]
    heights = trimesh.transform_points(scene.geometry[geometry].vertices, pose)[:, 1]  # y is up
    assert heights.min() == pytest.approx(0.0, abs=1e-6)
    assert heights.max() == pytest.approx(0.03, abs=1e-3)


def test_its_clips_move_the_same_links_differently(day: Path):
    file = pygltflib.GLTF2().load(str(day))
    ends = []
    for animation in file.animations:
        assert {channel.target.node for channel in animation.channels} == {
            channel.target.node for channel in file.animations[0].channels
        }
        first = next(c for c in animation.channels if c.target.node == 0 and c.target.path == "translation")
        accessor = file.accessors[animation.samplers[first.sampler].output]
        view, blob = file.bufferViews[accessor.bufferView], file.binary_blob()
        places = np.frombuffer(blob, "<f4", 3 * accessor.count, view.byteOffset + (accessor.byteOffset or 0))
        ends.append(tuple(places[-3:]))
    assert len(set(ends)) == 3


def test_its_walk_cycle_loops_at_the_origin(day: Path):
    """Each node ends where and as it begins; the trunk, node 0, is above the origin of the file (y is up)."""
    file = pygltflib.GLTF2().load(str(day.with_name("cycle.glb")))
    for channel in file.animations[0].channels:
        frames = numbers(file, file.animations[0].samplers[channel.sampler].output)
        sign = np.sign(frames[0] @ frames[-1]) if channel.target.path == "rotation" else 1.0
        np.testing.assert_allclose(sign * frames[-1], frames[0], atol=1e-6)
        if (channel.target.node, channel.target.path) == (0, "translation"):
            np.testing.assert_allclose(frames[0, :2], 0.0, atol=1e-6)


@pytest.mark.slow
def test_blender_has_an_action_for_each_take(day: Path):
    words = [sys.executable, str(SCRIPT), str(day)]
    message = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300).stdout
    reported = [line.removeprefix("CLIP ") for line in message.splitlines() if line.startswith("CLIP ")]
    for take in TAKES:
        assert any(line.startswith(take) for line in reported), reported
