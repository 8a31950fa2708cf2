"""BVH files, read and put together by a program of our own from SciPy's rotations."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gambol.errors import GambolError
from gambol.export import write_bvh
from gambol.world import Film


def read(path: Path) -> tuple[list[tuple[str, int, np.ndarray, int]], np.ndarray, float]:
    """Return name, parent, offset and channels of each joint, the numbers of each frame, and the time of a frame."""
    joints: list[tuple[str, int, np.ndarray, int]] = []
    stack: list[int] = []
    head, motion = path.read_text(encoding="utf-8").split("MOTION\n")
    name, ends = "", False
    for words in map(str.split, head.splitlines()[1:]):
        if words[0] in ("ROOT", "JOINT"):
            name = words[1]
        elif words[0] == "End":
            ends = True
        elif words[0] == "OFFSET" and not ends:
            joints.append((name, stack[-1] if stack else -1, np.array(words[1:], float), 0))
            stack.append(len(joints) - 1)
        elif words[0] == "CHANNELS":
            joints[-1] = (*joints[-1][:3], int(words[1]))
        elif words[0] == "}":
            if ends:
                ends = False
            else:
                stack.pop()
    frames, time, *rows = motion.splitlines()
    numbers = np.array([row.split() for row in rows], float)
    assert len(numbers) == int(frames.split()[1])
    return joints, numbers, float(time.split()[2])


@pytest.mark.parametrize("rotations_only", [False, True])
def test_joints_are_where_the_film_has_them(film: Film, tmp_path: Path, rotations_only: bool):
    path = write_bvh(film, tmp_path / "beast.bvh", scale=100.0, rotations_only=rotations_only)
    joints, numbers, time = read(path)
    assert time == pytest.approx(0.02)
    names = [name.replace("_", " ") for name, *_ in joints]
    assert sorted(names) == sorted(film.link_names)
    for frame in range(0, 101, 10):
        poses: list[tuple[np.ndarray, Rotation]] = []
        column = 0
        for (_, parent, offset, channels), name in zip(joints, names, strict=True):
            row = numbers[frame, column : column + channels]
            column += channels
            place = row[:3] if channels == 6 else offset
            turn = Rotation.from_euler("ZXY", row[-3:], degrees=True)
            if parent >= 0:
                base, turned = poses[parent]
                place, turn = base + turned.apply(place), turned * turn
            poses.append((place, turn))
            x, y, z = 100.0 * film.position[frame, 0, film.link_names.index(name)]
            slides = rotations_only and name == "left foot"  # by up to 2 cm, which three channels cannot hold
            np.testing.assert_allclose(place, (x, z, -y), atol=2.1 if slides else 1e-3)


def test_angles_do_not_jump(film: Film, tmp_path: Path):
    _, numbers, _ = read(write_bvh(film, tmp_path / "beast.bvh"))
    rolled = numbers[:, 3:6]
    assert np.abs(np.diff(rolled, axis=0)).max() < 60.0  # it rolls by 4.6 degrees a frame
    assert np.ptp(rolled, axis=0).max() > 360.0


def test_a_forest_and_a_film_without_parents_are_refused(film: Film, tmp_path: Path):
    with pytest.raises(GambolError, match="no parents of links"):
        write_bvh(replace(film, parents=()), tmp_path / "a.bvh")
    with pytest.raises(GambolError, match="2 roots, and BVH holds one tree"):
        write_bvh(replace(film, parents=(-1, 0, 1, -1)), tmp_path / "a.bvh")
