"""Meshes, particles and muscles in a film file: arrays named "matter0:points", and a table of metadata for each."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats import Table
from gambol.world.film.matter import FilmMatter, FilmMesh, FilmParticles
from gambol.world.film.muscle import FilmMuscle

KINDS: dict[str, type[FilmMesh] | type[FilmParticles] | type[FilmMuscle]] = {
    "mesh": FilmMesh,
    "particles": FilmParticles,
    "muscle": FilmMuscle,
}
"""The classes of matter, by the kind in a file."""

DTYPES: dict[str, Any] = {
    "points": np.float32, "triangles": np.int32, "lines": np.int32, "visible": np.bool_, "starts": np.int64,
    "velocities": np.float32, "colors": np.uint8, "radii": np.float32, "numbers": np.int64,
    "activation": np.float32, "force": np.float32,
}  # fmt: skip
"""The type of each array."""

OPTIONAL = ("visible",)


def matter_arrays(matter: Sequence[FilmMatter]) -> dict[str, NDArray[Any]]:
    """Return the arrays of all meshes, particles and muscles, by their names in a file."""
    arrays: dict[str, NDArray[Any]] = {}
    for k, each in enumerate(matter):
        for name, dtype in DTYPES.items():
            if (array := getattr(each, name, None)) is not None:
                arrays[f"matter{k}:{name}"] = np.asarray(array, dtype)
    return arrays


def matter_metadata(matter: Sequence[FilmMatter]) -> list[dict[str, Any]]:
    """Return the metadata of all meshes, particles and muscles: their kinds, and all fields that are not arrays."""
    kinds = {kind: name for name, kind in KINDS.items()}
    return [
        {"kind": kinds[type(each)]} | {f.name: getattr(each, f.name) for f in fields(each) if f.name not in DTYPES}
        for each in matter
    ]


def read_matter(row: Table, index: int, arrays: Mapping[str, NDArray[Any]]) -> FilmMatter:
    """Return a mesh, particles or a muscle of a film file.

    row: its metadata; index: in the film; arrays: arrays of the file. Raises GambolError for a missing array and for
    values that are not possible.
    """
    kind = row.text("kind", allowed=KINDS)
    values: dict[str, Any] = {}
    for field in fields(KINDS[kind]):
        if field.name in DTYPES:
            array = arrays.get(f"matter{index}:{field.name}")
            if array is None and field.name not in OPTIONAL:
                raise GambolError(f'{row.location()}: the file has no array "matter{index}:{field.name}"')
            if array is not None and array.dtype.kind not in "fiub":
                raise GambolError(f'{row.location()}: the array "matter{index}:{field.name}" has no numbers')
            values[field.name] = array if array is None else array.astype(DTYPES[field.name])
    values |= {"name": row.text("name"), "world": row.integer("world")}
    if kind == "muscle":
        return FilmMuscle(**values, width=row.number("width"))
    if kind == "mesh":
        return FilmMesh(**values, color=row.text("color"), thickness=row.number("thickness"))
    return FilmParticles(**values, streak=row.number("streak"), glow=row.boolean("glow"))
