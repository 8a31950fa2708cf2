"""Hills of a live page: its programs on a grid of heights, which the page multiplies by the number "hills" [m].

The table of heights is an input of a program, so one program computes hills of any height and shape. The ground is
level around the figure's first position, and has the length scale of the figure.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from gambol.collide import HeightGrid, Plane
from gambol.collide.hills import random_hills
from gambol.errors import GambolError
from gambol.figure.template import has_variable_topology
from gambol.world import State, World

HILLS = "hills"
"""The name of the number: the height of the highest hill [m]."""

SHAPE = "hills shape"
"""The name of the number that chooses a shape: its index in SHAPES."""

STEPS = 4096
"""Heights are multiples of 1 / STEPS of the highest one, so that a page stores them in two bytes."""

WAVELENGTH, LEVEL, HALF_WIDTH = 2.0, 1.5, 24.0
"""Shortest wavelength of the hills, radius of the level area, and half width of the grid, in sizes of the world."""

WAVE, BLOCK = 4.0, 0.75
"""Wavelength of waves, and side of blocks, in sizes of the world."""

FREE_HEIGHT = 6
"""Index of the height in the coordinates of a free joint."""

MAX_HEIGHT = 0.5
"""Largest height of the slider, in sizes of the world: legs of insects and dogs reach that far."""


def size_of(world: World, values: Mapping[str, float]) -> float:
    """Return the size of a world [m]. values: its numbers by name, from which the lengths of a template follow."""
    if not has_variable_topology(world.figure):
        return world.size
    return world.with_parameters({name: values[f"parameters.{name}"] for name in world.parameters}).size


def hills_below(world: World, state: State, shape: int = 0, size: float | None = None) -> HeightGrid | None:
    """Return a grid of hills, the highest one 1 m high; None for a world without level ground at height 0.

    world: the world; state: its first state, of one world; shape: index in SHAPES; size: size of the world [m], see
    size_of() (None: that of its figure).
    """
    if not (world.has_ground and isinstance(world.ground, Plane) and world.ground.height == 0.0):
        return None
    scale, root = size or world.size, world.figure.root
    grid = grid_of(shape)
    x, y = state.q[0][root.q][4:6].tolist() if root.joint.kind == "free" else (0.0, 0.0)
    return HeightGrid(grid.heights, scale * grid.spacing, scale * grid.x0 + x, scale * grid.y0 + y)


@cache
def grid_of(shape: int) -> HeightGrid:
    """Return the hills of a world of size 1, in multiples of 1 / STEPS. shape: index in SHAPES."""
    grid = SHAPES[shape][1]()
    return replace(grid, heights=np.round(STEPS * grid.heights) / STEPS)


def _hills() -> HeightGrid:
    return random_hills(1.0, wavelength=WAVELENGTH, half_width=HALF_WIDTH, level=LEVEL)


def _waves() -> HeightGrid:
    """Return waves along x with level fronts."""
    grid = _hills()
    beyond = np.maximum(np.abs(grid.x0 + grid.spacing * np.arange(len(grid.heights))) - LEVEL, 0.0)
    profile = 0.5 - 0.5 * np.cos(math.tau * beyond / WAVE)
    return replace(grid, heights=np.repeat(profile[:, None], grid.heights.shape[1], axis=1))


def _blocks() -> HeightGrid:
    """Return blocks of random heights, with a rise of one cell between them."""
    grid = _hills()
    places = grid.x0 + grid.spacing * np.arange(len(grid.heights))
    number = np.floor((places - places[0]) / BLOCK + 1e-9).astype(int)
    levels = np.random.default_rng(0).integers(0, 5, (number[-1] + 1, number[-1] + 1)) / 4.0
    outside = np.hypot(places[:, None], places) > LEVEL
    return replace(grid, heights=levels[np.ix_(number, number)] * outside)


SHAPES: tuple[tuple[str, Callable[[], HeightGrid]], ...] = (
    ("hills", _hills),
    ("waves", _waves),
    ("blocks", _blocks),
)
"""The shapes: name, and the function that returns a grid around the origin, 1 m high, for a world of size 1."""


def on_hills(world: World, state: State, height: float, shape: int = 0, size: float | None = None) -> World | None:
    """Return the world on hills; None if it cannot have any.

    world, state, shape, size: as for hills_below(). height: height of the highest hill [m].
    """
    grid = hills_below(world, state, shape, size)
    if grid is None:
        return None
    try:
        return replace(world, ground=replace(grid, heights=height * grid.heights))
    except GambolError:  # its sensors or its contact method need level ground
        return None


def hills_data(world: World, state: State, size: float) -> tuple[dict[str, Any], bytes]:
    """Return the grids of all shapes as data of the page, and their heights in steps, as uint16.

    world: the disturbed world on level ground. state: its first state. size: see size_of(). The heights do not depend
    on these, so that worlds of one page share them.
    """
    grids = [grid for shape in range(len(SHAPES)) if (grid := hills_below(world, state, shape, size)) is not None]
    first = grids[0]
    rows, columns = first.heights.shape
    origin = {"x0": first.x0, "y0": first.y0, "spacing": first.spacing}
    heights = np.stack([np.round(STEPS * grid.heights) for grid in grids]).astype("<u2")
    return {
        "rows": rows,
        "columns": columns,
        **origin,
        "steps": STEPS,
        "slopes": [grid.steepest() for grid in grids],
        "roots": _shifted_roots(world),
    }, heights.tobytes()


def _shifted_roots(world: World) -> list[int]:
    """Return the rows of the heights of all roots in a state, or none if a root cannot be shifted."""
    roots = world.figure.roots
    return [root.q.start + FREE_HEIGHT for root in roots] if all(r.joint.kind == "free" for r in roots) else []
