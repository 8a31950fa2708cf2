"""Hills of a live page: its programs on a grid of heights, which the page multiplies by the number "hills" [m].

The table of heights is an input of a program, so one program computes hills of any height. The ground is level around
the figure's first position, and has the length scale of the figure.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from gambol.collide import HeightGrid, Plane
from gambol.collide.hills import random_hills
from gambol.errors import GambolError
from gambol.world import State, World

HILLS = "hills"
"""The name of the number: the height of the highest hill [m]."""

STEPS = 4096
"""Heights are multiples of 1 / STEPS of the highest one, so that a page stores them in two bytes."""

WAVELENGTH, LEVEL, HALF_WIDTH = 2.0, 1.5, 24.0
"""Shortest wavelength of the hills, radius of the level area, and half width of the grid, in sizes of the world."""

MAX_HEIGHT = 0.5
"""Largest height of the slider, in sizes of the world: legs of insects and dogs reach that far."""


def hills_below(world: World, state: State) -> HeightGrid | None:
    """Return a grid of hills, the highest one 1 m high; None for a world without level ground at height 0.

    world: the world; state: its first state, of one world.
    """
    if not (world.has_ground and isinstance(world.ground, Plane) and world.ground.height == 0.0):
        return None
    size, root = world.size, world.figure.root
    grid = random_hills(1.0, wavelength=WAVELENGTH * size, half_width=HALF_WIDTH * size, level=LEVEL * size)
    x, y = state.q[0][root.q][4:6].tolist() if root.joint.kind == "free" else (0.0, 0.0)
    return HeightGrid(np.round(STEPS * grid.heights) / STEPS, grid.spacing, grid.x0 + x, grid.y0 + y)


def on_hills(world: World, state: State, height: float) -> World | None:
    """Return the world on hills; None if it cannot have any.

    world, state: as for hills_below(). height: height of the highest hill [m].
    """
    grid = hills_below(world, state)
    if grid is None:
        return None
    try:
        return replace(world, ground=replace(grid, heights=height * grid.heights))
    except GambolError:  # its sensors or its contact method need level ground
        return None


def hills_data(world: World) -> dict[str, Any]:
    """Return the grid of a world on hills as data of the page, without its heights."""
    assert isinstance(world.ground, HeightGrid)
    grid, (rows, columns) = world.ground, world.ground.heights.shape
    origin = {"x0": grid.x0, "y0": grid.y0, "spacing": grid.spacing}
    return {"rows": rows, "columns": columns, **origin, "steps": STEPS}
