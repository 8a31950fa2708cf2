"""Films of creatures that a template simulates, with the links of the template, as its page shows them.

A template's links are those of the creature in the same order, then absent ones. Their frames are turned, so that z is
the axis of their joint (see gambol.figure.template). With the constant rotation R from a link of the template to that
of the creature:

    pose of the template's link    q R^-1        shape in it    position R p, orientation R s
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure.template import has_variable_topology
from gambol.spatial import Quaternion, Vector
from gambol.world import Engine, Film, State
from gambol.world.film.shapes import FilmShape

Array = NDArray[np.float64]


def film_of_world(film: Film, state: State, numbers: NDArray[Any]) -> Film:
    """Return a film with the links of the world that simulates it; unchanged if it has them, or if it is no template.

    film: film of one world, whose first frame is the state. state, numbers: of the world, see Engine.numbers(). Absent
    links have the pose of the root, and no shapes.
    """
    figure = state.world.figure
    if not has_variable_topology(figure) or len(figure.links) < len(film.link_names):
        return film
    turns, absent = _turns(film, state, numbers), len(figure.links) - len(film.link_names)
    rows = [*range(len(film.link_names)), *[0] * absent]
    quaternion = _stacked(_quaternion(film.quaternion) @ _quaternion(turns).conjugate())
    return replace(
        film,
        shapes=tuple(_turned(shape, _quaternion(turns[shape.link])) for shape in film.shapes),
        position=film.position[:, :, rows],
        quaternion=quaternion[:, :, rows],
        link_names=tuple(link.name for link in figure.links),
        parents=(*film.parents, *[0] * absent) if film.parents else (),
    )


def _turns(film: Film, state: State, numbers: NDArray[Any]) -> Array:
    """Return the rotation from each link of the template to that of the creature, as quaternions (L, 4)."""
    seen = Engine(state.world, state.precision).observe(State(state.world, state.rows.copy()), numbers).quaternions
    template = np.array(seen, float).reshape(-1, 4)[: len(film.link_names)]
    turn = _stacked(_quaternion(template).conjugate() @ _quaternion(film.quaternion[0, 0]))
    return turn / np.linalg.norm(turn, axis=-1, keepdims=True)


def _turned(shape: FilmShape, turn: Quaternion) -> FilmShape:
    x, y, z = turn.rotation() @ Vector(*shape.position)
    w, i, j, k = (turn @ Quaternion(*shape.quaternion)).components()
    return replace(shape, position=(float(x), float(y), float(z)), quaternion=(float(w), float(i), float(j), float(k)))


def _quaternion(components: Array) -> Quaternion:
    """Return quaternions of arrays from their components (..., 4)."""
    return Quaternion(*np.moveaxis(components, -1, 0))


def _stacked(quaternion: Quaternion) -> Array:
    return np.stack(quaternion.components(), axis=-1)
