"""An opened USD stage as data in SI units with z up: bodies, shapes, joints.

A matrix M of the file takes points of a prim, in its units, to the world: p_W = M p. A rigid body has no scale, so M is
divided into a pose X_WB and the remaining scale S, M = X_WB S; S multiplies all values in the axes of the prim.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure.rotation import matrix
from gambol.formats.foreign_parser import Parser, ask_parser
from gambol.formats.safe_files import file_size
from gambol.spatial import Quaternion

Array: TypeAlias = NDArray[np.float64]
Prim: TypeAlias = Mapping[str, Any]
"""A prim as the worker returns it, in the units of the file."""

OPENUSD = Parser("OpenUSD", Path(__file__).with_name("worker.py"), "from pxr import Usd")

BASE_SECONDS = 10.0  # s: time limit of a small file, which takes some 0.1 s
MAX_BYTES = 100_000_000  # of the first file
UP: Mapping[str, Array] = {"Z": np.eye(3), "Y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])}
"""The rotation from the axes of a file to axes with z up, by the name of the file's upward axis."""

Z_TO: Mapping[str, Array] = {
    "X": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    "Y": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    "Z": np.eye(3),
}
"""The rotation with z along the named axis of a prim."""

MIN_SCALE_RATIO = 1e-9  # ratio of a prim's smallest scale to its largest below which it is flat


@dataclass(frozen=True)
class Place:
    """The transform of a prim as a pose in the world and a scale.

    pose: X_WB, (4, 4), without scale [m]. scale: S, (3, 3): metres in the prim's axes for each unit of the file.
    """

    pose: Array
    scale: Array


@dataclass(frozen=True)
class Units:
    """Units of a file. length [m], mass [kg]; units of time and angle are always the second and the degree."""

    length: float
    mass: float

    @property
    def force(self) -> float:
        """One unit of force [N]."""
        return self.mass * self.length

    @property
    def torque(self) -> float:
        """One unit of torque [N m], and also of rotational inertia [kg m2]."""
        return self.mass * self.length**2


@dataclass(frozen=True)
class Stage:
    """A stage. file: name of the file. units: units of the numbers in prims. up: rotation to axes with z up, (3, 3).

    content: bodies, shapes, joints and scenes as the worker returns them, in the units of the file. arrays: numbers
    of meshes, in the units and axes of their prims, and bytes of images.
    """

    file: str
    units: Units
    up: Array
    content: Mapping[str, Any]
    arrays: tuple[NDArray[Any], ...]

    def prims(self, kind: str) -> Sequence[Prim]:
        """Return all prims of a kind: "bodies", "shapes", "joints" or "scenes"."""
        return self.content[kind]

    def place(self, rows: Any, owner: str) -> Place:
        """Return the pose and scale of a prim from its matrix in the file. owner: path of the prim, for the message.

        Raises GambolError for a matrix that is not finite, or is flat.
        """
        M = np.array(rows, float)
        linear = self.units.length * (self.up @ M[:3, :3])
        position = self.units.length * (self.up @ M[:3, 3])
        sizes = np.linalg.svd(linear, compute_uv=False) if np.isfinite(M).all() else np.zeros(3)
        if not MIN_SCALE_RATIO * sizes[0] < sizes[2] < math.inf:
            raise GambolError(f'{self.file}: "{owner}" has a scale of 0, or a transform that is not finite')
        rotation = orthonormal(linear)
        return Place(pose_of(rotation, position), rotation.T @ linear)

    def scaled_points(self, mesh: Prim, place: Place) -> Array:
        """Return the points of a mesh (n, 3) in the axes of its prim [m]. place: pose and scale of the mesh."""
        return np.einsum("ij,nj->ni", place.scale, self.arrays[int(mesh["points"])])


def open_stage(path: Path, visuals: bool) -> Stage:
    """Return the stage in a file and all files that it refers to, which must lie below its folder.

    visuals: False to leave out how its shapes look.

    Raises GambolError if OpenUSD is not installed or cannot read the file, and for a file that refers to others outside
    its folder.
    """
    size = file_size(path, "USD file")
    if size > MAX_BYTES:
        raise GambolError(f'the USD file "{path}" has {size} bytes, but {MAX_BYTES} at most are read')
    if find_spec("pxr") is None:
        raise GambolError(f'{path.name} is a USD file, which OpenUSD reads; install it: pip install "gambol[export]"')
    answer = ask_parser(OPENUSD, {"path": str(path.absolute()), "visuals": visuals}, path, BASE_SECONDS + size / 1e6)
    content = json.loads(answer["about"].tobytes())
    if "error" in content:
        raise GambolError(f"{path.name}: {content['error']}")
    units = Units(float(content["meters_per_unit"]), float(content["kilograms_per_unit"]))
    if not (0.0 < units.length < math.inf and 0.0 < units.mass < math.inf):
        raise GambolError(f"{path.name} has units of {units.length:g} m and {units.mass:g} kg; both must be positive")
    if content["up"] not in UP:
        raise GambolError(f'{path.name} has the upward axis "{content["up"]}"; it must be Y or Z')
    arrays = tuple(answer[f"array{k}"] for k in range(len(answer) - 1))
    return Stage(path.name, units, UP[content["up"]], content, arrays)


def orthonormal(linear: Array) -> Array:
    """Return the rotation with x along the first column, and the second column in its xy plane. [Gram-Schmidt]"""
    x = linear[:, 0] / np.linalg.norm(linear[:, 0])
    y = linear[:, 1] - x * (x @ linear[:, 1])
    y = y / np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=1).astype(np.float64)


def pose_of(rotation: Array, position: Iterable[float]) -> Array:
    """Return a pose (4, 4) of a rotation (3, 3) and a position."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, np.array(tuple(position))
    return pose


def inverse(pose: Array) -> Array:
    """Return the inverse of a pose (4, 4)."""
    return pose_of(pose[:3, :3].T, -pose[:3, :3].T @ pose[:3, 3])


def rotation_of(quaternion: Sequence[float], owner: str) -> Array:
    """Return the rotation (3, 3) of a quaternion (w, x, y, z); all zeros mean none. owner: its owner, for the message.

    Raises GambolError for a quaternion that is not finite.
    """
    length = math.hypot(*quaternion)
    if not math.isfinite(length):
        raise GambolError(f'"{owner}" has a quaternion that is not finite')
    if length == 0.0:
        return np.eye(3)
    return np.array(matrix(Quaternion(*(x / length for x in quaternion)).rotation().rows))
