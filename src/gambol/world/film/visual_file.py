"""Visuals in a film file: arrays "visual0:points" and others for each mesh, "texture0" for each image."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure import Submesh, Texture
from gambol.formats import Table
from gambol.formats.visuals import check_image
from gambol.world.film.shapes import FilmShape

Arrays = Mapping[str, NDArray[Any]]

COLUMNS = {"points": (np.float32, 3), "normals": (np.float32, 3), "uv": (np.float32, 2), "triangles": (np.uint32, 3)}
"""The type of the numbers of each array of a mesh, and the length of its rows."""


def visual_arrays(visuals: Sequence[FilmShape]) -> dict[str, NDArray[Any]]:
    """Return the arrays of all meshes and textures by their names in a file."""
    arrays: dict[str, NDArray[Any]] = {}
    for k, mesh in enumerate(_meshes(visuals)):
        arrays |= {f"visual{k}:{name}": np.asarray(getattr(mesh, name), kind) for name, (kind, _) in COLUMNS.items()}
    for k, texture in enumerate(_textures(visuals)):
        arrays[f"texture{k}"] = np.frombuffer(texture.data, np.uint8)
    return arrays


def visual_metadata(visuals: Sequence[FilmShape], row_of: Callable[[FilmShape], dict[str, Any]]) -> dict[str, Any]:
    """Return the metadata of visuals. row_of: returns the row of a shape without its mesh and its texture."""
    meshes, textures = {id(mesh): k for k, mesh in enumerate(_meshes(visuals))}, _textures(visuals)
    rows: list[dict[str, Any]] = []
    for visual in visuals:
        row = row_of(visual)
        if visual.mesh is not None:
            row["mesh"] = meshes[id(visual.mesh)]
        if visual.texture is not None:
            row["texture"] = textures.index(visual.texture)
        rows.append(row)
    return {"visuals": rows, "textures": [texture.name for texture in textures]}


def read_visuals(metadata: Table, arrays: Arrays, shape_of: Callable[[Table], FilmShape]) -> tuple[FilmShape, ...]:
    """Return the visuals of a film file; older files have no visuals. shape_of: returns the shape in a row.

    Raises GambolError for missing arrays, indices beyond their arrays, and textures that are not PNG or JPEG images.
    """
    if "visuals" not in metadata:
        return ()
    entries = metadata.entries("textures")
    names = [entries.text(index) for index in entries]
    textures = [_texture(metadata, k, name, arrays) for k, name in enumerate(names)]
    meshes: dict[int, Submesh] = {}
    visuals: list[FilmShape] = []
    for row in metadata.tables("visuals"):
        visual = shape_of(row)
        if "mesh" in row:
            index = row.integer("mesh")
            if index not in meshes:
                meshes[index] = _mesh(row, index, arrays)
            visual = replace(visual, mesh=meshes[index])
        if (visual.kind == "mesh") != (visual.mesh is not None):
            raise GambolError(f'{row.location()}: a shape of kind "mesh" has a mesh, and no other shape has one')
        if "texture" in row:
            index = row.integer("texture")
            if not 0 <= index < len(textures):
                raise GambolError(f"{row.location_of('texture')} is {index}; the file has {len(textures)} textures")
            visual = replace(visual, texture=textures[index])
        visuals.append(visual)
    return tuple(visuals)


def _mesh(row: Table, index: int, arrays: Arrays) -> Submesh:
    mesh_arrays: dict[str, Any] = {}
    for name, (kind, columns) in COLUMNS.items():
        array = arrays.get(f"visual{index}:{name}")
        if array is None or array.ndim != 2 or array.shape[1] != columns or array.dtype.kind not in "fiu":
            raise GambolError(f'{row.location()}: the file needs an array "visual{index}:{name}" (N, {columns})')
        mesh_arrays[name] = array.astype(kind)
    count = len(mesh_arrays["points"])
    fits = (
        len(mesh_arrays["normals"]) == count and len(mesh_arrays["uv"]) in (0, count) and len(mesh_arrays["triangles"])
    )
    if not fits or mesh_arrays["triangles"].max() >= count or not np.isfinite(mesh_arrays["points"]).all():
        raise GambolError(f"{row.location()}: the arrays of visual {index} do not fit together")
    return Submesh(**mesh_arrays)


def _texture(metadata: Table, index: int, name: str, arrays: Arrays) -> Texture:
    array = arrays.get(f"texture{index}")
    if array is None or array.dtype != np.uint8 or array.ndim != 1:
        raise GambolError(f'{metadata.where}: the file has no array "texture{index}" of bytes')
    texture = Texture(name, array.tobytes())
    check_image(texture)
    return texture


def _meshes(visuals: Sequence[FilmShape]) -> list[Submesh]:
    """Return the meshes, each once."""
    return list({id(visual.mesh): visual.mesh for visual in visuals if visual.mesh is not None}.values())


def _textures(visuals: Sequence[FilmShape]) -> list[Texture]:
    """Return the textures, each once."""
    return list(dict.fromkeys(visual.texture for visual in visuals if visual.texture is not None))
