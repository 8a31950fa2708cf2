"""Shows the progress of a solver in one line: iterations, cost, violation."""

from time import perf_counter
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.status import Status
from rich.text import Text

LOG_SECONDS = 5.0
"""Time between two lines of the log, if the console is not a terminal [s]."""

DELAY = 2.0
"""Time before the first line of a log [s]: a plan that is solved sooner has no log."""


class SolverProgress:
    """The progress of a solver: a live line on a terminal, else a line every few seconds. It is a context manager."""

    def __init__(self, console: Console, subject: str) -> None:
        self._console, self._subject = console, subject
        self._started = perf_counter()
        self._next = self._started + DELAY
        self._status: Status | None = console.status(Text(f"solving {subject}")) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._status:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._status:
            self._status.stop()

    def show(self, text: str) -> None:
        """Show another activity, such as the simulation."""
        if self._status:
            self._status.update(Text(text))

    def __call__(self, iteration: int, cost: float, violation: float, unknowns: Any) -> bool:
        """Show an iteration; return True, so that the solver continues."""
        now = perf_counter()
        line = (
            f"{self._subject}: iteration {iteration}, cost {cost:.6g}, violation {violation:.1e}, "
            f"{now - self._started:.0f} s"
        )
        if self._status:
            self._status.update(Text(line))
        elif now >= self._next:
            self._next = now + LOG_SECONDS
            self._console.print(Text(line), soft_wrap=True)
        return True
