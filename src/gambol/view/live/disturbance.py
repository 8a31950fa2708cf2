"""The two worlds of a live page: the world itself, and the same world with inputs for disturbances by a visitor.

The disturbed world has an external wrench on each link, see hand.with_wrenches(), an input that cuts off each limb, see
limbs.with_cuts(), and gravity as a vector, see settings.tilted_gravity(). Its program is another one, with results that
differ in their last digits. Therefore, as long as all wrenches are 0, all limbs are there and the ground is level, the
page uses the program of the world itself, so that the motion is the same as in a film.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.lanes import Precision
from gambol.view.live.hand import with_wrenches
from gambol.view.live.limbs import with_cuts
from gambol.view.live.numbers import number_names
from gambol.view.live.settings import tilted_gravity
from gambol.world import Engine, State, World
from gambol.world.loop_closure import close_loops

GRAVITY = {"gravity.x": 0.0, "gravity.y": 0.0, "gravity.z": -1.0}
"""Components of the gravity of a level world as a vector, over its gravity."""


@dataclass(frozen=True)
class LiveWorld:
    """The worlds of a page, in their first state.

    undisturbed: the engine of the world itself. engine: the engine of the disturbed world; the same engine if nothing
    can disturb the world. state: state of one world, with closed loops. numbers: the inputs of `engine`, (rows, 1).
    """

    undisturbed: Engine
    engine: Engine
    state: State
    numbers: NDArray[Any]

    def description(self) -> dict[str, Any]:
        """Return the data with which the page chooses between the programs.

        undisturbed: for each number of the world itself, the row of the page's numbers and a factor. disturbing: rows
        of the page's numbers that are 0 while nothing disturbs the world.
        """
        rows = {name: row for row, name in enumerate(number_names(self.engine.numbers_template))}
        own = list(number_names(self.undisturbed.numbers_template))
        if self.undisturbed is self.engine:
            return {"undisturbed": [], "disturbing": []}
        places = [(rows[name], 1.0) if name in rows else (rows["gravity.z"], -1.0) for name in own]
        used = {row for row, _ in places}
        return {"undisturbed": places, "disturbing": [row for row in rows.values() if row not in used]}


def disturbable(world: World) -> World:
    """Return the world with inputs for all disturbances by a visitor."""
    return with_cuts(with_wrenches(tilted_gravity(world)))


def live_world(state: State, given: NDArray[Any] | None, grab: bool) -> LiveWorld:
    """Return the worlds of a page. Raises GambolError for numbers of another shape.

    given: the numbers of the state's world, (rows, 1); None: its present numbers. grab: True for a page in which bodies
    can be grabbed and the ground tilted.
    """
    precision: Precision = "float32" if state.rows.dtype == np.float32 else "float64"
    own = Engine(state.world, precision)
    numbers = own.numbers() if given is None else given
    if numbers.shape != own.numbers().shape:
        raise GambolError(f"the numbers of this world have shape {own.numbers().shape}, not {numbers.shape}")
    close_loops(state.world, state, numbers)
    if not grab:
        return LiveWorld(own, own, state, numbers)
    engine = Engine(disturbable(state.world), precision)
    values = dict(zip(number_names(own.numbers_template), numbers, strict=True))
    if isinstance(engine.world.gravity, tuple) and "gravity" in values:
        level = values.pop("gravity")
        values |= {name: factor * level for name, factor in GRAVITY.items()}
    names, others = number_names(engine.numbers_template), engine.numbers()
    numbers = np.array([values.get(name, row) for name, row in zip(names, others, strict=True)], numbers.dtype)
    return LiveWorld(own, engine, State(engine.world, state.rows), numbers)
