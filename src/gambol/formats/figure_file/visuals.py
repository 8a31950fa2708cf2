"""Visuals in a figure file: a mesh file beside it, or a shape, with pose, colour, opacity and finish."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gambol.errors import FigureError, GambolError
from gambol.figure import IDENTITY, SHAPES, Material, Shape, Submesh, Visual, VisualMesh
from gambol.formats.figure_file.rotations import read_rotation, rotation_keys
from gambol.formats.figure_file.schema import VISUAL_KEYS
from gambol.formats.figure_file.solids import read_shape, size_keys
from gambol.formats.finish import finish_row, read_finish
from gambol.formats.table import Table
from gambol.formats.visuals import ObjFiles, read_visual_mesh


def read_visual(row: Table, folder: Path) -> Visual:
    """Return a visual of a link.

    folder: folder of the figure file, which contains the mesh file. Raises FigureError if it is invalid.
    """
    if ("mesh" in row) == ("shape" in row):
        raise FigureError(f'{row.location()}: a visual has a "mesh", which is a file, or a "shape"; give one of them')
    return Visual(
        _mesh(row, folder) if "mesh" in row else _shape(row),
        row.triple("position", (0.0, 0.0, 0.0)),
        read_rotation(row),
        Material(row.text("color") if "color" in row else None, row.number("opacity", 1.0), finish=read_finish(row)),
    )


def _shape(row: Table) -> Shape:
    kind = row.text("shape", allowed=SHAPES)
    row.check_keys("shape", *VISUAL_KEYS, *size_keys(kind), *rotation_keys())
    return read_shape(row, kind)


def _mesh(row: Table, folder: Path) -> VisualMesh:
    row.check_keys("mesh", "scale", *VISUAL_KEYS, *rotation_keys())
    numbers = row.numbers("scale", (1.0,))
    if len(numbers) not in (1, 3):
        raise FigureError(
            f"{row.location_of('scale')} has {len(numbers)} numbers; give one, or one each for x, y and z"
        )
    x, y, z = numbers * (3 // len(numbers))
    try:
        return read_visual_mesh(folder / row.text("mesh"), (x, y, z))
    except GambolError as error:
        known = row.where in str(error)
        raise error if known else FigureError(f"{row.location_of('mesh')}: {error}") from error


def visual_rows(visuals: tuple[Visual, ...], folder: Path | None, files: ObjFiles) -> list[dict[str, Any]]:
    """Return the rows of the visuals of a link.

    folder: folder of the figure file, to which paths of meshes are relative; None: they are absolute. files: receives
    meshes without a file of their own.
    """
    rows: list[dict[str, Any]] = []
    for visual in visuals:
        pose: dict[str, Any] = {"position": visual.position} if any(visual.position) else {}
        pose |= {} if visual.rotation == IDENTITY else {"rotation": visual.rotation}
        for shape, material in _shape_rows(visual, folder, files):
            look = {} if material.color is None else {"color": material.color}
            look |= {} if material.opacity == 1.0 else {"opacity": material.opacity}
            rows.append(shape | pose | look | finish_row(material.finish))
    return rows


def _shape_rows(visual: Visual, folder: Path | None, files: ObjFiles) -> Iterator[tuple[dict[str, Any], Material]]:
    """Yield the keys of shapes or mesh files of a visual, with their colour and opacity."""
    if isinstance(visual.shape, VisualMesh) and visual.shape.file:
        file = Path(visual.shape.file)
        path = file if folder is None else Path(os.path.relpath(file, folder.absolute()))
        scale = {} if visual.shape.scale == (1.0, 1.0, 1.0) else {"scale": visual.shape.scale}
        yield {"mesh": path.as_posix()} | scale, visual.material
        return
    for surface, material in visual.surfaces():
        if isinstance(surface, Submesh):
            in_row = replace(material, opacity=1.0) if material.texture else material  # the .mtl file has the opacity
            yield {"mesh": files.mesh(surface, material)}, in_row
        else:
            yield {"shape": surface.kind} | {key: getattr(surface, key) for key in size_keys(surface.kind)}, material
