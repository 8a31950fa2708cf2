"""Films of different figures as one film: each at its place and in its size, as if all lived in one world."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.world.film.film import Film
from gambol.world.film.shapes import FilmShape

Place: TypeAlias = tuple[float, float]

NOT_LENGTHS = ("mesh", "height_field")
"""The kinds of shapes whose sizes are not all lengths."""


def scaled_film(film: Film, scale: float) -> Film:
    """Return the positions and shapes of a film, with all lengths multiplied by a scale; times stay.

    film: a film on level ground, without meshes, particles and muscles. Signals and events are left out, since their
    units are not known here. Raises GambolError for other films, and for a scale that is not positive.
    """
    if not 0.0 < scale < np.inf:
        raise GambolError(f'film "{film.name}" cannot be scaled by {scale}; give more than 0')
    if film.matter or film.ground.heights is not None:
        raise GambolError(f'film "{film.name}" cannot be scaled: only films of links on level ground can')
    return replace(
        film,
        position=scale * film.position,
        shapes=tuple(_scaled(shape, scale) for shape in film.shapes),
        visuals=tuple(_scaled(shape, scale) for shape in film.visuals),
        limb_names=(),
        signals={},
        events=(),
        axes={},
    )


def _scaled(shape: FilmShape, scale: float) -> FilmShape:
    if shape.kind in NOT_LENGTHS:
        raise GambolError(f"a shape of kind {shape.kind} cannot be scaled; give a film of simple shapes")
    x, y, z = shape.position
    return replace(shape, size=tuple(scale * x for x in shape.size), position=(scale * x, scale * y, scale * z))


def side_by_side(name: str, films: Mapping[str, Film], places: Sequence[Place]) -> Film:
    """Return one film of the links of several films, which have the same times.

    name: name of the film. films: films of one world on level ground, without meshes, particles and muscles, by the
    name of their figure, which precedes the names of its links. places: x and y by which each is moved [m]. What each
    does is what it does alone: they do not touch each other. Raises GambolError for other films.
    """
    if not films or len(films) != len(places):
        raise GambolError(f"{len(films)} films have {len(places)} places; give one for each, and at least one")
    times = next(iter(films.values())).time
    positions, quaternions = list[NDArray[np.float64]](), list[NDArray[np.float64]]()
    names, parents = list[str](), list[int]()
    shapes, visuals = list[FilmShape](), list[FilmShape]()
    for (figure, film), (x, y) in zip(films.items(), places, strict=True):
        if film.worlds != 1 or film.matter or film.ground.heights is not None:
            raise GambolError(f'film "{film.name}" cannot stand beside others: only one world on level ground can')
        if not np.array_equal(film.time, times):
            raise GambolError(f'film "{film.name}" has other times than the first film; give films of the same times')
        first = len(names)
        positions.append(film.position + np.array([x, y, 0.0]))
        quaternions.append(film.quaternion)
        names += [f"{figure}/{link}" for link in film.link_names]
        parents += [parent if parent < 0 else parent + first for parent in film.parents or (-1,) * len(film.link_names)]
        shapes += [replace(shape, link=shape.link + first) for shape in film.shapes]
        visuals += [replace(shape, link=shape.link + first) for shape in film.visuals]
    return Film(
        name,
        times,
        np.concatenate(positions, axis=2),
        np.concatenate(quaternions, axis=2),
        tuple(names),
        tuple(shapes),
        parents=tuple(parents),
        visuals=tuple(visuals),
    )
