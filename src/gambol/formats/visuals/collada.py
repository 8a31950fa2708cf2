"""COLLADA files (.dae) to draw: the meshes of the scene, in the frames of its nodes. [Khronos, COLLADA 1.4]

Lengths are multiplied by the file's unit. As in RViz, the file's upward axis (up_axis) is ignored.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure import Material, Submesh
from gambol.formats.visuals.collada_materials import Effects, url_of
from gambol.formats.visuals.images import TextureFolder
from gambol.formats.visuals.normals import submesh_of
from gambol.formats.xml_file import Element, read_xml

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MAX_LEVELS = 100  # nesting of nodes, including instances of other nodes
MAX_INSTANCES = 10_000  # instances of geometries; nested instances of nodes multiply their number
SURFACES = ("triangles", "polylist", "polygons")


def read_collada(path: Path, textures: TextureFolder) -> list[Submesh]:
    """Return the meshes of a COLLADA file, one for each set of triangles. Raises GambolError for an invalid file."""
    root = read_xml(path)
    if root.tag != "COLLADA":
        raise GambolError(f"{root.where}: a COLLADA file begins with <COLLADA>, not with <{root.tag}>")
    elements = {element.attributes["id"]: element for element in root.walk() if "id" in element.attributes}
    reader = _Collada(elements, Effects(elements, textures))
    try:
        unit = next((e.number("meter", 1.0) for e in root.walk() if e.tag == "unit"), 1.0)
        scenes = [elements.get(url_of(e)) for e in root.walk() if e.tag == "instance_visual_scene"]
        scenes = scenes or [e for e in root.walk() if e.tag == "visual_scene"]
        frame = np.diag([unit, unit, unit, 1.0])
        return [
            mesh for scene in scenes if scene for node in scene.find_all("node") for mesh in reader.node(node, frame)
        ]
    except GambolError:
        raise
    except (ValueError, IndexError, KeyError) as error:
        raise GambolError(f'the mesh "{path.name}" has numbers or names that do not fit: {str(error)[:100]}') from error


@dataclass
class _Collada:
    """Reads nodes.

    elements: elements by their ids; instances: number of instances of geometries read so far; tables: tables of sources
    by their ids.
    """

    elements: Mapping[str, Element]
    effects: Effects
    instances: int = 0
    tables: dict[str, Array] = field(default_factory=dict[str, Array])

    def node(self, node: Element, frame: Array, level: int = 0) -> Iterator[Submesh]:
        """Yield the meshes of a node and of all nodes below it. frame (4, 4): frame of its parent."""
        if level > MAX_LEVELS:
            raise GambolError(f"{node.where}: nodes are nested, or instance each other, more than {MAX_LEVELS} deep")
        for child in node.children:
            if child.tag in TRANSFORMS:
                frame = frame @ _transform(child)
        for child in node.children:
            if child.tag == "node":
                yield from self.node(child, frame, level + 1)
            elif child.tag == "instance_node":
                yield from self.node(self.elements[url_of(child)], frame, level + 1)
            elif child.tag == "instance_geometry":
                self.instances += 1
                if self.instances > MAX_INSTANCES:
                    raise GambolError(f"{child.where}: the file has more than {MAX_INSTANCES} instances of geometries")
                materials = self.effects.bound(child)
                for mesh in self.elements[url_of(child)].find_all("mesh"):
                    for surface in (each for each in mesh.children if each.tag in SURFACES):
                        material = materials.get(surface.attributes.get("material", ""), self.effects.textures.default)
                        yield from self._surface(surface, frame, material)

    def _surface(self, surface: Element, frame: Array, material: Material) -> Iterator[Submesh]:
        """Yield the mesh of a set of triangles or polygons, if it has any."""
        corners = _corners(surface)
        if not len(corners):
            return
        names = ("POSITION", "NORMAL", "TEXCOORD") if material.texture else ("POSITION", "NORMAL")
        columns = self._columns(surface, corners, names)
        points = columns["POSITION"] @ frame[:3, :3].T + frame[:3, 3]
        normals = columns.get("NORMAL")
        if normals is not None:
            normals = normals @ np.linalg.pinv(frame[:3, :3])
        order: Indices = np.arange(len(points)).reshape(-1, 3)
        if np.linalg.det(frame[:3, :3]) < 0.0:
            order = order[:, ::-1]
        rows = order.reshape(-1)
        uv = columns["TEXCOORD"][rows, :2] if "TEXCOORD" in columns else None
        yield submesh_of(points, order, None if normals is None else normals[rows], uv, material)

    def _columns(self, surface: Element, corners: Indices, names: Sequence[str]) -> dict[str, Array]:
        """Return numbers of each corner by their meaning, one of `names`."""
        columns: dict[str, Array] = {}
        for entry in surface.find_all("input"):
            index = corners[:, int(entry.attributes.get("offset", 0))]
            source = self.elements[url_of(entry, "source")]
            inner = source.find_all("input") if source.tag == "vertices" else [entry]
            for each in inner:
                name = each.attributes.get("semantic", "")
                if name in names and name not in columns:
                    table = self._table(url_of(each, "source"))
                    if index.min() < 0 or index.max() >= len(table):
                        raise IndexError(f"a corner has the {name} {index.max()}, but there are only {len(table)}")
                    columns[name] = table[index]
        return columns

    def _table(self, name: str) -> Array:
        """Return the rows of numbers of a source. name: id of the source."""
        if name in self.tables:
            return self.tables[name]
        source = self.elements[name]
        numbers = np.fromiter(map(float, source.find_all("float_array")[0].text.split()), float)
        accessors = [e for e in source.walk() if e.tag == "accessor"]
        stride = int(accessors[0].attributes.get("stride", 1)) if accessors else 3
        if not 2 <= stride <= 16:
            raise ValueError(f"a stride of {stride}")
        self.tables[name] = numbers[: len(numbers) // stride * stride].reshape(-1, stride)[:, :3]
        return self.tables[name]


def _corners(surface: Element) -> Indices:
    """Return the indices of each corner of the triangles of a surface (3 T, inputs); polygons become fans."""
    stride = 1 + max((int(e.attributes.get("offset", 0)) for e in surface.find_all("input")), default=0)
    lists = [np.fromiter(map(int, p.text.split()), np.int64) for p in surface.find_all("p")]
    counts: Indices = np.array([len(each) // stride for each in lists], np.int64)
    indices = np.concatenate(lists).reshape(-1, stride) if lists else np.empty((0, stride), np.int64)
    if surface.tag == "triangles":
        return indices[: len(indices) // 3 * 3]
    if surface.tag == "polylist":
        counts = np.array([int(word) for e in surface.find_all("vcount") for word in e.text.split()], np.int64)
    if counts.min(initial=0) < 0 or counts.sum() > len(indices):
        raise IndexError(f"polygons need {counts.sum()} corners, but there are {len(indices)}")
    first, fans = np.cumsum(counts) - counts, np.maximum(counts - 2, 0)
    starts = np.repeat(first, fans)
    step: Indices = np.arange(int(fans.sum())) - np.repeat(np.cumsum(fans) - fans, fans)
    return indices[np.stack([starts, starts + step + 1, starts + step + 2], axis=1).reshape(-1)]


def _transform(element: Element) -> Array:
    """Return the matrix (4, 4) of an element of TRANSFORMS."""
    numbers = np.array(element.text.split(), float)
    if len(numbers) != TRANSFORMS[element.tag]:
        raise GambolError(f"{element.where}: <{element.tag}> has {len(numbers)} numbers")
    matrix = np.eye(4)
    if element.tag == "matrix":
        return numbers.reshape(4, 4)
    if element.tag == "translate":
        matrix[:3, 3] = numbers
    elif element.tag == "scale":
        matrix[:3, :3] = np.diag(numbers)
    else:
        x, y, z = numbers[:3] / max(float(np.linalg.norm(numbers[:3])), 1e-300)
        s, c = np.sin(np.radians(numbers[3])), np.cos(np.radians(numbers[3]))
        across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        matrix[:3, :3] += s * across + (1.0 - c) * across @ across  # [Rodrigues]
    return matrix


TRANSFORMS = {"matrix": 16, "translate": 3, "rotate": 4, "scale": 3}
"""Elements that transform a node, and the number of values in each."""
