"""glTF 2.0 files (.glb, .gltf) to draw: the meshes of the scene, in the frames of their nodes. [Khronos, glTF 2.0]

Animations and skins are not read.
"""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure import Finish, Material, Submesh, Texture
from gambol.figure.color import color_text, srgb
from gambol.formats.safe_files import file_bytes
from gambol.formats.visuals.images import TextureFolder, Transparency, check_image, with_transparency
from gambol.formats.visuals.normals import submesh_of
from gambol.spatial.rotation import Quaternion

Array = NDArray[np.float64]
Json = Mapping[str, Any]

MAX_BYTES = 200_000_000
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
ALPHA_MODES: Mapping[str, Transparency] = {"OPAQUE": "opaque", "MASK": "mask", "BLEND": "blend"}
TRIANGLES = 4  # the mode of a primitive
Z_UP = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""Rotation that takes glTF's upward axis, y, to z."""


def read_gltf(path: Path, textures: TextureFolder) -> list[Submesh]:
    """Return the meshes of a glTF file, one for each primitive. Raises GambolError for an invalid file."""
    data = file_bytes(path, "mesh", MAX_BYTES)
    try:
        text, binary = _chunks(data) if data.startswith(b"glTF") else (data, b"")
        content: Any = json.loads(text)
        needed = cast(list[str], content.get("extensionsRequired", []))
        if needed:
            names = ", ".join(map(str, needed))[:100]
            raise GambolError(f'the mesh "{path.name}" needs the extensions {names}; export it without compression')
        return list(_Gltf(path, content, binary, textures).meshes())
    except GambolError:
        raise
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise GambolError(f'the mesh "{path.name}" is not a glTF 2.0 file: {str(error)[:100]}') from error


def _chunks(data: bytes) -> tuple[bytes, bytes]:
    """Return the text and the binary part of a .glb file."""
    found: dict[int, bytes] = {}
    start = 12
    while start + 8 <= len(data):
        length, kind = (int.from_bytes(data[start + k : start + k + 4], "little") for k in (0, 4))
        found.setdefault(kind, data[start + 8 : start + 8 + length])
        start += 8 + length
    return found[JSON_CHUNK], found.get(BINARY_CHUNK, b"")


