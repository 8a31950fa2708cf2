"""OBJ files to draw: faces by material, with normals and texture coordinates, and their .mtl files. [Wavefront]"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np

from gambol.errors import GambolError
from gambol.figure import Finish, Material, Submesh
from gambol.figure.color import color_text
from gambol.formats.safe_files import file_bytes, file_text, path_exists
from gambol.formats.visuals.images import TextureFolder, with_transparency
from gambol.formats.visuals.normals import submesh_of

MAX_BYTES = 50_000_000  # of an OBJ file, which has some 40 bytes a line
MAX_MATERIAL_BYTES = 1_000_000
BLACK = "#000000"  # the emission of surfaces that emit no light

Default = TypeVar("Default", float, None)

Corner = tuple[int, int, int]  # indices of a point, of texture coordinates and of a normal, from 0; -1 for none


@dataclass
class _Obj:
    """The content of a file that was read so far.

    vertices: numbers by keyword. faces: triangles by the name of their material.
    """

    path: Path
    vertices: dict[str, list[tuple[float, ...]]] = field(default_factory=lambda: {"v": [], "vt": [], "vn": []})
    libraries: list[str] = field(default_factory=list[str])
    faces: dict[str, list[tuple[Corner, Corner, Corner]]] = field(
        default_factory=dict[str, list[tuple[Corner, Corner, Corner]]]
    )
    material: str = ""

    def add_numbers(self, keyword: str, words: list[str]) -> None:
        count = 2 if keyword == "vt" else 3
        self.vertices[keyword].append(tuple(float(word) for word in words[:count]))
        if len(words) < count:
            raise ValueError(f"{keyword} needs {count} numbers")

    def add_face(self, words: list[str]) -> None:
        corners = [self._corner(word) for word in words]
        rows = self.faces.setdefault(self.material, [])
        rows += [(corners[0], b, c) for b, c in pairwise(corners[1:])]

    def _corner(self, word: str) -> Corner:
        entries = [*word.split("/"), "", ""][:3]
        found: list[int] = []
        for text, keyword in zip(entries, ("v", "vt", "vn"), strict=True):
            number, count = int(text or 0), len(self.vertices[keyword])
            index = number - 1 if number > 0 else count + number if number < 0 else -1
            if index >= count or index < (0 if keyword == "v" else -1):
                raise ValueError(f"{word} is beyond the {count} lines of {keyword}")
            found.append(index)
        return (found[0], found[1], found[2])


def read_obj(path: Path, textures: TextureFolder) -> list[Submesh]:
    """Return a mesh for each material of an OBJ file.

    Raises GambolError, with the line, for content that is not OBJ.
    """
    obj = _Obj(path)
    readers: dict[str, Callable[[list[str]], None]] = {
        "f": obj.add_face,
        "mtllib": lambda words: obj.libraries.append(" ".join(words)),
        "usemtl": lambda words: setattr(obj, "material", " ".join(words)),
        **{keyword: lambda words, k=keyword: obj.add_numbers(k, words) for keyword in obj.vertices},
    }
    for number, line in enumerate(file_bytes(path, "mesh", MAX_BYTES).decode("utf-8", "replace").splitlines(), 1):
        words = line.partition("#")[0].split()
        if words and words[0] in readers:
            try:
                readers[words[0]](words[1:])
            except (ValueError, IndexError) as error:
                raise GambolError(f'the mesh "{path.name}", line {number}: {str(error)[:100]}') from error
    materials = _materials(obj, textures)
    tables = {keyword: np.array(rows, float) for keyword, rows in obj.vertices.items()}
    return [_submesh(tables, rows, materials.get(name, textures.default)) for name, rows in obj.faces.items() if rows]


def _submesh(
    tables: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]],
    rows: list[tuple[Corner, Corner, Corner]],
    material: Material,
) -> Submesh:
    index = np.array(rows, np.int64).reshape(-1, 3)
    uv = tables["vt"][index[:, 1]] if index[:, 1].min() >= 0 else None
    normals = tables["vn"][index[:, 2]] if index[:, 2].min() >= 0 else None
    return submesh_of(tables["v"], index[:, 0], normals, uv, material)


def _materials(obj: _Obj, textures: TextureFolder) -> dict[str, Material]:
    """Return the materials of the .mtl files beside an OBJ file, by name; missing files have no materials."""
    materials: dict[str, Material] = {}
    for library in obj.libraries:
        path = obj.path.parent / library.replace("\\", "/")
        if not path_exists(path):
            textures.omit("files of materials (.mtl) that OBJ files name, but that do not exist")
            continue
        name, entries = "", dict[str, list[str]]()
        for line in [*file_text(path, "file of materials", MAX_MATERIAL_BYTES).splitlines(), "newmtl"]:
            words = line.partition("#")[0].split()
            if words and words[0] == "newmtl":
                if name and name in obj.faces:
                    materials[name] = _material(entries, textures)
                name, entries = " ".join(words[1:]), {}
            elif words:
                entries[words[0]] = words[1:]
    return materials


def _material(entries: dict[str, list[str]], textures: TextureFolder) -> Material:
    """Return a material: Kd is its colour, d its opacity, and map_Kd its texture, which replaces its colour.

    Pixels of the texture are transparent only if map_d names an image. Pr, Pm and Ke are roughness, metal and emission.
    """
    image = entries.get("map_Kd")
    texture = textures.texture(" ".join(image if not image[0].startswith("-") else image[-1:])) if image else None
    if texture is not None and "map_d" not in entries:
        texture = with_transparency(texture, "opaque")
    emission = _color(entries, "Ke")
    roughness, metallic = _fraction(entries, "Pr", None), _fraction(entries, "Pm", 0.0)
    finish = Finish(roughness, metallic, None if emission == BLACK else emission)
    return Material(None if texture else _color(entries, "Kd"), _fraction(entries, "d", 1.0), texture, finish)


def _color(entries: dict[str, list[str]], key: str) -> str | None:
    """Return the colour of a key, None if it has none."""
    try:
        return color_text(*(min(max(float(x), 0.0), 1.0) for x in entries[key][:3]))
    except (KeyError, TypeError, ValueError, GambolError):
        return None


def _fraction(entries: dict[str, list[str]], key: str, default: Default) -> float | Default:
    """Return the number of a key, between 0 and 1. default: result for a key without a number."""
    try:
        return min(max(float(entries[key][-1]), 0.0), 1.0)
    except (KeyError, IndexError, ValueError):
        return default
