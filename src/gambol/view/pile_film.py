"""The film of a pile: its bodies as links, from its states."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.collide import NoGround
from gambol.errors import GambolError
from gambol.rigid import Body, LinkBody, Pile, PileState
from gambol.spatial import Quaternion, Rotation
from gambol.world import Film
from gambol.world.film import FilmShape
from gambol.world.record import film_ground, film_shapes

Array = NDArray[np.float64]


def pile_film(pile: Pile, states: Sequence[PileState], name: str = "pile", colors: Sequence[str] = ()) -> Film:
    """Return the film of a pile; each body is a link, a link of a figure has its own name and frame.

    states: one for each frame, in the order of time; name: of the film; colors: of bodies that are no links, in turn;
    empty: the colour of the view. Raises GambolError without states, and for states of another number of bodies.
    """
    if not states:
        raise GambolError("a film of a pile needs at least one state")
    count = len(pile.bodies)
    if any(state.position.shape[1] != count + 1 for state in states):
        raise GambolError(f"a state has another number of bodies than the pile, which has {count}")
    position, quaternion = np.zeros((len(states), 1, count, 3)), np.zeros((len(states), 1, count, 4))
    shapes: list[FilmShape] = []
    for k, body in enumerate(pile.bodies):
        R, com = _frame_in_body(body)
        for frame, state in enumerate(states):
            q = Quaternion(*state.orientation[:, k + 1].tolist())
            turned = np.array(q.rotation().rows, float) @ R
            position[frame, 0, k] = state.position[:, k + 1] - turned @ com
            quaternion[frame, 0, k] = Quaternion.of(Rotation.of(turned.tolist())).components()
        shapes += _shapes(body, k, colors[k % len(colors)] if colors else None)
    return Film(
        name=name,
        time=np.array([state.time for state in states]),
        position=position,
        quaternion=quaternion,
        link_names=tuple(
            f"{body.figure} {body.link.name}" if isinstance(body, LinkBody) else f"body {k}"
            for k, body in enumerate(pile.bodies, 1)
        ),
        shapes=tuple(shapes),
        ground=film_ground(pile.ground or NoGround()),
        signals={"status": np.zeros((len(states), 1))},
    )


def _frame_in_body(body: Body | LinkBody) -> tuple[Array, Array]:
    """Return the axes of the frame in which shapes are drawn, in the body's, and the centre of mass in that frame."""
    return body.frame.rotation.T, body.frame.com


def _shapes(body: Body | LinkBody, index: int, color: str | None) -> list[FilmShape]:
    """Return the drawn shapes of a body; index: of its link in the film."""
    if isinstance(body, LinkBody):
        return [replace(shape, link=index) for shape in film_shapes(body.link)]
    upright = (1.0, 0.0, 0.0, 0.0)
    return [FilmShape(index, body.shape.kind, body.shape.sizes, (0.0, 0.0, 0.0), upright, color)]
