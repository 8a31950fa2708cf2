"""The states that a world went through, in bounded memory: when it is full, every second one is forgotten."""

from typing import Any

from numpy.typing import NDArray

MAX_BYTES = 2**25
"""Size of the kept states: that of the states which a page keeps."""


class History:
    """Kept states of one world. step: the control step at which it begins; first: the rows of its state, (rows, 1)."""

    def __init__(self, step: int, first: NDArray[Any]) -> None:
        self._capacity = max(2, MAX_BYTES // first.nbytes)
        self._kept = [(step, first.copy())]
        self._stride, self._latest = 1, step

    def add(self, step: int, rows: NDArray[Any]) -> None:
        """Note the state at the end of a control step; those of later steps are forgotten."""
        if step <= self._latest:
            self._kept = [one for one in self._kept if one[0] < step]
        self._latest = step
        if step - self._kept[-1][0] >= self._stride:
            self._kept.append((step, rows.copy()))
        if len(self._kept) > self._capacity:
            self._kept, self._stride = self._kept[::2], 2 * self._stride

    def at(self, step: int) -> tuple[int, NDArray[Any]]:
        """Return the last kept state at or before a control step, and the number of its step."""
        before = [one for one in self._kept if one[0] <= step]
        return before[-1] if before else self._kept[0]

    @property
    def last_step(self) -> int:
        """The control step of the last kept state."""
        return self._kept[-1][0]
