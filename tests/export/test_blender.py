"""Files in Blender itself, as a Python module of its own process: joints are where the film has them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gambol.export import export_film
from gambol.export.clip import clip_of
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
