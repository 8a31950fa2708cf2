"""The last segment of a script's run: the part at its end in which no command changes its world or its state."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.world import State


@dataclass(slots=True)
class LastSegment:
    """The last segment. start: state at its beginning, None before anything was simulated; end: rows at its end."""

    start: State | None = None
    end: NDArray[Any] = field(default_factory=lambda: np.empty((0, 1)))

    def add(self, first: State, last: State) -> None:
        """Add a piece: it continues the segment if it has the same world, and begins where the segment ends.

        first, last: states of its beginning and of its end.
        """
        is_continued = self.start is not None and self.start.world == first.world
        if not (is_continued and np.array_equal(self.end, first.rows)):
            self.start = first
        self.end = last.rows.copy()
