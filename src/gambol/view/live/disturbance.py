"""The worlds of a live page: the world itself, and the same world with inputs for disturbances by a visitor.

The disturbed world has an external wrench on each link, see hand.with_wrenches(), an input that cuts off each limb, see
limbs.with_cuts(), and gravity as a vector, see settings.tilted_gravity(). It has another program, whose results differ
in their last digits. Therefore, while all wrenches are 0, no limb is cut off and the ground is level, the page uses the
program of the world itself, so that the motion is the same as in a film. The disturbed world also has the parameters of
the figure that genes of the body change. Hills need a third program, see hills.py.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.contact import Medium
from gambol.errors import GambolError
from gambol.view.live.hand import with_wrenches
from gambol.view.live.hills import HILLS, SHAPE, on_hills, size_of
from gambol.view.live.limbs import with_cuts
from gambol.view.live.numbers import number_names
from gambol.view.live.settings import tilted_gravity
from gambol.world import Engine, State, World
from gambol.world.loop_closure import close_loops

GRAVITY = {"gravity.x": 0.0, "gravity.y": 0.0, "gravity.z": -1.0}
"""Gravity of a level world as a vector, divided by its strength."""

DEPTH = 4.0
"""Depth of a medium above the ground, in sizes of the world, if the world had no medium."""


@dataclass(frozen=True)
class LiveWorld:
    """The worlds of a page, in their first state.

    undisturbed: the engine of the world itself. engine: the engine of the disturbed world; the same engine if nothing
    can disturb the world. hilly: the engine of the disturbed world on hills of 1 m, or None. state: state of one world,
    with closed loops. numbers: the inputs of `engine`, (rows, 1).
    """

    undisturbed: Engine
    engine: Engine
    hilly: Engine | None
    state: State
    numbers: NDArray[Any]

    @property
    def observed(self) -> Engine:
        """The engine of programs that observe a state."""
        return self.engine if self.hilly is None else self.hilly

    @property
    def size(self) -> float:
        """The size of the world [m], also of a template."""
        return size_of(self.engine.world, dict(zip(self.number_names, self.numbers[:, 0].tolist(), strict=False)))

    @property
    def numbered_world(self) -> World:
        """The world of `engine`, whose figure has the masses and lengths of the page's numbers."""
        world, values = self.engine.world, dict(zip(self.number_names, self.numbers[:, 0].tolist(), strict=False))
        return world.with_parameters({name: values[f"parameters.{name}"] for name in world.parameters})

    def is_hilly(self, engine: Engine) -> bool:
        """Return True for an engine of the world on hills."""
        return bool(engine.tables) and not self.undisturbed.tables

    @property
    def number_names(self) -> list[str]:
        """The names of the page's numbers: those of `engine`, and height and shape of hills."""
        return [*number_names(self.engine.numbers_template), *([] if self.hilly is None else [HILLS, SHAPE])]

    def input_sources(self, engine: Engine) -> list[tuple[int | None, float]]:
        """Return the source of each input of an engine: a row of the page's numbers and a factor, or None and a value.

        Worlds without disturbances have gravity as a scalar. Of the inputs of the ground of hills, only the steepest
        slope depends on the height and the shape of hills.
        """
        rows = {name: row for row, name in enumerate(self.number_names)}
        names, values = number_names(engine.numbers_template), engine.numbers()[:, 0].tolist()
        found: list[tuple[int | None, float]] = []
        for name, value in zip(names, values, strict=True):
            if name.startswith("ground.") and self.is_hilly(engine):
                found.append((rows[HILLS], value) if name == "ground.slope" else (None, value))
            else:
                found.append((rows[name], 1.0) if name in rows else (rows["gravity.z"], -1.0))
        return found

    @property
    def disturbing(self) -> list[int]:
        """Rows of the page's numbers that have their first values while nothing disturbs the world."""
        used = {row for row, _ in self.input_sources(self.undisturbed)}
        return [row for row in range(len(self.numbers)) if row not in used]


def disturbable(world: World, size: float | None = None) -> World:
    """Return the world with inputs for all disturbances by a visitor. size: see with_medium()."""
    return with_cuts(with_wrenches(with_medium(tilted_gravity(world), size)))


def with_medium(world: World, size: float | None = None) -> World:
    """Return the world with a medium with buoyancy: of density 0, with a surface above the ground, if it had none.

    The medium of a world that has one keeps its own buoyancy, or gets a factor of 0. size: size of the world [m], see
    size_of() (None: that of its figure).
    """
    external, depth = world.external, DEPTH * (size or world.size) if world.has_ground else None
    medium = Medium(buoyancy=1.0, surface=depth) if external.medium is None else external.medium
    return replace(world, external=replace(external, medium=replace(medium, buoyancy=medium.buoyancy or 0.0)))


def live_world(
    state: State,
    given: NDArray[Any] | None,
    grab: bool,
    *,
    hills: bool = True,
    parameters: tuple[str, ...] = (),
    lanes: int | None = None,
) -> LiveWorld:
    """Return the worlds of a page. Raises GambolError for numbers of another shape.

    given: the numbers of the state's world, (rows, 1); None: its present numbers. grab: True for a page in which bodies
    can be grabbed and the ground tilted. hills: False for a page without hills. parameters: names of the figure's
    parameters that the page changes, see World.parametrised_by(); they include those of the state's world. lanes: of
    the engines, see Engine.
    """
    undisturbed = Engine(state.world, state.precision, lanes)
    numbers = undisturbed.numbers() if given is None else given
    if numbers.shape != undisturbed.numbers().shape:
        raise GambolError(f"the numbers of this world have shape {undisturbed.numbers().shape}, not {numbers.shape}")
    close_loops(state.world, state, numbers)
    if not grab and not parameters:
        return LiveWorld(undisturbed, undisturbed, None, state, numbers)
    values = dict(zip(number_names(undisturbed.numbers_template), numbers, strict=True))
    size = size_of(state.world, {name: float(row[0]) for name, row in values.items()})
    changed = disturbable(state.world, size) if grab else state.world
    engine = Engine(changed.parametrised_by(parameters) if parameters else changed, state.precision, lanes)
    names, others = list(number_names(engine.numbers_template)), engine.numbers()
    if "gravity" in values and "gravity" not in names:
        strength = values.pop("gravity")
        values |= {name: factor * strength for name, factor in GRAVITY.items()}
    numbers = np.array([values.get(name, row) for name, row in zip(names, others, strict=True)], numbers.dtype)
    world = on_hills(engine.world, state, 1.0, size=size) if grab and hills else None
    hilly = None if world is None else Engine(world, state.precision, lanes)
    return LiveWorld(undisturbed, engine, hilly, State(engine.world, state.rows), numbers)
