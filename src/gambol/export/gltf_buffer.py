"""The binary part of a glTF file: arrays, each with a buffer view and an accessor."""

import shutil
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.world.film.large import pieces

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


MAX_BYTES = 2**32 - 1
"""Maximum size of a binary file: its header has 32 bits for it. [Khronos, glTF 2.0, section 4.4]"""


@dataclass
class GltfBuffer:
    """Arrays of a glTF file, one after another, each aligned to 4 bytes.

    data: a file that contains the arrays, such as a temporary file, since they may be larger than memory. size: its
    size [bytes].
    """

    data: IO[bytes]
    size: int = 0
    views: list[Any] = field(default_factory=list[Any])
    accessors: list[Any] = field(default_factory=list[Any])

    def add(
        self,
        array: NDArray[Any],
        *,
        target: int | None = None,
        bounds: bool = False,
        order: Sequence[int] | None = None,
    ) -> int:
        """Add an array (N,), (N, k) or (N, 4, 4) and return the index of its accessor; float64 becomes float32.

        target: ARRAY or ELEMENTS for data of meshes. bounds: True to store the minimum and maximum, as glTF requires
        for points and times. order: order of the columns, such as (1, 2, 3, 0). Matrices are stored by
        columns.
        """
        lib = pygltflib()
        if array.ndim == 3:
            array = array.transpose(0, 2, 1).reshape(len(array), 16)
        kind = "SCALAR" if array.ndim == 1 else {2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}[array.shape[1]]
        dtype = np.dtype(np.float32) if array.dtype == np.float64 else array.dtype
        columns = slice(None) if order is None else list(order)
        parts = (array[piece].astype(dtype) for piece in pieces(len(array), int(np.prod(array.shape[1:]))))
        view = self._add_view((np.ascontiguousarray(part[..., columns]).tobytes() for part in parts), target)
        limits = {}
        if bounds:
            low, high = (np.atleast_1d(limit(axis=0)).astype(dtype) for limit in (array.min, array.max))
            limits = {"min": low.tolist(), "max": high.tolist()}
        component = COMPONENTS[dtype.name]
        self.accessors.append(
            lib.Accessor(bufferView=view, componentType=component, count=len(array), type=kind, **limits)
        )
        return len(self.accessors) - 1

    def add_bytes(self, data: bytes, target: int | None = None) -> int:
        """Add bytes, such as those of an image, and return the index of their buffer view."""
        return self._add_view((data,), target)

    def _add_view(self, parts: Iterable[bytes], target: int | None) -> int:
        """Add bytes in parts, and return the index of their buffer view."""
        start = self.size + -self.size % 4
        self.data.write(b"\0" * (start - self.size))
        self.size = start
        for part in parts:
            self.data.write(part)
            self.size += len(part)
        length = self.size - start
        self.views.append(pygltflib().BufferView(buffer=0, byteOffset=start, byteLength=length, target=target))
        return len(self.views) - 1

    def write_file(self, gltf: Any, path: Path) -> None:
        """Write a binary file: the description of a pygltflib.GLTF2 and these arrays. [Khronos, glTF 2.0, section 4.4]

        Raises GambolError for a file that is too large for the format.
        """
        text = gltf.gltf_to_json(separators=(",", ":"), indent=None).encode("utf-8")
        text += b" " * (-len(text) % 4)
        padding = -self.size % 4
        length = 12 + 8 + len(text) + 8 + self.size + padding
        if length > MAX_BYTES:
            raise GambolError(f"a glTF file has 4.3 GB at most, and this has {length / 1e9:.2f} GB; give a lower rate")
        with path.open("wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, length))
            file.write(struct.pack("<I4s", len(text), b"JSON") + text)
            file.write(struct.pack("<I4s", self.size + padding, b"BIN\0"))
            self.data.seek(0)
            shutil.copyfileobj(self.data, file)
            file.write(b"\0" * padding)
