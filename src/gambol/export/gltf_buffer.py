"""The binary part of a glTF file: arrays, each with a buffer view and an accessor."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError

FLOAT, UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT = 5126, 5121, 5123, 5125
"""Component types of glTF."""

ARRAY, ELEMENTS = 34962, 34963
"""Targets of glTF: attributes of vertices, and indices."""

COMPONENTS: dict[str, int] = {
    "float32": FLOAT,
    "uint8": UNSIGNED_BYTE,
    "uint16": UNSIGNED_SHORT,
    "uint32": UNSIGNED_INT,
}
"""Component types by the names of NumPy's types."""


def pygltflib() -> Any:
    """Return the library that writes glTF. Raises GambolError if it is not installed."""
    try:
        return import_module("pygltflib")
    except ImportError as error:
        raise GambolError('glTF needs pygltflib; install it by: pip install "gambol[export]"') from error


@dataclass
class GltfBuffer:
    """Arrays of a glTF file, one after another, each aligned to 4 bytes."""

    data: bytearray = field(default_factory=bytearray)
    views: list[Any] = field(default_factory=list[Any])
    accessors: list[Any] = field(default_factory=list[Any])

    def add_bytes(self, data: bytes, target: int | None = None) -> int:
        """Add bytes, such as those of an image, and return the index of their buffer view."""
        self.data += b"\0" * (-len(self.data) % 4)
        view = pygltflib().BufferView(buffer=0, byteOffset=len(self.data), byteLength=len(data), target=target)
        self.views.append(view)
        self.data += data
        return len(self.views) - 1

    def add(self, array: NDArray[Any], *, target: int | None = None, bounds: bool = False) -> int:
        """Add an array (N,), (N, k) or (N, 4, 4) and return the index of its accessor.

        target: ARRAY or ELEMENTS for data of meshes. bounds: True to tell the least and greatest value, as glTF wants
        for points and times. Matrices are stored by columns.
        """
        lib = pygltflib()
        if array.ndim == 3:
            array = array.transpose(0, 2, 1).reshape(len(array), 16)
        kind = "SCALAR" if array.ndim == 1 else {2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}[array.shape[1]]
        raw = np.ascontiguousarray(array)
        view = self.add_bytes(raw.tobytes(), target)
        limits = {}
        if bounds:
            low, high = np.atleast_1d(raw.min(axis=0)), np.atleast_1d(raw.max(axis=0))
            limits = {"min": low.tolist(), "max": high.tolist()}
        component = COMPONENTS[raw.dtype.name]
        self.accessors.append(
            lib.Accessor(bufferView=view, componentType=component, count=len(raw), type=kind, **limits)
        )
        return len(self.accessors) - 1
