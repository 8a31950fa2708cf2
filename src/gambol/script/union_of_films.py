"""Films of different figures, one after the other: every film gets the links of all, and the lines of attachments."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.world import Film
from gambol.world.film import FilmMesh, FilmShape

Array = NDArray[np.float64]


def with_all_links(films: Sequence[Film], starts: Sequence[Film]) -> list[Film]:
    """Return films with the links of all of them. A link that a film does not have stands still in it.

    It has the pose of the end of the last film before that has it, or else of the start of the first film after.
    starts: the start of each film, a film of one frame.
    """
    if all(film.link_names == films[0].link_names for film in films):
        return list(films)
    names = list(dict.fromkeys(name for film in reversed(films) for name in film.link_names))  # parents come first
    owner = {name: next(film for film in reversed(films) if name in film.link_names) for name in names}
    parents = tuple(_parent(owner[name], name, names) for name in names)
    shapes, visuals = (tuple(_of_links(owner, names, kind)) for kind in ("shapes", "visuals"))
    result: list[Film] = []
    for k, film in enumerate(films):
        tracks = [_track(films, starts, k, name) for name in names]
        position, quaternion = (np.stack(arrays, axis=2) for arrays in zip(*tracks, strict=True))
        changes = {"link_names": tuple(names), "parents": parents, "shapes": shapes, "visuals": visuals}
        result.append(replace(film, **changes, position=position, quaternion=quaternion))
    return result


def _track(films: Sequence[Film], starts: Sequence[Film], k: int, name: str) -> tuple[Array, Array]:
    """Return position and quaternion of a link in the frames of film k, (F, W, 3) and (F, W, 4)."""
    source, frames = _source(films, starts, k, name)
    link, count = source.link_names.index(name), len(films[k].time)
    arrays = source.position[frames, :, link], source.quaternion[frames, :, link]
    position, quaternion = (np.broadcast_to(array, (count, *array.shape[1:])) for array in arrays)
    return position, quaternion


def _source(films: Sequence[Film], starts: Sequence[Film], k: int, name: str) -> tuple[Film, slice]:
    """Return the film from which film k takes a link, and the frames: all of its own, or the one of a link at rest."""
    if name in films[k].link_names:
        return films[k], slice(None)
    before = [film for film in films[:k] if name in film.link_names]
    after = [film for film in starts[k:] if name in film.link_names]
    return (before[-1], slice(-1, None)) if before else (after[0], slice(None))


def _parent(film: Film, name: str, names: Sequence[str]) -> int:
    parent = film.parents[film.link_names.index(name)]
    return parent if parent < 0 else names.index(film.link_names[parent])


def _of_links(owner: dict[str, Film], names: Sequence[str], kind: str) -> list[FilmShape]:
    """Return the shapes or visuals of all links, each of the film that owns it. kind: name of the field."""
    return [
        replace(shape, link=k)
        for k, name in enumerate(names)
        for shape in getattr(owner[name], kind)
        if owner[name].link_names[shape.link] == name
    ]


def spliced_lines(films: Sequence[Film]) -> tuple[FilmMesh, ...]:
    """Return the lines of attachments in films one after the other; they are invisible in films without them."""
    lines = [{each.name: each for each in film.matter if isinstance(each, FilmMesh)} for film in films]
    samples = {name: mesh for meshes in lines for name, mesh in meshes.items()}
    return tuple(_spliced(films, [meshes.get(name) for meshes in lines], mesh) for name, mesh in samples.items())


def _spliced(films: Sequence[Film], own: Sequence[FilmMesh | None], sample: FilmMesh) -> FilmMesh:
    """Return one mesh in films one after the other. own: the mesh in each film; sample: one of them."""
    hidden = [np.zeros((len(film.time), len(sample.lines)), bool) for film in films]
    points = [
        np.repeat(sample.points[:1], len(film.time), axis=0) if mesh is None else mesh.points
        for film, mesh in zip(films, own, strict=True)
    ]
    visible = [
        nothing if mesh is None or mesh.visible is None else mesh.visible
        for nothing, mesh in zip(hidden, own, strict=True)
    ]
    return replace(sample, points=np.concatenate(points), visible=np.concatenate(visible))
