"""Damaged MJCF files: each is read, or refused by a GambolError; nothing else may come of it."""

from pathlib import Path

import pytest
from damage import damaged
from models import random_model

from gambol.errors import GambolError
from gambol.formats import Specimen, read_mjcf

SCENE = """<mujoco model="scene"><compiler angle="degree"/><option timestep="0.01"/>
<default><joint armature="0.1" damping="1"/><geom density="500"/><default class="leg"><joint range="-60 60"/></default>
</default><worldbody><geom name="floor" type="plane" size="2 2 0.1"/>
<body name="trunk" pos="0 0 1" euler="10 0 0"><freejoint/><geom type="box" size="0.2 0.1 0.1"/><site name="s"/>
<body name="hip" pos="0.2 0 0"><joint name="x" axis="1 0 0" class="leg" ref="5" springref="3" stiffness="2"/>
<joint name="y" axis="0 1 0" pos="0 0 0.1"/><geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.05"/>
<body name="foot" pos="0 0 -0.4"><joint name="ball" type="ball"/><geom type="sphere" size="0.06" pos="0 0 -0.1"/>
<inertial pos="0 0 0" mass="1" fullinertia="0.1 0.2 0.25 0.01 0.01 0.01"/><site name="t" pos="0 0 1"/></body></body>
</body>
<body name="cart"><joint name="rail" type="slide" axis="1 0 0"/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body>
</worldbody><equality><connect body1="foot" body2="cart" anchor="0 0 0"/><weld site1="s" site2="t"/>
<joint joint1="x" joint2="rail" polycoef="0 1 0 0 0"/></equality>
<actuator><motor joint="x" gear="3"/><position name="p" joint="rail" kp="5" ctrlrange="-1 1"/></actuator>
<keyframe><key name="home" qpos="0 0 1 1 0 0 0 0 0 1 0 0 0 0"/></keyframe></mujoco>"""

SEEDS = (random_model(1), random_model(2, bodies=3), SCENE)


def outcome(folder: Path, seed: int) -> str:
    """What came of a damaged file; whatever is read must be a whole specimen."""
    path = folder / "damaged.xml"
    path.write_text(damaged(SEEDS, seed), encoding="utf-8", errors="replace")
    try:
        specimen = read_mjcf(path)
    except GambolError as error:
        return "refused" if str(error).startswith("damaged.xml") else f"seed {seed} names no file: {error}"
    assert isinstance(specimen, Specimen)
    return "read"


def test_damaged_files_are_read_or_refused(tmp_path: Path):
    assert read_mjcf_of(tmp_path, SCENE).figure.nv == 12
    assert {outcome(tmp_path, seed) for seed in range(300)} == {"read", "refused"}


@pytest.mark.slow
def test_thousands_of_damaged_files_are_read_or_refused(tmp_path: Path):
    assert {outcome(tmp_path, seed) for seed in range(1000, 9000)} == {"read", "refused"}


def read_mjcf_of(folder: Path, text: str) -> Specimen:
    path = folder / "whole.xml"
    path.write_text(text)
    return read_mjcf(path)
