"""The history of states of a world, in bounded memory: when it is full, every second state is discarded."""

from typing import Any

from numpy.typing import NDArray

MAX_BYTES = 2**25
"""Maximum size of the stored states [bytes], the same as in a live page."""


class History:
    """Stored states of one world. step: its first control step; first: the rows of its first state, (rows, 1)."""

    def __init__(self, step: int, first: NDArray[Any]) -> None:
        self._capacity = max(2, MAX_BYTES // first.nbytes)
        self._kept = [(step, first.copy())]
        self._stride, self._latest = 1, step

    def add(self, step: int, rows: NDArray[Any]) -> None:
        """Store the state at the end of a control step, and discard states of later steps."""
        if step <= self._latest:
            self._kept = [entry for entry in self._kept if entry[0] < step]
        self._latest = step
        if step - self._kept[-1][0] >= self._stride:
            self._kept.append((step, rows.copy()))
        if len(self._kept) > self._capacity:
            self._kept, self._stride = self._kept[::2], 2 * self._stride

    def replace(self, step: int, rows: NDArray[Any]) -> None:
        """Store another state of a control step, and discard states of later steps."""
        self._kept = [entry for entry in self._kept if entry[0] < step] + [(step, rows.copy())]
        self._latest = step

    def at(self, step: int) -> tuple[int, NDArray[Any]]:
        """Return the last stored step at or before a control step, and the rows of its state, (rows, 1)."""
        before = [entry for entry in self._kept if entry[0] <= step]
        return before[-1] if before else self._kept[0]

    @property
    def last_step(self) -> int:
        """The control step of the last stored state."""
        return self._kept[-1][0]
