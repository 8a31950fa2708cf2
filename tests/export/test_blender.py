"""Files in Blender itself, as a Python module of its own process: joints are where the film has them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gambol.export import export_film
from gambol.export.clip import clip_of
from gambol.export.matter_surfaces import moving_surfaces
from gambol.export.morphs import ERROR
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
    said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300).stdout
    seen, worst = next(line.split()[1:] for line in said.splitlines() if line.startswith("JOINTS"))
    assert int(seen) == 12 * len(clip.links)
    assert float(worst) < 1e-5 * np.ptp(clip.position.reshape(-1, 3), axis=0).max()


@pytest.mark.slow
def test_blender_sees_cloth_ropes_and_muscles_move_as_in_the_film(gale: Film, tmp_path: Path):
    export_film(gale, tmp_path / "gale.glb")
    wanted = {surface.name: surface.points for surface in moving_surfaces(clip_of(gale).matter)}
    script, target = SCRIPT.with_name("blender_points.py"), tmp_path / "points.npz"
    rate, frames = clip_of(gale).rate, len(clip_of(gale).time)
    words = [sys.executable, str(script), str(tmp_path / "gale.glb"), str(target), str(rate), str(frames), *wanted]
    subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    with np.load(target) as data:
        for name, points in wanted.items():
            extent = np.linalg.norm(np.ptp(points.reshape(-1, 3), axis=0))
            np.testing.assert_allclose(data[name], points, atol=(ERROR + 1e-5) * extent, rtol=0.0)