@dataclass
class _Gltf:
    """A file that is being read. content: its JSON; binary: the buffer of a .glb file."""

    path: Path
    content: Json
    binary: bytes
    textures: TextureFolder

    def meshes(self) -> Iterator[Submesh]:
        """Yield the meshes of all nodes of the scene."""
        nodes: list[Json] = self.content["nodes"]
        stack, visited = [(k, Z_UP) for k in self._roots(nodes)], set[int]()
        while stack:
            index, frame = stack.pop()
            if index in visited:
                raise GambolError(f'the mesh "{self.path.name}" has nodes in a circle, or node {index} in two places')
            visited.add(index)
            node = nodes[index]
            frame = frame @ _transform(node)
            stack += [(child, frame) for child in node.get("children", [])]
            if "mesh" in node:
                for primitive in self.content["meshes"][node["mesh"]]["primitives"]:
                    yield self._primitive(primitive, frame)

    def _roots(self, nodes: list[Json]) -> list[int]:
        """Return the root nodes of the scene; without scenes, all nodes that are not children."""
        if scenes := self.content.get("scenes"):
            return cast(list[int], scenes[int(self.content.get("scene", 0))]["nodes"])
        children = {child for node in nodes for child in node.get("children", [])}
        return [k for k in range(len(nodes)) if k not in children]

    def _primitive(self, primitive: Json, frame: Array) -> Submesh:
        if primitive.get("mode", TRIANGLES) != TRIANGLES:
            raise GambolError(f'the mesh "{self.path.name}" has lines, points or strips; export it as triangles')
        columns: Json = primitive["attributes"]
        points = self._numbers(columns["POSITION"]) @ frame[:3, :3].T + frame[:3, 3]
        order = self._numbers(primitive["indices"])[:, 0].astype(np.int64) if "indices" in primitive else None
        corners = (np.arange(len(points)) if order is None else order).reshape(-1, 3)
        if not len(corners) or corners.max() >= len(points):
            raise ValueError(f"triangles beyond its {len(points)} points, or none")
        if np.linalg.det(frame[:3, :3]) < 0.0:
            corners = corners[:, ::-1]
        rows = corners.reshape(-1)
        normals = uv = None
        if "NORMAL" in columns:
            normals = (self._numbers(columns["NORMAL"]) @ np.linalg.pinv(frame[:3, :3]))[rows]
        if "TEXCOORD_0" in columns:
            uv = self._numbers(columns["TEXCOORD_0"])[rows] * (1.0, -1.0) + (0.0, 1.0)
        material = self._material(primitive["material"]) if "material" in primitive else self.textures.default
        return submesh_of(points, corners, normals, uv, material)

    def _material(self, index: int) -> Material:
        material: Json = self.content["materials"][index]
        surface: Json = material.get("pbrMetallicRoughness", {})
        red, green, blue, alpha = (float(x) for x in surface.get("baseColorFactor", (1.0, 1.0, 1.0, 1.0)))
        transparency = ALPHA_MODES[material.get("alphaMode", "OPAQUE")]
        opacity = min(max(alpha, 0.0), 1.0) if transparency == "blend" else 1.0
        texture = self._texture(surface["baseColorTexture"]["index"]) if "baseColorTexture" in surface else None
        if texture is not None:
            texture = with_transparency(texture, transparency, float(material.get("alphaCutoff", 0.5)))
        color = _srgb_text((red, green, blue))
        return Material(None if texture and color == "#ffffff" else color, opacity, texture, _finish(material, surface))

    def _texture(self, index: int) -> Texture | None:
        image: Json = self.content["images"][self.content["textures"][index]["source"]]
        uri = str(image.get("uri", ""))
        if uri and not uri.startswith("data:"):
            return self.textures.texture(uri)
        data = _data_of(uri) if uri else bytes(self._view(self.content["bufferViews"][image["bufferView"]]))
        texture = Texture(str(image.get("name", "texture")), data)
        try:
            check_image(texture)
        except GambolError as error:
            return self.textures.omit(str(error))
        return texture

    def _numbers(self, index: int) -> Array:
        """Return the rows of an accessor as numbers.

        Integers that represent fractions are divided by their largest value.
        """
        accessor: Json = self.content["accessors"][index]
        if "sparse" in accessor or "bufferView" not in accessor:
            raise GambolError(f'the mesh "{self.path.name}" has sparse numbers, which are not read')
        view: Json = self.content["bufferViews"][accessor["bufferView"]]
        kind, width, count = (
            np.dtype(COMPONENTS[accessor["componentType"]]),
            WIDTHS[accessor["type"]],
            accessor["count"],
        )
        stride, start = view.get("byteStride") or width * kind.itemsize, accessor.get("byteOffset", 0)
        data = self._view(view)
        if min(count, stride) < 1 or start < 0 or start + (count - 1) * stride + width * kind.itemsize > len(data):
            raise ValueError(f"accessor {index} is longer than its buffer")
        rows = np.ndarray((count, width), kind, data, start, (stride, kind.itemsize))
        limit = np.iinfo(kind).max if accessor.get("normalized") and kind.kind in "iu" else 1.0
        return rows.astype(float) / limit

    def _view(self, view: Json) -> memoryview:
        buffer: Json = self.content["buffers"][view["buffer"]]
        uri = str(buffer.get("uri", ""))
        start, length = view.get("byteOffset", 0), view["byteLength"]
        data = self.binary if not uri else _data_of(uri) if uri.startswith("data:") else self._file(uri)
        if min(start, length) < 0 or start + length > len(data):
            raise ValueError("a part of a buffer lies outside it")
        return memoryview(data)[start : start + length]

    def _file(self, uri: str) -> bytes:
        return file_bytes(self.path.parent / unquote(uri), "buffer", MAX_BYTES)


def _finish(material: Json, surface: Json) -> Finish:
    """Return the finish of a material; that of an image of roughness and metal, which is not read, is plain."""
    emitted: list[float] = material.get("emissiveFactor", [0.0, 0.0, 0.0])
    emission = _srgb_text(emitted) if any(emitted) and "emissiveTexture" not in material else None
    if "metallicRoughnessTexture" in surface:
        return Finish(emission=emission)
    roughness, metallic = (float(surface.get(f"{name}Factor", 1.0)) for name in ("roughness", "metallic"))
    return Finish(min(max(roughness, 0.0), 1.0), min(max(metallic, 0.0), 1.0), emission)


def _srgb_text(linear: Sequence[float]) -> str:
    rgb: list[float] = srgb(np.clip(linear, 0.0, 1.0)).tolist()
    return color_text(*rgb)


def _data_of(uri: str) -> bytes:
    """Return the bytes of a data URI."""
    try:
        return base64.b64decode(uri.partition(";base64,")[2], validate=True)
    except binascii.Error as error:
        raise ValueError("a data URI is not in base64") from error


def _transform(node: Json) -> Array:
    """Return the matrix (4, 4) of a node."""
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    matrix = np.eye(4)
    x, y, z, w = (float(each) for each in node.get("rotation", (0.0, 0.0, 0.0, 1.0)))
    matrix[:3, :3] = np.array(Quaternion(w, x, y, z).rotation().rows) * np.array(node.get("scale", (1.0, 1.0, 1.0)))
    matrix[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return matrix
