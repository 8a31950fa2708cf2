"""The hills of a live view: the heights of its ground, the inputs of the program on it, and the ground below links."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import HeightGrid
from gambol.view.live.disturbance import LiveWorld
from gambol.view.live.hills import grid_of, hills_data
from gambol.world.observe import snapshot_rows

Array = NDArray[Any]


class ServedHills:
    """The ground of a world with hills. live: the worlds, with a world on hills, whose heights are changed in place.

    grid, heights: description of the grids of all shapes, and their heights for the page, see hills_data().
    """

    def __init__(self, live: LiveWorld) -> None:
        assert live.hilly is not None
        assert isinstance(live.hilly.world.ground, HeightGrid)
        self.engine, self._ground = live.hilly, live.hilly.world.ground
        self.grid, self.heights = hills_data(live.engine.world, live.state, live.size)
        sources = live.input_sources(self.engine)
        self._constant = np.array([row is None for row, _ in sources])
        self._rows = np.array([0 if row is None else row for row, _ in sources])
        self._factors = np.array([factor for _, factor in sources])
        self._slope = [row == len(live.numbers) for row, _ in sources]
        positions = snapshot_rows(live.engine.world)["positions"]
        assert isinstance(positions, slice)
        self._positions = positions
        self.raise_to(0.0, 0)

    def raise_to(self, height: float, shape: int) -> None:
        """Change the ground. height: of the highest hill [m]; shape: index of the shape."""
        np.multiply(grid_of(shape).heights, height, out=self._ground.heights)

    def inputs(self, numbers: Array) -> Array:
        """Return the inputs of the program on hills. numbers: of the view, (rows, 1): height and shape are the last."""
        found = np.where(self._constant, self._factors, self._factors * numbers[self._rows, 0])
        height, shape = numbers[-2:, 0].tolist()
        found[self._slope] = self.grid["slopes"][int(shape)] * height
        return found[:, None].astype(numbers.dtype)

    def below(self, snapshot: Array) -> Array:
        """Return the heights of the ground below all links [m]. snapshot: of a state, (rows, 1)."""
        places = snapshot[self._positions, 0].astype(float).reshape(-1, 3)
        table, numbers = self._ground.table(), self._ground.numbers()
        return np.array([float(self._ground.surface(numbers, table, x, y).height) for x, y, _ in places.tolist()])
